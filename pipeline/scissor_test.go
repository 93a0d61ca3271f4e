package pipeline_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/pipeline"
)

// drawn draws the two triangles of setUp after writes to registers and tells
// which pixels of the target got a colour.
func drawn(t *testing.T, write func(w *pica.CommandWriter)) (got [32][32]bool) {
	t.Helper()
	g := setUp(t, pipeline.Options{Workers: 1})
	var w pica.CommandWriter
	write(&w)
	w.Write(pica.RegNumvertices, 6)
	w.Write(pica.RegDrawarrays, 1)
	w.Finish()
	run(t, g, w.Bytes())
	for y := range got {
		for x := range got[y] {
			got[y][x] = pixel(t, g, x, y) != [4]uint8{}
		}
	}
	return got
}

// The four scissor modes: 1 leaves the rectangle out, 3 draws inside only, its
// last column and row included; 0 and 2 are off.
func TestScissorModes(t *testing.T) {
	whole := drawn(t, func(w *pica.CommandWriter) {})
	for mode := range uint32(4) {
		got := drawn(t, func(w *pica.CommandWriter) {
			w.WriteRun(pica.RegScissortestMode, mode, 4<<16|3, 20<<16|25)
		})
		count := 0
		for y := range got {
			for x := range got[y] {
				in := x >= 3 && x <= 25 && y >= 4 && y <= 20
				want := whole[y][x]
				if mode == 1 && in || mode == 3 && !in {
					want = false
				}
				require.Equal(t, want, got[y][x], "mode %d at %d,%d", mode, x, y)
				if want {
					count++
				}
			}
		}
		require.NotZero(t, count)
	}
}

// The early depth test saves the console time and changes no pixel.
func TestEarlyDepthRegisters(t *testing.T) {
	whole := drawn(t, func(w *pica.CommandWriter) {})
	for function := range uint32(4) {
		require.Equal(t, whole, drawn(t, func(w *pica.CommandWriter) {
			w.Write(pica.RegEarlydepthFunc, function)
			w.Write(pica.RegEarlydepthTest1, 1)
			w.Write(pica.RegEarlydepthTest2, 1)
			w.Write(pica.RegEarlydepthData, 0)
			w.Write(pica.RegEarlydepthClear, 1)
		}))
	}
}
