package main

import (
	"bytes"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/stretchr/testify/require"

	"pica200/assets/model"
	"pica200/tests/testkit"
)

// A banner made from a model passes lint and check, and draws the same packed, unpacked and laid out again, at any time.
func TestBannerFromModel(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	ok(t, "convert", "../../testdata/scenes/arm.gltf", "-o", at("arm.cgfx"), "-q")
	require.Empty(t, ok(t, "lint", at("arm.cgfx")))
	require.NotContains(t, ok(t, "inspect", "--check", at("arm.cgfx")), "problem")
	ok(t, "convert", "../../testdata/scenes/arm.gltf", "-o", at("arm.bnr"), "-q")
	require.Empty(t, ok(t, "lint", at("arm.bnr")))
	ok(t, "convert", at("arm.bnr"), "-o", at("again.cgfx"), "-q")
	require.Equal(t, testkit.Read(t, at("arm.cgfx")), testkit.Read(t, at("again.cgfx")))
	picture := func(file, time string) []byte {
		ok(t, "render", at(file), "-o", at("p.png"), "--time", time, "-q")
		return testkit.Read(t, at("p.png"))
	}
	still, moved := picture("arm.cgfx", "0"), picture("arm.cgfx", "1")
	require.True(t, bytes.Equal(still, picture("arm.bnr", "0")))
	require.True(t, bytes.Equal(moved, picture("arm.bnr", "1")))
	require.False(t, bytes.Equal(still, moved), "the banner turns and is animated")

	require.Contains(t, ok(t, "extract", at("arm.bnr")), "model  COMMON")
	ok(t, "extract", at("arm.bnr"), "-o", at("parts")+"/")
	ok(t, "render", at("parts/COMMON.glb"), "-o", at("p.png"), "-q")
}

// A metal ball shows its colour up to the edge, given as a factor or a texture, and its roughness is visible.
func TestMetalColorAndRoughness(t *testing.T) {
	ball := testkit.Must(model.Sphere(1, 32, 24))(t)
	ball.Material = 0
	dir := t.TempDir()
	picture := func(name string, change func(m *model.Model, mat *model.Material)) *image.RGBA {
		m := &model.Model{Materials: []model.Material{model.DefaultMaterial()}, Meshes: []model.Mesh{{Parts: []model.Part{ball}}},
			Nodes: []model.Node{{Mesh: 0, Skin: -1, Parent: -1, Shown: true, TRS: model.Identity}}}
		m.Materials[0].Metallic = 1
		change(m, &m.Materials[0])
		data := testkit.Must(model.EncodeGLB(m))(t)
		file := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(file+".glb", data, 0o600))
		ok(t, "render", file+".glb", "-o", file+".png")
		return pixels(t, file+".png").(*image.RGBA)
	}
	gold := func(name string, img *image.RGBA) {
		t.Helper()
		b := img.Rect
		background := img.RGBAAt(0, 0)
		var ball, bright, yellow int
		for y := range b.Dy() {
			for x := range b.Dx() {
				c := img.RGBAAt(x, y)
				require.EqualValues(t, 255, c.A, "%s: an opaque material ignores alpha", name)
				if c != background {
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
		require.Greater(t, float64(bright), 0.9*float64(ball), "%s: the edge is not black", name)
		require.Greater(t, float64(yellow), 0.9*float64(ball), "%s: the edge has the metal's colour", name)
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
			copy(pix.Pix[i:], []uint8{255, 196, 87, 90})
		}
		md.Images = []model.Image{{Name: "gold", Pix: pix}}
		m.Base, m.Roughness = model.Texture{Image: 0}, 0.3
	}))
}

