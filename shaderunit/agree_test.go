package shaderunit

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// laneInputs fills three inputs with numbers that differ by component and lane, including special ones.
func laneInputs(b *Batch) {
	for r := range 3 {
		for c := range 4 {
			for l := range Lanes {
				v := float32((r*37+c*11+l*7)%23) - 9.5
				switch l % 9 {
				case 3:
					v = []float32{0, inf(1), nan, inf(-1)}[(c+r+l/9)%4]
				case 5:
					v = float32(int(v))
				}
				b.In(r, c)[l] = v
			}
		}
	}
}

// agree requires the same results from the batch engine and the interpreter in all lanes.
func agree(t *testing.T, e *Engine, s *Setup, what string) {
	t.Helper()
	got, want := new(Batch), new(Batch)
	laneInputs(got)
	want.rows = got.rows
	require.False(t, e.cache.program(s).scalar, what)
	require.NoError(t, e.RunVertices(s, got, Lanes), what)
	require.NoError(t, e.runScalar(s, want, Lanes), what)
	for r := range 16 {
		if s.OutMask>>r&1 == 0 {
			continue
		}
		for c := range 4 {
			for l := range Lanes {
				if g, w := got.Out(r, c)[l], want.Out(r, c)[l]; math.Float32bits(g) != math.Float32bits(w) && !(g != g && w != w) {
					t.Fatalf("%s: lane %d, o%d.%c = %v, want %v\n%s", what, l, r, "xyzw"[c], class(g), class(w), listing(s))
				}
			}
		}
	}
}

// Every computing instruction with every kind of operand in every position, with different signs and swizzles, and partial destination
// masks.
func TestEveryOperandKind(t *testing.T) {
	e := NewEngine()
	descs := []OpDesc{
		MakeOpDesc(MaskXYZW, [3]uint8{0x1B, 0x4E, 0x93}, [3]bool{}),
		MakeOpDesc(0xA, [3]uint8{0x72, 0x1B, 0xE4}, [3]bool{true, false, true}), // x and z
		MakeOpDesc(0x5, [3]uint8{0x1B, 0xB1, 0x39}, [3]bool{false, true, false}),
		MakeOpDesc(0x1, [3]uint8{0xE4, 0x00, 0xFF}, [3]bool{true, true, true}),
	}
	for _, op := range computing() {
		format := op.Info().Format
		for place := range 5 { // place of the wide operand
			for d, desc := range descs {
				in := Instr{Op: op, Desc: 3, Dst: rd(4), Src: [3]SrcReg{r(1), r(2), r(3)}, CmpX: CompareOp((place + d) % 6), CmpY: CompareOp((place + d + 3) % 6)}
				if d%2 == 1 {
					in.Src = [3]SrcReg{1, r(0), 2}
				}
				if w := format.Wide(); w >= 0 {
					switch place {
					case 1:
						in.Src[w] = 2
					case 2:
						in.Src[w] = c(9)
					case 3:
						in.Src[w], in.Idx = c(20), AddrA0X
					case 4:
						in.Src[w], in.Idx = c(60), AddrA0Y
					}
				} else if place > 0 {
					continue
				}
				code := []Instr{{Op: OpMOVA, Src: [3]SrcReg{2}}}
				for i := range 5 {
					code = append(code, Instr{Op: OpMOV, Desc: uint8(i % 3), Dst: rd(i), Src: [3]SrcReg{SrcReg(i % 3)}})
				}
				code = append(code, in)
				for i := range 5 {
					code = append(code, Instr{Op: OpMOV, Dst: DstReg(i), Src: [3]SrcReg{r(i)}})
				}
				code = append(code, Instr{Op: OpIFC, Cond: CondX, RefX: true, Dest: uint16(len(code) + 2)}, Instr{Op: OpMOV, Dst: 5, Src: [3]SrcReg{0}},
					Instr{Op: OpIFC, Cond: CondY, RefY: true, Dest: uint16(len(code) + 4)}, Instr{Op: OpMOV, Dst: 6, Src: [3]SrcReg{1}}, end)
				s := newSetup(t, code...)
				s.OutMask = 0x7F
				s.SetDesc(1, uint32(MakeOpDesc(MaskXYZW, [3]uint8{0x39, 0, 0}, [3]bool{true})))
				s.SetDesc(2, uint32(MakeOpDesc(MaskXYZW, [3]uint8{0x4E, 0, 0}, [3]bool{})))
				s.SetDesc(3, uint32(desc))
				for i := range s.Float {
					s.Float[i] = vec4{float32(i) + 0.5, -float32(i), float32(i%7) - 3, 1 / float32(i+1)}
				}
				agree(t, e, s, fmt.Sprintf("%v, wide operand %d, descriptor %d", in.Info().Name, place, d))
			}
		}
	}
}

