package app

import (
	"cmp"
	"image"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
	"pica200/viewer/session"
	"pica200/viewer/ui"
)

// The search finds rows by the names used in documents and scene files.
func TestPanelSearchByDocumentedNames(t *testing.T) {
	d := drive(t, open(t, window), Options{Panel: true})
	for words, key := range map[string]string{
		"texenv[0].srcRgb": "dmp_TexEnv[0].srcRgb#0", "dmp_TexEnv[2]": "dmp_TexEnv[2].combineRgb", "dmp_FragmentMaterial.diffuse": "dmp_FragmentMaterial.diffuse",
		"Material diffuse": "dmp_FragmentMaterial.diffuse", "TEXENV 3 consT": "dmp_TexEnv[3].constRgba", "samplerD0": "dmp_FragmentMaterial.samplerD0",
		"lights[0].position": "light:0.position", "Material ambient": "dmp_FragmentMaterial.ambient", "Light 0 diffuse": "dmp_FragmentLightSource[0].diffuse", "fog color": "dmp_Fog.color", "ambient": "dmp_FragmentMaterial.ambient", "texenv5_operand": "dmp_TexEnv[5].operandRgb#0",
	} {
		d.find(words)
		require.NotNil(t, d.panel.Selected(), words)
		require.Equal(t, key, d.panel.Selected().Key, words)
	}
	d.find("nothing is called so")
	require.Nil(t, d.panel.Selected())
	d.Key(KeyEscape, 0)
	require.Equal(t, dockPanel, d.dock, "Escape ends the search first")
	require.Empty(t, d.panel.Search.Text)
	d.Key(KeyEscape, 0)
	require.Equal(t, dockNone, d.dock)
}

// Characters typed into a field are never commands.
func TestTypedCharactersAreNoCommands(t *testing.T) {
	d := drive(t, open(t, window), Options{Panel: true})
	d.panel.Select("dmp_FragmentMaterial.diffuse")
	before := d.req
	d.Key(KeyEnter, 0)
	d.typed("0.5-1 2v[]s.,=t")
	require.True(t, d.panel.Typing())
	require.Equal(t, before.View, d.req.View)
	require.Equal(t, before.Draw, d.req.Draw)
	require.Equal(t, before.Orbit, d.req.Orbit)
	require.False(t, d.motion.turntable)
	require.Zero(t, d.win.zoom)
	d.Key(KeyEscape, 0)
	require.False(t, d.panel.Typing())
	require.Empty(t, d.req.Edits)
	d.Char('/')
	d.typed("vst 012 [].=-")
	require.Equal(t, "vst 012 [].=-", d.panel.Search.Text)
	require.Equal(t, before.View, d.req.View)
	require.Zero(t, d.win.zoom)
}

