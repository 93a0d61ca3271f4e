package session

import (
	"bytes"
	"image"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"pica200/assets/citrace"
	"pica200/explain"
	"pica200/fragment"
	"pica200/golden"
	"pica200/internal/demo"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/shaderunit/shaders"
	"pica200/tests/testkit"
)

const window = "../testdata/window.yaml"

func request() *Request { return &Request{Draw: -1, Edits: map[string]Edit{}} }

func edits(list ...Edit) map[string]Edit {
	m := map[string]Edit{}
	for _, e := range list {
		m[e.Key()] = e
	}
	return m
}

func render(t *testing.T, s Source, r *Request) *Picture {
	t.Helper()
	p := testkit.Must(s.Render(t.Context(), r))(t)
	return p
}

// drawsOf returns the draws of the list of a request.
func drawsOf(t *testing.T, s Source, r *Request) []pipeline.DrawRecord {
	t.Helper()
	list := testkit.Must(s.List(t.Context(), r))(t)
	items := len(list.Items)
	render(t, s, r)
	require.Len(t, list.Items, items, "the list ends with its frame")
	return list.Draws
}

func historyOf(t *testing.T, s Source, p *Picture, x, y int) *explain.History {
	t.Helper()
	e := testkit.Must(s.ExplainPixel(t.Context(), p, x, y))(t)
	return e
}

// writeBack saves the edits of a request and reads the file again.
func writeBack(t *testing.T, s Source, r *Request) Source {
	t.Helper()
	testkit.Must(s.(Writer).WriteBack(t.Context(), r))(t)
	return open(t, s.Info().Path)
}

// written writes a scene to a temporary folder.
func written(t *testing.T, text string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "s.yaml")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

// copied copies the test scene and its shader to a temporary folder.
func copied(t *testing.T) string {
	dir := t.TempDir()
	for _, n := range []string{"window.yaml", "window.v.pica"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, n), testkit.Read(t, filepath.Join("../testdata", n)), 0o644))
	}
	return filepath.Join(dir, "window.yaml")
}

func open(t *testing.T, path string) Source {
	t.Helper()
	s := testkit.Must(Open(path, Options{}))(t)
	t.Cleanup(s.Close)
	return s
}

// same requires equal pictures without printing them.
func same(t *testing.T, want, got []byte) {
	t.Helper()
	require.True(t, bytes.Equal(want, got), "the pictures are equal")
}

func differ(t *testing.T, a, b []byte) {
	t.Helper()
	require.False(t, bytes.Equal(a, b), "the pictures differ")
}

// colors counts the distinct colours of a picture.
func colors(m *image.RGBA) int {
	seen := map[[3]uint8]bool{}
	for i := 0; i < len(m.Pix); i += 4 {
		seen[[3]uint8(m.Pix[i:i+3])] = true
	}
	return len(seen)
}

func TestOpenEveryKind(t *testing.T) {
	dir := t.TempDir()
	trace := testkit.Must(demo.Trace(t.Context(), 3))(t)
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, data, 0o644))
		return path
	}
	lit := testkit.Read(t, "../testdata/window.v.pica")
	file := testkit.Must(shaders.Load("basic"))(t)
	binary := testkit.Must(file.Write())(t)
	obj := "v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nf 1//1 2//1 3//1\n"
	for _, path := range []string{window, write("demo.ctf", trace), write("a.v.pica", lit), write("b.shbin", binary), write("c.obj", []byte(obj))} {
		t.Run(filepath.Ext(path), func(t *testing.T) {
			s := open(t, path)
			require.Contains(t, s.Info().Files, path)
			p := render(t, s, request())
			require.Greater(t, colors(p.Image), 1)
			require.Positive(t, p.draws)
			require.True(t, p.Target)
			again := render(t, s, request())
			same(t, p.Image.Pix, again.Image.Pix)
		})
	}
	_, err := Open(write("x.txt", []byte("no picture")), Options{})
	require.ErrorContains(t, err, "x.txt cannot be drawn: there are recorded traces (.ctf, .picatrace), scenes")
	_, err = Open(filepath.Join(dir, "absent.yaml"), Options{})
	require.Error(t, err)
}

