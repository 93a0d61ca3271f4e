package mbs

import (
	"encoding/binary"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/tree"
	"pica200/tests/testkit"
)

// The adders' operations by the Lima project's public description (Mesa's lima driver, ir/pp/codegen.h, and operand counts of its
// disassembler): only the vector adder has sums of components.
var (
	documentedScalarAdder = map[uint32]string{0: "add 2", 4: "fract 1", 8: "ne 2", 9: "gt 2", 10: "ge 2", 11: "eq 2", 12: "floor 1", 13: "ceil 1",
		14: "min 2", 15: "max 2", 20: "dFdx 2", 21: "dFdy 2", 23: "sel 2", 31: "mov 1"}
	documentedVectorAdder = map[uint32]string{0: "add 2", 4: "fract 1", 8: "ne 2", 9: "gt 2", 10: "ge 2", 11: "eq 2", 12: "floor 1", 13: "ceil 1",
		14: "min 2", 15: "max 2", 16: "sum3 1", 17: "sum4 1", 20: "dFdx 2", 21: "dFdy 2", 23: "sel 2", 31: "mov 1"}
)

// Random fields of both adders get the documented names; operations without a name get their number.
func TestAdderNames(t *testing.T) {
	rng := rand.New(rand.NewSource(6))
	seen := map[string]bool{}
	for range 20000 {
		unit, lo, documented, prefix := ppScalarAcc, uint(25), documentedScalarAdder, "sacc"
		if rng.Intn(2) == 0 {
			unit, lo, documented, prefix = ppVecAcc, 38, documentedVectorAdder, "vacc"
		}
		field := ppField{unit, []uint32{rng.Uint32(), rng.Uint32() & (1<<(ppWidth[unit]%32) - 1)}}
		if unit == ppScalarAcc {
			field.words = []uint32{rng.Uint32() >> 1}
		}
		var p *ppInstruction
		_, err := ppInstructions(assemblePP(1<<5, field), func(_ int, in *ppInstruction) bool { p = in; return false })
		require.NoError(t, err)
		op := p.get(unit, lo, 5)
		line := p.lines()[0]
		require.True(t, strings.HasPrefix(line, prefix), line)
		text := line[strings.LastIndex(line, "= ")+2:]
		name, operands, _ := strings.Cut(text, " ")
		name, _, _ = strings.Cut(name, ".")
		n := 1 + strings.Count(operands, ",")
		want, known := documented[op]
		if !known {
			want = fmt.Sprintf("%s 2", unknownOp(op))
		}
		require.Equal(t, want, fmt.Sprintf("%s %d", name, n), "%s, operation %d", line, op)
		seen[fmt.Sprint(prefix, op)] = true
	}
	require.Len(t, seen, 64)
}

// An instruction loads a vector if a unit reads the loaded value, or if its pass unit converts it to an index.
func TestVectorLoads(t *testing.T) {
	fields := []gpField{gpMulSrc[0][0], gpMulSrc[0][1], gpMulSrc[1][0], gpMulSrc[1][1], gpAccSrc[0][0], gpAccSrc[0][1], gpAccSrc[1][0], gpAccSrc[1][1], gpCplxSrc, gpPassSrc}
	for n, f := range fields {
		for source := uint32(10); source <= 17; source++ {
			for _, off := range []uint32{6, 7} {
				g := emptyGP()
				g.set(gpLoadAddr, 43)
				g.set(gpLoadOff, off)
				g.set(f, source)
				at, ok := g.uniform()
				require.Equal(t, 43, at)
				require.Equal(t, off == 7 && source >= 12 && source <= 15, ok, "field %d, source %d, offset %d", n, source, off)
				require.Equal(t, source >= 11 && source <= 13, g.gpReads(11, 13), "field %d, source %d", n, source)
			}
		}
	}
	g := emptyGP()
	g.set(gpLoadOff, 7)
	g.set(gpPassOp, 6)
	_, ok := g.uniform()
	require.False(t, ok)
	g.set(gpPassSrc, 3)
	_, ok = g.uniform()
	require.True(t, ok)
	g.set(gpPassOp, 5)
	_, ok = g.uniform()
	require.False(t, ok)
}

// FBUU must match what the code reads of the frame buffer.
func TestFrameBufferReadsMatchFBUU(t *testing.T) {
	reads := func(color ...uint32) (code []byte) {
		for i, c := range color {
			in := assemblePP(0, ppField{ppTempWrite, []uint32{c | 7<<1 | 3<<6}})
			if i+1 == len(color) {
				in = assemblePP(1<<5|1<<6, ppField{ppTempWrite, []uint32{c | 7<<1 | 3<<6}})
			}
			if i+1 < len(color) {
				binary.LittleEndian.PutUint32(in, binary.LittleEndian.Uint32(in)|uint32(len(in)/4)<<19)
			}
			code = append(code, in...)
		}
		return code
	}
	const color, depth, stencil = 1, 2, 4
	for _, list := range [][]uint32{{1}, {0}, {1, 0}, {0, 1}, {1, 1}, {0, 0}, {0, 1, 0}} {
		for fb := range uint8(8) {
			s := sampleFragment()
			s.Code, s.Discards = reads(list...), 0
			s.FrameBuffer = FBUse{ReadsColor: fb & color, ReadsDepth: fb & depth / depth, ReadsStencil: fb & stencil / stencil}
			var out tree.Findings
			s.checkFragment(&out)
			said := strings.Join(testkit.Sentences(out), "\n")
			hasColor, hasDepth := slices.Contains(list, 1), slices.Contains(list, 0)
			require.Equal(t, fb&color != 0 && !hasColor, strings.Contains(said, "reads the colour, the code does not"), "%v %d: %s", list, fb, said)
			require.Equal(t, fb&(depth|stencil) != 0 && !hasDepth, strings.Contains(said, "reads depth or stencil, the code does not"), "%v %d: %s", list, fb, said)
			wrong := 0
			for _, c := range list {
				if c == 1 && fb&color == 0 || c == 0 && fb&(depth|stencil) == 0 {
					wrong++
				}
			}
			require.Equal(t, wrong, strings.Count(said, "reads the frame buffer, FBUU says the shader does not"), "%v %d: %s", list, fb, said)
		}
	}
	s := sampleFragment()
	s.Code, s.FrameBuffer = reads(make([]uint32, maxFindings+20)...), FBUse{}
	var out tree.Findings
	s.checkFragment(&out)
	require.Equal(t, maxFindings, strings.Count(strings.Join(testkit.Sentences(out), "\n"), "reads the frame buffer"), "the number of findings is limited")
}
