package tree

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
	Offset, Size int    // in bytes
	Doc          string // empty if the name is enough
}

// Struct makes a structure.
func Struct(name string, size int, fields ...StructureField) Structure {
	return Structure{Name: name, Size: size, Fields: fields}
}

// At makes a field.
func At(offset, size int, name, doc string) StructureField {
	return StructureField{Name: name, Offset: offset, Size: size, Doc: doc}
}