func TestUndoAndRedo(t *testing.T) {
	d := drive(t, open(t, window), Options{Panel: true})
	step := func(key string, keys ...Key) {
		d.panel.Select(key)
		for _, k := range keys {
			d.key(k)
		}
		d.now = d.now.Add(10e9)
	}
	fog := func() string {
		if e, ok := d.req.Edits["/dmp_Fog.mode"]; ok {
			return e.Values[0].(string)
		}
		return ""
	}
	step("dmp_FragmentLighting.enabled", KeyEnter)
	require.Len(t, d.req.Edits, 1)
	step("dmp_FragmentLighting.enabled", KeyEnter)
	require.Empty(t, d.req.Edits, "a value toggled back is not changed")
	require.False(t, d.panel.Selected().Changed)
	step("dmp_Fog.mode", KeyRight)
	first := fog()
	require.NotEmpty(t, first)
	step("dmp_FragmentMaterial.diffuse", KeyRight, KeyRight, KeyRight)
	require.Len(t, d.req.Edits, 2)

	d.panel.ChangedOnly = true
	d.panel.Select("dmp_Fog.mode")
	d.Key(KeyUp, 0)
	require.Equal(t, "dmp_FragmentMaterial.diffuse", d.panel.Selected().Key, "only the two changed rows are listed")
	d.Key(KeyUp, 0)
	require.Equal(t, targetKey, d.panel.Selected().Key, "the row of the edited draws stays listed")
	d.panel.ChangedOnly = false

	d.key('Z', Ctrl)
	require.Len(t, d.req.Edits, 1, "consecutive steps are undone together")
	d.click("undo (Ctrl+Z)")
	require.Empty(t, fog())
	d.Key('Y', Ctrl)
	d.click("redo (Ctrl+Y)")
	require.Equal(t, first, fog())
	require.Len(t, d.req.Edits, 2)
	d.panel.Select("dmp_Fog.mode")
	d.Overlay()
	d.key(KeyDelete)
	require.Empty(t, fog(), "reverted")
	require.False(t, d.panel.Selected().Changed)
	d.click("undo all changes")
	require.Empty(t, d.req.Edits)
	d.Key('Z', Ctrl)
	require.Len(t, d.req.Edits, 1)
	for range 10 {
		d.Key('Z', Ctrl)
	}
	require.Empty(t, d.req.Edits)
	d.settle()

	// A drag is one change.
	d.find("dmp_FragmentMaterial.diffuse")
	d.Overlay()
	n := len(d.history.past)
	p := d.control("r: drag, or click to type")
	d.Press(ButtonLeft, 0, p)
	for i := range 20 {
		d.Move(p.Add(image.Pt(-i, 0)))
	}
	d.Release(p.Add(image.Pt(-20, 0)))
	d.settle()
	require.Len(t, d.req.Edits, 1)
	require.Len(t, d.history.past, n+1)

	// Esc takes back the drag alone, also one right after another; the picker closes.
	was := maps.Clone(d.req.Edits)
	for _, tip := range []string{"g: drag, or click to type", ""} {
		if p = d.control(cmp.Or(tip, "choose a colour")); tip == "" {
			d.tap(p)
			d.Overlay()
			p = p.Add(image.Pt(-30, 60))
		}
		d.Press(ButtonLeft, 0, p)
		d.Move(p.Add(image.Pt(30, 0)))
		d.settle()
		require.NotZero(t, differ(was, d.req.Edits), tip)
		d.Key(KeyEscape, 0)
		d.Move(p.Add(image.Pt(60, 0)))
		d.Release(p)
		d.settle()
		require.Zero(t, differ(was, d.req.Edits), tip)
		require.Equal(t, dockPanel, d.dock)
		require.Nil(t, d.screen.Popup())
	}
}

// A table is shown as a curve, edited with the mouse, and saved.
func TestTableIsEditedAsCurve(t *testing.T) {
	path, _ := copyScene(t)
	d := drive(t, open(t, path), Options{Panel: true})
	plain := d.Picture().Image
	d.find("samplerD0")
	require.Len(t, d.panel.Selected().Values, 257)
	require.InDelta(t, 1, d.panel.Selected().Values[256], 1e-3, "x^40")
	d.Overlay()
	p := d.control("draw with the mouse")
	from := p.Add(image.Pt(-60, -20))
	d.drag(ButtonLeft, from, p.Add(image.Pt(60, -20)))
	require.NotEqual(t, plain.Pix, d.Picture().Image.Pix)
	require.Len(t, d.req.Edits, 1)
	require.True(t, d.panel.Selected().Changed)
	drawn := d.Picture().Image
	d.keyJobs('S', Ctrl)
	require.Contains(t, d.message.text, "saved 1 change in window.yaml")
	require.Zero(t, d.unsaved())
	require.Equal(t, drawn.Pix, d.Picture().Image.Pix, "the saved file has the edited values")
	text := testkit.Read(t, path)
	require.Contains(t, string(text), "  D0-drawn:\n    points: [[0, 0], ")
	require.Less(t, len(text), 2800, "as few points as give the hardware the same numbers")
	require.Contains(t, string(text), "dmp_FragmentMaterial.samplerD0: D0-drawn\n")
}

// A sampler without a table can be given one; that can be undone.
func TestSamplerWithoutTableGetsOne(t *testing.T) {
	d := drive(t, open(t, window), Options{Panel: true})
	d.panel.Select("dmp_Fog.mode")
	for d.panel.Selected().Text != "GL_FOG" {
		d.key(KeyRight)
	}
	plain := d.Picture().Image
	d.find("dmp_Fog.sampler")
	require.Equal(t, "no table", d.panel.Selected().Text)
	require.False(t, d.panel.Selected().Changed)
	require.Equal(t, "no table", d.panel.Selected().Text, "opening the curve adds no table")
	d.now = d.now.Add(10e9)
	p := d.control("draw with the mouse")
	d.drag(ButtonLeft, p.Add(image.Pt(-90, 20)), p.Add(image.Pt(90, 20)))
	require.NotEqual(t, plain.Pix, d.Picture().Image.Pix, "drawing the table changes the picture")
	require.Empty(t, d.panel.Selected().Text)
	require.True(t, d.panel.Selected().Changed)
	d.key('Z', Ctrl)
	require.Equal(t, plain.Pix, d.Picture().Image.Pix)
	require.Equal(t, "no table", d.panel.Selected().Text)
}

