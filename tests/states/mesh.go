package states

import (
	"encoding/binary"
	"math"

	"pica200/pica"
)

// attribute is one attribute of a mesh.
type attribute struct {
	format pica.AttribType
	count  int // components, 1 to 4
	array  int // vertex array, -1: fixed
}

// mesh is a set of vertices in memory.
type mesh struct {
	attributes  []attribute
	permutation [16]int // input register of each attribute
	count       int     // vertices
	small       bool    // small triangles
	addr        uint32  // of the vertex arrays
	base        uint32  // base of the array offsets
	arrays      []array
	variable    int // main vertices of a primitive in variable mode, 0 in other modes
}

// array is a vertex array.
type array struct {
	parts  []int // attributes, or -n: n times 4 bytes of padding
	stride int
	offset uint32 // from the base of the mesh
	drawn  bool   // read from a render target
}

// input returns the input register of an attribute.
func (m *mesh) input(i int) int { return m.permutation[i] }

var componentBytes = [4]int{1, 1, 2, 4}

// scale returns factors that bring the position to clip space.
func (m *mesh) scale() [4]float32 {
	s := float32(1)
	switch m.attributes[0].format {
	case pica.AttribByte, pica.AttribUByte:
		s = 1.0 / 100
	case pica.AttribShort:
		s = 1.0 / 25000
	}
	w := s
	if m.attributes[0].count < 4 {
		w = 1
	}
	return [4]float32{s, s, s, w}
}

// newMesh randomizes attributes and their memory layout.
func (g *generator) newMesh(simple bool) {
	m := &g.mesh
	variable := m.variable
	*m = mesh{count: g.between(3, 24), variable: variable}
	if g.chance(0.12) && !simple || g.many {
		m.count, m.small = g.between(300, 700), true
	}
	if g.chance(0.1) {
		m.small = true
	}
	m.attributes = []attribute{{pica.AttribFloat, g.between(3, 4), 0}}
	if g.chance(0.2) && !simple {
		m.attributes[0].format = oneOf(g.random, pica.AttribShort, pica.AttribByte)
	}
	for range g.between(1, 5) {
		a := attribute{pica.AttribType(g.below(4)), g.between(1, 4), g.between(-1, 2)}
		m.attributes = append(m.attributes, a)
	}
	for i := range m.permutation {
		m.permutation[i] = i
	}
	if g.chance(0.2) {
		m.permutation = [16]int(g.Perm(16))
	}
	// Arrays: the attributes in any order, with padding.
	m.arrays = make([]array, 3)
	for i, a := range m.attributes {
		if a.array >= 0 {
			m.arrays[a.array].parts = append(m.arrays[a.array].parts, i)
		}
	}
	m.addr = vertexBase + uint32(g.below(4))*0x4000
	m.base = m.addr
	drawn := 0.08
	if g.reflexive {
		drawn = 0.4
		if to := g.inTarget(); g.chance(0.5) && to+0x18000 < targetEnd {
			m.addr, m.base = to, min(to, vertexBase) // indices lie after the base
		}
	}
	at := m.addr - m.base
	for i := range m.arrays {
		v := &m.arrays[i]
		g.Shuffle(len(v.parts), func(i, j int) { v.parts[i], v.parts[j] = v.parts[j], v.parts[i] })
		if g.chance(0.1) && len(v.parts) > 0 {
			v.parts = append(v.parts, -g.between(1, 4))
		}
		for _, p := range v.parts {
			if p < 0 {
				v.stride = (v.stride+3)&^3 - 4*p
				continue
			}
			a := m.attributes[p]
			size := componentBytes[a.format]
			v.stride = (v.stride+size-1)/size*size + size*a.count
		}
		if i > 0 && g.chance(drawn) && g.target.color >= targetBase {
			v.drawn, v.offset = true, g.target.color-m.base
			continue
		}
		v.offset = at
		at += uint32(v.stride*m.count+15) &^ 15
	}
	m.fill(g)
	m.set(g)
}

// inTarget returns an address in a buffer of the render target, a multiple of 16.
func (g *generator) inTarget() uint32 {
	return oneOf(g.random, g.target.color, g.target.depth)&^15 + uint32(g.below(0x40))*16
}

