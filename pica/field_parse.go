package pica

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Expected describes the values of a field: names, or a range.
func (f Field) Expected() string {
	switch {
	case f.Enum != nil:
		var names []string
		for _, v := range f.Enum.Values {
			names = append(names, v.Name)
		}
		return "one of " + strings.Join(names, ", ") + fmt.Sprintf(", or 0 to %d", f.Max())
	case f.Type == TypeBool:
		return "true or false"
	case f.Type == TypeSigned:
		half := int64(1) << (f.Bits - 1)
		return fmt.Sprintf("%d to %d", -half, half-1)
	case f.Type.Unit() != 0:
		return fmt.Sprintf("an address that is a multiple of %d, up to 0x%08X", f.Type.Unit(), f.AddrOf(f.Mask()))
	case f.Type == TypeBits:
		return fmt.Sprintf("0 to 0x%X", f.Max())
	case f.Type.IsReal():
		low, high := f.reals()
		return fmt.Sprintf("a number from %g to %g", low, high)
	}
	return fmt.Sprintf("0 to %d", f.Max())
}

// reals returns the least and the greatest number of a field with a fraction.
func (f Field) reals() (low, high float32) {
	if f.Type == TypeUnorm8 { // some have more bits than are used
		return 0, f.Type.Decode(f.Max(), f.Bits)
	}
	end := func(x float32) float32 {
		for {
			if got := f.Type.Decode(f.Type.Encode(x, f.Bits), f.Bits); !math.IsInf(float64(got), 0) {
				return got
			}
			x /= 2 // the greatest mantissa with a lesser exponent
		}
	}
	return end(-math.MaxFloat32), end(math.MaxFloat32)
}

// Parse parses a value as a person writes it: the output of Format, or a number
// in Go's notations. The error says what was expected.
func (f Field) Parse(text string) (uint32, error) {
	text = strings.TrimSpace(text)
	wrong := func() (uint32, error) {
		if text == "" {
			return 0, fmt.Errorf("%s has no value; expected %s", f.Name, f.Expected())
		}
		return 0, fmt.Errorf("%q is not a value of %s; expected %s", text, f.Name, f.Expected())
	}
	whole := func(limit uint64) (uint32, error) {
		n, err := strconv.ParseUint(text, 0, 64)
		if err != nil || n > limit {
			return wrong()
		}
		return uint32(n), nil
	}
	switch {
	case f.Enum != nil:
		if v, ok := f.Enum.Lookup(strings.ToLower(text)); ok {
			return v, nil
		}
	case f.Type == TypeBool:
		switch strings.ToLower(text) {
		case "true", "1":
			return 1, nil
		case "false", "0":
			return 0, nil
		}
		return wrong()
	case f.Type == TypeSigned:
		n, err := strconv.ParseInt(text, 0, 64)
		if half := int64(1) << (f.Bits - 1); err != nil || n < -half || n >= half {
			return wrong()
		}
		return uint32(n) & f.Max(), nil
	case f.Type.Unit() != 0:
		n, err := whole(math.MaxUint32)
		if err != nil {
			return 0, err
		}
		raw := n / f.Type.Unit()
		if raw > f.Max() || f.AddrOf(raw<<f.Lo) != n {
			return wrong()
		}
		return raw, nil
	case f.Type.IsReal():
		x, err := strconv.ParseFloat(text, 64)
		if low, high := f.reals(); err != nil || math.IsNaN(x) || float32(x) < low || float32(x) > high {
			return wrong()
		}
		if f.Type == TypeUnorm8 {
			return uint32(float32(float32(x)*255) + 0.5), nil
		}
		return f.Type.Encode(float32(x), f.Bits), nil
	}
	return whole(uint64(f.Max()))
}
