package fragment

import (
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
	"pica200/pica"
)

// Decoded levels do not depend on the number of workers or the kernels.
func TestDecodingIsTheSameForAnyWorkers(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 52))
	parts := 0
	spread := func(n int, f func(i, worker int)) {
		parts = max(parts, n)
		var all sync.WaitGroup
		for i := range n {
			all.Go(func() { f(i, 0) })
		}
		all.Wait()
	}
	for _, size := range [][2]int{{1024, 1024}, {256, 256}, {512, 104}, {16, 1024}, {1024, 8}, {2, 4}, {1, 1}, {4, 256}} {
		for _, f := range []pica.TextureFormat{pica.TextureFormatRGB8, pica.TextureFormatETC1A4, pica.TextureFormatI4} {
			w, h := size[0], size[1]
			src := randomBytes(rng, levelBytes(f, w, h))
			var all [][]uint32
			for _, d := range []decoder{{with: simd.Plain}, {with: simd.Best}, {simd.Best, spread}} {
				dst := make([]uint32, w*h)
				require.NoError(t, d.level(dst, src, f, w, h))
				all = append(all, dst)
			}
			require.Equal(t, all[0], all[1], "%v", size)
			require.Equal(t, all[0], all[2], "%v", size)
		}
	}
	require.Equal(t, 64, parts)
	d := decoder{simd.Best, spread}
	require.ErrorContains(t, d.level(make([]uint32, 256*256), make([]byte, 100), pica.TextureFormatRGBA8, 256, 256), "100 bytes of texels")
}
