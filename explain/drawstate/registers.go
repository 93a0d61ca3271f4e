package drawstate

import (
	"fmt"

	"pica200/explain/rows"
	"pica200/frontend/dmp"
	"pica200/pica"
)

// stateRow makes a row for a part of the state, with its old value if it
// changed.
func stateRow(label, what, before, after string, changed bool) rows.Row {
	r := rows.New(label, "{after}", "what", what)
	if changed {
		r.Form, r.Mark = "{after}, was {before}", rows.Changed
		r.Add("before", before)
	}
	r.Add("after", after)
	return r
}

// Registers lists all registers that hold state, with their fields; changes
// since another draw are marked. before may be nil.
func (g *Input) Registers(before *Input) []rows.Row {
	if before == nil {
		before = g
	}
	list := make([]rows.Row, 0, 256)
	for reg := range pica.Reg(pica.NumRegs) {
		if !IsState(reg) {
			continue
		}
		was, word := before.Regs[reg], g.Regs[reg]
		r := stateRow("{number|%03X} {what}", reg.String(), fmt.Sprintf("0x%08X", was), fmt.Sprintf("0x%08X", word), was != word)
		r.Add("number", int(reg), "word", word)
		for _, f := range pica.Registers[reg].Fields {
			r.Rows = append(r.Rows, stateRow("{what}", f.Name, f.Format(f.Of(was)), f.Format(f.Of(word)), f.Of(was) != f.Of(word)).In("fields[]"))
		}
		list = append(list, r)
	}
	return list
}

// setters maps a register to the uniforms that set bits of it.
var setters = func() map[pica.Reg][]*dmp.Uniform {
	m := map[pica.Reg][]*dmp.Uniform{}
	for i := range dmp.Uniforms {
		u := &dmp.Uniforms[i]
		seen := map[pica.Reg]bool{}
		for _, f := range u.Fields {
			if !seen[f.Reg] {
				seen[f.Reg] = true
				m[f.Reg] = append(m[f.Reg], u)
			}
		}
	}
	return m
}()

// UniformsOf returns the names of the uniforms that set bits of a field.
func UniformsOf(f pica.Field) (names []string) {
	for _, u := range setters[f.Reg] {
		for _, g := range u.Fields {
			if g.Reg == f.Reg && g.Lo < f.Lo+f.Bits && f.Lo < g.Lo+g.Bits {
				names = append(names, u.Name)
				break
			}
		}
	}
	return names
}

// Matrix is a range of vector uniforms of a shader, as rows; four if possible.
type Matrix struct {
	First int // c0 is 0
	Rows  [][4]float32
	Kind  string // guess from the numbers of four rows: identity, affine, perspective
}

// Matrices groups vector uniforms that are not all zero: consecutive ones, four
// at a time.
func Matrices(u *[96][4]float32) (list []Matrix) {
	for i := 0; i < len(u); {
		if u[i] == [4]float32{} {
			i++
			continue
		}
		m := Matrix{First: i}
		for i < len(u) && len(m.Rows) < 4 && u[i] != [4]float32{} {
			m.Rows = append(m.Rows, u[i])
			i++
		}
		m.Kind = kindOf(m.Rows)
		list = append(list, m)
	}
	return list
}

// kindOf returns the kind of matrix that four rows form.
func kindOf(r [][4]float32) string {
	if len(r) != 4 {
		return ""
	}
	last := r[3]
	switch {
	case r[0] == [4]float32{1, 0, 0, 0} && r[1] == [4]float32{0, 1, 0, 0} && r[2] == [4]float32{0, 0, 1, 0} && last == [4]float32{0, 0, 0, 1}:
		return "identity"
	case last == [4]float32{0, 0, 0, 1}:
		return "affine"
	case last[0] == 0 && last[1] == 0 && (last[2] == 1 || last[2] == -1) && last[3] == 0:
		return "perspective"
	}
	return ""
}
