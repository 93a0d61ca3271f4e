package geometry

import (
	"fmt"
	"math"
	"math/bits"

	"pica200/pica"
	"pica200/shaderunit"
)

const (
	outputRegisters = 16
	outputSlots     = 7 // GPUREG_SH_OUTMAP_O0 to _O6
	semantics       = 24
)

// outputMap maps components of the shader's output registers to components of a
// vertex.
type outputMap struct {
	from [semantics]source
	n    int
	used [semantics]bool
}

// source is an entry: a component of an output register, and its destination.
type source struct {
	register, component uint8
	semantic            pica.Semantic
}

// read decodes the output map. mask is the OUTMAP_MASK of the shader that makes
// the vertices: the enabled registers, in ascending order, fill the slots O0,
// O1, ..., of which OUTMAP_TOTAL are used. If two components have the same
// semantic, the later one wins. Slots without a register leave their semantics
// at 1, like unmapped ones; so does a colour without clock (zitrus, on an
// o2DS).
func (m *outputMap) read(r *pica.Regs, mask uint32) error {
	m.n = 0
	m.used = [semantics]bool{}
	total := int(pica.ShOutmapTotal.Get(r))
	if total > outputSlots {
		return fmt.Errorf("GPUREG_SH_OUTMAP_TOTAL is %d; there are %d output map registers", total, outputSlots)
	}
	color := pica.ShOutattrClockColor.Bool(r)
	var at [semantics]int
	for slot := range total {
		if mask == 0 {
			break
		}
		register := uint8(bits.TrailingZeros32(mask))
		mask &= mask - 1
		word := r[pica.RegShOutmapO0+pica.Reg(slot)]
		for c := range uint8(4) {
			s := pica.Semantic(word >> (8 * c) & 0x1F)
			if s >= semantics || !color && isColor(s) {
				continue // 0x1F: unused; 0x18 to 0x1E have no known meaning
			}
			if !m.used[s] {
				m.used[s] = true
				at[s] = m.n
				m.n++
			}
			m.from[at[s]] = source{register, c, s}
		}
	}
	return nil
}

// unmapped is a vertex nothing is mapped to.
var unmapped = func() (v pica.Vertex) {
	for i := range v {
		v[i] = 1
	}
	return v
}()

// layout adds the mapped components, in the order of the entries.
func (m *outputMap) layout(l *pica.VertexLayout) {
	for k := range m.from[:m.n] {
		l.Add(m.from[k].semantic)
	}
}

// ones are the values of unmapped components.
var ones = func() (r shaderunit.Row) {
	for i := range r {
		r[i] = 1
	}
	return r
}()

// row returns a component of all vertices of a batch; colours are not saturated
// yet.
func (m *outputMap) row(b *shaderunit.Batch, s pica.Semantic) *shaderunit.Row {
	for k := range m.from[:m.n] {
		if e := &m.from[k]; e.semantic == s {
			return b.Out(int(e.register), int(e.component))
		}
	}
	return &ones
}

// source returns the values of component k of the rows: a mapped component, or
// 1 for one that only earlier vertices have. color is true if the values must
// still be saturated.
func (m *outputMap) source(b *shaderunit.Batch, k int) (row *shaderunit.Row, color bool) {
	if k >= m.n {
		return &ones, false
	}
	e := &m.from[k]
	return b.Out(int(e.register), int(e.component)), isColor(e.semantic)
}

// store writes the outputs of a batch, from vertex first on, as rows of n
// components: mapped ones, and ones that only earlier vertices have, which are
// 1.
func (m *outputMap) store(b *shaderunit.Batch, first int, rows []float32, n int) {
	for k := range n {
		src, color := m.source(b, k)
		at := k + first*n
		if color {
			for i := first; at < len(rows); i, at = i+1, at+n {
				rows[at] = saturateColor(src[i%len(src)])
			}
			continue
		}
		for i := first; at < len(rows); i, at = i+1, at+n {
			rows[at] = src[i%len(src)]
		}
	}
}

// one converts the output registers of a single vertex.
func (m *outputMap) one(out *[outputRegisters][4]float32, v *pica.Vertex) {
	*v = unmapped
	for k := range m.from[:m.n] {
		e := &m.from[k]
		x := out[e.register%outputRegisters][e.component%4]
		if isColor(e.semantic) {
			x = saturateColor(x)
		}
		v[e.semantic] = x
	}
}

func isColor(s pica.Semantic) bool { return s >= pica.SemColorR && s <= pica.SemColorA }

// saturateColor is what the console does to vertex colours before it
// interpolates them: the absolute value, at most 1. NaN becomes 1. (Tests by
// the Citra project; 3dbrew does not say.)
func saturateColor(c float32) float32 {
	c = math.Float32frombits(math.Float32bits(c) &^ (1 << 31))
	if c < 1 {
		return c
	}
	return 1
}
