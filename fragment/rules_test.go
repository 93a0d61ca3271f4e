package fragment

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
	"pica200/pica"
	"pica200/raster"
	"pica200/tests/testkit"
)

// Rules of docs/accuracy that no larger test covers.

// colors returns the colour buffer of a rendered scene, depths its depth buffer.
func colors(out []byte) []byte { return out[:sceneSize*sceneSize*4] }
func depths(out []byte) []byte { return out[sceneSize*sceneSize*4:][:sceneSize*sceneSize*4] }

// rendered draws a scene after some changes.
func rendered(t *testing.T, setup func(*fieldScene), change ...func(s *fieldScene)) []byte {
	t.Helper()
	s := newFieldScene(setup)
	for _, c := range change {
		c(s)
	}
	out := testkit.Must(s.render())(t)
	return out
}

func TestVertexColorRoundsToNearest(t *testing.T) {
	var p raster.Plane
	for i := range p {
		// Just below and just above the middle between two bytes.
		p[i] = (float32(i/2) + []float32{0.49, 0.51}[i%2]) / 255
	}
	vector, plain := both(t, func(with simd.Kernels) *Bytes {
		var d Bytes
		toBytes(with, raster.Lanes, &p, &d)
		return &d
	})
	for i := range p {
		require.Equal(t, uint8(i/2+i%2), plain[i], "%v", p[i]*255)
	}
	require.Equal(t, plain, vector)
}

// The alpha test comes first: fragments that fail it do not change the stencil buffer.
func TestAlphaTestComesFirst(t *testing.T) {
	never := func(s *fieldScene) { pica.AlphaTestEnable.SetBool(&s.regs, true) }
	before := newFieldScene(sceneDepthStencil).target
	require.NotEqual(t, before.Depth, depths(rendered(t, sceneDepthStencil)))
	out := rendered(t, sceneDepthStencil, never)
	require.Equal(t, before.Depth, depths(out))
	require.Equal(t, before.Color, colors(out))
}

func TestEarlyDepthTestHasNoEffect(t *testing.T) {
	on := func(s *fieldScene) {
		r := &s.regs
		pica.EarlydepthTest1.SetBool(r, true)
		pica.EarlydepthTest2.SetBool(r, true)
		for f := range uint32(4) {
			pica.EarlydepthFunc.Set(r, f)
		}
	}
	require.Equal(t, rendered(t, sceneDepthStencil), rendered(t, sceneDepthStencil, on))
}

// Unit 2 uses the coordinates of unit 1 if bit 13 of GPUREG_TEXUNIT_CONFIG is set.
func TestUnit2TextureCoordinates(t *testing.T) {
	only2 := func(s *fieldScene) { s.stage(2, pica.CombineReplace, pica.SourceTexture2) }
	shared := rendered(t, sceneTextures, only2, func(s *fieldScene) { pica.TexunitTexcoord2.Set(&s.regs, 1) })
	moved := rendered(t, sceneTextures, only2, func(s *fieldScene) {
		for k := range s.corner {
			copy(s.corner[k].Vertex[pica.SemTexCoord2U:], s.corner[k].Vertex[pica.SemTexCoord1U:][:2])
		}
	})
	require.Equal(t, moved, shared)
	require.NotEqual(t, rendered(t, sceneTextures, only2), shared)
}

// Lighting runs only if both registers enable it; otherwise both of its colours are 0, including alpha.
func TestLightingNeedsBothEnables(t *testing.T) {
	for _, enable := range []bool{false, true} {
		for _, disable := range []bool{false, true} {
			var r pica.Regs
			pica.LightingEnable.SetBool(&r, enable)
			pica.LightingDisable.SetBool(&r, disable)
			s := testkit.Must(decodeLighting(&r))(t)
			require.Equal(t, enable && !disable, s.enabled)
		}
	}
	for _, source := range []pica.Source{pica.SourceFragmentPrimary, pica.SourceFragmentSecondary} {
		out := rendered(t, func(s *fieldScene) { s.stage(0, pica.CombineReplace, source) })
		require.Equal(t, make([]byte, sceneSize*sceneSize*4), colors(out))
	}
}

