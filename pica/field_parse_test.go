package pica

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// Parse reads what Format prints, for many values of every field.
func TestFieldsRoundTripAsText(t *testing.T) {
	for i := range Registers {
		for _, f := range Registers[i].Fields {
			values := []uint32{0, 1, f.Max(), f.Max() / 2, f.Max()/2 + 1, f.Max() / 3}
			for v := range min(f.Max(), 64) {
				values = append(values, v)
			}
			for _, v := range values {
				v &= f.Max()
				if f.Type.IsReal() && (math.IsInf(float64(f.Type.Decode(v, f.Bits)), 0) || math.IsNaN(float64(f.Type.Decode(v, f.Bits)))) {
					continue
				}
				got, err := f.Parse(f.Format(v))
				if _, named := f.name(v); f.Enum != nil && !named {
					continue // "7 (invalid)" is output only
				}
				require.NoError(t, err, "%v: %q", f, f.Format(v))
				if f.Type.IsReal() {
					require.Equal(t, f.Type.Decode(v, f.Bits), f.Type.Decode(got, f.Bits), "%v: %q", f, f.Format(v))
				} else {
					require.Equal(t, v, got, "%v: %q", f, f.Format(v))
				}
			}
		}
	}
}

func (f Field) name(v uint32) (string, bool) {
	if f.Enum == nil {
		return "", false
	}
	return f.Enum.NameOf(v)
}

func TestFieldParseErrors(t *testing.T) {
	for _, c := range []struct {
		f          Field
		text, want string
	}{
		{FacecullingMode, "fromt", `"fromt" is not a value of mode; expected one of none, front, back, none3, or 0 to 3`},
		{FacecullingMode, "4", "or 0 to 3"},
		{FacecullingMode, "", "mode has no value; expected one of"},
		{FacecullingMode, "-1", "or 0 to 3"},
		{DepthTestEnable, "maybe", "expected true or false"},
		{StencilTestRef, "256", "expected 0 to 255"},
		{StencilTestRef, "0x100000000", "expected 0 to 255"},
		{StencilTestRef, "1.5", "expected 0 to 255"},
		{ColorbufferLoc, "0x18000020", "a multiple of 64"},
		{ColorbufferLoc, "0xFFFFFFFFFF", "a multiple of 64"},
		{ViewportWidth, "wide", "expected a number from"},
		{ViewportWidth, "NaN", "expected a number from"},
		{ViewportWidth, "1e30", "expected a number from"},
	} {
		_, err := c.f.Parse(c.text)
		require.ErrorContains(t, err, c.want, "%v: %q", c.f, c.text)
	}
	for text, want := range map[string]uint32{" Front ": 1, "back": 2, "3": 3, "0x2": 2, "0b01": 1} {
		got := testkit.Must(FacecullingMode.Parse(text))(t)
		require.Equal(t, want, got, text)
	}
}

// Expected gives the range of a signed field, and Parse enforces it.
func TestSignedFieldRange(t *testing.T) {
	for bits, want := range map[uint8]string{1: "-1 to 0", 2: "-2 to 1", 8: "-128 to 127", 13: "-4096 to 4095", 32: "-2147483648 to 2147483647"} {
		f := Field{FieldBits: FieldBits{Bits: bits, Type: TypeSigned}, FieldText: &FieldText{}}
		require.Equal(t, want, f.Expected())
		low, high, _ := strings.Cut(want, " to ")
		for _, text := range []string{low, high} {
			_, err := f.Parse(text)
			require.NoError(t, err, text)
		}
		_, err := f.Parse(low + "0")
		require.ErrorContains(t, err, want)
	}
}
