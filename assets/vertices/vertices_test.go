package vertices

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/stretchr/testify/require"

	"pica200/assets/model"
	"pica200/tests/testkit"
)

func part(t *testing.T, data string, f Format, l Layout) (model.Part, *Table) {
	t.Helper()
	table := testkit.Must(Parse([]byte(data), f, l))(t, data)
	p := testkit.Must(table.Part())(t, data)
	return p, table
}

func TestCSV(t *testing.T) {
	want := model.Part{Material: -1, Positions: []mgl32.Vec3{{1, 2, 3}, {-4, 5.5, 6e-3}}, Colors: []mgl32.Vec4{{1, 0, 0.5, 1}, {0, 0, 0, 1}}}
	named := "x,y,z,r,g,b\n1,2,3,1,0,0.5\n-4,5.5,6e-3,0,0,0\n"
	colors := Layout{Elements: []Element{{Stream: "position"}, {Stream: "color", Size: 3}}}
	for name, c := range map[string]struct {
		text string
		l    Layout
	}{
		"names":              {named, Layout{}},
		"full names":         {"position.x,position.y,position.z,color.r,color.g,color.b\n1,2,3,1,0,0.5\n-4,5.5,6e-3,0,0,0", Layout{}},
		"semicolons":         {strings.ReplaceAll(named, ",", ";"), Layout{}},
		"tabs":               {strings.ReplaceAll(named, ",", "\t"), Layout{}},
		"returns":            {"\xEF\xBB\xBF" + strings.ReplaceAll(named, "\n", "\r\n"), Layout{}},
		"spaces":             {strings.ReplaceAll(named, ",", " , "), Layout{}},
		"comments":           {"# by hand, one line a vertex\n" + named + "# end\n\n", Layout{}},
		"quotes":             {strings.ReplaceAll(named, "x", `"x"`), Layout{}},
		"trailing commas":    {strings.ReplaceAll(named, "\n", ",\n"), Layout{}},
		"a layout":           {"1,2,3,1,0,0.5\n-4,5.5,6e-3,0,0,0\n", colors},
		"a layout and names": {"a,b,c,d,e,f\n1,2,3,1,0,0.5\n-4,5.5,6e-3,0,0,0\n", colors},
		"a column left out":  {"1,2,3,9,9,1,0,0.5\n-4,5.5,6e-3,9,9,0,0,0\n", Layout{Elements: []Element{{Stream: "position"}, {Size: 2}, {Stream: "color", Size: 3}}}},
		"scaled":             {"2,4,6,1,0,0.5\n-8,11,12e-3,0,0,0\n", Layout{Elements: []Element{{Stream: "position", Scale: 0.5}, {Stream: "color", Size: 3}}}},
		"counted":            {named + "7,7,7,7,7,7\n", Layout{Count: 2}},
	} {
		got, _ := part(t, c.text, CSV, c.l)
		require.Equal(t, want, got, name)
	}
}

