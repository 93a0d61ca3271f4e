package gl

import (
	"fmt"
	"math/bits"
	"slices"

	"pica200/assets/shbin"
	"pica200/pica"
)

// outmap holds the registers around GPUREG_SH_OUTMAP for a program.
type outmap struct {
	total    int
	words    [7]uint32
	texcoord bool   // GPUREG_SH_OUTATTR_MODE
	clock    uint32 // GPUREG_SH_OUTATTR_CLOCK
}

// meaning is the first semantic of an output type; as many follow as the type has
// components.
type meaning struct {
	first pica.Semantic
	clock pica.Field // the clock of the attribute
}

var meanings = map[shbin.OutputType]meaning{
	shbin.OutPosition:   {pica.SemPositionX, pica.ShOutattrClockZ},
	shbin.OutNormalQuat: {pica.SemQuatX, pica.ShOutattrClockLighting},
	shbin.OutColor:      {pica.SemColorR, pica.ShOutattrClockColor},
	shbin.OutTexCoord0:  {pica.SemTexCoord0U, pica.ShOutattrClockTexcoord0},
	shbin.OutTexCoord0W: {pica.SemTexCoord0W, pica.ShOutattrClockTexcoord0W},
	shbin.OutTexCoord1:  {pica.SemTexCoord1U, pica.ShOutattrClockTexcoord1},
	shbin.OutTexCoord2:  {pica.SemTexCoord2U, pica.ShOutattrClockTexcoord2},
	shbin.OutView:       {pica.SemViewX, pica.ShOutattrClockLighting},
}

// makeOutmap computes the output map of an executable: slot i is the i-th
// enabled output register, and the components of an output have its semantics
// in order.
func makeOutmap(e *shbin.Executable) (m outmap, err error) {
	m.total = bits.OnesCount16(e.OutputMask)
	if m.total > len(m.words) {
		return m, fmt.Errorf("the shader has %d outputs for the rasterizer, which takes %d", m.total, len(m.words))
	}
	if m.total == 0 {
		return m, fmt.Errorf("the shader has no outputs")
	}
	for i := range m.words {
		m.words[i] = unmapped
	}
	for _, out := range e.Outputs {
		if out.Type == shbin.OutDummy {
			continue
		}
		mean, ok := meanings[out.Type]
		if !ok || out.Reg > 15 || e.OutputMask>>out.Reg&1 == 0 {
			return m, fmt.Errorf("output o%d: its meaning is %v, and the output mask is %#x", out.Reg, out.Type, e.OutputMask)
		}
		slot := bits.OnesCount16(e.OutputMask & (1<<out.Reg - 1))
		semantic, left := uint32(mean.first), out.Type.Components()
		for component := range 4 {
			if out.Mask>>component&1 == 0 || left == 0 {
				continue
			}
			shift := 8 * component
			m.words[slot] = m.words[slot]&^(0xFF<<shift) | semantic<<shift
			semantic, left = semantic+1, left-1
		}
		if out.Type != shbin.OutPosition || bits.OnesCount16(out.Mask) >= 3 { // the clock is that of position.z
			m.clock = mean.clock.PutBool(m.clock, true)
		}
		switch out.Type {
		case shbin.OutTexCoord0, shbin.OutTexCoord0W, shbin.OutTexCoord1, shbin.OutTexCoord2:
			m.texcoord = true
		}
	}
	return m, nil
}

// unmapped is an output register without any meaning.
const unmapped = 0x1F1F1F1F

// merge joins the output maps of a vertex and a geometry shader that passes
// vertices on: first outputs that both have, in the order of the geometry
// shader, then the other ones of the geometry shader, then those of the vertex
// shader. libctru does the same for programs that ask for it.
func merge(vertex, geometry outmap) (m outmap, err error) {
	for i := range m.words {
		m.words[i] = unmapped
	}
	has := func(o outmap, word uint32) bool { return slices.Contains(o.words[:], word) }
	var words []uint32
	pick := func(from outmap, common bool, other outmap) {
		for _, w := range from.words {
			if w != unmapped && has(other, w) == common {
				words = append(words, w)
			}
		}
	}
	pick(geometry, true, vertex)
	pick(geometry, false, vertex)
	pick(vertex, false, geometry)
	if len(words) > len(m.words) {
		return m, fmt.Errorf("the merged output maps have %d outputs; the rasterizer takes %d", len(words), len(m.words))
	}
	m.total = copy(m.words[:], words)
	m.texcoord = vertex.texcoord || geometry.texcoord
	m.clock = vertex.clock | geometry.clock
	return m, nil
}
