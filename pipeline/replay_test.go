package pipeline

import (
	"context"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// TestTracesReplay replays our traces and the recorded ones beside the project: every command list must decode and every draw run.
func TestTracesReplay(t *testing.T) {
	for _, file := range testkit.Traces(t) {
		t.Run(file.Name, func(t *testing.T) {
			trace := states.Parse(t, file.Read(t))
			frames := 0
			g, err := ReplayFor(t, trace, Options{}, func(_ *GPU, f Frame) error {
				require.Equal(t, frames, f.Index)
				require.NotZero(t, f.Stats.Draws)
				frames++
				return nil
			})
			require.NoError(t, err)
			require.Equal(t, trace.Frames(), frames)
			var warned []string
			for _, w := range g.Warnings() {
				warned = append(warned, w.Text[:min(len(w.Text), 30)])
			}
			// Four draws of x_tests switch it on.
			require.Equal(t, map[string][]string{"x_tests": {"the early depth test is on: th"}}[file.Name], warned)
			g.Close()
		})
	}
}

// Draws lists the same draws as CountDraws, with their register state.
func TestDrawListEqualsCountDraws(t *testing.T) {
	for _, file := range testkit.Named(t, "lights", "shadow", "gas", "arcs") {
		trace := states.Parse(t, file.Read(t))
		var counted []DrawStats
		_, err := CountDraws(context.Background(), trace, Options{}, func(s *DrawStats) error {
			counted = append(counted, *s)
			return nil
		})
		require.NoError(t, err)
		r := ReplayerFor(t, trace, ReplayerOptions{})
		var listed []DrawStats
		for frame := range trace.Frames() {
			list := testkit.Must(r.Draws(context.Background(), frame))(t)
			for i, d := range list {
				listed = append(listed, d.DrawStats)
				require.False(t, d.LeftOut)
				require.NotEmpty(t, d.Mode)
				if i > 0 {
					require.Equal(t, d.Target != list[i-1].Target, d.Pass != list[i-1].Pass)
				}
			}
		}
		require.Equal(t, counted, listed)
		r.GPU.Close()
	}
	r := ReplayerFor(t, chain(t, 0, 5, true), ReplayerOptions{Options: Options{FCRAM: states.FCRAM}})
	_, err := r.Draws(context.Background(), -1)
	require.ErrorContains(t, err, "there is no frame -1")
	leftOut := 0
	for frame := range r.Frames() {
		list, err := r.Draws(context.Background(), frame)
		if err != nil {
			require.ErrorIs(t, err, pica.ErrHang)
			break
		}
		for _, d := range list {
			if d.LeftOut {
				leftOut++
			}
		}
	}
	t.Logf("%d draws left out", leftOut)
}

// Register writes by Change apply to everything requested of a Replayer in the visited frame, and end with Change.
func TestReplayerChange(t *testing.T) {
	r := ReplayerFor(t, states.Parse(t, testkit.Named(t, "lights")[0].Read(t)), ReplayerOptions{})
	ctx := context.Background()
	look := func(pos Position) string {
		t.Helper()
		require.NoError(t, r.Seek(ctx, pos))
		target := testkit.Must(r.GPU.LastTarget())(t)
		return string(target.Color)
	}
	places := []Position{{0, 0}, {0, 2}, {0, FrameEnd}, {1, 1}, {1, FrameEnd}}
	var plain []string
	for _, p := range places {
		plain = append(plain, look(p))
	}
	called := map[int]int{}
	r.Change = func(frame int, g *GPU, d *DrawInfo) error {
		called[frame]++
		if d.Index != 1 {
			return nil
		}
		return g.WriteInternal(ctx, pica.RegDepthColorMask, 0)
	}
	for i, p := range places {
		require.Equal(t, p == places[0], plain[i] == look(p), "%v", p)
		_, valid := r.Position()
		require.False(t, valid)
	}
	require.Equal(t, map[int]int{0: 1 + 3 + 3, 1: 2 + 3}, called)
	// A hook of the visit sees the registers used by the draw.
	masks := map[int]uint32{}
	require.NoError(t, r.Visit(ctx, Position{0, 2}, func(g *GPU) error {
		g.BeforeDraw = func(d *DrawInfo) error { masks[d.Index] = d.Regs[pica.RegDepthColorMask]; return nil }
		return nil
	}))
	require.Zero(t, masks[1])
	require.NotZero(t, masks[0])
	require.NoError(t, r.Only(ctx, Position{0, 2}))
	r.Change = nil
	for i, p := range places {
		require.True(t, plain[i] == look(p), "%v", p)
	}
}

// An upload continues at the same position, whatever KeepUploads wrapped in between.
func TestUploadsContinueAfterKeepUploads(t *testing.T) {
	ctx := context.Background()
	write := func(g *GPU, reg pica.Reg, words ...uint32) {
		for _, w := range words {
			require.NoError(t, g.WriteInternal(ctx, reg, w))
		}
	}
	for _, unit := range []pica.Reg{pica.OffsetGsh, pica.OffsetVsh} {
		upload := func(between func(g *GPU)) *GPU {
			g := GPUFor(t, Options{})
			write(g, pica.RegGshCodetransferIndex+unit, 5)
			write(g, pica.RegGshOpdescsIndex+unit, 7)
			write(g, pica.RegGshFloatuniformIndex+unit, 1<<31|3)
			write(g, pica.RegGshCodetransferData0+unit, 0x1111)
			write(g, pica.RegGshOpdescsData0+unit, 0x2222)
			write(g, pica.RegGshFloatuniformData0+unit, 0x3F800000, 0x40000000) // half a vector
			between(g)
			write(g, pica.RegGshCodetransferData0+unit, 0x3333)
			write(g, pica.RegGshOpdescsData0+unit, 0x4444)
			write(g, pica.RegGshFloatuniformData0+unit, 0x40400000, 0x40800000)
			return g
		}
		want := wholeOf(upload(func(*GPU) {}))
		changed := func(g *GPU) {
			write(g, pica.RegGshCodetransferIndex+unit, 100)
			write(g, pica.RegGshCodetransferData0+unit, 0)
			write(g, pica.RegGshOpdescsIndex+unit, 100)
			write(g, pica.RegGshOpdescsData0+unit, 0)
			write(g, pica.RegGshFloatuniformIndex+unit, 90)
			write(g, pica.RegGshFloatuniformData0+unit, 0, 0, 0)
		}
		got := wholeOf(upload(func(g *GPU) {
			require.NoError(t, g.KeepUploads(func() error { changed(g); return nil }))
		}))
		// The data registers hold the last word, which is equal.
		require.Empty(t, want.difference(&got))
		other := wholeOf(upload(changed))
		require.NotEmpty(t, want.difference(&other))
	}
}

// BenchmarkReplay replays the recorded scenes whose speed is tracked, and one of our own.
func BenchmarkReplay(b *testing.B) {
	for _, file := range testkit.Named(b, "lights", "b_vertex", "b_tiny", "b_state", "b_game", "b_fill", "b_light",
		"2d_shapes", "stereoscopic_2d", "cubemap", "mipmap_fog", "g_gas1", "sh_fp", "x_xfer", "both_screens", "simple_tri",
		"toon_shading", "lenny", "particles") {
		b.Run(file.Name, func(b *testing.B) {
			p, err := NewPlayer(states.Parse(b, file.Read(b)), Options{})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if err := p.Rewind(); err != nil {
					b.Fatal(err)
				}
				for {
					_, err := p.NextFrame(context.Background())
					if err == io.EOF {
						break
					}
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

// BenchmarkSeek seeks in a recording of 1,000 frames: to the last draw of the last frame, one draw back, and to frame 500, with and
// without checkpoints. The metrics are milliseconds of each.
func BenchmarkSeek(b *testing.B) {
	trace := stripes(b, 1000)
	for _, c := range []struct {
		name  string
		bytes int64
	}{{"256MiB", 0}, {"32MiB", 32 << 20}, {"none", -1}} {
		b.Run(c.name, func(b *testing.B) {
			ctx := context.Background()
			var took [3]time.Duration
			var held int64
			for range b.N {
				r, err := NewReplayer(trace, ReplayerOptions{CheckpointBytes: c.bytes})
				if err != nil {
					b.Fatal(err)
				}
				draws, err := r.Draws(ctx, 0)
				if err != nil || len(draws) < 2 {
					b.Fatal(len(draws), err)
				}
				last := len(draws) - 1
				for i, pos := range []Position{{999, last}, {999, last - 1}, {500, FrameEnd}} {
					start := time.Now()
					if err := r.Seek(ctx, pos); err != nil {
						b.Fatal(err)
					}
					took[i] += time.Since(start)
				}
				held = r.CheckpointBytes()
			}
			for i, name := range []string{"frame999-ms", "drawback-ms", "frame500-ms"} {
				b.ReportMetric(float64(took[i].Microseconds())/1000/float64(b.N), name)
			}
			b.ReportMetric(float64(held)/(1<<20), "held-MiB")
			b.ReportMetric(0, "ns/op")
		})
	}
}
