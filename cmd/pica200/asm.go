package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"pica200/assets/container"
	"pica200/assets/shbin"
	"pica200/internal/files"
	"pica200/shaderunit/asm"
	"pica200/shaderunit/lint"
)

type asmCmd struct {
	Sources []string `arg:"" placeholder:"FILE" help:"Sources in the .pica language, one for each executable in this order; - for standard input; or lists of sources (.shlist), with names relative to the list's folder."`
	Out     string   `short:"o" ends:".shbin .dvoj .bin .c .h .inc" placeholder:"FILE" help:"File to write, - for standard output. Without it: the first source's name, ending in .shbin or .dvoj."`

	Header  string `ends:".h .hh .hpp .inc" placeholder:"FILE" help:"C header to write, with the registers of the shared uniforms, as picasso does. Like picasso's, it may be given as -h FILE."`
	Symbols string `ends:".h .hh .hpp .inc" placeholder:"FILE" help:"C header to write, with the registers of uniforms, inputs and outputs of each executable."`
	Depfile string `placeholder:"FILE" help:"Makefile rule to write, with the files that the output depends on."`
	NoNop   bool   `short:"n" help:"Insert no padding NOPs; warn where one is required."`

	Object   bool `short:"c" help:"Write an unlinked object (DVOJ) of one source."`
	Lines    bool `help:"Write line numbers and source names into the binary too, which picasso does not."`
	CArray   bool `name:"c-array" help:"Write the binary as a C array of bytes."`
	Extended bool `help:"Accept the extended language that disasm writes for programs of other tools (.word, .opdesc, @N)."`
	Picasso  bool `help:"Write the same as picasso even where the result does not work (blocks of more than 255 instructions, code after the 512th), with a warning instead of an error."`
	NoLint   bool `help:"Do not check for code that hangs or misrenders on the console."`
	Werror   bool `help:"Fail if there are warnings."`
	ruleFlags
	rootFlags
}

func (asmCmd) Help() string {
	return `Assembles .pica sources to a .shbin with the same bytes as picasso. It
reports all errors of all sources in one run, each with its line. A source can
set --no-nop, --extended, --object, --lines and --picasso itself, for example
with ".options no-nop, extended" in its first line.

Sources for nihstro-assemble, aemstro_as and zitrus are detected by their lines;
the output is the same as that of those tools.

If the program is called through a link with the name picasso, it accepts
picasso's command line; docs/ASSEMBLER.md shows this for CMake and Makefiles.

Examples:

  pica200 asm vshader.v.pica -o vshader.shbin
  pica200 asm program.v.pica program.g.pica -o program.shbin -h program.h
  pica200 asm program.v.pica --symbols program.h --depfile program.d
  pica200 asm --object part.v.pica -o part.dvoj
  pica200 disasm old.shbin | pica200 asm - -o new.shbin

The language is described in docs/ASSEMBLER.md.`
}

// asmArgs makes -h FILE and -hFILE mean --header FILE for asm, as in picasso.
func asmArgs(args []string) []string {
	if len(args) == 0 || args[0] != "asm" {
		return args
	}
	out := append([]string(nil), args...)
	for i := 1; i < len(out); i++ {
		switch {
		case out[i] == "--":
			return out
		case out[i] == "-h" && i+1 < len(out) && !strings.HasPrefix(out[i+1], "-"):
			out[i] = "--header"
		case len(out[i]) > 2 && strings.HasPrefix(out[i], "-h"):
			out[i] = "--header=" + out[i][2:]
		}
	}
	return out
}

