package main

import (
	"bytes"
	"fmt"
	"strings"
	"text/tabwriter"

	"pica200/assets/banner"
	"pica200/assets/container"
	"pica200/assets/shbin"
	"pica200/scene/modeldraw"
	"pica200/shaderunit/asm"
	"pica200/shaderunit/link"
	"pica200/shaderunit/lint"
)

// ruleFlags turn lint rules off.
type ruleFlags struct {
	Warn []string `short:"W" sep:"none" placeholder:"no-RULE" help:"-Wno-RULE turns a rule off; lint --rules lists the rules. -Werror is --werror. May be repeated."`
}

// off returns the rules that are turned off, and whether warnings count as
// errors.
func (r ruleFlags) off() (rules []string, strict bool, err error) {
	names := lint.RuleNames()
	for _, r := range banner.Rules() {
		names = append(names, r.ID)
	}
next:
	for _, w := range r.Warn {
		if w == "error" {
			strict = true
			continue
		}
		name, no := strings.CutPrefix(w, "no-")
		for _, n := range names {
			if n == name && no {
				rules = append(rules, n)
				continue next
			}
		}
		return nil, false, usagef("-W%s: -Wno-RULE or -Werror expected, where RULE is one of %s", w, strings.Join(names, ", "))
	}
	return rules, strict, nil
}

type lintCmd struct {
	Files    []string `arg:"" optional:"" placeholder:"FILE" help:"Sources (linked together), shader binaries (.shbin, DVOJ, CGFX, .3dsx, ...), or models and banners (.cgfx, .bnr, .bch); - for standard input."`
	Rules    bool     `help:"List the rules with their sources."`
	JSON     bool     `name:"json" help:"Write the findings as JSON: file, line, column, length, severity, rule, message, expected, hint, source of the rule, other lines with the same cause."`
	Extended bool     `help:"The sources are in the extended language."`
	ruleFlags
}

func (lintCmd) Help() string {
	return `Checks shaders for code that is known to hang or misrender on the
console, and models and banners for contents that are known to freeze or break
the HOME Menu. The exit status is 1 if there are findings.

To turn a rule off, use -Wno-RULE, or a comment in the source: after a statement
it applies to that line, on a line of its own to the whole source:

  mov outclr, r0        ; lint: allow output-twice

Examples:

  pica200 lint vshader.v.pica
  pica200 lint vshader.v.pica -Wno-output-missing --json
  pica200 lint game.3dsx
  pica200 lint - < vshader.shbin
  pica200 lint banner.cgfx
  pica200 lint --rules`
}

func (c lintCmd) Run(con *console) error {
	if c.Rules {
		w := tabwriter.NewWriter(con.out, 0, 8, 2, ' ', 0)
		for _, r := range lint.Rules() {
			fmt.Fprintf(w, "%s\t%s\t%s\n", r.ID, r.Title, r.Source)
		}
		for _, r := range banner.Rules() {
			fmt.Fprintf(w, "%s\t%s\t%s\n", r.ID, r.Title, r.Evidence)
		}
		return w.Flush()
	}
	if len(c.Files) == 0 {
		return usagef("lint needs a FILE, or --rules")
	}
	off, _, err := c.off()
	if err != nil {
		return err
	}
	found, err := c.find(con, off)
	if err != nil {
		return err
	}
	if c.JSON {
		if err := writeFindings(con, found); err != nil {
			return err
		}
	} else {
		found.Print(con.out)
	}
	switch n := len(found); {
	case n == 1:
		return fmt.Errorf("1 finding")
	case n > 1:
		return fmt.Errorf("%d findings", n)
	}
	return nil
}

