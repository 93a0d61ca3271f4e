package asm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/shbin"
	"pica200/shaderunit/asm"
	"pica200/shaderunit/disasm"
	"pica200/shaderunit/link"
	"pica200/tests/testkit"
)

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
