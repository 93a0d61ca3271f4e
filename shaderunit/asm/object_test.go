package asm_test

import (
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/shbin"
	"pica200/shaderunit/asm"
	"pica200/shaderunit/disasm"
	"pica200/shaderunit/link"
	"pica200/tests/testkit"
)

// makeObject assembles a source to an object, then encodes and parses it.
func makeObject(t *testing.T, name, text string) link.Input {
	prog, diags := asm.Assemble(asm.Options{Object: true}, asm.Source{name, []byte(text)})
	require.NoError(t, diags.Err(), name)
	o := testkit.Must(prog.Object())(t)
	data := testkit.Must(shbin.WriteObject(o))(t)
	o = testkit.Must(shbin.ParseObject(data))(t, name)
	return link.Input{Name: name, Object: o}
}

// A single object links to the program that its source assembles to.
func TestObjectsLinkToTheSameProgram(t *testing.T) {
	list := readCorpus(t, "testdata")
	if dir := os.Getenv(corpusEnv); dir != "" {
		list = append(list, readCorpus(t, dir)...)
	}
	for _, c := range list {
		if c.rejected {
			continue
		}
		text := string(c.text)
		if c.opt.Picasso {
			text = ".options picasso\n" + text
		}
		file, err := link.Objects(link.Options{}, makeObject(t, c.name, text))
		if whole, bad := shbin.Parse(c.want); bad == nil && slices.ContainsFunc(whole.Executables, func(e shbin.Executable) bool { return e.Fits() != nil }) {
			require.ErrorContains(t, err, "room for 512", c.name)
			continue
		}
		require.NoError(t, err, c.name)
		out := testkit.Must(file.Write())(t)
		require.Equal(t, c.want, out, c.name)
	}
}

func TestObjectTables(t *testing.T) {
	o := makeObject(t, "a.v.pica", `.proc helper
	mov r0, r1
.end
.proc start
	call helper
	call elsewhere
	jmpc cmp.x, out
	setemit 0
out:
	nop
	end
.end
.gsh
.entry start
`).Object
	require.Equal(t, []string{"main", "endmain", "helper", "start"}, []string{o.Labels[0].Name, o.Labels[1].Name, o.Labels[2].Name, o.Labels[3].Name})
	require.Equal(t, uint32(1), o.Labels[0].Addr)
	require.Equal(t, uint32(shbin.NoSize), o.Labels[0].Size)
	require.Equal(t, uint32(7), o.Labels[1].Addr)
	require.Equal(t, uint32(1), o.Labels[2].Size)
	require.Len(t, o.Lines, len(o.Code))
	require.Equal(t, uint32(2), o.Lines[0].Line)
	require.Equal(t, uint32(5), o.Lines[1].Line)
	require.Equal(t, "a.v.pica", o.Lines[1].File)
	var kinds []shbin.RelocKind
	for _, r := range o.Relocs {
		kinds = append(kinds, r.Kind)
	}
	require.Equal(t, []shbin.RelocKind{shbin.RelocDescriptor, shbin.RelocCall, shbin.RelocCall, shbin.RelocAddress, shbin.RelocNone}, kinds)
	require.Equal(t, "elsewhere", o.Relocs[2].Name)
	require.True(t, o.HasGeometry)
}

func TestObjectDisassemblyRoundTrip(t *testing.T) {
	o := makeObject(t, "a", ".fvec u\n.proc main\n\tmov r0, u\n\tcall elsewhere\n\tend\n.end")
	file, unlinked, err := link.Alone(o)
	require.NoError(t, err)
	d := testkit.Must(disasm.File(file, disasm.Options{External: unlinked.External}))(t)
	require.Contains(t, string(d.Sources[0].Text), "call elsewhere")
	again := makeObjectOf(t, d)
	require.Equal(t, o.Object.Code, again.Code)
	require.Equal(t, o.Object.Relocs[1].Name, again.Relocs[1].Name)
}

func makeObjectOf(t *testing.T, d *disasm.Result) *shbin.Object {
	require.True(t, d.Options.Object)
	prog, diags := asm.Assemble(d.Options, d.Sources...)
	require.NoError(t, diags.Err())
	o := testkit.Must(prog.Object())(t)
	return o
}

func TestObjectNeedsOneSource(t *testing.T) {
	src := asm.Source{"a", []byte(".proc main\n\tend\n.end")}
	other := asm.Source{"b", []byte(".entry x\n.proc x\n\tend\n.end")}
	prog, diags := asm.Assemble(asm.Options{Object: true}, src, other)
	require.NoError(t, diags.Err())
	_, err := prog.Object()
	require.ErrorContains(t, err, "one source")
}

