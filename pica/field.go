package pica

import "fmt"

// Reg is the number of one of the GPU's internal registers, 0x000 to 0x2FF.
type Reg uint16

// NumRegs is the number of internal registers.
const NumRegs = 0x300

// Regs is the register file, indexed by Reg.
type Regs [NumRegs]uint32

// Field is a range of bits in a register. It is small, so that the compiler can
// keep it in processor registers: draws read hundreds of fields.
type Field struct {
	Reg Reg // register; for external registers the low half of the address
	FieldBits
	*FieldText
}

// FieldBits is the position of a field in its register, and its encoding.
type FieldBits struct {
	Lo   uint8 // lowest bit, 0..31
	Bits uint8 // width, 1..32
	Type Type  // encoding of the value
}

// FieldText describes a field. All copies of the field share it; to change it,
// replace it.
type FieldText struct {
	Name string // name within the register: "mode", "rgb source 0"
	Enum *Enum  // names of the values, with TypeEnum only
	Doc  string // meaning, unit, and the source where sources differ
}

// Mask returns the bits of the register word that the field covers.
func (f Field) Mask() uint32 { return (1<<f.Bits - 1) << f.Lo }

// Max returns the greatest value the field holds, as raw bits.
func (f Field) Max() uint32 { return 1<<f.Bits - 1 }

// Of returns the field's bits in a register word, shifted down to bit 0.
func (f Field) Of(word uint32) uint32 { return word >> f.Lo & (1<<f.Bits - 1) }

// Put returns word with the field set to value. Bits of value that do not fit
// are dropped, as on the console.
func (f Field) Put(word, value uint32) uint32 {
	return word&^f.Mask() | value<<f.Lo&f.Mask()
}

// Get returns the field's value in the register file.
func (f Field) Get(r *Regs) uint32 { return f.Of(r[f.Reg]) }

// Set puts value into the field in the register file.
func (f Field) Set(r *Regs, value uint32) { r[f.Reg] = f.Put(r[f.Reg], value) }

// BoolOf reports whether any bit of the field is set in word.
func (f Field) BoolOf(word uint32) bool { return word&f.Mask() != 0 }

// Bool reports whether any bit of the field is set in the register file.
func (f Field) Bool(r *Regs) bool { return f.BoolOf(r[f.Reg]) }

// PutBool returns word with the field set to 1 or 0.
func (f Field) PutBool(word uint32, on bool) uint32 {
	if on {
		return f.Put(word, 1)
	}
	return f.Put(word, 0)
}

// SetBool sets the field in the register file to 1 or 0.
func (f Field) SetBool(r *Regs, on bool) { r[f.Reg] = f.PutBool(r[f.Reg], on) }

// signedOf returns the field's bits in word as a two's complement number.
func (f Field) signedOf(word uint32) int32 {
	return int32(word<<(32-f.Bits-f.Lo)) >> (32 - f.Bits)
}

// Signed returns the field in the register file as a two's complement number.
func (f Field) Signed(r *Regs) int32 { return f.signedOf(r[f.Reg]) }

// FloatOf returns the field's value in word as a number, according to the
// field's type. Integers are converted unchanged; TypeUnorm8 is 0 to 1.
func (f Field) FloatOf(word uint32) float32 { return f.Type.Decode(f.Of(word), f.Bits) }

// Float returns the field's value in the register file as a number.
func (f Field) Float(r *Regs) float32 { return f.FloatOf(r[f.Reg]) }

// PutFloat returns word with the field set to x in the field's number format,
// truncated and clamped to its range.
func (f Field) PutFloat(word uint32, x float32) uint32 {
	return f.Put(word, f.Type.Encode(x, f.Bits))
}

// SetFloat sets the field in the register file to x in the field's number
// format, truncated and clamped to its range.
func (f Field) SetFloat(r *Regs, x float32) { r[f.Reg] = f.PutFloat(r[f.Reg], x) }

// AddrOf returns the physical address that a field of addresses holds; for
// other types the plain value.
func (f Field) AddrOf(word uint32) uint32 { return f.Of(word) * max(f.Type.Unit(), 1) }

// Addr is AddrOf in the register file.
func (f Field) Addr(r *Regs) uint32 { return f.AddrOf(r[f.Reg]) }

// At returns the field of the register that lies offset after the field's
// own: element n of a repeated block is f.At(n * Stride).
func (f Field) At(offset Reg) Field {
	f.Reg += offset
	return f
}

// Format formats a raw value of the field with its name or as a number.
func (f Field) Format(value uint32) string {
	switch {
	case f.Enum != nil:
		return f.Enum.Format(value)
	case f.Type == TypeBool:
		if value != 0 {
			return "true"
		}
		return "false"
	case f.Type == TypeSigned:
		return fmt.Sprint(f.signedOf(value << f.Lo))
	case f.Type.Unit() != 0:
		return fmt.Sprintf("0x%08X", f.AddrOf(value<<f.Lo))
	case f.Type == TypeBits:
		return fmt.Sprintf("0x%0*X", (f.Bits+3)/4, value)
	case f.Type.IsReal():
		return fmt.Sprintf("%g", f.Type.Decode(value, f.Bits))
	}
	return fmt.Sprint(value)
}

// String returns the position of the field: "GPUREG_FACECULLING_CONFIG[1:0]
// mode".
func (f Field) String() string {
	where := fmt.Sprintf("[%d:%d]", f.Lo+f.Bits-1, f.Lo)
	if f.Bits == 1 {
		where = fmt.Sprintf("[%d]", f.Lo)
	}
	return f.Reg.String() + where + " " + f.Name
}

// The constructors below keep the tables short.

func raw(r Reg, name string, lo, n uint8, t Type, doc string) Field {
	return Field{r, FieldBits{lo, n, t}, &FieldText{Name: name, Doc: doc}}
}

func uns(r Reg, name string, lo, n uint8, doc string) Field {
	return raw(r, name, lo, n, TypeUnsigned, doc)
}

func boolean(r Reg, name string, lo uint8, doc string) Field {
	return raw(r, name, lo, 1, TypeBool, doc)
}

func enum(r Reg, name string, lo, n uint8, e *Enum, doc string) Field {
	return Field{r, FieldBits{lo, n, TypeEnum}, &FieldText{name, e, doc}}
}
