package asm_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/shbin"
	"pica200/shaderunit"
	"pica200/shaderunit/asm"
	"pica200/shaderunit/lint"
	"pica200/tests/testkit"
)

// Words and descriptors are those of nihstro-assemble (except for the mask of mova), aemstro_as and zitrus (except for loops and comparisons).
func TestDialectPrograms(t *testing.T) {
	for _, name := range []string{"every.nihstro", "every.aemstro", "every.zitrus"} {
		prog, diags := asm.Assemble(asm.Options{}, readSources(t, "dialects/"+name)...)
		require.Zero(t, diags.Errors(), diags)
		require.NotNil(t, prog)
		var b strings.Builder
		for i, w := range prog.File.Program.Code {
			fmt.Fprintf(&b, "%03d %08x line %d %s\n", i, w, prog.Lines[i].Line, shaderunit.Decode(w).Op)
		}
		for i, d := range prog.Descriptors() {
			fmt.Fprintf(&b, "descriptor %d %08x\n", i, uint32(d))
		}
		for _, p := range prog.Procs {
			fmt.Fprintf(&b, "procedure %s %d, %d words\n", p.Name, p.Start, p.Size)
		}
		for _, x := range prog.File.Executables {
			fmt.Fprintf(&b, "%s shader at %d to %d, inputs %04x, outputs %04x\n", x.Type, x.Main, x.EndMain, x.InputMask, x.OutputMask)
			for _, o := range x.Outputs {
				fmt.Fprintf(&b, "\to%d.%x %s\n", o.Reg, o.Mask, o.Type)
			}
			for _, u := range x.Uniforms {
				fmt.Fprintf(&b, "\t%s %s to %s\n", u.Name, shbin.RegisterName(u.Start), shbin.RegisterName(u.End))
			}
			for _, c := range x.Constants {
				fmt.Fprintf(&b, "\t%s %d %v %x\n", c.Kind, c.Reg, c.Bool(), c.Data)
			}
		}
		testkit.Golden(t, "testdata/dialects/"+name+".txt", []byte(b.String()))

		// A source cut anywhere is an error or a program.
		text := string(readSources(t, "dialects/"+name)[0].Text)
		for n := range text {
			prog, diags := asm.Assemble(asm.Options{}, asm.Source{"x", []byte(text[:n])})
			require.Equal(t, prog == nil, diags.Errors() > 0, text[:n])
		}
	}
}

// With its options the file is that of nihstro-assemble, byte for byte, and can be read.
func TestNihstroFiles(t *testing.T) {
	include := func(name string) ([]byte, error) { return testkit.Read(t, "testdata/dialects/"+name), nil }
	for name, opt := range map[string]asm.Nihstro{"every.nihstro": {}, "tool.nihstro": {Geometry: true, Entry: "main", Include: include}} {
		prog, diags := asm.Assemble(asm.Options{Nihstro: &opt}, asm.Source{name, testkit.Read(t, "testdata/dialects/"+name)})
		require.Zero(t, diags.Errors(), diags)
		data := testkit.Must(prog.Bytes())(t)
		require.Equal(t, testkit.Read(t, "testdata/dialects/"+name+".shbin"), data, name)
		f := testkit.Must(shbin.Parse(data))(t)
		require.Empty(t, f.Unusual)
		for i, l := range prog.Labels {
			require.Equal(t, asm.Label{f.Executables[0].Labels[i].Name, int(f.Executables[0].Labels[i].Addr), l.File}, l)
		}
	}
	for want, text := range map[string]string{"x:1:1: error: no such file": ".include \"y\"\n", "z:1:1: error: more than 16 files": ".include \"z\"\n"} {
		_, diags := asm.Assemble(asm.Options{Nihstro: &asm.Nihstro{Include: func(name string) ([]byte, error) {
			if name == "z" {
				return []byte(text), nil
			}
			return nil, errors.New("no such file")
		}}}, asm.Source{"x", []byte(text)})
		require.Contains(t, diags.Error(), want)
	}
	_, diags := asm.Assemble(asm.Options{Nihstro: &asm.Nihstro{}}, asm.Source{"x", []byte("main:\n\tend\n")}, asm.Source{"y", []byte("main:\n\tend\n")})
	require.NotZero(t, diags.Errors())
}

