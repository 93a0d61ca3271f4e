package trial

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/shaderunit"
	"pica200/shaderunit/asm"
	"pica200/tests/testkit"
)

func load(t testing.TB, text string) *Shader {
	prog, diags := asm.Assemble(asm.Options{}, asm.Source{Name: "t.pica", Text: []byte(text)})
	require.NoError(t, diags.Err(), text)
	s := testkit.Must(Load(prog.File, 0))(t)
	return s
}

// The float edge cases that aroulin's 3ds-gpu-tests (fp-tests) checked on a console.
func TestFloatEdgeCasesOfHardware(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, c := range []struct {
		code string
		want float32
	}{
		{"rcp r0, zero", inf}, {"rcp r0, -zero", inf}, {"rcp r0, inf", 0}, {"rcp r0, nan", nan},
		{"rsq r0, zero", inf}, {"rsq r0, -zero", inf}, {"rsq r0, one", 1}, {"rsq r0, -one", nan}, {"rsq r0, inf", 0}, {"rsq r0, -inf", nan}, {"rsq r0, nan", nan},
		{"max r0, zero, inf", inf}, {"max r0, zero, -inf", 0}, {"max r0, zero, nan", nan}, {"max r0, nan, zero", 0}, {"max r0, -inf, inf", inf},
		{"min r0, zero, inf", 0}, {"min r0, zero, -inf", -inf}, {"min r0, zero, nan", nan}, {"min r0, nan, zero", 0}, {"min r0, -inf, inf", -inf},
		{"add r0, inf, -inf", nan}, {"mul r0, inf, zero", 0}, {"mul r0, zero, inf", 0}, {"mul r0, nan, zero", nan}, {"mul r0, zero, nan", nan},
		{"mad r0, inf, zero, one", 1}, {"dp4 r0, r15.xwzw, r15.zwxw", 2}, {"dp3 r0, r15.xxz, r15.zzx", 0}, {"dph r0, r15.xxx, r15.zzzw", 1},
		{"sge r0, zero, nan", 0}, {"sge r0, nan, zero", 0}, {"sgei r0, zero, nan", 0}, {"sgei r0, nan, zero", 0},
		{"slt r0, zero, nan", 0}, {"slt r0, nan, zero", 0}, {"slti r0, zero, nan", 0}, {"slti r0, nan, zero", 0},
		{"mov r0, tenth\n\tflr r0, -r0\n\tmul r0, -one, r0", 1}, {"rcp r0, -inf\n\trsq r0, r0.x", inf}, {"ex2 r0, -inf", 0},
		{"rcp r0, -inf\n\tlg2 r0, r0.x", -inf}, {"lg2 r0, -one", nan},
	} {
		s := load(t, fmt.Sprintf(`.constf k(0.0, 1.0, 0.1, 0.0)
.alias inf r15.x
.alias nan r15.y
.alias zero r15.z
.alias one r15.w
.alias tenth k.zzzz
.out pos position
.proc main
	rcp r15.x, k.x
	rsq r15.y, -k.y
	mov r15.z, k.x
	mov r15.w, k.y
	%s
	mov pos, r0.x
	end
.end`, c.code))
		var lines []string
		r := testkit.Must(s.Run(&Vertex{}, func(rec Record) { lines = append(lines, s.TraceLine(rec)) }, nil))(t)
		got := r.Outputs[0].Value[0]
		if c.want != c.want {
			require.True(t, got != got, "%s: %v, expected NaN", c.code, got)
		} else {
			require.Equal(t, c.want, got, c.code)
		}
		trace := strings.Join(lines, "\n")
		want := FormatFloat(c.want)
		require.Contains(t, trace, "-> o0=("+want+", "+want+", "+want+", "+want+")", c.code)
		require.Contains(t, trace, "-> r15=(inf, nan, 0, 1)")
	}
}