func TestViewsDiffer(t *testing.T) {
	s := open(t, window)
	seen := map[string]string{}
	for _, v := range Views() {
		r := request()
		r.View = v
		p := render(t, s, r)
		name := ViewName(v)
		if prev, ok := seen[string(p.Image.Pix)]; ok {
			// Views of unused units are black or equal to their input.
			require.True(t, strings.HasPrefix(name, "texture") || strings.HasPrefix(name, "stage") || name == "stencil", "%s is the same as %s", name, prev)
		}
		seen[string(p.Image.Pix)] = name
		back := testkit.Must(ParseView(name))(t)
		require.Equal(t, v, back)
	}
	_, err := ParseView("sideways")
	require.ErrorContains(t, err, "wireframe")
}

func TestStepDraws(t *testing.T) {
	s := open(t, window)
	all := render(t, s, request())
	require.Equal(t, 2, all.draws)
	r := request()
	r.Draw = 0
	first := render(t, s, r)
	require.Equal(t, 1, first.draws)
	require.Equal(t, 2, first.Frame)
	differ(t, all.Image.Pix, first.Image.Pix)
	require.Contains(t, first.Note, "floor")
	r.Draw = 1
	same(t, all.Image.Pix, render(t, s, r).Image.Pix)
}

func TestEdits(t *testing.T) {
	s := open(t, window)
	plain := render(t, s, request())
	for _, e := range []Edit{
		{Name: "dmp_FragmentMaterial.diffuse", Values: []any{0.1, 0.8, 0.2, 1.0}},
		{Name: "dmp_FragmentMaterial.diffuse", Draw: "knot", Values: []any{0.1, 0.8, 0.2, 1.0}},
		{Name: "dmp_TexEnv[5].srcRgb#0", Draw: "knot", Values: []any{"GL_CONSTANT"}},
		{Name: "dmp_FragmentLighting.enabled", Draw: "knot", Values: []any{false}},
		{Name: "shader:projection#0", Draw: "knot", Values: []any{3.0, 0.0, 0.0, 0.0}},
	} {
		t.Run(e.Key(), func(t *testing.T) {
			r := request()
			r.Edits = edits(e)
			r.Rows, r.Target = true, e.Draw
			p := render(t, s, r)
			differ(t, plain.Image.Pix, p.Image.Pix)
			marked := 0
			for _, u := range p.Rows {
				if u.Changed {
					marked++
					require.Equal(t, e.Name, u.Key)
				}
			}
			require.Equal(t, 1, marked)
		})
	}
	same(t, plain.Image.Pix, render(t, s, request()).Image.Pix)

	r := request()
	r.Edits = edits(Edit{Name: "dmp_FragmentMaterial.diffuse", Values: []any{"red"}})
	_, err := s.Render(t.Context(), r)
	require.ErrorContains(t, err, "dmp_FragmentMaterial.diffuse")
}

// Every dmp_* uniform has a row with a suitable control.
func TestUniformRows(t *testing.T) {
	s := open(t, window)
	r := request()
	r.Rows = true
	names := map[string]bool{}
	for _, u := range render(t, s, r).Rows {
		require.NotEmpty(t, u.Group)
		names[uniformName(u.Key)] = true
		switch u.Type {
		case "bool":
			require.Len(t, u.Values, 1)
		case "enum", "steps":
			require.Contains(t, append(u.Choices, "off"), u.Text, u.Key)
		case "number", "color", "table":
			require.NotEmpty(t, u.Values, u.Key)
		case "string": // of any length
		default:
			t.Errorf("%s has a row of type %q", u.Key, u.Type)
		}
	}
	n := 0
	for name := range names {
		if strings.HasPrefix(name, "dmp_") {
			n++
		}
	}
	require.Equal(t, 297, n)
	require.True(t, names["modelView"])
}

