package pipeline

import (
	"context"
	"io"
	"testing"

	"pica200/tests/testkit"
)

// BenchmarkReplay replays the recorded bench scenes that lie beside the
// project, and one of our own.
func BenchmarkReplay(b *testing.B) {
	for _, file := range testkit.Named(b, "lights", "b_vertex", "b_tiny", "b_state", "b_game", "b_fill", "b_light",
		"2d_shapes", "stereoscopic_2d", "cubemap", "mipmap_fog", "g_gas1", "sh_fp", "x_xfer", "both_screens", "simple_tri",
		"toon_shading", "lenny", "particles") {
		b.Run(file.Name, func(b *testing.B) {
			p, err := NewPlayer(readTrace(b, file), Options{})
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
