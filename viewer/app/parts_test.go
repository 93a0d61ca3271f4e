package app

import (
	"image"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
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
