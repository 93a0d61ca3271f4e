package drawstate

import (
	"fmt"
	"math"

	"pica200/fragment"
	"pica200/pica"
	"pica200/shaderunit"
)

// Change is something of the state that differs between two draws.
type Change struct {
	What   string   `json:"what"` // a register, a uniform, a table
	Before string   `json:"before,omitempty"`
	After  string   `json:"after,omitempty"`
	Fields []Change `json:"fields,omitempty"` // of a register
}

// moves tells which registers move data or start something: what they hold is no
// state.
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

// IsState reports whether a register holds state that a draw may depend on,
// other than one that data goes through.
func IsState(r pica.Reg) bool {
	return r < pica.NumRegs && !moves[r] && len(pica.Registers[r].Fields) > 0
}

// Changes lists what the state of a draw differs in from that of another.
func Changes(from, to *Given) (list []Change) {
	for reg := range pica.Reg(pica.NumRegs) {
		if a, b := from.Regs[reg], to.Regs[reg]; a != b && IsState(reg) {
			c := Change{What: reg.String(), Before: fmt.Sprintf("0x%08X", a), After: fmt.Sprintf("0x%08X", b)}
			for _, f := range pica.Registers[reg].Fields {
				if f.Of(a) != f.Of(b) {
					c.Fields = append(c.Fields, Change{What: f.Name, Before: f.Format(f.Of(a)), After: f.Format(f.Of(b))})
				}
			}
			list = append(list, c)
		}
	}
	for i := range to.Fixed {
		list = vectorChange(list, fmt.Sprintf("fixed attribute %d", i), from.Fixed[i], to.Fixed[i])
	}
	list = setupChanges(list, "vertex shader", &from.Vertex, &to.Vertex)
	if pica.GeoStage(pica.GeostageMode.Get(&to.Regs)) == pica.GeoStageOn {
		list = setupChanges(list, "geometry shader", &from.Geometry, &to.Geometry)
	}
	before := TablesOf(&from.Tables)
	for i, t := range TablesOf(&to.Tables) {
		n := 0
		for k, w := range t.Words {
			if before[i].Words[k] != w {
				n++
			}
		}
		if n > 0 {
			list = append(list, Change{What: t.Name, After: fmt.Sprintf("%d of %d entries", n, len(t.Words))})
		}
	}
	return list
}

func vectorChange(list []Change, what string, a, b [4]float32) []Change {
	same := true
	for c := range a {
		same = same && math.Float32bits(a[c]) == math.Float32bits(b[c])
	}
	if same {
		return list
	}
	return append(list, Change{What: what, Before: Vector(a), After: Vector(b)})
}

func setupChanges(list []Change, unit string, a, b *shaderunit.Setup) []Change {
	words := 0
	for i := range shaderunit.CodeWords {
		if a.Code(i) != b.Code(i) {
			words++
		}
	}
	descs := 0
	for i := range shaderunit.Descriptors {
		if a.Desc(i) != b.Desc(i) {
			descs++
		}
	}
	if words+descs > 0 {
		list = append(list, Change{What: unit + ": program", After: fmt.Sprintf("%d instructions, %d operand descriptors", words, descs)})
	}
	for i := range b.Float {
		list = vectorChange(list, fmt.Sprintf("%s: c%d", unit, i), a.Float[i], b.Float[i])
	}
	for i := range b.Int {
		if a.Int[i] != b.Int[i] {
			list = append(list, Change{What: fmt.Sprintf("%s: i%d", unit, i), Before: fmt.Sprint(a.Int[i]), After: fmt.Sprint(b.Int[i])})
		}
	}
	for i := range uint8(16) {
		if x, y := a.BoolUniform(i), b.BoolUniform(i); x != y {
			list = append(list, Change{What: fmt.Sprintf("%s: b%d", unit, i), Before: fmt.Sprint(x), After: fmt.Sprint(y)})
		}
	}
	return list
}

// Vector writes a vector as a reader takes it.
func Vector(v [4]float32) string { return fmt.Sprintf("%g, %g, %g, %g", v[0], v[1], v[2], v[3]) }

// Table is a look-up table of the fragment stage, as its registers take it.
type Table struct {
	Name  string
	Words []uint32
	// Value gives an entry as a number from 0 to 1, or -1 to 1; nil for colours.
	Value func(w uint32) float64
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
