package pica

import (
	"fmt"
	"strconv"
	"strings"
)

// Enum names the values of a field.
type Enum struct {
	Name   string // the Go type of the constants: "CullMode"
	Values []EnumValue
}

// EnumValue is one value of an Enum.
type EnumValue struct {
	Value uint32
	Name  string // lower case, unique within the enum: "less_equal"
	Doc   string
}

// Lookup returns the value with the given name.
func (e *Enum) Lookup(name string) (uint32, bool) {
	for _, v := range e.Values {
		if v.Name == name {
			return v.Value, true
		}
	}
	return 0, false
}

// NameOf returns the name of a value.
func (e *Enum) NameOf(value uint32) (string, bool) {
	for _, v := range e.Values {
		if v.Value == value {
			return v.Name, true
		}
	}
	return "", false
}

// Has reports whether a value has a name.
func (e *Enum) Has(value uint32) bool {
	_, ok := e.NameOf(value)
	return ok
}

// Len is one more than the greatest value: the length of a table that the
// values index.
func (e *Enum) Len() int {
	n := 0
	for _, v := range e.Values {
		n = max(n, int(v.Value)+1)
	}
	return n
}

// Format returns the name of a value, or "5?" for a value without one.
func (e *Enum) Format(value uint32) string {
	if name, ok := e.NameOf(value); ok {
		return name
	}
	return strconv.Itoa(int(value)) + "?"
}

// Parse parses the output of Format, and plain numbers. The error lists the
// names.
func (e *Enum) Parse(s string) (uint32, error) {
	if v, ok := e.Lookup(s); ok {
		return v, nil
	}
	if v, err := strconv.ParseUint(strings.TrimSuffix(s, "?"), 0, 32); err == nil {
		return uint32(v), nil
	}
	return 0, fmt.Errorf("%q is not a %s: expected one of %s", s, e.Name, strings.Join(e.Names(), ", "))
}

// Names returns the names of all values, in the order of the table.
func (e *Enum) Names() []string {
	names := make([]string, len(e.Values))
	for i, v := range e.Values {
		names[i] = v.Name
	}
	return names
}

func newEnum(name string, values ...EnumValue) *Enum {
	return &Enum{Name: name, Values: values}
}

// numbered are the rows of n values from first on, whose names end in their number. doc is that of the first.
func numbered[T ~uint8](first T, n int, name, doc string) (rows []EnumValue) {
	for i := range n {
		rows = append(rows, ev(first+T(i), name+strconv.Itoa(i), doc))
		doc = ""
	}
	return rows
}

// ev is one row of an enum table.
func ev[T ~uint8](value T, name, doc string) EnumValue {
	return EnumValue{Value: uint32(value), Name: name, Doc: doc}
}
