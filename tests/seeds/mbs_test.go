package seeds

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/mbs"
	"pica200/assets/tree"
	"pica200/explain/inspect"
	"pica200/tests/testkit"
)

// mali is an MBS1 with a fragment and a vertex shader, in the layout of real files.
var mali = sample[*mbs.File]{parse: mbs.Parse, write: func(f *mbs.File) ([]byte, error) { return f.Encode(), nil }, pieces: []piece{
	{"file.header", "MBS1", "4D425331 E8010000", "Shaders.len", 2, 0},
	{"chunk.ident", "four letters", "43465241", "Root.Items.0.Chunk.Ident", "CFRA", 0},
	{"chunk.size", "the size of what follows the 8 bytes of the header", "F8000000", "Root.Items.0.Chunk.Size", 0xf8, 0},
	{"frag.version", "5 Mali-200, 7 Mali-400 PP", "07000000", "Shaders.0.Version.String", "Mali-400 PP", 0},

	{"frag_sta.header", "FSTA", "46535441 08000000", "Shaders.0.StackSize", 0x1234, 0},
	{"frag_sta.stacksize", "size of the stack", "34120000", "Shaders.0.StackSize", 0x1234, 0},
	{"frag_sta.stackofs", "where it starts", "78560000", "Shaders.0.StackOffset", 0x5678, 0},
	{"frag_dis.header", "FDIS", "46444953 04000000", "Shaders.0.Discards", 0x11, 0},
	{"frag_dis.discard", "1 if the code discards", "11000000", "Shaders.0.Discards", 0x11, 0},
	{"frag_buu.header", "FBUU", "46425555 08000000", "Shaders.0.FrameBuffer.ReadsColor", 0x21, 0},
	{"frag_buu.reads_color", "reads gl_FBColor", "21", "Shaders.0.FrameBuffer.ReadsColor", 0x21, 0},
	{"frag_buu.writes_color", "writes gl_FragColor", "22", "Shaders.0.FrameBuffer.WritesColor", 0x22, 0},
	{"frag_buu.reads_depth", "reads gl_FBDepth", "23", "Shaders.0.FrameBuffer.ReadsDepth", 0x23, 0},
	{"frag_buu.writes_depth", "perhaps writes depth, which GLES2 cannot", "24", "Shaders.0.FrameBuffer.WritesDepth", 0x24, 0},
	{"frag_buu.reads_stencil", "reads gl_FBStencil", "25", "Shaders.0.FrameBuffer.ReadsStencil", 0x25, 0},
	{"frag_buu.writes_stencil", "perhaps writes stencil, which GLES2 cannot", "26", "Shaders.0.FrameBuffer.WritesStencil", 0x26, 0},
	{"frag_buu.unknown_0", "unknown", "27", "Shaders.0.FrameBuffer.Unknown.0", 0x27, 0},
	{"frag_buu.unknown_1", "unknown", "28", "Shaders.0.FrameBuffer.Unknown.1", 0x28, 0},

	{"table.header", "SUNI, SVAR or SATT", "53554E49 74000000", "Shaders.0.Uniforms.Storage", mbs.PPUniform, 0},
	{"table.count", "number of symbols", "02000000", "Shaders.0.Uniforms.Symbols.len", 2, 0},
	{"", "", "90000000", "Shaders.0.Uniforms.Space", 0x90, 0},
	{"symbol.header", "VUNI, VVAR or VATT", "56554E49 28000000", "Shaders.0.Uniforms.Symbols.0.Type", mbs.Float, 0},
	{"string.header", "STRI", "53545249 0C000000", "Shaders.0.Uniforms.Symbols.0.Name", "strength", 0},
	{"string.string", "ends in a zero byte, padded with zeros to 4 bytes", "737472656E677468 00000000", "Shaders.0.Uniforms.Symbols.0.Name", "strength", 0},
	{"symbol.unknown_0", "0", "02", "Shaders.0.Uniforms.Symbols.0.Unknown0", 2, 0},
	{"symbol.type", "1 float, 2 int, 3 bool, 4 matrix, 5 sampler2D, 6 samplerCube, 8 struct, 9 samplerExternalOES", "01", "Shaders.0.Uniforms.Symbols.0.Type.String", "float", 0},
	{"symbol.component_count", "components", "0300", "Shaders.0.Uniforms.Symbols.0.ComponentCount", 3, 0},
	{"symbol.component_size", "size of an element", "0400", "Shaders.0.Uniforms.Symbols.0.ComponentSize", 4, 0},
	{"symbol.entry_count", "elements of an array", "0501", "Shaders.0.Uniforms.Symbols.0.EntryCount", 0x105, 0},
	{"symbol.src_stride", "stride of the elements", "0602", "Shaders.0.Uniforms.Symbols.0.SrcStride", 0x206, 0},
	{"symbol.dst_stride", "stride of the destination", "10", "Shaders.0.Uniforms.Symbols.0.DstStride", 16, 0},
	{"symbol.precision", "precision", "02", "Shaders.0.Uniforms.Symbols.0.Precision.String", "mediump", 0},
	{"symbol.invariant", "1 if declared invariant", "41424344", "Shaders.0.Uniforms.Symbols.0.Invariant", 0x44434241, 0},
	{"symbol.offset", "offset", "0703", "Shaders.0.Uniforms.Symbols.0.Location", 0x307, 0},
	{"symbol.index", "-1, or the struct's number", "0804", "Shaders.0.Uniforms.Symbols.0.Parent", 0x408, 0},
	{"", "", "56554E49 34000000 53545249 04000000 6D617000", "Shaders.0.Uniforms.Symbols.1.Name", "map", 0},
	{"symbol.unknown_0", "", "00", "Shaders.0.Uniforms.Symbols.1.Unknown0", 0, 0},
	{"symbol.type", "", "05", "Shaders.0.Uniforms.Symbols.1.Type.String", "sampler2D", 0},
	{"", "", "0200 0100 0000 0100 10 03 00000000 0000", "", nil, 0},
	{"symbol.index", "", "FFFF", "Shaders.0.Uniforms.Symbols.1.Parent", 0xFFFF, 0},
	{"", "", "56494458 0C000000 49475244 04000000 01000000", "Shaders.0.Uniforms.Symbols.1.Index.IGRD", 1, 0},
	{"table.header", "", "53564152 30000000", "Shaders.0.Varyings.Storage", mbs.PPVarying, 0},
	{"table.count", "", "01000000", "Shaders.0.Varyings.Symbols.len", 1, 0},
	{"symbol.header", "", "56564152 24000000", "Shaders.0.Varyings.Symbols.0.Type", mbs.Bool, 0},
	{"string.string", "", "53545249 08000000 6C69676874000000", "Shaders.0.Varyings.Symbols.0.Name", "light", 0},
	{"symbol.type", "", "00 03", "Shaders.0.Varyings.Symbols.0.Type.String", "bool", 0},
	{"symbol.dst_stride", "", "0200 0200 0000 0200 18", "Shaders.0.Varyings.Symbols.0.DstStride", 24, 0},
	{"symbol.precision", "", "01", "Shaders.0.Varyings.Symbols.0.Precision.String", "lowp", 0},
	{"symbol.invariant", "", "01000000", "Shaders.0.Varyings.Symbols.0.Invariant", 1, 0},
	{"symbol.offset", "", "0900", "Shaders.0.Varyings.Symbols.0.Location", 9, 0},
	{"symbol.index", "", "FFFF", "Shaders.0.Varyings.Symbols.0.Parent", 0xFFFF, 0},
	{"dbin.header", "DBIN", "4442494E 0C000000", "Shaders.0.Code.len", 12, 0},
	{"dbin.code", "words of code", "01020304 05060708 090A0B0C", "Shaders.0.Code", "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0A\x0B\x0C", 0},

	{"vertex.header", "CVER", "43564552 E0000000", "Shaders.1.Vertex", true, 0},
	{"vertex.version", "2 Mali GP2, 6 Mali-400 GP", "06000000", "Shaders.1.Version.String", "Mali-400 GP", 0},
	{"vert_fins.header", "FINS", "46494E53 0C000000", "Shaders.1.Instructions", 0x33333333, 0},
	{"vert_fins.unknown_0", "unknown", "22222222", "Shaders.1.Unknown0", 0x22222222, 0},
	{"vert_fins.instructions", "instructions of the code", "33333333", "Shaders.1.Instructions", 0x33333333, 0},
	{"vert_fins.attrib_prefetch", "how far attributes are read", "44444444", "Shaders.1.AttributePrefetch", 0x44444444, 0},
	{"table.header", "", "53554E49 30000000", "Shaders.1.Uniforms.Storage", mbs.GPUniform, 0},
	{"table.count", "", "01000000 08000000", "Shaders.1.Uniforms.Symbols.len", 1, 0},
	{"", "", "56554E49 20000000 53545249 04000000 6E000000 00 02 0100 0400 0000 0400 10 03 00000000 0400 FFFF", "Shaders.1.Uniforms.Symbols.0.Type.String", "int", 0},
	{"table.header", "", "53415454 28000000", "Shaders.1.Attributes.Storage", mbs.Attribute, 0},
	{"table.count", "", "01000000", "Shaders.1.Attributes.Symbols.len", 1, 0},
	{"symbol.header", "", "56415454 1C000000 53545249 04000000 706F7300", "Shaders.1.Attributes.Symbols.0.Name", "pos", 0},
	{"symbol.type", "", "02 04", "Shaders.1.Attributes.Symbols.0.Type.String", "matrix", 0},
	{"symbol.component_count", "", "0400", "Shaders.1.Attributes.Symbols.0.ComponentCount", 4, 0},
	{"symbol.component_size", "", "0500", "Shaders.1.Attributes.Symbols.0.ComponentSize", 5, 0},
	{"symbol.entry_count", "", "0600", "Shaders.1.Attributes.Symbols.0.EntryCount", 6, 0},
	{"symbol.src_stride", "", "0700", "Shaders.1.Attributes.Symbols.0.SrcStride", 7, 0},
	{"symbol.precision", "", "10 03", "Shaders.1.Attributes.Symbols.0.Precision.String", "highp", 0},
	{"symbol.invariant", "", "0100", "Shaders.1.Attributes.Symbols.0.Invariant", 1, 0},
	{"symbol.offset", "", "0C00", "Shaders.1.Attributes.Symbols.0.Location", 12, 0},
	{"table.header", "", "53564152 30000000", "Shaders.1.Varyings.Storage", mbs.GPVarying, 0},
	{"table.count", "", "01000000", "Shaders.1.Varyings.Symbols.len", 1, 0},
	{"", "", "56564152 24000000 53545249 08000000 636F6C6F72000000 00 09 0200 0400 0000 0400 10 03 00000000 FFFF FFFF", "Shaders.1.Varyings.Symbols.0.Type.String", "samplerExternalOES", 0},
	{"", "", "4442494E 20000000 000102030405060708090A0B0C0D0E0F 101112131415161718191A1B1C1D1E1F", "Shaders.1.Code.len", 32, 0},
}}

