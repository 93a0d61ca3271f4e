package gl

import (
	"fmt"
	"math/bits"

	"pica200/assets/shbin"
	"pica200/pica"
)

// outmap is what the registers around GPUREG_SH_OUTMAP hold for a program.
type outmap struct {
	total    int
	words    [7]uint32
	texcoord bool   // GPUREG_SH_OUTATTR_MODE
	clock    uint32 // GPUREG_SH_OUTATTR_CLOCK
}

// meaning is the first semantic of an output type and how many follow it.
type meaning struct {
	first pica.Semantic
	n     int
	clock pica.Field // the clock of the attribute
}

var meanings = map[shbin.OutputType]meaning{
	shbin.OutPosition:   {pica.SemPositionX, 4, pica.ShOutattrClockZ},
	shbin.OutNormalQuat: {pica.SemQuatX, 4, pica.ShOutattrClockLighting},
	shbin.OutColor:      {pica.SemColorR, 4, pica.ShOutattrClockColor},
	shbin.OutTexCoord0:  {pica.SemTexCoord0U, 2, pica.ShOutattrClockTexcoord0},
	shbin.OutTexCoord0W: {pica.SemTexCoord0W, 1, pica.ShOutattrClockTexcoord0W},
	shbin.OutTexCoord1:  {pica.SemTexCoord1U, 2, pica.ShOutattrClockTexcoord1},
	shbin.OutTexCoord2:  {pica.SemTexCoord2U, 2, pica.ShOutattrClockTexcoord2},
	shbin.OutView:       {pica.SemViewX, 3, pica.ShOutattrClockLighting},
}

// makeOutmap sorts the outputs of an executable: slot i is the i-th enabled
// output register, and the components of an output have its semantics in order.
func makeOutmap(e *shbin.Executable) (m outmap, err error) {
	m.total = bits.OnesCount16(e.OutputMask)
	if m.total > len(m.words) {
		return m, fmt.Errorf("the shader has %d outputs for the rasterizer, which takes %d", m.total, len(m.words))
	}
	if m.total == 0 {
		return m, fmt.Errorf("the shader has no outputs")
	}
	for i := range m.words {
		m.words[i] = 0x1F1F1F1F
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
		semantic, left := uint32(mean.first), mean.n
		for component := range 4 {
			if out.Mask>>component&1 == 0 || left == 0 {
				continue
			}
			shift := 8 * component
			m.words[slot] = m.words[slot]&^(0xFF<<shift) | semantic<<shift
			semantic, left = semantic+1, left-1
		}
		m.clock = mean.clock.PutBool(m.clock, true)
		switch out.Type {
		case shbin.OutTexCoord0, shbin.OutTexCoord0W, shbin.OutTexCoord1, shbin.OutTexCoord2:
			m.texcoord = true
		}
	}
	return m, nil
}
