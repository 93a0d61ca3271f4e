package app

import (
	"bytes"
	"image"
	"image/draw"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
	"pica200/viewer/session"
)

// A model's meshes and materials are chosen in a tree, or by a click into the picture, and edited apart.
func TestPartsOfAModel(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"m.mtl":  "newmtl paint\nKd 0.9 0.6 0.2\nnewmtl glass\nKd 0.2 0.5 0.9\n",
		"m.obj":  "mtllib m.mtl\nv -2 -1 0\nv 0 -1 0\nv 0 1 0\nv -2 1 0\nv 2 -1 0\nv 2 1 0\no left\nusemtl paint\nf 1 2 3 4\no right\nusemtl glass\nf 2 6 3\nusemtl paint\nf 2 5 6\n",
		"s.yaml": "target: {width: 80, height: 40}\nlights: [{direction: [0, 0, 1]}]\ncamera: {eye: [0, 0, 4], height: 2}\nmodels: {m: m.obj}\ndraws:\n  - {name: a, model: m, cull: none}\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	path := filepath.Join(dir, "s.yaml")
	d := drive(t, open(t, path), Options{})
	d.Resize(1280, 720, 1)
	plain := d.Picture().Image
	outlined := func(x, y int) bool { return d.Picture().Outlined.AlphaAt(x, y).A != 0 }
	glow := func(color string) {
		t.Helper()
		d.set("dmp_FragmentMaterial.emission", color)
	}
	changed := func(x, y int) bool { return d.Picture().Image.RGBAAt(x, y) != plain.RGBAAt(x, y) }
	// The left mesh is paint; the right one is paint below its diagonal and glass above.
	left, lower, upper := image.Pt(20, 20), image.Pt(70, 32), image.Pt(50, 8)

	d.key('U')
	require.Nil(t, d.Picture().Outlined, "all draws are chosen")
	for range 3 {
		d.key(KeyDown) // from all draws to a, left, paint
	}
	require.Equal(t, "a: material paint", d.target)
	d.Update()
	d.settle()
	require.True(t, outlined(left.X, left.Y) && outlined(lower.X, lower.Y) && !outlined(upper.X, upper.Y))
	d.message.text = ""
	d.shot("parts")
	d.key(KeyEnter) // opens the uniforms
	require.Equal(t, dockPanel, d.dock)
	glow("0 0 0.5 1")
	require.Equal(t, [3]bool{true, true, false}, [3]bool{changed(left.X, left.Y), changed(lower.X, lower.Y), changed(upper.X, upper.Y)})
	require.Contains(t, d.req.Edits, "a: material paint/dmp_FragmentMaterial.emission")

	// A click chooses the material on top, and the panel shows its values.
	d.click("Parts")
	window := func(p image.Point) image.Point {
		return d.win.dest.Min.Add(image.Pt((2*p.X+1)*d.win.dest.Dx()/160, (2*p.Y+1)*d.win.dest.Dy()/80))
	}
	d.tap(window(upper))
	d.jobs()
	require.Equal(t, "a: material glass", d.target)
	require.Equal(t, "a: mesh right\x00a: material glass", d.parts.tree.Selected)
	require.Equal(t, []dock{dockParts, dockPanel}, d.docks, "no inspector")
	require.True(t, outlined(upper.X, upper.Y) && !outlined(lower.X, lower.Y))
	d.click("Uniforms")
	d.settle()
	d.panel.Select(targetKey)
	require.Equal(t, "edit = a: material glass", d.panel.String())
	d.click("Parts")
	d.tap(window(lower))
	d.jobs()
	require.Equal(t, "a: mesh right\x00a: material paint", d.parts.tree.Selected)
	d.Key(KeyDown, 0)
	d.settle()
	require.Equal(t, "a: mesh right, material paint", d.target, "on this mesh only")

	// What was edited apart is saved apart.
	d.keyJobs('S', Ctrl)
	require.Contains(t, string(testkit.Read(t, path)), "materials:")
	require.Equal(t, render(t, open(t, path)).Pix, d.Picture().Image.Pix)
	d.editDraw("a")
	d.settle()
	d.click("Parts")
	require.Equal(t, "a", d.parts.tree.Selected, "the tree follows the panel")
}

