package shaderunit

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

var plainDesc = MakeOpDesc(MaskXYZW, [3]uint8{SwizzleXYZW, SwizzleXYZW, SwizzleXYZW}, [3]bool{})

// newSetup puts instructions into a Setup; they use descriptor 0 unless they name another.
func newSetup(t testing.TB, code ...Instr) *Setup {
	s := &Setup{OutMask: 0xFFFF}
	s.SetDesc(0, uint32(plainDesc))
	for i, in := range code {
		w := testkit.Must(in.Encode())(t)
		s.SetCode(i, w)
	}
	return s
}

var end = Instr{Op: OpEND}

func r(n int) SrcReg  { return SrcTemp + SrcReg(n) }
func c(n int) SrcReg  { return SrcUniform + SrcReg(n) }
func rd(n int) DstReg { return DstTemp + DstReg(n) }

func inf(sign int) float32 { return float32(math.Inf(sign)) }

// class formats a number: all NaN are equal, and -0 differs from 0.
func class(x float32) string {
	if x != x {
		return "NaN"
	}
	if x == 0 && math.Signbit(float64(x)) {
		return "-0"
	}
	return fmt.Sprint(x)
}

// floatRules are hardware results from aroulin/3ds-gpu-tests (fp-tests) and the 3dbrew page, one instruction each.
var floatRules = func() (rules []floatRule) {
	n := nan
	pi, ni := inf(1), inf(-1)
	sub := math.Float32frombits(minNormalBits - 1<<7) // largest subnormal of float24
	min := math.Float32frombits(minNormalBits)
	negZero := math.Float32frombits(signBit)
	return []floatRule{
		{OpRCP, 0, 0, 0, pi}, {OpRCP, negZero, 0, 0, pi}, {OpRCP, pi, 0, 0, 0}, {OpRCP, ni, 0, 0, 0}, {OpRCP, n, 0, 0, n}, {OpRCP, sub, 0, 0, pi},
		{OpRSQ, 0, 0, 0, pi}, {OpRSQ, negZero, 0, 0, pi}, {OpRSQ, 1, 0, 0, 1}, {OpRSQ, 4, 0, 0, 0.5}, {OpRSQ, -1, 0, 0, n}, {OpRSQ, pi, 0, 0, 0}, {OpRSQ, ni, 0, 0, n}, {OpRSQ, n, 0, 0, n}, {OpRSQ, -2, 0, 0, n},
		{OpMAX, 0, pi, 0, pi}, {OpMAX, 0, ni, 0, 0}, {OpMAX, 0, n, 0, n}, {OpMAX, n, 0, 0, 0}, {OpMAX, ni, pi, 0, pi}, {OpMAX, sub, 0, 0, sub},
		{OpMIN, 0, pi, 0, 0}, {OpMIN, 0, ni, 0, ni}, {OpMIN, 0, n, 0, n}, {OpMIN, n, 0, 0, 0}, {OpMIN, ni, pi, 0, ni},
		{OpADD, pi, ni, 0, n}, {OpADD, 1, 2, 0, 3}, {OpADD, sub, sub, 0, 0},
		{OpMUL, pi, 0, 0, 0}, {OpMUL, 0, pi, 0, 0}, {OpMUL, n, 0, 0, n}, {OpMUL, 0, n, 0, n}, {OpMUL, sub, 2, 0, 0}, {OpMUL, min, 0.5, 0, 0}, {OpMUL, 0, -1, 0, 0}, {OpMUL, 1 << 40, 1 << 40, 0, pi}, {OpMUL, 1 << 40, -(1 << 40), 0, ni},
		{OpMAD, pi, 0, 1, 1}, {OpMAD, 2, 3, 4, 10},
		{OpDP4, pi, 0, 0, 0}, {OpDP3, ni, 0, 0, 0}, {OpDPH, pi, 0, 0, 0},
		{OpSGE, 0, n, 0, 0}, {OpSGE, n, 0, 0, 0}, {OpSGE, 1, 1, 0, 1}, {OpSLT, 0, n, 0, 0}, {OpSLT, n, 0, 0, 0}, {OpSLT, -1, 1, 0, 1},
		{OpFLR, -0.1, 0, 0, -1}, {OpFLR, 2.5, 0, 0, 2}, {OpFLR, -2, 0, 0, -2}, {OpFLR, pi, 0, 0, pi}, {OpFLR, n, 0, 0, n}, {OpFLR, 1 << 40, 0, 0, 1 << 40}, {OpFLR, 0.5, 0, 0, 0},
		{OpEX2, ni, 0, 0, 0}, {OpEX2, pi, 0, 0, pi}, {OpEX2, n, 0, 0, n}, {OpEX2, 10, 0, 0, 1024}, {OpEX2, -1, 0, 0, 0.5}, {OpEX2, 64, 0, 0, pi}, {OpEX2, -63, 0, 0, 0}, {OpEX2, -62, 0, 0, min},
		{OpLG2, 0, 0, 0, ni}, {OpLG2, negZero, 0, 0, ni}, {OpLG2, -1, 0, 0, n}, {OpLG2, 1, 0, 0, 0}, {OpLG2, 8, 0, 0, 3}, {OpLG2, 0.25, 0, 0, -2}, {OpLG2, pi, 0, 0, pi}, {OpLG2, n, 0, 0, n},
		{OpMOV, sub, 0, 0, sub}, {OpMOV, negZero, 0, 0, 0}, {OpMOV, n, 0, 0, n},
	}
}()

