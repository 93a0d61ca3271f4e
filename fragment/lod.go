package fragment

import (
	"math"

	"pica200/internal/simd"
	"pica200/raster"
)

// levels computes the level of detail of each quad.
//
// LodRule: the level is the logarithm of the greatest of the absolute
// derivatives of both texel coordinates, across and down, taken between the
// pixels of a quad, plus the bias, clamped to the least and greatest level (the
// console's formula by the author of its public hardware tests: Azahar,
// fa141c799; OpenGL would take the length of each derivative). Level 0 or less
// magnifies. The nearest level is the level rounded, halves down, as in OpenGL.
// The exact point at which the console changes levels is unknown.
//
// level and next are the two levels to read, t is the share of next in 1/256,
// and small is 1 where the minification filter applies. The result says whether
// any quad needs two levels.
func (s *sampler) levels(with simd.Kernels, n int, u, v *raster.Plane, level, next, t, small *[quads]uint8) bool {
	if simd.Vectors && with.Vector() && s.lod != nil {
		if s.mipLinear {
			return levelsLinearVector(&u[0], &v[0], &s.lod.width[0], &level[0], &next[0], &t[0], &small[0], n) != 0
		}
		levelsNearestVector(&u[0], &v[0], &s.lod.width[0], &level[0], &next[0], &t[0], &small[0], n)
		return false
	}
	two := false
	w, h := s.level[0].width, s.level[0].height
	for q := 0; q < n/4 && q < quads; q++ {
		i := q * 4
		across := greater(abs32((u[i+1]-u[i])*w), abs32((v[i+1]-v[i])*h))
		down := greater(abs32((u[i+2]-u[i])*w), abs32((v[i+2]-v[i])*h))
		lod := log2(greater(across, down)) + s.bias
		small[q] = 0
		if lod > 0 {
			small[q] = 1
		}
		lod = min(max(lod, float32(s.minLevel)), float32(s.maxLevel))
		if !s.mipLinear {
			// Rounds halves down: level 0 includes 0.5.
			l := -fixed(0.5 - lod)
			level[q] = uint8(min(max(l, s.minLevel), s.maxLevel))
			continue
		}
		l := fixed(lod)
		level[q] = uint8(l)
		next[q] = uint8(min(l+1, s.maxLevel))
		t[q] = uint8(fixed(float32((lod - float32(l)) * 256)))
		two = two || t[q] != 0
	}
	return two
}

// greater is a or b, whichever is greater, and b if one is NaN, as VMAXPS.
func greater(a, b float32) float32 {
	if a > b {
		return a
	}
	return b
}

// log2 is the logarithm of a positive number to about 15 bits. Its operations
// are exact or rounded once, so it is the same on every CPU. 0 gives a large
// negative number, NaN and infinity a large positive one.
func log2(x float32) float32 {
	b := math.Float32bits(x)
	e := float32(int32(b>>23&0xFF) - 127)
	f := math.Float32frombits(b&0x7FFFFF|0x3F800000) - 1
	// log2(1+f) for f in 0..1: a polynomial with an error below 2^-15 that is
	// exact at both ends.
	p := float32(f*0.044243741) - 0.19126251
	p = float32(f*p) + 0.41355505
	p = float32(f*p) - 0.70837215
	p = float32(f*p) + 1.4418359
	return e + float32(f*p)
}

// lodParams are the parameters of a sampler for the AVX2 kernels, each repeated
// eight times.
type lodParams struct {
	width, height, bias, minLevel, maxLevel [8]float32
}

func (s *sampler) newLodParams() *lodParams {
	p := &s.forLod
	for i := range 8 {
		p.width[i], p.height[i] = s.level[0].width, s.level[0].height
		p.bias[i], p.minLevel[i], p.maxLevel[i] = s.bias, float32(s.minLevel), float32(s.maxLevel)
	}
	return p
}
