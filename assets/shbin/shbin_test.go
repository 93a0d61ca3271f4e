package shbin

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

func TestCorpusRoundTrip(t *testing.T) {
	for _, name := range testkit.Corpus(t, "shbin/*.shbin") {
		data := testkit.Read(t, name)
		f := testkit.Must(Parse(data))(t, name)
		out := testkit.Must(f.Write())(t, name)
		require.Equal(t, data, out, name)
	}
}

// picasso and aemstro lay out files alike: a new layout of the corpus gives the same bytes (except zero padding of extracted
// files).
func TestCorpusLayout(t *testing.T) {
	for _, name := range testkit.Corpus(t, "shbin/*.shbin") {
		data := testkit.Read(t, name)
		f := testkit.Must(Parse(data))(t)
		require.NoError(t, f.Layout())
		out := testkit.Must(f.Write())(t)
		require.LessOrEqual(t, len(out), len(data))
		require.Equal(t, data[:len(out)], out, name)
	}
}

// nihstro is a handmade file with the layout of nihstro's assembler: a header of 7 words, the executable before the code, no masks,
// no end, labels without numbers.
func nihstro(t testing.TB) []byte {
	data := testkit.Read(t, "testdata/nihstro.shbin")
	return data
}

func TestNihstroLayout(t *testing.T) {
	data := nihstro(t)
	f := testkit.Must(Parse(data))(t)
	require.True(t, f.Program.Short())
	require.Empty(t, f.Unusual)
	require.Len(t, f.Program.Code, 8)
	require.Len(t, f.Program.Descriptors, 5)
	e := f.Executables[0]
	require.Equal(t, uint32(2), e.Main)
	require.Equal(t, []string{"tint", "main"}, []string{e.Labels[0].Name, e.Labels[1].Name})
	require.Equal(t, "projection", e.Uniforms[2].Name)
	require.Equal(t, []Output{{OutPosition, 0, 0xF, 0}, {OutColor, 1, 0xF, 0}}, e.Outputs)
	out := testkit.Must(f.Write())(t)
	require.Equal(t, data, out)

	// Changes in place are written; a field without room in the header is not.
	f.Program.Version = 7
	out = testkit.Must(f.Write())(t)
	require.Equal(t, byte(7), out[0x10])
	require.Equal(t, data[0x11:], out[0x11:])
	f.Program.Symbols = []byte("a\x00")
	_, err := f.Write()
	require.ErrorContains(t, err, "call Layout first")

	// A new layout is the usual one and has the same contents.
	require.NoError(t, f.Layout())
	out = testkit.Must(f.Write())(t)
	again := testkit.Must(Parse(out))(t)
	require.False(t, again.Program.Short())
	require.Equal(t, f.Program.Code, again.Program.Code)
	require.Equal(t, e.Constants, again.Executables[0].Constants)

	for n := range data { // truncated anywhere
		_, err := Parse(data[:n])
		require.Error(t, err, n)
	}
}

// sample is a file with every table filled.
func sample(t testing.TB) []byte {
	f := testkit.Must(Build([]uint32{0x4C000000, 0x88000000}, []uint32{0x8000036F}, []Executable{
		{
			Main: 0, EndMain: 2, InputMask: 3, OutputMask: 1,
			Constants: []Constant{BoolConstant(3, true), IntConstant(1, [4]uint8{1, 2, 3, 4}), FloatConstant(95, [4]uint32{0x3F0000, 0, 1, 2})},
			Labels:    []Label{{ID: 0, Unknown: 1, Addr: 0, Size: NoSize, Name: "main"}, {ID: 1, Unknown: 1, Addr: 1, Size: 1, Name: "endmain"}},
			Outputs:   []Output{{OutPosition, 0, 0xF, 1}},
			Uniforms:  []Uniform{{Start: 0, End: 0, Name: "pos"}, {Start: UniformFloat, End: UniformFloat + 3, Name: "proj"}},
		},
		{Type: GeometryShader, Merge: 1, Main: 1, EndMain: 2, Geometry: Geometry{GeometryFixed, 16, 0, 4}},
	}))(t)
	f.Program.Symbols = []byte("a.vsh\x00")
	require.NoError(t, f.Layout())
	out := testkit.Must(f.Write())(t)
	return out
}

