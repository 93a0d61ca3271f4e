package fragment

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/raster"
	"pica200/tests/testkit"
)

// drawing is a queue of scene draws.
type drawing struct{ q raster.Queue }

// draw queues a draw of the first columns of a scene.
func (w *drawing) draw(e *Engine, s *fieldScene, columns int32) error {
	d, err := e.Draw(&State{Regs: &s.regs, Tables: &s.tables, Memory: s.memory, Target: &s.target})
	if err != nil {
		return err
	}
	addQuad(&w.q, &s.corner)
	w.q.Commit(&raster.Draw{Layout: pica.WholeVertex, Target: &s.target, Shader: d, Bounds: raster.Rect{X1: columns - 1, Y1: sceneSize - 1}, DepthScale: -1})
	return nil
}

// flush draws the queue.
func (w *drawing) flush(e *Engine, s *fieldScene) []byte {
	w.q.Flush(1, inTurn)
	e.Release(nil)
	return slices.Concat(s.target.Color, s.target.Depth)
}

// clone returns a copy with its own target.
func (s *fieldScene) clone() *fieldScene {
	c := *s
	c.target.Color, c.target.Depth = bytes.Clone(s.target.Color), bytes.Clone(s.target.Depth)
	return &c
}

// TestWarmEngineDrawsLikeNew changes every register field and table of every scene between two draws of an engine that has drawn all these
// states. It must draw what new engines draw: nothing is kept from another state, and a waiting draw keeps its own.
func TestWarmEngineDrawsLikeNew(t *testing.T) {
	values := 2 // per field
	if testkit.Short() {
		values = 1
	}
	for _, sc := range fieldScenes {
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			s := newFieldScene(sc.setup)
			once, e := s.clone(), NewEngine(1)
			var w drawing
			require.NoError(t, w.draw(e, once, sceneSize))
			w.flush(e, once)
			const part = sceneSize * 3 / 4 // the part that the second draw covers; the rest shows the first
			var version uint64
			same := func(what string, change func(s *fieldScene)) {
				apart, alone := once.clone(), NewEngine(1)
				change(apart)
				wantErr := w.draw(alone, apart, part)
				want := w.flush(alone, apart)
				// Both draws wait in the other engine until the second is queued.
				both := s.clone()
				require.NoError(t, w.draw(e, both, sceneSize))
				change(both)
				err := w.draw(e, both, part)
				got := w.flush(e, both)
				require.Equal(t, wantErr, err, what)
				require.True(t, bytes.Equal(want, got), "%s: an engine that has drawn before draws the same", what)
			}
			for _, reg := range pica.Registers {
				if reg.Reg < firstStateReg || reg.Reg >= endStateReg {
					continue
				}
				for _, f := range reg.Fields {
					old := f.Get(&s.regs)
					tried := 0
					for _, v := range alternatives(f, old) {
						if v&f.Max() == old {
							continue
						}
						if tried++; tried > values {
							break
						}
						same(f.String(), func(s *fieldScene) { f.Set(&s.regs, v) })
					}
				}
			}
			for _, port := range []pica.Reg{pica.RegLightingLutData0, pica.RegFogLutData0, pica.RegProctexLutData0, pica.RegGasLutData} {
				for i := range tablePort(s, port) {
					same(port.String(), func(s *fieldScene) {
						version++ // the engine's table version: a new engine has seen none
						s.tables.Version = version
						for k, w := range tablePort(s, port)[i] {
							tablePort(s, port)[i][k] = w ^ 0x00404040
						}
					})
				}
			}
		})
	}
}

