package source

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/texture"
	"pica200/pica"
	"pica200/tests/testkit"
)

// The scene of a texture shows its texels, each as a square; cube maps have none.
func TestTextureInScene(t *testing.T) {
	im := texture.NewImage(16, 8)
	for i := range im.Pix {
		im.Pix[i] = uint32(i%16*15) | uint32(i/16*30)<<8 | 77<<16 | uint32(255-i)<<24
	}
	path := filepath.Join(t.TempDir(), `a "b".t3x`)
	open := func(faces ...*texture.Image) *Scene {
		x := testkit.Must(texture.NewT3X(pica.TextureFormatRGBA8, 1, faces...))(t)
		require.NoError(t, os.WriteFile(path, testkit.Must(x.Encode())(t), 0o666))
		return InScene(testkit.Must(Find(path, Options{}))(t))
	}
	s := open(im)
	require.NoError(t, s.Reload())
	defer s.Close()
	require.Equal(t, "texture", s.Info().Kind)
	require.Contains(t, s.Info().Files, path)
	p := testkit.Must(s.Draw(t.Context(), &Request{}))(t)
	got := testkit.Must(p.Shown())(t)
	require.Equal(t, [2]int{256, 128}, [2]int{got.Bounds().Dx(), got.Bounds().Dy()})
	want := im.NRGBA()
	for y := range 128 {
		for x := range 256 {
			require.Equal(t, want.At(x/16, y/16), got.At(x, y), "%d, %d", x, y)
		}
	}
	require.ErrorContains(t, open(im, im, im, im, im, im).Reload(), "is a cube map, which the window does not show")
	require.Nil(t, InScene(s))
}