// mbsDocument is the table of document 002.
func mbsDocument() document {
	is := func(key, says string, of string) row {
		return row{key: key, says: says, check: func(t *testing.T) { mali.check(t, of) }}
	}
	return document{"MBS, the Mali-200/400 shader binary", []chapter{
		{"Chunks", rows(mali.rows("chunk"), mali.rows("string"))},
		{"Fragment shaders", rows([]row{is("frag.header", "CFRA", "chunk.ident")}, mali.rows("frag"), []row{
			is("frag.sta", "FSTA first", "frag_sta.header"), is("frag.dis", "then FDIS", "frag_dis.header"), is("frag.buu", "then FBUU", "frag_buu.header"),
			is("frag.uniforms", "SUNI", "table.header"), is("frag.varyings", "SVAR", "table.count"), is("frag.code", "DBIN last", "dbin.code"),
		}, mali.rows("frag_sta"), mali.rows("frag_dis"), mali.rows("frag_buu"), []row{
			says("the chunks are written in this order", written),
			says("the version is the core: 5 and 7", cores(false, map[uint32]string{5: "Mali-200 PP", 7: "Mali-400 PP"})),
		})},
		{"Vertex shaders", rows(mali.rows("vertex"), []row{
			is("vertex.fins", "FINS first", "vert_fins.header"), is("vertex.uniforms", "SUNI", "table.header"), is("vertex.attributes", "SATT", "table.header"),
			is("vertex.variants", "SVAR", "table.count"), is("vertex.code", "DBIN", "vertex.header"),
			says("the version is the core: 2 and 6", cores(true, map[uint32]string{2: "Mali GP2", 6: "Mali-400 GP"})),
			{says: "the structure is called vert where the file uses it, and vertex where it is defined", how: otherwise, why: "a slip of the page: one structure, the chunk CVER", check: func(t *testing.T) { mali.check(t, "vertex.header") }},
		}, mali.rows("vert_fins"))},
		{"File", rows(mali.rows("file"), []row{
			is("file.fragment", "a fragment shader", "frag_dis.discard"),
			{key: "file.vertex", says: "and a vertex shader, in this order", how: otherwise, why: "any number in any order is read: the real files hold one shader each", check: anyOrder},
		}, mali.rows("dbin"), mali.rows("table"), []row{
			{key: "table.symbols", says: "that many", check: countedSymbols},
			{says: "every table has a count and nothing else", how: otherwise, why: "SUNI has the space of the uniforms behind it in all real files and in limare's reader; without it, as here, it is read too", check: plainLayout},
		})},
		{"Symbols", rows(but(mali.rows("symbol"), row{key: "symbol.unknown_0", how: otherwise, why: "ARM's compiler writes 2, the free one 0; other values are noted"}), []row{
			{key: "symbol.symbol", says: "its name", check: func(t *testing.T) { mali.check(t, "string.string") }},
			says("the types have these numbers", symbolTypes),
			{says: "all symbols have the same fields", how: otherwise, why: "an attribute has 16 bits for invariant and no index in all real files; the long form, as here, is read too", check: plainLayout},
		})},
		{"Layout", []row{
			says("a symbol is an array of a type, or one of it; variables lie in one array without rows", laid(mbs.PPVarying, "f1 f1 f2 f1[3]", 0, 1, 2, 4)),
			says("varyings: float 1, vec2 2, vec3 and vec4 4; matrices as their columns", func(t *testing.T) {
				laid(mbs.PPVarying, "f1 f2 f1 f3 f4", 0, 2, 4, 8, 12)(t)
				laid(mbs.PPVarying, "f1 m2 f1 m3 m4 f1", 0, 2, 6, 8, 20, 36)(t)
			}),
			{says: "whether a float may lie in the fourth place of a vec3 is not said", how: ours, why: "it may, as in the rules of ESSL for uniforms", check: laid(mbs.PPVarying, "f1 f3 f1 f3[2] f1", 0, 4, 7, 8, 15)},
			{says: "in vertex shaders, varyings too", how: otherwise, why: "a vec4 each, as in the real files, gl_Position first", check: laid(mbs.GPVarying, "f1 f2 f1 f3", 0, 4, 8, 12)},
			says("fragment uniforms as varyings; ints and bools as floats; a sampler takes one float", laid(mbs.PPUniform, "f1 i1 b2 s2 sc s2 i4", 0, 1, 2, 4, 5, 6, 8)),
			says("vertex uniforms: stride 4, vectors that fit within a vec4; the rules of ESSL", laid(mbs.GPUniform, "m4 f4 f3 f1 f2", 0, 16, 20, 23, 24)),
			says("attributes are not packed: a vec4 each", laid(mbs.Attribute, "f1 f2 f1 f4 m2 f1", 0, 4, 8, 12, 16, 24)),
			says("an array has the alignment of its type, and a stride of the type's", laid(mbs.PPVarying, "f1 f2[3] f1 f3[2] f2", 0, 2, 8, 12, 20)),
			says("a struct is aligned as its widest member, and padded to a multiple of that", structLaid),
			says("component count: of base types the components, of structs the members, of samplers the dimensions", componentCounts),
			{says: "component size: of an element with padding; of matrices the component count", how: otherwise, why: "of matrices the size of a column: a mat3 in a real file has count 3 and size 4", check: componentSizes},
			says("entry count 0 is no array", func(t *testing.T) {
				require.Equal(t, []string{"vec3", "vec3[1]"}, []string{(&mbs.Symbol{Type: mbs.Float, ComponentCount: 3}).TypeName(), (&mbs.Symbol{Type: mbs.Float, ComponentCount: 3, EntryCount: 1}).TypeName()})
			}),
			says("element i is at offset + i times stride; the stride is a multiple of the alignment", strides),
			says("destination stride 16, or 24 for varyings that feed a texture fetch", destinationStrides),
			says("an offset is from the struct or from the array, and a multiple of the alignment", misplaced),
			says("index is -1 outside of structs", func(t *testing.T) { mali.check(t, "symbol.index") }),
		}},
	}}
}

