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

// refMap reads a mapping or noise table of 128 words in float64.
func refMap(words *[128]uint32, x float64) float64 {
	x = refClamp(x, 0, 1) * 128
	i := math.Min(math.Floor(x), 127)
	w := words[int(i)]
	diff := int32(w >> 12 & 0xFFF)
	if diff >= 0x800 {
		diff -= 0x1000
	}
	return refClamp((float64(w&0xFFF)+float64(diff)*(x-i))/4095, 0, 1)
}

// refNoise1 and refNoise2 are the hash of the noise unit, step by step.
func refNoise1(v int) int {
	outer := []int{0, 4, 10, 8, 4, 9, 7, 12, 5, 15, 13, 14, 11, 15, 2, 11}
	return ((v%9+2)*3)&15 ^ outer[v/9&15]
}

func refNoise2(x, y int) float64 {
	inner := []int{10, 2, 15, 8, 0, 7, 4, 5, 5, 13, 2, 6, 13, 9, 3, 14}
	u, v := refNoise1(x), refNoise1(y)
	if u&3 == 1 {
		v += 4
	}
	if u&1 == 1 {
		v ^= 6
	}
	v = (v + 10 + u) & 15
	return -1 + float64(v^inner[u])*2/15
}

func refNoise(s *procTexState, t *Tables, u, v float64) float64 {
	x := 9 * float64(s.frequency[0]) * math.Abs(u+float64(s.phase[0]))
	y := 9 * float64(s.frequency[1]) * math.Abs(v+float64(s.phase[1]))
	xi, yi := int(math.Floor(x)), int(math.Floor(y))
	xf, yf := x-float64(xi), y-float64(yi)
	g := func(dx, dy int) float64 {
		return refNoise2(xi+dx, yi+dy) * (xf + yf - float64(dx+dy))
	}
	wx, wy := refMap(&t.ProcNoise, xf), refMap(&t.ProcNoise, yf)
	top := g(0, 0)*(1-wx) + g(1, 0)*wx
	bottom := g(0, 1)*(1-wx) + g(1, 1)*wx
	return top*(1-wy) + bottom*wy
}

// refProcCoordinate shifts and clamps a coordinate; other is the other coordinate, before noise.
func refProcCoordinate(x, other float64, shift pica.ProcShift, clamp pica.ProcClamp) float64 {
	step := 0.5
	if clamp == pica.ProcClampMirroredRepeat {
		step = 1
	}
	switch shift {
	case pica.ProcShiftOdd:
		x += step * float64(int(other)/2%2)
	case pica.ProcShiftEven:
		x += step * float64((int(other)+1)/2%2)
	}
	switch clamp {
	case pica.ProcClampToZero:
		if x > 1 {
			return 0
		}
		return x
	case pica.ProcClampSymmetricalRepeat:
		return x - math.Floor(x)
	case pica.ProcClampMirroredRepeat:
		if i := math.Floor(x); int(i)%2 == 0 {
			return x - i
		} else {
			return 1 - (x - i)
		}
	case pica.ProcClampPulse:
		if x > 0.5 {
			return 1
		}
		return 0
	}
	return math.Min(x, 1)
}

func refProcCombine(f pica.ProcMap, u, v float64) float64 {
	r := math.Sqrt(u*u + v*v)
	switch f {
	case pica.ProcMapU:
		return u
	case pica.ProcMapU2:
		return u * u
	case pica.ProcMapV:
		return v
	case pica.ProcMapV2:
		return v * v
	case pica.ProcMapAdd:
		return (u + v) / 2
	case pica.ProcMapAdd2:
		return (u*u + v*v) / 2
	case pica.ProcMapSqrt2:
		return math.Min(r, 1)
	case pica.ProcMapMin:
		return math.Min(u, v)
	case pica.ProcMapMax:
		return math.Max(u, v)
	case pica.ProcMapRMax:
		return math.Min(((u+v)/2+r)/2, 1)
	}
	return 0
}

// refProcLevel reads one level of the colour table.
func refProcLevel(s *procTexState, t *Tables, x float64, l int) (c [4]float64) {
	offset := s.offset[l]
	x *= float64(max(s.width>>l, 1) - 1)
	for ch := range c {
		if !s.linear {
			c[ch] = float64(t.ProcColor[(offset+int(math.Floor(x+0.5)))&255] >> (8 * ch) & 255)
			continue
		}
		i := (offset + int(x)) & 255
		v := float64(t.ProcColor[i] >> (8 * ch) & 255)
		d := 2 * float64(int8(t.ProcColorDiff[i]>>(8*ch)))
		c[ch] = refClamp(v+d*(x-math.Floor(x)), 0, 255)
	}
	return c
}