// A colour of a light that the scene's light sets is saved there, another one as a uniform.
func TestLightColorIsSavedInItsLight(t *testing.T) {
	const light, rest = "lights: [{position: [1, 2, 3], diffuse: [0.5, 0.5, 0.5]}]\n", "models: {q: {shape: quad}}\ndraws: [{model: q}]\n"
	edit := func(v ...any) *Request {
		r := request()
		e := Edit{Name: "dmp_FragmentLightSource[0].diffuse", Values: v}
		r.Edits = map[string]Edit{e.Key(): e}
		return r
	}
	for _, tt := range []struct {
		text string
		edit *Request
		want string
	}{
		{light + rest, edit(nil, 0.25, nil, nil), strings.Replace(light, "0.5, 0.5, 0.5", "0.5, 0.25, 0.5", 1) + rest},
		{light + rest, edit(nil, nil, nil, 0.5), "uniforms:"},                                              // it has three numbers
		{strings.Replace(light, "diffuse", "specular0", 1) + rest, edit(0.25, nil, nil, nil), "uniforms:"}, // it has none
		{light + rest + "uniforms: {\"dmp_FragmentLightSource[0].diffuse\": [1, 1, 1, 1]}\n", edit(0.25, nil, nil, nil), "[0.25, 1, 1, 1]"},
		{light + strings.Replace(rest, "model: q}", "model: q, uniforms: {\"dmp_FragmentLightSource[0].diffuse\": [1, 1, 1, 1]}}", 1), edit(0.25, nil, nil, nil), "[0.25, 1, 1, 1]"},
	} {
		s := open(t, written(t, tt.text))
		again := writeBack(t, s, tt.edit)
		require.Contains(t, string(testkit.Read(t, s.Info().Path)), tt.want)
		same(t, render(t, s, tt.edit).Image.Pix, render(t, again, request()).Image.Pix)
	}
}

func TestSaveRoundTrip(t *testing.T) {
	s := open(t, copied(t))
	r := request()
	r.Orbit = Orbit{Yaw: 0.4, Pitch: 0.2, Zoom: 0.3, Pan: mgl64.Vec2{0.1, -0.05}}
	r.Edits = edits(
		Edit{Name: "dmp_FragmentMaterial.diffuse", Values: []any{0.2, 0.3, 0.9, 1.0}},
		Edit{Name: "dmp_TexEnv[1].srcRgb#1", Draw: "knot", Values: []any{"GL_CONSTANT"}},
		Edit{Name: "dmp_TexEnv[1].combineRgb", Draw: "knot", Values: []any{"GL_ADD"}},
		Edit{Name: "dmp_TexEnv[1].constRgba", Draw: "knot", Values: []any{0.25, 0.0, 0.0, 1.0}},
		Edit{Name: "shader:normalMatrix#0", Draw: "knot", Values: []any{0.5, 0.0, 0.0, 0.0}})
	want := render(t, s, r)
	path := filepath.Join(filepath.Dir(s.Info().Path), "copy.yaml")
	require.NoError(t, s.(Writer).CopyTo(t.Context(), r, path))
	got := render(t, open(t, path), request())
	n := 0
	for i := range want.Image.Pix {
		if want.Image.Pix[i] != got.Image.Pix[i] {
			n++
		}
	}
	// The camera's position is written with seven digits, so that a pixel on an edge may differ.
	require.Less(t, n, len(want.Image.Pix)/500)

	require.ErrorIs(t, s.(Writer).CopyTo(t.Context(), r, path), os.ErrExist, "an existing file is not overwritten")
}

func TestGoldenCase(t *testing.T) {
	path := copied(t)
	s := open(t, path)
	for _, r := range []*Request{request(), {Draw: -1, Time: 1, Edits: edits(Edit{Name: "dmp_Fog.mode", Values: []any{"fog"}})}} {
		file := testkit.Must(GoldenCase(t.Context(), s, r, SuggestCase(s.Info(), r), false))(t)
		c := testkit.Must(golden.LoadCase(filepath.Dir(file), file))(t)
		testkit.Must(os.Stat(c.SourcePath()))(t)
		require.Equal(t, r.Time, c.T)
		folder := testkit.Must(os.Stat(filepath.Dir(file)))(t)
		require.Equal(t, os.FileMode(0o700), folder.Mode().Perm()&0o700)
		want := testkit.Must(golden.ReadPNG(filepath.Join(filepath.Dir(file), c.Images[0].Approved[0].File)))(t)
		again := request()
		again.Time, again.Alpha = c.T, true
		got := render(t, open(t, c.SourcePath()), again)
		for y := range 240 {
			for x := range 400 {
				r1, g1, b1, a1 := want.At(x, y).RGBA()
				r2, g2, b2, a2 := got.Raw.At(x, y).RGBA()
				if w, g := [4]uint32{r1, g1, b1, a1}, [4]uint32{r2, g2, b2, a2}; w != g {
					require.Equal(t, w, g, "at %d, %d", x, y)
				}
			}
		}
	}
}

