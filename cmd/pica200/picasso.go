package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"pica200/internal/files"
	"pica200/internal/module"
	"pica200/shaderunit/asm"
)

// The program takes the command line of picasso, the assembler of devkitPro, where it is
// called by that name, through a link or a copy. Build files that name picasso need no
// change then. It writes the same bytes and, for sources that picasso rejects, all errors;
// what only the linter finds it leaves to "pica200 lint".

// calledPicasso says whether a program is started as picasso.
func calledPicasso(arg0 string) bool {
	base := strings.ToLower(filepath.Base(strings.ReplaceAll(arg0, `\`, "/")))
	return strings.TrimSuffix(base, ".exe") == "picasso"
}

const picassoUsage = `Usage: picasso [options] files...
Options:
  -o, --out=<file>        Specifies the name of the SHBIN file to generate
  -h, --header=<file>     Specifies the name of the header file to generate
  -n, --no-nop            Disables the automatic insertion of padding NOPs
  -v, --version           Displays version information

This is pica200 under the name of picasso; "pica200 --help" lists all that it does.
`

// picassoArgs is a command line of picasso.
type picassoArgs struct {
	out, header         string
	noNop, version, ask bool
	sources             []string
}

// parsePicasso reads a command line as getopt_long does: options before, between and
// behind the files, letters together, values with and without a blank, long names as far
// as they are unmistakable.
func parsePicasso(args []string) (p picassoArgs, err error) {
	long := []struct {
		name   string
		letter byte
	}{{"out", 'o'}, {"header", 'h'}, {"help", '?'}, {"no-nop", 'n'}, {"version", 'v'}}
	value := func(letter byte, name string) (*string, bool) {
		switch letter {
		case 'o':
			return &p.out, true
		case 'h':
			return &p.header, true
		case 'n':
			p.noNop = true
		case 'v':
			p.version = true
		case '?':
			p.ask = true
		default:
			err = fmt.Errorf("invalid option -- '%s'", name)
		}
		return nil, false
	}
	for len(args) > 0 && err == nil {
		a := args[0]
		args = args[1:]
		switch {
		case a == "--":
			p.sources = append(p.sources, args...)
			return p, nil
		case strings.HasPrefix(a, "--"):
			name, text, given := strings.Cut(a[2:], "=")
			letter, many := byte(0), false
			for _, l := range long {
				if l.name == name {
					letter, many = l.letter, false
					break
				}
				if strings.HasPrefix(l.name, name) {
					many = many || letter != 0
					letter = l.letter
				}
			}
			switch {
			case letter == 0:
				return p, fmt.Errorf("unrecognized option '%s'", a)
			case many:
				return p, fmt.Errorf("option '%s' is ambiguous", a)
			}
			to, needs := value(letter, name)
			switch {
			case !needs && given:
				return p, fmt.Errorf("option '--%s' doesn't allow an argument", name)
			case needs && !given && len(args) == 0:
				return p, fmt.Errorf("option '--%s' requires an argument", name)
			case needs && given:
				*to = text
			case needs:
				*to, args = args[0], args[1:]
			}
		case len(a) > 1 && a[0] == '-':
			for i := 1; i < len(a) && err == nil; i++ {
				to, needs := value(a[i], a[i:i+1])
				if !needs {
					continue
				}
				switch {
				case i+1 < len(a):
					*to = a[i+1:]
				case len(args) > 0:
					*to, args = args[0], args[1:]
				default:
					return p, fmt.Errorf("option requires an argument -- '%c'", a[i])
				}
				break
			}
		default:
			p.sources = append(p.sources, a)
		}
	}
	return p, err
}

// runPicasso is the program under the name of picasso. It gives the exit status, which is
// 1 for every failure, as picasso's.
func runPicasso(con *console, args []string) int {
	status := exitDone
	con.named(args...)
	if err := assembleAsPicasso(con, args); err != nil {
		fmt.Fprintf(con.err, "picasso: %v\n", err)
		status = exitFailed
	}
	if err := con.close(); err != nil && status == exitDone {
		fmt.Fprintf(con.err, "picasso: %v\n", err)
		status = exitFailed
	}
	return status
}

func assembleAsPicasso(con *console, args []string) error {
	p, err := parsePicasso(args)
	usage := func(err error) error {
		return fmt.Errorf("%w\n%s", err, strings.TrimSuffix(picassoUsage, "\n"))
	}
	switch {
	case err != nil:
		return usage(err)
	case p.ask:
		fmt.Fprint(con.out, picassoUsage)
		return nil
	case p.version:
		fmt.Fprintf(con.out, "picasso - pica200 %s\n", versionText(module.Read()))
		return nil
	case len(p.sources) == 0:
		return usage(fmt.Errorf("no input files are specified"))
	case p.out == "":
		return usage(fmt.Errorf("no output file is specified"))
	}
	con.reads(p.sources...)
	if err := con.mayWrite(p.header, p.out); err != nil {
		return err
	}
	var sources []asm.Source
	for _, name := range p.sources {
		text, err := files.Read(name, files.Max)
		if err != nil {
			return err
		}
		sources = append(sources, asm.Source{Name: name, Text: text})
	}
	prog, diags := asm.Assemble(asm.Options{NoNop: p.noNop, Picasso: true}, sources...)
	if err := report(con, diags, false); err != nil {
		return err
	}
	data, err := prog.Bytes()
	if err != nil {
		return err
	}
	// A file "-" is a file to picasso.
	plain := func(name string) string {
		if name == "-" {
			return "./-"
		}
		return name
	}
	if p.header != "" {
		if err := con.writeBytes(plain(p.header), []byte(prog.Header())); err != nil {
			return err
		}
	}
	return con.writeBytes(plain(p.out), data)
}