type floatRule struct {
	op      Opcode
	a, b, c float32
	want    float32
}

func TestFloatRules(t *testing.T) {
	pi, ni := inf(1), inf(-1)
	for _, c := range floatRules {
		s := newSetup(t, Instr{Op: c.op, Src: [3]SrcReg{0, 1, 2}}, end)
		var it Interpreter
		it.In[0], it.In[1], it.In[2] = splat(c.a), splat(c.b), splat(c.c)
		require.NoError(t, it.Run(s))
		require.Equal(t, class(c.want), class(it.Out()[0][0]), "%s %g %g %g", c.op, c.a, c.b, c.c)
	}
	// rsq(rcp(-inf)) = +inf because there is no -0; rsq(-0) by negation is the same.
	s := newSetup(t, Instr{Op: OpRCP, Dst: rd(0)}, Instr{Op: OpRSQ, Src: [3]SrcReg{r(0)}}, end)
	var it Interpreter
	it.In[0] = splat(ni)
	require.NoError(t, it.Run(s))
	require.Equal(t, pi, it.Out()[0][0])
	// 1 can be halved 62 times, the 63rd gives 0 (3dbrew).
	x, times := float32(1), 0
	for ; x != 0; times++ {
		x = mul24(x, 0.5)
	}
	require.Equal(t, 63, times)
	// sh_rcp frame 1: the pixel that shows rcp(10) is 0x19, so it is below 0.1.
	require.Equal(t, 0x19, int(rcp24(10)*255))
}

func TestTranscendentalAccuracy(t *testing.T) {
	// Rounded results are off by at most one unit of float24. The numbers are compared before testify is called, which is slow.
	near := func(want, got float64, op string, x float32) {
		if !(math.Abs(want-got) <= math.Abs(want)/65536) {
			require.InEpsilon(t, want, got, 1.0/65536, "%s %g", op, x)
		}
	}
	for i := range 125000 {
		x := round24(float32(i)/1000 - 62)
		want := math.Exp2(float64(x))
		got := float64(ex224(x))
		near(want, got, "ex2", x)
		y := round24(float32(want))
		if y <= 0 || y >= 1<<61 {
			continue
		}
		l := math.Log2(float64(y))
		if got := float64(lg224(y)); !(math.Abs(got-l) <= math.Max(math.Abs(l)/65536, 1e-9)) {
			require.InDelta(t, l, got, math.Max(math.Abs(l)/65536, 1e-9), "lg2 %g", y)
		}
		near(1/float64(y), float64(rcp24(y)), "rcp", y)
		near(1/math.Sqrt(float64(y)), float64(rsq24(y)), "rsq", y)
	}
}

