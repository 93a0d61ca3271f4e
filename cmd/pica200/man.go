package main

import (
	"fmt"
	"path/filepath"
	"strings"
)

type manCmd struct {
	Command []string `arg:"" optional:"" placeholder:"COMMAND" help:"Command whose page is printed. Without it: the page of the program."`
	Out     string   `short:"o" placeholder:"DIR" help:"Folder to write the pages of all commands to."`
}

func (manCmd) Help() string {
	return `Writes man pages, for man -l or for a folder man1 of the manual. They
have the same text as --help.

Examples:

  pica200 man asm
  pica200 man golden run
  pica200 man -o man1/`
}

func (c manCmd) Run(con *console) error {
	d, err := documentation()
	if err != nil {
		return err
	}
	if c.Out != "" {
		if len(c.Command) > 0 {
			return usagef("-o writes the pages of all commands; leave out %q", strings.Join(c.Command, " "))
		}
		if err := con.makeFolder(c.Out); err != nil {
			return err
		}
		d.walk(func(page *cmdDoc) {
			if err == nil {
				err = con.writeBytes(filepath.Join(c.Out, page.manName()+".1"), []byte(page.man()))
			}
		})
		return err
	}
	path := strings.Join(c.Command, " ")
	var found *cmdDoc
	d.walk(func(page *cmdDoc) {
		if page.path == path {
			found = page
		}
	})
	if found == nil {
		return usagef("no command %q; pica200 --help lists them", path)
	}
	return con.writeBytes("-", []byte(found.man()))
}

// manName returns the name of a command's page: pica200-golden-run.
func (d *cmdDoc) manName() string {
	return strings.ReplaceAll(strings.TrimSpace("pica200 "+d.path), " ", "-")
}

// roff escapes text for troff: backslashes, and what would be a request at the
// start of a line.
func roff(s string) string {
	lines := strings.Split(strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s), "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}

// man returns the page of a command.
func (d *cmdDoc) man() string {
	var b strings.Builder
	name := strings.TrimSpace("pica200 " + d.path)
	help := strings.TrimSuffix(oneLine(d.help), ".")
	fmt.Fprintf(&b, ".TH %s 1\n.SH NAME\n%s \\- %s\n.SH SYNOPSIS\n.B %s\n", roff(strings.ToUpper(d.manName())), roff(d.manName()), roff(help), roff(name))
	if len(d.children) > 0 {
		b.WriteString("COMMAND\n")
	}
	if len(d.flags) > 0 {
		b.WriteString("[OPTION]...\n")
	}
	for _, a := range d.args {
		fmt.Fprintf(&b, "%s\n", roff(a.name))
	}
	detail, examples, _ := strings.Cut(d.detail, "Example")
	if _, rest, ok := strings.Cut(examples, ":\n"); ok {
		examples = rest
	}
	if text := strings.TrimSpace(detail); text != "" {
		fmt.Fprintf(&b, ".SH DESCRIPTION\n.nf\n%s\n.fi\n", roff(text))
	}
	if len(d.args) > 0 {
		b.WriteString(".SH ARGUMENTS\n")
		for _, a := range d.args {
			fmt.Fprintf(&b, ".TP\n%s\n%s\n", roff(a.name), roff(oneLine(a.help)))
		}
	}
	if len(d.flags) > 0 {
		b.WriteString(".SH OPTIONS\n")
		for _, f := range d.flags {
			b.WriteString(".TP\n")
			value := ""
			if f.value != "" {
				value = ` \fI` + roff(f.value) + `\fR`
			}
			if f.short != "" {
				fmt.Fprintf(&b, `\fB\-%s\fR, `, f.short)
			}
			fmt.Fprintf(&b, "\\fB\\-\\-%s\\fR%s\n%s\n", roff(f.long), value, roff(oneLine(f.help)))
		}
	}
	if len(d.children) > 0 {
		b.WriteString(".SH COMMANDS\n")
		d.walk(func(c *cmdDoc) {
			if c != d && len(c.children) == 0 {
				fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(strings.TrimSpace(strings.TrimPrefix(c.path, d.path))), roff(oneLine(c.help)))
			}
		})
	}
	if text := strings.Trim(examples, "\n"); text != "" {
		fmt.Fprintf(&b, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roff(text))
	}
	if d.path == "" {
		b.WriteString(".SH EXIT STATUS\n0: done. 1: the input is bad, or the work failed. 2: the command line is wrong.\n")
	}
	return b.String()
}