// find checks all files: binaries one by one, sources together as one program.
func (c lintCmd) find(con *console, off []string) (found asm.Diagnostics, err error) {
	var sources []asm.Source
	for _, name := range c.Files {
		data, err := con.read(name)
		if err != nil {
			return nil, err
		}
		switch {
		case strings.HasSuffix(name, ".pica") || name == "-" && !isBinary(data):
			sources = append(sources, asm.SplitSources(inputName(name), data)...)
		default:
			ds, err := lintBinary(inputName(name), data)
			if err != nil {
				return nil, err
			}
			found = append(found, ds...)
		}
	}
	if len(sources) > 0 {
		prog, diags := asm.Assemble(asm.Options{Extended: c.Extended}, sources...)
		found = append(found, diags...)
		if prog != nil {
			found = append(found, lint.Program(prog, sources)...)
		}
	}
	return found.Without(off...), nil
}

// isBinary reports whether data is a shader binary, or a file that contains
// some. Text that is neither csdr nor C is source.
func isBinary(data []byte) bool {
	if !isText(data) {
		return true
	}
	_, _, err := container.Extract(data)
	return err == nil
}

// lintBinary checks the shaders of a binary file.
func lintBinary(name string, data []byte) (found asm.Diagnostics, err error) {
	if !bytes.HasPrefix(data, []byte("DV")) && strings.HasSuffix(name, ".shbin") {
		return nil, fmt.Errorf("%s: DVLB or DVOJ expected at the start", name)
	}
	models := modeldraw.Is(data)
	if models {
		if found, err = lintModel(name, data); err != nil {
			return nil, err
		}
	}
	_, shaders, err := container.Extract(data)
	if err != nil && models {
		return found, nil // a model seldom brings a shader
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for i, s := range shaders {
		label := name
		if len(shaders) > 1 {
			label = fmt.Sprintf("%s, shader %d (%s)", name, i, s.Where)
		}
		var f *shbin.File
		var unlinked *asm.Unlinked
		if s.Object {
			o, err := shbin.ParseObject(s.Data)
			if err != nil {
				return found, fmt.Errorf("%s: %w", label, err)
			}
			if f, unlinked, err = link.Alone(link.Input{Name: label, Object: o}); err != nil {
				return found, err
			}
		} else if f, err = shbin.Parse(s.Data); err != nil {
			return found, fmt.Errorf("%s: %w", label, err)
		}
		found = append(found, lint.File(label, f, unlinked)...)
	}
	return found, nil
}

// lintModel checks a model or banner.
func lintModel(name string, data []byte) (found asm.Diagnostics, err error) {
	list, err := banner.Lint(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	evidence := map[string]string{}
	for _, r := range banner.Rules() {
		evidence[r.ID] = r.Evidence
	}
	for _, f := range list {
		msg := f.Message
		if f.Offset >= 0 {
			msg = fmt.Sprintf("0x%x: %s", f.Offset, msg)
		}
		found = append(found, asm.Diagnostic{Pos: asm.Pos{File: name}, Msg: msg, Rule: f.Rule + ": " + evidence[f.Rule]})
	}
	return found, nil
}

// findingJSON is a finding in the output of --json. Lines and columns count
// from 1, columns in bytes; 0 means the whole file or line.
type findingJSON struct {
	File       string `json:"file"`
	Line       int    `json:"line"`
	Column     int    `json:"column"`
	Length     int    `json:"length"`
	Severity   string `json:"severity"`
	Rule       string `json:"rule,omitempty"`
	RuleSource string `json:"rule_source,omitempty"`
	Message    string `json:"message"`
	Expected   string `json:"expected,omitempty"`
	Hint       string `json:"hint,omitempty"`
	Source     string `json:"source,omitempty"`
	Again      []int  `json:"again,omitempty"` // lines with the same cause
}

func writeFindings(con *console, ds asm.Diagnostics) error {
	list := make([]findingJSON, len(ds))
	for i := range ds {
		d := &ds[i]
		_, source, _ := strings.Cut(d.Rule, ": ")
		list[i] = findingJSON{d.File, d.Line, d.Col, d.Len, d.Severity.String(), d.RuleID(), source, d.Msg, d.Expected, d.Hint, d.Source, nil}
		for _, at := range d.Again {
			list[i].Again = append(list[i].Again, at.Line)
		}
	}
	return printJSON(con.out, list)
}
