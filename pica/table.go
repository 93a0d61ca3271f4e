package pica

import (
	"fmt"
	"strings"
)

// Register is one register of the map.
type Register struct {
	Reg    Reg
	Name   string  // public name: "GPUREG_FACECULLING_CONFIG"
	Doc    string  // what it does; empty for unknown registers
	Fields []Field // from the lowest bit up; empty for unknown registers
}

// Known reports whether anything is known about the register.
func (r *Register) Known() bool { return len(r.Fields) != 0 }

// Mask returns the bits that belong to a field.
func (r *Register) mask() (mask uint32) {
	for _, f := range r.Fields {
		mask |= f.Mask()
	}
	return mask
}

// Registers is the register map, with an entry for each of the registers 0x000
// to 0x2FF. Unknown ones are named GPUREG_0000 and have no fields.
var Registers = buildMap(
	rasterRegisters, textureRegisters, texenvRegisters, fragmentRegisters,
	lightRegisters, geometryRegisters, shaderRegisters,
)

var byName = func() map[string]*Register {
	m := make(map[string]*Register, NumRegs)
	for _, r := range Registers {
		m[r.Name] = r
	}
	return m
}()

// Lookup finds a register by its public name, with or without GPUREG_, in
// upper or lower case.
func Lookup(name string) (*Register, bool) {
	name = strings.ToUpper(name)
	if !strings.HasPrefix(name, "GPUREG_") {
		name = "GPUREG_" + name
	}
	r, ok := byName[name]
	return r, ok
}

// String returns the register's public name.
func (r Reg) String() string {
	if r < NumRegs {
		return Registers[r].Name
	}
	return fmt.Sprintf("GPUREG_%04X", uint16(r))
}

// Decode formats a register word with names: "GPUREG_FACECULLING_CONFIG
// mode=back". Set bits outside of all fields follow in hexadecimal.
func Decode(r Reg, word uint32) string {
	if r >= NumRegs {
		return fmt.Sprintf("%v 0x%08X", r, word)
	}
	return Registers[r].decode(word)
}

// Decode prints a word of the register with names.
func (r *Register) decode(word uint32) string { return decode(r.Name, r.Fields, r.mask(), word) }

func decode(name string, fields []Field, mask, word uint32) string {
	var b strings.Builder
	b.WriteString(name)
	if len(fields) == 0 {
		fmt.Fprintf(&b, " 0x%08X", word)
		return b.String()
	}
	for _, f := range fields {
		fmt.Fprintf(&b, " %s=%s", strings.ReplaceAll(f.Name, " ", "_"), f.Format(f.Of(word)))
	}
	if rest := word &^ mask; rest != 0 {
		fmt.Fprintf(&b, " rest=0x%08X", rest)
	}
	return b.String()
}

// The functions below expand a row of the tables to registers.

func register(r Reg, name, doc string, fields ...Field) []*Register {
	return []*Register{{Reg: r, Name: "GPUREG_" + name, Doc: doc, Fields: fields}}
}

// repeated makes n registers, numbered from first; name has a %d for the number.
func repeated(r Reg, name string, first, n int, stride Reg, doc string, fields ...Field) (rs []*Register) {
	for i := range n {
		rs = append(rs, copyAt(r, Reg(i)*stride, fmt.Sprintf(name, first+i), doc, fields))
	}
	return rs
}

func texunits(r Reg, name, doc string, fields ...Field) (rs []*Register) {
	for i := range 3 {
		n := fmt.Sprintf("TEXUNIT%d_%s", i, name)
		if name == "ADDR" && i == 0 {
			n += "1" // unit 0 has six
		}
		rs = append(rs, copyAt(r, TexunitOffset(i), n, doc, fields))
	}
	return rs
}

func texunitTypes(doc string, format Field) (rs []*Register) {
	for i, r := range []Reg{RegTexunit0Type, RegTexunit1Type, RegTexunit2Type} {
		rs = append(rs, copyAt(RegTexunit0Type, r-RegTexunit0Type, fmt.Sprintf("TEXUNIT%d_TYPE", i), doc, []Field{format}))
	}
	return rs
}

func texenvs(r Reg, name, doc string, fields ...Field) (rs []*Register) {
	for i := range NumTexenvs {
		rs = append(rs, copyAt(r, TexenvOffset(i), fmt.Sprintf("TEXENV%d_%s", i, name), doc, fields))
	}
	return rs
}

// shaderUnits makes n registers, one after the other, for each of the shaders.
func shaderUnits(r Reg, name string, n int, doc string, fields ...Field) (rs []*Register) {
	for _, unit := range []struct {
		name   string
		offset Reg
	}{{"GSH_", OffsetGsh}, {"VSH_", OffsetVsh}} {
		for i := range n {
			numbered := unit.name + name
			if strings.Contains(name, "%d") {
				numbered = fmt.Sprintf(numbered, i)
			}
			rs = append(rs, copyAt(r, unit.offset+Reg(i), numbered, doc, fields))
		}
	}
	return rs
}

func copyAt(r, offset Reg, name, doc string, fields []Field) *Register {
	moved := make([]Field, len(fields))
	for i, f := range fields {
		moved[i] = f.At(offset)
	}
	return register(r+offset, name, doc, moved...)[0]
}

func join(rows ...[]*Register) (rs []*Register) {
	for _, row := range rows {
		rs = append(rs, row...)
	}
	return rs
}

func buildMap(groups ...[]*Register) (m [NumRegs]*Register) {
	for _, r := range join(groups...) {
		if m[r.Reg] != nil {
			panic(fmt.Sprintf("register 0x%03X is twice in the table: %s and %s", uint16(r.Reg), m[r.Reg].Name, r.Name))
		}
		for _, f := range r.Fields {
			if f.Reg != r.Reg {
				panic(fmt.Sprintf("field %q of register 0x%03X says it is of 0x%03X", f.Name, uint16(r.Reg), uint16(f.Reg)))
			}
		}
		m[r.Reg] = r
	}
	for i := range m {
		if m[i] == nil {
			m[i] = &Register{Reg: Reg(i), Name: fmt.Sprintf("GPUREG_%04X", i)}
		}
	}
	return m
}
