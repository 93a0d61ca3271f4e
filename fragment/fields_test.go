package fragment

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/raster"
	"pica200/tests/testkit"
)

// fieldTable names, for each register field of the fragment stage, the scene that shows its effect. A pattern matches register
// names after "GPUREG_" (# is any number) and, after a colon, one field; the first match counts, so rows for fields come first.
var fieldTable = []struct{ pattern, scene string }{
	{"TEXUNIT_CONFIG:texcoord 3", "proctex"},
	{"TEXUNIT_CONFIG:enable 3", "proctex"},
	{"TEXUNIT_CONFIG", "textures"},
	{"TEXUNIT#_PARAM:mag filter", "filters"},
	{"TEXUNIT#_PARAM:min filter", "filters"},
	{"TEXUNIT#_PARAM:mip filter", "mipmaps"},
	{"TEXUNIT0_PARAM:type", "projection"},
	{"TEXUNIT#_BORDER_COLOR", "textures"},
	{"TEXUNIT#_DIM", "textures"},
	{"TEXUNIT#_PARAM", "textures"},
	{"TEXUNIT#_LOD", "mipmaps"},
	{"TEXUNIT#_ADDR", "textures"},
	{"TEXUNIT0_ADDR1", "cube"},
	{"TEXUNIT0_ADDR#", "cube"},
	{"TEXUNIT0_SHADOW", "shadow-texture"},
	{"TEXUNIT#_TYPE", "textures"},
	{"TEXUNIT3_PROCTEX#", "proctex"},
	{"PROCTEX_LUT_DATA#", "proctex"},
	{"LIGHTING_ENABLE#", "lights"},
	{"TEXENV#_SOURCE", "combiners"},
	{"TEXENV#_OPERAND", "combiners"},
	{"TEXENV#_COMBINER", "combiners"},
	{"TEXENV#_COLOR", "combiners"},
	{"TEXENV#_SCALE", "combiners"},
	{"TEXENV_UPDATE_BUFFER:fog mode", "fog"},
	{"TEXENV_UPDATE_BUFFER:gas density", "gas-shade"},
	{"TEXENV_UPDATE_BUFFER:z flip", "fog"},
	{"TEXENV_UPDATE_BUFFER", "combiner-buffer"},
	{"TEXENV_BUFFER_COLOR", "combiner-buffer"},
	{"FOG_COLOR", "fog"},
	{"FOG_LUT_DATA#", "fog"},
	{"GAS_ATTENUATION", "gas-shade"},
	{"GAS_ACCMAX", "gas-shade"},
	{"GAS_LIGHT_XY", "gas-shade"},
	{"GAS_LIGHT_Z", "gas-shade"},
	{"GAS_LIGHT_Z_COLOR", "gas-shade"},
	{"GAS_LUT_DATA", "gas-shade"},
	{"GAS_DELTAZ_DEPTH", "gas-accumulate"},
	{"FRAGOP_SHADOW", "shadow-write"},
	{"COLOR_OPERATION:mode", "shadow-write"},
	{"COLOR_OPERATION", "blend"},
	{"BLEND_FUNC", "blend"},
	{"BLEND_COLOR", "blend"},
	{"LOGIC_OP", "logic-op"},
	{"FRAGOP_ALPHA_TEST", "alpha-test"},
	{"STENCIL_TEST", "depth-stencil"},
	{"STENCIL_OP", "depth-stencil"},
	{"DEPTH_COLOR_MASK", "depth-stencil"},
	{"COLORBUFFER_WRITE", "blend"},
	{"DEPTHBUFFER_WRITE", "depth-locked"},
	{"COLORBUFFER_READ", "blend"},
	{"DEPTHBUFFER_READ", "unread"},
	{"LIGHTING_CONFIG0:shadow enable", "lights-shadow"},
	{"LIGHTING_CONFIG0:shadow primary", "lights-shadow"},
	{"LIGHTING_CONFIG0:shadow secondary", "lights-shadow"},
	{"LIGHTING_CONFIG0:shadow invert", "lights-shadow"},
	{"LIGHTING_CONFIG0:shadow alpha", "lights-shadow"},
	{"LIGHTING_CONFIG0:shadow texture", "lights-shadow"},
	{"LIGHTING_CONFIG0:clamp highlights", "lights-shadow"},
	{"LIGHTING_CONFIG0:bump texture", "lights-bump"},
	{"LIGHTING_CONFIG0:bump mode", "lights-tangent"},
	{"LIGHTING_CONFIG0:no bump renorm", "lights-bump"},
	{"LIGHTING_CONFIG1:no shadow", "lights-shadow"},
	{"LIGHTING_LUT_DATA#", "lights"},
	{"LIGHTING_#", "lights"},
	{"LIGHTING_AMBIENT", "lights"},
	{"LIGHTING_NUM_LIGHTS", "lights"},
	{"LIGHTING_CONFIG#", "lights"},
	{"LIGHTING_LUTINPUT_ABS", "lights"},
	{"LIGHTING_LUTINPUT_SELECT", "lights"},
	{"LIGHTING_LUTINPUT_SCALE", "lights"},
	{"LIGHTING_LIGHT_PERMUTATION", "lights"},
	{"LIGHT#_SPECULAR0", "lights"},
	{"LIGHT#_SPECULAR1", "lights"},
	{"LIGHT#_DIFFUSE", "lights"},
	{"LIGHT#_AMBIENT", "lights"},
	{"LIGHT#_XY", "lights"},
	{"LIGHT#_Z", "lights"},
	{"LIGHT#_SPOTDIR_XY", "lights"},
	{"LIGHT#_SPOTDIR_Z", "lights"},
	{"LIGHT#_CONFIG", "lights"},
	{"LIGHT#_ATTENUATION_BIAS", "lights"},
	{"LIGHT#_ATTENUATION_SCALE", "lights"},
}