// Mistakes are reported with their position in the source.
func TestDialectMistakes(t *testing.T) {
	const nih = ".alias pos o0 as position\n.alias uv v1.xy\n.alias world c0-c3\n"
	const aem = ".out o0, result.position, 0xF\n.opdesc xyzw, xyzw\n"
	in := func(lines string) string { return nih + "main:\n" + lines + "\n\tend\n" }
	at := func(lines string) string { return aem + "main:\n" + lines + "\n\tend\nendmain:\n" }
	for _, c := range []struct{ text, want string }{
		{in("\tmov pos, uvv"), `x:5:11: error: unknown register "uvv"; expected v0-v15, r0-r15, c0-c95, i0-i3, b0-b15, o0-o15 or a name that .alias gave (did you mean uv?)`},
		{in("\tmov pos, uv"), `x:5:11: error: "uv" has 2 components; expected 4`},
		{in("\tmov pos.xy, uv.z"), `x:5:14: error: "uv" has 2 components, and no z`},
		{in("\tmov pos.xy, uv.xq"), `x:5:17: error: invalid component selection "xq"`},
		{in("\tdp3 pos, world[0], v0.xyz"), `x:5:11: error: "world[0]" has 4 components; expected 3`},
		{in("\tadd r0, c0, c1"), `x:5:14: error: "c1" cannot be source 2`},
		{in("\tmov r0, c90[9]"), `x:5:14: error: [9] leads beyond the registers`},
		{in("\tmov r0, v0[a0]"), `x:5:13: error: [a0] leads beyond the registers`},
		{in("\tmov r0, c0[a0+a1]"), `invalid index "a0+a1"`},
		{in("\tmvo pos, v0"), `x:5:2: error: unknown instruction "mvo" (did you mean mov?)`},
		{in("\tex2 r0, v0"), `unknown instruction "ex2"`},
		{in("\tmov v0, r0"), `x:5:6: warning: an input register cannot be written; as a destination this is o0`},
		{in("\tmov pos, v0, v0"), `mov: too many parameters`},
		{in("\tmov pos"), `mov: missing parameter`},
		{in("\tcmp v0.x, r0.xy, <, <"), `"v0.x" has 1 components; expected 2`},
		{in("\tcmp v0.xy, r0.xy, <, lt"), `unknown comparison "lt"; expected ==`},
		{in("\tif cc\n\tnop\n\tendif"), `x:5:5: error: if: invalid condition "cc"; expected cc.x or cc.y`},
		{in("\tif i0\n\tnop\n\tendif"), `if cannot go by "i0"`},
		{in("\tloop b0\n\tnop\n\tendloop"), `loop cannot go by "b0"; expected an int uniform`},
		{in("\tif cc.x\n\tnop"), `x:5:2: error: this block has no end; expected endif or endloop`},
		{in("\tif cc.x\n\tnop\n\tendloop\n\tendif"), `x:7:2: error: endloop without loop`},
		{in("\telse"), `else without if`},
		{in("\tjmp main"), `a jump has a condition`},
		{in("\tjmp there if cc.x"), `label "there" is not defined in this file`},
		{in("\tcall main"), `a call names the label after its last instruction`},
		{in("\tcall main until nowhere"), `x:5:18: error: label "nowhere" is not defined in this file`},
		{in("\tcall last until main\nlast:"), `x:5:2: error: "main" does not come after "last"`},
		{nih + "start:\n\tend\n", `there is no label "main", where the program starts`},
		{nih + "main:\nmain:\n\tend\n", `duplicate label "main"`},
		{nih + ".alias pos o1 as color\nmain:\n\tend\n", `x:4:8: error: the name "pos" is used already`},
		{nih + ".alias k c4 as (1, 2, 3)\nmain:\n\tend\n", `x:4:16: error: 3 numbers are not a value of this register; expected four`},
		{nih + ".alias k i0 as (1, 2, 3, 256)\nmain:\n\tend\n", `256 does not fit in this register; expected 0 to 255`},
		{nih + ".alias k i0 as (1, 2, 3, NaN)\nmain:\n\tend\n", `NaN does not fit`},
		{nih + ".alias k c4-b4\nmain:\n\tend\n", `c4 to b4 is not a range of registers`},
		{nih + ".alias k c4-c2\nmain:\n\tend\n", `c4 to c2 is not a range`},
		{nih + ".alias k o1\nmain:\n\tend\n", `not a meaning of an output: ""`},
		{nih + ".alias k o1 as colour\nmain:\n\tend\n", `not a meaning of an output: "colour"; expected position, quaternion, color, texcoord0, texcoord1, texcoord2 or view after "as" (did you mean color?)`},
		{nih + ".alias k o1.yx as color\nmain:\n\tend\n", `the components of an output must be in order`},
		{nih + ".alias k r1\nmain:\n\tend\n", `r1 can have no other name`},
		{nih + ".include \"a.h\"\nmain:\n\tend\n", `x:4:1: error: files that a source includes are not read`},
		{nih + ".fvec a\nmain:\n\tend\n", `.fvec a is not a declaration`},
		{nih + ".alias k c4 as (1, 2, 3)\nmain:\n\tend\n", `x:1: warning: this line makes the source one in the language of nihstro-assemble, as which it is read`},
		{in(strings.Repeat("\tnop\n", 600)), `the code memory for vertex shaders is full`},
		{in(strings.Repeat("\tif cc.x\n", 40)), `too many nested blocks`},

		{at("\tmov o0, v0 (0x1)"), `x:4:14: error: operand descriptor 1 is not declared; expected one of the 1 that .opdesc declares`},
		{at("\tmov o0, v0"), `no operand descriptor; expected its number after the operands: (0x0)`},
		{at("\tmov o0, x0 (0x0)"), `x:4:10: error: "x0" cannot stand here`},
		{at("\tmov c0, v0 (0x0)"), `x:4:6: error: "c0" cannot stand here`},
		{at("\tadd o0, v0, c0 (0x0)"), `x:4:14: error: "c0" cannot stand here`},
		{at("\tmov o0, c0[r0] (0x0)"), `invalid index in "c0[r0]"`},
		{at("\tmov o0, d80 (0x0)"), `"d80" cannot stand here`},
		{at("\tmvo o0, v0 (0x0)"), `unknown instruction "mvo"`},
		{at("\tcall sub, subend"), `label "sub" is not defined in this file`},
		{at("\tifu main, main, b0\n\tnop"), `this block ends before it starts`},
		{at("\tifu endmain, endmain, i0\n\tnop"), `"i0" is not a bool uniform`},
		{at("\tloop endmain, b0\n\tnop"), `"b0" is not an int uniform`},
		{at("\tsetemit 3, true, false"), `"3" is not a vertex`},
		{at("\tsetemit vtx1, yes, false"), `"yes" is neither true nor false`},
		{aem + ".const 20, 1, 1, 1, 1\nmain:\n\tend\n", `x:3:8: error: "20" is not a uniform; expected c0-c95, i0-i3 or b0-b15`},
		{aem + ".const c20, 1, 1, one, 1\nmain:\n\tend\n", `x:3:19: error: "one" is not a number`},
		{aem + ".const i0, 1, 1, 256, 1\nmain:\n\tend\n", `invalid value "256"`},
		{aem + ".out o1, result.colour, 0xF\nmain:\n\tend\n", `not a meaning of an output: "result.colour"`},
		{aem + ".out o1, result.color\nmain:\n\tend\n", `expected the mask of components`},
		{aem + ".uniform c3, c0, m\nmain:\n\tend\n", `c3 to c0 is not a range of uniforms`},
		{aem + ".opdesc xyz, xyzw\nmain:\n\tend\n", `invalid mask "xyz"`},
		{aem + ".opdesc xyzw, xyzq\nmain:\n\tend\n", `invalid selection "xyzq"`},
		{aem + ".vsh a, b\nmain:\n\tend\n", `there is no label "a", where the program starts`},
		{aem + strings.Repeat(".opdesc xyzw, xyzw\n", 130) + "main:\n\tend\n", `too many operand descriptors; expected at most 128`},
	} {
		_, diags := asm.Assemble(asm.Options{}, asm.Source{"x", []byte(c.text)})
		var b strings.Builder
		diags.Print(&b)
		require.Contains(t, b.String(), c.want, c.text)
	}
	// Instructions that the tool ignores with a message are ignored with a warning.
	prog, diags := asm.Assemble(asm.Options{}, asm.Source{"x", []byte(at("\tflush"))})
	require.Len(t, prog.File.Program.Code, 1)
	require.Contains(t, diags[0].Error(), "flush is left out")
}

