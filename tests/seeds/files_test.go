package seeds

import (
	"encoding/base64"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/container"
	"pica200/assets/shbin"
	"pica200/frontend/gl"
	"pica200/shaderunit"
	"pica200/shaderunit/asm"
	"pica200/tests/testkit"
)

// library is a DVLB with a vertex and a geometry shader, with its tables in an unusual order.
var library = sample[*shbin.File]{parse: shbin.Parse, write: (*shbin.File).Write, pieces: []piece{
	{"DVLB 0x0", "DVLB", "44 56 4C 42", "Executables.len", 2, 0},
	{"DVLB 0x4", "number of DVLEs", "02 00 00 00", "Executables.len", 2, 0},
	{"DVLB 0x8", "their offsets, from the start of the DVLB", "74 00 00 00", "", nil, 0x10C},
	{"DVLB 0xC", "", "80 01 00 00", "", nil, 0x40},

	{"DVLP 0x0", "DVLP", "44 56 4C 50", "Program.Code.len", 3, 0},
	{"DVLP 0x4", "version", "02 0C 34 12", "Program.Version", 0x12340C02, 0},
	{"DVLP 0x8", "code: offset from the start of the DVLP", "58 00 00 00", "", nil, 12},
	{"DVLP 0xC", "code: words", "03 00 00 00", "Program.Code.len", 3, 0},
	{"DVLP 0x10", "operand descriptors: offset from the start of the DVLP", "48 00 00 00", "", nil, 16},
	{"DVLP 0x14", "operand descriptors: number, of 8 bytes", "02 00 00 00", "Program.Descriptors.len", 2, 0},
	{"DVLP 0x18", "line numbers: offset from the start of the DVLP, with a question mark", "30 00 00 00", "", nil, 24},
	{"DVLP 0x1C", "line numbers: number, with a question mark", "03 00 00 00", "Program.Lines.len", 3, 0},
	{"DVLP 0x20", "names of sources: offset from the start of the DVLP", "28 00 00 00", "", nil, 8},
	{"DVLP 0x24", "names of sources: bytes", "08 00 00 00", "Program.Symbols", "a.vsh\x00b\x00", 0},
	{"", "", "61 2E 76 73 68 00 62 00", "", nil, 0},
	{"", "", "06 00 00 00 03 02 01 00  00 00 00 00 07 00 00 00  06 00 00 00 09 00 00 00", "Program.Lines.0.Line", 0x10203, 0},
	{"descriptor 0x0", "an operand descriptor", "6F 03 00 80", "Program.Descriptors.0.Word", uint32(0x8000036F), 0},
	{"descriptor 0x4", "flags of unknown meaning", "0F 00 00 00", "Program.Descriptors.0.Flags", 15, 0},
	{"", "", "F1 FF FF 7F 03 00 00 00", "", nil, 0},
	{"code 0x0", "an instruction", "00 10 02 4C", "Program.Code.0", 0x4C021000, 0},
	{"", "", "33 22 11 00 00 00 00 88", "", nil, 0},

	{"DVLE 0x0", "DVLE", "44 56 4C 45", "Executables.0.Type", 0, 0},
	{"DVLE 0x4", "version", "02 0C", "Executables.0.Version", 0xC02, 0},
	{"DVLE 0x6", "0 vertex shader, 1 geometry shader", "00", "Executables.0.Type", shbin.VertexShader, 0},
	{"DVLE 0x7", "merge the output maps of vertex and geometry shader", "00", "Executables.0.Merge", 0, 0},
	{"DVLE 0x8", "entry point, in words", "01 00 00 00", "Executables.0.Main", 1, 0},
	{"DVLE 0xC", "end of the entry procedure, in words", "03 00 00 00", "Executables.0.EndMain", 3, 0},
	{"DVLE 0x10", "bits of the inputs that are used", "05 80", "Executables.0.InputMask", 0x8005, 0},
	{"DVLE 0x12", "bits of the outputs that are used", "34 12", "Executables.0.OutputMask", 0x1234, 0},
	{"DVLE 0x14", "geometry shader: point 0, variable 1, fixed 2", "00", "Executables.0.Geometry.Mode", shbin.GeometryPoint, 0},
	{"DVLE 0x15", "fixed mode: first float register of the vertices", "00", "Executables.0.Geometry.FixedStart", 0, 0},
	{"DVLE 0x16", "variable mode: vertices that are fully defined", "00", "Executables.0.Geometry.VariableNum", 0, 0},
	{"DVLE 0x17", "fixed mode: vertices", "00", "Executables.0.Geometry.FixedNum", 0, 0},
	{"DVLE 0x18", "constants: offset from the start of the DVLE", "D0 00 00 00", "", nil, 60},
	{"DVLE 0x1C", "constants: number, of 0x14 bytes", "03 00 00 00", "Executables.0.Constants.len", 3, 0},
	{"DVLE 0x20", "labels: offset from the start of the DVLE", "B0 00 00 00", "", nil, 32},
	{"DVLE 0x24", "labels: number, of 0x10 bytes", "02 00 00 00", "Executables.0.Labels.len", 2, 0},
	{"DVLE 0x28", "outputs: offset from the start of the DVLE", "68 00 00 00", "", nil, 72},
	{"DVLE 0x2C", "outputs: number, of 8 bytes", "09 00 00 00", "Executables.0.Outputs.len", 9, 0},
	{"DVLE 0x30", "inputs and uniforms: offset from the start of the DVLE", "58 00 00 00", "", nil, 16},
	{"DVLE 0x34", "inputs and uniforms: number, of 8 bytes", "02 00 00 00", "Executables.0.Uniforms.len", 2, 0},
	{"DVLE 0x38", "symbols: offset from the start of the DVLE", "40 00 00 00", "", nil, 22},
	{"DVLE 0x3C", "symbols: bytes", "16 00 00 00", "Executables.0.Symbols", "main\x00endmain\x00vPos\x00mtx\x00", 0},
	{"", "", "6D 61 69 6E 00 65 6E 64 6D 61 69 6E 00 76 50 6F 73 00 6D 74 78 00 00 00", "", nil, 0},
	{"uniform 0x0", "name: offset in the symbols", "0D 00 00 00", "Executables.0.Uniforms.0.Name", "vPos", 0},
	{"uniform 0x4", "first register", "03 00", "Executables.0.Uniforms.0.Start", 3, 0},
	{"uniform 0x6", "last register", "03 00", "Executables.0.Uniforms.0.End", 3, 0},
	{"", "", "12 00 00 00 24 00 27 00", "Executables.0.Uniforms.1.Name", "mtx", 0},
	{"output 0x0", "meaning", "00 00", "Executables.0.Outputs.0.Type", 0, 0},
	{"output 0x2", "register", "0C 00", "Executables.0.Outputs.0.Reg", 12, 0},
	{"output 0x4", "components, bit 0 is x", "0F 00", "Executables.0.Outputs.0.Mask", 15, 0},
	{"output 0x6", "unknown", "21 43", "Executables.0.Outputs.0.Unknown", 0x4321, 0},
	{"", "", "01 00 02 00 03 00 21 43", "Executables.0.Outputs.1.Mask", 3, 0},
	{"", "", "02 00 04 00 05 00 21 43  03 00 05 00 06 00 21 43  04 00 09 00 08 00 21 43", "", nil, 0},
	{"", "", "05 00 01 00 03 00 21 43  06 00 03 00 0C 00 21 43  07 00 06 00 01 00 21 43  08 00 08 00 07 00 21 43", "", nil, 0},
	{"label 0x0", "number", "01 02", "Executables.0.Labels.0.ID", 0x201, 0},
	{"label 0x2", "unknown, 1", "01 00", "Executables.0.Labels.0.Unknown", 1, 0},
	{"label 0x4", "place, in words", "01 00 00 00", "Executables.0.Labels.0.Addr", 1, 0},
	{"label 0x8", "size in words, all ones for none", "FF FF FF FF", "Executables.0.Labels.0.Size", uint32(shbin.NoSize), 0},
	{"label 0xC", "name: offset in the symbols", "00 00 00 00", "Executables.0.Labels.0.Name", "main", 0},
	{"", "", "02 02 01 00 03 00 00 00 04 00 00 00 05 00 00 00", "", nil, 0},
	{"constant 0x0", "type: 0 bool, 1 int, 2 float", "00", "Executables.0.Constants.0.Kind", shbin.ConstantBool, 0},
	{"", "", "00", "", nil, 0},
	{"constant 0x2", "register", "0B", "Executables.0.Constants.0.Reg", 11, 0},
	{"", "", "00", "", nil, 0},
	{"constant 0x4", "a bool; x of an int in a byte; x of a float24", "01", "Executables.0.Constants.0.Bool", true, 0},
	{"constant 0x5", "", "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00", "Executables.0.Constants.0.Bool", true, 0},
	{"constant 0x0", "", "01", "Executables.0.Constants.1.Kind", shbin.ConstantInt, 0},
	{"", "", "00", "", nil, 0},
	{"constant 0x2", "", "03", "Executables.0.Constants.1.Reg", 3, 0},
	{"", "", "00", "", nil, 0},
	{"constant 0x4", "", "0A", "Executables.0.Constants.1.Int.0", 10, 0},
	{"constant 0x5", "y of an int", "0B", "Executables.0.Constants.1.Int.1", 11, 0},
	{"constant 0x6", "z of an int", "0C", "Executables.0.Constants.1.Int.2", 12, 0},
	{"constant 0x7", "w of an int", "0D", "Executables.0.Constants.1.Int.3", 13, 0},
	{"", "", "00 00 00 00 00 00 00 00 00 00 00 00", "", nil, 0},
	{"constant 0x0", "", "02", "Executables.0.Constants.2.Kind", shbin.ConstantFloat, 0},
	{"", "", "00", "", nil, 0},
	{"constant 0x2", "", "5F", "Executables.0.Constants.2.Reg", 95, 0},
	{"", "", "00", "", nil, 0},
	{"constant 0x4", "", "56 34 12 00", "Executables.0.Constants.2.Float.0", 0x123456, 0},
	{"constant 0x8", "y of a float24", "67 45 23 00", "Executables.0.Constants.2.Float.1", 0x234567, 0},
	{"constant 0xC", "z of a float24", "78 56 34 00", "Executables.0.Constants.2.Float.2", 0x345678, 0},
	{"constant 0x10", "w of a float24", "89 67 45 00", "Executables.0.Constants.2.Float.3", 0x456789, 0},

	{"DVLE 0x0", "", "44 56 4C 45", "Executables.1.Type", 1, 0},
	{"DVLE 0x4", "", "03 10", "Executables.1.Version", 0x1003, 0},
	{"DVLE 0x6", "", "01", "Executables.1.Type", shbin.GeometryShader, 0},
	{"DVLE 0x7", "", "05", "Executables.1.Merge", 5, 0},
	{"DVLE 0x8", "", "02 00 00 00", "Executables.1.Main", 2, 0},
	{"DVLE 0xC", "", "01 00 00 00", "Executables.1.EndMain", 1, 0},
	{"DVLE 0x10", "", "07 00", "Executables.1.InputMask", 7, 0},
	{"DVLE 0x12", "", "F0 00", "Executables.1.OutputMask", 0xF0, 0},
	{"DVLE 0x14", "", "02", "Executables.1.Geometry.Mode", shbin.GeometryFixed, 0},
	{"DVLE 0x15", "", "21", "Executables.1.Geometry.FixedStart", 0x21, 0},
	{"DVLE 0x16", "", "05", "Executables.1.Geometry.VariableNum", 5, 0},
	{"DVLE 0x17", "", "0C", "Executables.1.Geometry.FixedNum", 12, 0},
	{"", "", "40 00 00 00 00 00 00 00  40 00 00 00 00 00 00 00  40 00 00 00 00 00 00 00", "", nil, 0},
	{"", "", "40 00 00 00 00 00 00 00  40 00 00 00 00 00 00 00", "Executables.1.Labels.len", 0, 0},
}}

