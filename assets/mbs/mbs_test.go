package mbs

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/tree"
	"pica200/tests/testkit"
)

// own is a file with a vertex and a fragment shader, which have every chunk.
func own(t testing.TB) []byte { return testkit.Read(t, "testdata/own.mbs") }

// parsed returns the file and its shaders.
func parsed(t testing.TB) (f *File, vertex, fragment *Shader) {
	f = testkit.Must(Parse(own(t)))(t)
	require.Len(t, f.Shaders, 2)
	return f, f.Shaders[0], f.Shaders[1]
}

func TestOwnFile(t *testing.T) {
	f, v, fr := parsed(t)
	require.Empty(t, f.Check())
	require.Equal(t, own(t), f.Encode())
	require.Len(t, v.Code, 5*gpInstructionSize)
	places := func(tab *Table) string {
		text := ""
		for i := range tab.Symbols {
			text += fmt.Sprintf("%s %s %d; ", tab.Symbols[i].TypeName(), tab.Symbols[i].Name, tab.Symbols[i].Location)
		}
		return text
	}
	// Rows 0-3 transform, 4-6 normals, 7-8 lights; the pair and the float take free columns: normals leave one.
	require.Equal(t, "mat4 transform 0; mat3 normals 16; vec3[2] lights 28; vec2 ?constant_000 36; float scale 19; ", places(v.Uniforms))
	require.Equal(t, []float32{0.5, -1}, v.Uniforms.Symbols[3].Init)
	// In the struct diffuse is at 0 and shine at 3; its size is 4, and two of them follow the sampler.
	require.Equal(t, "samplerCube sky 0; struct[2] material 4; vec3 diffuse 0; float shine 3; ", places(fr.Uniforms))
	require.Equal(t, Index{-1, -1, 0}, *fr.Uniforms.Symbols[0].Index)
	require.Equal(t, []uint32{40, 12}, []uint32{v.Uniforms.Space, fr.Uniforms.Space})
}

// The rules of the seed, one row each.
func TestSymbolFootprints(t *testing.T) {
	sym := func(typ Type, n, entries uint16) Symbol {
		return Symbol{Name: "s", Type: typ, ComponentCount: n, EntryCount: entries, Parent: NoParent}
	}
	for _, c := range []struct {
		storage                   Storage
		sym                       Symbol
		align, size, stride, comp int
	}{
		{PPVarying, sym(Float, 1, 0), 1, 1, 1, 1},
		{PPVarying, sym(Float, 2, 0), 2, 2, 2, 2},
		{PPVarying, sym(Float, 3, 0), 4, 3, 4, 4},
		{PPVarying, sym(Float, 4, 0), 4, 4, 4, 4},
		{PPVarying, sym(Matrix, 2, 0), 2, 4, 4, 2},
		{PPVarying, sym(Matrix, 3, 0), 4, 11, 12, 4},
		{PPVarying, sym(Float, 1, 5), 1, 5, 1, 1},
		{PPVarying, sym(Float, 3, 2), 4, 7, 4, 4},
		{PPUniform, sym(Int, 2, 0), 2, 2, 2, 2},
		{PPUniform, sym(Bool, 1, 0), 1, 1, 1, 1},
		{PPUniform, sym(Sampler2D, 2, 0), 1, 1, 1, 1},
		{PPUniform, sym(SamplerCube, 3, 4), 1, 4, 1, 1},
		{GPUniform, sym(Float, 1, 0), 0, 1, 4, 4},
		{GPUniform, sym(Float, 2, 3), 0, 10, 4, 4},
		{GPUniform, sym(Matrix, 3, 0), 0, 11, 12, 4},
		{GPUniform, sym(Matrix, 4, 2), 0, 32, 16, 4},
		{Attribute, sym(Float, 2, 0), 4, 2, 4, 4},
		{GPVarying, sym(Float, 1, 0), 4, 1, 4, 4},
	} {
		table := Table{Storage: c.storage, Symbols: []Symbol{c.sym}}
		f := testkit.Must(table.footprint(0, 0))(t)
		require.Equal(t, [4]int{c.align, c.size, c.stride, c.comp}, [4]int{f.align, f.size(), f.stride, f.componentSize}, "%v %s", c.storage, c.sym.TypeName())
	}
	bad := Table{Symbols: []Symbol{sym(Float, 5, 0), sym(7, 1, 0), sym(Matrix, 1, 0), sym(Struct, 1, 0)}}
	bad.Symbols[3].Parent = 3 // its own parent
	for i, want := range []string{"5 components", "does not exist", "1 columns", "nested"} {
		_, err := bad.footprint(i, 0)
		require.ErrorContains(t, err, want)
	}
}