func readMali(t *testing.T) *mbs.File {
	data, _ := mali.bytes(t)
	f := testkit.Must(mbs.Parse(data))(t)
	return f
}

// written checks that shaders built from fields encode to the original bytes.
func written(t *testing.T) {
	data, _ := mali.bytes(t)
	f := readMali(t)
	require.Equal(t, data, f.Encode())
	f.Shaders[0].Uniforms.Symbols[1].Index = nil // its chunk lacks ITDR and IYUV, which are always written
	text := string(mbs.NewFile(f.Shaders...).Encode())
	cut := strings.Replace(string(data), "VIDX\x0C\x00\x00\x00IGRD\x04\x00\x00\x00\x01\x00\x00\x00", "", 1)
	fix := func(at string, less byte) {
		i := strings.Index(cut, at) + 4
		cut = cut[:i] + string([]byte{cut[i] - less}) + cut[i+1:]
	}
	fix("MBS1", 20)
	fix("CFRA", 20)
	fix("SUNI", 20)
	i := strings.Index(cut, "map\x00") - 12
	cut = cut[:i] + string([]byte{cut[i] - 20}) + cut[i+1:]
	require.Equal(t, cut, text)
}

func cores(vertex bool, names map[uint32]string) func(t *testing.T) {
	return func(t *testing.T) {
		for v := range uint32(9) {
			name, known := names[v]
			if known {
				require.Equal(t, name, mbs.Version(v).String())
			}
			shader := &mbs.Shader{Vertex: vertex, Version: mbs.Version(v), Code: make([]byte, 16)}
			found := fmt.Sprint(mbs.NewFile(shader).Check())
			wrong := strings.Contains(found, "is not known") || strings.Contains(found, "processor")
			require.Equal(t, known, !wrong, "version %d: %s", v, found)
		}
	}
}