// object is a DVOJ with its tables in the order of the writer.
var object = sample[*shbin.Object]{parse: shbin.ParseObject, write: shbin.WriteObject, pieces: []piece{
	{"DVOJ 0x0", "DVOJ", "44 56 4F 4A", "Code.len", 4, 0},
	{"DVOJ 0x4", "version", "02 0C", "Version", 0xC02, 0},
	{"DVOJ 0x6", "0 vertex shader, 1 geometry shader", "01", "Type", shbin.GeometryShader, 0},
	{"DVOJ 0x7", "merge the output maps of vertex and geometry shader", "05", "Merge", 5, 0},
	{"DVOJ 0x8", "bits of the inputs that are used", "05 80", "InputMask", 0x8005, 0},
	{"DVOJ 0xA", "bits of the outputs that are used", "34 12", "OutputMask", 0x1234, 0},
	{"DVOJ 0xC", "geometry shader: mode, first register, full vertices, vertices", "02", "Geometry.Mode", shbin.GeometryFixed, 0},
	{"", "", "21", "Geometry.FixedStart", 0x21, 0},
	{"", "", "05", "Geometry.VariableNum", 5, 0},
	{"", "", "0C", "Geometry.FixedNum", 12, 0},
	{"DVOJ 0x10", "constants: offset from the start of the DVOJ", "58 00 00 00", "", nil, 40},
	{"DVOJ 0x14", "constants: number, of 0x14 bytes", "02 00 00 00", "Constants.len", 2, 0},
	{"DVOJ 0x18", "labels: offset from the start of the DVOJ", "80 00 00 00", "", nil, 32},
	{"DVOJ 0x1C", "labels: number, of 0x10 bytes", "02 00 00 00", "Labels.len", 2, 0},
	{"DVOJ 0x20", "code: offset from the start of the DVOJ", "A0 00 00 00", "", nil, 16},
	{"DVOJ 0x24", "code: words", "04 00 00 00", "Code.len", 4, 0},
	{"DVOJ 0x28", "operand descriptors: offset from the start of the DVOJ", "B0 00 00 00", "", nil, 16},
	{"DVOJ 0x2C", "operand descriptors: number, of 8 bytes", "02 00 00 00", "Descriptors.len", 2, 0},
	{"DVOJ 0x30", "line numbers: offset from the start of the DVOJ", "C0 00 00 00", "", nil, 32},
	{"DVOJ 0x34", "line numbers: number, of 8 bytes", "04 00 00 00", "Lines.len", 4, 0},
	{"DVOJ 0x38", "relocations: offset from the start of the DVOJ", "E0 00 00 00", "", nil, 36},
	{"DVOJ 0x3C", "relocations: number, of 12 bytes", "03 00 00 00", "Relocs.len", 3, 0},
	{"DVOJ 0x40", "outputs: offset from the start of the DVOJ", "04 01 00 00", "", nil, 16},
	{"DVOJ 0x44", "outputs: number, of 8 bytes", "02 00 00 00", "Outputs.len", 2, 0},
	{"DVOJ 0x48", "inputs and uniforms: offset from the start of the DVOJ", "14 01 00 00", "", nil, 16},
	{"DVOJ 0x4C", "inputs and uniforms: number, of 8 bytes", "02 00 00 00", "Uniforms.len", 2, 0},
	{"DVOJ 0x50", "symbols: offset from the start of the DVOJ", "24 01 00 00", "", nil, 32},
	{"DVOJ 0x54", "symbols: bytes", "20 00 00 00", "Symbols", "vPos\x00mtx\x00main\x00endmain\x00a.vsh\x00far\x00", 0},
	{"", "", "00 00 0B 00 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00", "Constants.0.Reg", 11, 0},
	{"", "", "02 00 5F 00 56 34 12 00 67 45 23 00 78 56 34 00 89 67 45 00", "Constants.1.Float.2", 0x345678, 0},
	{"", "", "00 00 01 00 01 00 00 00 FF FF FF FF 09 00 00 00", "Labels.0.Name", "main", 0},
	{"", "", "01 00 01 00 03 00 00 00 05 00 00 00 0E 00 00 00", "Labels.1.Name", "endmain", 0},
	{"", "", "00 10 02 4C 33 22 11 00 02 04 00 90 00 00 00 88", "Code.2", uint32(0x90000402), 0},
	{"", "", "6F 03 00 80 0F 00 00 00 F1 FF FF 7F 03 00 00 00", "Descriptors.1.Word", 0x7FFFFFF1, 0},
	{"line 0x0", "name of the source: offset in the symbols", "16 00 00 00", "Lines.0.File", "a.vsh", 0},
	{"line 0x4", "line of the source", "03 02 01 00", "Lines.0.Line", 0x10203, 0},
	{"", "", "05 00 00 00 07 00 00 00  16 00 00 00 08 00 00 00  16 00 00 00 09 00 00 00", "Lines.1.File", "mtx", 0},
	{"relocation 0x0", "an instruction", "01 00 00 00", "Relocs.0.Addr", 1, 0},
	{"relocation 0x4", "unknown", "00 00 00 00", "Relocs.0.Kind", 0, 0},
	{"relocation 0x8", "unknown", "33 00 00 00", "Relocs.0.Value", 0x33, 0},
	{"relocation 0x0", "", "02 00 00 00", "Relocs.1.Addr", 2, 0},
	{"relocation 0x4", "", "02 00 00 00", "Relocs.1.Name", "far", 0},
	{"relocation 0x8", "", "1C 00 00 00", "Relocs.1.Value", 28, 0},
	{"relocation 0x0", "", "00 00 00 00", "Relocs.2.Addr", 0, 0},
	{"relocation 0x4", "", "78 56 34 12", "Relocs.2.Kind", 0x12345678, 0},
	{"relocation 0x8", "", "F0 DE BC 9A", "Relocs.2.Value", uint32(0x9ABCDEF0), 0},
	{"", "", "00 00 0C 00 0F 00 21 43  08 00 08 00 07 00 21 43", "Outputs.1.Type", shbin.OutView, 0},
	{"", "", "00 00 00 00 03 00 03 00  05 00 00 00 24 00 27 00", "Uniforms.1.End", 0x27, 0},
	{"", "", "76 50 6F 73 00 6D 74 78 00 6D 61 69 6E 00 65 6E 64 6D 61 69 6E 00 61 2E 76 73 68 00 66 61 72 00", "", nil, 0},
}}

