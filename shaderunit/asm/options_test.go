package asm_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/shbin"
	"pica200/shaderunit"
	"pica200/shaderunit/asm"
	"pica200/shaderunit/disasm"
	"pica200/tests/testkit"
)

// Options in the source have the same effect as options of the caller.
func TestSourceOptions(t *testing.T) {
	for _, c := range []struct {
		words, text string
		opt         asm.Options
	}{
		{"no-nop", ".proc main\n\tcall f\n\tend\n.end\n.proc f\n\tifu b0\n\t\tnop\n\t.end\n.end\n", asm.Options{NoNop: true}},
		{"extended", ".opdesc 0x36F, 7\n.proc main\n\t.word 0x88000000\n.end\n", asm.Options{Extended: true}},
		{"no-nop, extended", ".proc main\n\tcall f\n.end\n.proc f\n\t.word 0x88000000\n.end\n", asm.Options{NoNop: true, Extended: true}},
		{"lines", ".proc main\n\tend\n.end\n", asm.Options{Lines: true}},
		{"picasso", ".proc main\n\tcall f\n\tend\n.end\n.proc f\n" + nops(300) + ".end\n", asm.Options{Picasso: true}},
	} {
		// The line marker restores the line numbers.
		with := asm.Source{"x", []byte("; a comment\n.options " + c.words + "\n# 1 \"x\"\n" + c.text)}
		asked, diags := asm.Assemble(asm.Options{}, with)
		require.NoError(t, diags.Err(), c.words)
		want, diags := asm.Assemble(c.opt, asm.Source{"x", []byte("# 1 \"x\"\n" + c.text)})
		require.NoError(t, diags.Err(), c.words)
		a := testkit.Must(asked.Bytes())(t)
		b := testkit.Must(want.Bytes())(t)
		require.Equal(t, b, a, c.words)
		without, _ := asm.Assemble(asm.Options{}, asm.Source{"x", []byte("# 1 \"x\"\n" + c.text)})
		if without != nil {
			a = testkit.Must(without.Bytes())(t)
			require.NotEqual(t, b, a, "%s changes nothing", c.words)
		}
	}
	prog, diags := asm.Assemble(asm.Options{}, asm.Source{"x", []byte(".options object\n.proc main\n\tcall elsewhere\n\tend\n.end\n")})
	require.NoError(t, diags.Err())
	require.NotNil(t, prog.Unlinked())
	_, err := prog.Object()
	require.NoError(t, err)
}

// Options in a source apply only to that source.
func TestSourceOptionsApplyToOneSource(t *testing.T) {
	text := ".proc NAME\n\tifu b0\n\t.end\n\tend\n.end\n"
	named := func(name, head string) asm.Source {
		return asm.Source{name, []byte(head + strings.ReplaceAll(text, "NAME", name))}
	}
	prog, diags := asm.Assemble(asm.Options{}, named("main", ".options no-nop\n"), named("second", ".entry second\n"))
	require.NoError(t, diags.Err())
	require.Len(t, prog.File.Program.Code, 2+3, "the second source is padded")
	_, diags = asm.Assemble(asm.Options{}, named("main", ".options extended\n"), asm.Source{"y", []byte(".proc p\n\t.word 1\n.end\n")})
	require.ErrorContains(t, diags.Err(), `y:2:2: error: unknown directive ".word"`)
}

func TestOptionsErrors(t *testing.T) {
	for text, want := range map[string]string{
		".options\n":                          "x:1:9: error: .options: missing parameter; expected object, no-nop, extended, lines, picasso",
		".options extendet\n":                 `x:1:10: error: unknown option "extendet"; expected object, no-nop, extended, lines, picasso (did you mean extended?)`,
		".options no-nop,\n.fvec a\n.nodvle":  "",
		".fvec a\n.options no-nop\n":          "x:2:1: error: .options comes after another statement",
		".proc main\n\t.options no-nop\n.end": "x:2:2: error: .options comes after another statement",
	} {
		_, diags := asm.Assemble(asm.Options{}, asm.Source{"x", []byte(text)})
		if want == "" {
			require.NotContains(t, diags.Error(), "option")
			continue
		}
		require.ErrorContains(t, diags.Err(), want)
	}
}