func TestTraceShowsStacksFlagsAndAddresses(t *testing.T) {
	s := load(t, `.fvec table[4], unused
.consti n(1, 2, 1, 0)
.bool on
.in pos v0
.out outpos position
.proc main
	cmp pos, gt, lt, pos.wwww
	mova a0.x, pos.x
	call sub
	end
.end
.proc sub
	ifu on
		for n
			mov r1, table[aL]
			nop
		.end
		nop
	.end
	mov outpos, table[a0.x]
.end`)
	require.NoError(t, s.SetUniform("on", []float64{1}))
	require.NoError(t, s.SetUniform("table[3]", []float64{7, 8}))
	v := Vertex{{3, 0, 0, 1}}
	var lines []string
	counts := &Counts{}
	r := testkit.Must(s.Run(&v, func(rec Record) { lines = append(lines, s.TraceLine(rec)) }, counts))(t)
	text := strings.Join(lines, "\n")
	require.NotContains(t, lines[0], "aL=", "before a loop no loop counter is shown")
	require.NotContains(t, s.TraceLine(Record{}), "|", "an empty record shows no state")
	for _, want := range []string{
		"cmp pos, gt, lt, pos.w", "-> cmp=(true, true)",
		"-> a0=(3, 0)",
		"CALL(to 00A, back to 003)",
		"IF(to 009, then 009)",
		"LOOP(006 to 008, 1 more)", "aL=2", "aL=3",
		"mov r1, table[aL+2]"[:12],
		"s1=(7, 8, 0, 1) -> o0=(7, 8, 0, 1)",
	} {
		require.Contains(t, text, want)
	}
	require.Equal(t, "position = (7, 8, 0, 1)", r.Outputs[0].String())
	require.Equal(t, len(lines), r.Steps)
	require.Equal(t, r.Steps, counts.Total)
	require.Equal(t, 2, counts.Addr[6], "the loop runs twice")
	require.Len(t, counts.ByOpcode(s.Setup), 8)
	require.Equal(t, []OpcodeCount{{shaderunit.OpMOV, 3}, {shaderunit.OpNOP, 3}, {shaderunit.OpMOVA, 1}, {shaderunit.OpEND, 1}}, counts.ByOpcode(s.Setup)[:4])
}

// Vector fills missing numbers like an attribute: 0, 0, 0, 1.
func TestVectorFillsMissingNumbers(t *testing.T) {
	for _, c := range []struct {
		numbers []float64
		want    [4]float32
	}{{nil, [4]float32{0, 0, 0, 1}}, {[]float64{5, 6}, [4]float32{5, 6, 0, 1}}, {[]float64{5, 6, 7, 8, 9}, [4]float32{5, 6, 7, 8}}, {[]float64{1 + 1.0/(1<<20)}, [4]float32{1, 0, 0, 1}}} {
		require.Equal(t, c.want, Vector(c.numbers))
	}
}

func TestGeometryShader(t *testing.T) {
	s := load(t, `.gsh point c0
.out pos position
.proc main
	mov pos, v0
	setemit 2, prim inv
	emit
	end
.end`)
	r := testkit.Must(s.Run(&Vertex{{1, 2, 3, 4}}, nil, nil))(t)
	require.Empty(t, r.Outputs)
	require.Len(t, r.Emitted, 1)
	require.Equal(t, 2, r.Emitted[0].Slot)
	require.True(t, r.Emitted[0].Primitive && r.Emitted[0].Winding)
	require.Equal(t, "position = (1, 2, 3, 4)", r.Emitted[0].Outputs[0].String())
}

const namedShader = `.fvec projection[4]
.ivec loops
.bool flags[2]
.in position v0
.in extra v2
.out a position
.out b texcoord0.xy
.proc main
	mov a, position
	mov b.xy, extra
	end
.end`

func TestInputs(t *testing.T) {
	s := load(t, namedShader)
	vs := testkit.Must(s.ReadJSON([]byte(`{"uniforms": {"projection": [[1,2,3,4],[5,6]], "loops": [3,0,1], "flags": [false, true], "c9": "inf", "b7": true},
		"vertices": [{"position": [0.5, "-inf"], "v2": [["nan", "f24:3F0000"]]}, {}]}`)))(t)
	require.Len(t, vs, 2)
	require.Equal(t, [4]float32{1, 2, 3, 4}, s.Setup.Float[0])
	require.Equal(t, [4]float32{5, 6, 0, 1}, s.Setup.Float[1])
	require.Equal(t, [4]uint8{3, 0, 1}, s.Setup.Int[0])
	require.Equal(t, uint16(1<<1|1<<7), s.Setup.Bool)
	require.Equal(t, float32(math.Inf(1)), s.Setup.Float[9][0])
	require.Equal(t, float32(math.Inf(-1)), vs[0][0][1])
	require.Equal(t, float32(1), vs[0][2][1])
	require.Equal(t, [4]float32{0, 0, 0, 1}, vs[1][0])

	vs = testkit.Must(s.ReadJSON([]byte(`[{"v15": [1]}]`)))(t)
	require.Equal(t, float32(1), vs[0][15][0])

	vs = testkit.Must(s.ReadCSV([]byte("# comment\nposition.x, \"extra.w\",v1.y\n0.5, \"2\",inf\n1,3,-1\n")))(t)
	require.Len(t, vs, 2)
	require.Equal(t, [4]float32{0.5, 0, 0, 1}, vs[0][0])
	require.Equal(t, float32(3), vs[1][2][3])

	r := testkit.Must(s.Run(&vs[1], nil, nil))(t)
	require.Equal(t, "texcoord0.xy = (0, 0)", r.Outputs[1].String())
}

