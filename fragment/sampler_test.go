package fragment

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
	"pica200/pica"
	"pica200/raster"
)

// refWrap applies a wrap mode to a texel index; ok is false for the border.
func refWrap(mode pica.Wrap, i, size int) (int, bool) {
	mod := func(n int) int { return ((i % n) + n) % n }
	switch mode {
	case pica.WrapClampToEdge:
		return min(max(i, 0), size-1), true
	case pica.WrapClampToBorder:
		return i, i >= 0 && i < size
	case pica.WrapMirror:
		if k := mod(2 * size); k >= size {
			return 2*size - 1 - k, true
		} else {
			return k, true
		}
	case pica.WrapClampToEdge2:
		if i >= size {
			return size - 1, true
		}
	case pica.WrapClampToBorder2:
		if i >= size {
			return 0, false
		}
	}
	return mod(size), true
}

func randomSampler(rng *rand.Rand, levels int) bound {
	s := bound{sampler: &sampler{
		border: rng.Uint32(), wrapS: pica.Wrap(rng.IntN(8)), wrapT: pica.Wrap(rng.IntN(8)),
		maxLevel: int32(levels - 1), powerOfTwo: true,
	}}
	w, h := int32(1)<<rng.IntN(6)<<(levels-1), int32(1)<<rng.IntN(6)<<(levels-1)
	if levels == 1 && rng.IntN(3) == 0 {
		w, h, s.powerOfTwo = 24, 40, false
	}
	for l := range levels {
		lw, lh := w>>l, h>>l
		s.level[l] = textureLevel{float32(lw), float32(lh), lw, lh, int32(len(s.texels))}
		for range lw * lh {
			s.texels = append(s.texels, rng.Uint32())
		}
	}
	return s
}

// onBoundary reports whether a coordinate, in texels, is so near to a boundary that the nearest filter reads neighbours.
// TestSprites covers those.
func onBoundary(x float64) bool { return math.Abs(x-math.Round(x)) < 1.0/500 }

// refTexel reads one texel of level l.
func refTexel(s bound, l, x, y int) [4]float64 {
	lv := &s.level[l]
	x, okX := refWrap(s.wrapS, x, int(lv.w))
	y, okY := refWrap(s.wrapT, y, int(lv.h))
	c := unpackColor(s.border)
	if okX && okY {
		c = unpackColor(s.texels[int(lv.offset)+y*int(lv.w)+x])
	}
	return [4]float64{float64(c[0]), float64(c[1]), float64(c[2]), float64(c[3])}
}

func refBilinear(s bound, l int, u, v float64) (out [4]float64) {
	x, y := u*float64(s.level[l].w)-0.5, v*float64(s.level[l].h)-0.5
	x0, y0 := math.Floor(x), math.Floor(y)
	a, b := x-x0, y-y0
	for ch := range out {
		t := func(dx, dy int) float64 { return refTexel(s, l, int(x0)+dx, int(y0)+dy)[ch] }
		out[ch] = (t(0, 0)*(1-a)+t(1, 0)*a)*(1-b) + (t(0, 1)*(1-a)+t(1, 1)*a)*b
	}
	return out
}

func TestSamplerNearestAndBilinear(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	for range 300 {
		s := randomSampler(rng, 1)
		m := &machine{n: raster.Lanes}
		for i := range raster.Lanes {
			// Away from boundaries, where rounding decides.
			m.f[0][i] = (float32(rng.IntN(200)-100) + 0.25 + 0.5*rng.Float32()) / s.level[0].width
			m.f[1][i] = (float32(rng.IntN(200)-100) + 0.25 + 0.5*rng.Float32()) / s.level[0].height
		}
		s.sample(m, &m.f[0], &m.f[1], &m.c[cTex0])
		for i := range raster.Lanes {
			x := int(math.Floor(float64(m.f[0][i]) * float64(s.level[0].w)))
			y := int(math.Floor(float64(m.f[1][i]) * float64(s.level[0].h)))
			for ch, want := range refTexel(s, 0, x, y) {
				require.Equal(t, want, float64(m.c[cTex0][ch][i]), "wrap %v %v at %d,%d", s.wrapS, s.wrapT, x, y)
			}
		}
		s.magLinear, s.minLinear = true, true
		s.sample(m, &m.f[0], &m.f[1], &m.c[cTex0])
		for i := range raster.Lanes {
			for ch, want := range refBilinear(s, 0, float64(m.f[0][i]), float64(m.f[1][i])) {
				// Tolerance: half a step of 1/256 in either direction, and two roundings.
				require.InDelta(t, want, float64(m.c[cTex0][ch][i]), 3, "wrap %v %v at %v,%v", s.wrapS, s.wrapT, m.f[0][i], m.f[1][i])
			}
		}
	}
}