func anyOrder(t *testing.T) {
	f := readMali(t)
	for _, shaders := range [][]*mbs.Shader{{f.Shaders[1], f.Shaders[0]}, {f.Shaders[1]}, {f.Shaders[0], f.Shaders[0], f.Shaders[1]}} {
		again := testkit.Must(mbs.Parse(mbs.NewFile(shaders...).Encode()))(t)
		require.Len(t, again.Shaders, len(shaders))
		for i := range shaders {
			require.Equal(t, shaders[i].Vertex, again.Shaders[i].Vertex)
			require.Equal(t, shaders[i].Instructions, again.Shaders[i].Instructions)
		}
	}
}

func countedSymbols(t *testing.T) {
	require.NotContains(t, fmt.Sprint(readMali(t).Findings), "symbols, it has")
	f := testkit.Must(mbs.Parse(changed(t, &mali, "table.count", "03000000")))(t)
	require.Contains(t, fmt.Sprint(f.Findings), "SUNI says it has 3 symbols, it has 2")
}

// plainLayout reads tables and attributes exactly as documented: SUNI without its space, VATT with 20 bytes.
func plainLayout(t *testing.T) {
	plain := "53554E49 54000000 02000000" + // SUNI
		"56554E49 20000000 53545249 04000000 61000000 00 01 0400 0400 0000 0400 10 03 00000000 0000 FFFF" +
		"56554E49 20000000 53545249 04000000 62000000 00 01 0100 0400 0000 0400 10 03 00000000 0400 FFFF"
	attributes := "53415454 2C000000 01000000" + // SATT
		"56415454 20000000 53545249 04000000 61000000 00 01 0300 0400 0000 0400 10 03 01000000 0800 FFFF"
	empty := "53554E49 04000000 00000000"
	for _, uniforms := range []string{plain, empty} {
		body := unhex(t, "06000000"+"46494E53 0C000000 01000000 02000000 03000000"+uniforms+attributes)
		data := append([]byte{'M', 'B', 'S', '1', byte(8 + len(body)), 0, 0, 0, 'C', 'V', 'E', 'R', byte(len(body)), 0, 0, 0}, body...)
		f := testkit.Must(mbs.Parse(data))(t)
		require.NotContains(t, fmt.Sprint(f.Findings), "expected")
		require.NotContains(t, fmt.Sprint(f.Findings), "not a chunk")
		s := f.Shaders[0]
		if uniforms == plain {
			require.Len(t, s.Uniforms.Symbols, 2)
			require.Equal(t, "b", s.Uniforms.Symbols[1].Name)
		}
		a := s.Attributes.Symbols[0]
		require.Equal(t, []any{"a", uint32(1), uint16(8), uint16(0xFFFF)}, []any{a.Name, a.Invariant, a.Location, a.Parent})
		require.Equal(t, data, f.Encode())
		require.Equal(t, data, mbs.NewFile(f.Shaders...).Encode())
		doc := testkit.Must(inspect.Open(data, ""))(t)
		var text strings.Builder
		require.NoError(t, tree.WriteText(&text, doc.Document, nil, tree.Options{}))
		require.Equal(t, 1+2*int(truth(uniforms == plain)), strings.Count(text.String(), "precision"), "%s", text.String())
	}
}

