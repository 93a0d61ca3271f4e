package fragment

import (
	"sync"
	"time"

	"pica200/internal/simd"
	"pica200/pica"
	"pica200/raster"
)

// slowGathers makes kernels read tables and texels with loads, because this
// processor is slower with gathers. wide makes kernels that can use AVX-512,
// because sampling is faster with it. The result is the same.
var slowGathers, wide bool

// tryGathers sets both when the first engine is made: it samples a texture in each
// way and compares the best times. The lanes read different texels: with one texel
// for all, gathers and loads differ more than in any picture. AVX-512 makes other
// kernels faster too, so it may take a tenth longer here.
var tryGathers = sync.OnceFunc(func() {
	if !simd.Best.AVX2() {
		return
	}
	const size, rounds = 64, 16
	s := bound{sampler: &sampler{wrapS: pica.WrapRepeat, wrapT: pica.WrapRepeat, powerOfTwo: true, magLinear: true}, texels: make([]uint32, size*size)}
	s.level[0] = textureLevel{size, size, size, size, 0}
	s.vectorize()
	var u, v raster.Plane
	for i := range u {
		u[i], v[i] = float32(float32(i%16+24)/size)+0.005, float32(float32(i/16+24)/size)+0.005
	}
	var out packed
	var least [3]time.Duration
	for round := range rounds {
		for i, way := range sampleWays() {
			way.choose()
			start := time.Now()
			s.fetch(simd.Best, true, 0, raster.Lanes, &u, &v, &firstLevel, &out)
			if took := time.Since(start); round == 0 || took < least[i] {
				least[i] = took
			}
		}
	}
	slowGathers = least[1] < least[0]
	wide = simd.AVX512() && least[2] < min(least[0], least[1])*11/10
})

// sampleWay is one way in which AVX2 kernels read texels.
type sampleWay struct {
	name        string
	loads, wide bool
}

// sampleWays are the ways that this processor has.
func sampleWays() []sampleWay {
	ways := []sampleWay{{"gathers", false, false}, {"loads", true, false}, {"AVX-512", false, true}}
	if !simd.AVX512() {
		return ways[:2]
	}
	return ways
}

// choose makes kernels read in this way.
func (w sampleWay) choose() { slowGathers, wide = w.loads, w.wide }
