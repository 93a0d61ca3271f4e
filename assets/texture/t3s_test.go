package texture

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/tests/testkit"
)

// grid makes a picture whose texels hold their position, from the top left.
func grid(w, h int, alpha uint32) *Image {
	im := NewImage(w, h)
	for y := range h {
		for x := range w {
			im.Pix[(h-1-y)*w+x] = uint32(x) | uint32(y)<<8 | uint32(w)<<16 | alpha<<24
		}
	}
	return im
}

// at is a texel of a level of a face, from the top left.
func at(t *testing.T, x *T3X, face, level, col, row int) uint32 {
	t.Helper()
	im := testkit.Must(x.Image(face, level))(t)
	return im.Pix[(im.Height-1-row)*im.Width+col]
}

func TestPackT3S(t *testing.T) {
	for _, size := range [][2]int{{8, MaxSize}, {MaxSize, 8}, {MaxSize, MaxSize}, {MinSize, MinSize}} {
		im, places, err := pack([]*Image{NewImage(size[0], size[1])}, 0)
		require.NoError(t, err)
		require.Equal(t, size, [2]int{im.Width, im.Height})
		require.Equal(t, []place{{0, 0, 0, size[0], size[1]}}, places)
	}
	make := func(text string, images ...*Image) *T3X {
		s := testkit.Must(ParseT3S(text))(t)
		require.Len(t, s.Images, len(images))
		x := testkit.Must(s.Make(images))(t)
		data := testkit.Must(x.Encode())(t)
		again := testkit.Must(ParseT3X(data))(t)
		require.Empty(t, again.Findings)
		return again
	}
	one := make("-f rgba -z rle\n \"a \\\"b.png\"", grid(20, 9, 7))
	require.Equal(t, []SubTexture{{20, 9, 0, 1024, 640, 448}}, one.SubTextures)
	require.Equal(t, [...]int{32, 16, 1}, [...]int{one.Width, one.Height, one.Levels})
	require.Equal(t, RunLength, one.Compression)
	require.Equal(t, uint32(7<<24|20<<16|8<<8|19), at(t, one, 0, 0, 19, 8))
	require.Zero(t, at(t, one, 0, 0, 20, 8))
	require.Zero(t, at(t, one, 0, 0, 19, 9))
	require.Zero(t, at(t, make("a.png", grid(8, 8, 0)), 0, 0, 5, 5))

	require.Equal(t, pica.TextureFormatETC1, make("-f auto-etc1 a.png", grid(8, 8, 255)).Format)
	require.Equal(t, pica.TextureFormatETC1A4, make("-f auto-etc1 a.png", grid(8, 8, 254)).Format)
	require.Equal(t, pica.TextureFormatIA4, make("--format=auto-l4 a.png", grid(8, 8, 254)).Format)
	require.Equal(t, 3, make("-m box -f la -z none a.png", grid(32, 64, 9)).Levels)

	atlas := make("--atlas --border 1 -f rgba8888 a.png b.png c.png", grid(9, 3, 255), grid(4, 7, 255), grid(2, 3, 255))
	require.Equal(t, [...]int{16, 16}, [...]int{atlas.Width, atlas.Height})
	places := [][4]int{{6, 1, 9, 3}, {1, 1, 4, 7}, {1, 9, 2, 3}}
	for i, p := range places {
		require.Equal(t, SubTexture{uint16(p[2]), uint16(p[3]), uint16(p[0] * 64), uint16(1024 - p[1]*64), uint16((p[0] + p[2]) * 64), uint16(1024 - (p[1]+p[3])*64)}, atlas.SubTextures[i])
		w := uint32(p[2])
		require.Equal(t, 255<<24|w<<16, at(t, atlas, 0, 0, p[0], p[1]))
		require.Equal(t, 255<<24|w<<16|uint32(p[3]-1)<<8|(w-1), at(t, atlas, 0, 0, p[0]+p[2]-1, p[1]+p[3]-1))
	}
	s := testkit.Must(ParseT3S("--atlas gfx/a-1.png b.png"))(t)
	require.Equal(t, "#pragma once\n\n#define my_sprites_a_1_idx 0\n#define my_sprites_b_idx 1\n", s.Header("out/my-sprites.h"))
	s.Atlas = false
	require.Equal(t, "#pragma once\n\n#define x_idx 0\n#define x_idx 1\n", s.Header("x.h"))

	// The place of the texel at column 1, row 2 of each square of a cross; rows of faces go down from t = 0.
	for _, c := range []struct {
		option string
		faces  [6][4]int // column and row of the square, then of the texel in the face
	}{
		{"--cubemap", [6][4]int{{2, 1, 1, 2}, {0, 1, 1, 2}, {1, 0, 1, 2}, {1, 2, 1, 2}, {1, 1, 1, 2}, {3, 1, 1, 2}}},
		{"--skybox", [6][4]int{{2, 1, 6, 2}, {0, 1, 6, 2}, {1, 0, 1, 5}, {1, 2, 1, 5}, {3, 1, 6, 2}, {1, 1, 6, 2}}},
	} {
		cube := make(c.option+" -f rgba a.png", grid(32, 24, 255))
		require.True(t, cube.Cube)
		for face, f := range c.faces {
			im := testkit.Must(cube.Image(face, 0))(t)
			require.Equal(t, 255<<24|32<<16|uint32(f[1]*8+2)<<8|uint32(f[0]*8+1), im.Pix[f[3]*8+f[2]], "%s, face %d", c.option, face)
		}
	}

	for text, want := range map[string]string{
		"-f rgba":            "it names no picture",
		"-f":                 "-f wants a value",
		"-f rgba9 a.png":     `there is no "rgba9"`,
		"-f auto-rgba a.png": "there are auto-etc1, auto-l8 and auto-l4",
		"-z huff a.png":      "there are auto, none, lz10, lz11 and rle",
		"a.png b.png":        "2 pictures, which only an atlas has",
		"--atlas --skybox a": "a cube map cannot be an atlas",
		"--trim a.png":       "there is no option --trim here",
		"--border x a.png":   "a number of texels is expected",
		"\"a.png":            "a quotation mark is not closed",
	} {
		_, err := ParseT3S(text)
		require.ErrorIs(t, err, ErrT3S)
		require.ErrorContains(t, err, want)
	}
	s, _ = ParseT3S("--cubemap a.png")
	_, err := s.Make([]*Image{grid(30, 24, 255)})
	require.ErrorContains(t, err, "a cross of 4x3 squares is expected")
	s, _ = ParseT3S("--atlas a.png b.png")
	_, err = s.Make([]*Image{grid(1024, 1000, 255), grid(1024, 30, 255)})
	require.ErrorContains(t, err, "2 pictures do not fit")
}
