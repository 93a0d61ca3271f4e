package fragment

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
	"pica200/pica"
	"pica200/raster"
	"pica200/tests/testkit"
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

// Waiting draws never share a sampler, and a sampler in use is not reused, also when the cache is full and one is rebuilt.
func TestWaitingDrawsShareNoSampler(t *testing.T) {
	var c samplerCache
	var at drawSerials
	key := func(n uint32) *pica.Regs {
		r := new(pica.Regs)
		pica.TexunitWidth.Set(r, 8)
		pica.TexunitHeight.Set(r, 8)
		r[pica.RegTexunit0BorderColor] = n
		return r
	}
	held := map[*sampler]uint32{} // samplers of waiting draws, with the border colour of each
	get := func(n uint32, anew bool) {
		at.serial++
		s := testkit.Must(c.get(key(n), 0, false, &at, anew))(t)
		if other, known := held[s]; known {
			require.Equal(t, other, n, "only draws with equal registers share a sampler")
			require.False(t, anew, "a sampler held by a draw is not made again")
		}
		held[s] = n
		for s, n := range held {
			if s.border != n {
				t.Fatalf("a sampler held by a draw was changed: border %d, want %d", s.border, n)
			}
		}
	}
	for n := range uint32(maxSamplers) {
		get(n, false)
	}
	for n := range uint32(3) {
		get(n, true)
		get(n, false)
	}
	at.released = at.serial
	clear(held)
	for n := range uint32(maxSamplers) {
		get(1000+n, false)
		get(n, true)
	}
}

// The cache keeps maxSamplers samplers, also one that another unit or a shadow texture has. The next sampler empties it.
func TestSamplerCacheKeepsMaxSamplers(t *testing.T) {
	var c samplerCache
	var at drawSerials
	get := func(n int) *sampler {
		at.serial++
		r := new(pica.Regs)
		for unit := range 3 {
			pica.TexunitWidth.At(pica.TexunitOffset(unit)).Set(r, 8)
			pica.TexunitHeight.At(pica.TexunitOffset(unit)).Set(r, 8)
			r[pica.RegTexunit0BorderColor+pica.TexunitOffset(unit)] = uint32(n) / 4
		}
		s := testkit.Must(c.get(r, n%4%3, n%4 == 3, &at, false))(t)
		return s
	}
	made := map[*sampler]int{}
	for n := range maxSamplers {
		made[get(n)] = n
	}
	require.Len(t, made, maxSamplers, "all samplers differ")
	for n := range maxSamplers {
		require.Equal(t, n, made[get(n)])
	}
	require.NotContains(t, made, get(maxSamplers), "samplers held by waiting draws are not reused")
	require.Len(t, c.entries, 1)
	at.released = at.serial - 1
	require.NotContains(t, made, get(maxSamplers+1), "a sampler that the emptying draw may hold is not reused")
	at.released++
	require.Contains(t, made, get(maxSamplers+2))
}

// A sampler that a later draw used again is not reused when only the draw that made it has run.
func TestSamplerIsKeptForLastDraw(t *testing.T) {
	var c samplerCache
	r := new(pica.Regs)
	pica.TexunitWidth.Set(r, 8)
	pica.TexunitHeight.Set(r, 8)
	get := func(serial, released uint64, anew bool) *sampler {
		s := testkit.Must(c.get(r, 0, false, &drawSerials{serial: serial, released: released}, anew))(t)
		return s
	}
	first := get(1, 0, false)
	require.Same(t, first, get(2, 0, false))
	second := get(3, 1, true)
	require.NotSame(t, first, second)
	require.Same(t, second, get(4, 1, false))
	third := get(5, 2, true)
	require.NotSame(t, first, third, "a sampler that another unit of draw 3 may hold is not reused")
	require.Same(t, first, get(6, 3, true), "the first sampler is reused once draw 3 has run")
}

