package session

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

const twoMaterials = `mtllib m.mtl
v -2 -1 0
v 0 -1 0
v 0 1 0
v -2 1 0
v 2 -1 0
v 2 1 0
o left
usemtl paint
f 1 2 3 4
o right
usemtl paint
f 2 5 6
usemtl glass
f 2 6 3
`

// twoMaterialsGLTF is the same as glTF.
func twoMaterialsGLTF() string {
	corners := [6][3]float32{{-2, -1, 0}, {0, -1, 0}, {0, 1, 0}, {-2, 1, 0}, {2, -1, 0}, {2, 1, 0}}
	var data []byte
	for _, k := range []int{0, 1, 2, 0, 2, 3, 1, 4, 5, 1, 5, 2} {
		for _, x := range corners[k] {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
		}
	}
	return fmt.Sprintf(`{"asset":{"version":"2.0"},"buffers":[{"byteLength":144,"uri":"data:application/octet-stream;base64,%s"}],"bufferViews":[{"buffer":0,"byteLength":144}],
"accessors":[{"bufferView":0,"componentType":5126,"count":6,"type":"VEC3"},{"bufferView":0,"byteOffset":72,"componentType":5126,"count":3,"type":"VEC3"},{"bufferView":0,"byteOffset":108,"componentType":5126,"count":3,"type":"VEC3"}],
"materials":[{"name":"paint","pbrMetallicRoughness":{"baseColorFactor":[0.8,0.3,0.1,1],"metallicFactor":0}},{"name":"glass","pbrMetallicRoughness":{"baseColorFactor":[0.1,0.2,0.8,1]}}],
"meshes":[{"name":"left","primitives":[{"attributes":{"POSITION":0},"material":0}]},{"name":"right","primitives":[{"attributes":{"POSITION":1},"material":0},{"attributes":{"POSITION":2},"material":1}]}],
"cameras":[{"name":"near","type":"perspective","perspective":{"yfov":0.5,"znear":0.5}}],"nodes":[{"mesh":0},{"mesh":1},{"camera":0,"translation":[0,0,3]}]}`, base64.StdEncoding.EncodeToString(data))
}

// edited writes a scene, edits parts of its model, saves it and returns the scene's text; the saved scene shows the same picture.
func edited(t *testing.T, model, text string, list ...Edit) string {
	t.Helper()
	path := written(t, text)
	dir := filepath.Dir(path)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "m.obj"), []byte(twoMaterials), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "m.mtl"), []byte("newmtl paint\nKd 0.9 0.6 0.2\nnewmtl glass\nKd 0.2 0.5 0.9\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "m.gltf"), []byte(twoMaterialsGLTF()), 0o644))
	if model != "" {
		require.NoError(t, os.WriteFile(filepath.Join(dir, filepath.Base(model)), testkit.Read(t, model), 0o644))
	}
	s := open(t, path)
	before := render(t, s, request())
	r := request()
	r.Edits = edits(list...)
	p := render(t, s, r)
	differ(t, before.Image.Pix, p.Image.Pix)
	again := render(t, writeBack(t, s, r), request())
	out := string(testkit.Read(t, path))
	require.Equal(t, p.Image.Pix, again.Image.Pix, out)
	return out
}

const emission = "dmp_FragmentMaterial.emission"

func glow(target string, r, g, b float64) Edit {
	return Edit{Name: emission, Draw: target, Values: []any{r, g, b, 1.0}}
}

// A model is a tree of meshes, materials and textures. Each executed draw names what it is part of.
func TestTreeOfParts(t *testing.T) {
	const head = "target: {width: 80, height: 40}\nlights: [{direction: [0, 0, 1]}]\nmodels: {m: m.obj}\ndraws:\n  - {name: a, model: m}\n  - {name: b, model: m, mesh: left}\n"
	path := written(t, head)
	require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(path), "m.obj"), []byte(twoMaterials), 0o644))
	s := open(t, path)
	require.Equal(t, []Part{
		{"a", "a", "", []Part{
			{"left", "a: mesh left", "", []Part{{"paint", "a: material paint", "a: mesh left, material paint", nil}}},
			{"right", "a: mesh right", "", []Part{{"paint", "a: material paint", "a: mesh right, material paint", nil}, {"glass", "a: material glass", "a: mesh right, material glass", nil}}}}},
		{"b", "b", "", []Part{
			{"left", "b: mesh left", "", []Part{{"paint", "b: material paint", "b: mesh left, material paint", nil}}}}},
	}, s.Info().Parts)
	r := request()
	r.Rows, r.Target = true, "a: material paint"
	r.Edits = edits(glow("a: mesh right", 0.5, 0, 0))
	p := render(t, s, r)
	require.Equal(t, []string{"a: mesh right, material glass", "a: mesh right", "a: material glass", "a"}, p.Parts[2])
	for _, u := range p.Rows {
		if u.Key == emission {
			require.Equal(t, []bool{true, false, false, false}, u.Mixed, "paint glows on the right only")
		}
	}
}

