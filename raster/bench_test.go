package raster

import (
	"fmt"
	"testing"

	"pica200/pica"
)

type nothing struct{ n int }

func (*nothing) Prefetch() {}

func (s *nothing) Shade(b *Batch, worker int) { s.n += b.Blocks }

// BenchmarkTriangles draws a mesh of unshaded triangles of the given size in pixels over 240x400 pixels: time per triangle and
// pixel.
func BenchmarkTriangles(b *testing.B) {
	for _, size := range []int32{2, 4, 16, 240} {
		b.Run(fmt.Sprintf("%dpx", size), func(b *testing.B) {
			const w, h = 240, 400
			var q Queue
			s := &nothing{}
			depth := make([]byte, w*h*4)
			d := &Draw{
				Target:     &Target{Width: w, Height: h, Depth: depth, DepthFormat: pica.DepthFormatD24S8},
				Shader:     s,
				Layout:     pica.WholeVertex,
				Bounds:     Rect{0, 0, w - 1, h - 1},
				DepthScale: -1, Early: true, EarlyFunc: pica.CompareGreaterEqual, Pack: true,
			}
			n := 0
			for b.Loop() {
				n = 0
				for y := int32(0); y < h; y += size {
					for x := int32(0); x < w; x += size {
						v := uint32(len(q.Vertices))
						for k := range int32(4) {
							q.Add(&pica.ScreenVertex{X: (x+k&1*size)*16 + x*7%16, Y: (y+k>>1*size)*16 + y*5%16, Z: -0.5, InvW: 1})
						}
						q.Triangles = append(q.Triangles, Triangle{v, v + 1, v + 2}, Triangle{v + 1, v + 3, v + 2})
						n += 2
					}
				}
				q.Commit(d)
				q.Flush(1, serial)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/triangle")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(w*h), "ns/pixel")
		})
	}
}