func symbolTypes(t *testing.T) {
	for n, name := range map[uint8]string{1: "float", 2: "int", 3: "bool", 4: "matrix", 5: "sampler2D", 6: "samplerCube", 7: "type 7", 8: "struct", 9: "samplerExternalOES", 10: "type 10"} {
		f := testkit.Must(mbs.Parse(changed(t, &mali, "symbol.type", fmt.Sprintf("%02X", n))))(t)
		require.Equal(t, name, f.Shaders[0].Uniforms.Symbols[0].Type.String())
	}
}

// table makes a symbol table of types: f float, i int, b bool, m matrix, each with a number of components and an optional array
// size.
func table(storage mbs.Storage, types string) *mbs.Table {
	tab := &mbs.Table{Storage: storage}
	for i, text := range strings.Fields(types) {
		s := mbs.Symbol{Name: fmt.Sprint("s", i), DstStride: 16, Precision: 3, Parent: mbs.NoParent}
		kind, size := text[:2], 0
		fmt.Sscanf(text[2:], "[%d]", &size)
		s.EntryCount = uint16(size)
		switch kind {
		case "s2":
			s.Type, s.ComponentCount = 5, 2
		case "sc":
			s.Type, s.ComponentCount = 6, 3
		default:
			s.Type, s.ComponentCount = map[byte]mbs.Type{'f': 1, 'i': 2, 'b': 3, 'm': 4}[kind[0]], uint16(kind[1]-'0')
		}
		tab.Symbols = append(tab.Symbols, s)
	}
	return tab
}

