package model

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// Golden file: the vertices of generated shapes, and of an animated model.
func TestShapeVertices(t *testing.T) {
	var b bytes.Buffer
	part := func(name string, p Part, err error) {
		require.NoError(t, err)
		fmt.Fprintf(&b, "%s: %d vertices, indices %v\n", name, len(p.Positions), p.Indices)
		for i := range p.Positions {
			fmt.Fprintf(&b, "  %.3f", p.Positions[i])
			if i < len(p.Normals) {
				fmt.Fprintf(&b, " normal %.3f", p.Normals[i])
			}
			if i < len(p.Tangents) {
				fmt.Fprintf(&b, " tangent %.3f", p.Tangents[i])
			}
			if i < len(p.Colors) {
				fmt.Fprintf(&b, " colour %.3f", p.Colors[i])
			}
			for _, uv := range p.UV {
				if i < len(uv) {
					fmt.Fprintf(&b, " at %.3f", uv[i])
				}
			}
			if i < len(p.Sizes) {
				fmt.Fprintf(&b, " size %.3f", p.Sizes[i])
			}
			fmt.Fprintln(&b)
		}
	}
	one := func(name string) func(p Part, err error) { return func(p Part, err error) { part(name, p, err) } }
	one("sphere")(Sphere(2, 4, 3))
	one("torus")(Torus(2, 0.5, 3, 4))
	one("knot")(Knot(1, 0.25, 5, 3))
	one("cylinder")(Cylinder(1, 0.5, 2, 3))
	one("plane")(Plane(2, 3, 2, 1))
	one("quad")(Quad(2, 3, 1, 2))
	one("terrain")(Terrain(2, 3, 1, 3, 3, 5))
	one("box")(Box(1, 2, 3, 2))
	one("points")(Points(3, mgl64.Vec3{1, 2, 3}, 0.5, mgl32.Vec4{1, 0.5, 0.25, 1}, 9))
	m := testkit.Must(Load("../../testdata/scenes/arm.gltf"))(t)
	for _, at := range []float64{0, 0.3, 0.75, 1.5, 99} {
		for anim := -1; anim < len(m.Animations); anim++ {
			p := testkit.Must(m.Pose(anim, at))(t)
			lo, hi, ok := m.Bounds(p)
			fmt.Fprintf(&b, "animation %d at %g: %.3f to %.3f, %v, weights %.3f\n", anim, at, lo, hi, ok, p.Weights)
			for i, n := range p.World {
				fmt.Fprintf(&b, "  %s %.3f\n", m.Nodes[i].Name, n)
			}
			for s := range m.Skins {
				fmt.Fprintf(&b, "  skin %d %.3f\n", s, m.Joints(p, s))
			}
		}
	}
	testkit.Golden(t, "testdata/shapes.txt", bytes.ReplaceAll(b.Bytes(), []byte("-0.000"), []byte("0.000")))
}
