package pipeline_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// drawn draws setUp's two triangles after register writes and returns which pixels have a colour.
func drawn(t *testing.T, write func(w *pica.CommandWriter)) (got [32][32]bool) {
	t.Helper()
	g := setUp(t, pipeline.Options{Workers: 1})
	defer g.Close()
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

// Scissor modes: 1 excludes the rectangle, 3 draws inside it, including its last column and row; 0 and 2 are off.
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

// The early depth test changes no pixel; on the console it only saves time.
func TestEarlyDepthChangesNoPixel(t *testing.T) {
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

// Coverage is that of the triangles, whatever would hide them, and separate for each draw.
func TestCoverageIgnoresPixelTests(t *testing.T) {
	hidden := map[string]func(w *pica.CommandWriter){
		"nothing": func(*pica.CommandWriter) {},
		"scissor": func(w *pica.CommandWriter) { w.WriteRun(pica.RegScissortestMode, 3, 0, 0) },
		"culling": func(w *pica.CommandWriter) { w.Write(pica.RegFacecullingConfig, uint32(pica.CullFront)) },
		"alpha":   func(w *pica.CommandWriter) { w.Write(pica.RegFragopAlphaTest, 1) },
		"stencil": func(w *pica.CommandWriter) { w.Write(pica.RegStencilTest, 0xFF00FF01) },
		"depth":   func(w *pica.CommandWriter) { w.Write(pica.RegDepthColorMask, 0x1F01) },
		"masks":   func(w *pica.CommandWriter) { w.Write(pica.RegDepthColorMask, 0x1060) },
		"shadow":  func(w *pica.CommandWriter) { w.Write(pica.RegColorOperation, uint32(pica.FragmentModeShadow)) },
		"blend":   func(w *pica.CommandWriter) { w.Write(pica.RegBlendFunc, 0) },
		"access":  func(w *pica.CommandWriter) { w.WriteRun(pica.RegColorbufferRead, 0, 0, 0, 0) },
	}
	var want [2][]uint32
	plain := drawn(t, hidden["nothing"])
	for _, first := range []string{"nothing", ""} {
		for name, hide := range hidden {
			if (name == first) != (first != "") {
				continue
			}
			commands := list(func(w *pica.CommandWriter) {
				hide(w)
				for from := range uint32(2) { // one triangle each
					w.Write(pica.RegVertexOffset, 3*from)
					w.Write(pica.RegNumvertices, 3)
					w.Write(pica.RegDrawarrays, 1)
				}
			})
			var out bytes.Buffer
			w := testkit.Must(picatrace.NewWriter(&out, picatrace.Meta{}, picatrace.State{}, picatrace.WriterOptions{}))(t)
			require.NoError(t, w.Load(vertexAddr, triangles()))
			for _, l := range [][]byte{(&pica.CommandWriter{Words: setUpWords(t)}).Bytes(), commands} {
				require.NoError(t, w.Load(listAddr, l))
				require.NoError(t, w.Add(picatrace.Event{Kind: picatrace.List, Words: [7]uint32{listAddr, uint32(len(l))}}))
			}
			require.NoError(t, w.Close())
			trace := states.Parse(t, out.Bytes())
			r := pipeline.ReplayerFor(t, trace, pipeline.ReplayerOptions{})
			var got [2][]uint32
			require.NoError(t, r.Coverage(t.Context(), 0, func(draw int, addrs []uint32) { got[draw] = append(got[draw], addrs...) }))
			if name == "nothing" {
				want = got
				seen := map[uint32]bool{}
				for _, addr := range append(append([]uint32{}, got[0]...), got[1]...) {
					seen[addr] = true
				}
				for y := range uint32(32) {
					for x := range uint32(32) {
						require.Equal(t, plain[y][x], seen[pica.VRAMBase+4*pica.Tiled8.Index(32, x, 31-y)], "%d,%d", x, y)
					}
				}
			}
			require.Equal(t, want, got, name)
		}
	}
}
