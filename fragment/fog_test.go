package fragment

import (
	"encoding/binary"
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

func TestHalfFloats(t *testing.T) {
	for h := range 1 << 16 {
		if h&0x7FFF > halfInfinity {
			continue // NaN
		}
		want := pica.Float16.Decode(uint32(h))
		got := halfToFloat(uint16(h))
		require.Equal(t, math.Float32bits(want), math.Float32bits(got), "%#04x", h)
		require.Equal(t, pica.Float16.Encode(want), uint32(floatToHalf(want)), "%#04x", h)
	}
	r := rand.New(rand.NewPCG(5, 6))
	for range 100000 {
		x := float32(math.Exp(r.Float64()*50 - 25))
		if flip(r) {
			x = -x
		}
		// No other half float is nearer; of two equally near ones it is the even one.
		h := floatToHalf(x)
		if x == 0 || h&0x7FFF == halfInfinity {
			require.True(t, x == 0 || math.Abs(float64(x)) >= 65520)
			continue
		}
		off := math.Abs(float64(halfToFloat(h)) - float64(x))
		for _, other := range []uint16{h - 1, h + 1} {
			if h&0x7FFF == 0 && other > h {
				continue
			}
			d := math.Abs(float64(halfToFloat(other)) - float64(x))
			require.True(t, off < d || off == d && h&1 == 0, "%g: %#04x", x, h)
		}
	}
	require.Equal(t, uint16(0x7BFF), floatToHalf(65519))
	require.Equal(t, uint16(halfInfinity), floatToHalf(65520))
	require.Equal(t, uint16(1), floatToHalf(1.5/(1<<25)), "three quarters of the least half float round up to it")
	require.Zero(t, floatToHalf(1.0/(1<<25)), "ties round to even")
	for k := range 12 {
		want := uint16(k + k&1)
		require.Equal(t, want, floatToHalf((float32(k)+0.5)/(1<<24)), "the tie above %d times the least half float", k)
		require.Equal(t, uint16(0x3C00)+want, floatToHalf(1+(float32(k)+0.5)/(1<<10)), "the tie %d steps above 1", k)
	}
}

// gasRegs are registers for pass B with random parameters.
func gasRegs(rng *rand.Rand) *pica.Regs {
	r := new(pica.Regs)
	pica.TexenvUpdateFogMode.Set(r, uint32(pica.FogModeGas))
	pica.TexenvUpdateGasDensity.Set(r, rng.Uint32N(2))
	pica.GasAccmax.SetFloat(r, float32(rng.Float64()*0.4+0.05))
	pica.GasAttenuation.SetFloat(r, float32(rng.Float64()))
	r[pica.RegGasLightXy] = rng.Uint32() & 0xFFFFFF
	r[pica.RegGasLightZ] = rng.Uint32() & 0xFFFFFF
	r[pica.RegGasLightZColor] = rng.Uint32() & 0x1FF
	at := pica.TexenvOffset(5)
	pica.TexenvRgbSource0.At(at).Set(r, uint32(pica.SourcePrimaryColor))
	pica.TexenvRgbSource2.At(at).Set(r, uint32(pica.SourceTexture0))
	return r
}

func randomGasTables(r *rand.Rand) *Tables {
	t := new(Tables)
	for i := range 8 {
		for c := range 3 {
			t.Gas[8+i] |= uint32(64+r.IntN(128)) << (8 * c)
			t.Gas[i] |= uint32(r.IntN(32)|r.IntN(2)<<7) << (8 * c)
		}
	}
	v := 0
	for i := range t.Fog {
		next := min(v+r.IntN(32), 2047)
		t.Fog[i] = uint32(v)<<13 | uint32(next-v)&0x1FFF
		v = next
	}
	return t
}

// refFog reads the fog table in float64.
func refFog(words *[128]uint32, x float64) float64 {
	x = refClamp(x, 0, 1) * 128
	i := math.Min(math.Floor(x), 127)
	w := words[int(i)]
	diff := int32(w & 0x1FFF)
	if diff >= 0x1000 {
		diff -= 0x2000
	}
	return refClamp((float64(w>>13&0x7FF)+float64(diff)*(x-i))/2047, 0, 1)
}

// refGas is pass B by the formulas of the gas study, for one texel (d1, d2) and planar shading.
func refGas(r *pica.Regs, t *Tables, d1, d2, planar float64) (out [4]float64) {
	unorm := func(reg pica.Reg, shift int) float64 { return float64(r[reg]>>shift&255) / 255 }
	xyMin, xyMax, xyAtten := unorm(0x120, 0), unorm(0x120, 8), unorm(0x120, 16)
	zMin, zMax, zAtten, zShading := unorm(0x121, 0), unorm(0x121, 8), unorm(0x121, 16), unorm(0x122, 0)
	density := d1
	if r[0x0E0]>>3&1 == 1 {
		density = d2
	}
	density *= float64(pica.Float16.Decode(r[0x0E5]))
	a := planar * (1 - xyAtten*density)
	ilxy := xyMax*a + xyMin*(1-a)
	b := zShading * (1 - zAtten*density)
	ilz := zMax*b + zMin*(1-b)
	x := density
	if r[0x122]>>8&1 == 1 {
		x = ilxy + ilz
	}
	x = refClamp(x, 0, 1) * 8
	i := int(math.Min(math.Floor(x), 7))
	for c := range 3 {
		base := float64(t.Gas[8+i]>>(8*c)&255) / 255
		d := t.Gas[i] >> (8 * c) & 255
		diff := float64(d&0x7F) / 127
		if d&0x80 != 0 {
			diff = -diff
		}
		out[c] = 255 * refClamp(base+diff*(x-float64(i)), 0, 1)
	}
	out[3] = 255 * refFog(&t.Fog, d2*float64(pica.Float16.Decode(r[0x0E4])))
	return out
}

// Pass B is within one 8-bit step of float64 for every pixel.
func TestGasShadingMatchesStudy(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 7))
	for round := range 200 {
		regs, tables := gasRegs(rng), randomGasTables(rng)
		st := &State{Regs: regs, Tables: tables}
		c := compilerOf(st)
		stages := testkit.Must(compileStages(regs))(t)
		f := testkit.Must(c.compileFog(stages))(t)
		require.Equal(t, wholeRef(cFog), f.out)
		require.Nil(t, f.after)

		m := &machine{v: c.valuesOf(st)}
		m.n = raster.Lanes
		var d1, d2 [raster.Lanes]uint16
		for i := range m.n {
			d1[i], d2[i] = floatToHalf(float32(rng.Float64()*5)), floatToHalf(float32(rng.Float64()*3))
			m.c[cTex0][alpha][i], m.c[cTex0][blue][i] = uint8(d1[i]>>8), uint8(d1[i])
			m.c[cTex0][green][i], m.c[cTex0][red][i] = uint8(d2[i]>>8), uint8(d2[i])
			m.c[cPrimary][red][i] = uint8(rng.IntN(256))
		}
		f.before.run(m)
		for i := range m.n {
			want := refGas(regs, tables, float64(halfToFloat(d1[i])), float64(halfToFloat(d2[i])), float64(m.c[cPrimary][red][i])/255)
			for ch := range want {
				require.InDelta(t, want[ch], m.c[cFog][ch][i], 1.01, "round %d lane %d channel %d", round, i, ch)
			}
		}
	}
}

