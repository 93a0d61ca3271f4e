package model

import (
	"encoding/json"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// with puts a value at a path of JSON, in the first item of each list.
func with(v any, path []string, value any) any {
	if len(path) == 0 {
		return value
	}
	if list, ok := v.([]any); ok {
		list[0] = with(list[0], path, value)
		return list
	}
	m, ok := v.(map[string]any)
	if !ok {
		m = map[string]any{}
	}
	inner := m[path[0]]
	lists := []string{"materials", "cameras", "textures", "animations", "channels", "targets"}
	if inner == nil && slices.Contains(lists, path[0]) {
		inner = []any{map[string]any{}}
	}
	m[path[0]] = with(inner, path[1:], value)
	return m
}

// A file with a property that is left out has its note and no other; docs/MODELS.md lists all.
func TestEveryDroppedPropertyHasItsNote(t *testing.T) {
	dropped := 0
	for _, p := range Properties {
		if p.Treatment != Dropped {
			continue
		}
		dropped++
		var root any
		require.NoError(t, json.Unmarshal([]byte(triangle("")), &root))
		path := strings.Split(p.Path, ".")
		value := any(map[string]any{})
		switch {
		case slices.Contains(path, "attributes"), slices.Contains(path, "targets"):
			value = 0
		}
		if path[0] == "animations" {
			root = with(root, []string{"animations"}, []any{map[string]any{"channels": []any{map[string]any{"sampler": 0, "target": map[string]any{"path": "pointer"}}}, "samplers": []any{map[string]any{"input": 0, "output": 0}}}})
		}
		text := testkit.Must(json.Marshal(with(root, path, value)))(t)
		m, err := read(t, map[string]string{"a.gltf": string(text)}, "a.gltf")
		require.NoError(t, err, string(text))
		require.Equal(t, []string{p.How}, m.Notes, p.Path)
	}
	require.Greater(t, dropped, 25)
	testkit.GoldenPart(t, "../../docs/MODELS.md", "glTF properties", PropertyTable())
}

// Cameras and lights are read where nodes place them, with the defaults of the specification; wrong numbers name none.
func TestCamerasAndLights(t *testing.T) {
	text := triangle(`,"cameras":[{"name":"a","type":"perspective","perspective":{"yfov":1.5707963267948966,"znear":0.5}},{"type":"orthographic","orthographic":{"xmag":3,"ymag":2,"znear":0.25,"zfar":8}},{"type":"perspective"}],
"extensionsUsed":["KHR_lights_punctual"],"extensions":{"KHR_lights_punctual":{"lights":[{"type":"point","intensity":2,"range":0},{"type":"spot","name":"s","color":[1,0.5,0],"range":5},{"type":"directional"}]}},
"scenes":[{"nodes":[0,1,2,3,4]}],"nodes":[{"mesh":0},{"name":"n","camera":0,"extensions":{"KHR_lights_punctual":{"light":0}}},{"camera":1,"extensions":{"KHR_lights_punctual":{"light":1}}},
{"camera":2,"extensions":{"KHR_lights_punctual":{"light":7}}},{"camera":9,"extensions":{"KHR_lights_punctual":{"light":2}}},{"camera":0}]`)
	m := testkit.Must(read(t, map[string]string{"a.gltf": text}, "a.gltf"))(t)
	require.Equal(t, []Camera{{"n", 1, 90, 0, 0.5, 0}, {"", 2, 0, 4, 0.25, 8}}, m.Cameras)
	require.Equal(t, []Light{{"n", 1, PointLight, mgl32.Vec3{1, 1, 1}, 2, 0, 0, 0}, {"s", 2, SpotLight, mgl32.Vec3{1, 0.5, 0}, 1, 5, 0, math.Pi / 4},
		{"", 4, Directional, mgl32.Vec3{1, 1, 1}, 1, 0, 0, 0}}, m.Lights)
	require.Equal(t, []string{"a camera without a field of view is left out"}, m.Notes)
	require.Equal(t, 0.0, m.Lights[1].Falloff(5))
	require.InDelta(t, 0.25*15/16, m.Lights[1].Falloff(2.5)*0.25*6.25, 1e-9)
}

func TestShapes(t *testing.T) {
	for name, make := range map[string]func() (Part, error){
		"sphere":   func() (Part, error) { return Sphere(1, 16, 8) },
		"torus":    func() (Part, error) { return Torus(1, 0.3, 16, 8) },
		"knot":     func() (Part, error) { return Knot(1, 0.2, 64, 8) },
		"cylinder": func() (Part, error) { return Cylinder(1, 0.5, 2, 12) },
		"cone":     func() (Part, error) { return Cylinder(1, 0, 2, 12) },
		"box":      func() (Part, error) { return Box(1, 2, 3, 2) },
	} {
		t.Run(name, func(t *testing.T) {
			p := testkit.Must(make())(t)
			require.Len(t, p.Normals, len(p.Positions))
			require.Len(t, p.Tangents, len(p.Positions))
			for i := range p.Normals {
				n := p.Normals[i]
				require.InDelta(t, 1, float64(n[0]*n[0]+n[1]*n[1]+n[2]*n[2]), 1e-3)
				tg := p.Tangents[i]
				require.InDelta(t, 0, float64(n[0]*tg[0]+n[1]*tg[1]+n[2]*tg[2]), 0.05, "tangent %d", i)
			}
			// Triangles face in the direction of their normals.
			for i := 0; i+2 < len(p.Indices); i += 3 {
				a, b, c := p.Indices[i], p.Indices[i+1], p.Indices[i+2]
				f := p.Positions[b].Sub(p.Positions[a]).Cross(p.Positions[c].Sub(p.Positions[a]))
				require.GreaterOrEqual(t, f.Dot(p.Normals[a]), float32(-1e-3), "triangle %d", i/3)
			}
		})
	}
	p := testkit.Must(Sphere(2, 8, 8))(t)
	for i, pos := range p.Positions { // outwards
		require.Positive(t, float64(pos[0]*p.Normals[i][0]+pos[1]*p.Normals[i][1]+pos[2]*p.Normals[i][2]))
	}
	// A closed surface that faces outwards encloses a positive volume.
	for name, make := range map[string]func() (Part, error){
		"torus": func() (Part, error) { return Torus(1, 0.3, 16, 8) }, "knot": func() (Part, error) { return Knot(1, 0.2, 64, 8) },
		"cylinder": func() (Part, error) { return Cylinder(1, 0.5, 2, 12) }, "box": func() (Part, error) { return Box(1, 2, 3, 2) },
	} {
		q := testkit.Must(make())(t)
		volume := 0.0
		for i := 0; i+2 < len(q.Indices); i += 3 {
			a, b, c := q.Positions[q.Indices[i]], q.Positions[q.Indices[i+1]], q.Positions[q.Indices[i+2]]
			volume += float64(a.Dot(b.Cross(c)))
		}
		require.Positive(t, volume, name)
	}
	_, err := Sphere(1, 1000, 1000)
	require.Error(t, err)
	_, err = Points(0, mgl64.Vec3{}, 1, mgl32.Vec4{}, 1)
	require.Error(t, err)
}

func TestMakeTangents(t *testing.T) {
	p := testkit.Must(Quad(1, 1, 1, 1))(t)
	p.Tangents = nil
	p.MakeTangents()
	require.Equal(t, mgl32.Vec4{1, 0, 0, 1}, p.Tangents[0])
}

func TestNoiseWraps(t *testing.T) {
	for i := range 20 {
		x := float64(i) * 0.37
		require.InDelta(t, Noise(x, 1.5, 8, 3), Noise(x+8, 1.5, 8, 3), 1e-9)
		v := Fractal(x, x, 4, 0, 9)
		require.True(t, v >= 0 && v <= 1)
	}
}

// A tangent points in the direction of growing u, in the plane of the normal, averaged over all triangles.
func TestTangentsOfRandomTriangles(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	vector := func() mgl32.Vec3 {
		return mgl32.Vec3{rng.Float32() - 0.5, rng.Float32() - 0.5, rng.Float32() - 0.5}
	}
	for range 200 {
		along, up, at := vector(), vector(), vector()
		n := along.Cross(up).Normalize()
		p := Part{Indices: []uint16{0, 1, 2, 2, 1, 3}}
		for range 4 {
			uv := mgl32.Vec2{rng.Float32(), rng.Float32()}
			p.UV[0] = append(p.UV[0], uv)
			p.Positions = append(p.Positions, at.Add(along.Mul(uv[0])).Add(up.Mul(uv[1])))
			p.Normals = append(p.Normals, n)
		}
		p.MakeTangents()
		for _, got := range p.Tangents {
			require.InDelta(t, 1, float64(got.Vec3().Dot(along.Normalize())), 1e-2, "%v, not %v", got, along.Normalize())
		}
	}
	p := Part{Positions: make([]mgl32.Vec3, 3), Normals: []mgl32.Vec3{{0, 0, 1}, {0, 1, 0}, {1, 0, 0}}, Indices: []uint16{0, 1, 2}}
	p.UV[0] = make([]mgl32.Vec2, 3)
	p.MakeTangents()
	require.Equal(t, []mgl32.Vec4{{1, 0, 0, 1}, {1, 0, 0, 1}, {0, 0, -1, 1}}, p.Tangents, "degenerate coordinates give a tangent across the normal")
}

// Noise with a wrap repeats, also below 0, and equals unwrapped noise within the first period.
func TestNoiseRepeats(t *testing.T) {
	rng := rand.New(rand.NewSource(4))
	differ := 0
	for range 200 {
		wrap := 2 + rng.Intn(7)
		x, y, seed := 64*rng.Float64()-32, 64*rng.Float64()-32, rng.Uint32()
		at := Noise(x, y, wrap, seed)
		require.InDelta(t, at, Noise(x+float64(wrap), y, wrap, seed), 1e-9)
		require.InDelta(t, at, Noise(x, y-float64(3*wrap), wrap, seed), 1e-9)
		require.True(t, at >= 0 && at < 1)
		if Noise(y, x, wrap, seed) != at {
			differ++
		}
		x, y = rng.Float64()*float64(wrap-1), rng.Float64()*float64(wrap-1)
		require.Equal(t, Noise(x, y, 0, seed), Noise(x, y, wrap, seed), "equal within the first period")
		require.Equal(t, Noise(float64(int(x)), float64(int(y)), 0, seed), float64(hash(uint32(x), uint32(y), seed)>>8)/(1<<24), "the grid point's hash")
	}
	require.Greater(t, differ, 190)
}
