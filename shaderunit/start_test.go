package shaderunit

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

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
