package demo

import (
	"context"
	"image"
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"pica200/frontend/gl"
	"pica200/pica"
)

// vertex is position, normal, texture coordinate and colour: the inputs of the
// library's shader "lit".
type vertex [12]float32

const vertexBytes = 48

// attributes are the inputs of the shader in the order of a vertex, and the
// number of components of each.
var attributes = []struct {
	name string
	size int
}{{"position", 3}, {"normal", 3}, {"texcoord", 2}, {"color", 4}}

// mesh is an indexed list of triangles.
type mesh struct {
	vertices []vertex
	indices  []uint16

	vertexBuffer, indexBuffer *gl.Buffer
}

// upload copies the mesh to memory.
func (m *mesh) upload(ctx context.Context, c *gl.Context) (err error) {
	data := make([]float32, 0, len(m.vertices)*len(vertex{}))
	for i := range m.vertices {
		data = append(data, m.vertices[i][:]...)
	}
	if m.vertexBuffer, err = c.NewFloatBuffer(ctx, data); err != nil {
		return err
	}
	m.indexBuffer, err = c.NewIndexBuffer(ctx, m.indices)
	return err
}

func (m *mesh) draw(ctx context.Context, c *gl.Context) error {
	offset := 0
	for _, a := range attributes {
		layout := gl.Attrib{Type: pica.AttribFloat, Size: a.size, Stride: vertexBytes, Offset: offset}
		if err := c.Attribute(a.name, m.vertexBuffer, layout); err != nil {
			return err
		}
		offset += 4 * a.size
	}
	return c.DrawElements(ctx, pica.PrimitiveTriangles, len(m.indices), pica.IndexShort, m.indexBuffer, 0)
}

// grid makes triangles of a grid of (u+1) * (v+1) vertices.
func grid(u, v int) (indices []uint16) {
	for j := range v {
		for i := range u {
			a := uint16(j*(u+1) + i)
			b := a + uint16(u+1)
			indices = append(indices, a, b, a+1, a+1, b, b+1)
		}
	}
	return indices
}

// torusKnot is a tube around the (2, 3) torus knot.
func torusKnot(along, around int) *mesh {
	m := new(mesh)
	center := func(t float64) mgl64.Vec3 {
		r := 1.2 + float64(0.5*math.Cos(3*t))
		return mgl64.Vec3{r * math.Cos(2*t), 0.6 * math.Sin(3*t) * 1.2, r * math.Sin(2*t)}
	}
	const radius = 0.3
	for j := range along + 1 {
		t := 2 * math.Pi * float64(j) / float64(along)
		p := center(t)
		forward := center(t + 1e-4).Sub(p).Normalize()
		out := forward.Cross(mgl64.Vec3{p[0], 0.3, p[2]}).Normalize()
		side := out.Cross(forward)
		for i := range around + 1 {
			a := 2 * math.Pi * float64(i) / float64(around)
			var n, q mgl64.Vec3
			for c := range n {
				n[c] = float64(math.Cos(a)*out[c]) + float64(math.Sin(a)*side[c])
				q[c] = p[c] + float64(radius*n[c])
			}
			hue := 2 * math.Pi * float64(j) / float64(along)
			m.vertices = append(m.vertices, vertex{
				f32(q[0]), f32(q[1]), f32(q[2]), f32(n[0]), f32(n[1]), f32(n[2]),
				f32(24 * float64(j) / float64(along)), f32(2 * float64(i) / float64(around)),
				tint(hue), tint(hue - 2.1), tint(hue + 2.1), 1,
			})
		}
	}
	m.indices = grid(around, along)
	return m
}

// tint is a colour channel that changes periodically with an angle.
func tint(a float64) float32 { return f32(0.55 + float64(0.45*math.Cos(a))) }

// floor is a square in the plane y = -1.
func floor() *mesh {
	const n, half = 16, 7.0
	m := new(mesh)
	for j := range n + 1 {
		for i := range n + 1 {
			x, z := half*(float64(2*float64(i)/n)-1), half*(float64(2*float64(j)/n)-1)
			m.vertices = append(m.vertices, vertex{f32(x), -1, f32(z), 0, 1, 0, f32(x / 2), f32(z / 2), 1, 1, 1, 1})
		}
	}
	m.indices = grid(n, n)
	return m
}

// sky is a rectangle over the whole target, in clip space. The screen is
// rotated, so its right edge is the target's bottom.
func sky() *mesh {
	top, bottom := mgl32.Vec3{0.05, 0.07, 0.16}, mgl32.Vec3{0.62, 0.46, 0.42}
	m := new(mesh)
	for _, c := range []struct {
		x, y float32
		rgb  mgl32.Vec3
	}{{-1, -1, bottom}, {1, -1, top}, {-1, 1, bottom}, {1, 1, top}} {
		m.vertices = append(m.vertices, vertex{c.x, c.y, 0, 0, 0, 1, 0, 0, c.rgb[0], c.rgb[1], c.rgb[2], 1})
	}
	m.indices = []uint16{0, 1, 2, 2, 1, 3}
	return m
}

// tiles returns the picture of the texture.
func tiles() image.Image {
	const size = 64
	img := image.NewGray(image.Rect(0, 0, size, size))
	for y := range size {
		for x := range size {
			l := uint8(255)
			if (x < size/2) != (y < size/2) {
				l = 165
			}
			if x%(size/2) == 0 || y%(size/2) == 0 {
				l = 99
			}
			img.Pix[y*img.Stride+x] = l
		}
	}
	return img
}

func f32(x float64) float32 { return float32(x) }
