package fragment

import (
	"math/rand/v2"
	"testing"

	"pica200/internal/simd"
	"pica200/pica"
	"pica200/raster"
)

// BenchmarkBilinear samples a texture of one level at about its own size, as 2D programs do, and at random positions; in each way.
func BenchmarkBilinear(b *testing.B) { benchmarkSampling(b, true) }

// BenchmarkNearest is BenchmarkBilinear with nearest filtering.
func BenchmarkNearest(b *testing.B) { benchmarkSampling(b, false) }

func benchmarkSampling(b *testing.B, linear bool) {
	for _, way := range sampleWays() {
		b.Run(way.name, func(b *testing.B) { benchmarkSamples(b, linear, way) })
	}
}

func benchmarkSamples(b *testing.B, linear bool, way sampleWay) {
	defer sampleWay{loads: slowGathers, wide: wide}.choose()
	way.choose()
	for _, scattered := range []bool{false, true} {
		for _, mode := range []pica.Wrap{pica.WrapRepeat, pica.WrapClampToBorder} {
			name := mode.String() + "/in order"
			if scattered {
				name = mode.String() + "/scattered"
			}
			b.Run(name, func(b *testing.B) {
				rng := rand.New(rand.NewPCG(1, 2))
				s := bound{sampler: &sampler{wrapS: mode, wrapT: mode, powerOfTwo: true, magLinear: linear, minLinear: linear}, texels: make([]uint32, 256*256)}
				s.level[0] = textureLevel{256, 256, 256, 256, 0}
				s.vectorize()
				var u, v raster.Plane
				for i := range u {
					u[i], v[i] = (float32(i/16*4)+float32(raster.PixelX[i%16])+0.3)/256, (float32(raster.PixelY[i%16])+0.7)/256
					if scattered {
						u[i], v[i] = rng.Float32(), rng.Float32()
					}
				}
				m := &machine{n: raster.Lanes, with: simd.Best}
				for b.Loop() {
					s.sample(m, &u, &v, &m.c[0])
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/raster.Lanes, "ns/fragment")
			})
		}
	}
}
