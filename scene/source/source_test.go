package source

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/texture"
	"pica200/fragment"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/pipeline/retrace"
	"pica200/tests/testkit"
)

const testdata = "../../testdata/"

func opened(t *testing.T, path string, o Options) Source {
	t.Helper()
	s := testkit.Must(Open(path, o))(t, path)
	t.Cleanup(s.Close)
	return s
}

func drawn(t *testing.T, s Source, r Request) *Picture {
	t.Helper()
	return testkit.Must(s.Draw(t.Context(), &r))(t)
}

// pixels returns the bytes of an image.
func pixels(t *testing.T, img image.Image, err error) []byte {
	t.Helper()
	require.NoError(t, err)
	return Opaque(img).Pix
}

// The contents of a recording decide, then the ending of the name, then the contents.
func TestKinds(t *testing.T) {
	for _, c := range []struct{ name, head, want string }{
		{"a", "PICATRAC and more", "recorded trace"}, {"a.yaml", "PICATRAC", "recorded trace"}, {"a", "PICATRA", ""}, {"a.ctf", "", "recorded trace"},
		{"a.PICATRACE", "other", "recorded trace"}, {"a.yaml", "objects: []", "scene"}, {"a.YML", "DVLB", "scene"}, {"a.case.yaml", "", ""},
		{"a.v.pica", "", "shader"}, {"a", "DVLB", "shader"}, {"a.bin", "glTF", "model"}, {"a.bin", "CGFX", "model"}, {"a.obj", "DVLB", "model"},
		{"a.bin", `{"asset": {}}`, "model"}, {"a.t3x", "", "texture"}, {"a.txt", "draws: []", ""},
	} {
		kind := ""
		if k := KindOf(c.name, []byte(c.head)); k != nil {
			kind = k.Name
		}
		require.Equal(t, c.want, kind, "%s with %q", c.name, c.head)
	}
}

// A text without a telling name is read whole; data in memory and pipes are recognised by their contents alone.
func TestContentsTell(t *testing.T) {
	dir := t.TempDir()
	scene := strings.Repeat("# a comment that is longer than what is read first\n", 100) + "models: {m: {shape: box}}\ndraws: [{model: m}]\n"
	for name, text := range map[string]string{
		"scene": scene, "obj": "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "shader": ".out pos position\n.in p\n.proc main\nmov pos, p\nend\n.end\n",
	} {
		want := map[string]string{"scene": "scene", "obj": "model", "shader": "shader"}[name]
		path := filepath.Join(dir, name+".txt")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		s := testkit.Must(Find(path, Options{}))(t, name)
		require.Equal(t, want, s.Info().Kind)
		piped := opened(t, "standard input", Options{Data: []byte(text)})
		require.Equal(t, want, piped.Info().Kind)
		require.Empty(t, piped.Info().Files)
		p := drawn(t, piped, Request{})
		img, err := p.Shown()
		require.NotEmpty(t, pixels(t, img, err))
		require.NoError(t, piped.Reload())
	}
	path := filepath.Join(dir, "x.txt")
	require.NoError(t, os.WriteFile(path, []byte("hello\n"), 0o666))
	for _, o := range []Options{{}, {Data: []byte("hello\n")}, {Data: []byte{}}} {
		_, err := Open(path, o)
		require.EqualError(t, err, path+" cannot be drawn: there are recorded traces (.ctf, .picatrace), scenes (.yaml, .yml), "+
			"models (.gltf, .glb, .obj, .cgfx, .bcres, .bcmdl, .bnr, .cbmd, .bch), shaders (.shbin, .pica, .vsh, .gsh), textures (.t3x)")
	}
	_, err := Open(filepath.Join(dir, "gone.yaml"), Options{})
	require.ErrorIs(t, err, fs.ErrNotExist)
	_, err = Open(dir, Options{Named: true})
	require.ErrorContains(t, err, dir)
}

