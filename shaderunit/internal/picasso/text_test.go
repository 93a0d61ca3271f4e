package picasso

import (
	"math"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
)

// 24-bit numbers are those of the console, apart from a truncated fraction and values out of range.
func TestFloat24(t *testing.T) {
	rng := rand.New(rand.NewSource(5))
	for range 2000 {
		f := math.Float32frombits(rng.Uint32() &^ 0x7F)
		if e := int(math.Float32bits(f)>>23&0xFF) - 127; e > -63 && e < 64 {
			require.Equal(t, pica.Float24.Encode(f), Float24(f), "%g", f)
			require.Equal(t, pica.Float24.Encode(f), Float24(math.Float32frombits(math.Float32bits(f)|0x7F)), "%g", f)
		}
	}
	for f, want := range map[float32]uint32{0: 0, float32(math.Copysign(0, -1)): 0x800000, 1e30: 0x7F0000, -1e30: 0xFF0000, 1e-30: 0, -1e-30: 0x800000, float32(math.Inf(-1)): 0xFF0000, 0x1p64: 0x7F0000, 0x1.8p63: 0x7E8000, 0x1.8p-63: 0x8000, 0x1p-64: 0} {
		require.Equal(t, want, Float24(f), "%g", f)
	}
	require.Equal(t, uint32(0x7F0000), Float24(float32(math.NaN()))&0x7FFFFF)
}
