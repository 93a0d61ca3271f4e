package drawstate

import (
	"fmt"
	"math"

	"pica200/explain/rows"
	"pica200/fragment"
	"pica200/pica"
	"pica200/shaderunit"
)

// moves has the registers that pass data on or start something; their contents
// are not state.
var moves = func() (m [pica.NumRegs]bool) {
	for _, r := range [][2]pica.Reg{
		{pica.RegProctexLut, pica.RegProctexLutData0 + 7}, {pica.RegFogLutIndex, pica.RegFogLutData0 + 7},
		{pica.RegGasLutIndex, pica.RegGasFeedback}, {pica.RegLightingLutIndex, pica.RegLightingLutIndex},
		{pica.RegLightingLutData0, pica.RegLightingLutData0 + 7}, {pica.RegFramebufferInvalidate, pica.RegFramebufferFlush},
		{pica.RegFixedattribIndex, pica.RegFixedattribData0 + 2}, {pica.RegCmdbufSize0, pica.RegCmdbufJump0 + 1},
		{pica.RegDrawarrays, pica.RegDrawelements}, {pica.RegRestartPrimitive, pica.RegRestartPrimitive}, {pica.RegFinalize, pica.RegFinalize},
	} {
		for i := r[0]; i <= r[1]; i++ {
			m[i] = true
		}
	}
	for _, unit := range []pica.Reg{pica.OffsetGsh, pica.OffsetVsh} {
		for i := range pica.Reg(8) {
			m[pica.RegGshFloatuniformData0+unit+i], m[pica.RegGshCodetransferData0+unit+i], m[pica.RegGshOpdescsData0+unit+i] = true, true, true
		}
		m[pica.RegGshFloatuniformIndex+unit], m[pica.ShCodetransferIndex.At(unit).Reg], m[pica.ShOpdescsIndex.At(unit).Reg] = true, true, true
	}
	return m
}()

// IsState reports whether a register holds state for draws; registers that pass
// data on do not.
func IsState(r pica.Reg) bool {
	return r < pica.NumRegs && !moves[r] && len(pica.Registers[r].Fields) > 0
}

// Changes lists the differences between the state of two draws: a row for each,
// with the values before and after if it has any, and the fields of a register
// below it.
func Changes(from, to *Input) []rows.Row {
	list := changes{}
	for _, r := range to.Registers(from) {
		if r.Mark != rows.Changed {
			continue
		}
		list.add(r.Get("what").(string), r.Get("before").(string), r.Get("after").(string))
		at := &list[len(list)-1]
		for _, f := range r.Rows {
			if f.Mark == rows.Changed {
				f.Form = changeForm
				at.Rows = append(at.Rows, f)
			}
		}
	}
	for i := range to.Fixed {
		list.vector(fmt.Sprintf("fixed attribute %d", i), from.Fixed[i], to.Fixed[i])
	}
	list.setup("vertex shader", &from.Vertex, &to.Vertex)
	if pica.GeoStage(pica.GeostageMode.Get(&to.Regs)) == pica.GeoStageOn {
		list.setup("geometry shader", &from.Geometry, &to.Geometry)
	}
	before := TablesOf(&from.Tables)
	for i, t := range TablesOf(&to.Tables) {
		if n := t.Differs(&before[i]); n > 0 {
			list.note(t.Name, "%d of %d entries", n, len(t.Words))
		}
	}
	return list
}

const changeForm = "{before} -> {after}"

// changes is a list of changes during construction.
type changes []rows.Row

func (c *changes) add(what, before, after string) {
	r := stateRow("{what}", what, before, after, true)
	r.Form = changeForm
	*c = append(*c, r)
}

// note adds a row without values.
func (c *changes) note(what, format string, args ...any) {
	*c = append(*c, rows.New("{what}", "{after}", "what", what, "after", fmt.Sprintf(format, args...)))
}

func (c *changes) vector(what string, a, b [4]float32) {
	for k := range a {
		if math.Float32bits(a[k]) != math.Float32bits(b[k]) {
			c.add(what, vector(a), vector(b))
			return
		}
	}
}

func (c *changes) setup(unit string, a, b *shaderunit.Setup) {
	words, descs := 0, 0
	for i := range shaderunit.CodeWords {
		if a.Code(i) != b.Code(i) {
			words++
		}
	}
	for i := range shaderunit.Descriptors {
		if a.Desc(i) != b.Desc(i) {
			descs++
		}
	}
	if words+descs > 0 {
		c.note(unit+": program", "%d instructions, %d operand descriptors", words, descs)
	}
	for i := range b.Float {
		c.vector(fmt.Sprintf("%s: c%d", unit, i), a.Float[i], b.Float[i])
	}
	for i := range b.Int {
		if a.Int[i] != b.Int[i] {
			c.add(fmt.Sprintf("%s: i%d", unit, i), fmt.Sprint(a.Int[i]), fmt.Sprint(b.Int[i]))
		}
	}
	for i := range uint8(16) {
		if x, y := a.BoolUniform(i), b.BoolUniform(i); x != y {
			c.add(fmt.Sprintf("%s: b%d", unit, i), fmt.Sprint(x), fmt.Sprint(y))
		}
	}
}

// vector formats a vector.
func vector(v [4]float32) string { return fmt.Sprintf("%g, %g, %g, %g", v[0], v[1], v[2], v[3]) }

// Table is a look-up table of the fragment stage, as its registers take it.
type Table struct {
	Name  string
	Words []uint32
	// Value decodes an entry to a number from 0 to 1, or -1 to 1; it is nil for
	// colours.
	Value func(w uint32) float64
}

// Used returns the number of entries that are not 0.
func (t *Table) Used() (n int) { return t.Differs(&Table{Words: make([]uint32, len(t.Words))}) }

// Differs returns the number of entries that differ from the same table of
// another draw.
func (t *Table) Differs(from *Table) (n int) {
	for i, w := range t.Words {
		if w != from.Words[i] {
			n++
		}
	}
	return n
}

// TablesOf lists all tables.
func TablesOf(t *fragment.Tables) (list []Table) {
	unsigned12 := func(w uint32) float64 { return float64(w&0xFFF) / 4095 }
	for i := range t.Light {
		list = append(list, Table{fmt.Sprintf("lighting table %d (%v)", i, pica.LightTable(i)), t.Light[i][:], unsigned12})
	}
	return append(list,
		Table{"fog table", t.Fog[:], func(w uint32) float64 { return float64(w>>13&0x7FF) / 2047 }},
		Table{"gas table", t.Gas[:], nil},
		Table{"procedural texture, noise", t.ProcNoise[:], unsigned12},
		Table{"procedural texture, RGB map", t.ProcRGBMap[:], unsigned12},
		Table{"procedural texture, alpha map", t.ProcAlphaMap[:], unsigned12},
		Table{"procedural texture, colours", t.ProcColor[:], nil},
		Table{"procedural texture, colour differences", t.ProcColorDiff[:], nil},
	)
}
