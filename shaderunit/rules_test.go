package shaderunit

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
)

// Rules of docs/accuracy that no larger test covers.

// runs returns o0 of a program, from the interpreter and the batch engine.
func runs(t *testing.T, s *Setup, in ...vec4) vec4 {
	t.Helper()
	var it Interpreter
	copy(it.In[:], in)
	require.NoError(t, it.Run(s))
	b := new(Batch)
	for r, v := range in {
		for c := range v {
			b.In(r, c)[0] = v[c]
		}
	}
	require.NoError(t, NewEngine().RunVertices(s, b, 1))
	for c, want := range it.Out()[0] {
		require.Equal(t, class(want), class(b.Out(0, c)[0]), "the engine differs in component %d", c)
	}
	return it.Out()[0]
}

// of returns the result of one instruction. Operands are uniforms, which may hold any number; batch inputs are never subnormal.
func of(t *testing.T, op Opcode, in ...vec4) vec4 {
	t.Helper()
	var code []Instr
	for i := range in {
		code = append(code, Instr{Op: OpMOV, Dst: rd(i), Src: [3]SrcReg{c(i)}})
	}
	s := newSetup(t, append(code, Instr{Op: op, Src: [3]SrcReg{r(0), r(1), r(2)}}, end)...)
	copy(s.Float[:], in)
	return runs(t, s)
}

// Magnitudes from 2^64 on overflow to infinity; the greatest number below is kept.
func TestOverflowThreshold(t *testing.T) {
	const greatest = float32(0x1.FFFFp63)
	require.Equal(t, greatest, of(t, OpADD, splat(greatest), splat(0))[0])
	require.Equal(t, inf(1), of(t, OpADD, splat(0x1p63), splat(0x1p63))[0])
	require.Equal(t, inf(-1), of(t, OpADD, splat(-0x1p63), splat(-0x1p63))[0])
	require.Equal(t, greatest, ToFloat24(greatest))
	require.Equal(t, inf(1), ToFloat24(0x1p64))
}

// Comparisons use subnormal numbers as they are; FLR and arithmetic treat them as 0.
func TestSubnormalsByInstruction(t *testing.T) {
	sub := math.Float32frombits(minNormalBits - 1<<7)
	require.Equal(t, float32(1), of(t, OpSLT, splat(0), splat(sub))[0])
	require.Equal(t, float32(0), of(t, OpSGE, splat(0), splat(sub))[0])
	require.Equal(t, sub, of(t, OpLITP, vec4{sub, 0, 0, sub})[0])
	require.Equal(t, sub, of(t, OpLITP, vec4{sub, 0, 0, sub})[3])
	require.Equal(t, vec4{1, 0, sub, sub}, of(t, OpDST, vec4{0, 1, sub, 0}, vec4{0, 0, 0, sub}))
	require.Equal(t, float32(0), of(t, OpFLR, splat(-sub))[0], "FLR of a negative subnormal is 0, not -1")
	require.Equal(t, float32(0), of(t, OpDP4, splat(sub), splat(0x1p60))[0])
}

// MAD rounds its product before it adds.
func TestMADRoundsTwice(t *testing.T) {
	// (1 + 2^-16)^2 = 1 + 2^-15 + 2^-32, of which float24 keeps 1 + 2^-15.
	x := splat(1 + 0x1p-16)
	require.Equal(t, float32(0), of(t, OpMAD, x, x, splat(-1-0x1p-15))[0])
	require.Equal(t, float32(1+0x1p-15), of(t, OpMUL, x, x)[0])
}