func TestInputErrors(t *testing.T) {
	s := load(t, namedShader)
	for text, want := range map[string]string{
		`{"uniforms": {"projektion": [1]}}`:   `no uniform "projektion"; the shader has projection, loops, flags`,
		`{"uniforms": {"loops": [1,2]}}`:      "expected 4",
		`{"uniforms": {"loops": [1,2,300]}}`:  "integer from 0 to 255",
		`{"uniforms": {"flags": [1]}}`:        "expected 2",
		`{"uniforms": {"projection": []}}`:    "expected 1 to 16",
		`{"uniforms": {"projection[4]": 1}}`:  "has 4 registers",
		`{"uniforms": {"projection[x]": 1}}`:  "number in brackets",
		`{"uniforms": {"c96": 1}}`:            "there are c0-c95",
		`{"uniforms": {"c0": "many"}}`:        "not a number",
		`{"uniforms": {"c0": [[1], "many"]}}`: "not a number",
		`{"uniforms": {"c1x": 1}}`:            `no uniform "c1x"`,
		`{"uniforms": {"cx": 1}}`:             `no uniform "cx"`,
		`{"vertices": [{"colour": [1]}]}`:     `vertex 0: no input "colour"`,
		`{"vertices": [{"v0": [1,2,3,4,5]}]}`: "at most 4",
		`{"vertexes": []}`:                    "unknown field",
		`{`:                                   "unexpected EOF",
	} {
		_, err := s.ReadJSON([]byte(text))
		require.ErrorContains(t, err, want, text)
	}
	for text, want := range map[string]string{
		"":                       "names of the columns",
		"position\n1\n":          "expected an input and a component",
		"position.q\n1\n":        "expected an input and a component",
		"colour.x\n1\n":          "no input",
		"position.x\nfoo\n":      "line 2, column 1",
		"position.x,v1.x\n1\n":   "wrong number of fields",
		"position.x\nf24:xyz\n1": "hexadecimal",
	} {
		_, err := s.ReadCSV([]byte(text))
		require.ErrorContains(t, err, want, text)
	}
	_, err := Load(mustAssemble(t, namedShader).File, 1)
	require.ErrorContains(t, err, "no executable 1")
}

// Registers can be given by number, up to the last of their kind.
func TestRegistersByNumber(t *testing.T) {
	s := load(t, namedShader)
	for name, last := range map[string]uint16{"v": 15, "c": 95, "i": 3, "b": 15} {
		letters := "cib"
		if name == "v" {
			letters = "v"
		}
		first, _, err := s.lookup(name+"0", letters)
		require.NoError(t, err)
		from, to, err := s.lookup(fmt.Sprint(name, last), letters)
		require.NoError(t, err)
		require.Equal(t, [2]uint16{first + last, first + last}, [2]uint16{from, to}, name)
		_, _, err = s.lookup(fmt.Sprint(name, last+1), letters)
		require.ErrorContains(t, err, fmt.Sprintf("there are %s0-%s%d", name, name, last))
	}
}

func mustAssemble(t testing.TB, text string) *asm.Program {
	prog, diags := asm.Assemble(asm.Options{}, asm.Source{Name: "t", Text: []byte(text)})
	require.NoError(t, diags.Err())
	return prog
}

func TestEndlessProgram(t *testing.T) {
	s := load(t, ".proc main\nagain:\n\tjmpu !b0, again\n\tend\n.end")
	s.MaxSteps = 100
	_, err := s.Run(&Vertex{}, nil, nil)
	require.ErrorContains(t, err, "never reaches END")
}

func FuzzInputs(f *testing.F) {
	f.Add([]byte(`{"uniforms": {"projection": [[1,2],3]}, "vertices": [{"v0": ["nan"]}]}`), false)
	f.Add([]byte("position.x,v1.w\n1,2\n"), true)
	prog := mustAssemble(f, namedShader)
	f.Fuzz(func(t *testing.T, data []byte, isCSV bool) {
		s := testkit.Must(Load(prog.File, 0))(t)
		if isCSV {
			_, _ = s.ReadCSV(data)
		} else {
			_, _ = s.ReadJSON(data)
		}
	})
}

func TestOutputNames(t *testing.T) {
	s := load(t, ".out a texcoord0 o1.xy\n.out - texcoord0w o1.z\n.out p position o0\n.proc main\n\tmov a.x, v0\n\tmov p, v0\n\tmov r3, v0\n\tend\n.end")
	require.Equal(t, "texcoord0/texcoord0w", s.outputName(1))
	require.Equal(t, "", s.outputName(2))
	var lines []string
	_, err := s.Run(&Vertex{}, func(r Record) { lines = append(lines, s.TraceLine(r)) }, nil)
	require.NoError(t, err)
	require.Contains(t, lines[0], "mov texcoord0/texcoord0w.x, v0")
	require.Contains(t, lines[0], "-> o1=(0, 0, 0, 1)")
	require.Contains(t, lines[1], "mov position, v0")
	require.Contains(t, lines[2], "mov r3, v0")
}
