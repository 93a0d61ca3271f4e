package fragment

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/raster"
	"pica200/tests/testkit"
)

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