func TestJSON(t *testing.T) {
	want := model.Part{Material: -1, Positions: []mgl32.Vec3{{1, 2, 3}, {4, 5, 6}}}
	want.UV[1] = []mgl32.Vec2{{0, 1}, {0.5, 0}}
	for name, c := range map[string]struct {
		text string
		l    Layout
	}{
		"streams":  {`{"position": [[1, 2, 3], [4, 5, 6]], "texcoord1": [[0, 1], [0.5, 0]]}`, Layout{}},
		"flat":     {`{"position": [1, 2, 3, 4, 5, 6], "texcoord1": [0, 1, 0.5, 0]}`, Layout{}},
		"scaled":   {`{"position": [10, 20, 30, 40, 50, 60], "texcoord1": [0, 1, 0.5, 0]}`, Layout{Elements: []Element{{Stream: "position", Scale: 0.1}}}},
		"vertices": {`[{"position": [1, 2, 3], "texcoord1": [0, 1]}, {"texcoord1": [0.5, 0], "position": [4, 5, 6]}]`, Layout{}},
		"rows":     {`[[1, 2, 3, 0, 1], [4, 5, 6, 0.5, 0]]`, Layout{Elements: []Element{{Stream: "position"}, {Stream: "texcoord1"}}}},
	} {
		got, _ := part(t, c.text, JSON, c.l)
		require.InDeltaSlice(t, want.Positions[1][:], got.Positions[1][:], 1e-6, name)
		require.Equal(t, want.UV, got.UV, name)
	}
	p, table := part(t, `{"indices": [[0, 1, 0], [1, 1, 0]], "position": [[1, 2], [3, 4]], "size": [[2], [3]], "joints": [[1], [2]], "v4": [[5, 6], [7, 8]]}`, JSON, Layout{})
	require.Equal(t, []uint32{0, 1, 0, 1, 1, 0}, table.Indices)
	require.Equal(t, []mgl32.Vec3{{1, 2, 0}, {3, 4, 0}}, p.Positions)
	require.Equal(t, []mgl32.Vec4{{2, 2, 1, 0}, {3, 3, 1, 0}}, p.Sizes)
	require.Equal(t, [][4]uint16{{1}, {2}}, p.Joints)
	require.Equal(t, []mgl32.Vec4{{5, 6, 0, 1}, {7, 8, 0, 1}}, p.Generic[4])
	p, _ = part(t, `[{"v0": [1, 2, 3, 4]}]`, JSON, Layout{})
	require.Len(t, p.Positions, 1, "without a position stream, positions are made for the count")
}

func TestBinary(t *testing.T) {
	var b []byte
	b = append(b, "head"...)
	for _, v := range [][3]int16{{100, -200, 300}, {-32768, 32767, 0}} {
		for _, x := range v {
			b = binary.LittleEndian.AppendUint16(b, uint16(x))
		}
		b = append(b, 0xEE, 0xEE) // skipped
		b = append(b, 255, 0, 128)
		b = append(b, 0xFE) // -2
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(0.25))
	}
	l := Layout{Offset: 4, Elements: []Element{{Stream: "position", Type: "short", Scale: 0.01}, {Size: 2}, {Stream: "color", Type: "ubyte", Size: 3, Scale: 1. / 255},
		{Stream: "v5", Type: "byte", Size: 1}, {Stream: "size", Type: "float", Size: 1}}}
	p, _ := part(t, string(b), Binary, l)
	require.Equal(t, []mgl32.Vec3{{1, -2, 3}, {-327.68, 327.67, 0}}, p.Positions)
	require.Equal(t, mgl32.Vec4{1, 0, float32(128. / 255), 1}, p.Colors[1])
	require.Equal(t, mgl32.Vec4{-2, 0, 0, 1}, p.Generic[5][0])
	require.Equal(t, mgl32.Vec4{0.25, 0.25, 1, 0}, p.Sizes[1])

	// The gap after the last vertex may be missing.
	l = Layout{Stride: 5, Elements: []Element{{Stream: "position", Type: "ubyte", Size: 3}}}
	p, _ = part(t, "\x01\x02\x03..\x04\x05\x06", Binary, l)
	require.Equal(t, []mgl32.Vec3{{1, 2, 3}, {4, 5, 6}}, p.Positions)
	l.Count = 1
	p, _ = part(t, "\x01\x02\x03..\x04\x05\x06.", Binary, l)
	require.Equal(t, []mgl32.Vec3{{1, 2, 3}}, p.Positions)
}