func TestCheckFindsDeviations(t *testing.T) {
	for _, c := range []struct {
		name string
		harm func(v, f *Shader)
		want string
	}{
		{"stride", func(v, f *Shader) { v.Uniforms.Symbols[0].SrcStride = 4 }, `"transform": source stride 4, the rules for vertex uniforms give 16`},
		{"component size", func(v, f *Shader) { f.Varyings.Symbols[1].ComponentSize = 4 }, `"uv": component size 4`},
		{"size of a struct", func(v, f *Shader) { f.Uniforms.Symbols[3].Location = 4 }, `"material": component size 4, the rules for fragment uniforms give 8`},
		{"alignment", func(v, f *Shader) { f.Varyings.Symbols[1].Location = 5 }, "offset 5 is not a multiple of its alignment 2"},
		{"row", func(v, f *Shader) { v.Uniforms.Symbols[3].Location = 35 }, "2 floats cross the end of a row"},
		{"overlap", func(v, f *Shader) { v.Uniforms.Symbols[4].Location = 18 }, "float 18 is in use"},
		{"too little space", func(v, f *Shader) { v.Uniforms.Space = 37 }, "space for 37 floats, the symbols need 38"},
		{"space", func(v, f *Shader) { v.Uniforms.Space = 41 }, "ARM's compiler would say 40"},
		{"parent", func(v, f *Shader) { f.Uniforms.Symbols[2].Parent = 0 }, "not a struct"},
		{"type", func(v, f *Shader) { v.Attributes.Symbols[0].Type = 7 }, "does not exist"},
		{"precision", func(v, f *Shader) { v.Attributes.Symbols[0].Precision = 0 }, "precision 0"},
		{"sampler", func(v, f *Shader) { f.Varyings.Symbols[1].Type = SamplerCube }, "a samplerCube among the fragment varyings"},
		{"count", func(v, f *Shader) { v.Instructions = 6 }, "FINS says 6 instructions of 16 bytes, the code has 80 bytes"},
		{"prefetch", func(v, f *Shader) { v.AttributePrefetch = 6 }, "FINS says that instruction 5 reads an attribute; there are 5"},
		{"version", func(v, f *Shader) { v.Version = Mali200 }, "a fragment processor"},
		{"discard", func(v, f *Shader) { f.Discards = 2 }, "FDIS is 2"},
		{"stack", func(v, f *Shader) { f.StackOffset = 1<<16 + 1 }, "FSTA: stack of 1 from 65537"},
		{"frame buffer", func(v, f *Shader) { f.FrameBuffer.ReadsColor = 2 }, "FBUU has values other than 0 and 1"},
		{"writes depth", func(v, f *Shader) { f.FrameBuffer.WritesDepth = 1 }, "which OpenGL ES 2.0 cannot"},
		{"code", func(v, f *Shader) { f.Code = f.Code[:len(f.Code)-1] }, "expected words of 4"},
		{"no code", func(v, f *Shader) { f.Code, f.hasCode = nil, false }, "no DBIN"},
	} {
		f, v, fr := parsed(t)
		c.harm(v, fr)
		require.Contains(t, strings.Join(testkit.Sentences(f.Check()), "\n"), c.want, c.name)
	}
}

