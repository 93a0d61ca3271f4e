package session

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/assets/cgfx"
	"pica200/internal/demo"
	"pica200/scene"
	"pica200/scene/scenebuild"
	"pica200/tests/testkit"
)

// passesScene has draws in two passes and in the main one.
const passesScene = `target: {width: 64, height: 64}
models: {q: {shape: quad}, c: {shape: cone}}
passes:
  - name: behind
    target: {width: 32, height: 32}
    draws:
      - {name: left, model: q}
      - {model: c}
  - name: above
    target: {width: 32, height: 32}
    draws:
      - {name: left, model: q}
draws:
  - {name: left, model: q}
  - {name: right, model: c}
`

// Each draw of each pass can be edited alone: its values are shown, other draws do not change, and saving writes to that draw.
func TestEveryDrawCanBeEdited(t *testing.T) {
	names := []string{"behind/left", "behind/c", "above/left", "main/left", "main/right"}
	const uniform = "dmp_TexEnv[0].constRgba"
	for i, name := range names {
		path := written(t, passesScene)
		s := open(t, path)
		r := &Request{Draw: -1, Edits: map[string]Edit{}}
		e := Edit{Name: uniform, Draw: name, Values: []any{0.25, 0.5, 0.75, 1.0}}
		r.Edits[e.Key()] = e
		values := func(target int) []float64 {
			one := *r
			one.Rows, one.Target = true, names[target]
			p := render(t, s, &one)
			require.Equal(t, names, p.Names)
			require.Equal(t, names, p.Which)
			u := p.Rows[slices.IndexFunc(p.Rows, func(u Uniform) bool { return u.Key == uniform })]
			require.Equal(t, target == i, u.Changed, "%s of %s", uniform, names[target])
			return u.Values
		}
		for k := range names {
			require.Equal(t, k == i, values(k)[1] == 0.5, "%s while %s is changed", names[k], name)
		}
		s = writeBack(t, s, r)
		text := testkit.Read(t, path)
		lines, was := strings.Split(string(text), "\n"), strings.Split(passesScene, "\n")
		changed := ""
		for k := range was {
			if lines[k] != was[k] {
				changed += fmt.Sprint(was[k])
			}
		}
		require.Contains(t, changed, []string{"- {name: left", "- {model: c", "- {name: left", "- {name: left", "- {name: right"}[i])
		require.Equal(t, 1, strings.Count(string(text), "[0.25, 0.5, 0.75, 1]"))
		r.Edits, r.Target = nil, name
		require.Equal(t, []float64{0.25, 0.5, 0.75, 1}, rowsByKey(t, s, r)[uniform].Values, name)
		list := drawsOf(t, s, r)
		for k := range list {
			require.Equal(t, names[k], list[k].Name)
		}
		s.Close()
	}
}

// A value of all draws is written wherever the scene, a pass or a draw has one.
func TestAValueOfAllDrawsIsWrittenEverywhere(t *testing.T) {
	const uniform = "dmp_TexEnv[0].constRgba"
	const own = `uniforms: {"dmp_TexEnv[0].constRgba": [0, 0, 0, 1]}`
	text := own + "\n" + strings.Replace(passesScene, "  - name: behind\n", "  - name: behind\n    "+own+"\n", 1)
	text = strings.Replace(text, "{name: right, model: c}", "{name: right, model: c, "+own+"}", 1)
	path := written(t, text)
	s := open(t, path)
	e := Edit{Name: uniform, Values: []any{0.25, 0.5, 0.75, 1.0}}
	writeBack(t, s, &Request{Draw: -1, Edits: map[string]Edit{e.Key(): e}})
	require.Equal(t, strings.ReplaceAll(text, "[0, 0, 0, 1]", "[0.25, 0.5, 0.75, 1]"), string(testkit.Read(t, path)))
}