func TestIndexLists(t *testing.T) {
	for _, c := range []struct {
		data   string
		f      Format
		typ    string
		offset int64
		count  int
		want   []uint32
	}{
		{"0 1 2\n2, 1, 3; # two triangles\n", CSV, "", 0, 0, []uint32{0, 1, 2, 2, 1, 3}},
		{"0 1 2 3", CSV, "", 0, 3, []uint32{0, 1, 2}},
		{"[0, 1, 2]", JSON, "", 0, 0, []uint32{0, 1, 2}},
		{"[[0, 1], [2]]", JSON, "", 0, 0, []uint32{0, 1, 2}},
		{"\x01\x00\x02\x01", Binary, "", 0, 0, []uint32{1, 0x102}},
		{"\x01\x00\x02\x01", Binary, "ubyte", 2, 1, []uint32{2}},
		{"\x01\x00\x02\x01", Binary, "uint", 0, 0, []uint32{0x1020001}},
	} {
		got := testkit.Must(ParseIndices([]byte(c.data), c.f, c.typ, c.offset, c.count))(t, c.data)
		require.Equal(t, c.want, got, c.data)
	}
	for _, c := range []struct {
		data   string
		f      Format
		typ    string
		offset int64
		count  int
		want   string
	}{
		{"0 1\n2 x", CSV, "", 0, 0, `line 2: "x" is not an index; expected an integer from 0`},
		{"-1", CSV, "", 0, 0, "is not an index"}, {"1.5", CSV, "", 0, 0, "is not an index"}, {"4294967296", CSV, "", 0, 0, "is not an index"},
		{"[0, -1]", JSON, "", 0, 0, "line 1, column 7: -1 is not an index"}, {"[0.5]", JSON, "", 0, 0, "0.5 is not an index"}, {"[1e99]", JSON, "", 0, 0, "is not an index"},
		{"[[[0]]]", JSON, "", 0, 0, "expected an index, found ["}, {"[0", JSON, "", 0, 0, "line 1, column 3: the file ends too early"}, {"[0] 1", JSON, "", 0, 0, "something follows"},
		{`["0"]`, JSON, "", 0, 0, `expected an index, found "0"`}, {"{}", JSON, "", 0, 0, "expected [, found {"},
		{"abc", Binary, "", 0, 0, "3 bytes from offset 0 on are not a whole number of indices"}, {"abcd", Binary, "", 2, 2, "2 bytes from offset 2 on are 1 indices; 2 are wanted"},
		{"abcd", Binary, "", 5, 0, "an offset of 5; the file has 4 bytes"}, {"abcd", Binary, "float", 0, 0, "indices of type float; expected ubyte, ushort or uint"}, {"", Binary, "", -1, 0, "an offset of -1"},
		{"0", CSV, "", 0, 2, "the file has 1 indices; 2 are wanted"}, {"0", CSV, "ubyte", 0, 0, "type and offset are for binary files"}, {"0", CSV, "", 0, -1, "-1 indices"}, {"0", "xml", "", 0, 0, `no format "xml"`},
	} {
		_, err := ParseIndices([]byte(c.data), c.f, c.typ, c.offset, c.count)
		require.ErrorContains(t, err, c.want, c.data)
	}
}