func (c asmCmd) Run(con *console) error {
	off, strict, err := c.off()
	if err != nil {
		return err
	}
	names, lists, err := c.expand()
	if err != nil {
		return err
	}
	sources, err := readSources(con, names)
	if err != nil {
		return err
	}
	opt := asm.Options{NoNop: c.NoNop, Object: c.Object, Extended: c.Extended, Lines: c.Lines, Picasso: c.Picasso}
	prog, diags := asm.Assemble(opt, sources...)
	if prog != nil && !c.NoLint {
		diags = append(diags, lint.Program(prog, sources)...)
	}
	if err := report(con, diags.Without(off...), c.Werror || strict); err != nil {
		return err
	}
	out, err := c.outputFor(prog)
	if err != nil {
		return err
	}
	data, err := programBytes(prog)
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
	return con.write(output{c.Header, []byte(prog.Header())}, output{c.Symbols, []byte(prog.SymbolHeader())},
		output{c.Depfile, []byte(depRule([]string{out}, append(lists, names...)))}, output{out, data})
}

// outputFor returns the name of the output.
func (c asmCmd) outputFor(prog *asm.Program) (string, error) {
	switch {
	case c.Out != "":
		return c.Out, nil
	case c.Sources[0] == "-":
		return "", usagef("-o is needed with standard input")
	case prog.Unlinked() != nil:
		return outputName(c.Sources[0], ".dvoj"), nil
	}
	return outputName(c.Sources[0], ".shbin"), nil
}

// maxSources bounds the sources that lists name.
const maxSources = 1024

// expand replaces each list (.shlist) by its sources: words separated by
// blanks, relative to the list's folder. A list may only name sources in its
// folder or in one of --root.
func (c asmCmd) expand() (names, lists []string, err error) {
	for _, s := range c.Sources {
		if filepath.Ext(s) != ".shlist" {
			names = append(names, s)
			continue
		}
		lists = append(lists, s)
		text, err := files.Read(s, files.Max)
		if err != nil {
			return nil, nil, err
		}
		named := files.Named{Dir: filepath.Dir(s), Roots: c.Root}
		before := len(names)
		for i, line := range strings.Split(string(text), "\n") {
			for _, name := range strings.Fields(line) {
				at := named.Path(name)
				err := named.Within(name)
				if info, e := os.Stat(at); err == nil && (e != nil || !info.Mode().IsRegular()) {
					err = fmt.Errorf("%q is not a file in %s", name, named.Dir)
				}
				if err != nil {
					return nil, nil, fmt.Errorf("%s:%d: %w", s, i+1, err)
				}
				if names = append(names, at); len(names) > maxSources {
					return nil, nil, fmt.Errorf("%s:%d: more than %d sources", s, i+1, maxSources)
				}
			}
		}
		if len(names) == before {
			return nil, nil, fmt.Errorf("%s: no source in this list; expected names separated by blanks", s)
		}
	}
	return names, lists, nil
}

// depRule returns a Makefile rule: the outputs depend on the files, each of which is
// also a target without dependencies, so that a deleted file does not stop
// make.
func depRule(outs, names []string) string {
	escape := strings.NewReplacer(" ", `\ `, "#", `\#`, "$", "$$", "\t", "\\\t")
	var b strings.Builder
	var list []string
	for _, out := range outs {
		if out != "" {
			list = append(list, escape.Replace(out))
		}
	}
	b.WriteString(strings.Join(list, " ") + ":")
	list = nil
	for _, n := range names {
		if n != "-" {
			list = append(list, escape.Replace(n))
			b.WriteString(" \\\n  " + escape.Replace(n))
		}
	}
	b.WriteString("\n")
	for _, n := range list {
		b.WriteString("\n" + n + ":\n")
	}
	return b.String()
}

// programBytes returns the file of a program, or an object if that is wanted.
func programBytes(prog *asm.Program) ([]byte, error) {
	if prog.Unlinked() == nil {
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
	case strict && len(diags) == 1:
		return fmt.Errorf("1 warning, with --werror")
	case strict && len(diags) > 0:
		return fmt.Errorf("%d warnings, with --werror", len(diags))
	}
	return nil
}

// outputName replaces the extension of a source's name.
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

// readSources reads source files, each of which may hold several, as disasm writes them.
func readSources(con *console, names []string) (list []asm.Source, err error) {
	for _, name := range names {
		text, err := con.read(name)
		if err != nil {
			return nil, err
		}
		list = append(list, asm.SplitSources(inputName(name), text)...)
	}
	return list, nil
}