// What has no parts has no tree.
func TestPartsOfARecording(t *testing.T) {
	d := drive(t, open(t, "../../testdata/traces/lights.ctf"), Options{})
	d.key('U')
	require.Contains(t, d.message.text, "only scenes, models and shaders have parts")
	require.Equal(t, dockNone, d.dock)
}

// Keys cycle through the animations and cameras of a model.
func TestAnimationAndCameraKeys(t *testing.T) {
	d := drive(t, open(t, "../../testdata/models/more.cgfx"), Options{})
	press := func(k Key, m Mods) (string, []byte) {
		d.keyJobs(k, m)
		out := image.NewRGBA(d.Picture().Image.Bounds())
		draw.Draw(out, out.Rect, d.Picture().Image, image.Point{}, draw.Src)
		return d.message.text, out.Pix
	}
	d.Key(KeyRight, 0) // an orbit, which choosing a camera resets
	d.settle()
	require.NotZero(t, d.req.Orbit)
	seen := map[string]string{}
	for _, want := range []string{"menu", "whole", "Camera0", "Camera1", "Camera2"} {
		_, pix := press('C', 0) // warnings of the new view may replace the note
		require.Equal(t, want, d.choice.camera)
		require.Zero(t, d.req.Orbit)
		require.Empty(t, seen[string(pix)], want)
		seen[string(pix)] = want
	}
	text, first := press('C', 0)
	require.Equal(t, "camera: as the file says", text)
	_, back := press('C', Shift)
	require.Equal(t, "Camera2", d.choice.camera)
	require.False(t, bytes.Equal(first, back))

	require.NoError(t, d.Close())
	d = drive(t, open(t, "../../testdata/models/kit.cgfx"), Options{})
	d.req.Time = 0.5
	text, still := press('A', Shift)
	require.Equal(t, "animation: none", text)
	require.Equal(t, 10.0, d.info.Duration, "the turntable's duration")
	text, moved := press('A', Shift)
	require.Equal(t, "animation: COMMON", text)
	require.False(t, bytes.Equal(still, moved))
	d.filesChanged()
	d.jobs()
	_, again := press('A', 0)
	require.True(t, bytes.Equal(still, again), "after a reload \"none\" shows the same picture")

	require.NoError(t, d.Close())
	d = drive(t, open(t, window), Options{})
	text, _ = press('A', 0)
	require.Equal(t, "there is no animation to choose", text)
	text, _ = press('C', 0)
	require.Equal(t, "there is no camera to choose", text)
	d = drive(t, &slow{}, Options{})
	d.keyJobs('A')
	require.Equal(t, "there is no animation to choose", d.message.text)
}

// Choosing an unknown name is an error and changes nothing.
func TestUnknownAnimationOrCamera(t *testing.T) {
	s := open(t, "../../testdata/models/kit.cgfx")
	c, ok := s.(session.Chooser)
	require.True(t, ok)
	require.NoError(t, c.Choose("none", "Side"))
	require.Equal(t, []string{"COMMON", "none"}, s.Info().Animations)
	require.Equal(t, []string{"menu", "whole", "Side"}, s.Info().Cameras)
	require.Zero(t, s.Info().Duration, "a camera of the file has no turntable")
	require.ErrorContains(t, c.Choose("walk", ""), `has no animation "walk"`)
	require.Zero(t, s.Info().Duration)
	require.Error(t, c.Choose("", "Front"))
	require.NoError(t, c.Choose("", ""))
	require.Equal(t, 10.0, s.Info().Duration)
}

