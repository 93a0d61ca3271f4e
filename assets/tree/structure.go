package tree

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"unsafe"
)

// Structure is a fixed part of a format according to its documents: a header,
// an entry of a table, or a chunk.
type Structure struct {
	Name   string
	Size   int // in bytes
	Fields []StructureField
}

// StructureField is a field of a structure.
type StructureField struct {
	Name         string
	Offset, Size int // in bytes
	// Values are those of Value.Known or Value.Valid, nil if any value may stand there as far as the field alone says.
	Values []uint32
	Level  Level // of the finding about other values
}

// At returns the offset of a field. The field must exist.
func (s Structure) At(name string) int64 {
	for _, f := range s.Fields {
		if f.Name == name {
			return int64(f.Offset)
		}
	}
	panic(s.Name + " has no field " + name)
}

// Record is a structure whose fields are kept in a T. One function names the
// fields, in the order of the file; it reads, writes, checks and shows them, and
// makes the list of them.
type Record[T any] struct {
	Structure
	fields func(v *T, f *Fields)
}

// Fields is at one structure, whose fields it reads, writes, checks or shows.
type Fields struct {
	mode mode
	data []byte // what is read, or all that was written
	at   int    // of the next field
	list *[]StructureField

	base  int64 // of the structure in the file
	nodes []*Node
	out   *Findings
	what  string // begins each finding
}

// mode is what Fields does with the fields.
type mode uint8

const (
	reading mode = iota
	writing
	showing
	listing
	checking
)

// NewRecord describes a structure. The function must name the same fields for every value.
func NewRecord[T any](name string, fields func(v *T, f *Fields)) Record[T] {
	var v T
	var list []StructureField
	f := Fields{mode: listing, list: &list}
	fields(&v, &f)
	return Record[T]{Structure{name, f.at, list}, fields}
}

// Read reads a structure that b begins with.
func (r Record[T]) Read(b []byte, v *T) { r.fields(v, &Fields{data: b}) }

// Append appends a structure to b.
func (r Record[T]) Append(b []byte, v *T) []byte {
	f := Fields{mode: writing, data: b, at: len(b)}
	r.fields(v, &f)
	return f.data
}

// Nodes shows the fields of a structure at an offset of the file.
func (r Record[T]) Nodes(at int64, v *T) []*Node {
	f := Fields{mode: showing, base: at}
	r.fields(v, &f)
	return f.nodes
}

// Check reports the fields at an offset of the file whose values are not among those of
// Value.Known and Value.Valid. what begins each finding.
func (r Record[T]) Check(out *Findings, at int64, what string, v *T) {
	r.fields(v, &Fields{mode: checking, base: at, out: out, what: what})
}

// Bytes is the size of the structure.
func (r Record[T]) Bytes() int { return r.Size }

// Show reads the structure that b begins with and shows its fields.
func (r Record[T]) Show(at int64, b []byte) []*Node {
	var v T
	r.Read(b, &v)
	return r.Nodes(at, &v)
}

// Node shows a structure at an offset of the file, and more below its fields.
func (r Record[T]) Node(name string, at int64, text string, v *T, more ...*Node) *Node {
	return Group(name, at, int64(r.Size), text, append(r.Nodes(at, v), more...)...)
}

// List shows consecutive structures. title returns the name and the text of one.
func (r Record[T]) List(name string, at int64, list []T, title func(i int, v *T) (name, text string)) *Node {
	size := int64(r.Size)
	return List(name, at, size*int64(len(list)), "", len(list), func(i int) *Node {
		name, text := title(i, &list[i])
		return r.Node(name, at+size*int64(i), text, &list[i])
	})
}

// Reading reports whether the fields are read.
func (f *Fields) Reading() bool { return f.mode == reading }

// next returns the bytes of the next field, nil if it is shown or listed.
func (f *Fields) next(name string, size int) (b []byte) {
	switch f.mode {
	case reading:
		b = f.data[f.at : f.at+size]
	case writing:
		f.data = append(f.data, make([]byte, size)...)
		b = f.data[f.at:]
	case listing:
		*f.list = append(*f.list, StructureField{Name: name, Offset: f.at, Size: size})
	}
	f.at += size
	return b
}