// vectorOps are the expected results for the sources in TestVectorOps.
var vectorOps = []struct {
	op   Opcode
	want vec4
}{
	{OpDP3, splat(38)}, {OpDP4, splat(70)}, {OpDPH, splat(46)}, {OpDST, vec4{1, 12, 3, 8}},
	{OpMUL, vec4{5, 12, 21, 32}}, {OpADD, vec4{6, 8, 10, 12}}, {OpMAD, vec4{4, 12.5, -279, 30}},
	{OpDPHI, splat(46)}, {OpDSTI, vec4{1, 12, 3, 8}}, {OpSGEI, splat(0)}, {OpSLTI, splat(1)}, {OpMADI, vec4{4, 12.5, -279, 30}},
	{OpLITP, vec4{1, 2, 0, 4}},
}

// Every operation with a kernel has a row in floatRules or vectorOps.
func TestEveryKernelHasExpectedResults(t *testing.T) {
	tested := map[Opcode]bool{}
	for _, c := range floatRules {
		tested[c.op] = true
	}
	for _, c := range vectorOps {
		tested[c.op] = true
	}
	for _, info := range Instructions() {
		if info.kernel != nil {
			require.True(t, tested[info.Op], "%s has no row in floatRules or vectorOps", info.Op)
		}
	}
}

func TestVectorOps(t *testing.T) {
	v0, v1, v2 := vec4{1, 2, 3, 4}, vec4{5, 6, 7, 8}, vec4{-1, 0.5, -300, -2}
	for _, c := range vectorOps {
		s := newSetup(t, Instr{Op: c.op, Src: [3]SrcReg{0, 1, 2}}, end)
		var it Interpreter
		it.In[0], it.In[1], it.In[2] = v0, v1, v2
		require.NoError(t, it.Run(s))
		require.Equal(t, c.want, it.Out()[0], "%s", c.op)
	}
	// The inverted forms read uniforms as their second (third) source.
	s := newSetup(t, Instr{Op: OpSLTI, Dst: 0, Src: [3]SrcReg{0, c(3)}}, Instr{Op: OpMADI, Dst: 1, Src: [3]SrcReg{0, 1, c(3)}}, end)
	s.Float[3] = vec4{2, 2, 2, 2}
	var it Interpreter
	it.In[0], it.In[1] = v0, v1
	require.NoError(t, it.Run(s))
	require.Equal(t, vec4{1, 0, 0, 0}, it.Out()[0])
	require.Equal(t, vec4{7, 14, 23, 34}, it.Out()[1])

	// LITP and its flags.
	s = newSetup(t, Instr{Op: OpLITP, Dst: 0, Src: [3]SrcReg{2}}, end)
	it.In[2] = v2
	require.NoError(t, it.Run(s))
	require.Equal(t, vec4{0, 0.5, 0, 0}, it.Out()[0])
	require.Equal(t, [2]bool{false, false}, it.Cmp)
	it.In[2] = vec4{1, -300, 5, 0}
	require.NoError(t, it.Run(s))
	require.Equal(t, vec4{1, -127.99609375, 0, 0}, it.Out()[0])
	require.Equal(t, [2]bool{true, true}, it.Cmp)
}

func TestSwizzleNegationMask(t *testing.T) {
	s := newSetup(t, Instr{Op: OpADD, Desc: 1, Src: [3]SrcReg{0, 1}}, end)
	s.SetDesc(1, uint32(MakeOpDesc(0x5, [3]uint8{0xE4, 0x00, 0}, [3]bool{true, false}))) // o0.yw, -v0.wzyx, v1.xxxx
	var it Interpreter
	it.In[0], it.In[1] = vec4{1, 2, 3, 4}, vec4{10, 0, 0, 0}
	require.NoError(t, it.Run(s))
	require.Equal(t, vec4{0, 7, 0, 9}, it.Out()[0])
}

