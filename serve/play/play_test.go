package play

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"image/gif"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/model"
	"pica200/assets/shbin"
	"pica200/pipeline"
	"pica200/scene"
	"pica200/scene/scenebuild"
	"pica200/serve/engine"
	"pica200/tests/testkit"
)

func examples(t *testing.T) []Example {
	t.Helper()
	own := testkit.Must(Examples("../examples"))(t)
	gallery := testkit.Must(Examples("../../testdata/scenes"))(t)
	return append(own, gallery...)
}

// draw returns the answer of "scene".
func draw(t *testing.T, files map[string]string, at *float64) (Picture, []byte) {
	t.Helper()
	a := testkit.Must(Scenes{}.Draw(t.Context(), files, at))(t)
	return a.Value.(Picture), a.Data
}

// Every example of the playground is drawn from its texts alone, without errors and findings, as from disk.
func TestExamples(t *testing.T) {
	list := examples(t)
	require.GreaterOrEqual(t, len(list), 15)
	require.Equal(t, "hill.v.pica", list[0].First)
	for i, x := range list {
		if i > 3 { // only read here: the gallery's tests draw them
			st, found := stage(x.Files)
			require.NotNil(t, st, x.Name)
			require.Empty(t, found, x.Name)
			continue
		}
		got, pix := draw(t, x.Files, nil)
		require.Empty(t, got.Diagnostics, x.Name)
		require.Equal(t, x.Name, got.Title)
		require.NotEmpty(t, got.About)
		require.Len(t, pix, 4*got.Width*got.Height)
		require.Positive(t, got.Draws)
	}
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "none.yaml"), 0o777))
	_, err := SiteFiles(dir)
	require.ErrorContains(t, err, "none.yaml")
	st := testkit.Must(scenebuild.Load("../examples/shards.yaml"))(t)
	g, _, err := st.Render(t.Context(), 1.5, scenebuild.Options{})
	require.NoError(t, err)
	defer g.Close()
	target := testkit.Must(g.LastTarget())(t)
	want := testkit.Must(pipeline.ColorImage(target))(t)
	at := 1.5
	_, pix := draw(t, list[1].Files, &at)
	require.True(t, bytes.Equal(want.Pix, pix))
	_, other := draw(t, list[1].Files, nil)
	require.False(t, bytes.Equal(pix, other), "the picture depends on the time")
}

// with returns an example's texts with one piece replaced.
func with(t *testing.T, x Example, file, old, text string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for n, body := range x.Files {
		out[n] = body
	}
	require.Contains(t, out[file], old)
	out[file] = strings.Replace(out[file], old, text, 1)
	return out
}

// A mistake is reported with its file and position, in characters.
func TestDiagnostics(t *testing.T) {
	hill, shards := examples(t)[0], examples(t)[1]
	for _, c := range []struct {
		files map[string]string
		want  Diagnostic
	}{
		{with(t, hill, "hill.v.pica", "\tflr r3, r2", "\tflr r3, äöü"), Diagnostic{File: "hill.v.pica", Line: 18, Column: 10, Length: 3, Severity: "error"}},
		{with(t, hill, "hill.v.pica", "; the height", "; ä\n\tmov r0, r17 ;"), Diagnostic{File: "hill.v.pica", Line: 32, Column: 10, Length: 3, Severity: "error"}},
		{with(t, hill, "scene.yaml", "fovy: 40", "fovy: forty"), Diagnostic{File: "scene.yaml", Line: 4, Length: 1, Severity: "error"}},
		{with(t, hill, "scene.yaml", "[hill.v.pica]", "[gone.v.pica]"), Diagnostic{File: "scene.yaml", Line: 6, Length: 1, Severity: "error"}},
		{with(t, hill, "scene.yaml", "[hill.v.pica]", "[../hill.v.pica]"), Diagnostic{File: "scene.yaml", Line: 6, Length: 1, Severity: "error"}},
		{with(t, hill, "scene.yaml", "{shape: plane", "{file: /etc/passwd} #"), Diagnostic{File: "scene.yaml", Line: 8, Length: 1, Severity: "error"}},
		{with(t, hill, "scene.yaml", "  low:", "  lox:"), Diagnostic{File: "scene.yaml", Line: 11, Length: 1, Severity: "error"}},
		{with(t, hill, "scene.yaml", "name: Your", "name: [Your"), Diagnostic{File: "scene.yaml", Length: 1, Severity: "error"}},
		{with(t, shards, "shards.g.pica", "\tsetemit 0\n", ""), Diagnostic{File: "shards.g.pica", Severity: "warning"}},
	} {
		got, pix := draw(t, c.files, nil)
		require.NotEmpty(t, got.Diagnostics, "%v", c.want)
		d := got.Diagnostics[0]
		require.Equal(t, c.want.File, d.File, "%+v", d)
		require.Equal(t, c.want.Severity, d.Severity, "%+v", d)
		if c.want.Line > 0 {
			require.Equal(t, c.want.Line, d.Line, "%+v", d)
		}
		if c.want.Column > 0 {
			require.Equal(t, c.want.Column, d.Column, "%+v", d)
			require.Equal(t, c.want.Length, d.Length, "%+v", d)
		}
		require.NotEmpty(t, d.Text)
		if c.want.Severity == "error" {
			require.Empty(t, pix)
			require.Len(t, got.Diagnostics, 1, "reported once: %+v", got.Diagnostics)
		}
	}
}

