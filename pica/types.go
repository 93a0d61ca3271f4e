package pica

// Type is the encoding of a field's value.
type Type uint8

// Floating point types are named by their width, fixed point types by the
// number of integer and fraction bits, with an S in front where the first bit
// is a sign (two's complement).
const (
	TypeUnsigned   Type = iota
	TypeSigned          // two's complement
	TypeBool            // one bit, 1 is true
	TypeEnum            // one of the values of Field.Enum
	TypeBits            // a mask or a raw word
	TypeTrigger         // a write starts something; the value is not kept
	TypeAddress         // physical address / 8
	TypeAddress16       // physical address / 16
	TypeAddress64       // physical address / 64
	TypeUnorm8          // 0..255 for 0.0..1.0
	TypeFloat31         // 1.7.23, the inverse viewport
	TypeFloat24         // 1.7.16
	TypeFloat20         // 1.7.12
	TypeFloat16         // 1.5.10
	TypeFixedS4_8       // 1.4.8, level of detail bias
	TypeFixedS3_12      // 1.3.12, noise amplitude
	TypeFixedS1_11      // 1.1.11, spot direction, fog difference
	TypeFixedS0_11      // 1.0.11, LUT differences
	TypeFixed0_11       // 0.0.11, fog values
	TypeFixed0_12       // 0.0.12, LUT values
	TypeFixed0_24       // 0.0.24, of which the upper 23 bits are stored
	TypeFixed16_8       // 0.16.8, gas depth attenuation
	numTypes
)

type typeInfo struct {
	name  string
	float *FloatFormat
	fixed *FixedFormat
	unit  uint32 // of addresses, in bytes; 0 for others
}

var typeTable = [numTypes]typeInfo{
	TypeUnsigned:   {name: "unsigned"},
	TypeSigned:     {name: "signed"},
	TypeBool:       {name: "bool"},
	TypeEnum:       {name: "enum"},
	TypeBits:       {name: "bits"},
	TypeTrigger:    {name: "trigger"},
	TypeAddress:    {name: "address/8", unit: 8},
	TypeAddress16:  {name: "address/16", unit: 16},
	TypeAddress64:  {name: "address/64", unit: 64},
	TypeUnorm8:     {name: "unorm8"},
	TypeFloat31:    {name: "float1.7.23", float: &Float31},
	TypeFloat24:    {name: "float1.7.16", float: &Float24},
	TypeFloat20:    {name: "float1.7.12", float: &Float20},
	TypeFloat16:    {name: "float1.5.10", float: &Float16},
	TypeFixedS4_8:  {name: "fixed1.4.8", fixed: &FixedS4_8},
	TypeFixedS3_12: {name: "fixed1.3.12", fixed: &FixedS3_12},
	TypeFixedS1_11: {name: "fixed1.1.11", fixed: &FixedS1_11},
	TypeFixedS0_11: {name: "fixed1.0.11", fixed: &FixedS0_11},
	TypeFixed0_11:  {name: "fixed0.0.11", fixed: &Fixed0_11},
	TypeFixed0_12:  {name: "fixed0.0.12", fixed: &Fixed0_12},
	TypeFixed0_24:  {name: "fixed0.0.24, upper 23 bits", fixed: &Fixed0_23},
	TypeFixed16_8:  {name: "fixed0.16.8", fixed: &Fixed16_8},
}

func (t Type) String() string {
	if t < numTypes {
		return typeTable[t].name
	}
	return "invalid"
}

// Unit returns the bytes that a value of 1 stands for in an address; 0 if the
// type is not one of addresses.
func (t Type) Unit() uint32 {
	if t < numTypes {
		return typeTable[t].unit
	}
	return 0
}

// IsReal reports whether values of the type have a fraction.
func (t Type) IsReal() bool {
	return t == TypeUnorm8 || t < numTypes && (typeTable[t].float != nil || typeTable[t].fixed != nil)
}

// Decode returns the number that a raw value of n bits represents.
func (t Type) Decode(raw uint32, n uint8) float32 {
	switch {
	case t >= numTypes:
		return 0
	case typeTable[t].float != nil:
		return typeTable[t].float.Decode(raw)
	case typeTable[t].fixed != nil:
		return typeTable[t].fixed.Decode(raw)
	case t == TypeUnorm8:
		return float32(raw) / 255
	case t == TypeSigned:
		return float32(int32(raw<<(32-n)) >> (32 - n))
	}
	return float32(raw)
}

// Encode returns x as a value n bits wide. Fractions that do not fit are
// truncated toward zero, numbers out of range become the nearest in range, and
// NaN becomes 0 in the types that have none.
func (t Type) Encode(x float32, n uint8) uint32 {
	switch {
	case t >= numTypes:
		return 0
	case typeTable[t].float != nil:
		return typeTable[t].float.Encode(x)
	case typeTable[t].fixed != nil:
		return typeTable[t].fixed.Encode(x)
	case t == TypeUnorm8:
		return uint32(clamp(float64(x*255), 0, 255)) // in float32, so that n/255 gives n
	case t == TypeSigned:
		half := float64(uint64(1) << (n - 1))
		return uint32(int32(clamp(float64(x), -half, half-1))) & (1<<n - 1)
	}
	return uint32(clamp(float64(x), 0, float64(uint64(1)<<n-1)))
}