// The code memory of a vertex shader counts every word, including padding, except under the picasso option.
func TestCodeMemoryCountsEveryWord(t *testing.T) {
	padded := ".proc main\n" + nops(510) + "\tcall f\n\tend\n.end\n" // f follows with its padding
	for _, c := range []struct {
		text string
		line int
		msg  string
	}{
		{".proc main\n" + nops(512) + "\tend\n.end\n", 514, "513 instructions;"},
		{padded + ".proc f\n.end\n", 516, "513 instructions, with the padding NOP that is required here; expected at most 512"},
		{".options extended\n.proc main\n" + nops(512) + "\t.word 0x88000000\n.end\n", 515, "513 instructions;"},
	} {
		prog, diags := asm.Assemble(asm.Options{}, asm.Source{"x", []byte(c.text)})
		require.Nil(t, prog)
		require.Equal(t, 1, diags.Errors(), diags.Error())
		require.Equal(t, c.line, diags[0].Line)
		require.Contains(t, diags[0].Error(), "the code memory for vertex shaders is full: "+c.msg)
		prog, diags = asm.Assemble(asm.Options{Picasso: true}, asm.Source{"x", []byte(c.text)})
		require.NoError(t, diags.Err())
		require.Len(t, prog.File.Program.Code, 513)
		data := testkit.Must(prog.Bytes())(t)
		d := requireRoundTrip(t, "513", data)
		require.Contains(t, string(d.Sources[0].Text), ".options picasso\n")
	}
	prog, diags := asm.Assemble(asm.Options{}, asm.Source{"x", []byte(".gsh point c0\n.proc main\n" + nops(600) + "\tend\n.end\n")})
	require.NoError(t, diags.Err())
	data := testkit.Must(prog.Bytes())(t)
	require.Equal(t, asm.Options{}, requireRoundTrip(t, "geometry", data).Options)
}

// Disassemble refuses a program that no source assembles to.
func TestDisassembleRefusesImpossiblePrograms(t *testing.T) {
	f := testkit.Must(disasm.Raw{Code: make([]uint32, 600)}.File())(t)
	for _, portable := range []bool{false, true} {
		_, err := disasm.File(f, disasm.Options{Portable: portable})
		require.ErrorContains(t, err, "no source assembles to this program of 600 instructions: the code memory for vertex shaders is full")
	}
	f = testkit.Must(disasm.Raw{Code: make([]uint32, 600), Geometry: true}.File())(t)
	_, err := disasm.File(f, disasm.Options{})
	require.NoError(t, err)
}

// A vertex and a geometry shader with overlapping code share one source, which may be longer than the vertex shaders' memory.
func TestDisassembleLargeSharedCode(t *testing.T) {
	code := make([]uint32, 700)
	for i := range code {
		code[i] = 0x21 << 26
	}
	code[599], code[699] = 0x22<<26, 0x22<<26
	f := testkit.Must(shbin.Build(code, nil, []shbin.Executable{
		{Main: 600, EndMain: 700, Type: shbin.VertexShader},
		{Main: 0, EndMain: 600, Type: shbin.GeometryShader},
	}))(t)
	d := testkit.Must(disasm.File(f, disasm.Options{}))(t)
	require.Empty(t, d.Notes)
	prog, diags := asm.Assemble(asm.Options{}, d.Sources...)
	require.NoError(t, diags.Err())
	require.Equal(t, code, prog.File.Program.Code)
}

// A file with tables in another order gives the same program, and the listing says so.
func TestDisassembleNotesChangedLayout(t *testing.T) {
	prog, diags := asm.Assemble(asm.Options{}, asm.Source{"x", []byte(".fvec a\n.out o position\n.proc main\n\tmov o, a\n\tend\n.end\n")})
	require.NoError(t, diags.Err())
	data := testkit.Must(prog.Bytes())(t)
	f := testkit.Must(shbin.Parse(data))(t)
	d := testkit.Must(disasm.File(f, disasm.Options{}))(t)
	require.Empty(t, d.Layout)
	require.True(t, strings.HasPrefix(string(d.Sources[0].Text), ".fvec"))

	moved := append(append([]byte(nil), data...), 1, 2, 3, 4)
	f = testkit.Must(shbin.Parse(moved))(t)
	d = testkit.Must(disasm.File(f, disasm.Options{}))(t)
	require.Empty(t, d.Notes)
	require.Contains(t, d.Layout, "instead of")
	require.Contains(t, string(d.Sources[0].Text), "; The same program in another layout of the file: ")
}

func nops(n int) string { return strings.Repeat("\tnop\n", n) }