func TestBadFiles(t *testing.T) {
	_, err := Parse([]byte("MBS2xxxx"))
	require.ErrorIs(t, err, ErrFormat)
	data := own(t)
	_, err = Parse(data[:len(data)-1])
	require.ErrorContains(t, err, "cut short")

	// A file without shaders is a problem.
	none := testkit.Must(Parse((&File{Root: &Chunk{Ident: Magic}}).Encode()))(t)
	require.Contains(t, none.Findings, tree.Finding{Level: tree.Problem, Message: "the file has no shader"})
	some := testkit.Must(Parse(data))(t)
	require.Empty(t, some.Findings)

	// An unknown chunk is kept and shown.
	f, _, _ := parsed(t)
	f.Root.Items = append(f.Root.Items, Item{Chunk: &Chunk{Ident: "XYZW", Items: []Item{{Data: []byte("what")}}}})
	data = f.Encode()
	f = testkit.Must(Parse(data))(t)
	require.Equal(t, data, f.Encode())
	require.Contains(t, f.Findings[0].Message, `unknown chunk "XYZW"`)

	// Bytes after the root chunk are reported with their offset and dropped.
	f = testkit.Must(Parse(append(bytes.Clone(data), 1, 2, 3)))(t)
	require.Equal(t, data, f.Encode())
	require.Contains(t, f.Findings, tree.Finding{Offset: int64(len(data)), Level: tree.Problem, Message: "3 bytes follow the MBS1 chunk; they are not kept"})

	// A wrong number of symbols is reported at its offset.
	odd := bytes.Clone(data)
	at := bytes.Index(odd, []byte("SUNI"))
	odd[at+8]++
	f = testkit.Must(Parse(odd))(t)
	place := int64(-1)
	for _, x := range f.Findings {
		if strings.Contains(x.Message, "SUNI says it has") {
			place = x.Offset
		}
	}
	require.EqualValues(t, at+8, place)

	// With a size that does not fit, the chunk stays as plain bytes and the file unchanged.
	at = bytes.Index(data, []byte("SATT"))
	data[at+5] = 0xFF
	f = testkit.Must(Parse(data))(t)
	require.Equal(t, data, f.Encode())
	found := false
	for _, x := range f.Check() {
		found = found || strings.Contains(x.Message, "not a chunk")
	}
	require.True(t, found)
}

func TestCorpus(t *testing.T) {
	for _, name := range testkit.Corpus(t, "mbs/*") {
		data := testkit.Read(t, name)
		f := testkit.Must(Parse(data))(t)
		require.Equal(t, data, f.Encode(), name)
		require.Zero(t, f.Check().Problems(), "%s: %v", name, f.Check())
		if strings.HasSuffix(name, "shader_v.mbs") {
			require.Empty(t, f.Check())
			require.Equal(t, uint32(0x27), f.Shaders[0].Instructions)
			require.Len(t, f.Shaders[0].Code, 624)
		}
	}
}

func FuzzMBS(f *testing.F) {
	f.Add(own(f))
	f.Add([]byte("MBS1\x10\x00\x00\x00CVER\x08\x00\x00\x00\x06\x00\x00\x00AAAA"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Parse(data)
		if err != nil {
			require.ErrorIs(t, err, ErrFormat)
			return
		}
		require.True(t, bytes.HasPrefix(data, file.Encode()), "encoding changed the file")
		file.Check()
	})
}

// Foreign parts of a table and truncated values are findings.
func TestTableFindings(t *testing.T) {
	part := func(id Ident, data []byte) *Chunk { return &Chunk{Ident: id, Items: []Item{{Data: data}}} }
	for _, c := range []struct {
		table, into string
		part        *Chunk
		want        string
	}{
		{"SUNI", "", part("VATT", make([]byte, 4)), "VATT inside SUNI, expected VUNI"},
		{"SVAR", "", part("VUNI", make([]byte, 4)), "VUNI inside SVAR, expected VVAR"},
		{"SUNI", "VUNI", part("VINI", make([]byte, 2)), "says it has 0 values in 2 bytes"},
		{"SUNI", "VUNI", part("VINI", []byte{1, 0, 0, 0, 1, 2, 3}), "says it has 1 values in 7 bytes"},
		{"SUNI", "", &Chunk{Ident: "VUNI", Items: []Item{{Chunk: part("STRI", []byte("abc\x00\x00\x00\x00\x00"))}, {Data: make([]byte, 20)}}}, `name "abc" is not padded`},
		{"SUNI", "VIDX", part("ITDR", make([]byte, 8)), "ITDR has 8 bytes, expected 4"},
		{"SUNI", "VIDX", part("ITDR", make([]byte, 3)), "ITDR has 3 bytes, expected 4"},
	} {
		f := testkit.Must(Parse(own(t)))(t)
		var in func(at *Chunk, id Ident) *Chunk
		in = func(at *Chunk, id Ident) *Chunk {
			for _, it := range at.Items {
				if it.Chunk != nil {
					if it.Chunk.Ident == id {
						return it.Chunk
					}
					if found := in(it.Chunk, id); found != nil {
						return found
					}
				}
			}
			return nil
		}
		to := in(f.Root, Ident(c.table))
		if c.into != "" {
			to = in(to, Ident(c.into))
		}
		to.Items = append(to.Items, Item{Chunk: c.part})
		f = testkit.Must(Parse(f.Encode()))(t)
		require.Contains(t, strings.Join(testkit.Sentences(f.Findings), "\n"), c.want)
	}
}