// The tables of each layer configuration (3dbrew, Fragment Lighting).
func TestLightTablesOfEachLayer(t *testing.T) {
	for layer, want := range map[uint32][]lightTable{
		0: {tableD0, tableRR, tableSP},
		1: {tableFR, tableRR, tableSP},
		2: {tableD0, tableD1, tableRR},
		3: {tableD0, tableD1, tableFR},
		4: {tableD0, tableD1, tableRR, tableRG, tableRB, tableSP},
		5: {tableD0, tableFR, tableRR, tableRG, tableRB, tableSP},
		6: {tableD0, tableD1, tableFR, tableRR, tableSP},
		8: {tableD0, tableD1, tableFR, tableRR, tableRG, tableRB, tableSP},
	} {
		var r pica.Regs
		pica.LightingEnable.SetBool(&r, true)
		pica.LightingLayer.Set(&r, layer)
		s := testkit.Must(decodeLighting(&r))(t)
		var got []lightTable
		for k := range s.tables {
			if s.tables[k].enabled {
				got = append(got, lightTable(k))
			}
		}
		require.ElementsMatch(t, want, got, "layer %d", layer)
		for k := range s.tables {
			require.Equal(t, slices.Contains(want, lightTable(k)), LayerHasTable(pica.LightLayer(layer), lightTable(k).String()), "layer %d", layer)
		}
		require.True(t, s.lights[0].distAtten, "distance attenuation is enabled in every layer")
	}
	require.False(t, LayerHasTable(7, "D0"))
	require.False(t, LayerHasTable(0, "XX"))
}

// Bits 20 to 22 of GPUREG_LIGHTING_CONFIG1 disable RB, RG and RR.
func TestReflectionTableDisableBits(t *testing.T) {
	for bit, table := range map[int]lightTable{20: tableRB, 21: tableRG, 22: tableRR} {
		var r pica.Regs
		pica.LightingEnable.SetBool(&r, true)
		pica.LightingLayer.Set(&r, uint32(pica.LightLayer7))
		r[pica.RegLightingConfig1] = 1 << bit
		s := testkit.Must(decodeLighting(&r))(t)
		for k := range s.tables {
			require.Equal(t, lightTable(k) != table, s.tables[k].enabled, "bit %d, table %v", bit, lightTable(k))
		}
	}
}

// The greatest values of the fixed-point formats are 1.
func TestFixedPointMaximumIsOne(t *testing.T) {
	require.Equal(t, lutEntry{1, 1}, decodeLightEntry(0xFFF|0x7FF<<12))
	require.Equal(t, lutEntry{0, -1}, decodeLightEntry(0x7FF<<12|1<<23))
	require.Equal(t, lutEntry{1, 2047.0 / 4095}, decodeProcTexEntry(0xFFF|0x7FF<<12))
	require.Equal(t, lutEntry{0, float32(-2048.0 / 4095)}, decodeProcTexEntry(0x800<<12))
	require.Equal(t, lutEntry{1, 1}, decodeFogEntry(0x7FF<<13|0x7FF))
	require.Equal(t, lutEntry{0, float32(-4096.0 / 2047)}, decodeFogEntry(0x1000))
	var r pica.Regs
	pica.LightingEnable.SetBool(&r, true)
	r[pica.RegLight0Diffuse] = 255<<20 | 1023<<10
	r[pica.RegLight0SpotdirXy] = 0x7FF | 0x1801<<16
	s := testkit.Must(decodeLighting(&r))(t)
	require.Equal(t, [3]float32{1, 1023.0 / 255, 0}, s.lights[0].diffuse)
	require.Equal(t, [3]float32{1, -1, 0}, s.lights[0].spot)
}

