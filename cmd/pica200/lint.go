package main

import (
	"bytes"
	"fmt"
	"strings"
	"text/tabwriter"

	"pica200/assets/container"
	"pica200/assets/shbin"
	"pica200/internal/files"
	"pica200/shaderunit/asm"
)

type lintCmd struct {
	Files    []string `arg:"" optional:"" placeholder:"FILE" help:"Sources, which are linked together, or shader binaries (.shbin, DVOJ, CGFX, .3dsx, ...)."`
	Rules    bool     `help:"List the rules with their sources."`
	Extended bool     `help:"The sources are in the extended language."`
}

func (lintCmd) Help() string {
	return `Checks shaders for what is known to hang or misrender on the console. The exit
status is 1 if anything was found.

Examples:

  pica200 lint vshader.v.pica
  pica200 lint game.3dsx
  pica200 lint --rules`
}

func (c lintCmd) Run(con *console) error {
	if c.Rules {
		w := tabwriter.NewWriter(con.out, 0, 8, 2, ' ', 0)
		for _, r := range asm.LintRules() {
			fmt.Fprintf(w, "%s\t%s\t%s\n", r.ID, r.Title, r.Source)
		}
		return w.Flush()
	}
	if len(c.Files) == 0 {
		return usagef("lint needs a FILE, or --rules")
	}
	var sources []asm.Source
	found := 0
	for _, name := range c.Files {
		if strings.HasSuffix(name, ".pica") || name == "-" {
			list, err := readSources([]string{name})
			if err != nil {
				return err
			}
			sources = append(sources, list...)
			continue
		}
		n, err := lintBinary(con, name)
		if err != nil {
			return err
		}
		found += n
	}
	if len(sources) > 0 {
		prog, diags := asm.Assemble(asm.Options{Extended: c.Extended}, sources...)
		if prog != nil {
			diags = append(diags, asm.LintProgram(prog, sources)...)
		}
		diags.Print(con.out)
		found += len(diags)
	}
	switch {
	case found == 1:
		return fmt.Errorf("1 finding")
	case found > 1:
		return fmt.Errorf("%d findings", found)
	}
	return nil
}

// lintBinary checks the shaders of a binary file and counts the findings.
func lintBinary(con *console, name string) (found int, err error) {
	data, err := files.Read(name, files.Max)
	if err != nil {
		return 0, err
	}
	if !bytes.HasPrefix(data, []byte("DV")) && strings.HasSuffix(name, ".shbin") {
		return 0, fmt.Errorf("%s: DVLB or DVOJ expected at the start", name)
	}
	_, shaders, err := container.Extract(data)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
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
			if f, unlinked, err = asm.ObjectFile(asm.NamedObject{Name: label, Object: o}); err != nil {
				return found, err
			}
		} else if f, err = shbin.Parse(s.Data); err != nil {
			return found, fmt.Errorf("%s: %w", label, err)
		}
		ds := asm.LintFile(label, f, unlinked)
		ds.Print(con.out)
		found += len(ds)
	}
	return found, nil
}
