package geometry

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
	"pica200/pica"
	"pica200/shaderunit"
)

func needVector(t *testing.T) {
	if !simd.Best.Vector() {
		t.Skip("no AVX2 here: there is one form of the kernels only")
	}
}

// anyFloat is a random number, often a special case of comparisons and conversions.
func anyFloat(rng *rand.Rand) float32 {
	switch rng.IntN(12) {
	case 0:
		list := []uint32{0, 1 << 31, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00001, 1, 0x80000001, 0x00800000,
			0x20800000, 0x207FFFFF, 0xA07FFFFF, 0x5F7FFFFF, 0x5F800000, 0xDF800000, 0x3F800000, 0xBF800000,
			0x322BCC77, 0xB22BCC77, 0x322BCC78, 0xB22BCC78, 0x47800000, 0xC7800000}
		return math.Float32frombits(list[rng.IntN(len(list))])
	case 1:
		return math.Float32frombits(rng.Uint32())
	}
	return float32((rng.Float64() - 0.5) * math.Exp2(float64(rng.IntN(8)-3)))
}

func bitsOf(list []float32) (out []uint32) {
	for _, x := range list {
		out = append(out, math.Float32bits(x))
	}
	return out
}

// The fetch kernels agree with the plain loops, up to the last vertex of an array and with values that they refuse.
func TestFetchVector(t *testing.T) {
	needVector(t)
	rng := rand.New(rand.NewPCG(31, 32))
	taken := map[pica.AttribType]int{}
	for range 4000 {
		format := pica.AttribType(rng.IntN(4))
		a := attribute{array: true, format: format, count: uint8(1 + rng.IntN(4)), offset: componentSize(format) * uint32(rng.IntN(5))}
		size := a.offset + uint32(a.count)*componentSize(format)
		var l layout
		ld := &l.loaders[0]
		ld.stride = size + uint32(rng.IntN(9))
		first, count := uint32(rng.IntN(1000)), 1+rng.IntN(100)
		// The data ends with the last vertex, as open maps it.
		ld.data = make([]byte, uint32(count-1)*ld.stride+size)
		for i := range ld.data {
			ld.data[i] = byte(rng.Uint32())
		}
		if format == pica.AttribFloat && rng.IntN(4) != 0 {
			for v := range count {
				for c := range int(a.count) {
					x := float32(rng.NormFloat64())
					if rng.IntN(50) == 0 {
						x = anyFloat(rng)
					}
					b := math.Float32bits(x)
					at := v*int(ld.stride) + int(a.offset) + 4*c
					copy(ld.data[at:], []byte{byte(b), byte(b >> 8), byte(b >> 16), byte(b >> 24)})
				}
			}
		}
		n := 8 * (1 + rng.IntN(8))
		ids := make([]uint32, n)
		for i := range ids {
			ids[i] = first + uint32(rng.IntN(count))
			if rng.IntN(2) == 0 {
				ids[i] = first + uint32(rng.IntN(max(1, count-8)))
			}
		}
		var rows [4]shaderunit.Row
		if !l.fetchVector(&a, &rows, ids, first) {
			continue
		}
		taken[format]++
		plain := newLanes(shaderunit.Lanes)
		l.fetch(&a, plain, ids, first)
		for c := range rows {
			require.Equal(t, bitsOf(plain[c][:n]), bitsOf(rows[c][:n]), "%v x%d, component %d", format, a.count, c)
		}
	}
	for format := range pica.AttribType(4) {
		require.Greater(t, taken[format], 100, "the kernel of %v loaded almost no vertices", format)
	}
}

// The fetch kernels refuse what only plain Go handles: reads behind the array, counts that are no multiple of 8, special numbers.
func TestFetchVectorRefuses(t *testing.T) {
	needVector(t)
	var l layout
	var rows [4]shaderunit.Row
	a := attribute{array: true, format: pica.AttribFloat, count: 3}
	ld := &l.loaders[0]
	ld.stride, ld.data = 12, make([]byte, 12*10)
	ids := []uint32{0, 1, 2, 3, 4, 5, 6, 7}
	require.True(t, l.fetchVector(&a, &rows, ids, 0))
	ids[5] = 8 // has 16 bytes
	require.True(t, l.fetchVector(&a, &rows, ids, 0))
	ids[5] = 9 // has 12 bytes
	require.False(t, l.fetchVector(&a, &rows, ids, 0), "reads behind the array are refused")
	ids[5] = 5
	require.False(t, l.fetchVector(&a, &rows, ids[:7], 0), "counts that are no multiple of 8 are refused")
	for _, bad := range []uint32{0x7F800000, 0x5F800000, 1, 0x80000001, 0x207FFFFF, 0x7FC00000} {
		copy(ld.data[12*3+8:], []byte{byte(bad), byte(bad >> 8), byte(bad >> 16), byte(bad >> 24)})
		require.False(t, l.fetchVector(&a, &rows, ids, 0), "%08X is no normal float24", bad)
	}
	copy(ld.data[12*3+8:], []byte{0, 0, 0, 0x80})
	require.True(t, l.fetchVector(&a, &rows, ids, 0))
	require.Zero(t, math.Float32bits(rows[2][3]), "-0 is loaded as 0")
	ld.data = ld.data[:15]
	require.False(t, l.fetchVector(&a, &rows, ids, 0))
}