// Undocumented values of the procedural texture behave like documented ones.
func TestProcTexUndocumentedMeanings(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 16))
	tables := randomProcTables(rng)
	run := func(change func(r *pica.Regs)) Color {
		var r pica.Regs
		pica.ProctexWidth.Set(&r, 128)
		pica.ProctexMinFilter.Set(&r, 1)
		pica.ProctexRgbMap.Set(&r, uint32(pica.ProcMapAdd))
		change(&r)
		s := decodeProcTex(&r)
		m := &machine{n: raster.Lanes}
		source := rand.New(rand.NewPCG(5, 17))
		for f := fTex0U; f <= fTex2V; f++ {
			for i := range m.n {
				m.f[f][i] = float32(source.Float64()*3 - 1)
			}
		}
		m.run(procTexOps(s, tables, true, true))
		return m.c[cTex3]
	}
	set := func(f pica.Field, v uint32) func(r *pica.Regs) {
		return func(r *pica.Regs) { f.Set(r, v) }
	}
	same := func(f pica.Field, value, like uint32) {
		t.Helper()
		require.Equal(t, run(set(f, like)), run(set(f, value)), "%v %d", f, value)
	}
	for v := uint32(5); v < 8; v++ {
		same(pica.ProctexClampU, v, uint32(pica.ProcClampToEdge))
	}
	same(pica.ProctexShiftU, 3, uint32(pica.ProcShiftNone))
	same(pica.ProctexMinFilter, 6, 0)
	same(pica.ProctexMinFilter, 7, 1)
	same(pica.TexunitTexcoord3, 3, 0)
	zero := refProcLevel(decodeProcTex(&pica.Regs{pica.RegTexunit3Proctex4: 128 << 11}), tables, refMap(&tables.ProcRGBMap, 0), 0)
	for v := uint32(10); v < 16; v++ {
		got := run(func(r *pica.Regs) {
			pica.ProctexRgbMap.Set(r, v)
			pica.ProctexMinFilter.Set(r, 0)
		})
		for ch := range got {
			require.Equal(t, uint8(zero[ch]), got[ch][7], "mapping %d", v)
			require.Equal(t, got[ch][7], got[ch][200], "mapping %d ignores the coordinates", v)
		}
	}
}

// Shadow output ignores the tests, masks and blending of ordinary drawing.
func TestShadowOutputIgnoresTests(t *testing.T) {
	want := rendered(t, sceneShadowWrite, func(s *fieldScene) { pica.AlphaTestEnable.SetBool(&s.regs, false) })
	require.NotEqual(t, newFieldScene(sceneShadowWrite).target.Color, colors(want))
	require.Equal(t, want, rendered(t, sceneShadowWrite, func(s *fieldScene) {
		r := &s.regs
		pica.AlphaTestEnable.SetBool(r, true) // never
		pica.StencilTestEnable.SetBool(r, true)
		pica.DepthTestEnable.SetBool(r, true)
		for _, f := range []pica.Field{pica.ColorMaskR, pica.ColorMaskG, pica.ColorMaskB, pica.ColorMaskA, pica.DepthWriteEnable} {
			f.SetBool(r, false)
		}
		r[pica.RegBlendFunc] = 0
	}))
}

// Gas accumulation ignores colour masks, blending, depth and stencil tests; the alpha test and the colour buffer's write access
// apply.
func TestGasAccumulationIgnoresTests(t *testing.T) {
	want := rendered(t, sceneGasAccumulate)
	empty := newFieldScene(sceneGasAccumulate).target.Color
	require.NotEqual(t, empty, colors(want))
	require.Equal(t, want, rendered(t, sceneGasAccumulate, func(s *fieldScene) {
		r := &s.regs
		for _, f := range []pica.Field{pica.ColorMaskR, pica.ColorMaskG, pica.ColorMaskB, pica.ColorMaskA} {
			f.SetBool(r, false)
		}
		r[pica.RegBlendFunc] = 0
		pica.StencilTestEnable.SetBool(r, true) // never
		pica.DepthTestEnable.SetBool(r, true)   // never
	}))
	never := rendered(t, sceneGasAccumulate, func(s *fieldScene) { pica.AlphaTestEnable.SetBool(&s.regs, true) })
	require.Equal(t, empty, colors(never))
	locked := rendered(t, sceneGasAccumulate, func(s *fieldScene) { s.regs[pica.RegColorbufferWrite] = 0 })
	require.Equal(t, empty, colors(locked))
}