// changed returns the bytes of a sample with one field replaced.
func changed[F any](t *testing.T, s *sample[F], key, text string) []byte {
	data, places := s.bytes(t)
	for i, p := range s.pieces {
		if p.key == key {
			copy(data[places[i].at:], unhex(t, text))
			return data
		}
	}
	require.FailNow(t, "no field "+key)
	return nil
}

// whole checks that reading and writing a file gives the same bytes.
func whole(t *testing.T) {
	data, _ := library.bytes(t)
	f := testkit.Must(shbin.Parse(data))(t)
	again := testkit.Must(f.Write())(t)
	require.Equal(t, data, again)
	data, _ = object.bytes(t)
	o := testkit.Must(shbin.ParseObject(data))(t)
	again = testkit.Must(shbin.WriteObject(o))(t)
	require.Equal(t, data, again)
	_, err := shbin.Parse(data)
	require.Error(t, err, "an object is no library")
}

// executables checks libraries of one and three DVLEs: the DVLP moves with their number.
func executables(t *testing.T) {
	data, _ := library.bytes(t)
	for _, n := range []int{1, 3} {
		var offsets []byte
		for i := range n {
			at := []uint32{0x180, 0x74, 0x180}[i] + uint32(4*n) - 8
			offsets = binary.LittleEndian.AppendUint32(offsets, at)
		}
		other := append(append([]byte("DVLB"), byte(n), 0, 0, 0), offsets...)
		f := testkit.Must(shbin.Parse(append(other, data[0x10:]...)))(t)
		require.Len(t, f.Executables, n)
		require.Equal(t, uint32(0x4C021000), f.Program.Code[0])
		require.Equal(t, uint32(2), f.Executables[0].Main)
		if n == 3 {
			require.Equal(t, uint32(1), f.Executables[1].Main)
		}
	}
}

