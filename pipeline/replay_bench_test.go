package pipeline

import (
	"context"
	"io"
	"testing"
	"time"

	"pica200/tests/states"
	"pica200/tests/testkit"
)

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