const linedSource = `.proc main
	mov r0, r1

	call f
	ifu b0
		nop
	.end
	end
.end
# 100 "lib.inc"
.proc f
	mov o0, r0
.end
`

// Line numbers survive assembly, disassembly and assembly again.
func TestProgramLinesRoundTrip(t *testing.T) {
	src := asm.Source{"a.v.pica", []byte(linedSource)}
	plain, diags := asm.Assemble(asm.Options{}, src)
	require.Empty(t, diags)
	prog, diags := asm.Assemble(asm.Options{Lines: true}, src)
	require.Empty(t, diags)
	require.Empty(t, plain.File.Program.Lines)
	require.Equal(t, plain.File.Program.Code, prog.File.Program.Code)
	want := []shbin.Line{{File: "a.v.pica", Line: 2}, {File: "a.v.pica", Line: 4}, {File: "a.v.pica", Line: 5}, {File: "a.v.pica", Line: 6},
		{File: "a.v.pica", Line: 8}, {File: "lib.inc", Line: 101}}
	data := testkit.Must(prog.Bytes())(t)
	f := testkit.Must(shbin.Parse(data))(t)
	for i := range f.Program.Lines {
		f.Program.Lines[i].Symbol = 0
	}
	require.Equal(t, want, f.Program.Lines)
	require.Equal(t, "a.v.pica\x00lib.inc\x00", string(f.Program.Symbols))

	d := requireRoundTrip(t, "lines", data)
	require.True(t, d.Options.Lines)
	require.Contains(t, string(d.Sources[0].Text), ".options lines\n")
	require.Contains(t, string(d.Sources[0].Text), "# 101 \"lib.inc\"\n")
}

// Line numbers that markers cannot express are reported.
func TestLostLinesAreReported(t *testing.T) {
	for want, change := range map[string]func(p *shbin.Program){
		"line numbers, the first that of instruction 0x001 (a:b.vsh:4)": func(p *shbin.Program) { p.Lines[1].File = "a:b.vsh" },
		`names of sources without a line ("other.vsh")`:                 func(p *shbin.Program) { p.Symbols = append(p.Symbols, "other.vsh\x00"...) },
		"names of sources: symbol at 0x11 has no terminating NUL":       func(p *shbin.Program) { p.Symbols = append(p.Symbols, 'x') },
	} {
		prog, _ := asm.Assemble(asm.Options{Lines: true}, asm.Source{"a.v.pica", []byte(linedSource)})
		change(&prog.File.Program)
		d := testkit.Must(disasm.File(prog.File, disasm.Options{}))(t)
		require.Contains(t, string(d.Sources[0].Text), "; Not the same as in the binary: "+want)
	}
	prog, _ := asm.Assemble(asm.Options{}, asm.Source{"a.v.pica", []byte(linedSource)})
	prog.File.Program.Symbols = []byte("only.vsh\x00")
	d := testkit.Must(disasm.File(prog.File, disasm.Options{}))(t)
	require.Equal(t, []string{`names of sources without a line ("only.vsh")`}, d.Notes)
}

// Lines of an object survive disassembly; linking keeps them on request.
func TestObjectLinesRoundTrip(t *testing.T) {
	a := makeObject(t, "a.pica", linedSource)
	b := makeObject(t, "b.pica", ".nodvle\n.proc g\n\tnop\n.end")
	file := testkit.Must(link.Objects(link.Options{}, a, b))(t)
	require.Empty(t, file.Program.Lines)
	file = testkit.Must(link.Objects(link.Options{Lines: true}, a, b))(t)
	require.Len(t, file.Program.Lines, len(file.Program.Code))
	require.Equal(t, "lib.inc", file.Program.Lines[5].File)
	require.Equal(t, shbin.Line{Symbol: 15, Line: 3, File: "b.pica"}, file.Program.Lines[6])
	b.Object.Lines = nil
	_, err := link.Objects(link.Options{Lines: true}, a, b)
	require.ErrorContains(t, err, "b.pica has no line numbers to keep")

	program, unlinked, err := link.Alone(a)
	require.NoError(t, err)
	d := testkit.Must(disasm.File(program, disasm.Options{External: unlinked.External}))(t)
	require.Empty(t, d.Notes)
	d.Options.Object = true
	again := makeObjectOf(t, d)
	for i, l := range again.Lines {
		require.Equal(t, a.Object.Lines[i].Line, l.Line)
		require.Equal(t, a.Object.Lines[i].File, l.File)
	}
}
