package pipeline

import (
	"context"
	"io"
	"os"
	"testing"

	"pica200/assets/citrace"
)

// BenchmarkReplay replays the recorded bench scenes that lie beside the
// project.
func BenchmarkReplay(b *testing.B) {
	for _, name := range []string{"b_vertex", "b_tiny", "b_state", "b_game", "b_fill", "b_light"} {
		data, err := os.ReadFile("../../shared/conformance/traces/" + name + ".ctf")
		if err != nil {
			b.Skip(err)
		}
		b.Run(name, func(b *testing.B) {
			trace, err := citrace.Parse(data)
			if err != nil {
				b.Fatal(err)
			}
			p, err := NewPlayer(trace, Options{})
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