// Where a texture marks a surface as metal, it looks like an all-metal surface with the metal's roughness; elsewhere like a surface
// without metal, with the other roughness.
func TestMetalByTexture(t *testing.T) {
	dir := t.TempDir()
	texels := func(name string, w int, p ...uint8) model.Image {
		pix := image.NewNRGBA(image.Rect(0, 0, w, len(p)/4/w))
		copy(pix.Pix, p)
		return model.Image{Name: name, Pix: pix}
	}
	images := []model.Image{
		texels("mixed", 2, 9, 51, 255, 255, 99, 178, 0, 255), texels("metal", 1, 9, 51, 255, 255), texels("rest", 1, 99, 178, 0, 255),
		texels("bumps", 1, 150, 100, 255, 255), texels("colours", 2, 250, 200, 150, 255, 100, 160, 220, 255), texels("light", 1, 90, 0, 40, 255),
		texels("half", 2, 0, 51, 128, 255, 0, 178, 0, 255),
	}
	use := func(i int) model.Texture {
		return model.Texture{Image: i, Sampler: model.Sampler{WrapU: model.ClampToEdge}}
	}
	// The left and the right ball each use one texel.
	m := &model.Model{Images: images, Materials: make([]model.Material, 1), Meshes: make([]model.Mesh, 1), Nodes: []model.Node{{Skin: -1, Parent: -1, Shown: true, TRS: model.Identity}}}
	for side := range 2 {
		ball := testkit.Must(model.Sphere(1, 32, 24))(t)
		for i := range ball.Positions {
			ball.Positions[i][0] += []float32{-1.5, 1.5}[side]
			ball.UV[0][i] = mgl32.Vec2{0.1 + 0.8*float32(side), 0.5}
		}
		ball.Material = 0
		m.Meshes[0].Parts = append(m.Meshes[0].Parts, ball)
	}
	drawn := func(name string, mat model.Material, scene string) (*image.RGBA, string) {
		m.Materials[0] = mat
		data := testkit.Must(model.EncodeGLB(m))(t)
		file := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(file+".glb", data, 0o600))
		from := file + ".glb"
		if scene != "" {
			from = file + ".yaml"
			require.NoError(t, os.WriteFile(from, []byte("models: {m: {file: "+name+".glb}}\ncamera: {eye: [3, 2, 6], fovy: 50}\n"+scene), 0o600))
		}
		_, stderr := ends(t, exitDone, "render", from, "-o", file+".png")
		return pixels(t, file+".png").(*image.RGBA), stderr
	}
	plain := model.DefaultMaterial()
	plain.BaseColor, plain.Metallic = mgl32.Vec4{0.9, 0.5, 0.2, 1}, 1
	with := func(i int, change func(m *model.Material)) model.Material {
		mat := plain
		mat.MetalMap = use(i)
		change(&mat)
		return mat
	}
	far := func(a, b color.RGBA) int {
		d := 0
		for _, c := range [][2]uint8{{a.R, b.R}, {a.G, b.G}, {a.B, b.B}} {
			d = max(d, max(int(c[0]), int(c[1]))-min(int(c[0]), int(c[1])))
		}
		return d
	}
	for name, change := range map[string]func(m *model.Material){
		"plain": func(*model.Material) {},
		"bumps": func(m *model.Material) { m.Normal = use(3) },
		"colours, bumps and a map of light": func(m *model.Material) {
			m.Base, m.Normal, m.EmissiveMap, m.Emissive = use(4), use(3), use(5), mgl32.Vec3{1, 1, 1}
		},
	} {
		mixed, said := drawn("mixed", with(0, change), "")
		require.Contains(t, said, "one for what is metal and one for the rest")
		require.NotContains(t, said, "counts by its mean: ")
		metal, _ := drawn("metal", with(1, change), "")
		rest, _ := drawn("rest", with(2, change), "")
		balls, apart := 0, 0
		for y := range mixed.Rect.Dy() {
			for x := range mixed.Rect.Dx() {
				want, other := metal.RGBAAt(x, y), rest.RGBAAt(x, y)
				if x >= mixed.Rect.Dx()/2 {
					want, other = other, want
				}
				require.LessOrEqual(t, far(want, mixed.RGBAAt(x, y)), 3, "%s: %d,%d: %v, want %v", name, x, y, mixed.RGBAAt(x, y), want)
				if want != mixed.RGBAAt(0, 0) {
					balls++
					if far(want, other) > 12 {
						apart++
					}
				}
			}
		}
		require.Greater(t, balls, 4000, name)
		require.Greater(t, float64(apart), 0.5*float64(balls), "%s: the two roughnesses look different", name)
	}
	// A factor has the same effect as the texture.
	half, _ := drawn("half", with(6, func(*model.Material) {}), "")
	factor, _ := drawn("factor", with(0, func(m *model.Material) { m.Metallic = 128. / 255 }), "")
	require.Equal(t, half.Pix, factor.Pix)
	// If a texture cannot be used as a mask, its mean is used, with a note.
	mean := plain
	mean.Metallic, mean.Roughness = 0.5, 114.5/255
	for scene, why := range map[string]string{
		"lights: [{direction: [0.5, 0.8, 0.9]}, {direction: [-1, 0, 1], specular0: [0.5, 0.5, 0.4]}]\ndraws: [{model: m}]\n":          "the highlight of light 1 is not grey, or it has a second one",
		"lights: [{direction: [0.5, 0.8, 0.9], specular1: [0, 0, 0]}]\ndraws: [{model: m}]\n":                                         "the highlight of light 0 is not grey, or it has a second one",
		"lights: [{direction: [0.5, 0.8, 0.9], uniforms: {specular0: [1, 0.5, 1, 1]}}]\ndraws: [{model: m}]\n":                        "the highlight of light 0 is not grey, or it has a second one",
		"textures: {c: {pattern: checker, size: 8}}\nlights: [{direction: [0.5, 0.8, 0.9]}]\ndraws: [{model: m, textures: [c, c]}]\n": "unit 1, where it would be, has a texture of the draw",
		"uniforms: {\"dmp_TexEnv[5].constRgba\": [0, 0, 0, 1]}\nlights: [{direction: [0.5, 0.8, 0.9]}]\ndraws: [{model: m}]\n":        "the scene sets dmp_TexEnv[5].constRgba",
		"lights: [{direction: [0.5, 0.8, 0.9]}]\ndraws: [{model: m, uniforms: {dmp_LightEnv.config: config4}}]\n":                     "the scene sets dmp_LightEnv.config",
		"lights: [{direction: [0.5, 0.8, 0.9]}]\ndraws: [{model: m, color: [1, 0.5, 0.5, 1]}]\n":                                      "with a texture, vertex colours and emission it needs a seventh combiner",
	} {
		glows := func(m *model.Material) {}
		if strings.Contains(why, "seventh") {
			glows = func(m *model.Material) { m.Base, m.Emissive = use(4), mgl32.Vec3{0.1, 0.2, 0.3} }
		}
		got, said := drawn("scene", with(0, glows), scene)
		require.Contains(t, said, "metalness counts by its mean: "+why)
		plain := mean
		glows(&plain)
		want, said := drawn("mean", plain, scene)
		require.NotContains(t, said, "metalness")
		require.Equal(t, want.Pix, got.Pix, why)
	}
	_, said := drawn("scene", with(0, func(*model.Material) {}), "lights: [{direction: [0.5, 0.8, 0.9], specular0: [0.5, 0.5, 0.5]}]\ndraws: [{model: m}]\n")
	require.NotContains(t, said, "counts by its mean: ")
}