// Dot products add from x to w and are truncated once, at the end.
func TestDotProductOrder(t *testing.T) {
	one := splat(1)
	// In float32, (2^24 + 1) + 1 loses both ones, 2^24 + (1 + 1) neither.
	require.Equal(t, float32(0), of(t, OpDP4, vec4{0x1p24, 1, 1, -0x1p24}, one)[0])
	require.Equal(t, float32(2), of(t, OpDP4, vec4{1, 1, 0x1p24, -0x1p24}, one)[0])
	require.Equal(t, float32(0), of(t, OpDP3, vec4{0x1p24, 1, -0x1p24}, one)[0])
	// Products are not truncated before the sum: their last bits count.
	y := vec4{1 + 0x1p-10 + 0x1p-11, -1, 0, 0}
	product := float32(y[0] * y[0])
	require.NotEqual(t, round24(product)-1, product-1, "the example distinguishes one truncation from two")
	require.Equal(t, round24(product-1), of(t, OpDP4, y, vec4{y[0], 1, 0, 0})[0])
}

// Moves keep the bits of a NaN; arithmetic gives the positive quiet NaN.
func TestNaNBits(t *testing.T) {
	odd := math.Float32frombits(0xFFC12380)
	require.Equal(t, math.Float32bits(odd), math.Float32bits(of(t, OpMOV, splat(odd))[0]))
	require.Equal(t, uint32(quietNaN), math.Float32bits(of(t, OpADD, splat(odd), splat(1))[0]))
}

// The low two bits of the number select the integer uniform of a LOOP.
func TestIntUniformNumber(t *testing.T) {
	s := newSetup(t, Instr{Op: OpMOV, Dst: rd(0), Src: [3]SrcReg{c(0)}},
		Instr{Op: OpLOOP, Uniform: 2 + 4, Dest: 2}, Instr{Op: OpADD, Dst: rd(0), Src: [3]SrcReg{0, r(0)}},
		Instr{Op: OpMOV, Dst: 0, Src: [3]SrcReg{r(0)}}, end)
	s.Int[2] = [4]uint8{4, 0, 0, 0}
	require.Equal(t, float32(5), runs(t, s, splat(1))[0])
}

// CMP ignores the destination mask.
func TestCompareIgnoresTheMask(t *testing.T) {
	s := newSetup(t, Instr{Op: OpCMP, Desc: 1, Src: [3]SrcReg{0, 1}, CmpX: CompareLT, CmpY: CompareGT},
		Instr{Op: OpIFC, Cond: CondX, RefX: true, Dest: 3, Num: 0}, Instr{Op: OpMOV, Dst: 0, Src: [3]SrcReg{1}}, end)
	s.SetDesc(1, uint32(MakeOpDesc(0, [3]uint8{SwizzleXYZW, SwizzleXYZW, SwizzleXYZW}, [3]bool{})))
	require.Equal(t, float32(2), runs(t, s, splat(1), splat(2))[0])
}

