package mbs

import "pica200/assets/tree"

// Structures lists the fixed part of every chunk with all of its bytes; that of any
// chunk is its header.
func Structures() []tree.Structure { return structures }

// symbolFields are the fields of a symbol that uniforms, varyings and attributes have.
var symbolFields = []tree.StructureField{
	tree.At(0, 1, "unknown", "0; 2 from ARM's compiler"),
	tree.At(1, 1, "type", "1 float, 2 int, 3 bool, 4 matrix, 5 sampler2D, 6 samplerCube, 8 struct, 9 samplerExternalOES"),
	tree.At(2, 2, "component count", "components, columns, members or dimensions"),
	tree.At(4, 2, "component size", "floats of an element, or of a column of a matrix"),
	tree.At(6, 2, "entry count", "elements of an array, 0 for none"),
	tree.At(8, 2, "source stride", "floats from one element to the next"),
	tree.At(10, 1, "destination stride", "16; 24 for varyings that only feed a texture fetch"),
	tree.At(11, 1, "precision", "1 lowp, 2 mediump, 3 highp"),
}

func with(fields []tree.StructureField, more ...tree.StructureField) []tree.StructureField {
	return append(fields[:len(fields):len(fields)], more...)
}

var structures = []tree.Structure{
	tree.Struct("chunk", 8, tree.At(0, 4, "ident", ""), tree.At(4, 4, "size", "of what follows these 8 bytes")),
	tree.Struct("CVER", 4, tree.At(0, 4, "version", "2 Mali GP2, 6 Mali-400 GP")),
	tree.Struct("CFRA", 4, tree.At(0, 4, "version", "5 Mali-200, 7 Mali-400 PP")),
	tree.Struct("FINS", 12,
		tree.At(0, 4, "unknown", "0"),
		tree.At(4, 4, "instructions", "of the code"),
		tree.At(8, 4, "attribute prefetch", "1 + the last instruction that reads an attribute"),
	),
	tree.Struct("FSTA", 8, tree.At(0, 4, "stack size", ""), tree.At(4, 4, "stack offset", "")),
	tree.Struct("FDIS", 4, tree.At(0, 4, "discard", "1 if the code discards")),
	tree.Struct("FBUU", 8,
		tree.At(0, 1, "reads color", ""), tree.At(1, 1, "writes color", ""),
		tree.At(2, 1, "reads depth", ""), tree.At(3, 1, "writes depth", ""),
		tree.At(4, 1, "reads stencil", ""), tree.At(5, 1, "writes stencil", ""),
		tree.At(6, 1, "unknown 0", ""), tree.At(7, 1, "unknown 1", ""),
	),
	tree.Struct("SUNI", 8,
		tree.At(0, 4, "count", "symbols"), tree.At(4, 4, "space", "floats; not in the seed"),
	),
	tree.Struct("SVAR", 4, tree.At(0, 4, "count", "symbols")),
	tree.Struct("SATT", 4, tree.At(0, 4, "count", "symbols")),
	tree.Struct("symbol", 20, with(symbolFields,
		tree.At(12, 4, "invariant", "0 or 1"),
		tree.At(16, 2, "offset", "in floats; 0xFFFF for varyings that are not written"),
		tree.At(18, 2, "index", "of the struct it is a member of, or 0xFFFF"))...),
	tree.Struct("attribute symbol", 16, with(symbolFields,
		tree.At(12, 2, "invariant", "0 or 1"),
		tree.At(14, 2, "offset", "in floats"))...),
	tree.Struct("ITDR", 4, tree.At(0, 4, "reference", "-1 for none")),
	tree.Struct("IYUV", 4, tree.At(0, 4, "reference", "-1 for none")),
	tree.Struct("IGRD", 4, tree.At(0, 4, "reference", "-1 for none; 0 or 1 for samplers")),
	tree.Struct("VINI", 4, tree.At(0, 4, "count", "values")),
}