func TestExplainEndsInPixelColor(t *testing.T) {
	path := demoTrace(t, 2)
	for _, file := range []string{window, path} {
		s := open(t, file)
		r := request()
		r.Frame, r.Orbit = 1, Orbit{Yaw: 0.5}
		p := render(t, s, r)
		for _, at := range []image.Point{{200, 120}, {120, 90}, {30, 200}, {210, 300}} {
			if !at.In(p.Image.Rect) {
				continue
			}
			e := historyOf(t, s, p, at.X, at.Y)
			last := e.Events[len(e.Events)-1]
			c := p.Image.RGBAAt(at.X, at.Y)
			require.Equal(t, [3]uint8{c.R, c.G, c.B}, [3]uint8(last.After.Color[:3]), "%s at %v: %s", file, at, last.Text())
		}
		_, err := s.ExplainPixel(t.Context(), p, 5000, 5000)
		require.Error(t, err)
		same(t, p.Image.Pix, render(t, s, r).Image.Pix)
	}
}

func TestFailedReloadKeepsPicture(t *testing.T) {
	path := copied(t)
	shader := filepath.Join(filepath.Dir(path), "window.v.pica")
	s := open(t, path)
	want := render(t, s, request()).Image.Pix
	good := testkit.Read(t, shader)
	scene := testkit.Read(t, path)
	for _, tt := range []struct {
		name, file, text, says string
	}{
		{"shader", shader, strings.Replace(string(good), "mov r3, litConst", "mov r3, litCunst", 1), "window.v.pica:29"},
		{"caret", shader, strings.Replace(string(good), "mov r3, litConst", "mov r3, litCunst", 1), "^~~"},
		{"half a shader", shader, string(good[:700]), "window.v.pica"},
		{"empty shader", shader, "", "window.v.pica"},
		{"scene", path, strings.Replace(string(scene), "fovy: 40", "fovy: wide", 1), "window.yaml:3:"},
		{"half a scene", path, string(scene[:300]), "window.yaml"},
		{"model", path, strings.Replace(string(scene), "shape: knot", "file: absent.glb", 1), "absent.glb"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			defer os.WriteFile(path, scene, 0o644)
			defer os.WriteFile(shader, good, 0o644)
			require.NoError(t, os.WriteFile(tt.file, []byte(tt.text), 0o644))
			require.ErrorContains(t, s.Reload(), tt.says)
			same(t, want, render(t, s, request()).Image.Pix)
			require.Contains(t, s.Info().Files, shader)
		})
	}
	t.Run("gone", func(t *testing.T) {
		require.NoError(t, os.Remove(shader))
		require.Error(t, s.Reload())
		same(t, want, render(t, s, request()).Image.Pix)
		require.NoError(t, os.WriteFile(shader, good, 0o644))
		require.NoError(t, s.Reload())
	})
}

func TestTraceScreens(t *testing.T) {
	path := demoTrace(t, 2)
	s := open(t, path)
	for screens, size := range map[Screens]image.Point{NoScreens: {800, 480}, BothScreens: {400, 480}, SideBySide: {800, 240}, Anaglyph: {400, 240}} {
		r := request()
		r.Screens = screens
		require.Equal(t, size, render(t, s, r).Image.Rect.Size(), screens.String())
	}
	r := request()
	r.Frame = 1
	second := render(t, s, r).Image.Pix
	differ(t, render(t, s, request()).Image.Pix, second)
	same(t, second, render(t, s, r).Image.Pix)
	_, saves := s.(Writer)
	require.False(t, saves)
	require.Equal(t, fragment.ViewFinal, r.View)
}