// inside checks that a shader binary is found in a container file.
func inside(format container.Format, hold func(t *testing.T, binary []byte) []byte) func(t *testing.T) {
	return func(t *testing.T) {
		data, _ := library.bytes(t)
		got, shaders, err := container.Extract(hold(t, data))
		require.NoError(t, err)
		require.Equal(t, format, got)
		require.Len(t, shaders, 1)
		require.Equal(t, data, shaders[0].Data)
	}
}

func asItIs(_ *testing.T, data []byte) []byte { return data }

func inBase64(_ *testing.T, data []byte) []byte {
	text := base64.StdEncoding.EncodeToString(data)
	return []byte("<Binary>\n" + text[:76] + "\n" + text[76:] + "\n</Binary>\n")
}

// inCGFX wraps a binary in a resource file: header, DATA with 16 dictionaries of which the fifth is for shaders, and one shader.
func inCGFX(t *testing.T, data []byte) []byte {
	dicts := make([]string, 16)
	for i := range dicts {
		dicts[i] = "00000000 00000000"
	}
	dicts[4] = "01000000 5C000000" // one entry, at offset 0x5C from here
	head := "43474658 FFFE 1400 00000005 00000000 01000000 44415441 00000000" + strings.Join(dicts, "") +
		"44494354 00000000 01000000 00000000 00000000 00000000 00000000" + // DICT: one entry, and the root of its tree
		"00000000 00000000 08000000 08000000" + // the entry: offsets of name and object
		"62610000" + "02000080 53484452" // the name "ba", and a shader object
	b := append(unhex(t, head), make([]byte, 0x40-8)...)
	binary.LittleEndian.PutUint32(b[len(b)-0x40+0x18:], uint32(len(data)))
	binary.LittleEndian.PutUint32(b[len(b)-0x40+0x1C:], 0x40-0x1C)
	b = append(b, data...)
	binary.LittleEndian.PutUint32(b[0xC:], uint32(len(b)))
	binary.LittleEndian.PutUint32(b[0x18:], uint32(len(b)-0x14))
	return b
}