// fill loads the vertices.
func (m *mesh) fill(g *generator) {
	var data []byte
	for i := range m.arrays {
		v := &m.arrays[i]
		if v.drawn {
			continue
		}
		start := len(data)
		for n := range m.count {
			base := start + n*v.stride
			for _, p := range v.parts {
				if p < 0 {
					for len(data)%4 != 0 || len(data)-base < 0 {
						data = append(data, 0)
					}
					data = append(data, make([]byte, -4*p)...)
					continue
				}
				a := m.attributes[p]
				for (len(data)-base)%componentBytes[a.format] != 0 {
					data = append(data, 0)
				}
				data = m.components(g, data, p, n)
			}
			data = append(data, make([]byte, base+v.stride-len(data))...)
		}
		for len(data)%16 != 0 {
			data = append(data, 0)
		}
	}
	if len(data) > 0 {
		g.trace.Load(m.addr, data)
	}
}

// components appends an attribute of vertex n.
func (m *mesh) components(g *generator, data []byte, p, n int) []byte {
	a := m.attributes[p]
	var x [4]float32
	if p == 0 {
		w := float32(1)
		if a.count == 4 && g.chance(0.3) {
			w = g.float(0.4, 2)
		}
		x = [4]float32{g.float(-1.2, 1.2) * w, g.float(-1.2, 1.2) * w, g.float(-1, 0) * w, w}
		if g.chance(0.03) {
			x[2] = g.float(-2, 1)
		}
		if g.chance(0.005) {
			x[g.below(4)] = g.number()
		}
		if m.small {
			k := n / 3
			cx, cy := float32(k*37%64)/32-1, float32(k*53%64)/32-1
			x[0], x[1] = (cx+g.float(-0.08, 0.08))*w, (cy+g.float(-0.08, 0.08))*w
		}
		s := m.scale()
		for c := range x {
			x[c] /= s[c]
		}
	} else {
		for c := range x {
			switch a.format {
			case pica.AttribFloat:
				x[c] = g.float(-0.5, 1.5)
				if g.chance(0.02) {
					x[c] = g.number()
				}
			default:
				x[c] = g.float(-128, 255)
			}
		}
	}
	for _, v := range x[:a.count] {
		switch a.format {
		case pica.AttribFloat:
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
		case pica.AttribShort:
			data = binary.LittleEndian.AppendUint16(data, uint16(int16(clamp(v, -32768, 32767))))
		case pica.AttribByte:
			data = append(data, byte(int8(clamp(v, -128, 127))))
		default:
			data = append(data, byte(clamp(v, 0, 255)))
		}
	}
	return data
}

func clamp(x, lo, hi float32) int32 {
	if !(x > lo) {
		return int32(lo)
	}
	return int32(min(x, hi))
}

// set writes the layout to the registers.
func (m *mesh) set(g *generator) {
	r := &g.regs
	n := uint32(len(m.attributes) - 1)
	pica.AttribbuffersLoc.Set(r, m.base>>4)
	r[pica.RegAttribbuffersFormatLow], r[pica.RegAttribbuffersFormatHigh] = 0, 0
	pica.AttribCount.Set(r, n)
	var fixed uint32
	for i, a := range m.attributes {
		pica.AttribFormatType(i).Set(r, uint32(a.format))
		pica.AttribFormatSize(i).Set(r, uint32(a.count-1))
		if a.array < 0 {
			fixed |= 1 << i
		}
	}
	pica.AttribFixedMask.Set(r, fixed)
	for i := range pica.NumAttribbuffers {
		at := pica.Reg(i) * pica.StrideAttribbuffer
		for k := range pica.Reg(3) {
			r[pica.RegAttribbuffer0Offset+at+k] = 0
		}
		if i >= len(m.arrays) || len(m.arrays[i].parts) == 0 {
			continue
		}
		v := &m.arrays[i]
		pica.AttribbufferOffset.At(at).Set(r, v.offset)
		pica.AttribbufferStride.At(at).Set(r, uint32(v.stride))
		pica.AttribbufferCount.At(at).Set(r, uint32(len(v.parts)))
		for k, p := range v.parts {
			if p < 0 {
				p = int(pica.ComponentPad4) - p - 1
			}
			pica.AttribbufferComponent(k).At(at).Set(r, uint32(p))
		}
	}
	r[pica.RegVshInputbufferConfig] = 0xA0000000 | n
	pica.VshNumAttr.Set(r, n)
	var words [2]uint32
	for i, reg := range m.permutation {
		words[i/8] |= uint32(reg) << (4 * (i % 8))
	}
	r[pica.RegVshAttributesPermutationLow], r[pica.RegVshAttributesPermutationHigh] = words[0], words[1]
}
