package model

import (
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// Limits are exact: the allowed value works, the next one is refused.
func TestArgumentLimits(t *testing.T) {
	for count, fails := range map[int]bool{-1: true, 0: true, 1: false, maxPartVertices: false, maxPartVertices + 1: true} {
		p, err := Points(count, mgl64.Vec3{1, 1, 1}, 1, mgl32.Vec4{}, 1)
		require.Equal(t, fails, err != nil, "%d points", count)
		if !fails {
			require.Len(t, p.Positions, count)
			require.Len(t, p.Indices, count)
		}
	}
	flat := func(u, v float64) mgl64.Vec3 { return mgl64.Vec3{u, v, 0} }
	for cells, fails := range map[[2]int]bool{{0, 1}: true, {1, 0}: true, {2, maxPartVertices/3 - 1}: false, {1, maxPartVertices / 2}: true} {
		p, err := grid(cells[0], cells[1], flat)
		require.Equal(t, fails, err != nil, "%d cells", cells)
		if !fails {
			require.Equal(t, maxPartVertices, len(p.Positions))
		}
	}
	two := &Model{Animations: make([]Animation, 2)}
	for anim, fails := range map[int]bool{-2: true, -1: false, 0: false, 1: false, 2: true} {
		_, err := two.Pose(anim, 0)
		require.Equal(t, fails, err != nil, "animation %d", anim)
	}
	for blanks, want := range map[int]string{0: "gltf", 511: "gltf", 512: ""} {
		require.Equal(t, want, Kind("a", []byte(strings.Repeat(" ", blanks)+`{"asset": 1}`)), "%d blanks", blanks)
	}
	// A material replaces an earlier one of the same name.
	m := testkit.Must(read(t, map[string]string{"a.obj": strings.ReplaceAll(cubeOBJ, "//", ""), "cube.mtl": "newmtl red\nKd 1 0 0\nnewmtl blue\nKd 0 0 1\nnewmtl red\nKd 0 1 0\n"}, "a.obj"))(t)
	require.Len(t, m.Materials, 2)
	require.Equal(t, mgl32.Vec4{0, 1, 0, 1}, m.Materials[m.Meshes[0].Parts[0].Material].BaseColor)
	require.Equal(t, mgl32.Vec4{0, 0, 1, 1}, m.Materials[m.Meshes[0].Parts[1].Material].BaseColor)
}

// Faces without normals share vertices only in smooth groups.
func TestOBJFlatFaces(t *testing.T) {
	const solid = "v -1 -2 -3\nv -4 -2 -3\nv -1 -5 -3\nv -1 -2 -7\nvn 0 0 1\n"
	for faces, want := range map[string]int{"f 1 2 3\nf 1 3 4\n": 6, "s 1\nf 1 2 3\nf 1 3 4\n": 4, "s 0\nf 1 2 3\nf 1 3 4\n": 6, "f 1//1 2//1 3//1\nf 1//1 3//1 4//1\n": 4,
		"f 1 2 3\nf 1 2 3\nf 1 4 3\n": 9} {
		m := testkit.Must(read(t, map[string]string{"a.obj": solid + faces}, "a.obj"))(t)
		p := m.Meshes[0].Parts[0]
		require.Len(t, p.Positions, want, faces)
		require.Len(t, p.Normals, want)
		for _, n := range p.Normals {
			require.InDelta(t, 1, n.Len(), 1e-6)
		}
		pose := testkit.Must(m.Pose(-1, 0))(t)
		lo, hi, ok := m.Bounds(pose)
		require.True(t, ok)
		require.Equal(t, [2]mgl32.Vec3{{-4, -5, -7}, {-1, -2, -3}}, [2]mgl32.Vec3{lo, hi}, "bounds of vertices that all lie beside the origin")
	}
}

// Morphed moves positions and normals by weights and normalizes the normals.
func TestMorphed(t *testing.T) {
	p := &Part{Positions: []mgl32.Vec3{{1, 2, 3}, {4, 5, 6}}, Normals: []mgl32.Vec3{{0, 0, 1}, {1, 0, 0}},
		Morphs: []Morph{{Positions: []mgl32.Vec3{{1, 0, 0}, {0, 2, 0}}}, {Positions: []mgl32.Vec3{{0, 0, 8}, {8, 0, 0}}, Normals: []mgl32.Vec3{{6, 0, 2}, {6, 16, 0}}}}}
	for _, c := range []struct {
		weights            []float32
		positions, normals []mgl32.Vec3
	}{
		{nil, p.Positions, p.Normals}, {[]float32{0, 0}, p.Positions, p.Normals}, {[]float32{0, 0, 1}, p.Positions, p.Normals},
		{[]float32{2}, []mgl32.Vec3{{3, 2, 3}, {4, 9, 6}}, p.Normals},
		{[]float32{1, 0.5, 7}, []mgl32.Vec3{{2, 2, 7}, {8, 7, 6}}, []mgl32.Vec3{{0.8320503, 0, 0.5547002}, {0.4472136, 0.8944272, 0}}},
	} {
		got := p.Morphed(c.weights)
		require.Equal(t, c.positions, got.Positions)
		for i, n := range c.normals {
			require.InDeltaSlice(t, n[:], got.Normals[i][:], 1e-6, "%v", c.weights)
		}
	}
}

// IsOBJ recognises OBJ files by their first statements.
func TestIsOBJ(t *testing.T) {
	const v = "v 1 -2.5 1e3\n"
	for text, want := range map[string]bool{
		v: true, "# made by hand\n\n\t" + v: true, "v\t1 2 3\n": true, "v \t1 2 3 1 0 0\n": true, "mtllib a.mtl\n" + v + "f 1 1 1\n": true,
		"": false, "# nothing\n": false, "f 1 2 3\n": false, "v 1 2\n": false, "v 1 2 x\n": false, "v x 2 3\n": false, v + "v 1 y 3\n": false,
		v + "bogus 1\n": false, v + "\x00": false, "v 1 2 3 x\n": true,
		"v 1 2 " + strings.Repeat("1", 64) + "x\n": true, "v 1 2 " + strings.Repeat("1", 63) + "x\n": false, // at most 64 bytes of a number are read
		strings.Repeat(v, 200) + "bogus\n": true, strings.Repeat(v, 199) + "bogus\n": false, // at most 200 statements are read
		strings.Repeat("# about\n", 300) + "bogus\n": false, strings.Repeat("\n", 300) + v: true,
	} {
		require.Equal(t, want, IsOBJ([]byte(text)), "%.30q, %d bytes", text, len(text))
	}
	for line, want := range map[string]string{
		"": "", "  # v 1": "", "v": "v", " vt 1 2\n": "vt", "vn\t1 2": "vn", "f \t1": "f", "usemtl\ta b": "usemtl", "a\tb c": "a",
		strings.Repeat("x", 17): strings.Repeat("x", 16), strings.Repeat("x", 16): strings.Repeat("x", 16),
	} {
		require.Equal(t, want, OBJWord([]byte(line)), line)
	}
}

// NewParts: refused input, and the normals of each kind.
func TestNewParts(t *testing.T) {
	// Two triangles of areas 1/2 and 2 at a right angle, and an unused vertex.
	p := Part{Material: 3, Positions: []mgl32.Vec3{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 4}, {9, 9, 9}}}
	p.UV[0] = []mgl32.Vec2{{0, 1}, {1, 1}, {2, 1}, {3, 1}, {4, 1}}
	indices := []uint32{0, 1, 2, 0, 3, 1}
	one := func(indices []uint32, how Normals) Part {
		list := testkit.Must(NewParts(p, indices, how))(t)
		require.Len(t, list, 1)
		return list[0]
	}
	got := one(indices, NoNormals)
	require.Nil(t, got.Normals)
	require.Equal(t, p.Positions, got.Positions)
	require.Equal(t, []uint16{0, 1, 2, 0, 3, 1}, got.Indices)
	require.Equal(t, 3, got.Material)

	got = one(indices, FlatNormals)
	require.Equal(t, []uint16{0, 1, 2, 3, 4, 5}, got.Indices)
	require.Equal(t, []mgl32.Vec3{{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 1, 0}, {0, 1, 0}, {0, 1, 0}}, got.Normals)
	require.Equal(t, []mgl32.Vec2{{0, 1}, {1, 1}, {2, 1}, {0, 1}, {3, 1}, {1, 1}}, got.UV[0])

	got = one(indices, SmoothNormals)
	require.Equal(t, p.Positions, got.Positions)
	long := float32(1 / math.Sqrt(17))
	mean := mgl32.Vec3{0, 4 * long, long} // of both, weighted by area
	for i, want := range []mgl32.Vec3{mean, mean, {0, 0, 1}, {0, 1, 0}, {0, 0, 1}} {
		require.InDeltaSlice(t, want[:], got.Normals[i][:], 1e-6, "vertex %d", i)
	}
	require.Equal(t, []uint16{0, 1, 2, 3, 4}, one(nil, NoNormals).Indices, "vertices keep their order")

	many := Part{Positions: make([]mgl32.Vec3, maxPartVertices+1)}
	for i := range many.Positions {
		many.Positions[i] = mgl32.Vec3{float32(i)}
	}
	for _, c := range []struct {
		p       Part
		indices []uint32
		how     Normals
		want    string
	}{
		{p, []uint32{0, 4, 5}, NoNormals, "index 2 is 5; there are 5 vertices"},
		{p, []uint32{0, 1, 2, 3}, FlatNormals, "4 indices are not whole triangles"},
		{p, []uint32{0, 1, 2, 3}, SmoothNormals, "4 indices are not whole triangles"},
		{p, nil, SmoothNormals, "5 indices are not whole triangles"},
		{p, []uint32{0, 1, 2, 3}, NoNormals, ""},
		{many, []uint32{1, 2, 0, 1}, NoNormals, "not whole triangles (normals, and more than 65535 vertices, are for triangles)"},
		{many, []uint32{0, 1, 2, 65535, 1, 0}, NoNormals, ""},
		{Part{Positions: many.Positions[1:]}, []uint32{0, 65534}, NoNormals, ""},
		{p, make([]uint32, limits[costIndices].most), NoNormals, ""},
		{p, make([]uint32, limits[costIndices].most+1), NoNormals, fmt.Sprintf("5 vertices and %d indices; at most %d and %d are drawn", limits[costIndices].most+1, MaxVertices, limits[costIndices].most)},
		{Part{Positions: make([]mgl32.Vec3, MaxVertices+1)}, []uint32{}, NoNormals, fmt.Sprintf("%d vertices and 0 indices", MaxVertices+1)},
	} {
		list, err := NewParts(c.p, c.indices, c.how)
		if c.want != "" {
			require.ErrorContains(t, err, c.want)
			continue
		}
		require.NoError(t, err)
		at := 0
		for _, part := range list {
			for i, v := range part.Indices {
				if at+i < 10 {
					require.Equal(t, c.p.Positions[c.indices[at+i]], part.Positions[v])
				}
			}
			at += len(part.Indices)
		}
		require.Equal(t, len(c.indices), at)
	}
}