// Errors name the position in the file and the expected input.
func TestErrorsNamePlaceAndExpectation(t *testing.T) {
	pos := Layout{Elements: []Element{{Stream: "position"}}}
	bytes := func(e ...Element) Layout { return Layout{Elements: e} }
	float := func(v float32) string { return string(binary.LittleEndian.AppendUint32(nil, math.Float32bits(v))) }
	for _, c := range []struct {
		data string
		f    Format
		l    Layout
		want string
	}{
		{"", CSV, Layout{}, "the file has no vertices"},
		{"x,y,z\n", CSV, Layout{}, "the file has no vertices"},
		{"1,2,3\n", CSV, Layout{}, "line 1, column 1: the file does not name its columns"},
		{"x,y,z\n1,2\n", CSV, Layout{}, "line 2, column 1: 2 numbers; expected 3"},
		{"x,y,z\n1,2,3,4\n", CSV, Layout{}, "line 2, column 1: 4 numbers; expected 3"},
		{"x,y,z\n1,two,3\n", CSV, Layout{}, `line 2, column 3: expected a number for position, found "two"`},
		{"x,y,z\n1,,3\n", CSV, Layout{}, `expected a number for position, found ""`},
		{"x,y,z\n1,NaN,3\n", CSV, Layout{}, "line 2, column 3: position is NaN; expected a finite number"},
		{"x,y,z\n1,-inf,3\n", CSV, Layout{}, "position is -Inf"},
		{"x,y,z\n1,1e39,3\n", CSV, Layout{}, "position is 1e+39; expected a finite number"},
		{"x,y,z\n1,1e999,3\n", CSV, Layout{}, "expected a number for position"},
		{"x,y,q\n", CSV, Layout{}, `column "q" is none of x, y, z`},
		{"x,z,y\n", CSV, Layout{}, `column "z": the components of position must be next to each other, in order`},
		{"x,u,y\n", CSV, Layout{}, `column "y": the components of position`},
		{"x,y,z,position.w\n", CSV, Layout{}, "at most 3 of them"},
		{"x,x\n", CSV, Layout{}, "in order"},
		{"v99.x\n1\n", CSV, Layout{}, `column "v99.x" is none of`},
		{"1,\"2,3\n", CSV, pos, "line 1: a quoted name that does not end in its line"},
		{"1,\"2\"x\",3\"\n", CSV, pos, "line 1, column"},
		{"1,2,3\n" + strings.Repeat(",", 1<<16+1), CSV, pos, "line 2: 65537 characters; expected at most 65536"},
		{"r,g,b\n1,1,1\n", CSV, Layout{}, "the vertices have no position"},
		{"joints.x\n0.5\n", CSV, Layout{}, "joints are 0.5; expected integers from 0 to 65535"},
		{"joints.x\n-1\n", CSV, Layout{}, "joints are -1"},
		{"1,2,3", CSV, Layout{Stride: 4, Elements: pos.Elements}, "offset and stride are for binary files"},
		{"1,2,3", CSV, Layout{Count: 2, Elements: pos.Elements}, "the file has 1 vertices; the layout says 2"},
		{"", JSON, Layout{}, "line 1, column 1: the file ends too early"},
		{"3", JSON, Layout{}, "expected an object of streams or a list of vertices, found 3"},
		{"{", JSON, Layout{}, "the file ends too early"},
		{"[]", JSON, Layout{}, "the file has no vertices"},
		{"{}", JSON, Layout{}, "the file has no vertices"},
		{"{\"position\": [[1, 2, 3]]}\n}", JSON, Layout{}, "something follows the end"},
		{`{"pos": [[1, 2, 3]]}`, JSON, Layout{}, `there is no stream "pos"; there are indices, position`},
		{`{"position": [[1, 2, 3], [1, 2]]}`, JSON, Layout{}, "2 numbers of position; expected 3"},
		{`{"position": [[1, 2, 3, 4]]}`, JSON, Layout{}, "more than 3 numbers of position"},
		{`{"position": [[]]}`, JSON, Layout{}, "0 numbers of position; expected 1"},
		{`{"position": []}`, JSON, Layout{}, "0 numbers of position; expected so many of"},
		{`{"position": [1, 2]}`, JSON, Layout{}, "2 numbers of position; expected so many of 3 each"},
		{`{"position": [["1", 2, 3]]}`, JSON, Layout{}, `expected a number of position, found "1"`},
		{`{"position": [null]}`, JSON, Layout{}, "expected numbers of position, found null"},
		{`{"position": 1}`, JSON, Layout{}, "expected [, found 1"},
		{`{"position": [{"x": 1}]}`, JSON, Layout{}, "expected a list of numbers of position, found {"},
		{`{"position": [[1e39, 2, 3]]}`, JSON, Layout{}, "position is 1e+39; expected a finite number"},
		{`{"position": [[1e999, 2, 3]]}`, JSON, Layout{}, "line 1, column"},
		{`{"position": [[1, 2, 3]], "color": [[1, 1, 1], [0, 0, 0]]}`, JSON, Layout{}, "2 of color; expected 1, as many as of position"},
		{`{"position": [[1, 2, 3]], "position": [[1, 2, 3]]}`, JSON, Layout{}, "position appears twice"},
		{`{"indices": [0], "indices": [0]}`, JSON, Layout{}, "there are two lists of indices"},
		{`{"position": [[1, 2, 3]], "indices": [0, 1]}`, JSON, Layout{}, "index 1 is 1; there are 1 vertices"},
		{`[[1, 2, 3]]`, JSON, Layout{}, "a vertex that is a list of numbers, and there is no layout"},
		{`[[1, 2]]`, JSON, pos, "2 numbers of a vertex; expected 3"},
		{`[[1, 2, 3, 4]]`, JSON, pos, "more than 3 numbers of a vertex"},
		{`[[1, true, 3]]`, JSON, pos, "expected a number, found true"},
		{`[1]`, JSON, pos, "expected a vertex"},
		{`[{"position": [1, 2, 3]}, {"color": [1, 1, 1]}]`, JSON, Layout{}, "the first vertex has no color"},
		{`[{"position": [1, 2, 3], "color": [1, 1, 1]}, {"position": [1, 2, 3]}]`, JSON, Layout{}, "a vertex with 1 streams; expected 2"},
		{`[{"position": [1, 2, 3], "position": [1, 2, 3]}]`, JSON, Layout{}, "position appears twice"},
		{`[{"color": 1, "color": 2}]`, JSON, Layout{}, "color appears twice"},
		{`[{"color": 1}, {"color": [1, 2]}]`, JSON, Layout{}, "more than 1 numbers of color"},
		{`[{"position": [1], "color": 1}, {"position": [2], "color": 2}, {"position": [3], "color": 3}]`, JSON, Layout{}, ""},
		{`[{}]`, JSON, Layout{}, "a vertex with 0 streams; expected 1"},
		{`[{"position": [1, 2, 3]}, [1, 2, 3]]`, JSON, pos, "not all vertices have position"},
		{`[[1, 2, 3], {"position": [1, 2, 3]}]`, JSON, Layout{Elements: []Element{{Stream: "position"}}}, ""},
		{strings.Repeat("[", 20000), JSON, pos, "expected a number, found ["},
		{"abc", Binary, Layout{}, "a binary file needs a layout"},
		{"abc", Binary, pos, "3 bytes follow the last of 0 vertices of 12 bytes; count says how many there are"},
		{strings.Repeat(".", 25), Binary, pos, "1 bytes follow the last of 2 vertices"},
		{"", Binary, pos, "the file has no vertices"},
		{float(1) + float(float32(math.NaN())) + float(1), Binary, pos, "byte 0x4, vertex 0: position is NaN; expected a finite number"},
		{strings.Repeat(".", 24), Binary, Layout{Elements: pos.Elements, Stride: 8}, "a stride of 8 bytes; a vertex takes 12"},
		{strings.Repeat(".", 24), Binary, Layout{Elements: pos.Elements, Count: 3}, "24 bytes from offset 0 on are 2 vertices of 12 bytes; the layout says 3"},
		{strings.Repeat(".", 24), Binary, Layout{Elements: pos.Elements, Offset: 25}, "an offset of 25; the file has 24 bytes"},
		{"", Binary, Layout{Elements: pos.Elements, Offset: -1}, "an offset of -1 bytes"},
		{"", Binary, Layout{Elements: pos.Elements, Stride: -4}, "a stride of -4 bytes; expected 1 to 65536"},
		{"", Binary, Layout{Elements: pos.Elements, Stride: 1 << 30}, "a stride of 1073741824 bytes"},
		{"", Binary, Layout{Elements: pos.Elements, Count: -1}, "-1 vertices; expected 1 to"},
		{"", Binary, Layout{Elements: pos.Elements, Count: math.MaxInt}, fmt.Sprintf("%d vertices", math.MaxInt)},
		{"", Binary, bytes(Element{Stream: "position", Size: 4}), "element 0 of the layout: 4 numbers of position; expected 1 to 3"},
		{"", Binary, bytes(Element{Stream: "position", Size: -1}), "-1 numbers of position"},
		{"", Binary, bytes(Element{Stream: "pos"}), `there is no stream "pos"`},
		{"", Binary, bytes(Element{Stream: "position", Type: "half"}), `there is no type "half"; there are byte, ubyte, short`},
		{"", Binary, bytes(Element{Stream: "position"}, Element{Stream: "position"}), "element 1 of the layout: position appears twice"},
		{"", Binary, bytes(Element{}), "element 0 of the layout skips 0; expected 1 to 65536"},
		{"", Binary, bytes(Element{Size: 1 << 20}), "skips 1048576"},
		{"", Binary, bytes(Element{Stream: "position", Scale: math.Inf(1)}), "a scale of +Inf"},
		{"", Binary, Layout{Elements: make([]Element, 33)}, "a layout of 33 elements; expected at most 32"},
		{"", Binary, bytes(Element{Size: 1 << 16}, Element{Stream: "position"}), "vertices of 65548 bytes"},
		{"", "xml", Layout{}, `there is no format "xml"`},
	} {
		table, err := Parse([]byte(c.data), c.f, c.l)
		if err == nil {
			_, err = table.Part()
		}
		if c.want == "" {
			require.NoError(t, err, c.data)
			continue
		}
		require.ErrorContains(t, err, c.want, "%.40q %+v", c.data, c.l)
	}
}

