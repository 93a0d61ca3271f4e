package tree

import "unsafe"

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

// Record is a structure whose fields are kept in a T. One function names the fields, in the
// order of the file; it reads and writes them, and makes the list of them.
type Record[T any] struct {
	Structure
	fields func(v *T, f *Fields)
}

// Fields is at one structure, whose fields it reads or writes.
type Fields struct {
	data    []byte // what is read, or all that was written
	at      int    // of the next field
	writing bool
	list    *[]StructureField // nil: not asked for
}

// NewRecord describes a structure. The function must name the same fields for every value.
func NewRecord[T any](name string, fields func(v *T, f *Fields)) Record[T] {
	var v T
	var list []StructureField
	f := Fields{writing: true, list: &list}
	fields(&v, &f)
	return Record[T]{Structure{name, f.at, list}, fields}
}

// Read reads a structure that b begins with.
func (r Record[T]) Read(b []byte, v *T) { r.fields(v, &Fields{data: b}) }

// Append appends a structure to b.
func (r Record[T]) Append(b []byte, v *T) []byte {
	f := Fields{data: b, at: len(b), writing: true}
	r.fields(v, &f)
	return f.data
}

// Reading reports whether the fields are read.
func (f *Fields) Reading() bool { return !f.writing }

// next returns the bytes of the next field.
func (f *Fields) next(name string, size int) []byte {
	if f.list != nil {
		*f.list = append(*f.list, StructureField{name, f.at, size})
	}
	if f.writing {
		f.data = append(f.data, make([]byte, size)...)
	}
	f.at += size
	return f.data[f.at-size : f.at]
}

// Number is a field that is a number, the lowest byte first.
func Number[T ~uint8 | ~uint16 | ~uint32 | ~int32](f *Fields, name string, p *T) {
	b := f.next(name, int(unsafe.Sizeof(*p)))
	if f.writing {
		for i := range b {
			b[i] = byte(uint32(*p) >> (8 * i))
		}
		return
	}
	v := uint32(0)
	for i := range b {
		v |= uint32(b[i]) << (8 * i)
	}
	*p = T(v)
}

// Bytes is a field of bytes.
func (f *Fields) Bytes(name string, p []byte) {
	if b := f.next(name, len(p)); f.writing {
		copy(b, p)
	} else {
		copy(p, b)
	}
}

// Magic is a field that always has the same letters. Read does not look at them.
func (f *Fields) Magic(letters string) {
	if b := f.next("magic", len(letters)); f.writing {
		copy(b, letters)
	}
}