// readLibrary parses the sample library.
func readLibrary(t *testing.T) *shbin.File {
	data, _ := library.bytes(t)
	f := testkit.Must(shbin.Parse(data))(t)
	return f
}

// fails checks that a changed field gives an error with the given text.
func fails[F any](s *sample[F], key, text, want string) func(t *testing.T) {
	return func(t *testing.T) {
		_, err := s.parse(changed(t, s, key, text))
		require.ErrorContains(t, err, want)
	}
}

// limits checks register numbers of constants: the last valid one, and the first invalid one.
func limits(kind shbin.ConstantKind, last byte) func(t *testing.T) {
	return func(t *testing.T) {
		for reg, ok := range map[byte]bool{0: true, last: true, last + 1: false} {
			data, _ := library.bytes(t)
			at := 0x74 + 0xD0 + 20*int(kind)
			require.Equal(t, byte(kind), data[at])
			data[at+2] = reg
			_, err := shbin.Parse(data)
			require.Equal(t, ok, err == nil, "%v %d: %v", kind, reg, err)
		}
	}
}

// outputTypes are the output types: name, and numbers of the rasterizer's semantics in GPUREG_SH_OUTMAP (3dbrew, GPU/Internal
// Registers).
var outputTypes = []struct {
	name     string
	semantic []byte
}{
	{"position", []byte{0, 1, 2, 3}}, {"normalquat", []byte{4, 5, 6, 7}}, {"color", []byte{8, 9, 10, 11}}, {"texcoord0", []byte{12, 13}},
	{"texcoord0w", []byte{16}}, {"texcoord1", []byte{14, 15}}, {"texcoord2", []byte{22, 23}}, {"", nil}, {"view", []byte{18, 19, 20}},
}

