package fragment

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
	"pica200/pica"
	"pica200/raster"
	"pica200/tests/testkit"
)

// smoothTable makes a random table of small steps, like tables of angles, whose differences lead to the next entry.
func smoothTable(r *rand.Rand) (t [256]uint32) {
	v := r.IntN(4096)
	for i := range t {
		next := min(max(v+r.IntN(121)-60, 0), 4095)
		d := (next - v) / 2 // 11 bits for a difference of 12-bit values
		w := uint32(v)
		if d < 0 {
			w |= 1<<23 | uint32(-d)<<12
		} else {
			w |= uint32(d) << 12
		}
		t[i] = w
		v = next
	}
	return t
}

func randomTables(r *rand.Rand) *Tables {
	t := new(Tables)
	for i := range t.Light {
		t.Light[i] = smoothTable(r)
	}
	return t
}

func randomVector(r *rand.Rand, size float64) [3]float32 {
	return [3]float32{float32(r.NormFloat64() * size), float32(r.NormFloat64() * size), float32(r.NormFloat64() * size)}
}

func randomColor(r *rand.Rand) [3]float32 {
	if r.IntN(4) == 0 {
		return [3]float32{}
	}
	return [3]float32{float32(r.IntN(256)) / 255, float32(r.IntN(256)) / 255, float32(r.IntN(1024)) / 255}
}

func flip(r *rand.Rand) bool { return r.IntN(2) == 0 }

func randomLighting(r *rand.Rand) *lightingState {
	layer := []int{0, 1, 2, 3, 4, 5, 6, 8}[r.IntN(8)]
	s := &lightingState{
		enabled: true, hasCP: layer == 8, ambient: randomColor(r),
		bump: pica.BumpMode(r.IntN(3)), bumpUnit: r.IntN(4), recalculateZ: flip(r),
		clampHighlights: flip(r), alpha: [2]bool{flip(r), flip(r)},
		shadow: flip(r), shadowUnit: r.IntN(4), invertShadow: flip(r),
		shadowOn: [2]bool{flip(r), flip(r)}, shadowAlpha: flip(r),
	}
	for k := range s.tables {
		s.tables[k] = tableState{
			enabled: layerTables[layer]>>k&1 != 0 && r.IntN(4) != 0,
			input:   pica.LutInput(r.IntN(int(6))), signed: flip(r),
			scale: []float32{0.25, 0.5, 1, 1, 1, 2}[r.IntN(6)],
		}
	}
	for range 1 + r.IntN(8) {
		l := lightState{
			number: r.IntN(8), directional: flip(r), twoSided: flip(r), geometric: [2]bool{flip(r), flip(r)},
			position: randomVector(r, 2), spot: randomVector(r, 0.5),
			specular: [2][3]float32{randomColor(r), randomColor(r)}, diffuse: randomColor(r), ambient: randomColor(r),
			spotAtten: s.hasCP && flip(r), distAtten: flip(r),
			distScale: float32(r.Float64() / 4), distBias: float32(r.Float64()/2 - 0.2), shadowed: flip(r),
		}
		if !s.tables[tableSP].enabled {
			l.spotAtten = false
		}
		s.lights = append(s.lights, l)
	}
	return s
}

// randomFragments fills the lane registers that lighting reads and returns the same values for the reference.
func randomFragments(r *rand.Rand, m *machine) []refFragment {
	m.n = raster.Lanes
	out := make([]refFragment, m.n)
	for i := range out {
		f := &out[i]
		for k := range f.quat {
			m.f[fQuatX+k][i] = float32(r.NormFloat64())
			f.quat[k] = float64(m.f[fQuatX+k][i])
		}
		for k := range f.view {
			m.f[fViewX+k][i] = float32(r.NormFloat64() * 2)
			f.view[k] = float64(m.f[fViewX+k][i])
		}
		for u := range f.tex {
			for c := range f.tex[u] {
				f.tex[u][c] = uint8(r.IntN(256))
				m.c[cTex0+u][c][i] = f.tex[u][c]
			}
		}
	}
	return out
}