// A file that is broken at the start shows its error beside an empty picture, links to the line, and shows its picture once
// corrected. The error panel does not cover the picture, folds, scrolls, can be copied, and receives its clicks alone.
func TestBrokenFirstFileIsCorrected(t *testing.T) {
	scene, shader := copyScene(t)
	rewrite(t, shader, "mov outColor, color", "mov outColor, colour")
	_, err := session.Open(scene, session.Options{})
	require.Error(t, err)
	s := testkit.Must(session.OpenForRepair(scene, session.Options{}))(t)
	require.ErrorContains(t, session.Unread(s), "colour")
	d := drive(t, s, Options{})
	require.Nil(t, d.Picture())
	require.Contains(t, d.Problem(), "window.v.pica:")
	d.explain(image.Pt(3, 3))
	require.Equal(t, dockNone, d.dock)
	d.keyJobs('L')
	d.Key('L', 0)

	opened := d.edits("gedit")
	d.clickJobs("open the place in the editor")
	require.Len(t, *opened, 3)
	require.Regexp(t, `^\+[0-9]+$`, (*opened)[1])
	require.Equal(t, shader, (*opened)[2])

	good := testkit.Read(t, "../testdata/window.v.pica")
	require.NoError(t, os.WriteFile(shader, good, 0o644))
	d.until("the corrected file is shown", func() bool { return d.Picture() != nil })
	require.Empty(t, d.Problem())
	require.NoError(t, session.Unread(s))
	require.Equal(t, d.info.Start, d.Picture().Request.Time)
	whole := d.win.body

	rewrite(t, shader, "mov outColor, color", "mov outColor, colour")
	d.until("the error of the broken file is shown", func() bool { return d.Problem() != "" })
	require.NotNil(t, d.Picture(), "the last good picture stays")
	d.Overlay()
	require.False(t, d.errors.rect.Overlaps(d.win.area))
	require.True(t, d.win.dest.In(d.win.area))
	require.Equal(t, whole, d.win.body.Union(d.errors.rect))

	mid := d.errors.rect.Min.Add(d.errors.rect.Max).Div(2)
	d.tap(mid)
	d.settle()
	require.Equal(t, dockNone, d.dock, "a click on the error panel does not reach the picture")
	d.clickJobs("copy the error")
	require.Equal(t, d.Problem(), d.screen.Paste())
	high := d.errors.rect.Dy()
	d.clickJobs("fold the error")
	d.Overlay()
	require.Less(t, d.errors.rect.Dy(), high)
	d.clickJobs("show the error")
	d.Overlay()
	require.Equal(t, high, d.errors.rect.Dy())

	// A long error scrolls and leaves most of the window to the picture.
	d.problem = strings.Repeat("a line of a long error\n", 200)
	d.dirty = true
	d.Overlay()
	require.LessOrEqual(t, d.errors.rect.Dy(), whole.Dy()*2/5)
	d.Move(d.errors.rect.Min.Add(d.errors.rect.Max).Div(2))
	d.Scroll(-3)
	require.Positive(t, d.errors.view.Scroll.Offset)
}

func TestMissingFileOpensWithError(t *testing.T) {
	dir := t.TempDir()
	_, err := session.OpenForRepair(filepath.Join(dir, "absent.yaml"), session.Options{})
	require.Error(t, err)
	path := filepath.Join(dir, "x.ctf")
	require.NoError(t, os.WriteFile(path, []byte("CiTrace but no more"), 0o644))
	_, err = session.OpenForRepair(path, session.Options{})
	require.Error(t, err, "a recording cannot be opened for correction")
	for _, name := range []string{"a.yaml", "a.v.pica", "a.gltf"} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte("what is this: ["), 0o644))
		s := testkit.Must(session.OpenForRepair(path, session.Options{}))(t, name)
		require.Error(t, session.Unread(s))
		require.Contains(t, s.Info().Files, path)
		_, err = s.Render(t.Context(), &session.Request{Draw: -1})
		require.Equal(t, session.Unread(s), err)
		_, err = s.List(t.Context(), &session.Request{})
		require.ErrorContains(t, err, "correct the file first")
		_, err = s.ExplainPixel(t.Context(), &session.Picture{}, 0, 0)
		require.ErrorContains(t, err, "correct the file first")
		require.Empty(t, s.Warnings())
	}
}

func TestErrorPlaces(t *testing.T) {
	for text, want := range map[string]session.Location{
		"a/b.v.pica:12:7: unknown register": {What: "error", Path: "a/b.v.pica", Line: 12},
		"scene.yaml:3: no such key":         {What: "error", Path: "scene.yaml", Line: 3},
		"first\n  x.yaml:9:1: second":       {What: "error", Path: "x.yaml", Line: 9},
	} {
		got, ok := session.ErrorLocation(text)
		require.True(t, ok, text)
		require.Equal(t, want, got)
	}
	for _, text := range []string{"", "no place here", "at 12:30 it failed", "trace: frame 3: hang"} {
		_, ok := session.ErrorLocation(text)
		require.False(t, ok, text)
	}
}
