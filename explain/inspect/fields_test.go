package inspect

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/shbin"
	"pica200/assets/tree"
	"pica200/tests/testkit"
)

// fullShbin is a valid program with every table filled.
func fullShbin(t testing.TB) []byte {
	code := []uint32{0x4C000000, 0x08201001 | 0x20<<12, 0x88000000}
	f, err := shbin.Build(code, []uint32{0x36F, 0x6C368}, []shbin.Executable{
		{
			EndMain: 3, InputMask: 1, OutputMask: 3,
			Constants: []shbin.Constant{shbin.BoolConstant(2, true), shbin.IntConstant(1, [4]uint8{1, 2, 3, 4}), shbin.FloatConstant(95, [4]uint32{0x3F0000, 0x400000, 0, 0xBF0000})},
			Labels:    []shbin.Label{{ID: 0, Unknown: 1, Addr: 0, Size: 3, Name: "main"}, {ID: 1, Unknown: 1, Addr: 3, Size: shbin.NoSize, Name: "endmain"}},
			Outputs:   []shbin.Output{{Type: shbin.OutPosition, Reg: 0, Mask: 15}, {Type: shbin.OutColor, Reg: 1, Mask: 1}},
			Uniforms:  []shbin.Uniform{{Start: 0, End: 0, Name: "inpos"}, {Start: 0x10, End: 0x13, Name: "projection"}, {Start: 0x14, End: 0x14, Name: "scale"}},
		},
		{Type: shbin.GeometryShader, Merge: 1, Main: 1, EndMain: 3, Geometry: shbin.Geometry{Mode: shbin.GeometryFixed, FixedStart: 16, FixedNum: 4}},
	})
	require.NoError(t, err)
	f.Program.Lines = []shbin.Line{{File: "a.vsh", Line: 4}, {File: "a.vsh", Line: 5}, {File: "b.vsh", Line: 1}}
	require.NoError(t, f.Layout())
	data := testkit.Must(f.Write())(t)
	return data
}

func fullDVOJ(t testing.TB) []byte {
	// mov o0, v0; dp4 o1.x, c0, v0; call other; setemit; end
	data, err := shbin.WriteObject(&shbin.Object{
		Version: 0x1002, Type: shbin.GeometryShader, Merge: 1, InputMask: 1, OutputMask: 3, HasGeometry: true,
		Geometry:    shbin.Geometry{Mode: shbin.GeometryFixed, FixedStart: 16, FixedNum: 4},
		Code:        []uint32{0x4C000000, 0x08201001 | 0x20<<12, 0x90000000, 0xAC000000, 0x88000000},
		Descriptors: []shbin.Descriptor{{Word: 0x36F}, {Word: 0x6C368}},
		Constants:   []shbin.Constant{shbin.BoolConstant(2, true), shbin.IntConstant(1, [4]uint8{1, 2, 3, 4}), shbin.FloatConstant(95, [4]uint32{0x3F0000, 0x400000, 0, 0xBF0000})},
		Labels:      []shbin.Label{{ID: 0, Unknown: 1, Addr: 0, Size: 3, Name: "main"}, {ID: 1, Unknown: 1, Addr: 5, Size: shbin.NoSize, Name: "endmain"}},
		Outputs:     []shbin.Output{{Type: shbin.OutPosition, Reg: 0, Mask: 15}, {Type: shbin.OutColor, Reg: 1, Mask: 1}},
		Uniforms:    []shbin.Uniform{{Start: 0, End: 0, Name: "inpos"}, {Start: 0x10, End: 0x13, Name: "projection"}, {Start: 0x14, End: 0x14, Name: "scale"}},
		Lines:       []shbin.Line{{File: "a", Line: 1}, {File: "a", Line: 2}, {File: "a", Line: 3}, {File: "a", Line: 4}, {File: "a", Line: 5}},
		Relocs:      []shbin.Reloc{{Addr: 0, Kind: shbin.RelocDescriptor}, {Addr: 1, Kind: shbin.RelocDescriptor, Value: 1}, {Addr: 2, Kind: shbin.RelocCall, Name: "other"}, {Addr: 3, Kind: shbin.RelocNone}},
	})
	require.NoError(t, err)
	return data
}

