package banner

import (
	"image"
	"image/color"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/model"
	"pica200/pica"
)

// A format that shows is said: lines in strong colours in ETC1, alpha in formats without;
// a soft picture in either, and what cannot be seen, is not.
func TestFormatsThatShow(t *testing.T) {
	pictures := map[string]func(x, y int) color.NRGBA{
		"soft":   func(x, y int) color.NRGBA { return color.NRGBA{uint8(4 * x), uint8(4 * y), 100, 255} },
		"lines":  func(x, y int) color.NRGBA { return color.NRGBA{uint8(255 * (x % 2)), 0, uint8(255 * (1 - x%2)), 255} },
		"faded":  func(x, y int) color.NRGBA { return color.NRGBA{200, 200, 200, uint8(4 * y)} },
		"hidden": func(x, y int) color.NRGBA { return color.NRGBA{uint8(255 * (x % 2)), 0, uint8(255 * (1 - x%2)), 0} },
	}
	for _, c := range []struct {
		picture string
		format  pica.TextureFormat
		want    string
	}{
		{"soft", pica.TextureFormatETC1A4, ""}, {"soft", pica.TextureFormatRGBA4, ""}, {"soft", pica.TextureFormatI8, "colours"},
		{"lines", pica.TextureFormatETC1A4, "colours"}, {"lines", pica.TextureFormatRGB565, ""}, {"lines", pica.TextureFormatRGBA4, ""},
		{"faded", pica.TextureFormatETC1A4, ""}, {"faded", pica.TextureFormatETC1, "alpha"}, {"faded", pica.TextureFormatRGB5A1, "alpha"},
		{"hidden", pica.TextureFormatETC1A4, ""},
	} {
		pix := image.NewNRGBA(image.Rect(0, 0, 64, 64))
		for i := range 64 * 64 {
			pix.SetNRGBA(i%64, i/64, pictures[c.picture](i%64, i/64))
		}
		quad, err := model.Quad(1, 1, 1, 1)
		require.NoError(t, err)
		quad.Material = 0
		mat := model.DefaultMaterial()
		mat.Base = model.Texture{Image: 0}
		_, notes, err := Build(&model.Model{Images: []model.Image{{Name: c.picture, Pix: pix}}, Materials: []model.Material{mat}, Meshes: []model.Mesh{{Parts: []model.Part{quad}}},
			Nodes: []model.Node{{Parent: -1, Skin: -1, Shown: true, TRS: model.Identity}}}, Options{Format: c.format, Animation: -1})
		require.NoError(t, err)
		if c.want == "" {
			require.Empty(t, notes, "%s in %v", c.picture, c.format)
			continue
		}
		require.Len(t, notes, 1, "%s in %v", c.picture, c.format)
		require.True(t, strings.HasPrefix(notes[0], "image "+c.picture+": "+c.format.String()+" changes its "+c.want), notes[0])
	}
}