// Pass A: the sum of several layers is within the rounding of half floats, for all depth functions and formats.
func TestGasAccumulationMatchesStudy(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 8))
	for fn := range pica.GasDepthFunc(4) {
		for _, depthFormat := range []pica.DepthFormat{pica.DepthFormatD16, pica.DepthFormatD24, pica.DepthFormatD24S8} {
			target := &raster.Target{
				Width: 16, Height: 16, DepthFormat: depthFormat,
				Color: make([]byte, 16*16*4), Depth: randomBytes(rng, 16*16*4),
			}
			regs := new(pica.Regs)
			pica.ColorbufferWrite.Set(regs, 0xF)
			regs[pica.RegDepthbufferRead] = 3
			pica.GasDeltaz.SetFloat(regs, 3.5)
			pica.GasDeltazFunc.Set(regs, uint32(fn))
			// Gas ignores the tests and masks of ordinary drawing.
			pica.DepthTestEnable.Set(regs, 1)
			pica.StencilTestEnable.Set(regs, 1)

			e := NewEngine(1)
			st := &State{Regs: regs, Target: target}
			c := compilerOf(st)
			out := testkit.Must(c.gasOutput(wholeRef(cPrimary)))(t)

			var sum [16 * 16][2]float64
			var b raster.Batch
			m := e.machine(0)
			m.b, m.v = &b, c.valuesOf(st)
			top := 0.0
			for range 20 { // layers
				b.Blocks = 0
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
					m.c[cPrimary][red][i] = uint8(rng.IntN(256))
				}
				out.run(m)
				for i := range m.n {
					blk := b.Block[i/16]
					if b.Mask[i/16]>>(i%16)&1 == 0 {
						continue
					}
					p := target.PixelIndex(blk.X+int32(raster.PixelX[i%16]), blk.Y+int32(raster.PixelY[i%16]))
					var block [16]uint32
					target.LoadDepth(p&^15, &block)
					zs := float64(block[p&15]) / float64(depthFormat.Max())
					att := refClamp((zs-float64(b.Depth[i]))*3.5, 0, 1)
					f := [4]float64{0, 1, 1 - att, att}[fn]
					d := float64(m.c[cPrimary][red][i]) / 255
					sum[p][0] += d
					sum[p][1] += d * f
					top = math.Max(top, sum[p][0])
				}
			}
			for p, want := range sum {
				q := target.Color[p*4:]
				d1, d2 := halfToFloat(uint16(q[0])<<8|uint16(q[1])), halfToFloat(uint16(q[2])<<8|uint16(q[3]))
				// Each addition loses at most half a unit in the last place.
				require.InDelta(t, want[0], d1, 20.0/512)
				require.InDelta(t, want[1], d2, 20.0/512)
			}
			require.InDelta(t, top, halfToFloat(e.TakeGasMaximum()), 20.0/512)
			require.Zero(t, e.TakeGasMaximum(), "TakeGasMaximum clears the maximum")
		}
	}
}

