package main

import (
	"strings"

	"github.com/alecthomas/kong"
)

// cmdDoc describes a command for completions and man pages; it is made from the
// definitions with which the command line is parsed.
type cmdDoc struct {
	path     string // "golden run", "" for the program
	help     string // one line
	detail   string // the rest of --help
	flags    []flagDoc
	args     []argDoc
	children []*cmdDoc
}

type flagDoc struct {
	long, short string // without dashes; short may be empty
	help        string
	value       string   // placeholder of its value, "" for a switch
	enum        []string // possible values, nil for any
}

type argDoc struct {
	name string // as in usage lines: <file>, [<vertices>], <object> ...
	help string
	enum []string
}

// documentation returns the program with all its commands.
func documentation() (*cmdDoc, error) {
	parser, err := newParser(&cli{})
	if err != nil {
		return nil, err
	}
	return describe(parser.Model.Node, ""), nil
}

func describe(n *kong.Node, path string) *cmdDoc {
	d := &cmdDoc{path: path, help: n.Help, detail: n.Detail}
	for _, f := range n.Flags {
		if f.Hidden {
			continue
		}
		doc := flagDoc{long: f.Name, help: f.Help}
		if f.Short != 0 {
			doc.short = string(f.Short)
		}
		if !f.IsBool() && !f.IsCounter() {
			doc.value = f.FormatPlaceHolder()
			doc.enum = values(f.Value)
		}
		d.flags = append(d.flags, doc)
	}
	for _, p := range n.Positional {
		d.args = append(d.args, argDoc{p.Summary(), p.Help, values(p)})
	}
	for _, c := range n.Children {
		if c.Hidden {
			continue
		}
		d.children = append(d.children, describe(c, strings.TrimSpace(path+" "+c.Name)))
	}
	return d
}

// values returns those of an enumeration, nil for other values.
func values(v *kong.Value) []string {
	if v.Enum == "" {
		return nil
	}
	return v.EnumSlice()
}

// walk calls f for a command and all below it.
func (d *cmdDoc) walk(f func(*cmdDoc)) {
	f(d)
	for _, c := range d.children {
		c.walk(f)
	}
}

// name is the last word of a command's path.
func (d *cmdDoc) name() string { return d.path[strings.LastIndexByte(d.path, ' ')+1:] }