// lengths are programs with a block of n instructions counted by a NUM field.
var lengths = []struct {
	name, what string
	text       func(n int) string
	word       int // index of the word with the NUM
	line       int // of the block
}{
	{"call", `the procedure "f"`, func(n int) string {
		return ".proc main\n\tcall f\n\tend\n.end\n.proc f\n" + nops(n) + ".end\n"
	}, 0, 5},
	{"callc", `the procedure "f"`, func(n int) string {
		return ".proc f\n" + nops(n) + ".end\n.proc main\n\tcallc cmp.x, f\n\tend\n.end\n"
	}, -2, 1},
	{"callu", `the procedure "f"`, func(n int) string {
		return ".proc f\n" + nops(n) + ".end\n.proc main\n\tcallu b3, f\n\tend\n.end\n"
	}, -2, 1},
	{"ifu", "the .else part", func(n int) string {
		return ".gsh point c0\n.proc main\n\tifu b0\n" + nops(300) + "\t.else\n" + nops(n) + "\t.end\n\tend\n.end\n"
	}, 0, 3},
	{"ifc", "the .else part", func(n int) string {
		return ".proc main\n\tnop\n\tifc cmp.x\n\tnop\n\tnop\n\t.else\n" + nops(n) + "\t.end\n\tend\n.end\n"
	}, 1, 3},
}

// NUM has eight bits: a longer block is an error, or a warning under the picasso option.
func TestBlocksTooLongForNUM(t *testing.T) {
	for _, c := range lengths {
		at := func(p *asm.Program) shaderunit.Instr {
			if c.word < 0 {
				return shaderunit.Decode(p.File.Program.Code[len(p.File.Program.Code)+c.word])
			}
			return shaderunit.Decode(p.File.Program.Code[c.word])
		}
		prog, diags := asm.Assemble(asm.Options{}, asm.Source{"x", []byte(c.text(255))})
		require.Empty(t, diags, c.name)
		require.Equal(t, uint8(255), at(prog).Num, c.name)
		for _, n := range []int{256, 257, 300, 500} {
			prog, diags = asm.Assemble(asm.Options{}, asm.Source{"x", []byte(c.text(n))})
			require.Nil(t, prog, c.name)
			require.Len(t, diags, 1, c.name)
			require.Equal(t, c.line, diags[0].Line)
			require.Contains(t, diags[0].Error(), c.what)
			require.Contains(t, diags[0].Error(), fmt.Sprintf("has %d instructions, ", n))
			require.Contains(t, diags[0].Error(), fmt.Sprintf("would run %d; expected at most 255", n%256))
			prog, diags = asm.Assemble(asm.Options{Picasso: true}, asm.Source{"x", []byte(c.text(n))})
			require.NotNil(t, prog, c.name)
			require.Len(t, diags, 1, c.name)
			require.Equal(t, asm.Warning, diags[0].Severity)
			require.Equal(t, uint8(n), at(prog).Num, c.name)
			data := testkit.Must(prog.Bytes())(t)
			d := requireRoundTrip(t, c.name, data)
			require.True(t, d.Options.Picasso)
			require.Contains(t, string(d.Sources[0].Text), ".options picasso\n")
		}
	}
}

// A long procedure that is only an entry point needs no NUM.
func TestLongEntryProcedure(t *testing.T) {
	_, diags := asm.Assemble(asm.Options{}, asm.Source{"x", []byte(".proc main\n" + nops(300) + "\tend\n.end\n")})
	require.Empty(t, diags)
}

// A procedure that is too long is reported once, at the procedure, not per call.
func TestLongProcedureIsReportedOnce(t *testing.T) {
	_, diags := asm.Assemble(asm.Options{}, asm.Source{"x", []byte(".proc main\n\tcall f\n\tcall f\n\tend\n.end\n.proc f\n" + nops(256) + ".end\n")})
	require.Len(t, diags, 1)
	require.Equal(t, 6, diags[0].Line)
	require.Contains(t, diags[0].Hint, "called at x:2:7")
}

// Under the picasso option, blocks that are too long give the reference assembler's bytes.
func TestReferenceOnLongBlocks(t *testing.T) {
	program := os.Getenv(referenceEnv)
	if program == "" {
		t.Skipf("%s is not set: it names the program of the reference assembler", referenceEnv)
	}
	for _, c := range lengths {
		for _, n := range []int{255, 256, 300, 1023, 1024, 1500} {
			want, _ := reference(t, program, t.TempDir(), nil, [][]byte{[]byte(c.text(n))})
			prog, _ := asm.Assemble(asm.Options{Picasso: true}, asm.Source{"x", []byte(c.text(n))})
			if prog == nil {
				require.Nil(t, want, "%s %d", c.name, n)
				continue
			}
			got := testkit.Must(prog.Bytes())(t)
			require.Equal(t, want, got, "%s %d", c.name, n)
		}
	}
}
