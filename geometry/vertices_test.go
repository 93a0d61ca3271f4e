package geometry

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
)

func TestReadVertices(t *testing.T) {
	points := fiveOnACircle()
	d := newTestDraw(t, pica.PrimitiveTriangles)
	d.vertices(points...)
	pica.VertexOffset.Set(d.Regs, 2)
	pica.Numvertices.Set(d.Regs, 3)
	v, err := ReadVertices(&d.Input)
	require.NoError(t, err)
	require.Equal(t, 3, v.Count)
	require.Equal(t, []uint32{0, 1, 2}, v.Order)
	require.Equal(t, [4]float32{3, 0, 1, 255}, v.Inputs[1][1])
	require.Nil(t, v.Inputs[2])

	d = newTestDraw(t, pica.PrimitiveTriangles)
	d.vertices(points...)
	d.elements(true, 4, 2, 4, 0)
	v, err = ReadVertices(&d.Input)
	require.NoError(t, err)
	require.Equal(t, []uint32{0, 1, 0, 2}, v.Order)
	require.Equal(t, [][4]float32{{4, 0, 1, 255}, {2, 0, 1, 255}, {0, 0, 1, 255}}, v.Inputs[1])

	d.Kind, d.Immediate = Immediate, [][4]float32{{1}, {2}, {3}, {4}}
	v, err = ReadVertices(&d.Input)
	require.NoError(t, err)
	require.Equal(t, [][4]float32{{1}, {3}}, v.Inputs[0])
	require.Equal(t, [][4]float32{{2}, {4}}, v.Inputs[1])

	pica.Numvertices.Set(d.Regs, 1<<30)
	d.Kind = Arrays
	_, err = ReadVertices(&d.Input)
	require.ErrorContains(t, err, "the limit is")
}