// valueFields are the fields that draws bind as values: changing them compiles no program.
var valueFields = []string{
	"TEXUNIT#_BORDER_COLOR", "TEXUNIT#_DIM", "TEXUNIT#_PARAM:mag filter", "TEXUNIT#_PARAM:min filter", "TEXUNIT#_PARAM:mip filter",
	"TEXUNIT#_PARAM:wrap t", "TEXUNIT#_PARAM:wrap s", "TEXUNIT#_LOD", "TEXUNIT0_ADDR#", "TEXUNIT#_TYPE", "TEXUNIT0_SHADOW:bias",
	"TEXUNIT3_PROCTEX1", "TEXUNIT3_PROCTEX2", "TEXUNIT3_PROCTEX3", "TEXUNIT3_PROCTEX5", "TEXUNIT3_PROCTEX0:bias low",
	"TEXUNIT3_PROCTEX4:bias high", "TEXUNIT3_PROCTEX4:min level", "TEXUNIT3_PROCTEX4:max level",
	"TEXENV#_COLOR", "TEXENV_BUFFER_COLOR", "FOG_COLOR", "BLEND_COLOR",
	"FRAGOP_ALPHA_TEST:reference", "STENCIL_TEST:reference", "STENCIL_TEST:mask", "STENCIL_TEST:write mask",
	"GAS_ATTENUATION", "GAS_ACCMAX", "GAS_LIGHT_XY", "GAS_LIGHT_Z", "GAS_LIGHT_Z_COLOR:effect", "GAS_DELTAZ_DEPTH:delta z", "FRAGOP_SHADOW",
	"LIGHT#_XY", "LIGHT#_Z", "LIGHT#_SPOTDIR_XY", "LIGHT#_SPOTDIR_Z", "LIGHT#_ATTENUATION_BIAS", "LIGHT#_ATTENUATION_SCALE",
	"LIGHT#_SPECULAR0", "LIGHT#_SPECULAR1", "LIGHT#_DIFFUSE", "LIGHT#_AMBIENT", "LIGHTING_AMBIENT",
	"FRAMEBUFFER_DIM", "COLORBUFFER_LOC", "DEPTHBUFFER_LOC", "FRAMEBUFFER_BLOCK32",
}

// Changing the values of a scene compiles nothing, except from or to 0, which may drop operations (black lights).
func TestValueChangesCompileNothing(t *testing.T) {
	changed := 0
	for _, sc := range fieldScenes {
		s := newFieldScene(sc.setup)
		e := NewEngine(1)
		st := &State{Regs: &s.regs, Tables: &s.tables, Memory: s.memory, Target: &s.target}
		first := testkit.Must(e.Draw(st))(t)
		for _, pattern := range valueFields {
			for _, reg := range pica.Registers {
				if reg.Reg < firstStateReg || reg.Reg >= endStateReg {
					continue
				}
				for _, f := range reg.Fields {
					if !matchField(pattern, reg, f) {
						continue
					}
					old := s.regs[f.Reg]
					for _, v := range []uint32{f.Of(old) ^ 1, f.Of(old) ^ 8} {
						if s.regs[f.Reg] = f.Put(old, v); old == 0 || f.Get(&s.regs) == 0 || !s.readable() {
							continue
						}
						e.compiles = 0
						d := testkit.Must(e.Draw(st))(t)
						require.Zero(t, e.compiles, "%s: %v compiles a program", sc.name, f)
						require.Same(t, first.program, d.program)
						changed++
					}
					s.regs[f.Reg] = old
				}
			}
		}
		target := s.target
		st.Target = &target
		e.compiles = 0
		testkit.Must(e.Draw(st))(t)
		require.Zero(t, e.compiles, "another target compiles no program")
		s.tables.Version++
		for i := range s.tables.Light {
			s.tables.Light[i][3] ^= math.MaxUint16
		}
		testkit.Must(e.Draw(st))(t)
		require.Zero(t, e.compiles, "a changed table compiles no program")
	}
	require.Greater(t, changed, 500)
}