// Frames of a recording are the same in any order, whole and to a draw, with checkpoints and without.
func TestRecordingFrames(t *testing.T) {
	want := map[[2]int][]byte{}
	for i, bound := range []int64{-1, 0} {
		s := opened(t, testdata+"traces/lights.ctf", Options{Workers: 1, CheckpointBytes: bound})
		info := s.Info()
		require.Equal(t, []any{2, "recorded trace"}, []any{info.Frames, info.Kind})
		for _, frame := range [][]int{{0, 1, Last}, {1, 0, 1, 0}}[i] {
			for _, draws := range []int{0, 2, 1} {
				p := drawn(t, s, Request{Frame: frame, Draws: draws})
				key := [2]int{p.Frame, draws}
				img, err := p.Image(Color)
				pix := pixels(t, img, err)
				if want[key] == nil {
					want[key] = pix
				}
				require.True(t, bytes.Equal(want[key], pix), "frame %d, %d draws", frame, draws)
				if draws > 0 {
					require.Equal(t, draws, p.Draws)
				}
			}
		}
		_, err := s.Draw(t.Context(), &Request{Frame: 2})
		require.ErrorContains(t, err, "lights.ctf: ")
		var none *pipeline.NoDrawError
		_, err = s.Draw(t.Context(), &Request{Frame: 1, Draws: 99})
		require.ErrorAs(t, err, &none)
		drawn(t, s, Request{Frame: 1})
	}
	require.NotEqual(t, want[[2]int{0, 0}], want[[2]int{1, 0}])
	require.NotEqual(t, want[[2]int{0, 1}], want[[2]int{0, 0}])
}

// Frames of a long recording are read where they lie, and only while its file stays the same.
func TestLongRecording(t *testing.T) {
	short := opened(t, testdata+"traces/lights.ctf", Options{Workers: 1}).(*Recording)
	path := filepath.Join(t.TempDir(), "lights.picatrace")
	var packed bytes.Buffer
	require.NoError(t, retrace.Pack(t.Context(), short.Trace, &packed, retrace.PackOptions{}))
	require.NoError(t, os.WriteFile(path, packed.Bytes(), 0o600))
	defer func(old int64) { inMemory = old }(inMemory)
	inMemory = int64(packed.Len()) - 1
	long := opened(t, path, Options{Workers: 1}).(*Recording)
	for _, frame := range []int{1, 0} {
		want, err := drawn(t, short, Request{Frame: frame}).Image(Color)
		wantPix := pixels(t, want, err)
		got, err := drawn(t, long, Request{Frame: frame}).Image(Color)
		require.True(t, bytes.Equal(wantPix, pixels(t, got, err)), "frame %d", frame)
	}
	inMemory++
	held := opened(t, path, Options{Workers: 1}).(*Recording)
	require.NoError(t, os.WriteFile(path, []byte("other"), 0o600))
	drawn(t, held, Request{Frame: 1})
	_, err := long.Trace.Frame(1)
	require.ErrorContains(t, err, "lights.picatrace: the file has changed since it was opened")
}

// A scene draws the same again, as recorded, to a draw, and after a failed frame; hooks and the view last for one frame.
func TestSceneFrames(t *testing.T) {
	s := opened(t, testdata+"scenes/lit.yaml", Options{Workers: 1}).(*Scene)
	look := func(r Request) []byte {
		img, err := drawn(t, s, r).Image(Color)
		return pixels(t, img, err)
	}
	first := look(Request{Time: 0.5})
	require.NotEqual(t, first, look(Request{Time: 1}))
	seen := 0
	view := look(Request{Time: 0.5, Prepare: func(g *pipeline.GPU) error {
		g.View = fragment.ViewDepth
		g.AfterDraw = func(*pipeline.DrawInfo) error { seen++; return nil }
		return nil
	}})
	require.NotEqual(t, first, view)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.Draw(ctx, &Request{})
	require.ErrorIs(t, err, context.Canceled)
	_, err = s.Draw(t.Context(), &Request{Prepare: func(*pipeline.GPU) error { return fs.ErrInvalid }})
	require.ErrorIs(t, err, fs.ErrInvalid)
	drew := seen
	require.Equal(t, first, look(Request{Time: 0.5}))
	require.Equal(t, drew, seen)

	p := drawn(t, s, Request{Time: 0.5})
	require.Equal(t, []any{drew, drew, Color}, []any{p.Draws, len(p.Names), p.Buffers()[0]})
	var none *pipeline.NoDrawError
	_, err = s.Draw(t.Context(), &Request{Draws: drew + 1})
	require.ErrorAs(t, err, &none)
	require.Equal(t, drew, none.Draws)

	rec := testkit.Must(s.Record(t.Context(), 1, 0.5))(t)
	defer rec.Close()
	require.Equal(t, []any{2, p.Names}, []any{rec.Info().Frames, rec.Names[1]})
	require.Equal(t, p.Names[0], rec.Name(1, 0))
	require.Empty(t, rec.Name(2, 0)+rec.Name(0, 99))
	last := drawn(t, rec, Request{Frame: Last})
	require.True(t, last.Unsent, "it sends nothing to a screen")
	img, err := last.Shown()
	require.Equal(t, first, pixels(t, img, err))
	top, other := rec.GPU.Framebuffers(pipeline.ScreenTop)
	for at, unsent := range map[uint32]bool{top: false, top + screenBytes - 1: false, max(top, other) + screenBytes: true, min(top, other) - 1: true} {
		rec.sent = map[uint32]bool{at: true}
		require.Equal(t, unsent, rec.unsent(), "a transfer to 0x%X", at)
	}
	own := testkit.Must(s.Record(t.Context()))(t)
	require.Empty(t, own.Warnings(), "nothing was drawn")
	require.Equal(t, 1, own.Info().Frames)
}