// nihstroShbin is a handmade file with the layout of nihstro's assembler: two procedures; main is the second.
func nihstroShbin(t testing.TB) []byte {
	data := testkit.Read(t, "../../assets/shbin/testdata/nihstro.shbin")
	return data
}

// A file in nihstro's layout is recognised as such and has no problems.
func TestNihstroIsRecognized(t *testing.T) {
	d := opened(t, nihstroShbin(t))
	require.Contains(t, d.Root.Text, "in nihstro's layout")
	var text strings.Builder
	list := d.Check()
	require.Zero(t, list.Problems())
	for _, f := range list {
		fmt.Fprintln(&text, f)
	}
	require.Equal(t, 1, strings.Count(text.String(), "the labels have no numbers"), text.String())
	require.Contains(t, text.String(), "no end of main")
	d = opened(t, fullShbin(t))
	require.NotContains(t, d.Root.Text, "nihstro")
}

// badValues are invalid values by structure and field, where the field alone does not say which are valid. "structure.field" takes precedence over "field"; "+N" means entry N of a
// table instead of the first.
var badValues = map[string][]uint64{
	"magic":                        {0, 0x20202020},
	"DVLB.executables":             {0, 1025, 0xFFFFFFFF},
	"executable offset":            {0, 0xFFFFFFF0, 16},
	"main":                         {3, 0xFFFFFFFF},
	"end of main":                  {0, 4, 0xFFFFFFFF},
	"input mask":                   {2},
	"output mask":                  {1},
	"geometry mode":                {3, 255},
	"DVOJ.mode":                    {3, 255},
	"fixed mode: first uniform":    {93, 96, 255},
	"variable mode: full vertices": {1},
	"fixed mode: vertices":         {0, 81},
	"code words":                   {0, 4097, 0xFFFFFFFF},
	"descriptors":                  {0, 1, 129},
	"lines":                        {0, 2, 0xFFFFFFFF},
	"line numbers":                 {0, 2, 0xFFFFFFFF},
	"file name bytes":              {0, 5, 0xFFFFFFFF},
	"symbol bytes":                 {0, 5, 0xFFFFFFFF},
	"constants":                    {4, 0xFFFFFFFF},
	"labels":                       {3, 0xFFFFFFFF},
	"outputs":                      {3, 0xFFFFFFFF},
	"uniforms":                     {4, 0xFFFFFFFF},
	"relocations":                  {0, 3, 0xFFFFFFFF},
	"code.word":                    {0x14 << 26, 0x4C000002},
	"constant.type":                {3, 255},
	"constant.register":            {16, 255},
	"constant.x":                   {2, 0xFFFFFFFF},
	"constant.y+2":                 {0x1000000},
	"constant.z+2":                 {0x1000000},
	"constant.w+2":                 {0x1000000, 0x7F0001},
	"label.id":                     {1},
	"label.unknown":                {0, 2},
	"label.address":                {6, 0xFFFFFFFF},
	"label.size":                   {6, 0xFFFFFFFE},
	"label.name":                   {0xFFFFFFFE, 0x1000},
	"output.register":              {16, 0xFFFF, 1},
	"output.mask":                  {0, 16, 0xFFFF},
	"output.unknown":               {1},
	"uniform.name":                 {0x1000, 0xFFFFFFFE},
	"uniform.first+1":              {0x0F, 0x14, 0x74, 0x88, 0xFFFF},
	"uniform.last+1":               {0x0F, 0x14, 0x70, 0x74, 0x77, 0x88, 0xFFFF},
	"line.file name":               {0x1000, 0xFFFFFFFE},
	"line.line":                    {0, 0x80000000},
	"relocation.instruction":       {1, 4, 5, 0xFFFFFFFF},
	"relocation.kind":              {1, 2, 3, 4, 0xFFFFFFFF},
	"relocation.value":             {1, 0xFFFFFFFF},
}

// anyValue are fields in which every value is valid.
var anyValue = map[string]string{
	"DVLP of nihstro.file name offset": "no tool reads it: nothing says how long the names are",

	"descriptor.word": "31 bits of masks, signs and selectors, and one without a known meaning that both documents show set and clear",
}