// A scene is exported to each kind of file.
func TestExportFromPlayground(t *testing.T) {
	shards := examples(t)[1]
	e := engine.New(engine.Options{Scenes: Scenes{}})
	defer e.Close()
	mk := func(what string) (string, []byte) {
		t.Helper()
		a := testkit.Must(e.Do(t.Context(), &engine.Request{Op: "make", What: what, Files: shards.Files}))(t, what)
		return a.Value.(map[string]any)["name"].(string), a.Data
	}
	name, data := mk("shbin:shards.g.pica")
	require.Equal(t, "shards.shbin", name)
	f := testkit.Must(shbin.Parse(data))(t)
	require.Len(t, f.Executables, 2, "the file has both shaders")
	_, data = mk("zip")
	z := testkit.Must(zip.NewReader(bytes.NewReader(data), int64(len(data))))(t)
	require.Len(t, z.File, 3)
	_, again := mk("zip")
	require.Equal(t, data, again)
	_, data = mk("png")
	img := testkit.Must(png.Decode(bytes.NewReader(data)))(t)
	require.Equal(t, 400, img.Bounds().Dx())

	// A recorded scene serves all other requests until another one replaces it.
	for _, draws := range []int{1, 2} {
		files := shards.Files
		if draws == 2 {
			files = with(t, shards, "scene.yaml", "draws:\n", "draws:\n  - {name: first, model: knot, program: shards, primitive: elements, lit: false}\n")
		}
		testkit.Must(e.Do(t.Context(), &engine.Request{Op: "record", Files: files}))(t)
		a := testkit.Must(e.Do(t.Context(), &engine.Request{Op: "picture", What: "after", Draw: draws - 1}))(t)
		_, want := draw(t, files, nil)
		require.True(t, bytes.Equal(want, a.Data), "the recording draws the scene's picture")
		_, err := e.Do(t.Context(), &engine.Request{Op: "draw", Draw: draws})
		require.ErrorContains(t, err, "there is no draw")
	}
}