// A sampler depends on these bits of registers and on no others.
func TestSamplerKeyRegisterBits(t *testing.T) {
	const whole = 0xFFFFFFFF
	of := [3]map[pica.Reg]uint32{
		{0x81: whole, 0x82: whole, 0x83: 0x8FEFFFFF, 0x84: whole, 0x8E: 15}, // without type and shadow flag
		{0x91: whole, 0x92: whole, 0x93: 0x8FEFFFFF, 0x94: whole, 0x96: 15},
		{0x99: whole, 0x9A: whole, 0x9B: 0x8FEFFFFF, 0x9C: whole, 0x9E: 15},
	}
	rng := rand.New(rand.NewPCG(41, 42))
	r := new(pica.Regs)
	for i := range r {
		r[i] = rng.Uint32()
	}
	for unit, bits := range of {
		key := keyOfSampler(r, unit, false)
		require.NotEqual(t, key, keyOfSampler(r, unit, true))
		require.NotEqual(t, key, keyOfSampler(r, (unit+1)%3, false))
		for reg := range r {
			for bit := range 32 {
				r[reg] ^= 1 << bit
				if depends := keyOfSampler(r, unit, false) != key; depends != (bits[pica.Reg(reg)]>>bit&1 != 0) {
					t.Errorf("unit %d: register 0x%X bit %d: %v", unit, reg, bit, depends)
				}
				r[reg] ^= 1 << bit
			}
		}
	}
}

// samplerCase is the state of a texture unit, and what its sampler must be.
type samplerCase struct {
	name      string
	w, h      uint32
	mag, min  uint32 // 1: linear
	least     uint32 // level
	greatest  uint32
	format    uint32
	wrap      [2]pica.Wrap // S, T
	wrong     string
	sides     [][2]int32 // of the levels
	minLevel  int32
	pow2      bool
	needLevel bool
	vector    bool
	shadow    bool // for a shadow texture
}

var samplerCases = []samplerCase{
	{name: "one level", w: 16, h: 8, sides: [][2]int32{{16, 8}}, pow2: true, vector: true},
	{name: "one linear level", w: 8, h: 32, mag: 1, min: 1, sides: [][2]int32{{8, 32}}, pow2: true, vector: true, shadow: true},
	{name: "magnified linearly", w: 8, h: 8, mag: 1, sides: [][2]int32{{8, 8}}, pow2: true, needLevel: true, vector: true, shadow: true},
	{name: "minified linearly", w: 8, h: 8, min: 1, sides: [][2]int32{{8, 8}}, pow2: true, needLevel: true, vector: true},
	{name: "levels", w: 64, h: 8, least: 1, greatest: 4, sides: [][2]int32{{64, 8}, {32, 4}, {16, 2}, {8, 1}, {4, 1}}, minLevel: 1, pow2: true, needLevel: true, vector: true},
	{name: "levels to one texel", w: 4, h: 2, mag: 1, min: 1, least: 9, greatest: 12, sides: [][2]int32{{4, 2}, {2, 1}, {1, 1}}, minLevel: 2, pow2: true, needLevel: true, vector: true, shadow: true},
	{name: "all levels", w: 1024, h: 128, greatest: 15, sides: [][2]int32{
		{1024, 128}, {512, 64}, {256, 32}, {128, 16}, {64, 8}, {32, 4}, {16, 2}, {8, 1}, {4, 1}, {2, 1}, {1, 1},
	}, pow2: true, needLevel: true},
	{name: "one texel", w: 1, h: 1, mag: 1, min: 1, greatest: 3, sides: [][2]int32{{1, 1}}, pow2: true, vector: true, shadow: true},
	{name: "odd width", w: 24, h: 16, mag: 1, min: 1, wrap: [2]pica.Wrap{pica.WrapMirror, pica.WrapRepeat}, sides: [][2]int32{{24, 16}}},
	{name: "odd height", w: 16, h: 40, mag: 1, min: 1, wrap: [2]pica.Wrap{pica.WrapRepeat, pica.WrapRepeat}, sides: [][2]int32{{16, 40}}},
	{name: "odd sides", w: 72, h: 40, mag: 1, min: 1, wrap: [2]pica.Wrap{pica.WrapRepeat, pica.WrapRepeat}, sides: [][2]int32{{72, 40}}},
	{name: "odd sides that clamp", w: 24, h: 40, mag: 1, min: 1, wrap: [2]pica.Wrap{pica.WrapClampToBorder, pica.WrapClampToEdge}, sides: [][2]int32{{24, 40}}, vector: true},
	{name: "clamped in part", w: 8, h: 8, mag: 1, min: 1, wrap: [2]pica.Wrap{pica.WrapClampToBorder2, pica.WrapMirror}, sides: [][2]int32{{8, 8}}, pow2: true, vector: true},
	{name: "no width", h: 8, mag: 1, greatest: 3, wrong: "texture unit %d: size 0x8, each side"},
	{name: "half a tile", w: 8, h: 12, mag: 1, greatest: 3, wrong: "texture unit %d: size 8x12, each side"},
	{name: "no format", w: 8, h: 8, mag: 1, greatest: 3, format: 15, wrong: "texture unit %d: format 15 does not exist"},
}

