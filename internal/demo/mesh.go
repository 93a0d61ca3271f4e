package demo

import (
	"encoding/binary"
	"math"

	"pica200/pica"
)

// vertex is position, normal, texture coordinate and colour: the inputs of the
// library's shader "lit".
type vertex [12]float32

const vertexBytes = 48

// mesh is an indexed list of triangles.
type mesh struct {
	vertices []vertex
	indices  []uint16

	vertexAddr, indexAddr uint32
}

func (m *mesh) vertexBytes() (b []byte) {
	for _, v := range m.vertices {
		for _, x := range v {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
	}
	return b
}

func (m *mesh) indexBytes() (b []byte) {
	for _, i := range m.indices {
		b = binary.LittleEndian.AppendUint16(b, i)
	}
	return b
}

// draw adds the commands that draw the mesh.
func (m *mesh) draw(w *pica.CommandWriter) {
	const base = 0x18000000 // lies below both VRAM and FCRAM
	format := uint32(0)
	for i, n := range []uint32{3, 3, 2, 4} {
		format |= (uint32(pica.AttribFloat) | (n-1)<<2) << (4 * i)
	}
	w.WriteRun(pica.RegAttribbuffersLoc, base>>3, format, 3<<28)
	w.WriteRun(pica.RegAttribbuffer0Offset, m.vertexAddr-base, 0x3210, 4<<28|vertexBytes<<16)
	for i := 1; i < pica.NumAttribbuffers; i++ {
		w.WriteRun(pica.RegAttribbuffer0Offset+pica.Reg(i)*pica.StrideAttribbuffer, 0, 0, 0)
	}
	w.Write(pica.RegVshInputbufferConfig, 0xA0000000|3)
	w.Write(pica.RegVshNumAttr, 3)
	w.WriteRun(pica.RegVshAttributesPermutationLow, 0x3210, 0)
	w.WriteMasked(pica.RegPrimitiveConfig, 2, uint32(pica.PrimitiveGeometry)<<8)
	w.Write(pica.RegRestartPrimitive, 1)
	w.Write(pica.RegIndexbufferConfig, 1<<31|(m.indexAddr-base))
	w.Write(pica.RegNumvertices, uint32(len(m.indices)))
	w.WriteMasked(pica.RegGeostageConfig, 2, 1<<8)
	w.WriteMasked(pica.RegGeostageConfig2, 2, 1<<8)
	w.Write(pica.RegStartDrawFunc0, 0)
	w.Write(pica.RegDrawelements, 1)
	w.Write(pica.RegStartDrawFunc0, 1)
	w.Write(pica.RegVtxFunc, 1)
	w.WriteMasked(pica.RegGeostageConfig, 2, 0)
	w.WriteMasked(pica.RegGeostageConfig2, 2, 0)
	w.WriteRun(pica.RegFramebufferFlush, 1)
}

// grid joins a grid of (u+1) * (v+1) vertices to triangles.
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
func torusKnot(along, around int) mesh {
	var m mesh
	center := func(t float64) [3]float64 {
		r := 1.2 + 0.5*math.Cos(3*t)
		return [3]float64{r * math.Cos(2*t), 0.6 * math.Sin(3*t) * 1.2, r * math.Sin(2*t)}
	}
	const radius = 0.3
	for j := range along + 1 {
		t := 2 * math.Pi * float64(j) / float64(along)
		p := center(t)
		forward := unit(sub(center(t+1e-4), p))
		out := unit(cross(forward, [3]float64{p[0], 0.3, p[2]}))
		side := cross(out, forward)
		for i := range around + 1 {
			a := 2 * math.Pi * float64(i) / float64(around)
			var n, q [3]float64
			for c := range n {
				n[c] = math.Cos(a)*out[c] + math.Sin(a)*side[c]
				q[c] = p[c] + radius*n[c]
			}
			hue := 2 * math.Pi * float64(j) / float64(along)
			m.vertices = append(m.vertices, vertex{
				f32(q[0]), f32(q[1]), f32(q[2]), f32(n[0]), f32(n[1]), f32(n[2]),
				f32(24 * float64(j) / float64(along)), f32(2 * float64(i) / float64(around)),
				f32(0.55 + 0.45*math.Cos(hue)), f32(0.55 + 0.45*math.Cos(hue-2.1)), f32(0.55 + 0.45*math.Cos(hue+2.1)), 1,
			})
		}
	}
	m.indices = grid(around, along)
	return m
}

// floor is a square in y = -1.
func floor() mesh {
	const n, half = 16, 7.0
	var m mesh
	for j := range n + 1 {
		for i := range n + 1 {
			x, z := half*(2*float64(i)/n-1), half*(2*float64(j)/n-1)
			m.vertices = append(m.vertices, vertex{f32(x), -1, f32(z), 0, 1, 0, f32(x / 2), f32(z / 2), 1, 1, 1, 1})
		}
	}
	m.indices = grid(n, n)
	return m
}

// sky is a rectangle over the whole target, given in clip space: the screen
// lies on its side, so that its right is the target's bottom.
func sky() mesh {
	top, bottom := [3]float32{0.05, 0.07, 0.16}, [3]float32{0.62, 0.46, 0.42}
	var m mesh
	for _, c := range []struct {
		x, y float32
		rgb  [3]float32
	}{{-1, -1, bottom}, {1, -1, top}, {-1, 1, bottom}, {1, 1, top}} {
		m.vertices = append(m.vertices, vertex{c.x, c.y, 0, 0, 0, 1, 0, 0, c.rgb[0], c.rgb[1], c.rgb[2], 1})
	}
	m.indices = []uint16{0, 1, 2, 2, 1, 3}
	return m
}

// tiles is the texture: 64x64 texels of RGB565 in the tiled layout.
func tiles() []byte {
	const size = 64
	b := make([]byte, size*size*2)
	for y := range size {
		for x := range size {
			l := uint16(31)
			if (x < size/2) != (y < size/2) {
				l = 20
			}
			if x%(size/2) == 0 || y%(size/2) == 0 {
				l = 12
			}
			m := 0
			for bit := range 3 {
				m |= x>>bit&1<<(2*bit) | y>>bit&1<<(2*bit+1)
			}
			at := 2 * ((y/8*(size/8)+x/8)*64 + m)
			binary.LittleEndian.PutUint16(b[at:], l<<11|l<<6|l)
		}
	}
	return b
}

func f32(x float64) float32 { return float32(x) }
