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