// Saving changes only the edited values in the file.
func TestSaveChangesOnlyEditedValues(t *testing.T) {
	path, _ := copyScene(t)
	text := testkit.Read(t, path)
	text = []byte("# What this is.\n\n" + strings.ReplaceAll(string(text), "  dmp_FragmentMaterial.specular0: [0.6, 0.6, 0.6, 1]", "  # shiny\n  dmp_FragmentMaterial.specular0:   [ 0.6, 0.6, 0.6, 1 ] # all of them"))
	require.NoError(t, os.WriteFile(path, text, 0o644))
	d := drive(t, open(t, path), Options{Panel: true})
	d.keyJobs('S', Ctrl)
	require.Contains(t, d.message.text, "nothing was changed")
	d.panel.Select("dmp_FragmentMaterial.specular0")
	d.Key('N', 0)
	d.Key(KeyEnter, 0)
	d.typed("0.25")
	d.Key(KeyEnter, 0)
	d.target = "knot"
	d.render()
	d.settle()
	d.set("dmp_FragmentMaterial.diffuse", "0 0.5 1 1")
	want := d.Picture().Image
	d.click("save into the scene file (Ctrl+S)")
	d.jobs()
	got := testkit.Read(t, path)
	expected := strings.Replace(string(text), "[ 0.6, 0.6, 0.6, 1 ]", "[ 0.6, 0.25, 0.6, 1 ]", 1)
	expected = strings.Replace(expected, "{dmp_FragmentMaterial.diffuse: [0.85, 0.35, 0.2, 1]}", "{dmp_FragmentMaterial.diffuse: [0, 0.5, 1, 1]}", 1)
	require.Equal(t, expected, string(got))
	require.Equal(t, want.Pix, d.Picture().Image.Pix)
	require.Equal(t, want.Pix, render(t, open(t, path)).Pix)
	require.Zero(t, d.unsaved())

	// A file that is read-only, or changed by another program, is not overwritten, and a question says so.
	d.watcher.Close()
	require.NoError(t, os.Chmod(path, 0o444))
	d.panel.Select(diffuse)
	d.Key(KeyRight, 0)
	d.keyJobs('S', Ctrl)
	require.Contains(t, d.asked().problem, "permission denied")
	require.Equal(t, []string{"save as", "close"}, d.labels())
	d.Key(KeyEscape, 0)
	require.Equal(t, 1, d.unsaved())
	d.key('Z', Ctrl)
	require.NoError(t, os.Chmod(path, 0o644))
	require.NoError(t, os.WriteFile(path, append(got, "# mine\n"...), 0o644))
	d.panel.Select("dmp_FragmentMaterial.diffuse")
	d.Key(KeyRight, 0)
	d.keyJobs('S', Ctrl)
	require.Contains(t, d.asked().problem, "has changed since it was read")
	require.Equal(t, string(got)+"# mine\n", string(testkit.Read(t, path)))
	require.Equal(t, 1, d.unsaved())
}

