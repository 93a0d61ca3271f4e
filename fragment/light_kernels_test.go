package fragment

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
	"pica200/raster"
	"pica200/tests/testkit"
)

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
