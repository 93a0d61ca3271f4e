package model

import (
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"
)

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
			p, err := make()
			require.NoError(t, err)
			require.Len(t, p.Normals, len(p.Positions))
			require.Len(t, p.Tangents, len(p.Positions))
			for i := range p.Normals {
				n := p.Normals[i]
				require.InDelta(t, 1, float64(n[0]*n[0]+n[1]*n[1]+n[2]*n[2]), 1e-3)
				tg := p.Tangents[i]
				require.InDelta(t, 0, float64(n[0]*tg[0]+n[1]*tg[1]+n[2]*tg[2]), 0.05, "tangent %d", i)
			}
			// Triangles face the way their normals point.
			for i := 0; i+2 < len(p.Indices); i += 3 {
				a, b, c := p.Indices[i], p.Indices[i+1], p.Indices[i+2]
				f := p.Positions[b].Sub(p.Positions[a]).Cross(p.Positions[c].Sub(p.Positions[a]))
				require.GreaterOrEqual(t, f.Dot(p.Normals[a]), float32(-1e-3), "triangle %d", i/3)
			}
		})
	}
	p, err := Sphere(2, 8, 8)
	require.NoError(t, err)
	for i, pos := range p.Positions { // outwards
		require.Positive(t, float64(pos[0]*p.Normals[i][0]+pos[1]*p.Normals[i][1]+pos[2]*p.Normals[i][2]))
	}
	// A closed surface that faces outwards encloses a positive volume.
	for name, make := range map[string]func() (Part, error){
		"torus": func() (Part, error) { return Torus(1, 0.3, 16, 8) }, "knot": func() (Part, error) { return Knot(1, 0.2, 64, 8) },
		"cylinder": func() (Part, error) { return Cylinder(1, 0.5, 2, 12) }, "box": func() (Part, error) { return Box(1, 2, 3, 2) },
	} {
		q, err := make()
		require.NoError(t, err)
		volume := 0.0
		for i := 0; i+2 < len(q.Indices); i += 3 {
			a, b, c := q.Positions[q.Indices[i]], q.Positions[q.Indices[i+1]], q.Positions[q.Indices[i+2]]
			volume += float64(a.Dot(b.Cross(c)))
		}
		require.Positive(t, volume, name)
	}
	_, err = Sphere(1, 1000, 1000)
	require.Error(t, err)
	_, err = Points(0, mgl64.Vec3{}, 1, mgl32.Vec4{}, 1)
	require.Error(t, err)
}

func TestMakeTangents(t *testing.T) {
	p, err := Quad(1, 1, 1, 1)
	require.NoError(t, err)
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