// regs returns the registers in which unit has the state, and the others have another one.
func (c *samplerCase) regs(unit int) *pica.Regs {
	r := new(pica.Regs)
	for i := range r {
		r[i] = 0x5A5A5A5A
	}
	at := pica.TexunitOffset(unit)
	for _, f := range []struct {
		field pica.Field
		value uint32
	}{
		{pica.TexunitWidth, c.w}, {pica.TexunitHeight, c.h}, {pica.TexunitMagFilter, c.mag}, {pica.TexunitMinFilter, c.min}, {pica.TexunitMipFilter, c.least & 1},
		{pica.TexunitWrapS, uint32(c.wrap[0])}, {pica.TexunitWrapT, uint32(c.wrap[1])}, {pica.TexunitLodMin, c.least}, {pica.TexunitLodMax, c.greatest},
	} {
		f.field.At(at).Set(r, f.value)
	}
	pica.TexunitLodBias.At(at).Set(r, 0x1F80) // -0.5
	pica.TexunitFormat(unit).Set(r, c.format)
	r[pica.RegTexunit0BorderColor+at] = 0x12345678
	return r
}

// Samplers have the state of their unit's registers, also where they were those of another state before.
func TestSamplerState(t *testing.T) {
	used := new(sampler)
	for k := range samplerCases {
		c := &samplerCases[k]
		for unit := range 3 {
			for _, shadow := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s, unit %d, shadow %v", c.name, unit, shadow), func(t *testing.T) {
					s := new(sampler)
					before := rand.New(rand.NewPCG(uint64(k), uint64(unit))).IntN(len(samplerCases))
					used.make(samplerCases[before].regs(2), 2, true)
					for _, s := range []*sampler{s, used} {
						s.make(c.regs(unit), unit, shadow)
						require.Equal(t, c.vector, s.vector != nil)
						require.Equal(t, c.needLevel, s.lod != nil)
						require.Equal(t, c.shadow && shadow, s.shadow != nil)
						if c.wrong != "" {
							require.ErrorContains(t, s.wrong, fmt.Sprintf(c.wrong, unit))
							continue
						}
						require.NoError(t, s.wrong)
						require.Equal(t, c.pow2, s.powerOfTwo)
						require.Equal(t, [4]bool{c.mag != 0, c.min != 0, c.least&1 != 0, c.needLevel}, [4]bool{s.magLinear, s.minLinear, s.mipLinear, s.needLevel})
						require.Equal(t, [2]int32{c.minLevel, int32(len(c.sides)) - 1}, [2]int32{s.minLevel, s.maxLevel})
						require.Equal(t, c.wrap, [2]pica.Wrap{s.wrapS, s.wrapT})
						require.Equal(t, float32(-0.5), s.bias)
						require.Equal(t, uint32(0x12345678), s.border)
						require.Equal(t, pica.TextureFormat(c.format), s.format)
						require.Equal(t, textureKey{0x1230, uint16(c.w), uint16(c.h), uint8(len(c.sides)), pica.TextureFormat(c.format)}, s.texture(0x1230))
						offset := int32(0)
						for l, side := range c.sides {
							require.Equal(t, textureLevel{float32(side[0]), float32(side[1]), side[0], side[1], offset}, s.level[l])
							offset += side[0] * side[1]
						}
					}
					// Levels that do not exist are not written.
					for _, l := range s.level[len(c.sides):] {
						require.Zero(t, l)
					}
				})
			}
		}
	}
}