var allOutputs = lightOutputs{true, true, true, true, false}

// nearByte requires got to be want truncated, within the error of float32 against float64.
func nearByte(t *testing.T, want float64, got uint8, what string, args ...any) {
	t.Helper()
	lo, hi := math.Floor(want-0.25), math.Floor(want+0.25)
	if g := float64(got); g < lo || g > hi {
		require.Failf(t, "colour differs", what+": want %.3f, got %d", append(args, want, got)...)
	}
}

// Random lighting states agree with the float64 reference. The tables are smooth, so that float32 rounding moves a result by less
// than a step.
func TestLightingMatchesReference(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	var m machine
	for round := range 300 {
		s := randomLighting(r)
		tables := randomTables(r)
		frags := randomFragments(r, &m)
		m.run(lightOps(s, tables, allOutputs))
		for i, f := range frags {
			p, q := refLighting(s, tables, f)
			for k := range 4 {
				nearByte(t, refByte(p[k]), m.c[cFragPrimary][k][i], "round %d lane %d primary %d", round, i, k)
				nearByte(t, refByte(q[k]), m.c[cFragSecondary][k][i], "round %d lane %d secondary %d", round, i, k)
			}
		}
	}
}

// Leaving out unread lighting outputs does not change the others.
func TestLightingLeavesOutUnreadOutputs(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 2))
	var all, some machine
	for range 100 {
		s := randomLighting(r)
		tables := randomTables(r)
		randomFragments(r, &all)
		some = all
		full, v := lightOps(s, tables, allOutputs)
		all.run(full, v)
		want := lightOutputs{flip(r), flip(r), flip(r), flip(r), false}
		part, v := lightOps(s, tables, want)
		require.LessOrEqual(t, len(part), len(full))
		some.run(part, v)
		for k := range 3 {
			if want.primaryRGB {
				require.Equal(t, all.c[cFragPrimary][k], some.c[cFragPrimary][k])
			}
			if want.secondaryRGB {
				require.Equal(t, all.c[cFragSecondary][k], some.c[cFragSecondary][k])
			}
		}
		if want.primaryA {
			require.Equal(t, all.c[cFragPrimary][alpha], some.c[cFragPrimary][alpha])
		}
		if want.secondaryA {
			require.Equal(t, all.c[cFragSecondary][alpha], some.c[cFragSecondary][alpha])
		}
	}
}

func TestLightTableEnds(t *testing.T) {
	var words [256]uint32
	for i := range words {
		words[i] = uint32(i * 16)
	}
	words[255] |= 0x7F << 12 // the last interval rises to the full scale
	lut := new(lut256)
	decodeLightTable(&words, lut)
	in := raster.Plane{-2, -1, -1.0 / 256, 0, 0.5, 1, 7, float32(math.NaN()), float32(math.Inf(1))}
	var got raster.Plane
	var at entries
	entriesUnsigned(simd.Best, &at, &in, 16)
	lookup(simd.Best, &got, &at, lut, 2, 16)
	top := 2 * (lut[255].value + lut[255].diff)
	require.Equal(t, []float32{0, 0, 0, 0, 2 * lut[128].value, top, top, 0, top}, got[:9])
	entriesSigned(simd.Best, &at, &in, 16)
	lookup(simd.Best, &got, &at, lut, 1, 16)
	require.Equal(t, lut[128].value, got[0])
	require.Equal(t, lut[128].value, got[1])
	require.Equal(t, lut[255].value+lut[255].diff/2, got[2])
	require.Equal(t, lut[0].value, got[3])
	require.Equal(t, lut[64].value, got[4])
	require.Equal(t, lut[127].value+lut[127].diff, got[5])
	require.Equal(t, lut[127].value+lut[127].diff, got[6])
	require.Equal(t, lut[128].value, got[7], "NaN reads the entry of the least input")
}