// refProcTex is the texture at u, v with level of detail lod, in 0..255 before truncation, without the alpha map, and the position x
// in the colour table.
func refProcTex(s *procTexState, t *Tables, u, v, lod float64) (c [4]float64, x float64) {
	u, v = math.Abs(u), math.Abs(v)
	u0, v0 := u, v
	if s.noise {
		n := refNoise(s, t, u, v)
		u = math.Abs(u + n*float64(s.amplitude[0]))
		v = math.Abs(v + n*float64(s.amplitude[1]))
	}
	u = refProcCoordinate(u, v0, s.shift[0], s.clamp[0])
	v = refProcCoordinate(v, u0, s.shift[1], s.clamp[1])
	x = refMap(&t.ProcRGBMap, refProcCombine(s.color, u, v))
	switch {
	case s.mipLinear:
		l := int(lod)
		a, b := refProcLevel(s, t, x, l), refProcLevel(s, t, x, min(l+1, 7))
		for ch := range c {
			c[ch] = a[ch] + (b[ch]-a[ch])*(lod-float64(l))
		}
	case s.mipmap:
		c = refProcLevel(s, t, x, int(math.Floor(lod+0.5)))
	default:
		c = refProcLevel(s, t, x, 0)
	}
	if s.separateAlpha {
		c[3] = 255 * refMap(&t.ProcAlphaMap, refProcCombine(s.alpha, u, v))
	}
	return c, x
}

// smoothMap makes a mapping table of small steps whose differences lead to the next entry.
func smoothMap(r *rand.Rand) (t [128]uint32) {
	v := r.IntN(4096)
	for i := range t {
		next := min(max(v+r.IntN(161)-80, 0), 4095)
		t[i] = uint32(v) | uint32(next-v)&0xFFF<<12
		v = next
	}
	return t
}

func randomProcTables(r *rand.Rand) *Tables {
	t := &Tables{ProcNoise: smoothMap(r), ProcRGBMap: smoothMap(r), ProcAlphaMap: smoothMap(r)}
	var c [4]int
	for i := range t.ProcColor {
		for ch := range c {
			next := min(max(c[ch]+2*r.IntN(9)-8, 0), 254)
			t.ProcColor[i] |= uint32(c[ch]) << (8 * ch)
			t.ProcColorDiff[i] |= uint32(uint8(int8((next-c[ch])/2))) << (8 * ch)
			c[ch] = next
		}
	}
	return t
}

func randomProcTex(r *rand.Rand) *procTexState {
	amplitude := func() float32 { return float32(r.IntN(2000)-1000) / noiseAmplitudeOne }
	filter := r.IntN(6)
	width := []int{128, 64, 100, 16}[r.IntN(4)]
	return &procTexState{
		coordinate: r.IntN(3),
		clamp:      [2]pica.ProcClamp{pica.ProcClamp(r.IntN(5)), pica.ProcClamp(r.IntN(5))},
		shift:      [2]pica.ProcShift{pica.ProcShift(r.IntN(3)), pica.ProcShift(r.IntN(3))},
		color:      pica.ProcMap(r.IntN(10)), alpha: pica.ProcMap(r.IntN(10)), separateAlpha: flip(r),
		noise: flip(r), amplitude: [2]float32{amplitude(), amplitude()},
		phase:     [2]float32{float32(r.Float64()), float32(r.Float64())},
		frequency: [2]float32{float32(r.Float64() * 2), float32(r.Float64() * 2)},
		linear:    filter&1 != 0, mipmap: filter >= 2, mipLinear: filter >= 4,
		minLevel: r.IntN(2), maxLevel: 1 + r.IntN(7), width: width, bias: float32(r.Float64()),
		offset: [8]int{0, 0x80, 0xC0, 0xE0, 0xF0, 0xF8, 0xFC, 0xFE},
	}
}

// Every mode agrees with the reference. Lanes so near to a step (clamp, shift, noise cell, nearest entry) that float32 may fall on
// the other side are skipped; they must be few.
func TestProcTexMatchesReference(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 3))
	var m machine
	m.n = raster.Lanes
	total, left := 0, 0
	for round := range 400 {
		s, tables := randomProcTex(r), randomProcTables(r)
		u, v := s.coordinates()
		for i := range m.n {
			m.f[u][i] = float32(r.Float64()*8 - 4)
			m.f[v][i] = float32(r.Float64()*8 - 4)
		}
		m.run(procTexOps(s, tables, true, true))
		for i := range m.n {
			x, y := float64(m.f[u][i]), float64(m.f[v][i])
			lod := float64(m.proc.lod[i/4])
			want, at := refProcTex(s, tables, x, y, lod)
			total++
			const e = 2e-5
			steps := false
			for _, d := range [][2]float64{{-e, -e}, {e, e}, {e, -e}, {-e, e}} {
				near, nearAt := refProcTex(s, tables, x+d[0], y+d[1], lod)
				for ch := range near {
					steps = steps || math.Abs(near[ch]-want[ch]) > 1 || math.Abs(nearAt-at) > 0.01
				}
			}
			if steps {
				left++
				continue
			}
			for ch := range 4 {
				if g := float64(m.c[cTex3][ch][i]); math.Abs(g-math.Floor(want[ch])) > 1 {
					require.Failf(t, "colour differs", "round %d lane %d channel %d: want %.3f, got %v\n%+v at %v %v", round, i, ch, want[ch], g, s, x, y)
				}
			}
		}
	}
	require.Less(t, left, total/20)
}