func outputRows() (list []row) {
	for typ, o := range outputTypes {
		r := row{key: "output type 0x" + string("012345678"[typ]), says: "result." + o.name}
		r.check = func(t *testing.T) {
			regs := draw(t, passing(t, 0, shbin.Output{Type: shbin.OutputType(typ), Reg: 1, Mask: 15}), nil).gpu.Registers()
			want := uint32(0x1F1F1F1F)
			for i, s := range o.semantic {
				want = want&^(0xFF<<(8*i)) | uint32(s)<<(8*i)
			}
			require.Equal(t, want, regs[0x51], "o1 of type %d", typ)
			require.Equal(t, uint32(0x03020100), regs[0x50], "o0 is the position")
			if typ > 0 {
				require.Equal(t, o.name, shbin.OutputType(typ).String())
				require.Equal(t, shbin.OutputType(typ), assembled(t, ".out p position o0\n.out x "+o.name+" o1\n.proc main\nmov p, v0\nmov x, v0\nend\n.end").Executables[0].Outputs[1].Type)
			}
		}
		if o.semantic == nil {
			r.says = "?"
			r.check = func(t *testing.T) {
				require.Equal(t, "type 7", shbin.OutputType(7).String())
				require.Zero(t, shbin.OutputType(7).Components())
			}
		}
		list = append(list, r)
	}
	return list
}

