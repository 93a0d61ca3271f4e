package cgfx

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
)

// A texture has the levels that its data holds, with sides of at least 8 texels; without an image it has none.
func TestTextureLevels(t *testing.T) {
	of := func(w, h, levels uint32, bytes int) *Texture {
		return &Texture{Object: Object{Name: "t"}, Width: w, Height: h, Levels: levels, Format: pica.TextureFormatI8, Images: []*Image{{Data: make([]byte, bytes)}}}
	}
	for _, c := range []struct {
		t    *Texture
		want int
	}{
		{of(32, 16, 1, 512), 1}, {of(32, 16, 2, 512+128), 2}, {of(32, 16, 3, 4096), 2}, {of(32, 32, 3, 1024+256+64), 3}, {of(32, 32, 3, 1024+256+63), 2}, {of(32, 32, 3, 1023), 0},
		{of(32, 32, 0, 4096), 1}, {of(4, 4, 1, 64), 0}, {of(8, 8, 1, 64), 1},
		{&Texture{Width: 8, Height: 8, Levels: 1}, 0}, {&Texture{Width: 8, Height: 8, Levels: 1, Images: []*Image{nil}}, 0},
	} {
		require.Equal(t, c.want, c.t.MipLevels(), "%dx%d, %d levels", c.t.Width, c.t.Height, c.t.Levels)
	}
}

// Decode refuses missing images and empty ones.
func TestDecodeRefusesMissingImages(t *testing.T) {
	good := Texture{Object: Object{Name: "t"}, Width: 8, Height: 8, Levels: 1, Format: pica.TextureFormatI8, Images: []*Image{{Data: make([]byte, 64)}, nil}}
	_, err := good.Decode(0)
	require.NoError(t, err)
	for _, face := range []int{-1, 1, 2, 99} {
		_, err := good.Decode(face)
		require.ErrorContains(t, err, "has no image")
	}
	for name, change := range map[string]func(t *Texture){
		"0x8 texels": func(t *Texture) { t.Width = 0 }, "8x0 texels": func(t *Texture) { t.Height = 0 }, "8x1025 texels": func(t *Texture) { t.Height = 1025 }, "1025x8 texels": func(t *Texture) { t.Width = 1025 },
		"unknown format 15": func(t *Texture) { t.Format = 15 }, "64 bytes, expected 128": func(t *Texture) { t.Width = 16 },
	} {
		bad := good
		change(&bad)
		_, err := bad.Decode(0)
		require.ErrorContains(t, err, name)
	}
}