// Tangents lie along +u; where texture coordinates give no direction, any direction normal to the normal is valid.
func TestTangentsAlongU(t *testing.T) {
	up := mgl32.Vec3{0, 0, 1}
	p := Part{Positions: []mgl32.Vec3{{0, 0, 0}, {2, 0, 0}, {0, 3, 1}, {5, 5, 5}, {6, 5, 5}, {5, 6, 5}, {7, 7, 7}, {8, 8, 8}},
		Normals: []mgl32.Vec3{up, up, up, up, up, up, {0, 1, 0}, {0, 1, 0}}, Indices: []uint16{0, 1, 2, 3, 4, 5, 0, 2, 6}}
	p.UV[0] = []mgl32.Vec2{{0.25, 0}, {0.25, 1}, {-1.75, 0}, {1, 1}, {1, 1}, {1, 1}, {-0.75, 0}, {0, 0}} // +u is -y; no area; and in a line
	p.MakeTangents()
	for i, want := range []mgl32.Vec4{{0, -1, 0, 1}, {0, -1, 0, 1}, {0, -1, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, 1}} {
		require.InDeltaSlice(t, want[:], p.Tangents[i][:], 1e-6, "vertex %d: %v", i, p.Tangents[i])
	}
	kept := p.Tangents
	p.MakeTangents()
	require.Same(t, &kept[0], &p.Tangents[0], "existing tangents are kept")
	bare := Part{Positions: p.Positions}
	bare.MakeTangents()
	require.Nil(t, bare.Tangents, "without normals no tangents are made")
}