// Degenerate vectors give defined colours: a zero quaternion, a light at the fragment, no view vector.
func TestLightingWithZeroDirections(t *testing.T) {
	s := &lightingState{enabled: true, ambient: [3]float32{0.25, 0, 0}}
	s.tables[tableD0] = tableState{enabled: true, input: pica.LutInputNH, scale: 1}
	s.lights = []lightState{{geometric: [2]bool{true, false}, diffuse: [3]float32{1, 1, 1}, specular: [2][3]float32{{1, 1, 1}}}}
	var m machine
	m.n = 16
	m.run(lightOps(s, new(Tables), allOutputs))
	require.Equal(t, [4]uint8{63, 0, 0, 255}, [4]uint8{m.c[cFragPrimary][0][3], m.c[cFragPrimary][1][3], m.c[cFragPrimary][2][3], m.c[cFragPrimary][3][3]})
	require.Equal(t, uint8(0), m.c[cFragSecondary][0][3])
}

// planeBits returns the bits of all planes of the lighting registers.
func planeBits(l *lightPlanes) []uint32 {
	return sameNaN(unsafe.Slice((*float32)(unsafe.Pointer(l)), unsafe.Sizeof(*l)/4))
}

// Kernels read lutEntry as a pair of floats.
func TestTableLayout(t *testing.T) {
	require.Equal(t, uintptr(8), unsafe.Sizeof(lutEntry{}))
	require.Equal(t, uintptr(4), unsafe.Offsetof(lutEntry{}.diff))
}

// The planes start at cache lines.
func TestMachinePlanesAreAligned(t *testing.T) {
	m := NewEngine(1).machine(0)
	for i, p := range []unsafe.Pointer{
		unsafe.Pointer(&m.f), unsafe.Pointer(&m.c), unsafe.Pointer(&m.light), unsafe.Pointer(&m.light.entries), unsafe.Pointer(&m.proc),
		unsafe.Pointer(&m.fetched), unsafe.Pointer(&m.shadowZ), unsafe.Pointer(&m.unpacked), unsafe.Pointer(&m.compacted),
	} {
		require.Zero(t, uintptr(p)%64, "%d", i)
	}
}

// The AVX2 kernels of lighting give the plain kernels' lane registers and colours, for random states, ordinary and awkward inputs.
func TestLightKernelsAreTheSameBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 21))
	for round := range 300 {
		s, tables := randomLighting(rng), randomTables(rng)
		var source machine
		randomFragments(rng, &source)
		source.n = 16 * (1 + rng.IntN(16))
		if round%2 == 0 {
			for reg := fQuatX; reg <= fViewZ; reg++ {
				for i := range source.f[reg] {
					if rng.IntN(3) == 0 {
						source.f[reg][i] = awkward(rng)
					}
				}
			}
		}
		ops, v := lightOps(s, tables, allOutputs)
		vector, plain := both(t, func(with simd.Kernels) *machine {
			m := source
			m.with = with
			m.run(ops, v)
			return &m
		})
		require.Equal(t, planeBits(&plain.light), planeBits(&vector.light), "round %d", round)
		require.Equal(t, plain.c, vector.c, "round %d", round)
	}
}

