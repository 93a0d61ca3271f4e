package geometry

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/shaderunit"
	"pica200/tests/testkit"
)

func newLanes(n int) *lanes {
	var l lanes
	for c := range l {
		l[c] = make([]float32, n)
		fill(l[c], -99)
	}
	return &l
}

func TestFetchFormats(t *testing.T) {
	f32 := func(v ...float32) (b []byte) {
		for _, x := range v {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
		return b
	}
	data := map[pica.AttribType][]byte{
		pica.AttribByte:  {0x80, 0xFF, 0x00, 0x7F},
		pica.AttribUByte: {0x80, 0xFF, 0x00, 0x7F},
		pica.AttribShort: {0x00, 0x80, 0xFF, 0xFF, 0x01, 0x00, 0xFF, 0x7F},
		pica.AttribFloat: f32(1.5, -2, 0.1, 1e30),
	}
	want := map[pica.AttribType][4]float32{
		pica.AttribByte:  {-128, -1, 0, 127},
		pica.AttribUByte: {128, 255, 0, 127},
		pica.AttribShort: {-32768, -1, 1, 32767},
		pica.AttribFloat: {1.5, -2, math.Float32frombits(math.Float32bits(0.1) &^ 0x7F), float32(math.Inf(1))},
	}
	for f, bytes := range data {
		for count := uint8(1); count <= 4; count++ {
			// Two vertices at stride 20 and offset 3; the second has the data.
			const offset, stride = 3, 20
			mem := make([]byte, offset+2*stride)
			copy(mem[offset+stride:], bytes)
			l := layout{}
			l.loaders[5] = loader{data: mem, stride: stride}
			a := attribute{array: true, format: f, count: count, loader: 5, offset: offset}
			dst := newLanes(4)
			l.fetch(&a, dst, []uint32{8, 7, 8}, 7)
			for c := range 4 {
				expect := [4]float32{0, 0, 0, 1}[c]
				if c < int(count) {
					expect = want[f][c]
				}
				require.Equal(t, expect, dst[c][0], "format %d, %d components, component %d", f, count, c)
				require.Equal(t, expect, dst[c][2])
				require.Equal(t, float32(-99), dst[c][3], "nothing is written after the last vertex")
			}
		}
	}
}

// Attributes go to the registers of both words of the permutation.
func TestAttributePermutation(t *testing.T) {
	r := new(pica.Regs)
	pica.ShInputCount.At(pica.OffsetVsh).Set(r, 11)
	r[pica.RegVshAttributesPermutationLow], r[pica.RegVshAttributesPermutationHigh] = 0x456789AB, 0xFFFF0123
	var l layout
	require.NoError(t, l.read(r, new([16][4]float32), Immediate))
	require.Equal(t, 12, l.n)
	require.Equal(t, uint16(0xFFF), l.registers)
	for i, a := range l.attributes[:l.n] {
		require.Equal(t, uint8(11-i), a.register, "attribute %d", i)
	}
}

// An array that no attribute reads may lie anywhere.
func TestUnusedArraysAreNotRead(t *testing.T) {
	draw := func(change func(*pica.Regs)) Output {
		d := newTestDraw(t, pica.PrimitiveTriangles)
		d.vertices([4]float32{0, 0, -0.5, 1}, [4]float32{0.5, 0, -0.5, 1}, [4]float32{0, 0.5, -0.5, 1})
		change(d.Regs)
		return d.draw(t)
	}
	want := draw(func(*pica.Regs) {})
	require.Len(t, want.Triangles, 1)
	require.Equal(t, want, draw(func(r *pica.Regs) {
		at := pica.RegAttribbuffer0Offset + pica.StrideAttribbuffer
		r[at], r[at+1], r[at+2] = 0x0F000000, 2, 1<<28|4<<16 // attribute 2, of which the shader reads nothing
	}))
}

func TestFetchFixed(t *testing.T) {
	l := layout{}
	dst := newLanes(3)
	l.fetch(&attribute{fixed: [4]float32{1, 2, 3, 4}}, dst, []uint32{0, 1}, 0)
	for c := range 4 {
		require.Equal(t, []float32{float32(c + 1), float32(c + 1), -99}, dst[c])
	}
}

// float24 of the loader agrees with shaderunit.ToFloat24.
func TestFloat24(t *testing.T) {
	values := []uint32{0, 0x80000000, 1, 0x007FFFFF, 0x7F800000, 0xFF800000, 0x7F7FFFFF, 0x3F800000, 0xBFFFFFFF,
		(127 - 62) << 23, (127-62)<<23 - 1, (127-63)<<23 | 0x7FFFFF, (127 + 63) << 23, (127+64)<<23 - 1, (127 + 64) << 23}
	x := uint32(12345)
	for range 10000 {
		x = x*1664525 + 1013904223
		values = append(values, x)
	}
	for _, bits := range values {
		want := shaderunit.ToFloat24(math.Float32frombits(bits))
		require.Equal(t, math.Float32bits(want), math.Float32bits(float24(bits)), "0x%08X", bits)
	}
	for _, nan := range []uint32{0x7FC00000, 0xFFC12345, 0x7F800001} {
		f := float24(nan)
		require.True(t, f != f, "0x%08X", nan)
	}
}

func TestVertexReuse(t *testing.T) {
	for _, wide := range []bool{false, true} {
		var r reuse
		b := indexBuffer{wide: wide}
		for _, i := range []uint16{5, 3, 5, 200, 3, 5, 0} {
			b.data = append(b.data, byte(i))
			if wide {
				b.data = append(b.data, byte(i>>8))
			}
		}
		require.Equal(t, 7, b.len())
		require.EqualValues(t, 200, b.at(3))
		for range 3 {
			r.begin()
			idx, ids := r.scan(b, nil, nil)
			require.Equal(t, []uint32{5, 3, 200, 0}, ids)
			require.Equal(t, []uint32{0, 1, 0, 2, 1, 0, 3}, idx)
		}
		r.begin()
		_, ids := r.scan(b.slice(2, 4), nil, nil)
		require.Equal(t, []uint32{5, 200}, ids)
		// The table is cleared when the generation counter overflows.
		r.generation = 1<<16 - 1
		r.begin()
		idx, ids := r.scan(b, nil, nil)
		require.Equal(t, []uint32{5, 3, 200, 0}, ids)
		require.Len(t, idx, 7)
	}
}

func TestVertexReuseOfEveryIndex(t *testing.T) {
	var r reuse
	b := indexBuffer{wide: true}
	for i := range indexRange {
		b.data = binary.LittleEndian.AppendUint16(b.data, uint16(indexRange-1-i))
	}
	r.begin()
	idx, ids := r.scan(b, nil, nil)
	require.Len(t, ids, indexRange)
	require.EqualValues(t, 0, ids[indexRange-1])
	require.EqualValues(t, indexRange-1, idx[indexRange-1])
	idx, ids = r.scan(b, idx, ids)
	require.Len(t, ids, indexRange)
	require.Equal(t, idx[:indexRange], idx[indexRange:])
}

// After the generation counter overflows, entries of earlier generations and unused slots are not found.
func TestVertexReuseAfterOverflow(t *testing.T) {
	b := indexBuffer{data: []byte{7, 9, 7}}
	for _, used := range []bool{true, false} {
		var r reuse
		if used {
			r.begin()
			r.scan(indexBuffer{data: []byte{9, 7}}, nil, nil)
		}
		r.generation = 1<<16 - 1
		for range 3 {
			r.begin()
			idx, ids := r.scan(b, nil, nil)
			require.Equal(t, []uint32{7, 9}, ids)
			require.Equal(t, []uint32{0, 1, 0}, idx)
		}
	}
}

func TestReadVertices(t *testing.T) {
	points := fiveOnACircle()
	d := newTestDraw(t, pica.PrimitiveTriangles)
	d.vertices(points...)
	pica.VertexOffset.Set(d.Regs, 2)
	pica.Numvertices.Set(d.Regs, 3)
	v := testkit.Must(ReadVertices(&d.Input))(t)
	require.Equal(t, 3, v.Count)
	require.Equal(t, []uint32{0, 1, 2}, v.Order)
	require.Equal(t, [4]float32{3, 0, 1, 255}, v.Inputs[1][1])
	require.Nil(t, v.Inputs[2])

	d = newTestDraw(t, pica.PrimitiveTriangles)
	d.vertices(points...)
	d.elements(true, 4, 2, 4, 0)
	v = testkit.Must(ReadVertices(&d.Input))(t)
	require.Equal(t, []uint32{0, 1, 0, 2}, v.Order)
	require.Equal(t, [][4]float32{{4, 0, 1, 255}, {2, 0, 1, 255}, {0, 0, 1, 255}}, v.Inputs[1])

	d.Kind, d.Immediate = Immediate, [][4]float32{{1}, {2}, {3}, {4}}
	v = testkit.Must(ReadVertices(&d.Input))(t)
	require.Equal(t, [][4]float32{{1}, {3}}, v.Inputs[0])
	require.Equal(t, [][4]float32{{2}, {4}}, v.Inputs[1])

	pica.Numvertices.Set(d.Regs, 1<<30)
	d.Kind = Arrays
	_, err := ReadVertices(&d.Input)
	require.ErrorContains(t, err, "the limit is")
}

// readOrder lists each vertex once, and indices into this list. In variable mode the sizes of primitives stay as they are.
func TestReadOrder(t *testing.T) {
	for _, c := range []struct {
		stage         pica.GeoStage
		mode          pica.GeometryMode
		ids, indices  []uint32
		wide          bool
		indicesOfDraw []int
	}{
		{pica.GeoStageOff, pica.GeometryModeVariable, []uint32{2, 7, 3}, []uint32{0, 1, 0, 2, 2, 1}, false, []int{2, 7, 2, 3, 3, 7}},
		{pica.GeoStageOn, pica.GeometryModePoint, []uint32{2, 7, 3}, []uint32{0, 1, 0, 2, 2, 1}, true, []int{2, 7, 2, 3, 3, 7}},
		{pica.GeoStageOn, pica.GeometryModeVariable, []uint32{7, 2, 3, 0x105}, []uint32{2, 0, 1, 3, 2, 2, 3, 1, 1}, true, []int{2, 7, 2, 3, 3, 3, 0x105, 1, 2}},
	} {
		d := newTestDraw(t, pica.PrimitiveTriangles)
		d.vertices(fiveOnACircle()...)
		d.elements(c.wide, c.indicesOfDraw...)
		pica.GeostageMode.Set(d.Regs, uint32(c.stage))
		pica.GshMode.Set(d.Regs, uint32(c.mode))
		ids, order, err := readOrder(&d.Input, len(c.indicesOfDraw))
		require.NoError(t, err)
		require.Equal(t, c.ids, ids)
		require.Equal(t, c.indices, order)
	}
}

// A draw of maxVertices vertices passes the limit (its memory is not mapped); one more is refused.
func TestVertexLimit(t *testing.T) {
	for _, kind := range []Kind{Arrays, Elements} {
		for n, want := range map[uint32]string{maxVertices: "not mapped", maxVertices + 1: "the limit is 16777216"} {
			d := newTestDraw(t, pica.PrimitiveTriangles)
			d.vertices(fiveOnACircle()...)
			d.Kind = kind
			pica.Numvertices.Set(d.Regs, n)
			var out Output
			require.ErrorContains(t, NewStage(1, nil).Draw(t.Context(), &d.Input, &out), want)
			if kind == Elements {
				_, err := ReadVertices(&d.Input)
				require.ErrorContains(t, err, "index array")
			}
		}
	}
}
