package dmp

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"pica200/pica"
)

// State holds the value of every uniform and writes it to a register file.
// Make one with New.
type State struct {
	// Regs is the register file that uniforms are written to. Bits of no uniform
	// keep the caller's values.
	Regs *pica.Regs

	values [NumUniforms][4]float32
	units  [NumTables][]float32
	own    map[Location][]float32
	dirty  [numUploads]bool

	depthNear, depthFar, depthOffset float32

	sent      pica.Regs
	sentValid bool
}

// New returns the state after context creation, and writes it to r: the
// defaults of the table, and the constants that programs put into the unknown
// bits of the registers that uniforms share.
func New(r *pica.Regs) *State {
	s := &State{Regs: r, own: map[Location][]float32{}, depthFar: 1}
	for _, c := range []struct {
		f pica.Field
		v uint32
	}{
		{pica.TexunitOne, 1}, {pica.ColorOperationConst, 0x0E4},
		{pica.LightingConst4, 4}, {pica.LightingConst1, 1}, {pica.LightingConst18, 1},
		{pica.ProctexLodMin, 0}, {pica.ProctexLodMax, 6},
		{pica.ProctexOffset1, 0x80}, {pica.ProctexOffset2, 0xC0}, {pica.ProctexOffset3, 0xE0},
	} {
		c.f.Set(r, c.v)
	}
	for i := range Uniforms {
		copy(s.values[i][:], Uniforms[i].Default)
	}
	for i := range Uniforms {
		Uniforms[i].encode(s, &Uniforms[i])
	}
	return s
}

// SetDepthRange sets near and far of the depth range and the polygon offset.
// They share registers with dmp_FragOperation.wScale.
func (s *State) SetDepthRange(near, far, offset float32) {
	s.depthNear, s.depthFar, s.depthOffset = near, far, offset
	encodeDepth(s, nil)
}

// Set sets the uniform with this name: to bools, numbers, names of symbols,
// values of the register table's enumerations (pica.FogModeGas), a slice of
// these or a vector of mathgl, as many as the type has components. A number for an enumerated uniform is the GL number of a symbol, or the
// register value. A sampler takes the number of a table unit; SetTable sets a
// table directly.
func (s *State) Set(name string, values ...any) error {
	loc, err := Locate(name)
	if err != nil {
		return err
	}
	return s.SetAt(loc, values...)
}

// SetAll sets several uniforms with one value each: Location, value, Location,
// value. It stops at the first error.
func (s *State) SetAll(pairs ...any) error {
	for i := 0; i+1 < len(pairs); i += 2 {
		loc, ok := pairs[i].(Location)
		if !ok {
			return fmt.Errorf("%v, argument %d, is a %T; expected a Location", pairs[i], i, pairs[i])
		}
		if err := s.SetAt(loc, pairs[i+1]); err != nil {
			return err
		}
	}
	return nil
}

// Reset sets all uniforms, but not the tables, to their values after context
// creation.
func (s *State) Reset() {
	for i := range Uniforms {
		if u := &Uniforms[i]; u.Type != Sampler1D {
			s.values[i] = [4]float32{}
			copy(s.values[i][:], u.Default)
		}
	}
	for i := range Uniforms {
		if u := &Uniforms[i]; u.Type != Sampler1D {
			u.encode(s, u)
		}
	}
}

// SetAt is Set by ID.
func (s *State) SetAt(loc Location, values ...any) error {
	if loc >= NumUniforms {
		return fmt.Errorf("%v: the IDs end at 0x%03X", loc, NumUniforms-1)
	}
	u := &Uniforms[loc]
	values = flatten(values)
	if len(values) != u.Type.components() {
		return fmt.Errorf("%s: got %d values, %v takes %d", u.Name, len(values), u.Type, u.Type.components())
	}
	var v [4]float32
	for k, x := range values {
		n, err := u.number(x)
		if err != nil {
			if len(values) > 1 {
				return fmt.Errorf("%s, component %d: %w", u.Name, k, err)
			}
			return fmt.Errorf("%s: %w", u.Name, err)
		}
		v[k] = n
	}
	s.values[loc] = v
	u.encode(s, u)
	return nil
}

// Uniformf sets a uniform to floats, as glUniform1f to glUniform4f do.
func (s *State) Uniformf(loc Location, v ...float32) error { return s.SetAt(loc, v) }

// Uniformi sets a uniform to integers, as glUniform1i to glUniform4i do.
func (s *State) Uniformi(loc Location, v ...int32) error { return s.SetAt(loc, v) }

// Get returns the value of the uniform with this name, in the form that Set
// takes: bools, names of symbols, integers or float32s, one for each component.
func (s *State) Get(name string) ([]any, error) {
	loc, err := Locate(name)
	if err != nil {
		return nil, err
	}
	u := &Uniforms[loc]
	switch {
	case u.Type == Bool:
		return []any{s.Bool(loc)}, nil
	case u.Symbols != nil:
		return toAny(s.Names(loc)), nil
	case u.Type.isFloat():
		return toAny(s.Floats(loc)), nil
	}
	return toAny(s.Ints(loc)), nil
}

