package shaderunit

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// skinning is a typical vertex shader of games: position and normal through four bones of a palette, projection, two lights,
// texture coordinates; it runs 74 instructions.
func skinning(t testing.TB) *Setup {
	s := &Setup{OutMask: 0xF}
	descs := map[OpDesc]uint8{}
	code := 0
	emit := func(in Instr, mask string, sw ...string) {
		var sel [3]uint8
		var neg [3]bool
		for k := range sel {
			sel[k] = SwizzleXYZW
		}
		for k, w := range sw {
			if w[0] == '-' {
				neg[k], w = true, w[1:]
			}
			sel[k] = 0
			for i := range 4 {
				sel[k] = sel[k]<<2 | map[byte]uint8{'x': 0, 'y': 1, 'z': 2, 'w': 3}[w[min(i, len(w)-1)]]
			}
		}
		var m uint8
		for _, ch := range mask {
			m |= map[rune]uint8{'x': 8, 'y': 4, 'z': 2, 'w': 1}[ch]
		}
		d := MakeOpDesc(m, sel, neg)
		if _, ok := descs[d]; !ok {
			descs[d] = uint8(len(descs))
			s.SetDesc(int(descs[d]), uint32(d))
		}
		in.Desc = descs[d]
		w := testkit.Must(in.Encode())(t)
		s.SetCode(code, w)
		code++
	}
	op := func(o Opcode, d DstReg, src ...SrcReg) Instr {
		in := Instr{Op: o, Dst: d}
		copy(in.Src[:], src)
		return in
	}
	rel := func(in Instr, a AddrReg) Instr { in.Idx = a; return in }
	const pos, nrm, tex, bone, weight = 0, 1, 2, 3, 4
	// The scale of compressed positions, then the palette at c20.
	emit(op(OpMUL, rd(0), c(8), pos), "xyz")
	emit(op(OpMOV, rd(0), c(9)), "w", "w")
	emit(op(OpMUL, rd(1), c(10), nrm), "xyz")
	emit(op(OpMUL, rd(10), c(11), bone), "xyzw")
	emit(op(OpMUL, rd(11), c(12), weight), "xyzw")
	comp := []string{"x", "y", "z", "w"}
	for i := range 4 {
		a := AddrA0X
		if i%2 == 0 {
			emit(op(OpMOVA, 0, r(10)), "xy", comp[i]+comp[(i+1)%4])
		} else {
			a = AddrA0Y
		}
		for row := range 3 {
			emit(rel(op(OpDP4, rd(2), c(20+row), r(0)), a), comp[row])
		}
		for row := range 3 {
			emit(rel(op(OpDP3, rd(3), c(20+row), r(1)), a), comp[row])
		}
		if i == 0 {
			emit(op(OpMUL, rd(4), r(2), r(11)), "xyz", "xyzw", "x")
			emit(op(OpMUL, rd(5), r(3), r(11)), "xyz", "xyzw", "x")
		} else {
			emit(op(OpMAD, rd(4), r(2), r(11), r(4)), "xyz", "xyzw", comp[i])
			emit(op(OpMAD, rd(5), r(3), r(11), r(5)), "xyz", "xyzw", comp[i])
		}
	}
	emit(op(OpMOV, rd(4), c(9)), "w", "w")
	for row := range 4 {
		emit(op(OpDP4, rd(6), c(4+row), r(4)), comp[row])
	}
	for row := range 4 {
		emit(op(OpDP4, 0, c(row), r(6)), comp[row])
	}
	for row := range 3 {
		emit(op(OpDP3, rd(7), c(4+row), r(5)), comp[row])
	}
	emit(op(OpDP3, rd(8), r(7), r(7)), "w")
	emit(op(OpRSQ, rd(8), r(8)), "w", "w")
	emit(op(OpMUL, rd(7), r(7), r(8)), "xyz", "xyz", "w")
	for light := range 2 {
		emit(op(OpADD, rd(9), c(13+light), r(6)), "xyz", "xyzw", "-xyzw")
		emit(op(OpDP3, rd(8), r(9), r(9)), "w")
		emit(op(OpRSQ, rd(8), r(8)), "w", "w")
		emit(op(OpMUL, rd(9), r(9), r(8)), "xyz", "xyz", "w")
		emit(op(OpDP3, rd(12), r(9), r(7)), "x")
		emit(op(OpMAX, rd(12), c(9), r(12)), "x", "x")
		if light == 0 {
			emit(op(OpMUL, rd(13), c(15), r(12)), "xyz", "xyz", "x")
		} else {
			emit(op(OpMAD, rd(13), r(12), c(16), r(13)), "xyz", "x")
		}
	}
	emit(op(OpADD, rd(13), c(17), r(13)), "xyz")
	emit(op(OpMIN, 1, c(9), r(13)), "xyz", "w")
	emit(op(OpMOV, 1, c(9)), "w", "w")
	emit(op(OpMUL, 2, c(18), tex), "xy")
	emit(op(OpADD, 3, r(6), r(6)), "xyz", "-xyzw", "-xyzw")
	emit(op(OpEND, 0), "")
	for i := range s.Float {
		for j := range s.Float[i] {
			s.Float[i][j] = round24(float32((i*7+j*13)%19)/10 - 0.85)
		}
	}
	s.Float[9] = vec4{0, 0, 0, 1}
	s.Float[11] = splat(3)
	for i := range 16 { // bones
		for row := range 3 {
			s.Float[20+3*i+row] = vec4{}
			s.Float[20+3*i+row][row] = 1
			s.Float[20+3*i+row][3] = float32(i) / 16
			s.Float[20+3*i+row][(row+1)%3] = 0.25
		}
	}
	return s
}

func skinningInputs(b *Batch) {
	for l := range Lanes {
		for c := range 4 {
			b.In(0, c)[l] = float32(l*3+c*7) - 90
			b.In(1, c)[l] = float32(l-c*9) / 64
			b.In(2, c)[l] = float32(l) * float32(c) / 64
			b.In(3, c)[l] = float32((l/5 + c*3) % 16)
			b.In(4, c)[l] = 0.25
		}
	}
}

func TestSkinningMatchesInterpreter(t *testing.T) {
	s := skinning(t)
	e := NewEngine()
	a, b := new(Batch), new(Batch)
	skinningInputs(a)
	skinningInputs(b)
	require.NoError(t, e.RunVertices(s, a, Lanes))
	require.False(t, e.cache.program(s).scalar)
	require.NoError(t, e.runScalar(s, b, Lanes))
	for r := range 4 {
		for c := range 4 {
			require.Equal(t, *b.Out(r, c), *a.Out(r, c))
		}
	}
	require.Equal(t, 74, e.scalar.Steps)
}
