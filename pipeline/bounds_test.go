package pipeline_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/internal/demo"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// measured returns all recorded traces, our own, and the scene that is recorded for measuring.
func measured(t *testing.T) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for name, still := range map[string]bool{"still": true, "moving": false} {
		all[name] = testkit.Must(demo.Moving(t.Context(), 3, still))(t)
	}
	for _, file := range testkit.Traces(t) {
		all[file.Name] = file.Read(t)
	}
	return all
}

// TestSteadyStateAllocatesNothing replays every trace repeatedly: once buffers have grown and states are compiled, nothing is
// allocated, neither where draws find the values of earlier ones nor where all are computed anew. With several workers there are a
// few allocations, for example for waiting goroutines, but none per loop; a frame has hundreds of loops.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	if testkit.Race {
		t.Skip("the race detector allocates")
	}
	for name, data := range measured(t) {
		t.Run(name, func(t *testing.T) {
			trace := states.Parse(t, data)
			for _, c := range []struct {
				workers int
				anew    bool
				most    float64
			}{{1, false, 0}, {1, true, 0}, {3, false, 100}} {
				p := pipeline.PlayerFor(t, trace, pipeline.Options{Workers: c.workers})
				p.GPU.MakeAnew(c.anew)
				for range 2 {
					again(t, p)
				}
				c.most += 3 * float64(len(p.GPU.Warnings())) // their list is made anew after going back
				require.LessOrEqual(t, testing.AllocsPerRun(2, func() { again(t, p) }), c.most, "%d workers, anew: %v", c.workers, c.anew)
			}
		})
	}
}

// again draws all frames from the first on. It returns the number of programs compiled.
func again(t testing.TB, p *pipeline.Player) (compiled uint64) {
	require.NoError(t, p.Rewind())
	for range p.Frames() {
		f, err := p.NextFrame(context.Background())
		require.NoError(t, err)
		compiled += f.Stats.Compiled
	}
	return compiled
}

// TestRecompiledProgramsDrawTheSame computes values for each draw anew and recompiles programs: the pictures are the same.
func TestRecompiledProgramsDrawTheSame(t *testing.T) {
	for _, file := range testkit.Named(t, "lights", "shadow", "gas", "b_state") {
		t.Run(file.Name, func(t *testing.T) {
			p := pipeline.PlayerFor(t, states.Parse(t, file.Read(t)), pipeline.Options{Workers: 1})
			pixels := func() []byte { return testkit.Must(p.GPU.Read(p.GPU.LastTargetMemory()))(t) }
			first := again(t, p)
			require.NotZero(t, first)
			want := slices.Clone(pixels())
			p.GPU.MakeAnew(true)
			require.Zero(t, again(t, p), "new values compile no programs")
			require.Equal(t, want, pixels())
			require.NoError(t, p.GPU.ForgetPrograms(t.Context()))
			compiled := again(t, p)
			require.Equal(t, want, pixels())
			require.NotZero(t, compiled)
			require.LessOrEqual(t, compiled, first)
		})
	}
}

// BenchmarkManyCores prints how many times as fast 2, 4, 8 and 16 workers draw, by simulation, and with 2 also measured.
func BenchmarkManyCores(b *testing.B) {
	traces := testkit.Named(b, "b_vertex", "b_tiny", "b_state", "b_game", "b_fill", "b_light")
	moving := testkit.Must(demo.Moving(b.Context(), 1, false))(b)
	for i := range len(traces) + 1 {
		name, data := "moving", moving
		if i < len(traces) {
			name, data = traces[i].Name, traces[i].Read(b)
		}
		b.Run(name, func(b *testing.B) {
			trace := states.Parse(b, data)
			var took [3]time.Duration
			for w := 1; w <= 2; w++ {
				p := pipeline.PlayerFor(b, trace, pipeline.Options{Workers: w})
				took[w] = 1 << 62
				for range 30 {
					start := time.Now()
					again(b, p)
					took[w] = min(took[w], time.Since(start))
				}
			}
			p := pipeline.PlayerFor(b, trace, pipeline.Options{Workers: 16})
			events := pipeline.Follow(p, 30, func() { again(b, p) })
			one := pipeline.Simulate(events, 1)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(took[1].Microseconds())/1000, "ms")
			b.ReportMetric(float64(one.Microseconds())/1000, "ms(simulated)")
			b.ReportMetric(float64(took[1])/float64(took[2]), "x2(measured)")
			for _, w := range []int{2, 4, 8, 16} {
				b.ReportMetric(float64(one)/float64(pipeline.Simulate(events, w)), fmt.Sprintf("x%d", w))
			}
		})
	}
}