// readable reports whether the textures of all units can be read.
func (s *fieldScene) readable() bool {
	for i := range 3 {
		sampler := new(sampler)
		if !unitEnable[i].Bool(&s.regs) {
			continue
		}
		if sampler.read(&s.regs, i) != nil {
			return false
		}
		for face := range cubeFaces {
			k := sampler.texture(textureAddr(&s.regs, i, face))
			n, _ := k.size()
			if _, err := s.memory.Slice(k.addr, uint32(n)); err != nil {
				return false
			}
			if i > 0 {
				break
			}
		}
	}
	return true
}

// Draws with changing values, tables and samplers, as in a moving scene, allocate nothing.
func TestDrawsAllocateNothing(t *testing.T) {
	for _, sc := range fieldScenes {
		s := newFieldScene(sc.setup)
		e := NewEngine(1)
		st := &State{Regs: &s.regs, Tables: &s.tables, Memory: s.memory, Target: &s.target}
		n := uint32(0)
		frame := func() {
			for range 100 {
				n++
				s.tables.Version++
				s.tables.Light[0][n%256]++
				s.tables.Light[8+n%8][n%256]++
				s.tables.Fog[n%128]++
				s.tables.Gas[n%16]++
				s.tables.ProcNoise[n%128]++
				s.tables.ProcColor[n%256]++
				r := &s.regs
				r[pica.RegTexunit0BorderColor], r[pica.RegTexunit1BorderColor], r[pica.RegFogColor], r[pica.RegBlendColor] = n, n, n, n
				pica.AlphaTestRef.Set(r, n)
				pica.StencilTestRef.Set(r, n)
				pica.LightX.Set(r, 0x3E00+n&0xFF)
				pica.LightDiffuseR.Set(r, 1+n%200)
				pica.ProctexNoisePhaseU.Set(r, n)
				_, err := e.Draw(st)
				require.NoError(t, err)
			}
			e.Release(nil)
		}
		for range 20 {
			frame()
		}
		compiled := e.compiles
		require.LessOrEqual(t, testing.AllocsPerRun(10, frame), 1.0, sc.name)
		require.Equal(t, compiled, e.compiles, "%s: no programs are compiled", sc.name)
	}
}

// More draws than cached samplers and tables: each waiting draw keeps its own.
func TestWaitingDrawsKeepTheirValues(t *testing.T) {
	s := newFieldScene(func(s *fieldScene) { sceneFog(s); s.texture(0); s.stage(0, pica.CombineReplace, pica.SourceTexture0) })
	e := NewEngine(1)
	st := &State{Regs: &s.regs, Tables: &s.tables, Memory: s.memory, Target: &s.target}
	var turns int
	for !e.Full() {
		turns++
		var draws []*Draw
		for i := range uint32(maxSamplers + 100) {
			s.regs[pica.RegTexunit0BorderColor] = i
			s.tables.Version++
			s.tables.Fog[7] = i << 13
			d := testkit.Must(e.Draw(st))(t)
			draws = append(draws, d)
		}
		for i, d := range draws {
			require.Equal(t, uint32(i), d.values.samplers[0].border)
			require.Equal(t, decodeFogEntry(uint32(i)<<13), d.values.fogTable[7])
		}
		if turns%2 == 0 {
			e.Release(nil)
		}
		require.Less(t, turns, 100)
	}
	e.Release(nil)
	require.False(t, e.Full())
}

// A light with only an ambient colour is visible.
func TestAmbientOnlyLightIsVisible(t *testing.T) {
	render := func(ambient uint32) []byte {
		return rendered(t, sceneLights, func(s *fieldScene) {
			pica.LightingNumLights.Set(&s.regs, 0)
			at := pica.Reg(lightOrder[0].Get(&s.regs)) * pica.StrideLight
			for _, reg := range []pica.Reg{pica.RegLight0Specular0, pica.RegLight0Specular1, pica.RegLight0Diffuse, pica.RegLight0Ambient} {
				s.regs[reg+at] = 0
			}
			s.regs[pica.RegLight0Ambient+at] = ambient
		})
	}
	require.NotEqual(t, render(0), render(200<<20))
}