func TestRelativeAddressing(t *testing.T) {
	for _, c := range []struct {
		base   int
		offset float32
		want   float32 // the register read; -1: ones
	}{
		{8, 3, 11}, {8, -3, 5}, {8, 0.9, 8}, {8, -0.9, 8}, {8, 127, 7}, {8, 87, 95}, {8, 88, -1},
		{8, 128, 8}, {8, -128, 8}, {8, -129, 8}, {0, -1, -1}, {0, -128, 0}, {0, 1e9, 0}, {3, nan, 3}, {3, inf(1), 3}, {95, 1, -1}, {95, 33, 0},
	} {
		for _, idx := range []AddrReg{AddrA0X, AddrA0Y} {
			s := newSetup(t, Instr{Op: OpMOVA}, Instr{Op: OpMOV, Src: [3]SrcReg{SrcUniform + SrcReg(c.base)}, Idx: idx}, end)
			for i := range s.Float {
				s.Float[i] = splat(float32(i) + 1000)
			}
			var it Interpreter
			it.In[0] = splat(c.offset)
			require.NoError(t, it.Run(s))
			want := c.want + 1000
			if c.want < 0 {
				want = 1
			}
			require.Equal(t, want, it.Out()[0][0], "c%d + %g", c.base, c.offset)
		}
	}
	// The address register affects only uniforms.
	s := newSetup(t, Instr{Op: OpMOVA}, Instr{Op: OpMOV, Src: [3]SrcReg{0}, Idx: AddrA0X}, end)
	var it Interpreter
	it.In[0] = splat(5)
	require.NoError(t, it.Run(s))
	require.Equal(t, float32(5), it.Out()[0][0])
}

func TestCompareCodes(t *testing.T) {
	for op := CompareEQ; op <= compareTrue7; op++ {
		for _, x := range []float32{-1, 0, 1, nan} {
			s := newSetup(t, Instr{Op: OpCMP, Src: [3]SrcReg{0, 1}, CmpX: op, CmpY: op}, end)
			var it Interpreter
			it.In[0] = splat(x)
			require.NoError(t, it.Run(s))
			want := map[CompareOp]bool{CompareEQ: x == 0, CompareNE: x != 0, CompareLT: x < 0, CompareLE: x <= 0, CompareGT: x > 0, CompareGE: x >= 0, CompareTrue6: true, compareTrue7: true}[op]
			require.Equal(t, [2]bool{want, want}, it.Cmp, "%g %s 0", x, op)
		}
	}
}

// path runs a program and returns the program counters.
func path(t *testing.T, s *Setup) (string, error) {
	var b strings.Builder
	it := Interpreter{MaxSteps: 200}
	it.Reset()
	it.Trace = func(st *Step) { fmt.Fprintf(&b, "%d ", st.PC) }
	err := it.Run(s)
	return strings.TrimSpace(b.String()), err
}