// Nested branches with a common end: every shape of three, with and without else, taken or not, by uniform booleans and by flags
// that differ between lanes.
func TestBranchesWithCommonEnd(t *testing.T) {
	e := NewEngine()
	for shape := range 3 * 4 * 2 {
		for _, op := range []Opcode{OpIFU, OpIFC} {
			var code []Instr
			k := 0
			step := func() {
				k++
				code = append(code, Instr{Op: OpMUL, Dst: rd(0), Src: [3]SrcReg{c(1), r(0)}}, Instr{Op: OpADD, Dst: rd(0), Src: [3]SrcReg{c(1 + k), r(0)}})
			}
			branch := func(u uint8, then, other func()) {
				at := len(code)
				code = append(code, Instr{Op: op, Uniform: u, Cond: CondOp(u), RefX: true, RefY: u == 1})
				then()
				code[at].Dest = uint16(len(code))
				if other != nil {
					other()
				}
				code[at].Num = uint8(len(code) - int(code[at].Dest))
			}
			inner := func(kind int, u uint8) func() {
				return [](func()){step, func() { branch(u, step, nil) }, func() { branch(u, step, step) }}[kind]
			}
			code = append(code, Instr{Op: OpMOV, Dst: rd(0), Src: [3]SrcReg{0}}, Instr{Op: OpCMP, Src: [3]SrcReg{0, 1}, CmpX: CompareGT, CmpY: CompareLE})
			var other func()
			if n := shape / 3 % 4; n > 0 {
				other = inner(n-1, 2)
			}
			branch(0, inner(shape%3, 1), other)
			if shape >= 12 { // instructions after the common end, or none
				step()
			}
			code = append(code, Instr{Op: OpMOV, Src: [3]SrcReg{r(0)}}, end)
			s := newSetup(t, code...)
			s.OutMask = 1
			for i := range s.Float {
				s.Float[i] = vec4{float32(i), 3, float32(-i), 0.5}
			}
			for bools := range uint16(8) {
				s.Bool = bools
				agree(t, e, s, fmt.Sprintf("%v, shape %d, booleans %03b", op.Info().Name, shape, bools))
			}
		}
	}
}

// A geometry shader with uniforms per lane reads ones where its address is beyond the last uniform.
func TestLaneUniformsBeyondTheLast(t *testing.T) {
	code := []Instr{{Op: OpMOVA, Src: [3]SrcReg{0}}, {Op: OpMOV, Src: [3]SrcReg{c(80)}, Idx: AddrA0X}, {Op: OpSETEMIT, PrimEmit: true}, {Op: OpEMIT}, end}
	s := newSetup(t, code...)
	s.OutMask = 1
	run := &GeometryRun{Inputs: 1, Outputs: 0xF, Uniforms: new(LaneUniforms), Lo: 0, Hi: 96}
	b := new(Batch)
	for l := range Lanes {
		for c := range 4 {
			b.In(0, c)[l] = float32(l%24 - 4)
			for r := range 96 {
				run.Uniforms[r][c][l] = float32(1000*r + 10*l + c)
			}
		}
	}
	e := NewEngine()
	log, _, ok := e.RunGeometry(s, b, Lanes-3, run)
	require.True(t, ok)
	got := logText(s, log, run, Lanes-3)
	want := testkit.Must(runOneByOne(s, b, Lanes-3, run, 3000))(t)
	require.Equal(t, fmt.Sprint(want), fmt.Sprint(got))
}

// runScalar stops at an interrupt.
func TestScalarRunStopsAtInterrupt(t *testing.T) {
	e := NewEngine()
	s := newSetup(t, Instr{Op: OpMOV}, end)
	require.NoError(t, e.runScalar(s, new(Batch), 3))
	done := make(chan struct{})
	e.Done = done
	require.NoError(t, e.runScalar(s, new(Batch), 3))
	close(done)
	require.ErrorIs(t, e.runScalar(s, new(Batch), 3), ErrInterrupted)
}

// Names replace bool and int uniforms in flow control instructions, where there are any.
func TestConditionUniformNames(t *testing.T) {
	names := Namer{Bool: func(n uint8) string { return []string{"", "lit"}[n&1] }, Int: func(n uint8) string { return fmt.Sprint("count", n) }, Label: func(pc uint16) string { return "" }}
	for want, in := range map[string]Instr{
		"ifu lit,": {Op: OpIFU, Uniform: 3}, "ifu b4,": {Op: OpIFU, Uniform: 4}, "jmpu !lit,": {Op: OpJMPU, Uniform: 1, Num: 1}, "callu b0,": {Op: OpCALLU}, "for count2,": {Op: OpLOOP, Uniform: 2},
	} {
		require.Contains(t, in.TextNamed(plainDesc, names)+" ", want)
	}
	require.Contains(t, Instr{Op: OpLOOP, Uniform: 2}.Text(plainDesc), "for i2,")
}

// This hash of results is the same on every CPU, GOAMD64 level, with and without AVX2. It changes only with the rules of the
// arithmetic.
func TestSameBitsOnEveryProcessor(t *testing.T) {
	h := fnv.New64a()
	word := func(x float32) {
		b := math.Float32bits(x)
		h.Write([]byte{byte(b), byte(b >> 8), byte(b >> 16), byte(b >> 24)})
	}
	e, b := NewEngine(), new(Batch)
	s := skinning(t)
	skinningInputs(b)
	require.NoError(t, e.RunVertices(s, b, Lanes))
	for r := range 4 {
		for c := range 4 {
			for _, x := range b.Out(r, c) {
				word(x)
			}
		}
	}
	rng := rand.New(rand.NewSource(11))
	for _, info := range Instructions() {
		if info.kernel == nil {
			continue
		}
		in := Instr{Op: info.Op, Src: [3]SrcReg{0, 1, 2}}
		s := newSetup(t, in, end)
		for range 20 {
			for r := range 3 {
				for c := range 4 {
					for l := range Lanes {
						x := float32(rng.NormFloat64()) * 8
						if rng.Intn(8) == 0 {
							x = math.Float32frombits(rng.Uint32())
						}
						b.In(r, c)[l] = round24(x)
					}
				}
			}
			require.NoError(t, e.RunVertices(s, b, Lanes))
			for c := range 4 {
				for _, x := range b.Out(0, c) {
					word(x)
				}
			}
		}
	}
	require.Equal(t, uint64(0x6968ea6d6be4cd12), h.Sum64())
}