// What is edited apart is saved as keys of parts, over what the file says of them.
func TestPartsAreSaved(t *testing.T) {
	const head = "target: {width: 80, height: 40}\ncamera: {eye: [0, 0, 6]}\nlights: [{direction: [0, 0, 1]}]\nmodels: {m: m.obj}\ndraws:\n  - model: m\n"
	var out string
	for _, file := range []string{"m.obj", "m.gltf"} {
		out = edited(t, "", strings.Replace(head, "m.obj", file, 1), glow("m: material glass", 0.5, 0, 0), glow("m: mesh left", 0, 0.5, 0), glow("m: mesh right, material paint", 0, 0, 0.5))
		require.Contains(t, out, "materials:\n      glass: {uniforms: {dmp_FragmentMaterial.emission: [0.5, 0, 0, 1]}}\n")
		require.Contains(t, out, "meshes:\n      left: {uniforms: {dmp_FragmentMaterial.emission: [0, 0.5, 0, 1]}}\n      right:\n        materials: {paint: ")
	}
	// Edits of more than the file's parts go into these, too.
	const parts = head + "    materials:\n      paint: {uniforms: {" + emission + ": [0.1, 0, 0, 1]}}\n    meshes:\n      right: {uniforms: {" + emission + ": [0, 0.2, 0, 1]}} # a\n"
	for target, want := range map[string]string{
		"":                              "paint: {uniforms: {dmp_FragmentMaterial.emission: [0.5, 0.25, 0, 1]}}\n    meshes:\n      right: {uniforms: {dmp_FragmentMaterial.emission: [0.5, 0.25, 0, 1]}} # a",
		"m":                             "paint: {uniforms: {dmp_FragmentMaterial.emission: [0.5, 0.25, 0, 1]}}\n    meshes:\n      right: {uniforms: {dmp_FragmentMaterial.emission: [0.5, 0.25, 0, 1]}} # a",
		"m: material paint":             "right: {uniforms: {dmp_FragmentMaterial.emission: [0, 0.2, 0, 1]}, materials: {paint: {uniforms: {dmp_FragmentMaterial.emission: [0.5, 0.25, 0, 1]}}}} # a",
		"m: mesh right":                 "paint: {uniforms: {dmp_FragmentMaterial.emission: [0.1, 0, 0, 1]}}\n    meshes:\n      right: {uniforms: {dmp_FragmentMaterial.emission: [0.5, 0.25, 0, 1]}} # a",
		"m: mesh right, material glass": "right: {uniforms: {dmp_FragmentMaterial.emission: [0, 0.2, 0, 1]}, materials: {glass: {uniforms: {dmp_FragmentMaterial.emission: [0.5, 0.25, 0, 1]}}}} # a",
	} {
		require.Contains(t, edited(t, "", parts, glow(target, 0.5, 0.25, 0)), want, target)
	}
	// One component of values that differ: each part keeps the others.
	out = edited(t, "", parts, Edit{Name: emission, Values: []any{nil, nil, 0.7, nil}})
	require.Contains(t, out, "[0.1, 0, 0.7, 1]")
	require.Contains(t, out, "[0, 0.2, 0.7, 1]")
}

// The same for the parts of CGFX and BCH files, whose materials set combiners by registers, and whose shaders have uniforms.
func TestPartsOfResourcesAreSaved(t *testing.T) {
	const head = "target: {width: 120, height: 72}\ncamera: {eye: [0, 3, 30], fovy: 50, far: 200}\nmodels: {m: more.cgfx}\ndraws:\n  - model: m\n"
	const file = "../../testdata/models/more.cgfx"
	colour := func(target string, r, g, b float64) []Edit {
		return []Edit{{Name: "dmp_TexEnv[0].constRgba", Draw: target, Values: []any{r, g, b, 1.0}}, {Name: "dmp_TexEnv[0].combineRgb", Draw: target, Values: []any{"replace"}},
			{Name: "dmp_TexEnv[0].srcRgb#0", Draw: target, Values: []any{"constant"}}}
	}
	out := edited(t, file, head, append(colour("m: material skylit", 1, 0, 0), colour("m: mesh spotlit_4", 0, 1, 0)...)...)
	require.Contains(t, out, "materials:\n      skylit: ")
	require.Contains(t, out, "meshes:\n      spotlit_4: ")
	// two.bch is arm.bch with half of its triangles as a second mesh of a second material.
	out = edited(t, "testdata/two.bch", strings.Replace(head, "more.cgfx", "two.bch", 1), append(colour("m: material second", 1, 0, 0), glow("m: mesh arm_0, material skin", 0, 0.5, 0))...)
	require.Contains(t, out, "materials:\n      second: ")
	require.Contains(t, out, "materials: {skin: {uniforms: {dmp_FragmentMaterial.emission: [0, 0.5, 0, 1]}}}")
	// A uniform of the shader of all, of which each part keeps its other components.
	out = edited(t, file, head, Edit{Name: "shader:positionOffset#0", Values: []any{nil, 2.0, nil, nil}})
	require.Contains(t, out, "positionOffset")
	edited(t, file, head, Edit{Name: "dmp_TexEnv[0].combineRgb", Values: []any{"replace"}}, Edit{Name: "shader:colorScale#0", Draw: "m", Values: []any{0.25, 0.5, 1.0, 1.0}})
}

// A model with cameras lists them after the view of all of it, which can be chosen again.
func TestCamerasOfAModelAreChosen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.gltf")
	require.NoError(t, os.WriteFile(path, []byte(twoMaterialsGLTF()), 0o644))
	s := open(t, path)
	require.Equal(t, []string{"whole", "near"}, s.Info().Cameras)
	whole := render(t, s, request()).Image.Pix
	for _, c := range []string{"near", "whole", "near", ""} {
		require.NoError(t, s.(Chooser).Choose("", c))
		require.Equal(t, c != "near", bytes.Equal(whole, render(t, s, request()).Image.Pix), c)
	}
	require.Error(t, s.(Chooser).Choose("", "menu"))
}
