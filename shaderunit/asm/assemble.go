package asm

import (
	"fmt"
	"slices"
	"strings"

	"pica200/assets/shbin"
	"pica200/internal/stdsort"
	"pica200/shaderunit"
	"pica200/shaderunit/internal/picasso"
)

// Label is a named position in the code.
type Label struct {
	Name string
	Addr int    // in words
	File string // a label is visible in its own file only
}

// Proc is a procedure of the program.
type Proc struct {
	Name        string
	Start, Size int // in words
}

// Reloc is an instruction that names its target.
type Reloc struct {
	Addr int // word
	Name string
}

// Program is the result of assembling one or more sources.
type Program struct {
	File    *shbin.File
	Lines   []Pos    // the statement of each instruction
	Procs   []Proc   // in the order of their ends
	Labels  []Label  // in source order
	Calls   []Reloc  // call, callc, callu
	Names   []string // per executable: source file
	header  []picasso.Uniform
	symbols []nameTableOf // per executable
	// Constants are the declarations of each executable's constants.
	Constants [][]Pos
	notes     Diagnostics // what the assembler noticed, for the linter
	allowed   allowances
	sources   int
	object    bool              // assembled with Options.Object
	library   *shbin.Executable // the executable that the last .nodvle source would have been
	prefix    string
}

// Unlinked describes how an object will be linked with others.
type Unlinked struct {
	External map[int]string // procedures of other objects, by the word that calls them
	Procs    []Proc         // its own procedures, which other objects may call
	Type     shbin.ShaderType
}

// Unlinked describes the program if it is an object, because of Options.Object
// or .options object; otherwise it returns nil.
func (p *Program) Unlinked() *Unlinked {
	if !p.object {
		return nil
	}
	u := &Unlinked{External: map[int]string{}, Procs: p.Procs}
	own := map[string]bool{}
	for _, proc := range p.Procs {
		own[proc.Name] = true
	}
	for _, c := range p.Calls {
		if !own[c.Name] {
			u.External[c.Addr] = c.Name
		}
	}
	if p.library != nil {
		u.Type = p.library.Type
	}
	for _, e := range p.File.Executables {
		u.Type = e.Type
	}
	return u
}

// Bytes returns the .shbin file.
func (p *Program) Bytes() ([]byte, error) { return p.File.Write() }

// Assemble assembles sources to one program, with one executable per source, in
// order; a source marked .nodvle has none. The diagnostics include warnings. If
// one of them is an error, the program is nil.
func Assemble(opt Options, sources ...Source) (*Program, Diagnostics) {
	a := newAssembler(opt)
	for _, src := range sources {
		a.source(src)
	}
	return a.finish(len(sources))
}

// finish links the assembled code and sorts the diagnostics.
func (a *assembler) finish(sources int) (*Program, Diagnostics) {
	if !a.alien {
		a.link()
	}
	var prog *Program
	if a.diags.Errors() == 0 {
		if prog = a.build(); prog != nil {
			prog.sources = sources
		}
	}
	a.diags = a.diags.Unique()
	a.diags.sortBy(a.fileOrder)
	return prog, a.diags
}

// Unique drops repeated diagnostics of the same position.
func (ds Diagnostics) Unique() Diagnostics {
	type key struct {
		pos Pos
		msg string
	}
	seen := map[key]bool{}
	return slices.DeleteFunc(ds, func(d Diagnostic) bool {
		k := key{d.Pos, d.Msg}
		again := seen[k]
		seen[k] = true
		return again
	})
}

// link resolves the procedures that calls and entry points name.
func (a *assembler) link() {
	for _, r := range a.calls {
		p, ok := a.procs[r.name]
		if !ok {
			if !a.opt.Object {
				a.report(Diagnostic{Pos: r.pos, Severity: Error, Msg: fmt.Sprintf("procedure %q is not defined", r.name),
					Hint: a.suggestProc(r.name), Source: r.line})
			}
			continue
		}
		if p.size > shaderunit.BlockLength {
			a.tooLongFor(fmt.Sprintf("the procedure %q", r.name), p.size, "a call", p.pos, p.line, "called at "+r.pos.String())
		}
		a.code[r.at] = a.code[r.at]&^0x3FFFFF | uint32(p.size) | uint32(p.start)<<10
	}
	if a.dvleCount == 0 && !(a.opt.Object && len(a.code) > 0) {
		name := ""
		for n, i := range a.fileOrder {
			if i == 0 {
				name = n
			}
		}
		if a.diags.Errors() == 0 {
			a.report(Diagnostic{Pos: Pos{File: name}, Severity: Error, Msg: "the sources give no executable",
				Expected: "at least one file with instructions or declarations and without .nodvle"})
		}
		return
	}
	for _, e := range a.dvles {
		if e.noDVLE {
			if n := len(e.constants); n > 0 && !a.opt.Object {
				a.report(Diagnostic{Pos: Pos{File: e.file}, Severity: Warning, Msg: fmt.Sprintf("no executable loads the %d constants of this .nodvle source", n),
					Hint: "pica200 link gives them to the executables that call it, if each source is made an object"})
			}
			continue
		}
		if p, ok := a.procs[e.entry]; ok {
			if p.size == 0 && a.diags.Errors() == 0 {
				d := Diagnostic{Pos: p.pos, Severity: Error, Msg: fmt.Sprintf("the procedure %q, where the program starts, has no instruction", e.entry),
					Expected: "at least the instruction end", Source: p.line}
				if a.opt.Picasso {
					d.Severity = Warning
				}
				a.report(d)
			}
			continue
		}
		d := Diagnostic{Pos: e.entryPos, Severity: Error, Msg: fmt.Sprintf("the entry point %q is not defined", e.entry),
			Hint: a.suggestProc(e.entry), Source: e.entryLine}
		if e.entryLine == "" {
			d.Pos = Pos{File: e.file}
			if d.Hint == "" {
				d.Hint = "name another procedure with .entry, or mark the file .nodvle"
			}
		}
		a.report(d)
	}
}