// The size of a file is bounded.
func TestFileSizeLimit(t *testing.T) {
	one := Layout{Elements: []Element{{Stream: "position", Type: "ubyte", Size: 1}}}
	table := testkit.Must(Parse(make([]byte, MaxVertices), Binary, one))(t)
	require.Equal(t, MaxVertices, table.Numbers())
	_, err := Parse(make([]byte, MaxVertices+1), Binary, one)
	require.ErrorContains(t, err, "more than 1048576 vertices")
	wide := Layout{}
	for i := range 16 {
		wide.Elements = append(wide.Elements, Element{Stream: fmt.Sprintf("v%d", i), Type: "byte"})
	}
	_, err = Parse(make([]byte, 64*(maxNumbers/64+1)), Binary, wide)
	require.ErrorContains(t, err, "or 8388608 numbers")
	_, err = Parse(make([]byte, MaxBytes+1), Binary, one)
	require.ErrorContains(t, err, "33554433 bytes; expected at most 33554432")
	_, err = ParseIndices(make([]byte, MaxBytes+1), Binary, "", 0, 0)
	require.ErrorContains(t, err, "expected at most")
	_, err = ParseIndices(make([]byte, MaxIndices+1), Binary, "ubyte", 0, 0)
	require.ErrorContains(t, err, "more than 4194304 indices")
	_, err = Parse([]byte("x\n"+strings.Repeat("1\n", MaxVertices+1)), CSV, Layout{})
	require.ErrorContains(t, err, "line 1048578, column 1: more than 1048576 vertices")
}