// In a quad that sees several cube faces, each lane computes its level of detail from all four directions on its own face.
func TestCubeLevelOfDetail(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 18))
	s := &sampler{wrapS: pica.WrapClampToEdge, wrapT: pica.WrapClampToEdge, maxLevel: 3, powerOfTwo: true, needLevel: true}
	m := machine{n: raster.Lanes, v: &values{samplers: [3]*sampler{s}}}
	for i := range cubeFaces {
		var data []uint32
		for l := range 4 {
			size := int32(64 >> l)
			s.level[l] = textureLevel{float32(size), float32(size), size, size, int32(len(data))}
			for range size * size {
				data = append(data, uint32(16*i+l)*0x01010101)
			}
		}
		m.v.texels[i] = &texels{data: data}
	}
	s.lod = s.newLodParams()
	for q := 0; q < m.n; q += 4 {
		size := math.Exp2(-2 - 5*rng.Float64())
		at := [3]float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		for i := range 4 {
			for k := range 3 {
				m.f[fTex0U+k][q+i] = float32(at[k] + size*rng.NormFloat64())
			}
		}
	}
	sampleCube(&m, 0)
	checked, mixed := 0, 0
	for q := 0; q < m.n; q += 4 {
		direction := func(i int) (x, y, z float64) {
			return float64(m.f[fTex0U][q+i]), float64(m.f[fTex0V][q+i]), float64(m.f[fTex0W][q+i])
		}
		first, _, _ := refCube(direction(0))
		for i := range 4 {
			face, _, _ := refCube(direction(i))
			if face != first {
				mixed++
			}
			var u, v raster.Plane
			var x, y, z raster.Plane
			for j := range 4 {
				a, b, c := direction(j)
				x[j], y[j], z[j] = float32(a), float32(b), float32(c)
			}
			cubeCoordinates(simd.Best, &u, &v, face, &x, &y, &z, 16)
			steps := max(abs32(u[1]-u[0]), abs32(v[1]-v[0]), abs32(u[2]-u[0]), abs32(v[2]-v[0]))
			lod := math.Log2(64 * float64(steps))
			if math.IsNaN(lod) || math.Abs(lod-math.Floor(lod)-0.5) < 0.01 {
				continue
			}
			checked++
			want := 16*face + int(refClamp(math.Round(lod), 0, 3))
			require.Equal(t, uint8(want), m.c[cTex0][red][q+i], "quad %d lane %d", q/4, i)
		}
	}
	require.Greater(t, checked, 200)
	require.NotZero(t, mixed, "some quads see two faces")
}

