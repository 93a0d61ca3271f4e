package drawstate

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/fragment"
	"pica200/pica"
)

// A corner is matched to the nearest vertex within a subpixel, comparing depth as well.
func TestNearestVertex(t *testing.T) {
	list := []windowVertex{{7, 10, 20, 0.5}, {8, 10.05, 20, 0.5}, {9, 10, 20, 0.25}, {10, 30, 40, 1}}
	at := func(x, y, w float32) int {
		return nearest(list, fragment.VertexRecord{X: float32(x), Y: float32(y), InvW: float32(w)})
	}
	require.Equal(t, 7, at(10.01, 20, 0.5))
	require.Equal(t, 8, at(10.04, 20, 0.5))
	require.Equal(t, 9, at(10, 20, 0.25))
	require.Equal(t, 10, at(30.0625, 40, 1))
	require.Equal(t, 10, at(30, 39.9375, 1.0005))
	for _, far := range [][3]float32{{30.1, 40, 1}, {30, 40.1, 1}, {29.9, 40, 1}, {30, 40, 1.01}, {0, 0, 1}} {
		require.Equal(t, -1, at(far[0], far[1], far[2]), "%v", far)
	}
	exact := []windowVertex{{1, 0.07, 0, 1}, {2, 0, 0.07, 1}}
	require.Equal(t, 1, nearest(exact[:1], fragment.VertexRecord{InvW: 1}), "a vertex at the distance limit is found")
	require.Equal(t, 2, nearest(exact[1:], fragment.VertexRecord{InvW: 1}))
}

// The position can be in any outputs. Map entries apply to the outputs in the mask; there are seven entries.
func TestPositionOutputs(t *testing.T) {
	var r pica.Regs
	place := func(mask uint32, entries ...uint32) ([4][2]int, int, bool) {
		pica.ShOutmapMask.At(pica.OffsetVsh).Set(&r, mask)
		for i := range 7 {
			r[pica.RegShOutmapO0+pica.Reg(i)] = 0x1F1F1F1F
			if i < len(entries) {
				r[pica.RegShOutmapO0+pica.Reg(i)] = entries[i]
			}
		}
		return positionOutputs(&r, pica.OffsetVsh)
	}
	at, first, ok := place(1<<2|1<<5, 0x1F010003, 0x1F1F021F)
	require.True(t, ok)
	require.Equal(t, 2, first)
	require.Equal(t, [4][2]int{{2, 1}, {2, 2}, {5, 1}, {2, 0}}, at)
	_, first, ok = place(1<<15, 0x1F020100)
	require.False(t, ok)
	require.Equal(t, 15, first)
	_, first, ok = place(0, 0x03020100)
	require.False(t, ok)
	require.Equal(t, -1, first)
	at, _, ok = place(0xFF, 0x1F, 0x1F, 0x1F, 0x1F, 0x1F, 0x1F, 0x03020100)
	require.True(t, ok)
	require.Equal(t, [4][2]int{{6, 0}, {6, 1}, {6, 2}, {6, 3}}, at)
	// The register after the seventh entry is not part of the map.
	r[pica.RegShOutmapO0+7] = 0x03020100
	_, _, ok = place(0xFF)
	require.False(t, ok)
}