// The language of a source is recognised by its lines; a picasso procedure makes it picasso's. Sources may use different languages.
func TestDialectIsRecognized(t *testing.T) {
	nih := asm.Source{"n.vsh", []byte("\xEF\xBB\xBF// shader\r\n.alias pos o0 as position\r\n.alias m c4\r\nmain:\r\n\tmov pos, m\r\n\tcall f until g\r\n\tend\r\nf:\r\n\tmov r0, c5[a0]\r\ng:\r\n")}
	symbols, prog, diags := asm.Index(asm.Options{}, nih, asm.Source{"p.pica", []byte(".gsh point c0\n.entry gmain\n.proc gmain\n\tcall f\n\tmov r1.xy, c2.zw\n\tend\n.end\n")})
	require.Zero(t, diags.Errors(), diags)
	require.Equal(t, []string{"f", "main", "gmain"}, []string{prog.Procs[0].Name, prog.Procs[1].Name, prog.Procs[2].Name})
	require.Equal(t, asm.Pos{"n.vsh", 6, 2, 4}, prog.Lines[1])
	require.Equal(t, prog.File.Program.Code[1], prog.File.Program.Code[4], "both sources call f")
	found := map[string]asm.Symbol{}
	for _, s := range symbols {
		found[s.Name] = s
	}
	require.Equal(t, "o0", found["pos"].Detail)
	require.Equal(t, []asm.Span{{0, 4, 10, 11}}, found["m"].Uses)
	require.Equal(t, asm.SymbolLabel, found["g"].Kind)

	require.NotContains(t, asm.Findings(".proc main\n\tend\n.end\n.alias a v0 as color\n"), "as which it is read")
	require.Contains(t, asm.Findings(".alias a o0 as color\nmain:\n\tmvo\n"), "as which it is read")
}

