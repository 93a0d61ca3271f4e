package texture

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
	"pica200/pica"
)

// The AVX2 kernels decode random texels to the same bits as plain Go, whole or in parts, and write nothing around them.
func TestKernelsAreTheSameBits(t *testing.T) {
	if !simd.Best.Vector() {
		t.Skip("no AVX2 here: there is one form of the kernels only")
	}
	rng := rand.New(rand.NewPCG(41, 42))
	for _, f := range formats() {
		for range 60 {
			w, h := 8*(1+rng.IntN(40)), 8*(1+rng.IntN(3))
			src := make([]byte, Size(f, w, h))
			for i := range src {
				src[i] = []byte{0, 255, byte(rng.Uint32()), byte(rng.Uint32())}[rng.IntN(4)]
			}
			from := 8 * rng.IntN(h/8)
			to := from + 8*(1+rng.IntN((h-from)/8))
			decode := func(k simd.Kernels) []uint32 {
				dst := make([]uint32, w*h+16)
				require.NoError(t, DecodeRows(k, dst[8:8+w*h:8+w*h], src, f, w, h, from, to))
				return dst
			}
			require.Equal(t, decode(simd.Plain), decode(simd.Best), "%v %dx%d rows %d to %d", f, w, h, from, to)
		}
	}
}

func TestDecodeInvalidRows(t *testing.T) {
	dst, src := make([]uint32, 16*16), make([]byte, 16*16*4)
	for _, rows := range [][2]int{{-8, 8}, {4, 8}, {0, 12}, {8, 0}, {0, 24}} {
		require.ErrorContains(t, DecodeRows(simd.Best, dst, src, pica.TextureFormatRGBA8, 16, 16, rows[0], rows[1]), "no rows of tiles")
	}
}

// A format without an AVX2 kernel is decoded by the plain one.
func TestMissingTwins(t *testing.T) {
	for _, f := range formats() {
		src := randomTexels(Size(f, 24, 16), uint64(f))
		want, got := make([]uint32, 24*16), make([]uint32, 24*16)
		require.NoError(t, DecodeRows(simd.Best, want, src, f, 24, 16, 0, 16))
		kept := layouts[f]
		layouts[f].twin, layouts[f].rows = nil, nil
		err := DecodeRows(simd.Best, got, src, f, 24, 16, 0, 16)
		layouts[f] = kept
		require.NoError(t, err)
		require.Equal(t, want, got, "%v", f)
	}
}
