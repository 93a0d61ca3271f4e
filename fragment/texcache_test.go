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
		parts += n
		var all sync.WaitGroup
		for i := range n {
			all.Go(func() { f(i, 0) })
		}
		all.Wait()
	}
	for _, size := range [][3]int{
		{1024, 1024, 64}, {256, 256, 4}, {512, 104, 4}, {256, 128, 2}, {40, 1024, 3}, // width, height, parts
		{256, 120, 0}, {16, 1024, 0}, {1024, 8, 0}, {2, 4, 0}, {1, 1, 0}, {4, 256, 0}, // less than two parts
	} {
		for _, f := range []pica.TextureFormat{pica.TextureFormatRGB8, pica.TextureFormatETC1A4, pica.TextureFormatI4} {
			w, h := size[0], size[1]
			parts = 0
			src := randomBytes(rng, levelBytes(f, w, h))
			var all [][]uint32
			for _, d := range []decoder{{with: simd.Plain}, {with: simd.Best}, {simd.Best, spread}} {
				dst := make([]uint32, w*h)
				require.NoError(t, d.level(dst, src, f, w, h))
				all = append(all, dst)
			}
			require.Equal(t, all[0], all[1], "%v", size)
			require.Equal(t, all[0], all[2], "%v", size)
			require.Equal(t, size[2], parts)
		}
	}
	d := decoder{simd.Best, spread}
	require.ErrorContains(t, d.level(make([]uint32, 256*256), make([]byte, 100), pica.TextureFormatRGBA8, 256, 256), "100 bytes of texels")
}

// Textures fill the cache to the last byte. What does not fit drops textures until half is free.
func TestTextureCacheIsFilledWhole(t *testing.T) {
	var c textureCache
	m := textureMemory{}
	key := func(i int) textureKey { return textureKey{uint32(i) << 20, 16, 8, 2, pica.TextureFormatRGB565} }
	get := func(i int) *texels {
		got, err := c.get(key(i), m, decoder{})
		require.NoError(t, err)
		return got
	}
	room := make([]uint32, 16<<20)
	// Puts a texture there, used last, with which the cache holds this many bytes.
	put := func(i, total int) {
		c.clock++
		x := &texels{key: key(i), used: c.clock, data: room[:(total-c.bytes-160)/4]}
		c.entries[key(i)] = x
		c.bytes += x.held()
		require.Equal(t, total, c.bytes)
	}
	left := func() (list []int) {
		for i := range 20 {
			if c.entries[key(i)] != nil {
				list = append(list, i)
			}
		}
		return list
	}
	const mib, size = 1 << 20, 4*(16*8+8*4) + 160
	first := get(0)
	require.Equal(t, 16*8*2+8*8*2, int(first.bytes), "a level takes whole tiles")
	require.Len(t, first.data, 16*8+8*4)
	require.Equal(t, size, c.bytes)
	put(1, 64*mib+size)
	put(2, 128*mib-size)
	require.Equal(t, size, get(3).held())
	require.Equal(t, []int{0, 1, 2, 3}, left(), "128 MiB")
	require.Zero(t, c.retired)
	get(0)
	get(4)
	require.Equal(t, []int{0, 2, 3, 4}, left(), "half is free without the oldest")
	require.Equal(t, 64*mib, c.retired)
	require.Equal(t, 64*mib+size, c.bytes)
	put(5, 128*mib)
	get(6)
	require.Equal(t, []int{4, 5, 6}, left())
	require.Equal(t, 128*mib, c.retired)
	require.Equal(t, 64*mib+size, c.bytes)
	require.Equal(t, uint64(4), c.decoded)
}
