package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"pica200/assets/container"
	"pica200/assets/shbin"
	"pica200/internal/files"
	"pica200/shaderunit/asm"
)

type asmCmd struct {
	Sources []string `arg:"" placeholder:"FILE" help:"Sources in the .pica language, one for each executable in this order; - for standard input."`
	Out     string   `short:"o" placeholder:"FILE" help:"File to write, - for standard output. Without it: the first source's name, ending in .shbin or .dvoj."`

	Header string `placeholder:"FILE" help:"C header to write, with the registers of the uniforms. Like picasso's, it may be given as -h FILE."`
	NoNop  bool   `short:"n" help:"Insert no padding NOPs; warn where one is required."`

	Object   bool `short:"c" help:"Write an unlinked object (DVOJ) of one source."`
	Lines    bool `help:"Write line numbers and source names into the binary too, which picasso does not."`
	CArray   bool `name:"c-array" help:"Write the binary as a C array of bytes."`
	Extended bool `help:"Take the extended language that disasm writes for programs of other tools (.word, .opdesc, @N)."`
	Picasso  bool `help:"Write blocks of more than 255 instructions as picasso does, with a warning; without it they are errors."`
	NoLint   bool `help:"Do not check for what hangs or misrenders on the console."`
	Werror   bool `help:"Fail if there are warnings."`
}

func (asmCmd) Help() string {
	return `Assembles .pica sources to a .shbin, byte for byte what picasso makes of them.
All errors of all sources are reported in one run, each with its line.

Examples:

  pica200 asm vshader.v.pica -o vshader.shbin
  pica200 asm program.v.pica program.g.pica -o program.shbin -h program.h
  pica200 asm --object part.v.pica -o part.dvoj
  pica200 disasm old.shbin | pica200 asm - -o new.shbin

The language is described in docs/ASSEMBLER.md.`
}

// asmArgs lets -h FILE mean --header FILE behind asm, as with picasso.
func asmArgs(args []string) []string {
	if len(args) == 0 || args[0] != "asm" {
		return args
	}
	out := append([]string(nil), args...)
	for i := 1; i+1 < len(out); i++ {
		if out[i] == "-h" && !strings.HasPrefix(out[i+1], "-") {
			out[i] = "--header"
		}
	}
	return out
}

func (c asmCmd) Run(con *console) error {
	out := c.Out
	if out == "" {
		if c.Sources[0] == "-" {
			return usagef("-o is needed with standard input")
		}
		out = outputName(c.Sources[0], map[bool]string{false: ".shbin", true: ".dvoj"}[c.Object])
	}
	con.reads(c.Sources...)
	if err := con.mayWrite(c.Header, out); err != nil {
		return err
	}
	sources, err := readSources(c.Sources)
	if err != nil {
		return err
	}
	opt := asm.Options{NoNop: c.NoNop, Object: c.Object, Extended: c.Extended, Lines: c.Lines, Picasso: c.Picasso}
	prog, diags := asm.Assemble(opt, sources...)
	if prog != nil && !c.NoLint {
		diags = append(diags, asm.LintProgram(prog, sources)...)
	}
	if err := report(con, diags, c.Werror); err != nil {
		return err
	}
	data, err := c.binary(prog)
	if err != nil {
		return err
	}
	if c.CArray {
		name := filepath.Base(out)
		if name == "-" {
			name = "shader"
		}
		data = []byte(container.CArray(name, data))
	}
	if c.Header != "" {
		if err := con.writeBytes(c.Header, []byte(prog.Header())); err != nil {
			return err
		}
	}
	return con.writeBytes(out, data)
}

func (c asmCmd) binary(prog *asm.Program) ([]byte, error) {
	if !c.Object {
		return prog.Bytes()
	}
	o, err := prog.Object()
	if err != nil {
		return nil, err
	}
	return shbin.WriteObject(o)
}

// report prints findings, and fails if there are errors.
func report(con *console, diags asm.Diagnostics, strict bool) error {
	diags.Print(con.err)
	switch n := diags.Errors(); {
	case n == 1:
		return fmt.Errorf("1 error")
	case n > 1:
		return fmt.Errorf("%d errors", n)
	case strict && len(diags) > 0:
		return fmt.Errorf("%d warnings, with --werror", len(diags))
	}
	return nil
}

// outputName changes the ending of a source's name.
func outputName(source, ending string) string {
	name := strings.TrimSuffix(source, ".pica")
	for _, kind := range []string{".v", ".g"} {
		name = strings.TrimSuffix(name, kind)
	}
	if name == source {
		name = strings.TrimSuffix(source, filepath.Ext(source))
	}
	return name + ending
}

// bundleMark starts each source where several stand in one stream.
const bundleMark = ";;;; file "

// readSources reads source files; standard input may hold several, as disasm writes
// them.
func readSources(names []string) (list []asm.Source, err error) {
	for _, name := range names {
		if name != "-" {
			text, err := files.Read(name, files.Max)
			if err != nil {
				return nil, err
			}
			list = append(list, asm.Source{Name: name, Text: text})
			continue
		}
		text, err := files.ReadAll(os.Stdin, files.MaxStream)
		if err != nil {
			return nil, err
		}
		list = append(list, splitBundle(text)...)
	}
	return list, nil
}

func splitBundle(text []byte) (list []asm.Source) {
	if !bytes.HasPrefix(text, []byte(bundleMark)) {
		return []asm.Source{{Name: "standard input", Text: text}}
	}
	for _, part := range bytes.Split(append([]byte("\n"), text...), []byte("\n"+bundleMark))[1:] {
		name, body, _ := bytes.Cut(part, []byte("\n"))
		list = append(list, asm.Source{Name: string(bytes.TrimSpace(name)), Text: body})
	}
	return list
}