// Floats returns the value of a uniform as floats; nil for an ID that does not
// exist.
func (s *State) Floats(loc Location) []float32 {
	if loc >= NumUniforms {
		return nil
	}
	v := make([]float32, Uniforms[loc].Type.components())
	copy(v, s.values[loc][:])
	return v
}

// Ints returns the value of a uniform as integers, of enumerated ones as
// Symbol.Number; nil for an ID that does not exist.
func (s *State) Ints(loc Location) []int32 {
	floats := s.Floats(loc)
	v := make([]int32, len(floats))
	for k := range v {
		v[k] = int32(floats[k])
	}
	return v
}

// Has reports whether a component of the uniform has this value, in one of the
// forms that Set takes.
func (s *State) Has(loc Location, value any) bool {
	if loc >= NumUniforms {
		return false
	}
	u := &Uniforms[loc]
	v, err := u.number(value)
	return err == nil && slices.Contains(s.values[loc][:u.Type.components()], v)
}

// Bool returns the value of a uniform of type Bool.
func (s *State) Bool(loc Location) bool { return loc < NumUniforms && s.values[loc][0] != 0 }

// Names returns the value of an enumerated uniform as names of symbols; nil for
// others.
func (s *State) Names(loc Location) []string {
	if loc >= NumUniforms || Uniforms[loc].Symbols == nil {
		return nil
	}
	u := &Uniforms[loc]
	names := make([]string, u.Type.components())
	for k := range names {
		sym, _ := findNumber(u.Symbols, int64(s.values[loc][k]))
		names[k] = sym.String()
	}
	return names
}

// number checks one component and returns it as it is stored.
func (u *Uniform) number(x any) (float32, error) {
	if e, ok := x.(fmt.Stringer); ok && u.Symbols != nil {
		x = e.String()
	}
	if name, ok := x.(string); ok {
		if u.Symbols == nil {
			return 0, fmt.Errorf("got the name %q, expected %s", clip(name, 80), u.Values())
		}
		sym, ok := findName(u.Symbols, name)
		if !ok {
			return 0, fmt.Errorf("%q is none of its values: expected one of %s", clip(name, 80), u.Values())
		}
		return float32(sym.Number()), nil
	}
	if b, ok := x.(bool); ok {
		if u.Type != Bool {
			return 0, fmt.Errorf("got %v, expected %s", b, u.Values())
		}
		if b {
			return 1, nil
		}
		return 0, nil
	}
	v, ok := toFloat(x)
	switch {
	case !ok:
		return 0, fmt.Errorf("got a %T, expected %s", x, u.Values())
	case math.IsNaN(v) || math.IsInf(v, 0) || math.IsInf(float64(float32(v)), 0):
		return 0, fmt.Errorf("got %v, expected %s", v, u.Values())
	case !u.Type.isFloat() && v != math.Trunc(v):
		return 0, fmt.Errorf("got %v, expected a whole number: %s", v, u.Values())
	case u.Symbols != nil:
		sym, ok := findNumber(u.Symbols, int64(v))
		if !ok {
			return 0, fmt.Errorf("0x%04X is none of its values: expected one of %s", int64(v), u.Values())
		}
		return float32(sym.Number()), nil
	case u.Steps != nil:
		for _, step := range u.Steps {
			if float64(step.Value) == v {
				return step.Value, nil
			}
		}
		return 0, fmt.Errorf("got %v, expected one of %s", v, u.Values())
	case u.Type == Bool && v != 0 && v != 1:
		return 0, fmt.Errorf("got %v, expected %s", v, u.Values())
	case u.Min != u.Max && (float32(v) < u.Min || float32(v) > u.Max):
		return 0, fmt.Errorf("%v is out of range: expected %s", v, u.Values())
	}
	return float32(v), nil
}

func toFloat(x any) (float64, bool) {
	switch v := reflect.ValueOf(x); {
	case v.CanFloat():
		return v.Float(), true
	case v.CanInt():
		return float64(v.Int()), true
	case v.CanUint():
		return float64(v.Uint()), true
	}
	return 0, false
}

// flatten replaces a single slice or vector by its elements.
func flatten(values []any) []any {
	if len(values) != 1 {
		return values
	}
	v := reflect.ValueOf(values[0])
	if v.Kind() != reflect.Slice && v.Kind() != reflect.Array {
		return values
	}
	out := make([]any, v.Len())
	for i := range out {
		out[i] = v.Index(i).Interface()
	}
	return out
}

func toAny[T any](v []T) []any {
	out := make([]any, len(v))
	for i, x := range v {
		out[i] = x
	}
	return out
}
