package mbs

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// A file survives the conversion to text byte for byte.
func TestTextRoundTrip(t *testing.T) {
	own := sampleFile()
	own.Shaders[0].Uniforms.Symbols[3].Init = []float32{0.1, -0}
	check := func(name string, data []byte) {
		f := testkit.Must(Parse(data))(t)
		text := testkit.Must(f.MarshalText())(t, name)
		again := testkit.Must(ParseText(name, text))(t, name)
		require.Equal(t, data, again.Encode(), name)
	}
	check("own", NewFile(own.Shaders...).Encode())
	check("empty", NewFile(&Shader{Vertex: true, Version: MaliGP2}).Encode())
	for _, name := range testkit.Corpus(t, "mbs/*") {
		data := testkit.Read(t, name)
		check(name, data)
	}
}

// MarshalText refuses a file that the text cannot represent.
func TestTextRefusesUnrepresentableFiles(t *testing.T) {
	f := sampleFile()
	f.Root.Items = append(f.Root.Items, Item{Chunk: &Chunk{Ident: "XYZW", Items: []Item{{Data: []byte("what")}}}})
	f = testkit.Must(Parse(f.Encode()))(t)
	_, err := f.MarshalText()
	require.ErrorContains(t, err, "does not hold the whole file")
}

// A handwritten file is valid; Layout places its symbols.
func TestHandwrittenText(t *testing.T) {
	f := testkit.Must(ParseText("hand.yaml", []byte(`shaders:
  - kind: vertex
    core: 6
    uniforms:
      space: 0
      symbols:
        - {name: tint, type: 1, components: 3}
        - {name: transform, type: 4, components: 4}
    code: |
      00000000 00000000
      00000000 00000000
    instructions: 1
  - {kind: fragment, frame_buffer: [1, 2, 3, 4, 5, 6, 7, 8]}
`)))(t)
	require.NoError(t, f.Layout())
	f = testkit.Must(Parse(f.Encode()))(t)
	require.Equal(t, FBUse{1, 2, 3, 4, 5, 6, [2]uint8{7, 8}}, f.Shaders[1].FrameBuffer)
	u := f.Shaders[0].Uniforms
	require.Equal(t, []uint16{16, 0}, []uint16{u.Symbols[0].Place, u.Symbols[1].Place})
	require.Equal(t, uint16(16), u.Symbols[1].SrcStride)
	require.Equal(t, uint32(20), u.Space)
	require.Equal(t, uint16(NoParent), u.Symbols[0].Parent)
	require.Len(t, f.Shaders[0].Code, 16)
}

// Missing keys of a symbol have defaults, which are not all 0.
func TestSymbolDefaults(t *testing.T) {
	f := testkit.Must(ParseText("hand.yaml", []byte(`shaders: [{kind: fragment, uniforms: {symbols: [{name: a}, {name: b, type: 0, components: 0, component_size: 0, entries: 0,
  source_stride: 0, destination_stride: 0, precision: 0, invariant: 0, offset: 0, unknown: 0, parent: 0}]}}]`)))(t)
	for i, want := range []Symbol{{Name: "a", ComponentCount: 1, DstStride: 16, Precision: 3, Parent: NoParent}, {Name: "b"}} {
		s := f.Shaders[0].Uniforms.Symbols[i]
		require.Equal(t, want, Symbol{Name: s.Name, Type: s.Type, ComponentCount: s.ComponentCount, ComponentSize: s.ComponentSize, EntryCount: s.EntryCount, SrcStride: s.SrcStride,
			DstStride: s.DstStride, Precision: s.Precision, Invariant: s.Invariant, Place: s.Place, Unknown0: s.Unknown0, Parent: s.Parent})
	}
}

func TestTextErrors(t *testing.T) {
	for want, text := range map[string]string{
		"a shader needs its kind": "shaders: [{core: 5}]",
		"fragmnt":                 "shaders: [{kind: fragmnt}]",
		"stack":                   "shaders: [{kind: vertex, stack: [1, 1]}]",
		"3 numbers, expected 2":   "shaders: [{kind: fragment, stack: [1, 2, 3]}]",
		"256 is out of range":     "shaders: [{kind: fragment, frame_buffer: [256, 0, 0, 0, 0, 0, 0, 0]}]",
		"70000 is out of range":   "shaders: [{kind: fragment, varyings: {symbols: [{name: a, offset: 70000}]}}]",
		"expected hexadecimal":    "shaders: [{kind: fragment, code: xyz}]",
		`"abc" is not a number`:   "shaders: [{kind: fragment, uniforms: {symbols: [{name: a, values: [abc]}]}}]",
		"expected a mapping":      "shaders: [{kind: vertex, uniforms: 5}]",
		"x.yaml:1:":               "shaders: [",
		"values":                  "shaders: [{kind: fragment, varyings: {symbols: [{name: a, values: [1]}]}}]",
	} {
		_, err := ParseText("x.yaml", []byte(text))
		require.ErrorContains(t, err, want, text)
		require.True(t, strings.Contains(err.Error(), "x.yaml:1:"), err.Error())
	}
}

func FuzzText(f *testing.F) {
	text := testkit.Must(sampleFile().MarshalText())(f)
	f.Add(text)
	f.Add([]byte("shaders: [{kind: vertex}]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		file, err := ParseText("x", text)
		if err != nil {
			return
		}
		file.Check()
		if text, err := file.MarshalText(); err == nil {
			again := testkit.Must(ParseText("y", text))(t)
			require.Equal(t, file.Encode(), again.Encode())
		}
	})
}