// onlyNotes are fields whose values are not documented: unusual ones give a note.
var onlyNotes = []string{"relocation.kind", "relocation.value", "label.unknown", "output.unknown",
	"DVLE.variable mode: full vertices", "DVOJ.variable mode: full vertices"}

// structureAt returns the offsets of each structure in the three files.
func structureAt(shb, dvoj, nihstro []byte) map[string][]struct {
	data []byte
	at   int
} {
	le := binary.LittleEndian
	dvlp := 8 + 4*int(le.Uint32(shb[4:]))
	const nihstroDVLP = 12 // after the offset of its only executable
	dvle, geometry := int(le.Uint32(shb[8:])), int(le.Uint32(shb[12:]))
	type place = struct {
		data []byte
		at   int
	}
	m := map[string][]place{"DVLB": {{shb, 0}}, "executable": {{shb, 8}}, "DVLP": {{shb, dvlp}}, "DVLP of nihstro": {{nihstro, nihstroDVLP}}, "DVLE": {{shb, dvle}, {shb, geometry}}, "DVOJ": {{dvoj, 0}}}
	in := func(name string, at, base int, data []byte) {
		m[name] = append(m[name], place{data, base + int(le.Uint32(data[base+at:]))})
	}
	for name, at := range map[string]int{"code": 8, "descriptor": 0x10, "line": 0x18} {
		in(name, at, dvlp, shb)
	}
	for name, at := range map[string]int{"constant": 0x18, "label": 0x20, "output": 0x28, "uniform": 0x30} {
		in(name, at, dvle, shb)
	}
	for name, at := range map[string]int{"code": 0x20, "descriptor": 0x28, "line": 0x30, "constant": 0x10, "label": 0x18, "output": 0x40, "uniform": 0x48, "relocation": 0x38} {
		in(name, at, 0, dvoj)
	}
	return m
}

// found counts the problems and notes of inspect --check for a file.
func found(data []byte) (problems, notes int, err error) {
	d, err := Open(data, "")
	if err != nil {
		return 0, 0, err
	}
	list := d.Check()
	return list.Problems(), len(list) - list.Problems(), nil
}

// Every field of DVLB, DVLP, DVLE and DVOJ has an invalid value that the check reports.
func TestEveryFieldOfShadersIsChecked(t *testing.T) {
	shb, dvoj := fullShbin(t), fullDVOJ(t)
	for _, data := range [][]byte{shb, dvoj} {
		d := opened(t, data)
		require.Empty(t, d.Check())
	}
	places := structureAt(shb, dvoj, nihstroShbin(t))
	used := map[string]bool{}
	fieldCount, valueCount := 0, 0
	for _, s := range shbin.Structures() {
		require.NotEmpty(t, places[s.Name], s.Name)
		for _, f := range s.Fields {
			fieldCount++
			full := s.Name + "." + f.Name
			if anyValue[full] != "" {
				used[full] = true
				continue
			}
			entry, values := 0, []uint64(nil)
			for _, k := range []string{full, full + "+1", full + "+2", f.Name} {
				if v, ok := badValues[k]; ok {
					values, used[k] = v, true
					if strings.Contains(k, "+") {
						entry = int(k[len(k)-1] - '0')
					}
					break
				}
			}
			note := slices.Contains(onlyNotes, full)
			if f.Values != nil {
				values = append(slices.Clone(values), uint64(slices.Max(f.Values))+1, 1<<(8*f.Size)-1)
				note = note || f.Level == tree.Note
			}
			if values == nil && strings.HasSuffix(f.Name, " offset") {
				values = []uint64{0xFFFFFFF0, 0} // beyond the file, or at the header
			}
			require.NotEmpty(t, values, "%s has no invalid value in the table", full)
			for _, p := range places[s.Name] {
				for _, v := range values {
					data := slices.Clone(p.data)
					at := p.at + entry*s.Size + f.Offset
					if s.Name == "DVLE" && p.at != places["DVLE"][0].at && !strings.Contains("type merge output maps main end of main geometry mode fixed mode: first uniform variable mode: full vertices fixed mode: vertices", f.Name) {
						continue // its tables are empty
					}
					if s.Name == "DVLE" && p.at == places["DVLE"][0].at && slices.Contains([]string{"fixed mode: first uniform", "fixed mode: vertices"}, f.Name) && v < 96 {
						continue // a vertex shader
					}
					switch f.Size {
					case 1:
						data[at] = byte(v)
					case 2:
						binary.LittleEndian.PutUint16(data[at:], uint16(v))
					default:
						binary.LittleEndian.PutUint32(data[at:], uint32(v))
					}
					if slices.Equal(data, p.data) {
						continue
					}
					valueCount++
					problems, notes, err := found(data)
					if note {
						before, and, _ := found(p.data) // nihstro's file has notes
						require.Greater(t, problems+notes, before+and, "%s = 0x%X passes", full, v)
						continue
					}
					if err == nil && problems == 0 {
						t.Errorf("%s = 0x%X passes (at 0x%X)", full, v, at)
					}
				}
			}
		}
	}
	for k := range badValues {
		require.True(t, used[k], "%s is no field", k)
	}
	t.Logf("%d fields of %d structures, %d values out of range, all found", fieldCount, len(shbin.Structures()), valueCount)
}