// Format leaves sources in other languages unchanged, and their programs survive disassembly.
func TestDialectFormatAndDisassembly(t *testing.T) {
	for _, name := range []string{"every.nihstro", "every.aemstro", "every.zitrus"} {
		src := readSources(t, "dialects/"+name)[0]
		require.Equal(t, src.Text, asm.Format(src.Text))
		prog, _ := asm.Assemble(asm.Options{}, src)
		data := testkit.Must(prog.Bytes())(t)
		file := testkit.Must(shbin.Parse(data))(t)
		require.Equal(t, prog.File.Program.Code, file.Program.Code)
		requireRoundTrip(t, name, data)
		require.NotNil(t, lint.Program(prog, []asm.Source{src})) // the loop of the sample contains only NOPs
	}
}

// Mistakes in zitrus' language are reported with their place.
func TestZitrusMistakes(t *testing.T) {
	const head = ".entry main vertex\n.out main o0 position\n"
	in := func(line string) string { return head + "main:\n\t" + line + "\n\tend\nlast:\n" }
	for _, c := range []struct{ text, want string }{
		{in("mvo r0, r1"), `x:4:2: error: unknown instruction "mvo" (did you mean mov?)`},
		{in("mov r0, f96"), `c96`}, {in("mov r0, r16"), `r16`}, {in("add r0, f1, f2"), `cannot be source 2`}, {in("mov f1, r0"), `cannot be`},
		{in("jmpc xy, true, true, last"), `invalid condition "xy", "true", "true"; expected or, and, x or y, then the wanted values of both flags`},
		{in("jmpc x, 1, true, last"), `invalid condition`}, {in("jmpu b0, maybe, last"), `"maybe" is not true or false`}, {in("jmpu i0, true, last"), `bool uniform`},
		{in("jmpu b0, true, nowhere"), `label "nowhere" is not defined in this file`}, {in("ifu b0, last, main"), `this block ends before it starts, or has too much in its other part; expected labels after it, "main" at most 255 instructions after "last"`},
		{in("ifc x, true, true, last"), `expected the label after the last instruction`}, {in("loop i0, main"), `this block ends before it starts`},
		{in("loop b0, last"), `int uniform`}, {in("call last, main"), `"main" does not come after "last"`}, {in("call main, last, last"), `too many parameters`},
		{in("setemit 3, vertex, default"), `invalid value "3"; expected a number from 0 to 2`}, {in("setemit 1, none, cw"), `"none", "cw"; expected vertex or primitive, and default or invert`},
		{".entry main pixel\n" + in("nop"), `expected a label, and vertex; geometry point N`}, {head + ".entry main vertex\nmain:\nend\n", `.entry: "main vertex"`},
		{".entry main geometry fixed 4 i0\nmain:\n\tend\n", `geometry fixed N fX`}, {".entry main geometry variable 40\nmain:\n\tend\n", `geometry fixed N fX`},
		{".out main o0 position\n" + in("nop"), `there is no entry point "main"; expected .entry before it`}, {head + ".out main o16 color\nmain:\n\tend\n", `"o16" is not an output register`},
		{head + ".out main o1 colour\nmain:\n\tend\n", `unknown meaning "colour" (did you mean color?)`}, {head + ".out main o1.yx color\nmain:\n\tend\n", `o1.yx cannot hold color.xy`},
		{head + ".out main o1.xy color.zw\nmain:\n\tend\n", `color.zw begins in the middle`}, {head + ".out main\nmain:\n\tend\n", `an entry point, a register and what it means are expected`},
		{head + ".set main f0 1\nmain:\n\tend\n", `.set`}, {head + ".set main q0 (1, 2, 3, 4)\nmain:\n\tend\n", `q0`}, {head + ".set main\nmain:\n\tend\n", `an entry point, a register and its value are expected`},
		{head + ".fvec a\nmain:\n\tend\n", `unknown directive ".fvec"; expected .entry, .out, .set or .alias`}, {head + "other:\n\tend\n", `there is no label "main", where the program starts`},
		{in(strings.Repeat("nop\n", 600)), `the code memory for vertex shaders is full`}, {head + ".alias a x0\nmain:\n\tend\n", `x0`},
	} {
		prog, diags := asm.Assemble(asm.Options{}, asm.Source{"x", []byte(c.text)})
		require.Nil(t, prog, c.text)
		var b strings.Builder
		diags.Print(&b)
		require.Contains(t, b.String(), c.want, c.text)
	}
}