// show adds a node for the last field. text is a format for the value and the
// arguments behind it; without one, the value speaks for itself.
func (f *Fields) show(name string, size int, value, formatted any, text []any) {
	n := Field(name, f.base+int64(f.at-size), int64(size), value, "")
	if len(text) > 0 {
		n.Text = fmt.Sprintf(text[0].(string), append([]any{formatted}, text[1:]...)...)
	} else if s, ok := formatted.(fmt.Stringer); ok {
		n.Text = s.String()
	}
	f.nodes = append(f.nodes, n)
}

// Number is a field that is a number, the lowest byte first. text is a format
// for showing it, and arguments after the number itself; without a format it is
// shown by its name or in hexadecimal.
func Number[T ~uint8 | ~uint16 | ~uint32 | ~int32](f *Fields, name string, p *T, text ...any) Value[T] {
	size := int(unsafe.Sizeof(*p))
	b := f.next(name, size)
	switch f.mode {
	case reading:
		v := uint32(0)
		for i := range b {
			v |= uint32(b[i]) << (8 * i)
		}
		*p = T(v)
	case writing:
		for i := range size {
			b[i] = byte(uint32(*p) >> (8 * i))
		}
	case showing:
		f.show(name, size, [...]any{1: uint8(*p), 2: uint16(*p), 4: uint32(*p)}[size], *p, text)
	}
	return Value[T]{f, name, p}
}

// Value is a number that was just named.
type Value[T ~uint8 | ~uint16 | ~uint32 | ~int32] struct {
	f    *Fields
	name string
	p    *T
}

// Known says that files are known to have these values: others are a note.
func (v Value[T]) Known(values ...T) { v.among(Note, values) }

// Valid says that these values alone have a meaning: others are a problem.
func (v Value[T]) Valid(values ...T) { v.among(Problem, values) }

func (v Value[T]) among(level Level, values []T) {
	switch f := v.f; {
	case f.mode == listing:
		field := &(*f.list)[len(*f.list)-1]
		for _, x := range values {
			field.Values = append(field.Values, uint32(x))
		}
		field.Level = level
	case f.mode == checking && !slices.Contains(values, *v.p):
		text := ""
		for i, x := range values {
			switch {
			case i > 0 && i == len(values)-1:
				text += " or "
			case i > 0:
				text += ", "
			}
			text += number(uint32(x))
			if s, ok := any(x).(fmt.Stringer); ok {
				text += fmt.Sprintf(" (%v)", s)
			}
		}
		at := f.base + int64(f.at) - int64(unsafe.Sizeof(*v.p))
		*f.out = append(*f.out, Finding{level, at, fmt.Sprintf("%s%s: %s, expected %s", f.what, v.name, number(uint32(*v.p)), text)})
	}
}

func number(v uint32) string {
	if v < 10 {
		return fmt.Sprint(v)
	}
	return fmt.Sprintf("0x%X", v)
}

// Bytes is a field of bytes.
func (f *Fields) Bytes(name string, p []byte) {
	switch b := f.next(name, len(p)); f.mode {
	case reading:
		copy(p, b)
	case writing:
		copy(b, p)
	case showing:
		f.show(name, len(p), nil, p, []any{"% x"})
	}
}

// Reserved is words that are kept as they are and not shown.
func (f *Fields) Reserved(name string, p []uint32) {
	b := f.next(name, 4*len(p))
	for i := range p {
		switch f.mode {
		case reading:
			p[i] = binary.LittleEndian.Uint32(b[4*i:])
		case writing:
			binary.LittleEndian.PutUint32(b[4*i:], p[i])
		}
	}
}

// Magic is a field that always has the same letters. Read does not look at them.
func (f *Fields) Magic(letters string) {
	b := f.next("magic", len(letters))
	if f.mode == writing {
		copy(b, letters)
	} else if f.mode == showing {
		f.show("magic", len(letters), strings.TrimRight(letters, "\x00"), nil, nil)
	}
}

// Group is fields that are shown below a node of their own, or, if there are
// none according to there, as a leaf with the text.
func (f *Fields) Group(name, text string, there bool, fields func()) {
	outer, at := f.nodes, f.at
	f.nodes = nil
	fields()
	n := Field(name, f.base+int64(at), int64(f.at-at), nil, text)
	if there {
		n = Group(name, n.Offset, n.Size, text, f.nodes...)
	}
	f.nodes = append(outer, n)
}