// The locate kernel agrees with the plain form: all outcodes, and the positions of the vertices inside.
func TestLocateAll(t *testing.T) {
	needVector(t)
	rng := rand.New(rand.NewPCG(33, 34))
	inside := 0
	codes := map[uint32]bool{}
	for range 3000 {
		a := &assembler{view: viewport{
			halfW: float32(rng.IntN(512)) / 2, halfH: anyFloat(rng) * 100, x: float32(rng.IntN(1024) - 512), y: float32(rng.IntN(1024) - 512),
		}}
		a.user.enabled = rng.IntN(2) == 0
		for i := range a.user.coef {
			a.user.coef[i] = anyFloat(rng)
		}
		var rows [4]shaderunit.Row
		at := [4]*shaderunit.Row{&rows[0], &rows[1], &rows[2], &rows[3]}
		n := 1 + rng.IntN(shaderunit.Lanes)
		for i := range n {
			w := anyFloat(rng)
			for c := range at {
				at[c][i] = anyFloat(rng)
				if rng.IntN(2) == 0 {
					at[c][i] = w * float32(rng.IntN(3)-1)
				}
			}
			at[3][i] = w
			if rng.IntN(3) != 0 {
				w = 1 + float32(math.Abs(rng.NormFloat64()))
				at[0][i], at[1][i], at[2][i], at[3][i] = w*(2*rng.Float32()-1), w*(2*rng.Float32()-1), -w*rng.Float32(), w
			}
		}
		var v [2][shaderunit.Lanes + 1]pica.ScreenPosition
		var p [2][shaderunit.Lanes + 1]position
		for k, form := range []simd.Kernels{simd.Plain, simd.Best} {
			a.locateAll(form, &at, v[k][:n], p[k][:n])
		}
		require.Zero(t, v[1][n], "nothing is written after the end")
		require.Zero(t, p[1][n], "nothing is written after the end")
		for i := range n {
			require.Equal(t, p[0][i].code, p[1][i].code, "%v %v %v %v", at[0][i], at[1][i], at[2][i], at[3][i])
			codes[p[0][i].code] = true
			if p[0][i].code != 0 {
				continue
			}
			inside++
			require.Equal(t, p[0][i], p[1][i])
			require.Equal(t, v[0][i].X, v[1][i].X)
			require.Equal(t, v[0][i].Y, v[1][i].Y)
			require.Equal(t, math.Float32bits(v[0][i].Z), math.Float32bits(v[1][i].Z))
			require.Equal(t, math.Float32bits(v[0][i].InvW), math.Float32bits(v[1][i].InvW))
		}
	}
	require.Greater(t, inside, 10000)
	for bit := range clipPlanes + 1 {
		require.True(t, slices.ContainsFunc(slices.Collect(maps.Keys(codes)), func(c uint32) bool { return c>>bit&1 != 0 }), "outcode bit %d never occurred", bit)
	}
}

// The store kernels agree with the plain loop for any number of components, colours among them.
func TestStoreVector(t *testing.T) {
	needVector(t)
	rng := rand.New(rand.NewPCG(35, 36))
	b := new(shaderunit.Batch)
	var scratch [4]shaderunit.Row
	for range 1000 {
		for reg := range outputRegisters {
			for c := range 4 {
				for i := range b.Out(reg, c) {
					b.Out(reg, c)[i] = anyFloat(rng)
				}
			}
		}
		var m outputMap
		m.n = rng.IntN(semantics + 1)
		order := rng.Perm(semantics)
		for k := range m.n {
			m.from[k] = source{uint8(rng.IntN(outputRegisters)), uint8(rng.IntN(4)), pica.Semantic(order[k])}
		}
		n := max(1, m.n+rng.IntN(3))
		vertices := 1 + rng.IntN(shaderunit.Lanes)
		plain, vector := make([]float32, vertices*n), make([]float32, vertices*n)
		m.store(b, 0, plain, n)
		done := m.storeVector(b, vector, n, &scratch)
		if n >= 4 {
			require.Equal(t, vertices&^7, done)
		}
		m.store(b, done, vector, n)
		require.Equal(t, bitsOf(plain), bitsOf(vector))
	}
}
