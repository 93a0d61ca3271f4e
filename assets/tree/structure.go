package tree

import (
	"encoding/binary"
	"fmt"
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
// fields, in the order of the file; it reads, writes and shows them, and makes
// the list of them.
type Record[T any] struct {
	Structure
	fields func(v *T, f *Fields)
}

// Fields is at one structure, whose fields it reads, writes or shows.
type Fields struct {
	mode mode
	data []byte // what is read, or all that was written
	at   int    // of the next field
	list *[]StructureField

	base  int64 // of the structure in the file
	nodes []*Node
}

// mode is what Fields does with the fields.
type mode uint8

const (
	reading mode = iota
	writing
	showing
	listing
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
		*f.list = append(*f.list, StructureField{name, f.at, size})
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
func Number[T ~uint8 | ~uint16 | ~uint32 | ~int32](f *Fields, name string, p *T, text ...any) {
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
