package fragment

import (
	"sync"
	"time"

	"pica200/internal/simd"
	"pica200/pica"
	"pica200/raster"
)

// slowGathers makes kernels read tables and texels with loads, because this
// processor is slower with gathers. The result is the same.
var slowGathers bool

// tryGathers sets slowGathers when the first engine is made: it samples a small
// texture both ways and compares the best times.
var tryGathers = sync.OnceFunc(func() {
	if !simd.Best.AVX2() {
		return
	}
	const size, rounds = 16, 16
	s := bound{sampler: &sampler{wrapS: pica.WrapRepeat, wrapT: pica.WrapRepeat, powerOfTwo: true, magLinear: true}, texels: make([]uint32, size*size)}
	s.level[0] = textureLevel{size, size, size, size, 0}
	s.vectorize()
	var u, v raster.Plane
	for i := range u {
		u[i], v[i] = 0.5, 0.5
	}
	var out packed
	var least [2]time.Duration
	for round := range rounds {
		for way := range least {
			slowGathers = way == 1
			start := time.Now()
			s.fetch(simd.Best, true, 0, raster.Lanes, &u, &v, &firstLevel, &out)
			if took := time.Since(start); round == 0 || took < least[way] {
				least[way] = took
			}
		}
	}
	slowGathers = least[1] < least[0]
})