// Where draws differ, the panel says so, and an edit of one component leaves the others of each draw alone: in the picture, in the file
// and when it is taken back. Enumerations and switches are mixed as a whole.
func TestMixedValues(t *testing.T) {
	path, _ := copyScene(t)
	text := strings.Replace(string(testkit.Read(t, path)), `uniforms: {"dmp_TexEnv[0].srcRgb": [GL_TEXTURE0, GL_TEXTURE0, GL_TEXTURE0]}`,
		`uniforms: {dmp_FragmentMaterial.diffuse: [0.1, 0.2, 0.3, 1], dmp_Fog.mode: GL_FOG, dmp_FragmentMaterial.emission: [0.5, 0, 0, 1]}`, 1)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	d := drive(t, open(t, path), Options{Panel: true})
	row := func(key string) string {
		d.panel.Select(key)
		return d.panel.String()
	}
	require.Equal(t, "diffuse = mixed mixed mixed 1", row(diffuse))
	require.Equal(t, "mode = mixed", row("dmp_Fog.mode"))
	require.Equal(t, "emission = mixed 0 0 1", row("dmp_FragmentMaterial.emission"))
	of := func(draw, key string) []float64 {
		r := d.wanted()
		r.Rows, r.Target = true, draw
		p := testkit.Must(d.worker.source.Render(t.Context(), &r))(t)
		return p.Rows[slices.IndexFunc(p.Rows, func(u session.Uniform) bool { return u.Key == key })].Values
	}
	near := func(want []float64, draw, key string) { t.Helper(); require.InDeltaSlice(t, want, of(draw, key), 1e-6) }
	d.panel.Select(diffuse)
	d.Key('N', 0)
	d.Key(KeyEnter, 0)
	d.typed("0.75")
	d.key(KeyEnter)
	require.Equal(t, "diffuse = mixed 0.75 mixed 1", d.panel.String())
	near([]float64{0.1, 0.75, 0.3, 1}, "floor", diffuse)
	near([]float64{0.85, 0.75, 0.2, 1}, "knot", diffuse)
	d.now = d.now.Add(10e9)
	d.set("dmp_FragmentMaterial.emission", "0.25, 0.125") // two components, of which one is mixed
	near([]float64{0.25, 0.125, 0, 1}, "floor", "dmp_FragmentMaterial.emission")
	near([]float64{0.25, 0.125, 0, 1}, "knot", "dmp_FragmentMaterial.emission")
	d.panel.Select("dmp_Fog.mode")
	d.key(KeyRight)
	require.NotContains(t, d.panel.String(), "mixed")
	d.keyJobs('S', Ctrl)
	got := string(testkit.Read(t, path))
	require.Contains(t, got, "diffuse: [0.1, 0.75, 0.3, 1]")
	require.Contains(t, got, "diffuse: [0.85, 0.75, 0.2, 1]")
	require.Equal(t, 2, strings.Count(got, "emission: [0.25, 0.125, 0, 1]"), "for the scene, and where a draw had its own")
	require.Equal(t, render(t, open(t, path)).Pix, d.Picture().Image.Pix)
	for range 3 {
		d.key('Z', Ctrl)
	}
	require.Equal(t, "diffuse = mixed mixed mixed 1", row(diffuse))
	d.keyJobs('S', Ctrl)
	require.Equal(t, text, string(testkit.Read(t, path)))
}

// A model is saved as a scene file beside it.
func TestModelIsSavedAsScene(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "quad.obj")
	require.NoError(t, os.WriteFile(path, []byte("v 0 0 0\nv 1 0 0\nv 1 1 0\nvn 0 0 1\nf 1//1 2//1 3//1\n"), 0o644))
	d := drive(t, open(t, path), Options{Panel: true})
	d.set("dmp_FragmentMaterial.diffuse", "1 0 0 1")
	want := d.Picture().Image
	d.Key('S', Ctrl)
	d.keyJobs(KeyEnter)
	require.Contains(t, d.message.text, "saved as")
	p := testkit.Must(open(t, filepath.Join(dir, "quad-edited.yaml")).Render(t.Context(), &session.Request{Draw: -1}))(t)
	require.Equal(t, want.Pix, p.Image.Pix)
	require.NotNil(t, ui.Keys(d.panel))
}

// Up and Down in the search do not move the camera, and the edited row stays visible.
func TestSearchArrowsKeepCamera(t *testing.T) {
	d := drive(t, open(t, window), Options{Panel: true})
	d.Char('/')
	d.typed("material")
	for _, k := range []Key{KeyDown, KeyDown, KeyUp, KeyPageDown} {
		d.Key(k, 0)
		d.Key(k, Shift)
	}
	d.settle()
	require.Zero(t, d.req.Orbit)
	require.Zero(t, d.req.Depth)
	require.Equal(t, ui.Keys(&d.panel.Search), d.Screen().Focused())
	require.NotNil(t, d.panel.Selected())
	d.control(allDraws) // what is edited stays in sight
	d.Key(KeyEscape, 0)
	d.Key('J', 0)
	d.Key(KeyUp, 0)
	d.Key(KeyDown, Shift)
	require.Zero(t, d.req.Orbit)

	// Values may be formulas; an invalid one gives a message.
	require.NoError(t, d.Close())
	e := drive(t, open(t, window), Options{Panel: true})
	e.set(diffuse, "1/2 x/2 max(0,1) 1")
	require.Equal(t, []any{0.5, 0.175, 1.0, nil}, e.req.Edits["/"+diffuse].Values)
	e.panel.Select("dmp_FragmentLightSource[0].position")
	e.Key(KeyEnter, 0)
	for _, text := range []string{"abc", "1/0", "1e99", "0/0"} {
		e.Key(ui.Key('A'), Ctrl)
		e.typed(text)
		e.Key(KeyEnter, 0)
		require.Contains(t, e.panel.Problem, text)
		require.True(t, e.panel.Typing())
		require.Len(t, e.req.Edits, 1)
	}
	e.Key(KeyEscape, 0)
	require.False(t, e.panel.Typing())
	e.settle()
	about := 0
	for _, u := range e.picture.Rows {
		if u.About == "" {
			t.Errorf("%s has no description", u.Key)
		}
		about++
	}
	require.Greater(t, about, 297)
}