func TestFormatOf(t *testing.T) {
	for name, want := range map[string]Format{"a.CSV": CSV, "a.tsv": CSV, "a.txt": CSV, "a.json": JSON, "a.bin": Binary, "a": Binary} {
		require.Equal(t, want, FormatOf(name))
	}
}

func FuzzVertices(f *testing.F) {
	f.Add([]byte("x,y,z,u,v\n1,2,3,0,0\n4,5,6,1,1\n"), uint8(0), uint32(0), int64(0), 0, 0)
	f.Add([]byte("1;2;3\n4;5;6\n"), uint8(0), uint32(1), int64(0), 0, 1)
	f.Add([]byte(`{"position": [[1, 2, 3]], "indices": [0, 0, 0], "color": [1, 1, 1, 1]}`), uint8(1), uint32(0), int64(0), 0, 0)
	f.Add([]byte(`[{"position": [1, 2, 3], "v1": 2}]`), uint8(1), uint32(0), int64(0), 0, 0)
	f.Add([]byte(`[[1, 2, 3, 4]]`), uint8(1), uint32(0x201), int64(0), 0, 0)
	f.Add(make([]byte, 64), uint8(2), uint32(0x80402010), int64(3), 20, 2)
	f.Fuzz(func(t *testing.T, data []byte, format uint8, layout uint32, offset int64, stride, count int) {
		l := Layout{Offset: offset, Stride: stride, Count: count}
		for ; layout != 0; layout >>= 8 {
			b := int(layout)
			e := Element{Stream: Streams[b%len(Streams)], Type: Types[b/32%len(Types)], Size: b & 3, Scale: 0.5}
			if b%7 == 0 {
				e = Element{Size: b & 15}
			}
			l.Elements = append(l.Elements, e)
		}
		table, err := Parse(data, Format(Formats[int(format)%len(Formats)]), l)
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		require.Positive(t, table.Count)
		require.LessOrEqual(t, table.Numbers(), 2*len(data), "the count is bounded by the file's size")
		p, err := table.Part()
		if err != nil {
			return
		}
		require.Len(t, p.Positions, table.Count)
		parts, err := model.NewParts(p, table.Indices, model.SmoothNormals)
		if err != nil {
			return
		}
		for i := range parts {
			for _, v := range parts[i].Indices {
				require.Less(t, int(v), len(parts[i].Positions))
			}
			require.Len(t, parts[i].Normals, len(parts[i].Positions))
		}
	})
}