// A GPU's memory use stays within its stated bounds, whatever is drawn.
func TestFootprintIsBounded(t *testing.T) {
	testkit.Slow(t)
	if testkit.Race {
		t.Skip("it counts bytes; TestStates draws the same things under the race detector")
	}
	for _, c := range []struct {
		name string
		draw func(t *testing.T, g *pipeline.GPU)
		want func(h pipeline.Footprint) int // the memory that must have been used
	}{
		{"textures", func(t *testing.T, g *pipeline.GPU) {
			run(t, g, list(func(w *pica.CommandWriter) {
				for i := range uint32(80) {
					textured(w, pica.FCRAMBase+0x100000+i*128, 1024, 1024, pica.TextureFormatA4)
					w.Write(pica.RegDrawarrays, 1)
				}
			}))
		}, func(h pipeline.Footprint) int { return h.Textures }},
		{"textures of draws that are culled", func(t *testing.T, g *pipeline.GPU) {
			inPieces(t, g, 3000, func(w *pica.CommandWriter, i uint32) {
				w.Write(pica.RegFacecullingConfig, 1+i%2) // draws one of the two triangles
				w.Write(pica.RegNumvertices, 3)
				textured(w, pica.FCRAMBase+0x100000+i*0x1000, 8, 8, pica.TextureFormatA4)
				w.Write(pica.RegDrawarrays, 1)
			})
		}, func(h pipeline.Footprint) int { return h.Textures }},
		{"states", func(t *testing.T, g *pipeline.GPU) {
			inPieces(t, g, 20000, func(w *pica.CommandWriter, i uint32) {
				w.Write(pica.RegNumvertices, 3)
				w.Write(pica.RegTexenv0Source, 0x000E000E)
				w.Write(pica.RegTexenv0Color, i)
				w.Write(pica.RegDrawarrays, 1)
			})
		}, func(h pipeline.Footprint) int { return h.Programs }},
		{"many draws between two flushes", func(t *testing.T, g *pipeline.GPU) {
			inPieces(t, g, 20000, func(w *pica.CommandWriter, i uint32) {
				w.Write(pica.RegNumvertices, 3)
				w.Write(pica.RegScissortestPos, i&1)
				w.Write(pica.RegDrawarrays, 1)
			})
		}, func(h pipeline.Footprint) int { return h.Queues }},
		{"high triangles, many of them cut", func(t *testing.T, g *pipeline.GPU) {
			var vertices, indices []byte
			for i := range 64 {
				x := float32(i%8)/4 - 1
				for k, v := range [7]float32{x, [2]float32{-3, 3}[i/8%2], -0.5, 1, 1, 1, 1} {
					if k == 0 && i/16%2 == 1 {
						v += 0.02
					}
					vertices = binary.LittleEndian.AppendUint32(vertices, math.Float32bits(v))
				}
			}
			const n = 70000
			for i := range n {
				indices = append(indices, byte((i*i+i/5)%64))
			}
			const indexAddr = pica.FCRAMBase + 0x100000
			require.NoError(t, g.Load(t.Context(), vertexAddr, vertices))
			require.NoError(t, g.Load(t.Context(), indexAddr, indices))
			run(t, g, list(func(w *pica.CommandWriter) {
				setTarget(w, pica.VRAMBase, pica.VRAMBase+0x200000, 8, 1024)
				w.Write(pica.RegIndexbufferConfig, indexAddr-vertexAddr)
				w.Write(pica.RegPrimitiveConfig, uint32(pica.PrimitiveTriangleStrip)<<8)
				w.Write(pica.RegRestartPrimitive, 1)
				w.Write(pica.RegNumvertices, n)
				w.Write(pica.RegDrawelements, 1)
			}))
		}, func(h pipeline.Footprint) int { return h.Queues }},
		{"a long list", func(t *testing.T, g *pipeline.GPU) {
			const n = 64 << 20
			err := g.RunList(t.Context(), pica.FCRAMBase+0x1000000, n) // a list of zeros
			require.ErrorIs(t, err, pica.ErrHang)
		}, func(h pipeline.Footprint) int { return h.Sum() + 1 }}, // the buffer was released
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, workers := range []int{1, 2} {
				g := setUp(t, pipeline.Options{Workers: workers})
				bounds, most := g.FootprintBounds(), 0
				require.Less(t, bounds.Sum(), 1<<30)
				check := func() {
					held := g.Footprint()
					require.True(t, held.Within(bounds), "held %+v, bounds %+v", held, bounds)
					most = max(most, c.want(held))
				}
				g.BeforeDraw = func(*pipeline.DrawInfo) error { check(); return nil }
				c.draw(t, g)
				check()
				require.Positive(t, most)
				require.NoError(t, g.Finish(context.Background()))
				check()
				s := g.TakeStats()
				t.Logf("%d draws, %d triangles, %d flushes; %v", s.Draws, s.Geometry.Triangles, s.Flushes, g.Warnings())
				t.Logf("%d workers: at most %d KB", workers, most>>10)
			}
			runtime.GC()
		})
	}
}

// inPieces runs n pieces of command lists, 500 per list.
func inPieces(t *testing.T, g *pipeline.GPU, n uint32, piece func(w *pica.CommandWriter, i uint32)) {
	for from := uint32(0); from < n; from += 500 {
		run(t, g, list(func(w *pica.CommandWriter) {
			for i := from; i < min(from+500, n); i++ {
				piece(w, i)
			}
		}))
	}
}
