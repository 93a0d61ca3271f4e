package raster

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
	"pica200/pica"
)

// Blocks are decoded and encoded as by package pica, with and without vector kernels; a store writes only the pixels of the mask.
func TestBlockColorDecodeAndEncode(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, kernels := range []simd.Kernels{simd.Plain, simd.Best} {
		for _, v := range pica.ColorFormats.Values {
			f := pica.ColorFormat(v.Value)
			n := f.Bytes()
			target := &Target{Kernels: kernels, Width: 8, Height: 8, ColorFormat: f, Color: make([]byte, 64*n)}
			for range 200 {
				for i := range target.Color {
					target.Color[i] = byte(rng.Uint32())
				}
				index := 16 * rng.IntN(4)
				block := target.Color[index*n:][:16*n]
				var want [BlockPixels]uint32
				f.Decode(want[:], block)
				var c [4]Channel
				target.LoadColor(index, &c[0], &c[1], &c[2], &c[3])
				for i, w := range want {
					if got := uint32(c[0][i]) | uint32(c[1][i])<<8 | uint32(c[2][i])<<16 | uint32(c[3][i])<<24; got != w {
						t.Fatalf("%v pixel %d reads %08x, expected %08x", f, i, got, w)
					}
				}

				after := append([]byte(nil), target.Color...)
				mask := uint16(rng.Uint32())
				for i := range want {
					want[i] = rng.Uint32()
					for ch := range c {
						c[ch][i] = byte(want[i] >> (8 * ch))
					}
					if mask>>i&1 != 0 {
						f.Encode(after[(index+i)*n:][:n], want[i:i+1])
					}
				}
				target.StoreColor(index, mask, &c[0], &c[1], &c[2], &c[3])
				require.Equal(t, after, target.Color, "%v mask %016b", f, mask)
			}
		}
	}
}

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