// Samplers that read cells give what four look-ups give, inside a texture, at its seams and for coordinates of all magnitudes.
func TestCellsAreSampledAlike(t *testing.T) {
	if !simd.AVX512() {
		t.Skip("cells need AVX-512")
	}
	defer sampleWay{loads: slowGathers, wide: wide}.choose()
	sampleWay{wide: true}.choose()
	rng := rand.New(rand.NewPCG(11, 9))
	for range 400 {
		s := randomSampler(rng, 1)
		s.format = []pica.TextureFormat{pica.TextureFormatI8, pica.TextureFormatI4, pica.TextureFormatA8, pica.TextureFormatA4}[rng.IntN(4)]
		s.wrapS, s.wrapT = []pica.Wrap{pica.WrapClampToEdge, pica.WrapRepeat}[rng.IntN(2)], []pica.Wrap{pica.WrapClampToEdge, pica.WrapRepeat}[rng.IntN(2)]
		s.magLinear, s.minLinear = true, true
		for i := range s.texels {
			v := rng.Uint32() & 0xFF
			s.texels[i] = 0xFF000000 | v*0x010101
			if alphaOnly(s.format) {
				s.texels[i] = v << 24
			}
		}
		if s.vectorize(); s.vector == nil {
			continue
		}
		require.True(t, s.readsCells())
		texture := &texels{data: s.texels, key: s.texture(0)}
		s.cells = make([]uint32, len(s.texels))
		texture.makeCells(s.cells)
		var u, v raster.Plane
		for i := range u {
			u[i], v[i] = awkward(rng), awkward(rng)
			if l := &s.level[0]; i%64 < 48 { // 16 lanes without a seam read cells
				u[i], v[i] = (0.5+rng.Float32()*(l.width-1.01))/l.width, (0.5+rng.Float32()*(l.height-1.01))/l.height
			}
		}
		from, to := 16*rng.IntN(8), 16*(8+rng.IntN(9))
		to = max(to, from+16)
		var plain, vector packed
		s.fetch(simd.Plain, true, from, to, &u, &v, &firstLevel, &plain)
		s.fetch(simd.Best, true, from, to, &u, &v, &firstLevel, &vector)
		require.Equal(t, plain, vector)
	}
	// Other samplers and textures do not read cells.
	whole := sampler{format: pica.TextureFormatI8, magLinear: true, minLinear: true, wrapS: pica.WrapRepeat, wrapT: pica.WrapClampToEdge, powerOfTwo: true}
	whole.level[0] = textureLevel{8, 8, 8, 8, 0}
	for name, change := range map[string]func(s *sampler){
		"two values": func(s *sampler) { s.format = pica.TextureFormatIA8 },
		"nearest":    func(s *sampler) { s.magLinear = false },
		"levels":     func(s *sampler) { s.needLevel = true },
		"border":     func(s *sampler) { s.wrapS = pica.WrapClampToBorder },
		"mirror":     func(s *sampler) { s.wrapT = pica.WrapMirror },
		"AVX2":       func(*sampler) { wide = false },
	} {
		s := whole
		s.vectorize()
		require.True(t, s.readsCells())
		s.vector = nil
		change(&s)
		s.vectorize()
		require.False(t, s.readsCells(), name)
		wide = true
	}
}

// The levels read on a plane of given density agree with the logarithm in float64.
func TestSamplerLevelOfDetail(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 10))
	for range 500 {
		s := randomSampler(rng, 4)
		s.wrapS, s.wrapT = pica.WrapRepeat, pica.WrapRepeat
		s.bias = float32(rng.IntN(1024)-512) / 256
		s.minLevel = int32(rng.IntN(3))
		s.mipLinear = rng.IntN(2) == 0
		m := &machine{n: 16}
		var d [4]float64
		for k := range d {
			d[k] = (rng.Float64() - 0.5) * math.Exp2(float64(rng.IntN(8)-4)) / 16
		}
		for i := range 16 {
			x, y := float64(raster.PixelX[i]), float64(raster.PixelY[i])
			m.f[0][i] = float32(0.3 + x*d[0] + y*d[1])
			m.f[1][i] = float32(0.7 + x*d[2] + y*d[3])
		}
		w, h := float64(s.level[0].w), float64(s.level[0].h)
		lod := math.Log2(max(math.Abs(d[0]*w), math.Abs(d[2]*h), math.Abs(d[1]*w), math.Abs(d[3]*h))) + float64(s.bias)
		clamped := min(max(lod, float64(s.minLevel)), float64(s.maxLevel))

		var level, next, share [quads]uint8
		var small [quads]uint8
		s.levels(simd.Best, 16, &m.f[0], &m.f[1], &level, &next, &share, &small)
		for q := range 4 {
			got := float64(level[q])
			if s.mipLinear {
				got += float64(share[q]) / 256 * float64(next[q]-level[q])
				require.InDelta(t, clamped, got, 0.01)
			} else if math.Abs(clamped-math.Floor(clamped)-0.5) > 0.01 {
				require.Equal(t, math.Round(clamped), got)
			}
			if math.Abs(lod) > 0.01 {
				require.Equal(t, lod > 0, small[q] == 1)
			}
		}
	}
}

func TestSamplerWithNaNCoordinates(t *testing.T) {
	s := randomSampler(rand.New(rand.NewPCG(1, 1)), 3)
	s.needLevel, s.mipLinear = true, true
	bad := []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), 1e30, -1e30, 0}
	for _, linear := range []bool{false, true} {
		s.magLinear, s.minLinear = linear, linear
		for w := range pica.Wrap(8) {
			s.wrapS, s.wrapT = w, w
			m := &machine{n: raster.Lanes}
			for i := range raster.Lanes {
				m.f[0][i], m.f[1][i] = bad[i%6], bad[i/6%6]
			}
			require.NotPanics(t, func() { s.sample(m, &m.f[0], &m.f[1], &m.c[cTex0]) })
		}
	}
}

func TestLog2(t *testing.T) {
	for i := range 100000 {
		x := float32(math.Exp2(float64(i)/2000 - 25))
		require.InDelta(t, math.Log2(float64(x)), float64(log2(x)), 3e-5)
	}
	require.Less(t, log2(0), float32(-100))
	require.Greater(t, log2(float32(math.Inf(1))), float32(100))
}