// Strips and fans skip triangles with two equal corners; strips reverse every other triangle.
func TestStripAndFanTriangles(t *testing.T) {
	require.Equal(t, []uint32{0, 1, 2, 2, 1, 3, 2, 3, 4}, strip([]uint32{0, 1, 2, 3, 4}))
	for _, list := range [][]uint32{{1, 1, 2}, {1, 2, 2}, {1, 2, 1}, {3, 3, 3}, {1, 2}, {}} {
		require.Empty(t, strip(list), "%v", list)
	}
	require.Equal(t, []uint32{0, 1, 2, 5, 4, 6}, strip([]uint32{0, 1, 2, 2, 4, 4, 5, 6}))
	require.Equal(t, []uint32{7, 1, 2, 7, 2, 3}, fan([]uint32{7, 1, 2, 3}))
	require.Empty(t, fan([]uint32{7, 1}))
}

// A part has at most maxPartVertices vertices and is filled before the next one starts.
func TestPartsFillToVertexLimit(t *testing.T) {
	for corners, want := range map[int][]int{maxPartVertices: {maxPartVertices}, maxPartVertices + 3: {maxPartVertices, 3}} {
		b := big{Part: Part{Positions: make([]mgl32.Vec3, corners)}}
		for i := range corners {
			b.Positions[i][0] = float32(i)
			b.indices = append(b.indices, uint32(i))
		}
		var got []int
		next := float32(0)
		for _, p := range b.splitBy(func([]uint32) bool { return true }) {
			got = append(got, len(p.Positions))
			for _, i := range p.Indices {
				require.Equal(t, next, p.Positions[i][0])
				next++
			}
		}
		require.Equal(t, want, got)
	}
}

