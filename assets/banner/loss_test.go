package banner

import (
	"image"
	"image/color"
	"math"
	"math/rand"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/stretchr/testify/require"

	"pica200/assets/model"
	"pica200/assets/texture"
	"pica200/pica"
	"pica200/tests/testkit"
)

// A picture that ETC1A4 changes visibly gets a 16-bit format that holds its alpha, while there is room.
func TestTextureFormatChoice(t *testing.T) {
	lines := func(alpha func(x, y int) uint8) func(x, y int) color.NRGBA {
		return func(x, y int) color.NRGBA {
			return color.NRGBA{uint8(255 * (x % 2)), 0, uint8(255 * (1 - x%2)), alpha(x, y)}
		}
	}
	m := &model.Model{Nodes: []model.Node{{Parent: -1, Skin: -1, Shown: true, TRS: model.Identity}}, Meshes: []model.Mesh{{}}}
	add := func(name string, side int, at func(x, y int) color.NRGBA) {
		pix := image.NewNRGBA(image.Rect(0, 0, side, side))
		for i := range side * side {
			pix.SetNRGBA(i%side, i/side, at(i%side, i/side))
		}
		quad := testkit.Must(model.Quad(1, 1, 1, 1))(t)
		quad.Material = len(m.Materials)
		mat := model.DefaultMaterial()
		mat.Base = model.Texture{Image: len(m.Images)}
		m.Materials, m.Images = append(m.Materials, mat), append(m.Images, model.Image{Name: name, Pix: pix})
		m.Meshes[0].Parts = append(m.Meshes[0].Parts, quad)
	}
	add("soft", 64, func(x, y int) color.NRGBA { return color.NRGBA{uint8(4 * x), uint8(4 * y), 100, 255} })
	add("lines", 64, lines(func(x, y int) uint8 { return 255 }))
	add("cut", 64, lines(func(x, y int) uint8 { return uint8(255 * (y & 1)) }))
	add("faded", 64, lines(func(x, y int) uint8 { return uint8(4 * y) }))
	for range 5 { // pictures that take room and no time to encode
		add("clear", 256, func(x, y int) color.NRGBA { return color.NRGBA{} })
	}
	for range 2 {
		add("large", 128, lines(func(x, y int) uint8 { return 255 }))
	}
	f, notes, err := Build(m, Options{Format: pica.TextureFormatETC1A4, Choose: true, Animation: -1})
	require.NoError(t, err)
	var formats []pica.TextureFormat
	for _, x := range f.Textures.Values() {
		formats = append(formats, x.Format)
		require.Equal(t, uint32(len(x.Images[0].Data)*8/int(x.Width*x.Height)), x.Images[0].Bits)
	}
	etc, rgb := pica.TextureFormatETC1A4, pica.TextureFormatRGB565
	require.Equal(t, []pica.TextureFormat{etc, rgb, pica.TextureFormatRGB5A1, pica.TextureFormatRGBA4, etc, etc, etc, etc, etc, rgb, etc}, formats)
	require.Equal(t, "image lines: etc1a4 would show; it is rgb565, which takes 8192 bytes", notes[0])
	require.Contains(t, notes[len(notes)-1], "image large: etc1a4 changes its colours by ", "without room the loss stays and is reported")
}

// A visible loss is reported: strongly coloured lines in ETC1, alpha in formats without it; smooth pictures and invisible pixels
// are not.
func TestVisibleFormatLoss(t *testing.T) {
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
		quad := testkit.Must(model.Quad(1, 1, 1, 1))(t)
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

// encode measures the greatest difference of alpha and the mean difference of visible colours.
func TestEncodeMeasuresLoss(t *testing.T) {
	im := texture.NewImage(8, 8)
	for i := range im.Pix {
		im.Pix[i] = 0xFF0000FF
	}
	im.Pix[9] = 0x68FFFFFF // A4 has 0x66 and 0x77
	for f, want := range map[pica.TextureFormat]struct {
		alpha int
		color float64
	}{pica.TextureFormatRGBA8: {}, pica.TextureFormatRGBA4: {alpha: 2}, pica.TextureFormatRGB8: {alpha: 0xFF - 0x68}, pica.TextureFormatA8: {color: 148.17}} {
		e := testkit.Must(encode(im, f))(t)
		require.Equal(t, want.alpha, e.alpha, f)
		require.InDelta(t, want.color, e.color, 0.1, "%v", f)
	}
}

// nearest gives angles of the same rotation that are as near as possible to the given ones.
func TestNearestAngles(t *testing.T) {
	rng := rand.New(rand.NewSource(7))
	angles := func() (v mgl32.Vec3) {
		for k := range v {
			v[k] = float32(8*rng.Float64() - 4)
		}
		return v
	}
	rotation := func(v mgl32.Vec3) mgl32.Mat3 {
		return mgl32.Rotate3DZ(v[2]).Mul3(mgl32.Rotate3DY(v[1])).Mul3(mgl32.Rotate3DX(v[0]))
	}
	for range 500 {
		a, to := angles(), angles()
		got := nearest(a, to)
		for k, v := range rotation(a) {
			require.InDelta(t, v, rotation(got)[k], 1e-4, "%v becomes %v", a, got)
		}
		far := func(v mgl32.Vec3) (d float64) {
			for k := range v {
				d += math.Abs(float64(v[k]) - float64(to[k]))
			}
			return d
		}
		for n := range 27 {
			full := mgl32.Vec3{float32(n%3 - 1), float32(n/3%3 - 1), float32(n/9 - 1)}.Mul(2 * math.Pi)
			require.LessOrEqual(t, far(got), far(a.Add(full))+1e-4)
			require.LessOrEqual(t, far(got), far(mgl32.Vec3{a[0] + math.Pi, math.Pi - a[1], a[2] + math.Pi}.Add(full))+1e-4)
		}
	}
}

// straight holds if the values between the ends are within the tolerance of the line; the ends always are, despite rounding.
func TestStraightCurveTolerance(t *testing.T) {
	for _, c := range []struct {
		v         []float32
		from, to  int
		tolerance float32
		want      bool
	}{
		{[]float32{1, 2, 3, 4}, 0, 3, 0, true}, {[]float32{1, 2, 3.5, 4}, 0, 3, 0.25, false}, {[]float32{1, 2, 3.5, 4}, 0, 3, 0.5, true}, {[]float32{1, 1.5, 3, 4}, 0, 3, 0.25, false},
		{[]float32{9, 1, 2, 3, 9}, 1, 3, 0, true}, {[]float32{0, 9}, 0, 1, 0, true}, {[]float32{1e8, 0.125}, 0, 1, 0, true}, {[]float32{0.125, 1e8}, 0, 1, 0, true}, {[]float32{4, 2, 0}, 0, 2, 0, true}, {[]float32{4, 3, 0}, 0, 2, 0.5, false},
	} {
		require.Equal(t, c.want, straight(c.v, c.from, c.to, c.tolerance), "%+v", c)
	}
}