// Recoverable errors of a trace are warnings of each picture, or errors if requested.
func TestTraceWarnings(t *testing.T) {
	data := testkit.Must(demo.Trace(t.Context(), 1))(t)
	trace := testkit.Must(citrace.Parse(data))(t)
	b := citrace.Builder{Initial: trace.Initial}
	b.Write(pica.ExtMemfillStart, 0x30000000>>3)
	b.Write(pica.ExtMemfillEnd, 0x30001000>>3)
	b.Write(pica.ExtMemfillControl, 1)
	for _, e := range trace.Elements {
		switch e.Type {
		case citrace.FrameMarker:
			b.EndFrame()
		case citrace.MemoryLoad:
			b.Load(e.Address, trace.Payload(e))
		case citrace.RegisterWrite:
			b.Write(e.Address, uint32(e.Value))
		}
	}
	data = testkit.Must(b.Encode())(t)
	path := filepath.Join(t.TempDir(), "fill.ctf")
	require.NoError(t, os.WriteFile(path, data, 0o644))

	s := open(t, path)
	require.Empty(t, s.Warnings())
	for range 2 {
		p := render(t, s, request())
		require.Len(t, p.Warnings, 1)
		require.Regexp(t, "^frame 0: memory fill left out: .*no memory at 0x30000000", p.Warnings[0])
	}
	historyOf(t, s, &Picture{Request: *request(), Target: true}, 100, 100)
	require.Len(t, s.Warnings(), 1)

	s = testkit.Must(Open(path, Options{Strict: true}))(t)
	_, err := s.Render(t.Context(), request())
	require.ErrorContains(t, err, "no memory at 0x30000000")
	_, err = s.ExplainPixel(t.Context(), &Picture{Request: *request(), Target: true}, 100, 100)
	require.ErrorContains(t, err, "no memory at 0x30000000")
	require.Empty(t, s.Warnings())
}

func TestOrbit(t *testing.T) {
	eye, at, up := mgl64.Vec3{0, 0, 4}, mgl64.Vec3{}, mgl64.Vec3{0, 1, 0}
	o := Orbit{}
	e, a := o.eye(eye, at, up)
	require.Equal(t, eye, e)
	require.Equal(t, at, a)
	o = Orbit{Zoom: 1}
	e, _ = o.eye(eye, at, up)
	require.InDelta(t, 2, e[2], 1e-9)
	o = Orbit{Yaw: 3.14159265 / 2}
	e, _ = o.eye(eye, at, up)
	require.InDeltaSlice(t, []float64{4, 0, 0}, e[:], 1e-6)
	o = Orbit{Yaw: 0.3, Pitch: 0.5}
	e, _ = o.eye(eye, at, up.Mul(7))
	require.InDeltaSlice(t, []float64{4 * math.Cos(0.5) * math.Sin(0.3), 4 * math.Sin(0.5), 4 * math.Cos(0.5) * math.Cos(0.3)}, e[:], 1e-9)
	e, _ = o.eye(mgl64.Vec3{0, 4, 0}, at, up) // from the pole
	require.InDelta(t, 4, e.Len(), 1e-9)
	require.False(t, math.IsNaN(e[0]))
	o = Orbit{Pitch: 10} // stops before the pole
	e, _ = o.eye(eye, at, up)
	require.Greater(t, e[1], 3.9)
	require.NotEqual(t, 0.0, e[2])
	o = Orbit{Pan: mgl64.Vec2{0.25, 0}}
	_, a = o.eye(eye, at, up)
	require.InDelta(t, 1, a[0], 1e-9)
	o = Orbit{Pan: mgl64.Vec2{0, 0.5}}
	_, a = o.eye(eye, at, up)
	require.InDeltaSlice(t, []float64{0, 2, 0}, a[:], 1e-9)
}

// What takes the place of a file and is none is refused, as reading it may not end.
func TestReloadOfADevice(t *testing.T) {
	path := copied(t)
	s := open(t, path)
	require.NoError(t, os.Remove(path))
	require.NoError(t, os.Symlink(os.DevNull, path))
	require.ErrorContains(t, s.Reload(), "regular file")
}