// An image's name is its own, else its file's, else its number. Texture coordinates of an OBJ file are used even if all are the
// first.
func TestImageNamesAndOBJCoordinates(t *testing.T) {
	var picture strings.Builder
	require.NoError(t, png.Encode(&picture, image.NewNRGBA(image.Rect(0, 0, 2, 2))))
	long := strings.Repeat("l", 196) + ".png"
	files := map[string]string{"own.png": picture.String(), long: picture.String()}
	for source, want := range map[string]string{
		`{"name":"said","uri":"own.png"}`: "said", `{"uri":"own.png"}`: "own.png", `{"uri":"` + long + `"}`: "image0", `{"uri":"data:image/png;base64,` + base64.StdEncoding.EncodeToString([]byte(picture.String())) + `"}`: "image0",
	} {
		files["a.gltf"] = triangle(`,"images":[`+source+`],"textures":[{"source":0}],"materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}]`, `{"POSITION":0}}`, `{"POSITION":0},"material":0}`)
		m := testkit.Must(read(t, files, "a.gltf"))(t)
		require.Len(t, m.Images, 1)
		require.Equal(t, want, m.Images[0].Name)
	}
	for face, want := range map[string][]mgl32.Vec2{"f 1/1 2/1 3/1": {{0.5, 0.25}, {0.5, 0.25}, {0.5, 0.25}}, "f 1 2 3": nil} {
		m := testkit.Must(read(t, map[string]string{"a.obj": "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0.5 0.25\n" + face + "\n"}, "a.obj"))(t)
		got := m.Meshes[0].Parts[0].UV[0]
		require.Equal(t, len(want), len(got), face)
	}
}

