package fragment

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
	"pica200/pica"
	"pica200/raster"
	"pica200/tests/testkit"
)

// Fog agrees with the table read in float64, with and without z flip.
func TestFogMatchesReference(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 9))
	for round := range 100 {
		tables := randomGasTables(rng)
		for i := range tables.Fog { // make some differences negative
			if flip(rng) {
				tables.Fog[i] ^= 0x1FFF
			}
		}
		regs := new(pica.Regs)
		regs[pica.RegFogColor] = rng.Uint32()
		pica.TexenvUpdateFogMode.Set(regs, uint32(pica.FogModeFog))
		zFlip := flip(rng)
		pica.TexenvUpdateZFlip.SetBool(regs, zFlip)
		st := &State{Regs: regs, Tables: tables}
		c := compilerOf(st)
		out := wholeRef(cStage0 + 5)
		f := testkit.Must(c.compileFog(&combiner{out: out}))(t)
		require.Nil(t, f.before)
		require.Equal(t, planeRef{cStage0 + 5, alpha}, f.out[alpha], "fog does not change alpha")

		m := &machine{v: c.valuesOf(st)}
		var b raster.Batch
		m.b, m.n = &b, raster.Lanes
		for i := range m.n {
			b.Depth[i] = rng.Float32()
			for ch := range 3 {
				m.c[cStage0+5][ch][i] = uint8(rng.IntN(256))
			}
		}
		b.Depth[0], b.Depth[1] = 0, 1
		f.after.run(m)
		for i := range m.n {
			z := float64(b.Depth[i])
			if zFlip {
				z = 1 - z
			}
			k := refFog(&tables.Fog, z)
			for ch := range 3 {
				want := k*float64(m.c[cStage0+5][ch][i]) + (1-k)*float64(regs[pica.RegFogColor]>>(8*ch)&255)
				nearByte(t, want+0.5, m.c[cFog][ch][i], "round %d lane %d channel %d", round, i, ch)
			}
		}
	}
}

func TestFogOfNaNDepth(t *testing.T) {
	var tables Tables
	for i := range tables.Fog {
		tables.Fog[i] = uint32(i*16) << 13
	}
	lut := new(lut128)
	decodeFog(&tables.Fog, lut)
	in := raster.Plane{float32(math.NaN()), -1, 2}
	var got raster.Plane
	fogFactor(simd.Best, &got, &in, lut, 16)
	require.Equal(t, []float32{lut[0].value, lut[0].value, lut[127].value}, got[:3])
}
