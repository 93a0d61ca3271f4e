package shbin

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

func sampleObject() *Object {
	return &Object{
		Version: 0x1002, Type: GeometryShader, Merge: 1, InputMask: 3, OutputMask: 5, HasGeometry: true, Geometry: Geometry{GeometryFixed, 16, 0, 4},
		Constants:   []Constant{BoolConstant(3, true), IntConstant(1, [4]uint8{1, 2, 3, 4}), FloatConstant(95, [4]uint32{0x3F0000, 0, 1, 2})},
		Labels:      []Label{{ID: 0, Unknown: 1, Addr: 0, Size: NoSize, Name: "main"}, {ID: 1, Unknown: 1, Addr: 3, Size: NoSize, Name: "endmain"}},
		Code:        []uint32{0x4C000000, 0x90000000, 0x88000000},
		Descriptors: []Descriptor{{0x8000036F, 0xF}},
		Lines:       []Line{{File: "a.vsh", Line: 10}, {File: "b.vsh", Line: 2}, {File: "a.vsh", Line: 12}},
		Relocs:      []Reloc{{Addr: 0, Kind: RelocDescriptor, Value: 0}, {Addr: 1, Kind: RelocCall, Name: "other"}},
		Outputs:     []Output{{OutPosition, 0, 0xF, 1}},
		Uniforms:    []Uniform{{Start: 0, End: 0, Name: "pos"}, {Start: UniformFloat, End: UniformFloat + 3, Name: "proj"}},
	}
}

func TestObjectRoundTrip(t *testing.T) {
	data := testkit.Must(WriteObject(sampleObject()))(t)
	o := testkit.Must(ParseObject(data))(t)
	again := testkit.Must(WriteObject(o))(t)
	require.Equal(t, data, again)

	want := sampleObject()
	require.Equal(t, want.Code, o.Code)
	require.Equal(t, want.Constants, o.Constants)
	require.Equal(t, want.Descriptors, o.Descriptors)
	require.Equal(t, want.Outputs, o.Outputs)
	require.Equal(t, want.Geometry, o.Geometry)
	require.Equal(t, want.InputMask, o.InputMask)
	require.Equal(t, want.OutputMask, o.OutputMask)
	require.Equal(t, uint32(2), o.Lines[1].Line)
	require.Equal(t, "b.vsh", o.Lines[1].File)
	require.Equal(t, o.Lines[0].Symbol, o.Lines[2].Symbol)
	require.Equal(t, "other", o.Relocs[1].Name)
	require.Equal(t, "endmain", o.Labels[1].Name)
	require.Equal(t, "proj", o.Uniforms[1].Name)
}

// Every header has its fields where the documents (GBATEK, 3dbrew) have them: numbers of one, two and four bytes by offset.
func TestHeaderOffsets(t *testing.T) {
	o := sampleObject()
	check := func(what string, head []byte, bytes map[int]byte, halves map[int]uint16, words map[int]uint32) {
		for at, n := range bytes {
			require.Equal(t, n, head[at], "%s 0x%X", what, at)
		}
		for at, n := range halves {
			require.Equal(t, n, le.Uint16(head[at:]), "%s 0x%X", what, at)
		}
		for at, n := range words {
			require.Equal(t, n, le.Uint32(head[at:]), "%s 0x%X", what, at)
		}
	}
	data := testkit.Must(WriteObject(o))(t)
	symbols := le.Uint32(data[0x54:])
	check("DVOJ", data, map[int]byte{6: 1, 7: 1, 0xC: 2, 0xD: 16, 0xE: 0, 0xF: 4}, map[int]uint16{4: 0x1002, 8: 3, 0xA: 5}, map[int]uint32{
		0x10: 0x58, 0x14: 3, 0x18: 0x94, 0x1C: 2, 0x20: 0xB4, 0x24: 3, 0x28: 0xC0, 0x2C: 1, 0x30: 0xC8, 0x34: 3, 0x38: 0xE0, 0x3C: 2, 0x40: 0xF8, 0x44: 1,
		0x48: 0x100, 0x4C: 2, 0x50: 0x110, 0x54: symbols,
		0x94 + 4: 0, 0x94 + 0x14: 3, 0xC8 + 4: 10, 0xC8 + 0xC: 2, 0xE0: 0, 0xE0 + 0xC: 1, 0xE0 + 0x10: uint32(RelocCall)}) // labels, lines, relocations
	require.Equal(t, "DVOJ", string(data[:4]))
	require.Equal(t, uint32(len(data)), 0x110+(symbols+3)&^3)

	o.HasGeometry = false
	check("DVOJ without geometry", testkit.Must(WriteObject(o))(t), nil, nil, map[int]uint32{0xC: 0xFFFFFFFF})

	f := testkit.Must(Build(o.Code, []uint32{1, 2}, []Executable{{Version: 0xC02, Type: GeometryShader, Merge: 1, Main: 1, EndMain: 3, InputMask: 3, OutputMask: 5,
		Geometry: o.Geometry, Constants: o.Constants, Labels: o.Labels, Outputs: o.Outputs, Uniforms: o.Uniforms}}))(t)
	f.Program.Lines, f.Program.Version = o.Lines, 7
	require.NoError(t, f.Layout())
	data = testkit.Must(f.Write())(t)
	check("DVLB", data, nil, nil, map[int]uint32{4: 1})
	check("DVLP", data[0xC:], nil, nil, map[int]uint32{4: 7, 8: 0x28, 0xC: 3, 0x10: 0x34, 0x14: 2, 0x18: 0x44, 0x1C: 3, 0x20: 0x5C, 0x24: 12})
	check("DVLE", data[le.Uint32(data[8:]):], map[int]byte{6: 1, 7: 1, 0x14: 2, 0x15: 16, 0x16: 0, 0x17: 4}, map[int]uint16{4: 0xC02, 0x10: 3, 0x12: 5}, map[int]uint32{
		8: 1, 0xC: 3, 0x18: 0x40, 0x1C: 3, 0x20: 0x7C, 0x24: 2, 0x28: 0x9C, 0x2C: 1, 0x30: 0xA4, 0x34: 2, 0x38: 0xB4, 0x3C: 22})
}

func TestObjectErrors(t *testing.T) {
	good := testkit.Must(WriteObject(sampleObject()))(t)
	for _, c := range []struct {
		at    int
		value uint32
		want  string
	}{
		{0, 0, "DVOJ expected"},
		{0x14, 0xFFFFFFFF, "constants"},
		{0x24, 5000, "at most 4096"},
		{0x24, 2, "one for each of 2 instructions"},
		{0x2C, 129, "at most 128"},
		{0x34, 2, "one for each"},
		{0x54, 1, "symbol"},
		{int(le.Uint32(good[0x38:])), 3, "instruction 0x3, but there are 0x3"},
	} {
		data := append([]byte(nil), good...)
		le.PutUint32(data[c.at:], c.value)
		_, err := ParseObject(data)
		require.ErrorContains(t, err, c.want)
	}
}

func FuzzObject(f *testing.F) {
	data, _ := WriteObject(sampleObject())
	f.Add(data)
	f.Add([]byte(MagicDVOJ))
	f.Fuzz(func(t *testing.T, data []byte) {
		o, err := ParseObject(data)
		if err != nil {
			return
		}
		out, err := WriteObject(o)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ParseObject(out); err != nil {
			t.Fatal(err)
		}
	})
}