// Invalid scenes are refused with the expectation.
func TestInvalidScenesAreRefused(t *testing.T) {
	many := map[string]string{sceneFile: ""}
	for range 65 {
		many[strings.Repeat("x", len(many))] = ""
	}
	far := math.Inf(1)
	hill := examples(t)[0].Files
	for _, c := range []struct {
		files map[string]string
		time  *float64
		want  string
	}{
		{nil, nil, "there is no scene.yaml"},
		{map[string]string{sceneFile: "", "a/b": ""}, nil, "not a valid file name"},
		{map[string]string{sceneFile: "", "..": ""}, nil, "not a valid file name"},
		{map[string]string{sceneFile: "", "": ""}, nil, "not a valid file name"},
		{map[string]string{sceneFile: "", "a\nb": ""}, nil, "not a valid file name"},
		{map[string]string{sceneFile: strings.Repeat(" ", maxBytes+1)}, nil, "at most"},
		{many, nil, "at most 64"},
		{hill, &far, "out of range"},
	} {
		_, err := Scenes{}.Draw(t.Context(), c.files, c.time)
		require.ErrorContains(t, err, c.want)
		require.Equal(t, engine.CodeRequest, engine.ErrorOf(err).Code)
		_, err = Scenes{}.Make(t.Context(), "png", c.files, c.time)
		require.ErrorContains(t, err, c.want)
	}
	for what, want := range map[string]string{"x": "nothing of the kind", "shbin:": "no source", "shbin:gone.v.pica": "no source", "shbin:scene.yaml": "error"} {
		_, err := Scenes{}.Make(t.Context(), what, hill, nil)
		require.ErrorContains(t, err, want, what)
	}
	plain := engine.New(engine.Options{})
	for _, op := range []string{"scene", "make", "record"} {
		_, err := plain.Do(t.Context(), &engine.Request{Op: op, Files: hill})
		require.ErrorContains(t, err, "draws no scenes")
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Scenes{}.Draw(gone, hill, nil)
	require.ErrorIs(t, err, context.Canceled)
}

// Instructions of a scene's programs are mapped to lines of its texts or of the library.
func TestInstructionSourceLines(t *testing.T) {
	list := examples(t)
	e := engine.New(engine.Options{Scenes: Scenes{}})
	defer e.Close()
	program := func(what string, edits ...engine.Edit) (text string, from struct {
		Lines []struct{ Text string }
		From  *struct {
			Texts []struct{ Name, Text string }
			Lines [][2]int
		} `json:"assembled_from"`
	}) {
		t.Helper()
		a := testkit.Must(e.Do(t.Context(), &engine.Request{Op: "program", What: what, Edits: edits}))(t)
		data := testkit.Must(json.Marshal(a.Value))(t)
		require.NoError(t, json.Unmarshal(data, &from))
		return string(data), from
	}
	record := func(files map[string]string) {
		t.Helper()
		testkit.Must(e.Do(t.Context(), &engine.Request{Op: "record", Files: files}))(t)
	}
	record(list[1].Files)
	for what, file := range map[string]string{"vertex": "shards.v.pica", "geometry": "shards.g.pica"} {
		_, p := program(what)
		require.NotNil(t, p.From, what)
		found := 0
		for pc, at := range p.From.Lines {
			if p.From.Texts[at[0]].Name != file {
				continue
			}
			line := strings.Split(p.From.Texts[at[0]].Text, "\n")[at[1]-1]
			op, _, _ := strings.Cut(p.Lines[pc].Text, " ")
			require.Contains(t, line, op, "%s: %s", what, p.Lines[pc].Text)
			found++
		}
		require.Greater(t, found, 10)
	}
	// An edited text is not mistaken for the original source.
	_, p := program("vertex", engine.Edit{Draw: 0, Shader: "vertex", Source: ".proc main\n\tmov o0, v0\n\tend\n.end\n.entry main\n.out o0 position\n"})
	require.NotNil(t, p.From)
	require.Equal(t, "edit.pica", p.From.Texts[0].Name)
	require.Equal(t, [2]int{0, 2}, p.From.Lines[0])

	files := map[string]string{sceneFile: "models: {s: {shape: sphere}}\nprograms: {p: {library: basic}}\ndraws: [{model: s, program: p, lit: false}]\n"}
	record(files)
	_, p = program("vertex")
	require.NotNil(t, p.From)
	require.Equal(t, "basic.v.pica", p.From.Texts[0].Name)
}

// Binary files are in base64. A model alone gets a scene that shows it, and the archive has its bytes. A film is made of an
// animation, frame by frame.
func TestBinaryFilesAndFilms(t *testing.T) {
	ask := func(what string, files map[string]string) ([]byte, error) {
		a, err := Scenes{}.Make(t.Context(), what, files, nil)
		if err != nil {
			return nil, err
		}
		return a.Data, nil
	}
	sphere := testkit.Must(scene.Parse("", []byte("models: {s: {shape: sphere}}\ndraws: [{model: s}]\n")))(t)
	m := testkit.Must(sphere.Models[0].Shape.Make())(t)
	glb := testkit.Must(model.EncodeGLB(m))(t)
	files := map[string]string{sceneFile: "draws: []\n", "ball.glb": "base64," + base64.StdEncoding.EncodeToString(glb)}
	text := testkit.Must(ask("model:ball.glb", files))(t)
	require.Contains(t, string(text), "ball.glb")
	files[sceneFile] = string(text)
	a := testkit.Must(Scenes{}.Draw(t.Context(), files, nil))(t)
	require.Empty(t, a.Value.(Picture).Diagnostics)
	colours := map[string]bool{}
	for i := 0; i < len(a.Data); i += 4 {
		colours[string(a.Data[i:i+4])] = true
	}
	require.Greater(t, len(colours), 50, "the lit ball has many colours")
	archived := testkit.Must(ask("zip", files))(t)
	z := testkit.Must(zip.NewReader(bytes.NewReader(archived), int64(len(archived))))(t)
	f := testkit.Must(z.Open("ball.glb"))(t)
	got := testkit.Must(io.ReadAll(f))(t)
	require.Equal(t, glb, got)
	files["ball.glb"] = "base64,%"
	_, err := ask("model:ball.glb", files)
	require.ErrorContains(t, err, "ball.glb")
	_, err = ask("gif", map[string]string{sceneFile: "models: {s: {shape: sphere}}\ndraws: [{model: s}]\n"})
	require.ErrorContains(t, err, "does not move")

	moving := map[string]string{sceneFile: "target: {width: 64, height: 64}\ncamera: {eye: {keys: [[0, 0, 0, 3], [1, 0.5, 0, 3]]}}\nmodels: {s: {shape: sphere}}\ndraws: [{model: s}]\n"}
	detected := 0
	a, err = Scenes{Progress: func(done, total int) { detected = done; require.Equal(t, 10, total) }}.Make(t.Context(), "gif", moving, nil)
	require.NoError(t, err)
	require.Equal(t, 10, detected)
	film := testkit.Must(gif.DecodeAll(bytes.NewReader(a.Data)))(t)
	require.Greater(t, len(film.Image), 5)
	sum := 0
	for _, d := range film.Delay {
		sum += d
	}
	require.Equal(t, 100, sum)
	a = testkit.Must(Scenes{}.Draw(t.Context(), moving, nil))(t)
	require.Equal(t, 1.0, a.Value.(Picture).Length)
}
