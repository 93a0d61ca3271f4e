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

// Files together may declare the greatest number of uniforms, and not one more.
func TestUniformLimit(t *testing.T) {
	text := ""
	for i := range 80 {
		text += fmt.Sprintf(".fvec f%d\n", i)
	}
	for i := range 12 {
		text += fmt.Sprintf(".bool b%d\n", i)
	}
	for i := range 4 {
		text += fmt.Sprintf(".ivec i%d\n", i)
	}
	rest := ".out pos position\n.proc main\n\tmov pos, f79\n\tend\n.end\n"
	prog, diags := asm.Assemble(asm.Options{}, asm.Source{"most.v.pica", []byte(text + rest)})
	require.Zero(t, diags.Errors(), diags)
	require.NotNil(t, prog)
	prog, diags = asm.Assemble(asm.Options{}, asm.Source{"more.v.pica", []byte(text + ".bool more\n" + rest)})
	require.Nil(t, prog)
	require.Contains(t, diags.Error(), "too many uniforms")
}

// A range of registers ascends; a range of one register is valid.
func TestRegisterRanges(t *testing.T) {
	for text, want := range map[string]string{"c5-c5": "", "c5-c8": "", "c5-c4": "is not a range of registers", "c5-r6": "is not a range of registers", "c95-c95": ""} {
		_, diags := asm.Assemble(asm.Options{}, asm.Source{"x.nihstro", []byte(".alias pos o0 as position\n.alias world " + text + "\nmain:\n\tmov pos, world\n\tend\n")})
		if want == "" {
			require.Zero(t, diags.Errors(), "%s: %v", text, diags)
		} else {
			require.Contains(t, diags.Error(), want, text)
		}
	}
}

// Integer constants of a file keep their names in the disassembly, for 0 to 4 of them.
func TestIntegerConstantNames(t *testing.T) {
	for n := range 5 {
		text := ".out pos position\n"
		for i := range n {
			text += fmt.Sprintf(".consti n%d(%d, 1, 2, 3)\n", i, i)
		}
		text += ".proc main\n"
		for i := range n {
			text += fmt.Sprintf("\tfor n%d\n\t\tnop\n\t\tnop\n\t.end\n", i)
		}
		prog, diags := asm.Assemble(asm.Options{}, asm.Source{"x.v.pica", []byte(text + "\tmov pos, v0\n\tend\n.end\n")})
		require.Zero(t, diags.Errors(), diags)
		d := testkit.Must(disasm.File(prog.File, disasm.Options{}))(t)
		all := ""
		for _, s := range d.Sources {
			all += string(s.Text)
		}
		require.Equal(t, n, strings.Count(all, ".consti "), all)
		require.NotContains(t, all, ".seti")
	}
}