// assembled assembles a text to a file.
func assembled(t *testing.T, text string) *shbin.File {
	p, diags := asm.Assemble(asm.Options{}, asm.Source{Name: "seed.pica", Text: []byte(text)})
	require.NoError(t, diags.Err())
	return p.File
}

// compiled assembles a text to an object.
func compiled(t *testing.T, text string) *shbin.Object {
	p, diags := asm.Assemble(asm.Options{Object: true}, asm.Source{Name: "seed.vsh", Text: []byte(text)})
	require.NoError(t, diags.Err())
	o := testkit.Must(p.Object())(t)
	return o
}

// spaces checks the register space that numbers inputs and uniforms: the first and last number of each kind set the expected
// register.
func spaces() (list []row) {
	for _, s := range []struct {
		key, says   string
		first, last uint16
		names, hole string
		set         func(p *gl.Program) error
		have        func(s shaderunit.Setup, at uint16) bool
	}{
		{"register 0x0", "v0 to v15, set for each vertex", 0, 15, "v0 v15", "", func(p *gl.Program) error { return nil },
			func(s shaderunit.Setup, at uint16) bool { return true }},
		{"register 0x10", "c0 to c95, set for the program as all below", 0x10, 0x6F, "c0 c95", "",
			func(p *gl.Program) error { return p.SetFloat("x", [4]float32{5, 6, 7, 8}) },
			func(s shaderunit.Setup, at uint16) bool { return s.Float[at] == [4]float32{5, 6, 7, 8} }},
		{"register 0x70", "i0 to i3", 0x70, 0x73, "i0 i3", "register 0x74",
			func(p *gl.Program) error { return p.SetInt("x", [4]uint8{5, 6, 7, 8}) },
			func(s shaderunit.Setup, at uint16) bool { return s.Int[at] == [4]uint8{5, 6, 7, 8} }},
		{"register 0x78", "b0 to b15", 0x78, 0x87, "b0 b15", "register 0x88",
			func(p *gl.Program) error { return p.SetBool("x", true) },
			func(s shaderunit.Setup, at uint16) bool { return s.Bool == 1<<at }},
	} {
		list = append(list, row{key: s.key, says: s.says, check: func(t *testing.T) {
			require.Equal(t, s.names, shbin.RegisterName(s.first)+" "+shbin.RegisterName(s.last))
			if s.hole != "" {
				require.Equal(t, s.hole, shbin.RegisterName(s.last+1))
			}
			for _, at := range []uint16{s.first, s.last} {
				p := passing(t, uint32(at&15), shbin.Output{Type: shbin.OutColor, Reg: 1, Mask: 15}, shbin.Uniform{Start: at, End: at, Name: "x"})
				if s.first == 0 {
					require.Equal(t, []string{"x"}, p.Inputs())
				}
				require.NoError(t, s.set(p))
				d := draw(t, p, nil)
				setup := d.gpu.VertexShader()
				require.True(t, s.have(setup, at-s.first), "register 0x%X", at)
			}
		}})
	}
	return list
}

// passing returns a program that copies v(in) to the position and to o1.
func passing(t *testing.T, in uint32, o1 shbin.Output, uniforms ...shbin.Uniform) *gl.Program {
	if uniforms == nil || uniforms[0].Start > 15 {
		in = 0
	}
	code := []uint32{0x13<<26 | in<<12, 0x13<<26 | 1<<21 | in<<12, 0x22 << 26} // mov o0, v; mov o1, v; end
	f, err := shbin.Build(code, []uint32{0x36F}, []shbin.Executable{{EndMain: 3, InputMask: 1 << in, OutputMask: 3,
		Outputs: []shbin.Output{{Type: shbin.OutPosition, Mask: 15}, o1}, Uniforms: uniforms}})
	require.NoError(t, err)
	p := testkit.Must(gl.NewProgram(f))(t)
	return p
}
