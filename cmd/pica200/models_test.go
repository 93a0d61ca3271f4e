package main

import (
	"bytes"
	"image"
	"image/gif"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/stretchr/testify/require"

	"pica200/assets/model"
	"pica200/tests/testkit"
)

// A banner is made of a model, lints clean, passes the check, and shows the same packed
// and unpacked, laid out as it was written, at any time.
func TestBannerOfAModel(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	ok := func(args ...string) string {
		status, stdout, stderr := invoke(t, args...)
		require.Zero(t, status, stdout+stderr)
		return stdout
	}
	ok("convert", "../../testdata/scenes/arm.gltf", at("arm.cgfx"), "-q")
	require.Empty(t, ok("lint", at("arm.cgfx")))
	require.NotContains(t, ok("inspect", "--check", at("arm.cgfx")), "problem")
	ok("convert", "../../testdata/scenes/arm.gltf", at("arm.bnr"), "-q")
	require.Empty(t, ok("lint", at("arm.bnr")))
	ok("convert", at("arm.bnr"), at("again.cgfx"), "-q")
	a := testkit.Read(t, at("arm.cgfx"))
	b := testkit.Read(t, at("again.cgfx"))
	require.Equal(t, a, b)
	picture := func(file, time string) []byte {
		ok("render", at(file), "-o", at("p.png"), "--time", time, "-q")
		data := testkit.Read(t, at("p.png"))
		return data
	}
	still, moved := picture("arm.cgfx", "0"), picture("arm.cgfx", "1")
	require.True(t, bytes.Equal(still, picture("arm.bnr", "0")))
	require.True(t, bytes.Equal(moved, picture("arm.bnr", "1")))
	require.False(t, bytes.Equal(still, moved), "it turns and moves")

	require.Contains(t, ok("extract", at("arm.bnr")), "model  COMMON")
	ok("extract", at("arm.bnr"), "-o", at("parts")+"/")
	ok("render", at("parts/COMMON.glb"), "-o", at("p.png"), "-q")
}

// A ball of metal shows its colour from edge to edge, as a factor and as a texture, and
// roughness is to be seen.
func TestMetalsAreSeen(t *testing.T) {
	ball, err := model.Sphere(1, 32, 24)
	require.NoError(t, err)
	ball.Material = 0
	dir := t.TempDir()
	picture := func(name string, change func(m *model.Model, mat *model.Material)) *image.RGBA {
		m := &model.Model{Materials: []model.Material{model.DefaultMaterial()}, Meshes: []model.Mesh{{Parts: []model.Part{ball}}},
			Nodes: []model.Node{{Mesh: 0, Skin: -1, Parent: -1, Shown: true, TRS: model.Identity}}}
		m.Materials[0].Metallic = 1
		change(m, &m.Materials[0])
		data, err := model.EncodeGLB(m)
		require.NoError(t, err)
		file := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(file+".glb", data, 0o600))
		status, _, stderr := invoke(t, "render", file+".glb", "-o", file+".png")
		require.Zero(t, status, stderr)
		img, err := png.Decode(bytes.NewReader([]byte(mustRead(t, file+".png"))))
		require.NoError(t, err)
		return img.(*image.RGBA)
	}
	gold := func(name string, img *image.RGBA) {
		t.Helper()
		b := img.Rect
		background := img.RGBAAt(0, 0)
		var ball, bright, yellow int
		for y := range b.Dy() {
			for x := range b.Dx() {
				if c := img.RGBAAt(x, y); c != background {
					ball++
					if c.R > 60 {
						bright++
					}
					if c.R > c.G && c.G > c.B {
						yellow++
					}
				}
			}
		}
		require.Greater(t, ball, 1000, name)
		require.Greater(t, float64(bright), 0.9*float64(ball), "%s: is it black?", name)
		require.Greater(t, float64(yellow), 0.9*float64(ball), "%s: has it its colour?", name)
	}
	colour := mgl32.Vec4{1, 0.77, 0.34, 1}
	smooth := picture("smooth", func(_ *model.Model, m *model.Material) { m.BaseColor, m.Roughness = colour, 0.1 })
	rough := picture("rough", func(_ *model.Model, m *model.Material) { m.BaseColor, m.Roughness = colour, 1 })
	gold("smooth", smooth)
	gold("rough", rough)
	require.NotEqual(t, smooth.Pix, rough.Pix)
	gold("textured", picture("textured", func(md *model.Model, m *model.Material) {
		pix := image.NewNRGBA(image.Rect(0, 0, 8, 8))
		for i := 0; i < len(pix.Pix); i += 4 {
			copy(pix.Pix[i:], []uint8{255, 196, 87, 255})
		}
		md.Images = []model.Image{{Name: "gold", Pix: pix}}
		m.Base, m.Roughness = model.Texture{Image: 0}, 0.3
	}))
}