func TestAllTables(t *testing.T) {
	data := sample(t)
	f := testkit.Must(Parse(data))(t)
	require.Equal(t, []Descriptor{{0x8000036F, 0}}, f.Program.Descriptors)
	require.Equal(t, "a.vsh\x00", string(f.Program.Symbols))
	e := f.Executables[0]
	require.True(t, e.Constants[0].Bool())
	require.Equal(t, [4]uint8{1, 2, 3, 4}, e.Constants[1].Int())
	require.Equal(t, [4]uint32{0x3F0000, 0, 1, 2}, e.Constants[2].Float())
	require.Equal(t, "endmain", e.Labels[1].Name)
	require.Equal(t, uint32(NoSize), e.Labels[0].Size)
	require.Equal(t, "proj", e.Uniforms[1].Name)
	require.Equal(t, "c3", RegisterName(e.Uniforms[1].End))
	require.Equal(t, Output{OutPosition, 0, 0xF, 1}, e.Outputs[0])
	g := f.Executables[1]
	require.Equal(t, GeometryShader, g.Type)
	require.Equal(t, uint8(1), g.Merge)
	require.Equal(t, Geometry{GeometryFixed, 16, 0, 4}, g.Geometry)
	out := testkit.Must(f.Write())(t)
	require.Equal(t, data, out)
}

func TestGapsAreKept(t *testing.T) {
	data := append(sample(t), 1, 2, 3)
	f := testkit.Must(Parse(data))(t)
	out := testkit.Must(f.Write())(t)
	require.Equal(t, data, out)
}

func TestParseErrors(t *testing.T) {
	good := sample(t)
	dvlp := 16
	dvle := int(le.Uint32(good[8:]))
	for _, c := range []struct {
		name  string
		at    int
		value uint32
		want  string
	}{
		{"magic", 0, 0, "offset 0x0: DVLB expected"},
		{"count", 4, 0xFFFFFFFF, "expected at most 1024"},
		{"count beyond file", 4, 1000, "table of executables"},
		{"dvle offset", 8, 0xFFFFFFF0, "offset 0x8: executable 0 at 0xFFFFFFF0"},
		{"dvlp magic", dvlp, 0, "DVLP expected"},
		{"code size", dvlp + 0xC, 4097, "4097 instructions, expected at most 4096"},
		{"code beyond file", dvlp + 0xC, 4096, "code: 4096 entries"},
		{"descriptor count", dvlp + 0x14, 129, "at most 128"},
		{"dvle magic", dvle, 0, "DVLE expected"},
		{"entry", dvle + 8, 2, "entry point 0x2, but the code has 0x2 words"},
		{"constants", dvle + 0x1C, 0xFFFFFFFF, "constants: 4294967295 entries"},
		{"constant type", dvle + 0x40, 3, "type 3, expected 0 (bool)"},
		{"constant register", dvle + 0x40, 16 << 16, "bool register 16, expected at most 15"},
		{"symbols", dvle + 0x3C, 1, "symbol at 0x"},
	} {
		data := append([]byte(nil), good...)
		le.PutUint32(data[c.at:], c.value)
		_, err := Parse(data)
		require.ErrorContains(t, err, c.want, c.name)
	}
	for n := range good {
		_, err := Parse(good[:n])
		if n < len(good)-3 { // the last bytes may be padding
			require.Error(t, err, "truncated to %d bytes", n)
		}
	}
}

func TestWriteWithoutLayout(t *testing.T) {
	_, err := new(File).Write()
	require.ErrorContains(t, err, "Layout")
	f := testkit.Must(Parse(sample(t)))(t)
	f.Program.Code = append(f.Program.Code, make([]uint32, 4000)...)
	_, err = f.Write()
	require.ErrorContains(t, err, "Layout")
}

func FuzzShbin(f *testing.F) {
	f.Add(sample(f))
	f.Add([]byte(MagicDVLB))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Parse(data)
		if err != nil {
			return
		}
		out := testkit.Must(file.Write())(t)
		require.Equal(t, data, out)
	})
}
