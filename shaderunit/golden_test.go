package shaderunit

import (
	"hash/fnv"
	"math"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"
)

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