// Two consecutive MOVA hang, in interpreter and batches, for any program; with an instruction between them they do not.
func TestConsecutiveMOVAHangs(t *testing.T) {
	mova, nop := Instr{Op: OpMOVA, Src: [3]SrcReg{0}}, Instr{Op: OpNOP}
	for _, c := range []struct {
		name  string
		code  []Instr
		hangs string // the address; empty: does not hang
	}{
		{"one after the other", []Instr{mova, mova, end}, "0x001"},
		{"to the components apart", []Instr{{Op: OpMOVA, Desc: 1}, {Op: OpMOVA, Desc: 2}, end}, "0x001"},
		{"one", []Instr{mova, end}, ""},
		{"something in between", []Instr{mova, nop, mova, nop, mova, end}, ""},
		{"by the end of a call", []Instr{{Op: OpCALL, Dest: 3, Num: 1}, mova, end, mova}, "0x001"},
		{"by the start of a call", []Instr{mova, {Op: OpCALL, Dest: 3, Num: 1}, end, mova}, ""},
		{"by the end of an if", []Instr{{Op: OpIFU, Dest: 2, Num: 1}, mova, nop, mova, end}, "0x003"},
		{"by the if not taken", []Instr{{Op: OpIFU, Uniform: 1, Dest: 2, Num: 1}, mova, nop, mova, end}, ""},
		{"a loop of one", []Instr{{Op: OpLOOP, Dest: 1}, mova, end}, "0x001"},
		{"a loop of two", []Instr{{Op: OpLOOP, Dest: 2}, mova, nop, end}, ""},
		{"after a loop", []Instr{{Op: OpLOOP, Dest: 2}, nop, mova, mova, end}, "0x003"},
		{"a loop run once", []Instr{{Op: OpLOOP, Uniform: 1, Dest: 1}, mova, end}, ""},
		{"by a jump", []Instr{mova, {Op: OpJMPU, Uniform: 0, Dest: 3}, nop, mova, end}, ""},
		{"where ways come together", []Instr{{Op: OpIFC, Cond: CondX, RefX: true, Dest: 2, Num: 1}, nop, mova, mova, end}, "0x003"},
		{"on the way that is taken", []Instr{{Op: OpIFC, Cond: CondX, Dest: 2, Num: 1}, mova, nop, mova, end}, "0x003"},
		{"on the way that is not", []Instr{{Op: OpIFC, Cond: CondX, RefX: true, Dest: 2, Num: 1}, mova, nop, nop, mova, end}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSetup(t, c.code...)
			s.SetDesc(1, uint32(MakeOpDesc(8, [3]uint8{SwizzleXYZW}, [3]bool{})))
			s.SetDesc(2, uint32(MakeOpDesc(4, [3]uint8{SwizzleXYZW}, [3]bool{})))
			s.Bool, s.OutMask = 1, 1
			s.Int[0], s.Int[1] = [4]uint8{2}, [4]uint8{0}
			var it Interpreter
			it.Reset()
			scalar := it.Run(s)
			var e Engine
			b := new(Batch)
			require.Equal(t, c.hangs == "", e.run(e.VertexProgram(s).p, s, b, 3), "batches report the hang too")
			batch := e.RunVertices(s, b, 3)
			if c.hangs == "" {
				require.NoError(t, scalar)
				require.NoError(t, batch)
				return
			}
			require.Equal(t, &VertexError{Lane: 0, Err: scalar}, batch)
			require.ErrorIs(t, scalar, pica.ErrHang)
			require.ErrorIs(t, batch, pica.ErrHang)
			require.ErrorContains(t, scalar, "instruction "+c.hangs+": MOVA right after another MOVA hangs the GPU")
		})
	}
}

// Unwritten temporaries and outputs are (0, 0, 0, 1) for every vertex, in interpreter and batches, in every lane and after any
// program.
func TestRegisterStartValues(t *testing.T) {
	xyz := MakeOpDesc(0b1110, [3]uint8{SwizzleXYZW, SwizzleXYZW, SwizzleXYZW}, [3]bool{})
	spoil := func() *Setup { // sets every temporary and output to 7
		var code []Instr
		for i := range 16 {
			code = append(code, Instr{Op: OpMOV, Dst: rd(i), Src: [3]SrcReg{c(0)}}, Instr{Op: OpMOV, Dst: DstReg(i), Src: [3]SrcReg{c(0)}})
		}
		s := newSetup(t, append(code, end)...)
		s.Float[0] = [4]float32{7, 7, 7, 7}
		return s
	}
	s := newSetup(t,
		Instr{Op: OpMOV, Dst: 0, Src: [3]SrcReg{r(15)}},         // o0 = r15
		Instr{Op: OpMOV, Dst: 1, Src: [3]SrcReg{c(1)}, Desc: 1}, // o1.xyz = c1
		Instr{Op: OpADD, Dst: rd(3), Src: [3]SrcReg{c(1), r(3)}},
		Instr{Op: OpMOV, Dst: 2, Src: [3]SrcReg{r(3)}}, // o2 = c1 + r3
		end)
	s.SetDesc(1, uint32(xyz))
	s.Float[1] = [4]float32{2, 3, 4, 5}
	want := [16][4]float32{0: {0, 0, 0, 1}, 1: {2, 3, 4, 1}, 2: {2, 3, 4, 6}}
	for i := 3; i < 16; i++ {
		want[i] = [4]float32{0, 0, 0, 1}
	}

	var it Interpreter
	it.Reset()
	require.NoError(t, it.Run(s))
	require.Equal(t, want, *it.Out())

	e, b := NewEngine(), new(Batch)
	for _, n := range []int{1, 5, 64, 3} {
		require.NoError(t, e.RunVertices(spoil(), b, Lanes))
		require.NoError(t, e.RunVertices(s, b, n))
		for lane := range n {
			for o := range want {
				for k := range 4 {
					require.Equal(t, want[o][k], b.Out(o, k)[lane], "batch of %d, lane %d, o%d", n, lane, o)
				}
			}
		}
	}
}

