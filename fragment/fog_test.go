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

// Shadow output agrees with its formula for every pixel.
func TestShadowOutputMatchesReference(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 10))
	for range 200 {
		regs := new(pica.Regs)
		pica.ColorbufferWrite.Set(regs, 0xF)
		pica.FragopShadowConstant.SetFloat(regs, float32(rng.Float64()*2))
		pica.FragopShadowLinear.SetFloat(regs, float32(-rng.Float64()))
		target := &raster.Target{Width: 16, Height: 16, Color: randomBytes(rng, 16*16*4)}
		old := append([]byte(nil), target.Color...)
		st := &State{Regs: regs, Target: target}
		c := compilerOf(st)
		out := testkit.Must(c.shadowOutput(wholeRef(cPrimary)))(t)
		m := &machine{v: c.valuesOf(st)}
		var b raster.Batch
		m.b = &b
		for y := int32(0); y < 16; y += 4 {
			for x := int32(0); x < 16; x += 4 {
				b.Block[b.Blocks] = raster.Block{X: x, Y: y}
				b.Mask[b.Blocks] = uint16(rng.Uint32())
				b.Blocks++
			}
		}
		m.n = b.N()
		for i := range m.n {
			b.Depth[i] = rng.Float32()
			if rng.IntN(3) > 0 {
				m.c[cPrimary][green][i] = uint8(rng.IntN(256))
			} else {
				m.c[cPrimary][green][i] = 0
			}
		}
		out.run(m)
		k, l := float64(pica.FragopShadowConstant.Float(regs)), float64(pica.FragopShadowLinear.Float(regs))
		for i := range m.n {
			blk := b.Block[i/16]
			p := target.PixelIndex(blk.X+int32(raster.PixelX[i%16]), blk.Y+int32(raster.PixelY[i%16])) * 4
			want := append([]byte(nil), old[p:p+4]...)
			ref := int(want[0])<<16 | int(want[1])<<8 | int(want[2])
			z := int(float32(b.Depth[i] * 0xFFFFFF))
			s := m.c[cPrimary][green][i]
			if b.Mask[i/16]>>(i%16)&1 != 0 && z < ref {
				if s == 0 {
					want[0], want[1], want[2] = byte(z>>16), byte(z>>8), byte(z)
				} else {
					v := refClamp(float64(s)/(k+l*float64(z)/float64(ref)), 0, 255)
					if math.Abs(v-math.Round(v)) < 1e-3 {
						continue // float32 may fall on the other side
					}
					want[3] = min(want[3], uint8(v))
				}
			}
			require.Equal(t, want, target.Color[p:p+4], "lane %d", i)
		}
	}
}

// refShadow compares the four texels around u, v and mixes the results.
func refShadow(s bound, u, v float64, z int) float64 {
	at := func(x, y int) float64 {
		i, in := refWrap(s.wrapS, x, int(s.level[0].w))
		j, jn := refWrap(s.wrapT, y, int(s.level[0].h))
		word := s.border
		if in && jn {
			word = s.texels[int(s.level[0].offset)+j*int(s.level[0].w)+i]
		}
		if int(word>>8) >= z {
			return float64(word & 255)
		}
		return 0
	}
	x, y := u*float64(s.level[0].w)-0.5, v*float64(s.level[0].h)-0.5
	if !s.magLinear {
		return at(int(math.Floor(x+0.5)), int(math.Floor(y+0.5)))
	}
	i, j := math.Floor(x), math.Floor(y)
	a, b := x-i, y-j
	top := at(int(i), int(j))*(1-a) + at(int(i)+1, int(j))*a
	bottom := at(int(i), int(j)+1)*(1-a) + at(int(i)+1, int(j)+1)*a
	return top*(1-b) + bottom*b
}

// Shadow reads agree with the formula within the rounding of two 8-bit weights.
func TestShadowReadMatchesReference(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 11))
	for round := range 200 {
		s := randomSampler(rng, 1)
		s.magLinear = round%4 != 0
		s.vectorizeShadow()
		bias := int32(rng.IntN(1<<20)) * 2
		var u, v, w raster.Plane
		for i := range u {
			u[i], v[i], w[i] = float32(rng.Float64()*3-1), float32(rng.Float64()*3-1), float32(rng.Float64()*2.2-1.1)
		}
		var z [raster.Lanes]uint32
		var out Bytes
		shadowReference(simd.Best, &z, &w, bias, raster.Lanes)
		s.sampleShadow(simd.Best, raster.Lanes, &u, &v, &z, &out)
		for i := range out {
			ref := int(float32(min(abs32(w[i]), 1)*0xFFFFFF)) - int(bias)
			require.Equal(t, max(ref, 0), int(z[i]))
			want := refShadow(s, float64(u[i]), float64(v[i]), ref)
			l := &s.level[0]
			if !s.magLinear && (onBoundary(float64(u[i])*float64(l.w)) || onBoundary(float64(v[i])*float64(l.h))) {
				continue
			}
			if !s.magLinear {
				require.Equal(t, want, float64(out[i]))
				continue
			}
			require.InDelta(t, want, out[i], 3, "round %d lane %d", round, i)
		}
	}
}

func TestShadowReferenceBounds(t *testing.T) {
	w := raster.Plane{float32(math.NaN()), float32(math.Inf(-1)), -0.5, 0}
	var z [raster.Lanes]uint32
	shadowReference(simd.Best, &z, &w, 10, 16)
	require.Equal(t, []uint32{0xFFFFFF - 10, 0xFFFFFF - 10, 0x7FFFFF - 10, 0}, z[:4])
	require.Equal(t, uint32(77), shadowLight(0x12345600|77, 0x123456), "a fragment at the stored depth is lit")
	require.Zero(t, shadowLight(0x12345600|77, 0x123457))
}
