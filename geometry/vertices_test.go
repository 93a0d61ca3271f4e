package geometry

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/tests/testkit"
)

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