// Errors for full tables, values out of range and missing parts of a line.
func TestAssembleErrors(t *testing.T) {
	main := ".proc main\n\tmov o0, v0\n\tend\n.end\n"
	many := func(n int, line string) (text string) {
		for i := range n {
			text += fmt.Sprintf(strings.ReplaceAll(line, "#", "%[1]d"), i) + "\n"
		}
		return text
	}
	const extended, aemstro, nihstro = ".options extended\n", ".out o0, result.position, 0xF\n", ".alias pos o0 as position\n"
	for _, c := range []struct {
		text, want string
	}{
		// An entry procedure without instructions.
		{".fvec f\n.proc main\n.end\n", `x:2:1: error: the procedure "main", where the program starts, has no instruction; expected at least the instruction end`},
		{".entry start\n.in pos\n.proc start\n.end\n" + main, `x:3:1: error: the procedure "start", where the program starts, has no instruction`},
		{".entry start\n.proc start\n\tnop\n", `this block has no .end`},
		// The extended language.
		{extended + ".word 0x88000000\n", `x:2:1: error: .word outside of a block; expected .proc before it`},
		{extended + ".proc main\n\t.word\n.end\n", `x:3:7: error: .word: missing parameter; expected the instruction word`},
		{extended + ".proc main\n\t.word 1, 2\n.end\n", `.word: too many parameters`},
		{extended + ".proc main\n\t.word 0x100000000\n.end\n", `x:3:8: error: invalid value "0x100000000"; expected a number from 0 to 4294967295`},
		{extended + ".opdesc\n" + main, `.opdesc: missing parameter; expected the operand descriptor`},
		{extended + ".opdesc 0x100000000\n" + main, `invalid value "0x100000000"; expected a number from 0 to 4294967295`},
		{extended + ".opdesc 1, 0x100000000\n" + main, `invalid value "0x100000000"; expected a number from 0 to 4294967295`},
		{extended + ".opdesc 1, 2, 3\n" + main, `.opdesc: too many parameters`},
		{extended + many(129, ".opdesc #") + main, `x:130:1: error: too many operand descriptors; expected at most 128`},
		{extended + ".dvle\n" + main, `.dvle: missing parameter; expected version, program_version, merge, endmain, inputs, outputs, outputs_unknown`},
		{extended + ".dvle merge\n" + main, `.dvle: missing parameter; expected a value`},
		{extended + ".dvle merge 1 2\n" + main, `.dvle: too many parameters`},
		{extended + ".dvle merge x\n" + main, `invalid value "x"; expected a number from 0 to 4294967295`},
		{extended + ".dvle input 1\n" + main, `x:2:7: error: unknown field "input"; expected version, program_version, merge, endmain, inputs, outputs, outputs_unknown (did you mean inputs?)`},
		{extended + ".label a, 1, 2, 3\n" + main, `.label: missing parameter; expected its size`},
		{extended + ".label a\n" + main, `.label: missing parameter; expected the number of the label`},
		{extended + ".label a, 0x10000, 2, 3, 4\n" + main, `invalid value "0x10000"; expected a number from 0 to 65535`},
		{extended + ".label a, 1, 0x10000, 3, 4\n" + main, `invalid value "0x10000"; expected a number from 0 to 65535`},
		{extended + ".label a, 1, 2, 0x100000000, 4\n" + main, `invalid value "0x100000000"; expected a number from 0 to 4294967295`},
		{extended + ".label a, 1, 2, 3, 0x100000000\n" + main, `invalid value "0x100000000"; expected a number from 0 to 4294967295`},
		{extended + ".label a, 0xFFFF, 0xFFFF, 0x10000, 0xFFFFFFFF\n" + main, ``},
		{extended + ".proc main\n\tmov r0, v0 @128\n\tend\n.end\n", `x:3:14: error: invalid value "128"; expected a number from 0 to 127`},
		{extended + ".opdesc 0x36f\n.proc main\n\tmov r0, v0 @1\n\tend\n.end\n", `operand descriptor 1: this instruction can name only the first 1`},
		{extended + strings.Repeat(".opdesc 0x36f\n", 40) + ".proc main\n\tmad r0, r1, r2, r3 @32\n\tend\n.end\n", `operand descriptor 32: this instruction can name only the first 32`},

		// The language of picasso.
		{".set c4\n" + main, `unknown directive ".set"`},
		{".setf\n" + main, `.setf: missing parameter; expected register(x, y, z, w)`},
		{".setb\n" + main, `.setb: missing parameter; expected a bool uniform`},
		{".setb b1\n" + main, `.setb: missing parameter`},
		{".gsh\n.out pos position\n" + many(3, ".bool b#") + main, ``},
		{".gsh variable c1\n" + main, `.gsh: missing parameter; expected the number of vertices`},
		{".gsh variable c1 256\n" + main, `invalid value "256"; expected a number from 0 to 255`},
		{".gsh variable c1 255\n" + main, ``},
		{".gsh variable c1 2 3\n" + main, `.gsh: too many parameters`},
		{".gsh fixed c8\n" + main, `.gsh: missing parameter; expected the float uniform where the vertices start`},
		{".gsh fixed c8 c0\n" + main, `.gsh: missing parameter; expected the number of vertices`},
		{".gsh fixed c8 c8 2\n" + main, `the vertices start at c8, among the registers for uniforms; expected a register below c8`},
		{".gsh fixed c8 c7 2\n" + main, ``},
		{".out o position.yx\n" + main, `x:1:8: warning: the order of components has no effect in an output mask`},
		{".constfa a[]\n" + many(97, ".constfa (#, 1, 2, 3)") + ".end\n" + main, `not enough registers for the constant array "a" of 97 (constants and uniforms share the registers)`},
		{".constfa a[]\n" + many(130, ".constfa (#, 1, 2, 3)") + ".end\n" + main, `x:130:1: error: too many elements in the array "a"; expected at most 96`},
		{".fvec f[90]\n.constfa a[]\n" + many(7, ".constfa (#, 1, 2, 3)") + ".end\n" + main, `not enough registers for the constant array "a" of 7 (constants and uniforms share the registers)`},
		{".fvec f[90]\n.constfa a[]\n" + many(6, ".constfa (#, 1, 2, 3)") + ".end\n" + main, ``},
		{".proc main\n" + strings.Repeat("ifu b0\n", 33), `too many nested blocks`},
		{".proc main\n\tmad r0, r1, c2[a0.x], c3\n\tend\n.end\n", `"c3" cannot be source 3`},
		{".proc main\n\tadd r0, c1, r1[a0.x]\n\tend\n.end\n", `r1`},
		{".proc main\n\tdp5 r0, r1, r2\n\tend\n.end\n", `unknown instruction "dp5"`},
		{".proc main\n\tconstf r0, r1, r2\n\tend\n.end\n", `unknown instruction "constf" (did you mean .constf?)`},
		{".out a position\n.out b color o0.x\n" + main, `o0 has a meaning in these components already; expected other components or another register`},
		{".out a position o1\n.out b dummy o9.x\n" + main, `o9 has a meaning in these components already; expected other components or another register (o9 and o1 count as one here)`},

		// The language of aemstro_as.
		{aemstro + many(16, ".out o1, result.color, 0xF") + "main:\n\tend\nendmain:\n", `x:17:1: error: too many outputs; expected at most 16`},
		{aemstro + many(15, ".out o1, result.color, 0xF") + "main:\n\tend\nendmain:\n", ``},
		{aemstro + ".opdesc xyzw, xyzw, xyzw, xyzw, xyzw\nmain:\n\tend\nendmain:\n", `x:2:33: error: more than three sources; expected the end of the line`},
		{aemstro + ".opdesc xyzw, xyzw\nmain:\n\tmov (0x0)\n\tend\nendmain:\n", `mov: missing parameter; expected the destination`},
		{aemstro + ".opdesc xyzw, xyzw\nmain:\n\tcmp r0 (0x0)\n\tend\nendmain:\n", `cmp: missing parameter; expected a comparison`},
		{aemstro + ".opdesc xyzw, xyzw\nmain:\n\tadd r0, r1, r2[a0.x] (0x0)\n\tend\nendmain:\n", `"r2[a0.x]" has an index; expected an index with the float uniform alone`},
		{aemstro + "main:\n" + strings.Repeat("\tnop\n", 513) + "\tend\nendmain:\n", `the code memory for vertex shaders is full`},

		// The language of nihstro-assemble.
		{nihstro + many(16, ".alias o# o1 as color") + "main:\n\tend\n", `x:17:8: error: too many outputs; expected at most 16`},
		{nihstro + many(15, ".alias n# o1 as color") + "main:\n\tend\n", ``},
		{nihstro + ".alias m c0-c3.x\nmain:\n\tend\n", `a range of registers has no components and no value; expected one register`},
		{nihstro + ".alias m c0-c3 as (1, 2, 3, 4)\nmain:\n\tend\n", `a range of registers has no components and no value; expected one register`},
		{nihstro + ".alias m i0 as (1, 2, 3, 4)\nmain:\n\tloop m[4]\n\tnop\n\tendloop\n\tend\n", `[4]`},
		{nihstro + "main:\n\tsetemitraw 1, prim\n\temit\n\tend\n", ``},
		{nihstro + "main:\n\tsetemitraw 3\n\tend\n", `invalid value "3"; expected a number from 0 to 2`},
		{nihstro + ".version 1\nmain:\n\tnop\n\tbreak\n\tend\n", ``},
	} {
		prog, diags := asm.Assemble(asm.Options{}, asm.Source{"x", []byte(c.text)})
		var b strings.Builder
		diags.Print(&b)
		if c.want == "" {
			require.NotNil(t, prog, "%s%s", c.text, b.String())
			continue
		}
		require.Contains(t, b.String(), c.want, c.text)
	}
}

