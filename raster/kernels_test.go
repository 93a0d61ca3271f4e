package raster

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
	"pica200/pica"
)

// both runs f with the AVX2 kernels and without, and gives both results.
func both(t *testing.T, f func(simd.Kernels) any) (vector, plain any) {
	if !simd.Best.AVX2() {
		t.Skip("no AVX2 here: there is one form of the kernels only")
	}
	return f(simd.Best), f(simd.Plain)
}

// bits makes planes comparable where they hold NaN.
func bits(p []float32) (out []uint32) {
	for _, x := range p {
		if x != x {
			x = float32(math.NaN())
		}
		out = append(out, math.Float32bits(x))
	}
	return out
}

// TestKernelsAreTheSameBits compares each AVX2 kernel with its plain form.
func TestKernelsAreTheSameBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	number := func() float64 { return (rng.Float64() - 0.5) * math.Exp2(float64(rng.IntN(30)-15)) }
	t.Run("gradients", func(t *testing.T) {
		for range 2000 {
			var g gradients
			for _, p := range []*gradient{&g.p1, &g.p2, &g.sum, &g.depth} {
				*p = gradient{number(), number(), number()}
			}
			if rng.IntN(20) == 0 {
				g.depth.at, g.sum.at = math.NaN(), 0
			}
			x, y := rng.Int32N(256)*4, rng.Int32N(256)*4
			vector, plain := both(t, func(k simd.Kernels) any {
				g.kernels = k
				var out [3][BlockPixels]float32
				g.depths(x, y, false, &out[0])
				g.weights(x, y, &out[1], &out[2])
				return [3][]uint32{bits(out[0][:]), bits(out[1][:]), bits(out[2][:])}
			})
			require.Equal(t, plain, vector)
		}
	})
	t.Run("interpolate", func(t *testing.T) {
		for range 200 {
			b := &Batch{Blocks: 1 + rng.IntN(BatchBlocks)}
			for i := range b.Blocks {
				for k := range b.Block[i].V {
					b.Block[i].V[k] = &pica.ScreenVertex{}
					b.Block[i].V[k].Vertex[pica.SemViewY] = float32(number())
				}
			}
			for i := range b.W1 {
				b.W1[i], b.W2[i] = float32(number()), float32(number())
			}
			vector, plain := both(t, func(k simd.Kernels) any {
				b.Kernels = k
				var p Plane
				b.Interpolate(pica.SemViewY, &p)
				return bits(p[:])
			})
			require.Equal(t, plain, vector)
		}
	})
	t.Run("depth and colour buffers", func(t *testing.T) {
		for range 500 {
			memory := make([]byte, 128)
			for i := range memory {
				memory[i] = byte(rng.Uint32())
			}
			var depth [BlockPixels]float32
			var c [4]Channel
			for i := range depth {
				depth[i] = []float32{0, 1, rng.Float32(), float32(uint32(memory[4*i])|uint32(memory[4*i+1])<<8|uint32(memory[4*i+2])<<16) / 16777215}[rng.IntN(4)]
				for ch := range c {
					c[ch][i] = byte(rng.Uint32())
				}
			}
			mask := uint16(rng.Uint32())
			type result struct {
				pass   [8]uint16
				memory []byte
				loaded [4]Channel
			}
			vector, plain := both(t, func(k simd.Kernels) any {
				var r result
				r.memory = slices.Clone(memory)
				target := &Target{Kernels: k, DepthFormat: pica.DepthFormatD24S8, Depth: r.memory[:64], Color: r.memory[64:]}
				for f := range pica.CompareFunc(8) {
					r.pass[f] = target.TestDepth(0, &depth, f)
				}
				target.WriteDepth(0, mask, &depth)
				target.LoadColor(0, &r.loaded[0], &r.loaded[1], &r.loaded[2], &r.loaded[3])
				target.StoreColor(0, mask, &c[0], &c[1], &c[2], &c[3])
				return r
			})
			require.Equal(t, plain, vector)
		}
	})
}