// A geometry shader's registers start the same and keep their values between runs.
func TestGeometryRegisterStartValues(t *testing.T) {
	s := newSetup(t,
		Instr{Op: OpMOV, Dst: 0, Src: [3]SrcReg{r(4)}},
		Instr{Op: OpSETEMIT}, Instr{Op: OpEMIT}, Instr{Op: OpNOP},
		Instr{Op: OpMOV, Dst: 1, Src: [3]SrcReg{r(4)}}, // into the other bank
		Instr{Op: OpSETEMIT}, Instr{Op: OpEMIT}, Instr{Op: OpNOP},
		Instr{Op: OpMOV, Dst: rd(4), Src: [3]SrcReg{c(0)}}, end)
	s.Float[0] = [4]float32{7, 7, 7, 7}
	var out [][2][4]float32
	it := Interpreter{Emit: func(e Emission) error { out = append(out, [2][4]float32{e.Out[0], e.Out[1]}); return nil }}
	it.Reset()
	require.NoError(t, it.Run(s))
	require.NoError(t, it.Run(s))
	start, seven := [4]float32{0, 0, 0, 1}, [4]float32{7, 7, 7, 7}
	require.Equal(t, [][2][4]float32{{start, start}, {start, start}, {seven, start}, {start, seven}}, out)
}

// LITP of NaN follows from MAX and MIN: the second operand is used.
func TestLitpOfNaN(t *testing.T) {
	s := newSetup(t, Instr{Op: OpLITP, Dst: 0, Src: [3]SrcReg{c(0)}}, end)
	nan := float32(math.NaN())
	s.Float[0] = [4]float32{nan, nan, nan, nan}
	var it Interpreter
	it.Reset()
	require.NoError(t, it.Run(s))
	require.Equal(t, [4]float32{0, 127.99609375, 0, 0}, it.Out()[0])
	require.Equal(t, [2]bool{}, it.Cmp)
	e, b := NewEngine(), new(Batch)
	require.NoError(t, e.RunVertices(s, b, 1))
	require.Equal(t, [4]float32{0, 127.99609375, 0, 0}, [4]float32{b.Out(0, 0)[0], b.Out(0, 1)[0], b.Out(0, 2)[0], b.Out(0, 3)[0]})
}

// Transcendental instructions give the exact result with the bits after the sixteenth truncated, unless the exact result is within
// 1/32 of a step of the last bit.
func TestTranscendentalsAreTruncated(t *testing.T) {
	for name, f := range map[string]struct {
		run   func(x float32) float32
		exact func(x float64) float64
		from  float64 // arguments are from .. from+1
		unit  float64 // value of the last bit of results
	}{
		"rcp": {rcp24, func(x float64) float64 { return 1 / x }, 1, 0x1p-17},
		"rsq": {rsq24, func(x float64) float64 { return 1 / math.Sqrt(x) }, 1, 0x1p-17},
		"ex2": {ex224, math.Exp2, 0, 0x1p-16},
		"lg2": {lg224, math.Log2, 1, 0x1p-17}, // smaller results have finer steps
	} {
		checked := 0
		for i := range 1 << 16 {
			x := f.from + float64(i)/(1<<16)
			y := f.exact(x) / f.unit
			steps, part := math.Modf(y)
			if part < 1.0/32 || part > 31.0/32 || y < 1<<16 {
				continue
			}
			checked++
			require.Equal(t, steps, math.Floor(float64(f.run(float32(x)))/f.unit), "%s %v", name, x)
		}
		require.Greater(t, checked, 20000, name)
	}
}