// Leaving out unread outputs does not change the others, also for colour tables of one entry.
func TestProcTexLeavesOutUnreadOutputs(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 14))
	var source machine
	for round := range 100 {
		randomFragments(r, &source)
		s, tables := randomProcTex(r), randomProcTables(r)
		if round%3 == 0 {
			s.width, s.mipmap, s.mipLinear = 1, false, false
		}
		run := func(rgb, a bool) (*machine, int) {
			m := source
			ops, v := procTexOps(s, tables, rgb, a)
			m.run(ops, v)
			return &m, len(ops)
		}
		all, n := run(true, true)
		color, fewer := run(true, false)
		require.Equal(t, all.c[cTex3][:alpha], color.c[cTex3][:alpha])
		if s.separateAlpha {
			require.Less(t, fewer, n)
		}
		opacity, fewer := run(false, true)
		require.Equal(t, all.c[cTex3][alpha], opacity.c[cTex3][alpha])
		if s.separateAlpha {
			require.Less(t, fewer, n)
		}
		if s.width == 1 {
			for i := range all.n {
				require.Equal(t, uint8(tables.ProcColor[s.offset[0]]), all.c[cTex3][red][i])
			}
		}
	}
}

// The level of detail agrees with its formula.
func TestProcTexLevelOfDetail(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 4))
	var u, v raster.Plane
	for i := range u {
		u[i], v[i] = float32(r.Float64()), float32(r.Float64())
	}
	var lod [quads]float32
	procTexLOD(&lod, &u, &v, 64*0.25, 1, 6, raster.Lanes)
	d := func(p *raster.Plane, i int) float64 {
		return math.Max(math.Abs(float64(p[i+1])-float64(p[i])), math.Abs(float64(p[i+2])-float64(p[i])))
	}
	for q := range lod {
		want := refClamp(math.Log2(64*0.25*(d(&u, q*4)+d(&v, q*4))), 1, 6)
		require.InDelta(t, want, lod[q], 1e-3)
	}
	procTexLOD(&lod, &u, &v, 0, 0, 6, raster.Lanes)
	require.Equal(t, [quads]float32{}, lod, "a bias of 0 selects level 0")
}

func TestProcTexRegisters(t *testing.T) {
	var r pica.Regs
	pica.TexunitTexcoord3.Set(&r, 2)
	pica.ProctexBiasLow.Set(&r, 0x34)
	pica.ProctexBiasHigh.Set(&r, 0x3C)
	pica.ProctexNoiseAmplitudeU.Set(&r, 0xF001) // -4095
	pica.ProctexWidth.Set(&r, 128)
	pica.ProctexMinFilter.Set(&r, 5)
	pica.ProctexOffset1.Set(&r, 0x80)
	s := decodeProcTex(&r)
	require.Equal(t, pica.Float16.Decode(0x3C34), s.bias)
	require.Equal(t, float32(-1), s.amplitude[0])
	require.True(t, s.linear && s.mipmap && s.mipLinear)
	o, w := s.level(1)
	require.Equal(t, [2]int{0x80, 64}, [2]int{o, w})
	o, w = s.level(7)
	require.Equal(t, [2]int{0xFE, 1}, [2]int{o, w})
	r[pica.RegTexunit3Proctex6] = 0x1200
	s = decodeProcTex(&r)
	require.Equal(t, [8]int{0, 0x80, 0, 0, 0, 0x12, 0, 0}, s.offset)
	u, v := s.coordinates()
	require.Equal(t, [2]int{fTex2U, fTex2V}, [2]int{u, v})
}

// Undocumented values have a defined result.
func TestProcTexUndocumentedValues(t *testing.T) {
	var regs pica.Regs
	for reg := pica.RegTexunit3Proctex0; reg <= pica.RegTexunit3Proctex6; reg++ {
		regs[reg] = 0xFFFFFFFF
	}
	pica.TexunitTexcoord3.Set(&regs, 3)
	s := decodeProcTex(&regs)
	var m machine
	m.n = raster.Lanes
	for i := range m.n {
		m.f[fTex0U][i] = []float32{0, 1e30, float32(math.Inf(1)), float32(math.NaN())}[i%4]
		m.f[fTex0V][i] = float32(math.NaN())
	}
	r := rand.New(rand.NewPCG(5, 5))
	tables := randomProcTables(r)
	for range 2 {
		// The result is the same in every run and with any kernels.
		vector, plain := both(t, func(with simd.Kernels) Color {
			m.with = with
			m.run(procTexOps(s, tables, true, true))
			return m.c[cTex3]
		})
		require.Equal(t, plain, vector)
		for i := 4; i < m.n; i++ {
			for ch := range plain {
				require.Equal(t, plain[ch][i%4], plain[ch][i], "lanes with equal coordinates have equal results")
			}
		}
		s.clamp = [2]pica.ProcClamp{pica.ProcClampMirroredRepeat, pica.ProcClampSymmetricalRepeat}
		s.mipmap, s.mipLinear = true, true
	}
}
