package fragment

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
)

// Waiting draws never share a sampler, and a sampler in use is not reused, also when the cache is full and one is rebuilt.
func TestSamplersAreNotShared(t *testing.T) {
	var c samplerCache
	var at turn
	key := func(n uint32) *pica.Regs {
		r := new(pica.Regs)
		pica.TexunitWidth.Set(r, 8)
		pica.TexunitHeight.Set(r, 8)
		r[pica.RegTexunit0BorderColor] = n
		return r
	}
	held := map[*sampler]uint32{} // samplers of waiting draws, with the border colour of each
	get := func(n uint32, anew bool) {
		at.serial++
		s, err := c.get(key(n), 0, false, &at, anew)
		require.NoError(t, err)
		if other, known := held[s]; known {
			require.Equal(t, other, n, "draws with other registers share a sampler")
			require.False(t, anew, "a sampler that a draw holds was made anew")
		}
		held[s] = n
		for s, n := range held {
			require.Equal(t, n, s.border)
		}
	}
	for n := range uint32(maxSamplers) {
		get(n, false)
	}
	for n := range uint32(3) {
		get(n, true)
		get(n, false)
	}
	at.released = at.serial
	clear(held)
	for n := range uint32(maxSamplers) {
		get(1000+n, false)
		get(n, true)
	}
}