// Problems that involve several fields.
func TestShaderStructureIsChecked(t *testing.T) {
	for want, change := range map[string]func(f *shbin.File){
		"there is no DVLE":               func(f *shbin.File) { f.Executables = nil },
		`there are two labels "main"`:    func(f *shbin.File) { f.Executables[0].Labels[1].Name = "main" },
		`there are two uniforms "scale"`: func(f *shbin.File) { f.Executables[0].Uniforms[1].Name = "scale" },
		`c2 is the uniforms "projection" and "scale"`: func(f *shbin.File) {
			f.Executables[0].Uniforms[2] = shbin.Uniform{Start: 0x12, End: 0x12, Name: "scale"}
		},
		"c95 is among the constants twice": func(f *shbin.File) { e := &f.Executables[0]; e.Constants = append(e.Constants, e.Constants[2]) },
		"o0.y has two meanings":            func(f *shbin.File) { f.Executables[0].Outputs[1] = shbin.Output{Type: shbin.OutColor, Mask: 2} },
	} {
		f := testkit.Must(shbin.Parse(fullShbin(t)))(t)
		change(f)
		require.NoError(t, f.Layout())
		data := testkit.Must(f.Write())(t)
		d := opened(t, data)
		require.Contains(t, fmt.Sprint(d.Check()), want)
		require.NotZero(t, d.Check().Problems())
	}
	for _, data := range [][]byte{fullShbin(t), fullDVOJ(t)} {
		d := opened(t, append(data, 1, 2, 3, 4))
		require.Contains(t, fmt.Sprint(d.Check()), "4 bytes after the last table")
	}
}

// Golden file: findings and text for files of every format with one damaged position.
func TestDamagedFileFindings(t *testing.T) {
	all := samples()
	text := ""
	for _, name := range slices.Sorted(maps.Keys(all)) {
		data := all[name]
		step := map[string]int{"model.bch": 8004, "mali.mbs": 92, "resource.bcsdr": 28, "trace.ctf": 508, "trace.picatrace": 500, "object.dvoj": 5, "shader.shbin": 7, "list.bin": 3, "model.obj": 2, "picture.t3x": 6, "banner.bnr": 12}[name]
		if step == 0 {
			step = 11
		}
		text += name + "\n" + testkit.Damage(data, 0, len(data), step, testkit.Look(func(data []byte) (*Document, error) { return Open(data, formatOf[name]) }, func(d *Document) ([]string, string) {
			var b bytes.Buffer
			err := tree.WriteText(&b, d.Document, d.Check(), tree.Options{})
			return testkit.Sentences(d.Check()), fmt.Sprintf("%08x %v", crc32.ChecksumIEEE(b.Bytes()), err)
		}))
	}
	testkit.Golden(t, "testdata/damage.txt", []byte(text))
}