func (a *assembler) suggestProc(name string) string {
	return suggestFrom(a, name, a.procs)
}

// build makes the file.
func (a *assembler) build() *Program {
	prog := &Program{object: a.opt.Object, Lines: a.at, Labels: a.labels, header: a.uniforms, prefix: "VSH", notes: a.notes, allowed: a.allowed}
	if len(a.dvles) > 0 && a.dvles[0].geometry {
		prog.prefix = "GSH"
	}
	for _, name := range a.procOrder {
		p := a.procs[name]
		prog.Procs = append(prog.Procs, Proc{name, p.start, p.size})
	}
	for _, r := range a.calls {
		prog.Calls = append(prog.Calls, Reloc{r.at, r.name})
	}
	var executables []shbin.Executable
	for _, e := range a.dvles {
		if e.noDVLE {
			x := e.build(proc{})
			prog.library = &x
			continue
		}
		executables = append(executables, e.build(a.procs[e.entry]))
		prog.Names = append(prog.Names, e.file)
		var at []Pos
		for _, c := range e.constants {
			at = append(at, c.pos)
		}
		prog.Constants = append(prog.Constants, at)
		prog.symbols = append(prog.symbols, nameTableOf{e.file, e.geometry, e.uniforms, e.outputs})
	}
	file, err := shbin.Build(a.code, a.desc.words[:a.desc.n], executables)
	if err != nil {
		a.report(Diagnostic{Pos: Pos{File: a.dvles[0].file}, Severity: Error, Msg: err.Error()})
		return nil
	}
	n := 0
	for _, e := range a.dvles {
		if !e.noDVLE {
			e.applyFields(file, &file.Executables[n])
			n++
		}
	}
	for i, flags := range a.descFlags {
		file.Program.Descriptors[i].Flags = flags
	}
	prog.File = file
	if a.opt.Nihstro != nil {
		err = a.asNihstro(file)
	} else if a.opt.Lines && !a.opt.Object {
		for _, at := range prog.Lines {
			file.Program.Lines = append(file.Program.Lines, shbin.Line{File: at.File, Line: uint32(at.Line)})
		}
		err = file.Layout()
	}
	if err != nil {
		a.report(Diagnostic{Pos: Pos{File: a.dvles[0].file}, Severity: Error, Msg: err.Error()})
		return nil
	}
	return prog
}

// build makes the DVLE.
func (e *executable) build(entry proc) shbin.Executable {
	x := shbin.Executable{
		Main: uint32(entry.start), EndMain: uint32(entry.start + entry.size),
		InputMask: e.inMask, OutputMask: e.outMask,
		Labels:   e.labels,
		Geometry: shbin.Geometry{Mode: shbin.GeometryMode(e.gshMode), FixedStart: e.gshStart, VariableNum: e.gshVarNum, FixedNum: e.gshFixNum},
	}
	if e.geometry {
		x.Type = shbin.GeometryShader
	}
	if e.merge {
		x.Merge = 1
	}
	for _, c := range e.constants {
		switch c.typ {
		case picasso.TypeFloat:
			var v [4]uint32
			for i, f := range c.f {
				v[i] = picasso.Float24(f)
			}
			x.Constants = append(x.Constants, shbin.FloatConstant(uint8(c.reg-picasso.RegFloat), v))
		case picasso.TypeInt:
			x.Constants = append(x.Constants, shbin.IntConstant(uint8(c.reg-picasso.RegInt), c.i))
		case picasso.TypeBool:
			x.Constants = append(x.Constants, shbin.BoolConstant(uint8(c.reg-picasso.RegBool), c.b))
		}
	}
	for _, o := range e.outputs {
		x.Outputs = append(x.Outputs, shbin.Output{Type: o.meaning, Reg: uint16(o.reg), Mask: uint16(o.mask)})
	}
	sorted := append([]picasso.Uniform(nil), e.uniforms...)
	stdsort.Sort(sorted, func(a, b *picasso.Uniform) bool { return a.Reg < b.Reg })
	x.Uniforms = uniformTable(sorted)
	return x
}

func uniformTable(list []picasso.Uniform) (table []shbin.Uniform) {
	for _, u := range list {
		start := u.Reg
		if start >= picasso.RegFloat {
			start -= picasso.RegFloat - int(shbin.UniformFloat)
		}
		table = append(table, shbin.Uniform{Start: uint16(start), End: uint16(start + u.Size - 1),
			Name: strings.ReplaceAll(u.Name, "$", ".")})
	}
	return table
}

// Header returns a C header with the registers of all shared uniforms, like the
// reference assembler's -h option.
func (p *Program) Header() string {
	var b strings.Builder
	b.WriteString("// Generated by picasso\n#pragma once\n")
	for _, u := range p.header {
		if strings.HasPrefix(u.Name, "_") {
			continue
		}
		writeUniformDefines(&b, p.prefix, u)
	}
	return b.String()
}

// Descriptors returns the operand descriptors of the program.
func (p *Program) Descriptors() []shaderunit.OpDesc {
	out := make([]shaderunit.OpDesc, len(p.File.Program.Descriptors))
	for i, d := range p.File.Program.Descriptors {
		out[i] = shaderunit.OpDesc(d.Word)
	}
	return out
}