func TestSplitBones(t *testing.T) {
	var p Part
	for i := range 60 {
		p.Positions = append(p.Positions, mgl32.Vec3{float32(i), 0, 0})
		p.Joints = append(p.Joints, [4]uint16{uint16(i), 7, 0, 0})
		p.Weights = append(p.Weights, mgl32.Vec4{0.75, 0.25, 0, 0})
		p.Indices = append(p.Indices, uint16(i))
	}
	parts := p.SplitBones(20)
	require.Greater(t, len(parts), 2)
	triangles := 0
	for _, b := range parts {
		require.LessOrEqual(t, len(b.Palette), 20)
		triangles += len(b.Indices) / 3
		for v := range b.Positions {
			require.Equal(t, int(b.Positions[v][0]), b.Palette[b.Joints[v][0]])
			require.Equal(t, 7, b.Palette[b.Joints[v][1]])
		}
	}
	require.Equal(t, 20, triangles)
}

// gather copies every stream of a part.
func TestGatherCopiesEveryStream(t *testing.T) {
	var src, got Part
	for v := range 4 {
		x := float32(v)
		src.Positions = append(src.Positions, mgl32.Vec3{x, 1, 2})
		src.Normals = append(src.Normals, mgl32.Vec3{1, x, 2})
		src.Tangents = append(src.Tangents, mgl32.Vec4{x, 3, 2, 1})
		src.Colors = append(src.Colors, mgl32.Vec4{1, x, 0, 1})
		src.Joints = append(src.Joints, [4]uint16{uint16(v), 7, 5, 3})
		src.Weights = append(src.Weights, mgl32.Vec4{1, 0, x, 0})
		src.Sizes = append(src.Sizes, mgl32.Vec4{0, x, 0, 9})
		for k := range src.UV {
			src.UV[k] = append(src.UV[k], mgl32.Vec2{x, float32(k)})
		}
		for k := range src.Generic {
			src.Generic[k] = append(src.Generic[k], mgl32.Vec4{x, float32(k), 0, 1})
		}
	}
	src.Morphs = []Morph{{Positions: []mgl32.Vec3{{0}, {1}, {2}, {3}}}, {Normals: []mgl32.Vec3{{4}, {5}, {6}, {7}}}}
	got.Morphs = []Morph{{}}
	order := []uint32{3, 1, 1, 0}
	got.gather(&src, order)
	from, to := reflect.ValueOf(src), reflect.ValueOf(got)
	picked := func(what string, from, to reflect.Value) {
		require.Equal(t, len(order), to.Len(), what)
		for i, v := range order {
			require.Equal(t, from.Index(int(v)).Interface(), to.Index(i).Interface(), "%s %d", what, i)
		}
	}
	for _, name := range []string{"Positions", "Normals", "Tangents", "Colors", "Joints", "Weights", "Sizes"} {
		picked(name, from.FieldByName(name), to.FieldByName(name))
	}
	for k := range src.UV {
		picked("UV", reflect.ValueOf(src.UV[k]), reflect.ValueOf(got.UV[k]))
	}
	for k := range src.Generic {
		picked("Generic", reflect.ValueOf(src.Generic[k]), reflect.ValueOf(got.Generic[k]))
	}
	require.Equal(t, []Morph{{Positions: []mgl32.Vec3{{3}, {1}, {1}, {0}}}, {Normals: []mgl32.Vec3{{7}, {5}, {5}, {4}}}}, got.Morphs)
}