func FuzzIndices(f *testing.F) {
	f.Add([]byte("0 1 2, 3"), uint8(0), uint8(0), int64(0), 0)
	f.Add([]byte("[[0, 1, 2], 3]"), uint8(1), uint8(0), int64(0), 2)
	f.Add([]byte("abcdef"), uint8(2), uint8(3), int64(2), 2)
	f.Fuzz(func(t *testing.T, data []byte, format, typ uint8, offset int64, count int) {
		list, err := ParseIndices(data, Format(Formats[int(format)%len(Formats)]), append([]string{""}, Types...)[int(typ)%(len(Types)+1)], offset, count)
		if err != nil {
			return
		}
		require.LessOrEqual(t, len(list), len(data))
		if count > 0 {
			require.Len(t, list, count)
		}
	})
}

// The separator is the one in the first line with content: comma before semicolon before tab.
func TestCSVSeparators(t *testing.T) {
	for text, want := range map[string]rune{
		"a,b": ',', "a;b": ';', "a\tb": '\t', "a;b,c": ',', "a\tb;c": ';', ";": ';', ",": ',', ";a\tb": ';', ",a;b": ',', "a b": ',', "": ',',
		"# a;b\n\n  \na\tb\n1,2\n": '\t', "a\n1;2\n": ',', "  #x,y\n;": ';',
	} {
		require.Equal(t, want, separator([]byte(text)), "%q", text)
	}
}