func TestFlowControl(t *testing.T) {
	nop := Instr{Op: OpNOP}
	for _, c := range []struct {
		name string
		code []Instr
		want string
	}{
		{"if true", []Instr{{Op: OpIFU, Uniform: 0, Dest: 2, Num: 1}, nop, nop, end}, "0 1 3"},
		{"if false", []Instr{{Op: OpIFU, Uniform: 1, Dest: 2, Num: 1}, nop, nop, end}, "0 2 3"},
		{"ifc", []Instr{{Op: OpIFC, Cond: CondX, Dest: 2, Num: 1}, nop, nop, end}, "0 1 3"},
		{"call", []Instr{{Op: OpCALL, Dest: 3, Num: 2}, nop, end, nop, nop, end}, "0 3 4 1 2"},
		{"callu true", []Instr{{Op: OpCALLU, Uniform: 0, Dest: 2, Num: 1}, end, nop}, "0 2 1"},
		{"callu false", []Instr{{Op: OpCALLU, Uniform: 1, Dest: 2, Num: 1}, end, nop}, "0 1"},
		{"callc", []Instr{{Op: OpCALLC, Cond: CondAnd, Dest: 2, Num: 1}, end, nop}, "0 2 1"},
		{"jmpu", []Instr{{Op: OpJMPU, Uniform: 0, Dest: 2}, nop, end}, "0 2"},
		{"jmpu inverted", []Instr{{Op: OpJMPU, Uniform: 0, Num: 1, Dest: 2}, nop, end}, "0 1 2"},
		{"jmpc", []Instr{{Op: OpJMPC, Cond: CondOr, RefX: true, Dest: 2}, nop, end}, "0 2"},
		{"loop", []Instr{{Op: OpLOOP, Uniform: 0, Dest: 2}, nop, nop, end}, "0 1 2 1 2 1 2 3"},
		{"break", []Instr{{Op: OpLOOP, Uniform: 0, Dest: 3}, nop, {Op: OpBREAK}, nop, end}, "0 1 2 4"},
		{"breakc", []Instr{{Op: OpLOOP, Uniform: 0, Dest: 2}, {Op: OpBREAKC, Cond: CondY}, nop, end}, "0 1 3"},
		{"nested loops", []Instr{{Op: OpLOOP, Uniform: 1, Dest: 3}, {Op: OpLOOP, Uniform: 1, Dest: 2}, nop, nop, end}, "0 1 2 2 3 1 2 2 3 4"},
		// Two calls that end at the same position return through both.
		{"call at the end of a call", []Instr{{Op: OpCALL, Dest: 2, Num: 2}, end, nop, {Op: OpCALL, Dest: 4, Num: 1}, nop, end}, "0 2 3 4 1"},
		// A jump as the last instruction of a procedure is not taken.
		{"jump at the end of a call", []Instr{{Op: OpCALL, Dest: 2, Num: 1}, end, {Op: OpJMPU, Uniform: 0, Dest: 5}, nop, nop, end}, "0 2 1"},
		// At the same end, LOOP takes precedence over IF: the IF ends, the loop continues.
		{"if at the end of a loop", []Instr{{Op: OpLOOP, Uniform: 1, Dest: 2}, {Op: OpIFU, Uniform: 0, Dest: 3, Num: 1}, nop, end, end}, "0 1 2 1 2 3"},
		// Each stack but that of calls loses one entry at an instruction.
		{"two ifs end at one position", []Instr{{Op: OpIFU, Dest: 3, Num: 2}, {Op: OpIFU, Dest: 3}, nop, nop, nop, end}, "0 1 2 3 4 5"},
		{"two loops end at one position", []Instr{{Op: OpLOOP, Uniform: 1, Dest: 3}, {Op: OpLOOP, Uniform: 1, Dest: 3}, nop, nop, end}, "0 1 2 3 2 3 4"},
		// Four returns in a row (after the first 5): the fourth does not take effect, so that the program continues at 3, where the
		// third returns.
		{"fourth return lost", []Instr{{Op: OpCALL, Dest: 2, Num: 1}, end, {Op: OpCALL, Dest: 3, Num: 1}, {Op: OpCALL, Dest: 4, Num: 1}, {Op: OpCALL, Dest: 5, Num: 1}, nop, end}, "0 2 3 4 5 3 4 5 4 5 5 6"},
	} {
		s := newSetup(t, c.code...)
		s.Bool = 1
		s.Int[0], s.Int[1] = [4]uint8{2, 0, 1}, [4]uint8{1, 0, 1}
		got := testkit.Must(path(t, s))(t, c.name)
		require.Equal(t, c.want, got, c.name)
	}
}

func TestLoopCounter(t *testing.T) {
	// o0 counts c[aL] of the inner loop; after it aL has its outer value, after the outer loop the value of the last step.
	s := newSetup(t,
		Instr{Op: OpLOOP, Uniform: 0, Dest: 3},
		Instr{Op: OpLOOP, Uniform: 1, Dest: 2},
		Instr{Op: OpADD, Dst: rd(0), Src: [3]SrcReg{c(0), r(0)}, Idx: AddrAL},
		Instr{Op: OpADD, Dst: rd(1), Src: [3]SrcReg{c(0), r(1)}, Idx: AddrAL},
		end)
	for i := range s.Float {
		s.Float[i] = splat(float32(i))
	}
	s.Int[0], s.Int[1] = [4]uint8{2, 10, 5}, [4]uint8{1, 20, 30}
	var it Interpreter
	require.NoError(t, it.Run(s))
	require.Equal(t, float32(3*(20+50)), it.Temp[0][0])
	require.Equal(t, float32(10+15+20), it.Temp[1][0])
	require.Equal(t, int32(25), it.Flow.AL)
	require.Zero(t, it.Flow.NumLp)
}