// normalizeWeights makes weights sum to 1; without a positive sum the first joint gets all.
func TestNormalizeWeights(t *testing.T) {
	w := []mgl32.Vec4{{1, 2, 4, 1}, {}, {0.5, 0, 0, 0.25}, {-1, 0.5, 0, 0}, {0, 0, 0, 2}, {0, 0, 8, 0}}
	normalizeWeights(w)
	require.Equal(t, []mgl32.Vec4{{0.125, 0.25, 0.5, 0.125}, {1, 0, 0, 0}, {float32(2. / 3), 0, 0, float32(1. / 3)}, {1, 0, 0, 0}, {0, 0, 0, 1}, {0, 0, 1, 0}}, w)
}

// A smooth normal is the mean of the adjacent triangles, weighted by area; without triangles it is +z.
func TestSmoothNormals(t *testing.T) {
	b := big{indices: []uint32{0, 1, 2, 0, 3, 1, 5, 6, 7, 5, 7, 6}}
	b.Positions = []mgl32.Vec3{{1, 0, 0}, {3, 0, 0}, {1, 4, 0}, {1, 0, 3}, {9, 9, 9}, {1, 1, 1}, {2, 1, 1}, {1, 2, 5}}
	b.smoothNormals()
	both := mgl32.Vec3{0, 0.6, 0.8}
	require.Equal(t, []mgl32.Vec3{both, both, {0, 0, 1}, {0, 1, 0}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}}, b.Normals)
}

// Place multiplies the matrices of a node's parents, in any order of nodes; each rule of scales passes different scales on.
func TestPlaceNodes(t *testing.T) {
	turn := mgl64.HomogRotate3DZ(0.5)
	local := func(parent int, s Scales) Local {
		return Local{Parent: parent, Move: mgl64.Vec3{1, 2, 3}, Rotation: turn, Size: mgl64.Vec3{2, 3, 5}, Scales: s}
	}
	move, size := mgl64.Translate3D(1, 2, 3), mgl64.Scale3D(2, 3, 5)
	undo := mgl64.Scale3D(1.0/2, 1.0/3, 1.0/5)
	one := move.Mul4(turn).Mul4(size)
	given := mgl64.Translate3D(7, 8, 9)
	for name, c := range map[string]struct {
		nodes []Local
		of    int
		want  mgl64.Mat4
	}{
		"root":              {[]Local{local(-1, AllScales)}, 0, one},
		"child first":       {[]Local{local(1, AllScales), local(-1, AllScales)}, 0, one.Mul4(one)},
		"not the parent's":  {[]Local{local(-1, NotParent), local(0, NotParent)}, 1, one.Mul4(move).Mul4(undo).Mul4(turn).Mul4(size)},
		"not at a root":     {[]Local{local(-1, NotParent)}, 0, one},
		"without shear":     {[]Local{local(-1, NoShear), local(0, NoShear)}, 1, one.Mul4(move).Mul4(undo).Mul4(turn).Mul4(size).Mul4(size)},
		"two above":         {[]Local{local(-1, AllScales), local(0, AllScales), local(1, NoShear)}, 2, one.Mul4(one).Mul4(move).Mul4(undo).Mul4(undo).Mul4(turn).Mul4(size).Mul4(size).Mul4(size)},
		"a scale of 0":      {[]Local{{Parent: -1, Rotation: turn, Size: mgl64.Vec3{0, 1, 1}}, local(0, NotParent)}, 1, turn.Mul4(mgl64.Scale3D(0, 1, 1)).Mul4(one)},
		"given":             {[]Local{local(-1, AllScales), {Parent: 0, World: &given, Size: mgl64.Vec3{9, 9, 9}}}, 1, given},
		"below a given one": {[]Local{local(-1, AllScales), {Parent: 0, World: &given, Size: mgl64.Vec3{9, 9, 9}}, local(1, NoShear)}, 2, given.Mul4(move).Mul4(undo).Mul4(turn).Mul4(size).Mul4(size)},
		"circle":            {[]Local{local(1, AllScales), local(0, AllScales)}, 0, one.Mul4(one)},
		"overflow":          {[]Local{{Parent: -1, Rotation: turn, Size: mgl64.Vec3{1e300, 1, 1}}, {Parent: 0, Rotation: mgl64.Ident4(), Size: mgl64.Vec3{1e300, 1, 1}}, local(1, AllScales)}, 2, one},
	} {
		got := WorldMatrices(c.nodes)[c.of]
		require.InDeltaSlice(t, c.want[:], got[:], 1e-12, name)
	}
}