// Each language has exactly the registers that exist.
func TestLastRegisterOfEachLanguage(t *testing.T) {
	languages := map[string]string{
		"picasso": ".proc main\n\t%s\n\tend\n.end\n",
		"gsh":     ".gsh point c0\n.proc main\n\t%s\n\tend\n.end\n",
		"nihstro": ".alias pos o0 as position\nmain:\n\t%s\n\tend\n",
		"aemstro": ".out o0, result.position, 0xF\n.opdesc xyzw, xyzw\nmain:\n\t%s\n\tend\nendmain:\n",
	}
	for _, c := range []struct{ language, line, want string }{
		{"picasso", "mov r15, v14", ""}, {"picasso", "mov r16, v0", "no such"}, {"picasso", "mov r0, v15", "v14[1]"}, {"picasso", "mov r0, v16", "no such"},
		{"picasso", "mov r0, c95", ""}, {"picasso", "mov r0, c96", "no such"}, {"picasso", "mov o15, r0", ""}, {"picasso", "mov o16, r0", "o0-o15\n"},
		{"picasso", "ifu b15\n\tnop\n\t.end", ""}, {"picasso", "ifu b16\n\tnop\n\t.end", "no such"}, {"picasso", "for i3\n\tnop\n\t.end", ""}, {"picasso", "for i8\n\tnop\n\t.end", "no such"},
		{"gsh", "mov o6, r0", ""}, {"gsh", "mov o7, r0", "o0-o6 (a geometry shader has fewer output registers)"}, {"gsh", "mov o15, r0", "o0-o6 (a geometry shader has fewer output registers)"}, {"gsh", "mov o16, r0", "expected o0-o6\n"},
		{"nihstro", "mov r15, v15", ""}, {"nihstro", "mov r16, v0", "unknown register"}, {"nihstro", "mov r0, v16", "unknown register"}, {"nihstro", "mov o15, v0", ""}, {"nihstro", "mov o16, v0", "unknown register"},
		{"nihstro", "mov r0, c95", ""}, {"nihstro", "mov r0, c96", "unknown register"}, {"nihstro", "mov r0, c999", "unknown register"}, {"nihstro", "mov r0, c1000", "unknown register"}, {"nihstro", "mov r0, c", "unknown register"},
		{"nihstro", "if b15\n\tnop\n\tendif", ""}, {"nihstro", "if b16\n\tnop\n\tendif", "b16"}, {"nihstro", "loop i3\n\tnop\n\tendloop", ""}, {"nihstro", "loop i4\n\tnop\n\tendloop", "i4"},
		{"aemstro", "mov r15, v15 (0x0)", ""}, {"aemstro", "mov r16, v0 (0x0)", `"r16" cannot stand here`}, {"aemstro", "mov r0, v16 (0x0)", `"v16" cannot stand here`}, {"aemstro", "mov o16, v0 (0x0)", `"o16" cannot stand here`},
		{"aemstro", "mov r0, c95 (0x0)", ""}, {"aemstro", "mov r0, c96 (0x0)", `"c96" cannot stand here`},
		{"aemstro", "ifu endmain, endmain, b15\n\tnop", ""}, {"aemstro", "ifu endmain, endmain, b16\n\tnop", "b16"}, {"aemstro", "loop endmain, i3\n\tnop", ""}, {"aemstro", "loop endmain, i4\n\tnop", "i4"},
	} {
		_, diags := asm.Assemble(asm.Options{}, asm.Source{"x", fmt.Appendf(nil, languages[c.language], c.line)})
		var b strings.Builder
		diags.Print(&b)
		if c.want == "" {
			require.Zero(t, diags.Errors(), "%s: %s", c.line, b.String())
		} else {
			require.Contains(t, b.String(), c.want, c.line)
		}
	}
}

// An alias beyond the last register encodes as in the reference assembler: the number overflows into sign and swizzle.
func TestAliasBeyondLastRegister(t *testing.T) {
	code := func(alias, operand string) (uint32, uint32) {
		prog, diags := asm.Assemble(asm.Options{}, asm.Source{"x", []byte(alias + "\n.proc main\n\tmov r0, " + operand + "\n\tend\n.end\n")})
		require.Zero(t, diags.Errors(), "%s: %v", alias, diags)
		require.Equal(t, alias != "", len(diags) > 0)
		return prog.File.Program.Code[0], prog.File.Program.Descriptors[0].Word
	}
	for alias, same := range map[string]string{
		"c0[300]": "-c44", "-c0[300]": "-c44", "c5[300].wzyx": "-c49.wzyx", "c1[223].yyxw": "-v0.yyxw", "c95[129].zw": "-v0.zwww",
	} {
		word, desc := code(".alias far "+alias, "far")
		want, wantDesc := code("", same)
		require.Equal(t, want, word, "%s", alias)
		require.Equal(t, wantDesc, desc, "%s", alias)
	}
}