// Both passes through the engine, with the reciprocal of the feedback between them: every pixel is within one 8-bit step of
// float64.
func TestGasBothPasses(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 15))
	for round := range 20 {
		s := newFieldScene(sceneGasAccumulate)
		s.memory = make(sceneMemory, 4096)
		s.target.Color = s.memory[:1024]
		clear(s.target.Color)
		e := NewEngine(1)
		flat := func(z float32, red float32) {
			for k := range s.corner {
				v := &s.corner[k]
				v.Z, v.InvW, v.Vertex[pica.SemColorR] = z, 1, red
				v.Vertex[pica.SemTexCoord0U], v.Vertex[pica.SemTexCoord0V] = float32(k&1), float32(k>>1)
			}
		}
		s.draws = 1
		draw := func() { require.NoError(t, s.draw(e, ViewFinal, nil)) }

		// Pass A: layers of one density and depth each.
		var d1, d2 [sceneSize * sceneSize]float64
		top := 0.0
		for range 1 + rng.IntN(12) {
			z, density := rng.Float32(), uint8(rng.IntN(80))
			flat(-z, float32(density)/255)
			draw()
			for i := range d1 {
				zs := float64(binary.LittleEndian.Uint32(s.target.Depth[i*4:])&0xFFFFFF) / 0xFFFFFF
				d1[i] += float64(density) / 255
				d2[i] += float64(density) / 255 * refClamp((zs-float64(z))*2.5, 0, 1)
				top = math.Max(top, d1[i])
			}
		}
		feedback := pica.Float16.Decode(uint32(e.TakeGasMaximum()))
		require.InEpsilon(t, top, feedback, 0.005)

		// Pass B, into its own target.
		s.target.Color = make([]byte, 1024)
		pass := newFieldScene(sceneGasShade)
		s.regs, s.tables = pass.regs, pass.tables
		pica.GasAccmax.SetFloat(&s.regs, 1/feedback)
		pica.TexenvUpdateGasDensity.Set(&s.regs, uint32(round%2))
		pica.GasLutInputSelect.Set(&s.regs, uint32(round/2%2))
		planar := uint8(rng.IntN(256))
		flat(-0.5, float32(planar)/255)
		draw()
		for i := range d1 {
			want := refGas(&s.regs, &s.tables, d1[i], d2[i], float64(planar)/255)
			for ch, w := range want {
				got := float64(s.target.Color[i*4+3-ch])
				require.LessOrEqual(t, math.Abs(got-math.Floor(w)), 1.0, "round %d pixel %d channel %d: %.3f", round, i, ch, w)
			}
		}
	}
}