// A clicked pixel and the draw list lead to the uniforms of a draw, also in passes.
func TestDrawsLinkToUniforms(t *testing.T) {
	d := drive(t, open(t, "../../testdata/scenes/shadow.yaml"), Options{})
	require.Greater(t, len(d.picture.Names), len(d.picture.Rows)+1)
	d.keyJobs('L')
	d.Key('J', 0)
	d.typed("1")
	d.key(KeyEnter)
	second := d.picture.Names[1]
	require.Contains(t, d.drawList.tree.Roots[1].Children[0].Text, second)
	d.click("edit " + second)
	require.Equal(t, dockPanel, d.dock)
	require.Equal(t, second, d.target)
	d.panel.Select(targetKey)
	require.Equal(t, "edit = "+second, d.panel.String())
	require.NotEmpty(t, d.picture.Rows)

	d.Key(KeyEscape, 0)
	d.req.Draw = -1
	d.render()
	d.settle()
	last := d.picture.Names[len(d.picture.Names)-1]
	in := &d.inspector
	for y := 20; y < 240 && in.last == nil; y += 20 {
		d.inspect(image.Pt(200, y))
	}
	require.NotNil(t, in.last)
	which := d.picture.Which[in.last.Draw]
	require.True(t, strings.HasPrefix(which, "main/"), which)
	d.click("edit " + which)
	require.Equal(t, dockPanel, d.dock)
	d.panel.Select(targetKey)
	require.Contains(t, d.panel.String(), which)
	require.True(t, strings.HasPrefix(last, "main/"))
}

// The curve of a table marks where the inspected pixel read it, with the same entries as the hardware table in the state, only for
// the edited draw.
func TestTableCurveMarksInspectedPixel(t *testing.T) {
	d := drive(t, open(t, window), Options{Panel: true})
	const d0 = "dmp_FragmentMaterial.samplerD0"
	require.Empty(t, d.reads(d0), "without an inspected pixel nothing is marked")
	size := d.Picture().Image.Rect.Size()
	d.inspect(image.Pt(size.X/2, size.Y/2))
	require.NotNil(t, d.inspector.last)
	at := d.reads(d0)
	require.NotEmpty(t, at)
	tables := session.TableReads(d.inspector.last)
	require.Len(t, tables[0], len(at))
	for i, r := range tables[0] {
		require.Equal(t, at[i], r.Input)
		require.InDelta(t, min(max(r.Input, 0), 1)*256, r.Entry, 1e-3)
	}
	require.Empty(t, d.reads("dmp_FragmentMaterial.samplerRR"), "an unread table is not marked")
	require.Empty(t, d.reads("dmp_Fog.sampler"))
	d.target = map[string]string{"floor": "knot", "knot": "floor"}[d.Picture().Which[d.inspector.last.Draw]]
	require.Empty(t, d.reads(d0), "a table of another draw is not marked")
	d.target = ""
	d.setDock(dockPanel)
	d.settle()
	d.find("samplerD0")
	d.Overlay()
	img, _ := d.Overlay()
	p := d.control("draw with the mouse")
	columns := 0
	for x := range img.Rect.Dx() {
		if img.RGBAAt(x, p.Y+10) == ui.Changed {
			columns++
		}
	}
	require.NotZero(t, columns)
}

// A field has its own undo, and what is pasted into it is one edit of bounded length.
func TestTypingLeavesTheSceneAlone(t *testing.T) {
	d, _, _ := editing(t)
	d.set(diffuse, "0.25 0.5 0.75 1")
	edits := d.req.Edits
	d.screen.Copy(strings.Repeat("ambient ", 210000/8))
	for _, open := range []func(){func() { d.Char('/') }, d.openDialog, func() { d.panel.Select(specular); d.Key(KeyEnter, 0) }} {
		open()
		d.Overlay()
		began := time.Now()
		d.Key('V', Ctrl)
		d.Overlay()
		took := time.Since(began)
		t.Logf("210,000 characters pasted in %v", took)
		require.Less(t, took, 30*time.Second)
		d.Key('Z', Ctrl)
		d.Key('Z', Ctrl)
		d.Overlay()
		require.Equal(t, edits, d.req.Edits)
		d.Key(KeyEscape, 0)
	}
	d.key('Z', Ctrl)
	require.Empty(t, d.req.Edits)
}