// Index lists as text: separators, invalid indices, and the limit.
func TestIndicesAsText(t *testing.T) {
	list := testkit.Must(textIndices([]byte("1,2;3 4\t5\r\n# 9\n6 # 7\n\n4294967295")))(t)
	require.Equal(t, []uint32{1, 2, 3, 4, 5, 6, 4294967295}, list)
	for text, want := range map[string]string{"1\n-1": `line 2: "-1" is not an index; expected an integer from 0`, "4294967296": "line 1: ", "1.5": "is not an index", "a": `"a" is not an index`} {
		_, err := textIndices([]byte(text))
		require.ErrorContains(t, err, want)
	}
	most := bytes.Repeat([]byte("7 "), MaxIndices)
	list = testkit.Must(textIndices(most))(t)
	require.Len(t, list, MaxIndices)
	_, err := textIndices(append(most, "\n8"...))
	require.EqualError(t, err, fmt.Sprintf("line 2: more than %d indices", MaxIndices))
	for v, want := range map[float64]bool{0: true, 4294967295: true, 4294967296: false, -1: false, 1.5: false} {
		n, err := index(v)
		require.Equal(t, want, err == nil, v)
		require.True(t, !want || float64(n) == v)
	}
}

// Missing components of a stream are 0, or 1 where that is neutral: colour, tangent, position.
func TestMissingComponentDefaults(t *testing.T) {
	for text, want := range map[string]func(p *model.Part) any{
		`"color": [[9, 8]]`:         func(p *model.Part) any { return p.Colors[0] == mgl32.Vec4{9, 8, 1, 1} },
		`"color": [[9]]`:            func(p *model.Part) any { return p.Colors[0] == mgl32.Vec4{9, 1, 1, 1} },
		`"color": [[9, 8, 7, 6]]`:   func(p *model.Part) any { return p.Colors[0] == mgl32.Vec4{9, 8, 7, 6} },
		`"weights": [[9]]`:          func(p *model.Part) any { return p.Weights[0] == mgl32.Vec4{9} },
		`"tangent": [[9]]`:          func(p *model.Part) any { return p.Tangents[0] == mgl32.Vec4{9, 0, 0, 1} },
		`"size": [[9]]`:             func(p *model.Part) any { return p.Sizes[0] == mgl32.Vec4{9, 9, 1, 0} },
		`"size": [[9, 8]]`:          func(p *model.Part) any { return p.Sizes[0] == mgl32.Vec4{9, 8, 1, 0} },
		`"size": [[9, 8, 7]]`:       func(p *model.Part) any { return p.Sizes[0] == mgl32.Vec4{9, 8, 7, 0} },
		`"joints": [[9, 8]]`:        func(p *model.Part) any { return p.Joints[0] == [4]uint16{9, 8} },
		`"v7": [[9, 8]]`:            func(p *model.Part) any { return p.Generic[7][0] == mgl32.Vec4{9, 8, 0, 1} },
		`"normal": [[9, 8]]`:        func(p *model.Part) any { return p.Normals[0] == mgl32.Vec3{9, 8} },
		`"texcoord2": [[9]]`:        func(p *model.Part) any { return p.UV[2][0] == mgl32.Vec2{9} },
		`"v15": [[9]], "v0": [[8]]`: func(p *model.Part) any { return p.Generic[15][0] == mgl32.Vec4{9, 0, 0, 1} && p.Generic[0][0][0] == 8 },
	} {
		p, _ := part(t, `{"position": [[1, 2, 3]], `+text+`}`, JSON, Layout{})
		require.Equal(t, true, want(&p), text)
		require.Equal(t, []mgl32.Vec3{{1, 2, 3}}, p.Positions)
	}
	p, _ := part(t, `{"position": [[4]]}`, JSON, Layout{})
	require.Equal(t, []mgl32.Vec3{{4}}, p.Positions)
}

// Exactly count binary indices are read.
func TestBinaryIndexCount(t *testing.T) {
	for count, want := range map[int][]uint32{1: {0x0201}, 2: {0x0201, 0x0403}} {
		list := testkit.Must(binaryIndices([]byte{9, 1, 2, 3, 4}, "ushort", 1, count))(t)
		require.Equal(t, want, list)
	}
	_, err := binaryIndices([]byte{9, 1, 2, 3, 4}, "ushort", 1, 3)
	require.EqualError(t, err, "4 bytes from offset 1 on are 2 indices; 3 are wanted")
}