// Moving pictures have as many frames as are asked for, or the whole animation.
func TestMovingPictures(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	arm := "../../testdata/scenes/arm.gltf"
	status, stdout, stderr := invoke(t, "render", arm, "-o", at("a.gif"), "--turntable", "5", "--size", "80x48", "-q")
	require.Zero(t, status, stdout+stderr)
	data := testkit.Read(t, at("a.gif"))
	g, err := gif.DecodeAll(bytes.NewReader(data))
	require.NoError(t, err)
	require.Len(t, g.Image, 5)
	require.Equal(t, 80, g.Config.Width)
	status, stdout, stderr = invoke(t, "render", arm, "-o", at("a.apng"), "--frames", "3", "--size", "80x48", "-q")
	require.Zero(t, status, stdout+stderr)
	data = testkit.Read(t, at("a.apng"))
	require.Equal(t, 2, bytes.Count(data, []byte("fdAT")))
	_, err = png.Decode(bytes.NewReader(data))
	require.NoError(t, err)
}

// What is not there is answered with what is.
func TestStageFlags(t *testing.T) {
	arm := "../../testdata/scenes/arm.gltf"
	out := filepath.Join(t.TempDir(), "p.png")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--animation", "walk"}, `no animation "walk"; there are`},
		{[]string{"--camera", "3"}, `no camera "3"; there are menu, whole`},
		{[]string{"--size", "81x48"}, "multiple of 8"},
		{[]string{"--size", "big"}, "expected WIDTHxHEIGHT"},
		{[]string{"--turntable=-1"}, "must not be negative"},
	} {
		status, _, stderr := invoke(t, append([]string{"render", arm, "-o", out}, c.args...)...)
		require.Equal(t, exitUsage, status, c.args)
		require.Contains(t, stderr, c.want)
		require.NoFileExists(t, out)
	}
	status, stdout, stderr := invoke(t, "render", arm, "-o", out, "--animation", "none", "--stereo", "-q")
	require.Zero(t, status, stdout+stderr)
}

// A scene in stereo gives both eyes: side by side in one file, and what every screen shows
// in a folder.
func TestStereoScene(t *testing.T) {
	dir := t.TempDir()
	const stereo = "../../testdata/scenes/stereo.yaml"
	status, stdout, stderr := invoke(t, "render", stereo, "-o", filepath.Join(dir, "both.png"))
	require.Zero(t, status, stdout+stderr)
	require.Equal(t, image.Pt(800, 240), pngSize(t, filepath.Join(dir, "both.png")))
	status, stdout, stderr = invoke(t, "render", stereo, "-o", dir+"/out/")
	require.Zero(t, status, stdout+stderr)
	for name, want := range map[string]image.Point{"color": {X: 240, Y: 400}, "top": {X: 400, Y: 240}, "topright": {X: 400, Y: 240}, "bottom": {X: 320, Y: 240}} {
		require.Equal(t, want, pngSize(t, filepath.Join(dir, "out", "frame0-"+name+".png")), name)
	}
	files, err := os.ReadDir(filepath.Join(dir, "out"))
	require.NoError(t, err)
	require.Len(t, files, 4)
	status, _, stderr = invoke(t, "render", stereo, "-o", filepath.Join(dir, "right.png"), "--screen", "topright", "-q")
	require.Zero(t, status, stderr)
	a := testkit.Read(t, filepath.Join(dir, "right.png"))
	b := testkit.Read(t, filepath.Join(dir, "out", "frame0-topright.png"))
	require.Equal(t, a, b)
}

func pngSize(t *testing.T, path string) image.Point {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	c, err := png.DecodeConfig(f)
	require.NoError(t, err)
	return image.Pt(c.Width, c.Height)
}