// After an error a source keeps the old scene, and lists the files that have to be mended.
func TestReload(t *testing.T) {
	dir := t.TempDir()
	path, png := filepath.Join(dir, "s.yaml"), filepath.Join(dir, "a.png")
	write := func(text string) { require.NoError(t, os.WriteFile(path, []byte(text), 0o666)) }
	const good = "models: {m: {shape: box}}\ndraws: [{model: m}]\n"
	write(good + "textures: {a: {file: a.png}}\n")
	s := testkit.Must(Find(path, Options{}))(t)
	defer s.Close()
	require.Error(t, s.Reload())
	require.Equal(t, []string{png, path}, s.Info().Files)
	write(good)
	require.NoError(t, s.Reload())
	require.Equal(t, []string{path}, s.Info().Files)
	p := drawn(t, s, Request{})
	write("draws: [{}]\n")
	require.ErrorContains(t, s.Reload(), "s.yaml:1:")
	require.Equal(t, p.Names, drawn(t, s, Request{}).Names)
}

// A scene for a screen is shown upright, as on that screen, any other in the orientation of its target.
func TestSceneForAScreenIsShownUpright(t *testing.T) {
	const box = "models: {m: {shape: box}}\ndraws: [{model: m}]\n"
	for head, size := range map[string]image.Point{
		"target: {width: 240, height: 400, screen: top}\n":             image.Pt(400, 240),
		"target: {width: 240, height: 320, screen: bottom}\n":          image.Pt(320, 240),
		"target: {width: 240, height: 320}\ncamera: {rotated: true}\n": image.Pt(320, 240),
		"target: {width: 240, height: 320}\n":                          image.Pt(240, 320),
	} {
		p := drawn(t, opened(t, "s.yaml", Options{Data: []byte(head + box)}), Request{})
		require.Equal(t, size, testkit.Must(p.Shown())(t).Bounds().Size(), head)
	}
	s := opened(t, "s.yaml", Options{Data: []byte("target: {width: 240, height: 400, screen: top}\nmodels: {m: {shape: torus}}\ndraws: [{model: m, at: [1, 0, 0]}]\n")})
	p := drawn(t, s, Request{})
	require.Equal(t, testkit.Must(p.Shown())(t), Opaque(upright(testkit.Must(p.Image(Color))(t))), "the screen's picture is the turned target")
	s.(*Scene).Stage.Enlarge(2)
	require.Equal(t, image.Pt(800, 480), testkit.Must(drawn(t, s, Request{}).Shown())(t).Bounds().Size(), "larger")
}

func TestStereoIsShownSideBySide(t *testing.T) {
	p := drawn(t, opened(t, "s.yaml", Options{Data: []byte("target: {width: 240, height: 400, screen: top}\ncamera: {rotated: true, stereo: {eyes: 1, convergence: 4}}\n" +
		"models: {m: {shape: torus}}\ndraws: [{model: m, at: [0.5, 0, 0]}]\n")}), Request{})
	m := testkit.Must(p.Shown())(t).(*image.RGBA)
	require.Equal(t, image.Pt(800, 240), m.Rect.Size())
	half := func(x int) []byte { return pixels(t, m.SubImage(image.Rect(x, 0, x+400, 240)), nil) }
	require.Equal(t, pixels(t, p.GPU.Screen(pipeline.ScreenTop), nil), half(0))
	require.Equal(t, pixels(t, p.GPU.Screen(pipeline.ScreenTopRight), nil), half(400))
	require.NotEqual(t, half(0), half(400))
}