// A model's draw that the hardware rejects is left out with a warning, and the picture equals that of "pica200 render". In a scene
// with draws of its own it is an error. Reloading decides again which of both applies.
func TestRejectedModelDrawsAreLeftOut(t *testing.T) {
	f := testkit.Must(cgfx.Parse(testkit.Read(t, "../../testdata/models/kit.cgfx")))(t)
	f.Models.Get("COMMON").Materials.Get("skin").Fragment.Combiners[0].Command[3] = 12
	bad := testkit.Must(f.Encode())(t)
	path := filepath.Join(t.TempDir(), "kit.cgfx")
	require.NoError(t, os.WriteFile(path, bad, 0o644))

	s := open(t, path)
	p := render(t, s, request())
	require.Len(t, p.Warnings, 1)
	require.Contains(t, p.Warnings[0], "left out: combiner stage 0: function 12 does not exist")
	require.Equal(t, p.Warnings, render(t, s, request()).Warnings, "a second picture has the same warning once")
	st := testkit.Must(scenebuild.Load(path))(t)
	g, _, err := st.Render(t.Context(), 0, scenebuild.Options{})
	require.NoError(t, err)
	defer g.Close()
	target := testkit.Must(g.LastTarget())(t)
	q := &Picture{}
	require.NoError(t, q.readTarget(g, p.orientation))
	require.NotNil(t, target)
	same(t, q.Image.Pix, p.Image.Pix)
	historyOf(t, s, p, 200, 120)
	list := drawsOf(t, s, request())
	require.Len(t, list, p.Frame)
	names := map[string]bool{}
	for i := range list {
		names[list[i].Name] = true
		require.Equal(t, p.drawNames[i], list[i].Name)
		require.True(t, strings.HasPrefix(list[i].Name, "model: "), list[i].Name)
	}
	require.Greater(t, len(names), 4, "draws are named after their meshes")

	own := filepath.Join(filepath.Dir(path), "own.yaml")
	both := "models: {kit: {file: kit.cgfx}, box: {shape: box}}\ndraws: [{model: kit}, {model: box}]\n"
	require.NoError(t, os.WriteFile(own, []byte(both), 0o644))
	s = open(t, own)
	_, err = s.Render(t.Context(), request())
	require.ErrorContains(t, err, "function 12 does not exist")
	require.NoError(t, os.WriteFile(own, []byte(strings.Replace(both, ", {model: box}", "", 1)), 0o644))
	require.NoError(t, s.Reload())
	require.Equal(t, 1, strings.Count(strings.Join(render(t, s, request()).Warnings, "\n"), "left out: combiner stage 0"))
	require.NoError(t, os.WriteFile(own, []byte(both), 0o644))
	require.NoError(t, s.Reload())
	_, err = s.Render(t.Context(), request())
	require.ErrorContains(t, err, "function 12 does not exist")
}

// FuzzExplain explains a pixel of a damaged trace: the result is valid for JSON, or an error.
func FuzzExplain(f *testing.F) {
	data := testkit.Must(demo.Trace(context.Background(), 1))(f)
	f.Add(uint32(0), uint32(0), 100, 100)
	f.Add(uint32(len(data)/2), uint32(0x80000000), 0, 399)
	f.Add(uint32(len(data)-300), uint32(0xFFFF), -1, 1<<30)
	f.Fuzz(func(t *testing.T, at, flip uint32, x, y int) {
		bad := append([]byte(nil), data...)
		for k := range 4 {
			bad[(int(at)+k)%len(bad)] ^= byte(flip >> (8 * k))
		}
		path := filepath.Join(t.TempDir(), "t.ctf")
		require.NoError(t, os.WriteFile(path, bad, 0o666))
		s, err := Open(path, Options{})
		if err != nil {
			return
		}
		defer s.Close()
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		e, err := s.ExplainPixel(ctx, &Picture{Request: *request(), Target: true}, x, y)
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		require.NotEmpty(t, e.Text())
		testkit.Must(json.Marshal(e))(t)
	})
}

// FuzzSave saves arbitrary scenes with a changed uniform: the copy can be read, and the opened file changes only when it is saved
// into.
func FuzzSave(f *testing.F) {
	for _, path := range []string{"../testdata/triangles.yaml", "../testdata/views.yaml", "../../testdata/scenes/lit.yaml"} {
		text := testkit.Read(f, path)
		f.Add(string(text), 0.5)
	}
	f.Add("models: {q: {shape: quad}}\nuniforms: {a: &a 1, b: *a}\ndraws: [{<<: {model: q}, \"name\": \"a\\u0085b: [#\"}]\n", 1e300)
	f.Add("a: &a [1,1,1,1]\nb: &b [*a,*a,*a,*a]\nmodels: {q: {shape: quad}}\ndraws: [{model: q, name: *b}]\n", 0.0)
	f.Fuzz(func(t *testing.T, text string, value float64) {
		dir := t.TempDir()
		path := filepath.Join(dir, "s.yaml")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		s, err := Open(path, Options{})
		if err != nil {
			return
		}
		defer s.Close()
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		r := request()
		r.Orbit.Yaw = value
		r.Edits = edits(Edit{Name: "dmp_FragmentMaterial.diffuse#1", Values: []any{value}})
		saved := filepath.Join(dir, "copy.yaml")
		err = s.(Writer).CopyTo(ctx, r, saved)
		now, rerr := os.ReadFile(path)
		require.NoError(t, rerr)
		require.Equal(t, text, string(now))
		if err != nil {
			entries := testkit.Must(os.ReadDir(dir))(t)
			require.Len(t, entries, 1, "a failed save leaves no file")
			return
		}
		testkit.Must(scene.Load(saved))(t)

		// Saving into the file leaves it unchanged after an error.
		_, werr := s.(Writer).WriteBack(ctx, r)
		now = testkit.Read(t, path)
		if werr != nil {
			require.Equal(t, text, string(now))
			return
		}
		testkit.Must(scene.Load(path))(t)
	})
}