func TestStackOverflowDropsOldest(t *testing.T) {
	var f Flow
	for i := range uint16(10) {
		push(f.Call[:], &f.NumCall, CallEntry{i, i})
		push(f.If[:], &f.NumIf, IfEntry{i, i})
		push(f.Loop[:], &f.NumLp, LoopEntry{Start: i})
	}
	require.Equal(t, []CallEntry{{6, 6}, {7, 7}, {8, 8}, {9, 9}}, f.Calls())
	require.Len(t, f.Ifs(), IfDepth)
	require.Equal(t, IfEntry{2, 2}, f.Ifs()[0])
	require.Equal(t, uint16(6), f.Loops()[0].Start)
}

func TestExecutionErrors(t *testing.T) {
	for _, c := range []struct {
		code []Instr
		want string
	}{
		{[]Instr{{Op: OpJMPU, Num: 1, Dest: 0}}, "instruction 0x000: shader never reaches END: stopped after 200 instructions"},
		{[]Instr{{Op: OpJMPU, Num: 1, Dest: 4094}}, "instruction 0x1000: shader never reaches END: it runs out of the code memory, which has 512 instructions for vertex shaders"},
		{[]Instr{{Op: OpBREAK}}, "instruction 0x000: BREAK outside LOOP hangs the GPU"},
		{[]Instr{{Op: OpNOP}, {Op: OpBREAKC}}, "instruction 0x001: BREAKC outside LOOP hangs the GPU"},
		{[]Instr{{Op: 0x10}}, "instruction 0x000: opcode 0x10 does not exist"},
		{[]Instr{{Op: OpSETEMIT}}, "instruction 0x000: SETEMIT in a vertex shader"},
		{[]Instr{{Op: OpEMIT}}, "instruction 0x000: EMIT in a vertex shader"},
	} {
		s := newSetup(t, c.code...)
		it := Interpreter{MaxSteps: 200}
		it.Reset()
		require.ErrorContains(t, it.Run(s), c.want)
		e := NewEngine()
		e.MaxSteps = 200
		require.ErrorContains(t, e.RunVertices(s, new(Batch), 3), c.want)
	}
	s := newSetup(t, Instr{Op: OpEMIT}, end)
	it := Interpreter{Emit: func(Emission) error { return nil }}
	it.Reset()
	require.ErrorContains(t, it.Run(s), "EMIT without SETEMIT")
}

func TestEmitInstruction(t *testing.T) {
	s := newSetup(t,
		Instr{Op: OpMOV, Dst: 0, Src: [3]SrcReg{0}},
		Instr{Op: OpSETEMIT, VertexID: 2, PrimEmit: true, Winding: true},
		Instr{Op: OpEMIT},
		Instr{Op: OpSETEMIT, VertexID: 1},
		Instr{Op: OpEMIT},
		Instr{Op: OpEMIT},
		end)
	var got []string
	var it Interpreter
	it.Emit = func(e Emission) error {
		got = append(got, fmt.Sprint(e.VertexID, e.PrimEmit, e.Winding, e.Out[0][0]))
		return nil
	}
	it.In[0] = splat(7)
	require.NoError(t, it.Run(s))
	// The second EMIT uses the other bank, the third the first bank again.
	require.Equal(t, []string{"2 true true 7", "1 false false 0", "1 false false 7"}, got)
	// Registers and banks are kept for the next run.
	it.In[0] = splat(8)
	require.NoError(t, it.Run(s))
	require.Equal(t, "1 false false 7", got[4])
}

func TestTraceStep(t *testing.T) {
	s := newSetup(t, Instr{Op: OpMOVA, Src: [3]SrcReg{0}}, Instr{Op: OpADD, Dst: rd(3), Src: [3]SrcReg{c(1), 0}, Idx: AddrA0Y}, end)
	s.Float[3] = splat(10)
	var it Interpreter
	var steps []Step
	it.Trace = func(st *Step) { steps = append(steps, *st) }
	it.In[0] = vec4{1, 2, 3, 4}
	require.NoError(t, it.Run(s))
	require.Len(t, steps, 3)
	require.Equal(t, [2]int32{1, 2}, steps[0].A0)
	require.Equal(t, splat(10), steps[1].Src[0])
	require.Equal(t, vec4{11, 12, 13, 14}, steps[1].Dst)
	require.Equal(t, OpEND, steps[2].Instr.Op)
	require.Equal(t, 3, it.Steps)
}