// A state that cannot be drawn gives an error that names the position, an unreadable texture a warning; odd but drawable states have a
// defined result.
func TestInvalidStatesAreRefused(t *testing.T) {
	textured := func(set func(r *pica.Regs)) func(s *fieldScene) {
		return func(s *fieldScene) {
			sceneTextures(s)
			set(&s.regs)
		}
	}
	lit := func(set func(r *pica.Regs)) func(s *fieldScene) {
		return func(s *fieldScene) {
			sceneLights(s)
			set(&s.regs)
		}
	}
	for _, c := range []struct {
		name  string
		setup func(s *fieldScene)
		err   string // "" if it draws
	}{
		{"texture of width 0", textured(func(r *pica.Regs) { pica.TexunitWidth.Set(r, 0) }), "texture unit 0: size 0x16"},
		{"texture of height 0", textured(func(r *pica.Regs) { pica.TexunitHeight.At(pica.TexunitOffset(2)).Set(r, 0) }), "texture unit 2: size 16x0"},
		{"texture of width 20", textured(func(r *pica.Regs) { pica.TexunitWidth.Set(r, 20) }), "multiple of 8"},
		{"texture of width 2040", textured(func(r *pica.Regs) { pica.TexunitWidth.Set(r, 2040) }), "1024"},
		{"texture of 24x40", textured(func(r *pica.Regs) { pica.TexunitWidth.Set(r, 24); pica.TexunitHeight.Set(r, 40) }), ""},
		{"texture in no memory", textured(func(r *pica.Regs) { pica.TexunitAddr.Set(r, 0x08000000>>3) }), "texture unit 0"},
		{"texture across the end of memory", textured(func(r *pica.Regs) { pica.TexunitAddr.Set(r, (sceneMemoff+1<<20-8)>>3) }), "texture unit 0"},
		{"texture format 15", textured(func(r *pica.Regs) { pica.TexunitFormat(1).Set(r, 15) }), "texture unit 1: format"},
		{"texture type 7", textured(func(r *pica.Regs) { pica.TexunitType.Set(r, 7) }), "type 7"},
		{"texture off at no address", textured(func(r *pica.Regs) { pica.TexunitAddr.Set(r, 0); pica.TexunitEnable0.SetBool(r, false) }), ""},
		{"texture unit 0 of type disabled", textured(func(r *pica.Regs) { pica.TexunitType.Set(r, uint32(pica.TextureDisabled)) }), ""},
		{"levels past the smallest", textured(func(r *pica.Regs) { pica.TexunitLodMax.Set(r, 15); pica.TexunitLodMin.Set(r, 15) }), ""},
		{"wrap modes 4 to 7", textured(func(r *pica.Regs) { pica.TexunitWrapS.Set(r, 5); pica.TexunitWrapT.Set(r, 7) }), ""},
		{"fragment mode 2", func(s *fieldScene) { pica.ColorOperationMode.Set(&s.regs, 2) }, "mode 2"},
		{"fog mode 3", func(s *fieldScene) { pica.TexenvUpdateFogMode.Set(&s.regs, 3) }, ""},
		{"combiner function 12", func(s *fieldScene) { pica.TexenvRgbCombine.At(pica.TexenvOffset(4)).Set(&s.regs, 12) }, "stage 4"},
		{"combiner function 12 of alpha", func(s *fieldScene) { pica.TexenvAlphaCombine.Set(&s.regs, 12) }, "stage 0"},
		{"combiner source 10", func(s *fieldScene) { s.stage(0, pica.CombineReplace, 10) }, ""},
		{"blend factor 15, equation 7", func(s *fieldScene) { s.regs[pica.RegBlendFunc] = 0xFFFF0707 }, ""},
		{"light layer 7", lit(func(r *pica.Regs) { pica.LightingLayer.Set(r, 7) }), "GPUREG_LIGHTING_CONFIG0[7:4] layer: 7 does not exist"},
		{"light layer 15", lit(func(r *pica.Regs) { pica.LightingLayer.Set(r, 15) }), "15 does not exist"},
		{"bump mode 3", lit(func(r *pica.Regs) { pica.LightingBumpMode.Set(r, 3) }), "bump mode"},
		{"light table input 7", lit(func(r *pica.Regs) { pica.LightingLutInputRG.Set(r, 7) }), "input 7 of table RG"},
		{"light table scale 4", lit(func(r *pica.Regs) { pica.LightingLutScaleFR.Set(r, 4) }), "scale 4 of table FR"},
		{"input 7 of a table that is off", lit(func(r *pica.Regs) { pica.LightingLutInputRG.Set(r, 7); pica.LightingNoRG.SetBool(r, true) }), ""},
		{"layer 7 with lighting off", lit(func(r *pica.Regs) { pica.LightingLayer.Set(r, 7); pica.LightingEnable.SetBool(r, false) }), ""},
		{"the same light eight times", lit(func(r *pica.Regs) { r[pica.RegLightingLightPermutation] = 0x33333333 }), ""},
		{"bump from a texture that is off", lit(func(r *pica.Regs) { pica.LightingBumpMode.Set(r, 1); pica.LightingBumpTexture.Set(r, 1) }), ""},
		{"bump from the procedural texture", lit(func(r *pica.Regs) { pica.LightingBumpMode.Set(r, 1); pica.LightingBumpTexture.Set(r, 3) }), ""},
		{"gas without a depth buffer", func(s *fieldScene) { sceneGasAccumulate(s); s.target.Depth = nil }, "depth buffer"},
		{"gas without a depth buffer that does not read it", func(s *fieldScene) {
			sceneGasAccumulate(s)
			s.target.Depth = nil
			pica.GasDeltazFunc.Set(&s.regs, uint32(pica.GasDepthAlways))
		}, ""},
		{"gas to 16 bits", func(s *fieldScene) { sceneGasAccumulate(s); s.target.ColorFormat = pica.ColorFormatRGBA4 }, "gas buffer"},
		{"shadow to 16 bits", func(s *fieldScene) { sceneShadowWrite(s); s.target.ColorFormat = pica.ColorFormatRGBA4 }, "shadow texture"},
		{"shadow with a penumbra of 0", func(s *fieldScene) { sceneShadowWrite(s); s.regs[pica.RegFragopShadow] = 0 }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newFieldScene(c.setup)
			_, err := s.render()
			switch {
			case c.err == "":
				require.NoError(t, err)
				require.Empty(t, s.warnings)
			case len(s.warnings) != 0:
				require.Contains(t, s.warnings[0], c.err)
				require.Contains(t, s.warnings[0], "texture unit")
			default:
				require.ErrorContains(t, err, c.err)
			}
		})
	}
}
