package drawstate

import (
	"pica200/frontend/dmp"
	"pica200/pica"
)

// Register is a register that holds state, with what its fields mean.
type Register struct {
	Reg     pica.Reg
	Word    uint32
	Before  uint32 // that of the draw before
	Changed bool   // by this draw: the draw before was given another word
	Fields  []Field
}

// Field is a field of a register.
type Field struct {
	Name    string
	Value   string
	Before  string // where it changed
	Changed bool
	// Uniforms are the dmp_* uniforms that set bits of it.
	Uniforms []string
}

// Decoded lists all registers that hold state, with what has changed since another
// draw; nil for that if there is none.
func (g *Given) Decoded(before *Given) []Register {
	list := make([]Register, 0, 256)
	for reg := range pica.Reg(pica.NumRegs) {
		if !IsState(reg) {
			continue
		}
		r := Register{Reg: reg, Word: g.Regs[reg], Before: g.Regs[reg]}
		if before != nil {
			r.Before = before.Regs[reg]
			r.Changed = r.Before != r.Word
		}
		for _, f := range pica.Registers[reg].Fields {
			one := Field{Name: f.Name, Value: f.Format(f.Of(r.Word)), Uniforms: uniformsOf(f)}
			if f.Of(r.Before) != f.Of(r.Word) {
				one.Changed, one.Before = true, f.Format(f.Of(r.Before))
			}
			r.Fields = append(r.Fields, one)
		}
		list = append(list, r)
	}
	return list
}

// setters are the uniforms that set bits of a register.
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

// uniformsOf are the names of the uniforms that set bits of a field.
func uniformsOf(f pica.Field) (names []string) {
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

// Matrix is a run of vector uniforms of a shader, as rows: of four where the run
// has so many.
type Matrix struct {
	First int // c0 is 0
	Rows  [][4]float32
	Kind  string // what four rows are, as far as numbers tell: identity, affine, perspective
}

// Matrices groups vector uniforms that are not all zero: those that follow each
// other, four at a time.
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

// kindOf tells what four rows are.
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
