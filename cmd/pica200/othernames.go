package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"pica200/internal/files"
)

// If the program is called by the name of another tool, through a link or a
// copy, it accepts that tool's command line. So build files that use the tool
// need no change.

// otherTool is the program under the name of another tool.
type otherTool struct {
	name    string
	usage   string // --help
	options []toolOption
	run     func(con *console, o toolArgs) error
}

// toolOption is an option of another tool. letter may be 0.
type toolOption struct {
	long   string
	letter byte
	value  bool
}

// toolArgs is a parsed command line: the options in their order, by their long
// names, and the files.
type toolArgs struct {
	given []givenOption
	files []string
}

type givenOption struct{ name, value string }

// last returns the value that an option got last, "" if it was not given.
func (a *toolArgs) last(name string) string {
	for _, g := range slices.Backward(a.given) {
		if g.name == name {
			return g.value
		}
	}
	return ""
}

func (a *toolArgs) has(name string) bool {
	return slices.ContainsFunc(a.given, func(g givenOption) bool { return g.name == name })
}

var otherTools = []*otherTool{&picassoTool, &nihstroTool, &tex3dsTool}

// calledAs returns the tool as which the program was started; nil if that is
// pica200.
func calledAs(arg0 string) *otherTool {
	base := strings.TrimSuffix(strings.ToLower(filepath.Base(strings.ReplaceAll(arg0, `\`, "/"))), ".exe")
	for _, t := range otherTools {
		if t.name == base {
			return t
		}
	}
	return nil
}

// long returns the option of a long name, or of its unambiguous beginning.
func (t *otherTool) long(arg, name string) (found *toolOption, err error) {
	for i := range t.options {
		switch o := &t.options[i]; {
		case o.long == name:
			return o, nil
		case strings.HasPrefix(o.long, name) && found != nil:
			err = fmt.Errorf("option '%s' is ambiguous", arg)
		case strings.HasPrefix(o.long, name):
			found = o
		}
	}
	if found == nil {
		err = fmt.Errorf("unrecognized option '%s'", arg)
	}
	return found, err
}

// parse parses a command line like getopt_long: options before, between and
// after the files, letters together, values with and without a blank,
// unambiguous prefixes of long names.
func (t *otherTool) parse(args []string) (p toolArgs, err error) {
	give := func(o *toolOption, value string) { p.given = append(p.given, givenOption{o.long, value}) }
	for len(args) > 0 {
		a := args[0]
		args = args[1:]
		switch {
		case a == "--":
			p.files = append(p.files, args...)
			return p, nil
		case strings.HasPrefix(a, "--"):
			name, text, given := strings.Cut(a[2:], "=")
			o, err := t.long(a, name)
			switch {
			case err != nil:
				return p, err
			case !o.value && given:
				return p, fmt.Errorf("option '--%s' doesn't allow an argument", name)
			case o.value && !given && len(args) == 0:
				return p, fmt.Errorf("option '--%s' requires an argument", name)
			case o.value && !given:
				text, args = args[0], args[1:]
			}
			give(o, text)
		case len(a) > 1 && a[0] == '-':
			for i := 1; i < len(a); i++ {
				at := slices.IndexFunc(t.options, func(o toolOption) bool { return o.letter == a[i] })
				if at < 0 {
					return p, fmt.Errorf("invalid option -- '%c'", a[i])
				}
				o := &t.options[at]
				if !o.value {
					give(o, "")
					continue
				}
				switch {
				case i+1 < len(a):
					give(o, a[i+1:])
				case len(args) > 0:
					give(o, args[0])
					args = args[1:]
				default:
					return p, fmt.Errorf("option requires an argument -- '%c'", a[i])
				}
				break
			}
		default:
			p.files = append(p.files, a)
		}
	}
	return p, nil
}

// errToolUsage marks errors after which the tool's usage is printed.
type errToolUsage struct{ error }

// call runs the tool. It returns the exit status, which is 1 for every failure,
// as in those tools.
func (t *otherTool) call(con *console, args []string) int {
	con.inputs = files.Begin()
	defer con.inputs.End()
	con.named(args...)
	p, err := t.parse(args)
	switch {
	case err != nil:
		err = errToolUsage{err}
	case p.has("help"):
		fmt.Fprint(con.out, t.usage)
	default:
		err = t.run(con, p)
	}
	status := exitDone
	fails := func(err error) {
		if err != nil && status == exitDone {
			fmt.Fprintf(con.err, "%s: %v\n", t.name, err)
			status = exitFailed
		}
	}
	if errors.As(err, &errToolUsage{}) {
		err = fmt.Errorf("%w\n%s", err, strings.TrimSuffix(t.usage, "\n"))
	}
	fails(err)
	fails(con.close())
	return status
}

// plainName is the name of a file that "-" means in another tool.
func plainName(name string) string {
	if name == "-" {
		return "./-"
	}
	return name
}