func TestTextureFile(t *testing.T) {
	var data []byte
	for _, path := range testkit.Must(filepath.Glob(testdata + "scenes/native/*.t3x"))(t) {
		s := opened(t, path, Options{})
		p := drawn(t, s, Request{})
		img := testkit.Must(p.Shown())(t)
		file := testkit.Must(texture.ParseT3X(testkit.Read(t, path)))(t)
		require.Equal(t, int(file.Height), img.Bounds().Dy(), path)
		require.Contains(t, s.Info().About, "texels")
		_, err := s.Record(t.Context())
		require.ErrorContains(t, err, "no draws")
		data = testkit.Read(t, path)
	}
	require.NotEmpty(t, data)
	_, err := Open("x.t3x", Options{Data: data})
	require.NoError(t, err)
	_, err = Open("x.t3x", Options{Data: data[:7]})
	require.ErrorContains(t, err, "x.t3x: ")
}

// Texels keep their channels; the top row is first, and pictures are side by side.
func TestTexels(t *testing.T) {
	m := Texels(&texture.Image{Width: 1, Height: 2, Pix: []uint32{0x44332211, 0x88776655}}, &texture.Image{Width: 1, Height: 1, Pix: []uint32{0xCCBBAA99}})
	require.Equal(t, []byte{0x55, 0x66, 0x77, 0x88, 0x99, 0xAA, 0xBB, 0xCC, 0x11, 0x22, 0x33, 0x44, 0, 0, 0, 0}, m.Pix)
}

func TestBufferNames(t *testing.T) {
	require.Equal(t, []string{"color", "depth", "stencil", "gas", "shadow", "top", "topright", "bottom"}, BufferNames())
	require.Equal(t, BufferNames()[:5], TargetNames())
	for i, name := range BufferNames() {
		require.Equal(t, Buffer(i), testkit.Must(ParseBuffer(name))(t))
	}
	_, err := ParseBuffer("colour")
	require.ErrorContains(t, err, "color, depth")
	s := opened(t, testdata+"scenes/lit.yaml", Options{})
	_, err = drawn(t, s, Request{}).Image(Gas)
	require.ErrorContains(t, err, "no gas buffer")
}

// An error of a draw names the file, the draw's line and the shader's, also if the draw runs after others were made, or
// in a later frame of a recording.
func TestErrorsOfDrawsHaveAPlace(t *testing.T) {
	dir := t.TempDir()
	const shader = ".out o0 position\n.in p\n.bool go\n.proc main\nmov o0, p\nifu go\nl:\njmpu go, l\n.end\nend\n.end\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "h.v.pica"), []byte(shader), 0o666))
	const head = "models: {b: {shape: box}, q: {shape: quad}}\nprograms: {h: {sources: [h.v.pica]}}\n"
	hangs := func(from string) string { return "  - {model: q, program: h, uniforms: {go: " + from + "}}\n" }
	for _, c := range []struct{ text, place string }{
		{head + "draws:\n  - {model: b}\n" + hangs("true") + "  - {model: b}\n", "s.yaml:5:"},
		{head + "passes:\n  - name: p\n    target: {width: 8, height: 8}\n    draws:\n    " + hangs("true") + "draws:\n  - {model: b}\n", "s.yaml:7:"},
	} {
		path := filepath.Join(dir, "s.yaml")
		require.NoError(t, os.WriteFile(path, []byte(c.text), 0o666))
		s := opened(t, path, Options{})
		for _, do := range []func() error{
			func() error { _, err := s.Draw(t.Context(), &Request{}); return err },
			func() error { _, err := s.Record(t.Context(), 0, 1); return err },
		} {
			err := do()
			require.ErrorContains(t, err, dir)
			require.ErrorContains(t, err, c.place)
			require.ErrorContains(t, err, "h.v.pica:8: jmpu go, l")
			require.ErrorContains(t, err, "never reaches END")
			require.NotContains(t, err.Error(), "command list")
		}
	}
	// The second frame of a recording fails, at its own draw.
	const turned = ".fvec modelView[4]\n.constf k(0.5, 0.5, 0.5, 0.5)\n.out o0 position\n.in p\n.proc main\nmov o0, p\nmov r0, modelView[0]\ncmp k, gt, gt, r0\nl:\njmpc cmp.x, l\nend\n.end\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "h.v.pica"), []byte(turned), 0o666))
	path := filepath.Join(dir, "turned.yaml")
	require.NoError(t, os.WriteFile(path, []byte(head+"draws:\n  - {model: b}\n  - {model: q, program: h, spin: [90, 0, 1, 0]}\n  - {model: b}\n"), 0o666))
	s := opened(t, path, Options{})
	drawn(t, s, Request{})
	_, err := s.Record(t.Context(), 0, 1)
	require.ErrorContains(t, err, "turned.yaml:5:")
	require.ErrorContains(t, err, ": q (line 5): ")

	require.NoError(t, os.WriteFile(filepath.Join(dir, "arm.cgfx"), testkit.Read(t, testdata+"models/arm.cgfx"), 0o666))
	for mesh, says := range map[string]string{"arm_0": "", "nothing": "model m has no mesh"} {
		path = filepath.Join(dir, "mesh.yaml")
		require.NoError(t, os.WriteFile(path, []byte("models: {m: arm.cgfx}\ndraws: [{model: m, mesh: "+mesh+"}]\n"), 0o666))
		if s, err = Open(path, Options{}); err == nil {
			_, err = s.Draw(t.Context(), &Request{})
		}
		if says == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, says)
			require.ErrorContains(t, err, "mesh.yaml:2:")
		}
	}

	path = filepath.Join(dir, "alone.v.pica")
	require.NoError(t, os.WriteFile(path, []byte(".out o0 position\n.in p\n.proc main\nmov o0, p\nl:\njmpu !b0, l\nend\n.end\n"), 0o666))
	_, err = testkit.Must(Open(path, Options{}))(t).Draw(t.Context(), &Request{})
	require.ErrorContains(t, err, path)
	require.ErrorContains(t, err, "alone.v.pica:6: jmpu !b0, l")
}

