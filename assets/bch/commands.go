package bch

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"pica200/pica"
)

// commands is a command list that is being built.
type commands []uint32

// add appends a command.
func (l commands) add(r pica.Reg, mask uint32, consecutive bool, params ...uint32) commands {
	l = append(l, params[0], uint32(pica.MakeCommandHeader(r, mask, len(params)-1, consecutive)))
	l = append(l, params[1:]...)
	if len(l)%2 != 0 {
		l = append(l, 0)
	}
	return l
}

// written holds the register values that a command list leaves; for registers
// that take several values, all in order.
type written struct {
	regs    pica.Regs
	set     map[pica.Reg]bool
	floats  [96]mgl32.Vec4 // uniforms of the vertex shader
	fixed   [16]mgl32.Vec4
	isFixed [16]bool
}

// read executes a command list without a GPU.
func read(words []uint32) *written {
	w := &written{set: map[pica.Reg]bool{}}
	var uniform, attribute []uint32
	index, fixed, wide := 0, 0, false
	r := pica.ReadCommands(words)
	for cmd, ok := r.Next(); ok; cmd, ok = r.Next() {
		for i := range cmd.Len() {
			reg, v := cmd.Reg(i), cmd.Param(i)
			if int(reg) >= len(w.regs) {
				continue
			}
			mask := cmd.Header.BitMask()
			w.regs[reg] = w.regs[reg]&^mask | v&mask
			w.set[reg] = true
			switch {
			case reg == pica.RegVshFloatuniformIndex:
				index, wide, uniform = int(v&0xFF), v>>31 != 0, nil
			case reg >= pica.RegVshFloatuniformData0 && reg < pica.RegVshFloatuniformData0+8:
				if uniform = append(uniform, v); wide && len(uniform) == 4 {
					if index < len(w.floats) {
						for k := range 4 {
							w.floats[index][k] = math.Float32frombits(uniform[3-k])
						}
					}
					index, uniform = index+1, nil
				}
			case reg == pica.RegFixedattribIndex:
				fixed, attribute = int(v&0xF), nil
			case reg >= pica.RegFixedattribData0 && reg < pica.RegFixedattribData0+3:
				if attribute = append(attribute, v); len(attribute) == 3 {
					w.fixed[fixed] = pica.UnpackFloat24(attribute[0], attribute[1], attribute[2])
					w.isFixed[fixed], attribute = true, nil
				}
			}
		}
	}
	return w
}

// Vertex shader registers in which command lists pass the offset and scales.
// Source: SPICA, H3DMesh.
const (
	uniformOffset = 6
	uniformScales = 7
)

var attribBytes = [...]int{pica.AttribByte: 1, pica.AttribUByte: 1, pica.AttribShort: 2, pica.AttribFloat: 4}

// scaleAt returns the register and component of an attribute's scale.
func scaleAt(usage uint8) (register, component int, ok bool) {
	switch {
	case usage < 4: // position, normal, tangent, colour
		return 0, int(usage), true
	case usage < 7: // coordinates
		return 1, int(usage) - 4, true
	case usage == 8: // weights
		return 1, 3, true
	}
	return 0, 0, false
}

// decode decodes the list.
func (m *Mesh) decode(c *codec, list []uint32) {
	w := read(list)
	g := &w.regs
	formats := uint64(g[pica.RegAttribbuffersLoc+1]) | uint64(g[pica.RegAttribbuffersLoc+2])<<32
	order := uint64(g[pica.RegVshAttributesPermutationLow]) | uint64(g[pica.RegVshAttributesPermutationLow+1])<<32
	config := uint64(g[pica.RegAttribbuffer0Offset+1]) | uint64(g[pica.RegAttribbuffer0Config2])<<32
	if !w.set[pica.RegAttribbuffersLoc] || !w.set[pica.RegVshNumAttr] {
		c.f.note(c.at, "a mesh whose commands bind no vertices")
		return
	}
	m.Stride = int(config >> 48 & 0xFF)
	m.Offset = w.floats[uniformOffset]
	total := int(g[pica.RegVshNumAttr]&0xF) + 1
	scale := func(usage uint8) float32 {
		if r, k, ok := scaleAt(usage); ok {
			return w.floats[uniformScales+r][k]
		}
		return 1
	}
	seen := [16]bool{}
	for i := range min(int(config>>60), 12) {
		n := int(config >> (4 * i) & 0xF)
		if n >= total || seen[n] || formats>>(48+n)&1 != 0 {
			continue // padding, or invalid
		}
		seen[n] = true
		u := uint8(order >> (4 * n) & 0xF)
		f := formats >> (4 * n) & 0xF
		m.Attributes = append(m.Attributes, Attribute{Usage: u, Type: pica.AttribType(f & 3), Components: int(f>>2) + 1, Scale: scale(u)})
	}
	for n := range min(total, 12) {
		if formats>>(48+n)&1 == 0 {
			continue
		}
		u := uint8(order >> (4 * n) & 0xF)
		v := w.fixed[n]
		m.Attributes = append(m.Attributes, Attribute{Usage: u, Scale: scale(u), Fixed: &v})
	}
	vertices := 0
	for i := range m.Parts {
		vertices = max(vertices, m.Parts[i].highest()+1)
	}
	at, size := int(g[pica.RegAttribbuffer0Offset]), vertices*m.Stride
	if at < 0 || at > len(c.data) || size > len(c.data)-at {
		c.f.note(c.at, "%d vertices of %d bytes at 0x%x do not fit into the file", vertices, m.Stride, at)
		return
	}
	c.f.budget -= size / 4
	m.Data = c.data[at : at+size : at+size]
}

// index returns an index of the part.
func (p *Part) index(i int) int {
	if p.Wide {
		return int(le.Uint16(p.Indices[2*i:]))
	}
	return int(p.Indices[i])
}

// len returns the number of indices.
func (p *Part) len() int {
	if p.Wide {
		return len(p.Indices) / 2
	}
	return len(p.Indices)
}

func (p *Part) highest() int {
	top := -1
	for i := range p.len() {
		top = max(top, p.index(i))
	}
	return top
}

func (p *Part) decode(c *codec, list []uint32) {
	w := read(list)
	p.bools = uint16(w.regs[pica.RegVshBooluniform])
	p.Mode = uint8(w.regs[pica.RegPrimitiveConfig] >> 8 & 3)
	v, n := w.regs[pica.RegIndexbufferConfig], int64(w.regs[pica.RegNumvertices])
	p.Wide = v>>31 != 0
	at, size := int64(v&^(1<<31)), n
	if p.Wide {
		size *= 2
	}
	if at > int64(len(c.data)) || size > int64(len(c.data))-at {
		c.f.note(c.at, "%d indices at 0x%x do not fit into the file", n, at)
		return
	}
	c.f.budget -= int(size)
	if c.f.budget < 0 {
		c.f.fail(c.at, "the structures overlap")
		return
	}
	p.Indices = c.data[at : at+size : at+size]
}