// Animated pictures have the requested number of frames, or the whole animation.
func TestAnimatedPictureFrames(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	arm := "../../testdata/scenes/arm.gltf"
	ok(t, "render", arm, "-o", at("a.gif"), "--turntable", "5", "--size", "80x48", "-q")
	g := testkit.Must(gif.DecodeAll(bytes.NewReader(testkit.Read(t, at("a.gif")))))(t)
	require.Len(t, g.Image, 5)
	require.Equal(t, 80, g.Config.Width)
	ok(t, "render", arm, "-o", at("a.apng"), "--frames", "3", "--size", "80x48", "-q")
	ok(t, "render", arm, "-o", at("still.png"), "--animation", "none", "--stereo", "-q")
	data := testkit.Read(t, at("a.apng"))
	require.Equal(t, 2, bytes.Count(data, []byte("fdAT")))
	testkit.Must(png.Decode(bytes.NewReader(data)))(t)
}

// --scale draws larger: files, folders, films and single draws.
func TestScaledScene(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	const scene = "../../viewer/testdata/window.yaml"
	ok(t, "render", scene, "-o", at("a.png"), "--scale", "2.5")
	ok(t, "render", scene, "-o", at("out")+"/", "--scale", "2.5")
	ok(t, "render", scene, "-o", at("draw.png"), "--scale", "2.5", "--draw", "0")
	ok(t, "render", scene, "-o", at("a.gif"), "--scale", "2.5", "--frames", "2")
	for _, name := range []string{"a.png", "out/frame0-color.png", "draw.png"} {
		require.Equal(t, image.Pt(1000, 600), sizeOf(t, at(name)), name)
	}
	require.Equal(t, 1000, testkit.Must(gif.DecodeConfig(bytes.NewReader(testkit.Read(t, at("a.gif")))))(t).Width)
	require.Len(t, listFiles(t, at("out")), 1, "nothing is sent to screens")
}

// A stereo scene is drawn for both eyes: side by side in one file, or per screen in a folder.
func TestStereoScene(t *testing.T) {
	dir := t.TempDir()
	const stereo = "../../testdata/scenes/stereo.yaml"
	ok(t, "render", stereo, "-o", filepath.Join(dir, "both.png"))
	require.Equal(t, image.Pt(800, 240), sizeOf(t, filepath.Join(dir, "both.png")))
	ok(t, "render", stereo, "-o", dir+"/out/")
	for name, want := range map[string]image.Point{"color": {X: 240, Y: 400}, "top": {X: 400, Y: 240}, "topright": {X: 400, Y: 240}, "bottom": {X: 320, Y: 240}} {
		require.Equal(t, want, sizeOf(t, filepath.Join(dir, "out", "frame0-"+name+".png")), name)
	}
	files := testkit.Must(os.ReadDir(filepath.Join(dir, "out")))(t)
	require.Len(t, files, 4)
	ok(t, "render", stereo, "-o", filepath.Join(dir, "right.png"), "--screen", "topright", "-q")
	require.Equal(t, testkit.Read(t, filepath.Join(dir, "right.png")), testkit.Read(t, filepath.Join(dir, "out", "frame0-topright.png")))
}
