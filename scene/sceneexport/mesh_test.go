package sceneexport

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/geometry"
)

// Meshes are equal if all their contents are; equal concatenated bytes of vertices and indices do not suffice.
func TestMeshesByContents(t *testing.T) {
	var m meshes
	m.known = map[string]int{}
	vertices := func(n int) *geometry.Vertices {
		v := &geometry.Vertices{Count: n}
		for i := range n {
			v.Inputs[2] = append(v.Inputs[2], [4]float32{float32(i), 1, 2, 3})
		}
		return v
	}
	small := vertices(4)
	for i := range 24 {
		small.Order = append(small.Order, uint32(i%4))
	}
	small.Order = append(small.Order, 0, 1, 2)
	large := vertices(7)
	for i := 4; i < 7; i++ {
		for k := range 4 { // two indices per number
			at := 8*(i-4) + 2*k
			large.Inputs[2][i][k] = math.Float32frombits(small.Order[at] | small.Order[at+1]<<16)
		}
	}
	large.Order = []uint32{0, 1, 2}
	other := vertices(4)
	other.Order = small.Order
	other.Inputs[3], other.Inputs[2] = other.Inputs[2], nil
	var numbers []int
	for _, v := range []*geometry.Vertices{small, large, other, small, large, other} {
		numbers = append(numbers, m.add(&draw{}, v, false))
	}
	require.Equal(t, []int{0, 1, 2, 0, 1, 2}, numbers)
}