// Kernels of table look-ups and small operations agree for inputs of all magnitudes.
func TestLookupKernelsAreTheSameBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 22))
	words := smoothTable(rng)
	lut := new(lut256)
	decodeLightTable(&words, lut)
	small := smoothMap(rng)
	lut128 := new(lut128)
	decodeProcTexTable(&small, lut128)
	for range 500 {
		var in [3]raster.Plane
		for p := range in {
			for i := range in[p] {
				in[p][i] = awkward(rng)
			}
		}
		var c Bytes
		copy(c[:], randomBytes(rng, len(c)))
		n := 16 * (1 + rng.IntN(16))
		k := awkward(rng)
		fog := float32(rng.IntN(256))
		type result struct {
			p lightPlanes
			b [2]Bytes
		}
		vector, plain := both(t, func(with simd.Kernels) *result {
			r := new(result)
			p := &r.p
			entriesUnsigned(with, &p.entries[0], &in[0], n)
			entriesSigned(with, &p.entries[1], &in[0], n)
			lookup(with, &p.dist, &p.entries[0], lut, k, n)
			lookup(with, &p.in, &p.entries[1], lut, k, n)
			lookup128(with, &p.tmp, &in[0], lut128, n)
			oneSided(with, &p.lit, &in[0], n)
			twoSided(with, &p.dotLN, &in[0], n)
			scaleBias(with, &p.dotNV, &in[0], k, in[1][0], n)
			mul(with, &p.atten, &in[0], &in[1], n)
			geometricFactor(with, &p.geo, &in[0], &in[1], n)
			clampHighlight(with, &p.high, &in[0], &in[1], n)
			fill(with, &p.d0, k, n)
			shadowFactor(with, &p.shadow[0], &c, k > 0, n)
			addSpecular0(with, &p.secondary, &in[0], &in[1], [3]float32{k, 1, fog}, n)
			addDiffuse(with, &p.primary, &in[0], &in[1], [3]float32{k, 1, fog}, [3]float32{1, k, 0}, n)
			towards(with, &p.light, &p.d1, [3]float32{k, 0, 1}, &in, n)
			halfVectorTo(with, &p.half, &p.halfSq, [3]float32{k, 0, 1}, &in, n)
			toByte(with, &r.b[0], &in[0], n)
			fogMix(with, &r.b[1], &c, &p.tmp, fog, n)
			return r
		})
		require.Equal(t, planeBits(&plain.p), planeBits(&vector.p))
		require.Equal(t, plain.b, vector.b)
	}
}

// Kernels of shadow textures (every wrap mode) and the procedural texture (every mode) agree for awkward coordinates.
func TestUnitKernelsAreTheSameBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 23))
	for range 400 {
		shadow := randomSampler(rng, 1)
		shadow.magLinear = true
		shadow.vectorizeShadow()
		bias := int32(rng.IntN(1<<20)) * 2
		proc, tables := randomProcTex(rng), randomProcTables(rng)
		proc.mipmap, proc.noise = false, false
		ops, values := procTexOps(proc, tables, true, true)
		var source machine
		source.n = 16 * (1 + rng.IntN(16))
		for reg := fTex0U; reg <= fTex2V; reg++ {
			for i := range source.f[reg] {
				if source.f[reg][i] = rng.Float32()*3 - 1; rng.IntN(4) == 0 {
					source.f[reg][i] = awkward(rng)
				}
			}
		}
		vector, plain := both(t, func(with simd.Kernels) *machine {
			m := source
			m.with = with
			u, v := &m.f[fScratch0], &m.f[fScratch0+1]
			project(with, u, v, &m.f[fTex0U], &m.f[fTex0V], &m.f[fTex0W], m.n)
			shadowReference(with, &m.shadowZ, &m.f[fTex0W], bias, m.n)
			shadow.sampleShadow(with, m.n, &m.f[fTex0U], &m.f[fTex0V], &m.shadowZ, &m.c[cTex0][red])
			shadow.sampleShadow(with, m.n, u, v, &m.shadowZ, &m.c[cTex0][green])
			m.run(ops, values)
			return &m
		})
		require.Equal(t, plain.shadowZ, vector.shadowZ)
		require.Equal(t, plain.c, vector.c)
		require.Equal(t, sameNaN(plain.f[fScratch0][:]), sameNaN(vector.f[fScratch0][:]))
	}
}

// Every scene gives the same picture with vector and plain kernels.
func TestScenesAreTheSameWithoutVectors(t *testing.T) {
	for _, sc := range fieldScenes {
		vector, plain := both(t, func(with simd.Kernels) []byte {
			s := newFieldScene(sc.setup)
			s.with = with
			out := testkit.Must(s.render())(t)
			return out
		})
		require.Equal(t, plain, vector, sc.name)
	}
}