// laid lays out a table and checks the offsets; moving any symbol gives a finding.
func laid(storage mbs.Storage, types string, want ...uint16) func(t *testing.T) {
	return func(t *testing.T) {
		tab := table(storage, types)
		require.NoError(t, tab.Layout())
		var got []uint16
		for _, s := range tab.Symbols {
			got = append(got, s.Location)
		}
		require.Equal(t, want, got)
		require.Empty(t, tab.CheckLayout())
		for i := range tab.Symbols {
			tab.Symbols[i].Location++
			require.NotEmpty(t, tab.CheckLayout(), "symbol %d", i)
			tab.Symbols[i].Location--
		}
	}
}

func structLaid(t *testing.T) {
	tab := table(mbs.PPVarying, "f1 f1 f2 f1 f1")
	tab.Symbols[1].Type, tab.Symbols[1].ComponentCount, tab.Symbols[1].EntryCount = mbs.Struct, 2, 2
	tab.Symbols[2].Parent, tab.Symbols[3].Parent = 1, 1
	require.NoError(t, tab.Layout())
	places := func() (list []uint16) {
		for _, s := range tab.Symbols {
			list = append(list, s.Location)
		}
		return list
	}
	require.Equal(t, []uint16{0, 2, 0, 2, 10}, places()) // two structs of 4 floats; the last float is padding
	require.Equal(t, []uint16{4, 4}, []uint16{tab.Symbols[1].ComponentSize, tab.Symbols[1].SrcStride})
	tab.Symbols[3].ComponentCount = 3
	require.NoError(t, tab.Layout())
	require.Equal(t, []uint16{0, 4, 0, 4, 20}, places())
	require.Equal(t, uint16(8), tab.Symbols[1].SrcStride)
}

