package shbin

import (
	"fmt"
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

// The fields of each structure cover all of its bytes without overlap.
func TestFieldsCoverTheStructures(t *testing.T) {
	for _, s := range Structures() {
		at := 0
		names := map[string]bool{}
		for _, f := range s.Fields {
			require.Equal(t, at, f.Offset, "%s, %s", s.Name, f.Name)
			require.False(t, names[f.Name], "%s: %s twice", s.Name, f.Name)
			names[f.Name] = true
			at += f.Size
		}
		require.Equal(t, s.Size, at, s.Name)
	}
}

// Bytes outside tables and overlapping tables are odd.
func TestOddFilesAreRecognized(t *testing.T) {
	good := sample(t)
	unusual := func(data []byte) (list []string) {
		f := testkit.Must(Parse(data))(t)
		for _, e := range f.Unusual {
			list = append(list, e.Error())
		}
		return list
	}
	require.Empty(t, unusual(good))
	require.Empty(t, unusual(append(append([]byte(nil), good...), 0, 0, 0, 0)), "padding")
	require.Equal(t, []string{"shbin: offset 0x15C: 3 bytes after the last table"}, unusual(append(append([]byte(nil), good...), 1, 2, 3)))
	data := append([]byte(nil), good...)
	dvle := int(le.Uint32(good[8:]))
	le.PutUint32(data[dvle+0x28:], le.Uint32(data[dvle+0x30:]))
	require.Len(t, unusual(data), 2, "two findings: the overlap, and the outputs' old place")

	object := testkit.Must(WriteObject(sampleObject()))(t)
	o := testkit.Must(ParseObject(object))(t)
	require.Empty(t, o.Unusual)
	o = testkit.Must(ParseObject(append(object, 7)))(t)
	require.Len(t, o.Unusual, 1)
}

// Limits of what can be written are exact.
func TestWriteLimits(t *testing.T) {
	for _, c := range []struct {
		name                                  string
		code, descriptors, executables, lines int
		want                                  string
	}{
		{"code", MaxCode, 1, 1, 0, ""}, {"code", MaxCode + 1, 1, 1, 0, "shbin: 4097 instructions, at most 4096 are possible"},
		{"descriptors", 1, maxDescriptors, 1, 0, ""}, {"descriptors", 1, maxDescriptors + 1, 1, 0, "shbin: 129 operand descriptors, at most 128 are possible"},
		{"executables", 1, 1, MaxExecutables, 0, ""}, {"executables", 1, 1, MaxExecutables + 1, 0, "shbin: 1025 executables, at most 1024 are possible"},
		{"lines", 3, 1, 1, 3, ""}, {"too few lines", 3, 1, 1, 2, "shbin: 2 line numbers for 3 instructions"}, {"too many lines", 3, 1, 1, 4, "shbin: 4 line numbers for 3 instructions"},
	} {
		check := func(err error) bool {
			if c.want != "" {
				require.EqualError(t, err, c.want, c.name)
				return false
			}
			require.NoError(t, err, c.name)
			return true
		}
		f := &File{Program: Program{Code: make([]uint32, c.code), Descriptors: make([]Descriptor, c.descriptors), Lines: make([]Line, c.lines)}, Executables: make([]Executable, c.executables)}
		for i := range f.Executables {
			f.Executables[i].EndMain = 1
		}
		if check(f.Layout()) {
			data := testkit.Must(f.Write())(t)
			again := testkit.Must(Parse(data))(t, c.name)
			require.Equal(t, []int{c.code, c.descriptors, c.executables, c.lines}, []int{len(again.Program.Code), len(again.Program.Descriptors), len(again.Executables), len(again.Program.Lines)})
		}
		if c.name == "executables" {
			continue
		}
		o := &Object{Code: f.Program.Code, Descriptors: f.Program.Descriptors, Lines: f.Program.Lines}
		if data, err := WriteObject(o); check(err) {
			again := testkit.Must(ParseObject(data))(t, c.name)
			require.Equal(t, []int{c.code, c.descriptors, c.lines}, []int{len(again.Code), len(again.Descriptors), len(again.Lines)})
		}
	}
	// A part may end at the end of the file, but not beyond.
	w := &writer{data: make([]byte, 8)}
	w.put(4, []byte{1, 2, 3, 4})
	w.put(8, nil)
	w.put(-5, nil)
	require.False(t, w.short)
	require.Equal(t, []byte{0, 0, 0, 0, 1, 2, 3, 4}, w.data)
	for _, at := range []int{5, 8, 9, -1} {
		w.short = false
		w.put(at, []byte{9, 9, 9, 9})
		require.True(t, w.short, at)
	}
	require.Equal(t, []byte{0, 0, 0, 0, 1, 2, 3, 4}, w.data)
}

// The table of line numbers has the documented layout: per instruction, 8 bytes with the offset of the source's name and the line.
func TestLineTable(t *testing.T) {
	f := testkit.Must(Build([]uint32{0x84000000, 0x84000000, 0x88000000}, nil, []Executable{{EndMain: 3}}))(t)
	f.Program.Symbols = []byte("unused.vsh\x00b.vsh\x00")
	f.Program.Lines = []Line{{File: "a.vsh", Line: 7}, {File: "b.vsh", Line: 3}, {File: "a.vsh", Line: 9}}
	require.NoError(t, f.Layout())
	data := testkit.Must(f.Write())(t)

	dvlp := 12
	at := dvlp + int(le.Uint32(data[dvlp+0x18:]))
	require.Equal(t, uint32(3), le.Uint32(data[dvlp+0x1C:]))
	require.Equal(t, []uint32{17, 7, 11, 3, 17, 9}, []uint32{le.Uint32(data[at:]), le.Uint32(data[at+4:]), le.Uint32(data[at+8:]),
		le.Uint32(data[at+12:]), le.Uint32(data[at+16:]), le.Uint32(data[at+20:])})
	names := dvlp + int(le.Uint32(data[dvlp+0x20:]))
	require.Equal(t, "unused.vsh\x00b.vsh\x00a.vsh\x00", string(data[names:names+int(le.Uint32(data[dvlp+0x24:]))]))

	again := testkit.Must(Parse(data))(t)
	require.Equal(t, f.Program.Lines, again.Program.Lines)
	out := testkit.Must(again.Write())(t)
	require.Equal(t, data, out)
	require.NoError(t, again.Layout())
	out = testkit.Must(again.Write())(t)
	require.Equal(t, data, out, "a new layout gives the same bytes")

	again.Program.Lines = again.Program.Lines[:2]
	require.ErrorContains(t, again.Layout(), "2 line numbers for 3 instructions")

	le.PutUint32(data[at:], 1000) // an invalid name offset does not make the file invalid
	again = testkit.Must(Parse(data))(t)
	require.Empty(t, again.Program.Lines[0].File)
	le.PutUint32(data[dvlp+0x1C:], 1<<28)
	_, err := Parse(data)
	require.ErrorContains(t, err, "line numbers: 268435456 entries of 8 bytes")
}

// Golden file: errors and contents of files and objects with one damaged position, and names of registers.
func TestDamagedFileFindings(t *testing.T) {
	data := sample(t)
	text := testkit.Damage(data, 0, len(data), 2, testkit.Look(Parse, func(f *File) ([]string, string) {
		out := testkit.Dump(f)
		for _, e := range f.Executables {
			out += fmt.Sprintln(e.Fits(), e.Type, e.Geometry.Mode)
			for _, c := range e.Constants {
				out += fmt.Sprintln(c.Kind, c.Bool(), c.Int(), c.Float())
			}
			for _, o := range e.Outputs {
				out += fmt.Sprintln(o.Type, o.Type.Components(), o.Mapped())
			}
		}
		return nil, out
	}))
	object := testkit.Must(WriteObject(sampleObject()))(t)
	text += testkit.Damage(object, 0, len(object), 2, testkit.Look(ParseObject, func(o *Object) ([]string, string) {
		again, err := WriteObject(o)
		return nil, fmt.Sprintf("%s %x %v", testkit.Dump(o), again, err)
	}))
	for r := range uint16(0x90) {
		text += RegisterName(r) + " "
	}
	testkit.Golden(t, "testdata/damage.txt", []byte(text+"\n"))
}