// fieldsWithoutPixels are the fields in this range that change no pixel of a draw by themselves, with the reason.
var fieldsWithoutPixels = []struct{ pattern, why string }{
	{"TEXUNIT_CONFIG:one", "constant"},
	{"TEXUNIT_CONFIG:clear cache", "command; textures are read anew when memory changes"},
	{"TEXUNIT#_PARAM:etc1", "repeats the format"},
	{"TEXUNIT#_PARAM:shadow", "repeats the type"},
	{"TEXUNIT1_PARAM:type", "unit 0 only"},
	{"TEXUNIT2_PARAM:type", "unit 0 only"},
	{"PROCTEX_LUT", "place of the next upload; the pipeline keeps it"},
	{"FOG_LUT_INDEX", "place of the next upload"},
	{"GAS_LUT_INDEX", "place of the next upload"},
	{"LIGHTING_LUT_INDEX", "place of the next upload"},
	{"0125", "feedback of gas: written by gas draws, read by software"},
	{"COLOR_OPERATION:constant", "constant"},
	{"LIGHTING_CONFIG0:constant", "constant"},
	{"LIGHTING_CONFIG0:one", "constant"},
	{"LIGHTING_CONFIG1:one", "constant"},
	{"LIGHTING_CONFIG1:one 23", "constant"},
	{"FRAMEBUFFER_INVALIDATE", "command"},
	{"FRAMEBUFFER_FLUSH", "command"},
	{"DEPTHBUFFER_FORMAT", "part of the target that the pipeline makes"},
	{"COLORBUFFER_FORMAT", "part of the target that the pipeline makes"},
	{"EARLYDEPTH_TEST2", "the early depth test only saves time"},
	{"FRAMEBUFFER_BLOCK32", "part of the target that the pipeline makes"},
	{"DEPTHBUFFER_LOC", "part of the target that the pipeline makes"},
	{"COLORBUFFER_LOC", "part of the target that the pipeline makes"},
	{"FRAMEBUFFER_DIM", "part of the target that the pipeline makes"},
}

// matchField reports whether a pattern matches the field.
func matchField(pattern string, reg *pica.Register, f pica.Field) bool {
	name, field, hasField := strings.Cut(pattern, ":")
	if hasField && field != f.Name {
		return false
	}
	have := strings.TrimPrefix(reg.Name, "GPUREG_")
	head, tail, any := strings.Cut(name, "#")
	if !any {
		return have == name
	}
	if !strings.HasPrefix(have, head) || !strings.HasSuffix(have, tail) || len(have) <= len(head)+len(tail) {
		return false
	}
	return strings.Trim(have[len(head):len(have)-len(tail)], "0123456789") == ""
}

func sceneOf(reg *pica.Register, f pica.Field) (scene string, silent bool) {
	for _, row := range fieldsWithoutPixels {
		if matchField(row.pattern, reg, f) {
			return "", true
		}
	}
	for _, row := range fieldTable {
		if matchField(row.pattern, reg, f) {
			return row.scene, false
		}
	}
	return "", false
}

