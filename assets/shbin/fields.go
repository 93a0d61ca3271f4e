package shbin

// Field is a field of one of the structures, as the documents give it.
type Field struct {
	Name         string
	Offset, Size int // in bytes; an array of words has the size of one
	Doc          string
}

// Structure is a header or the entry of a table.
type Structure struct {
	Name   string
	Size   int
	Fields []Field
}

// Structures lists every structure of DVLB and DVOJ with all of its bytes.
func Structures() []Structure { return structures }

var structures = []Structure{
	{"DVLB", dvlbHeader + 4, []Field{
		{"magic", 0, 4, "DVLB"},
		{"executables", 4, 4, "number of DVLEs"},
		{"executable offset", 8, 4, "one for each DVLE, from the start of the DVLB; the DVLP follows"},
	}},
	{"DVLP", dvlpHeader, []Field{
		{"magic", 0, 4, "DVLP"},
		{"version", 4, 4, "0 from picasso, 0x0C02 in the documents"},
		{"code offset", 8, 4, "from the start of the DVLP, as all offsets of it"},
		{"code words", 0xC, 4, "instructions, at most 4096"},
		{"descriptor offset", 0x10, 4, ""},
		{"descriptors", 0x14, 4, "at most 128"},
		{"line offset", 0x18, 4, "where there are no lines, the end of the descriptors or the offset of the names"},
		{"lines", 0x1C, 4, "one for each instruction, or none"},
		{"name offset", 0x20, 4, "of the names of sources"},
		{"name bytes", 0x24, 4, ""},
	}},
	{"DVLE", dvleHeader, append([]Field{
		{"magic", 0, 4, "DVLE"},
		{"version", 4, 2, "0x1002 from picasso, 0x0C02 in the documents"},
		{"type", 6, 1, "0 vertex shader, 1 geometry shader"},
		{"merge", 7, 1, "1: a geometry shader's output map is merged with the vertex shader's"},
		{"main", 8, 4, "first instruction"},
		{"end of main", 0xC, 4, "the instruction behind the entry procedure"},
		{"input mask", 0x10, 2, "bit n: v(n) is used"},
		{"output mask", 0x12, 2, "bit n: o(n) is used"},
	}, geometryFields(0x14, []Field{
		{"constant offset", 0x18, 4, "from the start of the DVLE, as all offsets of it"}, {"constants", 0x1C, 4, ""},
		{"label offset", 0x20, 4, ""}, {"labels", 0x24, 4, ""},
		{"output offset", 0x28, 4, ""}, {"outputs", 0x2C, 4, ""},
		{"uniform offset", 0x30, 4, ""}, {"uniforms", 0x34, 4, "inputs among them"},
		{"symbol offset", 0x38, 4, ""}, {"symbol bytes", 0x3C, 4, ""},
	})...)},
	{"DVOJ", dvojHeader, append([]Field{
		{"magic", 0, 4, "DVOJ"},
		{"version", 4, 2, "as in the DVLE"},
		{"type", 6, 1, "as in the DVLE"},
		{"merge", 7, 1, "as in the DVLE"},
		{"input mask", 8, 2, "as in the DVLE"},
		{"output mask", 0xA, 2, "as in the DVLE"},
	}, geometryFields(0xC, []Field{
		{"constant offset", 0x10, 4, "from the start of the DVOJ, as all offsets"}, {"constants", 0x14, 4, ""},
		{"label offset", 0x18, 4, ""}, {"labels", 0x1C, 4, ""},
		{"code offset", 0x20, 4, ""}, {"code words", 0x24, 4, ""},
		{"descriptor offset", 0x28, 4, ""}, {"descriptors", 0x2C, 4, ""},
		{"line offset", 0x30, 4, ""}, {"lines", 0x34, 4, "one for each instruction, or none"},
		{"relocation offset", 0x38, 4, ""}, {"relocations", 0x3C, 4, "one for each instruction with operands"},
		{"output offset", 0x40, 4, ""}, {"outputs", 0x44, 4, ""},
		{"uniform offset", 0x48, 4, ""}, {"uniforms", 0x4C, 4, ""},
		{"symbol offset", 0x50, 4, ""}, {"symbol bytes", 0x54, 4, ""},
	})...)},
	{"code", 4, []Field{{"word", 0, 4, "an instruction"}}},
	{"descriptor", descBytes, []Field{
		{"word", 0, 4, "an operand descriptor"},
		{"flags", 4, 4, "0x0F, 0x07 or 0x03 in the documents, 0 from picasso"},
	}},
	{"constant", constantBytes, []Field{
		{"type", 0, 1, "0 bool, 1 int, 2 float"},
		{"unused 1", 1, 1, ""},
		{"register", 2, 1, "b0-b15, i0-i3 or c0-c95"},
		{"unused 3", 3, 1, ""},
		{"x", 4, 4, "a bool in the first byte, four bytes x, y, z, w of an int, or a float24"},
		{"y", 8, 4, "float24"},
		{"z", 0xC, 4, "float24"},
		{"w", 0x10, 4, "float24"},
	}},
	{"label", labelBytes, []Field{
		{"number", 0, 2, "increasing from 0"},
		{"unknown", 2, 2, "1"},
		{"address", 4, 4, "instruction"},
		{"size", 8, 4, "instructions, or 0xFFFFFFFF for none"},
		{"name", 0xC, 4, "offset in the symbols"},
	}},
	{"output", outputBytes, []Field{
		{"type", 0, 2, "meaning"},
		{"register", 2, 2, "o0-o15"},
		{"mask", 4, 2, "bit 0: x"},
		{"unknown", 6, 2, "the same in a whole DVLE"},
	}},
	{"uniform", uniformBytes, []Field{
		{"name", 0, 4, "offset in the symbols"},
		{"first", 4, 2, "register"},
		{"last", 6, 2, "register"},
	}},
	{"line", lineBytes, []Field{
		{"file name", 0, 4, "offset in the symbols"},
		{"line", 4, 4, "from 1"},
	}},
	{"relocation", relocBytes, []Field{
		{"instruction", 0, 4, ""},
		{"kind", 4, 4, "0 descriptor, 1 address, 2 call, 3 none; this project's own reading"},
		{"value", 8, 4, "by kind"},
	}},
}

// geometryFields gives the four bytes of a geometry shader at a place, then rest.
func geometryFields(at int, rest []Field) []Field {
	return append([]Field{
		{"geometry mode", at, 1, "0 point, 1 variable, 2 fixed"},
		{"fixed start", at + 1, 1, "fixed mode: first float uniform of the vertices"},
		{"variable vertices", at + 2, 1, "variable mode: vertices that are fully defined"},
		{"fixed vertices", at + 3, 1, "fixed mode: vertices of a primitive"},
	}, rest...)
}
