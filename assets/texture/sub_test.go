package texture

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Subtextures must lie in the texture, be oriented correctly and have the size of their coordinates, within rounding.
func TestT3XSubtextures(t *testing.T) {
	for _, c := range []struct {
		s    SubTexture
		want string
	}{
		{SubTexture{Width: 64, Height: 32, Left: 0, Right: 1024, Top: 1024, Bottom: 0}, ""},
		{SubTexture{Width: 32, Height: 16, Left: 512, Right: 1024, Top: 512, Bottom: 0}, ""},
		{SubTexture{Width: 31, Height: 17, Left: 512, Right: 1024, Top: 512, Bottom: 0}, ""},
		{SubTexture{Width: 33, Height: 15, Left: 512, Right: 1024, Top: 512, Bottom: 0}, ""},
		{SubTexture{Width: 64, Height: 32, Left: 0, Right: 1025, Top: 1024, Bottom: 0}, "subtexture 3 reaches outside the texture"},
		{SubTexture{Width: 64, Height: 32, Left: 1025, Right: 1024, Top: 1024, Bottom: 0}, "subtexture 3 reaches outside the texture"},
		{SubTexture{Width: 64, Height: 32, Left: 0, Right: 1024, Top: 1025, Bottom: 0}, "subtexture 3 reaches outside the texture"},
		{SubTexture{Width: 64, Height: 32, Left: 0, Right: 1024, Top: 1024, Bottom: 1025}, "subtexture 3 reaches outside the texture"},
		{SubTexture{Width: 64, Height: 32, Left: 512, Right: 511, Top: 1024, Bottom: 0}, "subtexture 3 has its left edge right of its right edge"},
		{SubTexture{Width: 30, Height: 16, Left: 512, Right: 1024, Top: 512, Bottom: 0}, "subtexture 3 is 30 wide, but its coordinates span 32 texels"},
		{SubTexture{Width: 34, Height: 16, Left: 512, Right: 1024, Top: 512, Bottom: 0}, "subtexture 3 is 34 wide, but its coordinates span 32 texels"},
		{SubTexture{Width: 32, Height: 14, Left: 512, Right: 1024, Top: 512, Bottom: 0}, "14 high, but its coordinates span 16 texels"},
		{SubTexture{Width: 32, Height: 18, Left: 512, Right: 1024, Top: 512, Bottom: 0}, "18 high, but its coordinates span 16 texels"},
		{SubTexture{Width: 32, Height: 64, Left: 0, Right: 1024, Top: 0, Bottom: 1024}, ""}, // rotated
		{SubTexture{Width: 64, Height: 32, Left: 0, Right: 1024, Top: 0, Bottom: 1024}, "subtexture 3 is 64 wide, but its coordinates span 32 texels"},
	} {
		x := &T3X{Width: 64, Height: 32}
		x.checkSubTexture(77, 3, c.s)
		if c.want == "" {
			require.Empty(t, x.Findings, "%+v", c.s)
			continue
		}
		require.NotEmpty(t, x.Findings, "%+v", c.s)
		require.Contains(t, x.Findings[0].Message, c.want, "%+v", c.s)
		require.EqualValues(t, 77, x.Findings[0].Offset)
	}
}