// tablePort returns the words of the table that an upload register writes.
func tablePort(s *fieldScene, reg pica.Reg) [][]uint32 {
	t := &s.tables
	switch {
	case reg >= pica.RegLightingLutData0 && reg < pica.RegLightingLutData0+8:
		var all [][]uint32
		for i := range t.Light {
			all = append(all, t.Light[i][:])
		}
		return all
	case reg >= pica.RegFogLutData0 && reg < pica.RegFogLutData0+8:
		return [][]uint32{t.Fog[:]}
	case reg >= pica.RegProctexLutData0 && reg < pica.RegProctexLutData0+8:
		return [][]uint32{t.ProcNoise[:], t.ProcRGBMap[:], t.ProcAlphaMap[:], t.ProcColor[:], t.ProcColorDiff[:]}
	case reg == pica.RegGasLutData:
		return [][]uint32{t.Gas[:]}
	}
	return nil
}

// alternatives are other values to try in a field.
func alternatives(f pica.Field, old uint32) []uint32 {
	v := []uint32{old ^ 1, old ^ f.Max(), 0, f.Max(), old ^ f.Max()>>1, old + 1, old + 8, old ^ 1<<(f.Bits-1), old ^ 1<<(f.Bits/2)}
	if f.Enum != nil {
		for _, e := range f.Enum.Values {
			v = append(v, e.Value)
		}
	}
	return v
}

// Every register field of the fragment stage changes pixels of its scene in fieldTable. A field in neither table fails.
func TestEveryFieldHasAScene(t *testing.T) {
	setups := map[string]func(*fieldScene){}
	before := map[string][]byte{}
	for _, sc := range fieldScenes {
		setups[sc.name] = sc.setup
		out := testkit.Must(newFieldScene(sc.setup).render())(t, sc.name)
		before[sc.name] = out
	}
	count := 0
	for _, reg := range pica.Registers {
		if reg.Reg < firstStateReg || reg.Reg >= endStateReg {
			continue
		}
		for _, f := range reg.Fields {
			scene, silent := sceneOf(reg, f)
			if silent {
				continue
			}
			if setups[scene] == nil {
				t.Errorf("%v has no scene", f)
				continue
			}
			count++
			if !fieldChangesPixels(setups[scene], before[scene], f) {
				t.Errorf("%v: no value of it changes a pixel of scene %q", f, scene)
			}
		}
	}
	require.Greater(t, count, 300)
}

func fieldChangesPixels(setup func(*fieldScene), before []byte, f pica.Field) bool {
	s := newFieldScene(setup)
	if ports := tablePort(s, f.Reg); ports != nil {
		for _, words := range ports {
			for i := range words {
				words[i] = f.Put(words[i], f.Of(words[i])^f.Max()>>1)
			}
		}
		out, err := s.render()
		return err == nil && !bytes.Equal(out, before)
	}
	old := s.regs[f.Reg]
	for _, v := range alternatives(f, f.Of(old)) {
		s.regs[f.Reg] = f.Put(old, v)
		if s.regs[f.Reg] == old {
			continue
		}
		if out, err := s.render(); err == nil && !bytes.Equal(out, before) {
			return true
		}
	}
	return false
}

// Random words in all registers of the stage draw or return an error; nothing panics.
func FuzzRegisters(f *testing.F) {
	for _, sc := range fieldScenes {
		s := newFieldScene(sc.setup)
		var b []byte
		for r := firstStateReg; r < endStateReg; r++ {
			if w := s.regs[r]; w != 0 {
				b = append(b, byte(r-firstStateReg), byte((r-firstStateReg)>>8), byte(w), byte(w>>8), byte(w>>16), byte(w>>24))
			}
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		s := newFieldScene(func(s *fieldScene) {})
		for ; len(b) >= 6; b = b[6:] {
			r := pica.Reg(b[0]) | pica.Reg(b[1])<<8
			s.regs[firstStateReg+r%(endStateReg-firstStateReg)] = uint32(b[2]) | uint32(b[3])<<8 | uint32(b[4])<<16 | uint32(b[5])<<24
		}
		if _, err := s.render(); err != nil && err.Error() == "" {
			t.Fatalf("%#v has no text", err)
		}
	})
}

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