func TestPartsOfModels(t *testing.T) {
	dir := t.TempDir()
	in := func(names ...string) (paths []string) {
		for _, n := range names {
			paths = append(paths, filepath.Join(dir, n))
		}
		return paths
	}
	for name, text := range map[string]string{
		"a.obj":    "mtllib a.mtl\nv 0 0 0\n",
		"a.mtl":    "newmtl m\nmap_Kd a.png\nmtllib a.mtl\n", // names itself
		"self.obj": "mtllib self.obj\n",
		"data.obj": "mtllib data:x\n",
		"a.gltf":   `{"buffers": [{"uri": "a.bin"}], "images": [{"uri": "data:image/png;base64,"}, {"uri": "b.png"}]}`,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	for name, want := range map[string][]string{
		"a.obj": in("a.mtl", "a.png"), "a.mtl": in("a.png"), "self.obj": in("self.obj"), "data.obj": nil,
		"a.gltf": in("a.bin", "b.png"), "none.obj": nil, "a.png": nil,
	} {
		require.Equal(t, want, parts(filepath.Join(dir, name)), name)
	}
}

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
	// Levels lie to the right, the subtextures of an atlas are draws, alpha without colour is grey.
	x := testkit.Must(texture.NewT3X(pica.TextureFormatA8, 2, texture.FromImage(image.NewGray(image.Rect(0, 0, 32, 16)))))(t)
	x.SubTextures = []texture.SubTexture{{Width: 8, Height: 4, Left: 512, Top: 768, Right: 768, Bottom: 512}, {Width: 3, Height: 2, Top: 128, Right: 96}}
	for i := range x.Data {
		x.Data[i] = byte(i%199 + 1)
	}
	require.NoError(t, os.WriteFile(path, testkit.Must(x.Encode())(t), 0o666))
	s = InScene(testkit.Must(Find(path, Options{}))(t))
	require.NoError(t, s.Reload())
	defer s.Close()
	got = testkit.Must(testkit.Must(s.Draw(t.Context(), &Request{}))(t).Shown())(t)
	require.Equal(t, [2]int{384, 128}, [2]int{got.Bounds().Dx(), got.Bounds().Dy()})
	whole, half := testkit.Must(x.Image(0, 0))(t).NRGBA(), testkit.Must(x.Image(0, 1))(t).NRGBA()
	for y := range 16 {
		for c := range 48 {
			want := color.NRGBA{A: 255} // the background
			switch {
			case c >= 32 && y < 8:
				alpha := half.NRGBAAt(c-32, y).A
				want = color.NRGBA{alpha, alpha, alpha, alpha}
			case c >= 16 && c < 24 && y >= 4 && y < 8 || c < 3 && y >= 14:
				alpha := whole.NRGBAAt(c, y).A
				want = color.NRGBA{alpha, alpha, alpha, alpha}
			}
			require.Equal(t, want, got.At(8*c+3, 8*y+5), "%d, %d", c, y)
		}
	}
	require.Equal(t, []string{"0: 8x4", "1: 3x2", "level 1"}, []string{s.Stage.Scene.Draws[0].Name, s.Stage.Scene.Draws[1].Name, s.Stage.Scene.Draws[2].Name})
	require.ErrorContains(t, open(im, im, im, im, im, im).Reload(), "is a cube map, which the window does not show")
	require.Nil(t, InScene(s))
}