// A matrix replaces a node's translation, rotation and scale.
func TestMatrixReplacesTRS(t *testing.T) {
	m := mgl64.HomogRotate3DX(1).Mul4(mgl64.ShearZ3D(2, 3)).Mul4(mgl64.Translate3D(1, 2, 3))
	got := WorldMatrices([]Local{TRS{Matrix: &m}.local(-1)})[0]
	require.Equal(t, m, got)
	trs := TRS{T: mgl32.Vec3{1, 2, 3}, R: mgl32.QuatRotate(1, mgl32.Vec3{0, 1, 0}), S: mgl32.Vec3{4, 5, 6}}
	want := trs.Mat4()
	got = WorldMatrices([]Local{trs.local(-1)})[0]
	require.InDeltaSlice(t, want[:], got[:], 1e-12)
}

// A loose part (streams for a shader's inputs, indices that form no triangles) and a list of triangles survive writing and
// reading unchanged.
func TestLoosePartRoundTrip(t *testing.T) {
	part := Part{Material: -1, Positions: make([]mgl32.Vec3, 4), Indices: []uint16{3, 0, 1, 2, 3}, Loose: true}
	part.Generic[0] = []mgl32.Vec4{{1, 2, 3, 4}, {5}, {6}, {-7.5}}
	list := part
	list.Loose, list.Indices = false, []uint16{0, 1, 2, 2, 1, 1}
	m := &Model{Meshes: []Mesh{{Name: "a", Parts: []Part{part}}, {Name: "b", Parts: []Part{list}}},
		Nodes: []Node{{Name: "a", Parent: -1, TRS: Identity, Mesh: 0, Skin: -1, Shown: true}, {Name: "b", Parent: -1, TRS: Identity, Mesh: 1, Skin: -1, Shown: true}}}
	data := testkit.Must(EncodeGLB(m))(t)
	path := filepath.Join(t.TempDir(), "m.glb")
	require.NoError(t, os.WriteFile(path, data, 0o666))
	back := testkit.Must(Load(path))(t)
	require.Empty(t, back.Notes)
	require.Equal(t, part, back.Meshes[0].Parts[0])
	require.Equal(t, list, back.Meshes[1].Parts[0])
}

// WithChannel takes a channel from one picture, times a factor, and the rest from another; both are scaled to the larger size.
func TestWithChannel(t *testing.T) {
	fill := func(w, h int, rgba ...uint8) *image.NRGBA {
		m := image.NewNRGBA(image.Rect(0, 0, w, h))
		for i := range m.Pix {
			m.Pix[i] = rgba[i%4]
		}
		return m
	}
	m, of := fill(2, 4, 10, 20, 30, 40), fill(4, 2, 50, 60, 101, 80)
	got := WithChannel(m, 2, of, 2, 0.5, 0)
	require.Equal(t, image.Pt(4, 4), got.Rect.Size())
	for i := 0; i < len(got.Pix); i += 4 {
		require.Equal(t, []uint8{10, 20, 51, 40}, got.Pix[i:i+4])
	}
	require.Equal(t, uint8(30), m.Pix[2], "the argument is not changed")
	require.Equal(t, uint8(101), WithChannel(of, 2, of, 2, 1, 0).Pix[2])
	require.Equal(t, []uint8{50, 60, 101, 153}, WithChannel(of, 3, of, 0, 0.5, 127.5).Pix[:4])
}
