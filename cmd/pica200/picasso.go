package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"pica200/internal/files"
	"pica200/internal/module"
	"pica200/shaderunit/asm"
)

// If the program is called by the name picasso, the assembler of devkitPro,
// through a link or a copy, it accepts picasso's command line. So build files
// that use picasso need no change. It writes the same bytes and, for sources
// that picasso rejects, reports all errors; findings of the linter are left to
// "pica200 lint".

// calledPicasso reports whether a program was started as picasso.
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

// picassoArgs is a parsed command line of picasso.
type picassoArgs struct {
	out, header         string
	noNop, version, ask bool
	sources             []string
}

// option processes an option by its letter, and returns where to store its
// value if it has one.
func (p *picassoArgs) option(letter byte, name string) (*string, error) {
	switch letter {
	case 'o':
		return &p.out, nil
	case 'h':
		return &p.header, nil
	case 'n':
		p.noNop = true
	case 'v':
		p.version = true
	case '?':
		p.ask = true
	default:
		return nil, fmt.Errorf("invalid option -- '%s'", name)
	}
	return nil, nil
}

// picassoLong returns the letter of a long option, whose name or unambiguous
// beginning is in arg.
func picassoLong(arg, name string) (letter byte, err error) {
	for _, l := range []struct {
		name   string
		letter byte
	}{{"out", 'o'}, {"header", 'h'}, {"help", '?'}, {"no-nop", 'n'}, {"version", 'v'}} {
		switch {
		case l.name == name:
			return l.letter, nil
		case strings.HasPrefix(l.name, name) && letter != 0:
			err = fmt.Errorf("option '%s' is ambiguous", arg)
		case strings.HasPrefix(l.name, name):
			letter = l.letter
		}
	}
	if letter == 0 {
		err = fmt.Errorf("unrecognized option '%s'", arg)
	}
	return letter, err
}

// parsePicasso parses a command line like getopt_long: options before, between
// and after the files, letters together, values with and without a blank,
// unambiguous prefixes of long names.
func parsePicasso(args []string) (p picassoArgs, err error) {
	for len(args) > 0 {
		a := args[0]
		args = args[1:]
		switch {
		case a == "--":
			p.sources = append(p.sources, args...)
			return p, nil
		case strings.HasPrefix(a, "--"):
			name, text, given := strings.Cut(a[2:], "=")
			letter, err := picassoLong(a, name)
			if err != nil {
				return p, err
			}
			to, err := p.option(letter, name)
			switch {
			case err != nil:
				return p, err
			case to == nil && given:
				return p, fmt.Errorf("option '--%s' doesn't allow an argument", name)
			case to == nil:
			case given:
				*to = text
			case len(args) == 0:
				return p, fmt.Errorf("option '--%s' requires an argument", name)
			default:
				*to, args = args[0], args[1:]
			}
		case len(a) > 1 && a[0] == '-':
			for i := 1; i < len(a); i++ {
				to, err := p.option(a[i], a[i:i+1])
				if err != nil {
					return p, err
				}
				if to == nil {
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
	return p, nil
}

// runPicasso is the program under the name picasso. It returns the exit status,
// which is 1 for every failure, as in picasso.
func runPicasso(con *console, args []string) int {
	con.inputs = files.Begin()
	defer con.inputs.End()
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
	// For picasso, "-" is the name of a file.
	plain := func(name string) string {
		if name == "-" {
			return "./-"
		}
		return name
	}
	return con.write(output{plain(p.header), []byte(prog.Header())}, output{plain(p.out), data})
}
