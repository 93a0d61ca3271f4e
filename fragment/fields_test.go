package fragment

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
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