func componentCounts(t *testing.T) {
	for _, c := range []struct {
		types string
		count uint16
		ok    bool
	}{{"s2", 2, true}, {"s2", 3, false}, {"sc", 3, true}, {"sc", 2, false}, {"f3", 3, true}, {"f3", 5, false}, {"f3", 0, false}, {"m2", 2, true}, {"m2", 1, false}} {
		tab := table(mbs.PPUniform, c.types)
		require.NoError(t, tab.Layout())
		tab.Symbols[0].ComponentCount = c.count
		f := mbs.NewFile(&mbs.Shader{Version: 7, Uniforms: tab})
		found := fmt.Sprint(f.Check())
		require.Equal(t, c.ok, !strings.Contains(found, "s0"), "%s of %d: %s", c.types, c.count, found)
	}
	tab := table(mbs.PPUniform, "f1 f2")
	tab.Symbols[0].Type = mbs.Struct
	tab.Symbols[1].Parent = 0
	for count, ok := range map[uint16]bool{1: true, 2: false} {
		tab.Symbols[0].ComponentCount = count
		require.NoError(t, tab.Layout())
		found := fmt.Sprint(mbs.NewFile(&mbs.Shader{Version: 7, Uniforms: tab}).Check())
		require.Equal(t, ok, !strings.Contains(found, "members"), found)
	}
}

func componentSizes(t *testing.T) {
	tab := table(mbs.PPUniform, "f1 f2 f3 f4 m2 m3 m4 s2")
	require.NoError(t, tab.Layout())
	for i, want := range []uint16{1, 2, 4, 4, 2, 4, 4, 1} {
		require.Equal(t, want, tab.Symbols[i].ComponentSize, "symbol %d", i)
	}
}

func strides(t *testing.T) {
	for storage, want := range map[mbs.Storage][]uint16{mbs.PPUniform: {1, 2, 4, 4, 4, 12, 16}, mbs.GPUniform: {4, 4, 4, 4, 8, 12, 16}, mbs.Attribute: {4, 4, 4, 4, 8, 12, 16}} {
		tab := table(storage, "f1 f2 f3 f4 m2 m3 m4")
		require.NoError(t, tab.Layout())
		for i := range want {
			require.Equal(t, want[i], tab.Symbols[i].SrcStride, "%v, symbol %d", storage, i)
			tab.Symbols[i].SrcStride++
			require.Contains(t, fmt.Sprint(tab.CheckLayout()), "source stride")
			tab.Symbols[i].SrcStride--
		}
	}
}

func destinationStrides(t *testing.T) {
	for _, c := range []struct {
		storage mbs.Storage
		stride  uint8
		ok      bool
	}{{mbs.PPVarying, 16, true}, {mbs.PPVarying, 24, true}, {mbs.PPVarying, 17, false}, {mbs.PPUniform, 16, true}, {mbs.PPUniform, 24, false}} {
		tab := table(c.storage, "f2")
		require.NoError(t, tab.Layout())
		tab.Symbols[0].DstStride = c.stride
		s := &mbs.Shader{Version: 7, Uniforms: tab}
		if c.storage == mbs.PPVarying {
			s.Uniforms, s.Varyings = nil, tab
		}
		found := fmt.Sprint(mbs.NewFile(s).Check())
		require.Equal(t, c.ok, !strings.Contains(found, "want 16"), "%v, %d: %s", c.storage, c.stride, found)
	}
}

func misplaced(t *testing.T) {
	for types, bad := range map[string]uint16{"f2": 1, "f3": 2, "f4": 6, "m2": 3} {
		tab := table(mbs.PPVarying, types)
		require.NoError(t, tab.Layout())
		tab.Symbols[0].Location = bad
		require.Contains(t, fmt.Sprint(tab.CheckLayout()), "not a multiple of its alignment", types)
	}
}
