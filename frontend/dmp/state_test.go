package dmp

import (
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/tests/testkit"
)

// lit is a state in which every change shows: no colour is black, the shadow bias is not 0, the depth range starts above 0.
func lit(t *testing.T) *State {
	s := newTestState()
	s.SetDepthRange(0.25, 1, 0)
	require.NoError(t, s.SetAt(LightEnabled+5, true)) // otherwise light 0 is black
	for i := range Uniforms {
		u := &Uniforms[i]
		switch {
		case u.Type == FloatVec4 && i >= 0x33 && i <= 0x60:
			require.NoError(t, s.SetAt(Location(i), 0.5, 0.5, 0.5, 1))
		case Location(i) == GasAutoAcc:
			require.NoError(t, s.SetAt(Location(i), false))
		case Location(i) == Texture0ShadowZBias:
			require.NoError(t, s.SetAt(Location(i), 0.25))
		}
	}
	return s
}

func newTestState() *State { return New(new(pica.Regs)) }

// trials are values of a uniform that together change all of its bits: each symbol, each step, numbers over the range.
func trials(u *Uniform) [][]float32 {
	var numbers []float32
	switch {
	case u.Type == Sampler1D:
		numbers = []float32{0, 1, NumTables - 1}
	case u.Symbols != nil:
		for _, s := range u.Symbols {
			numbers = append(numbers, float32(s.Number()))
		}
	case u.Steps != nil:
		for _, s := range u.Steps {
			numbers = append(numbers, s.Value)
		}
	case u.Type == Bool:
		numbers = []float32{0, 1}
	case u.Type == Int:
		numbers = []float32{u.Min, (u.Min + u.Max) / 2, u.Max}
		numbers[1] = float32(int(numbers[1]))
	case u.Min != u.Max:
		for k := range 65 {
			numbers = append(numbers, u.Min+(u.Max-u.Min)*float32(k)/64)
		}
	default:
		for k := range 200 {
			numbers = append(numbers, float32(math.Ldexp(float64(k%13)+1.37, k/2-50)), -float32(k))
		}
	}
	var out [][]float32
	for _, n := range numbers {
		for c := range u.Type.components() {
			v := append([]float32(nil), u.Default...)
			v[c] = n
			out = append(out, v)
		}
	}
	return out
}

// Each uniform changes exactly the register bits of its row, each bit for some value, and reads back what was set.
func TestSettingChangesExactlyTheRegisterBits(t *testing.T) {
	for i := range Uniforms {
		u := &Uniforms[i]
		loc := Location(i)
		var allowed pica.Regs
		for _, f := range u.Fields {
			allowed[f.Reg] |= f.Mask()
		}
		s := lit(t)
		var ever pica.Regs
		for _, v := range trials(u) {
			before := *s.Regs
			require.NoError(t, s.Uniformf(loc, v...), u.Name)
			require.Equal(t, v, s.Floats(loc), u.Name)
			for reg := range before {
				changed := before[reg] ^ s.Regs[reg]
				if changed&^allowed[reg] != 0 {
					t.Fatalf("%s = %v changed %v", u.Name, v, pica.Reg(reg))
				}
				ever[reg] |= changed
			}
		}
		if u.Type == Sampler1D {
			require.Zero(t, ever, u.Name)
			continue
		}
		switch {
		case loc >= LightEnabled && loc < LightEnabled+pica.NumLights:
			continue // one light alone does not move the others: TestLights
		case loc == GasAutoAcc:
			continue // overridden by a measured value: TestGasAccumulationMaximum
		}
		for _, f := range u.Fields {
			require.NotZero(t, ever[f.Reg]&f.Mask(), "%s never changed %v", u.Name, f)
		}
	}
}

// The register values of some uniform values.
func TestRegisterEncoding(t *testing.T) {
	for _, c := range []struct {
		name  string
		value any
		reg   pica.Reg
		mask  uint32
		want  uint32
	}{
		{"dmp_Texture[0].perspectiveShadow", true, 0x08B, 1, 0},
		{"dmp_Texture[0].perspectiveShadow", false, 0x08B, 1, 1},
		{"dmp_Texture[0].shadowZBias", 0.5, 0x08B, 0xFFFFFE, 0x800000},
		{"dmp_Texture[0].samplerType", "GL_TEXTURE_CUBE_MAP", 0x083, 0x70100000, 1 << 28},
		{"dmp_Texture[0].samplerType", "shadow2d", 0x083, 0x70100000, 2<<28 | 1<<20},
		{"dmp_Texture[0].samplerType", 0x0DE1, 0x080, 1, 1},
		{"dmp_Texture[0].samplerType", 0, 0x080, 1, 0},
		{"dmp_Texture[1].samplerType", "GL_TEXTURE_2D", 0x080, 7, 2},
		{"dmp_Texture[2].texcoord", "GL_TEXTURE1", 0x080, 1 << 13, 1 << 13},
		{"dmp_Texture[3].texcoord", "GL_TEXTURE2", 0x080, 3 << 8, 2 << 8},
		{"dmp_Texture[3].ptRgbMap", "rmax", 0x0A8, 0xF << 6, 9 << 6},
		{"dmp_Texture[3].ptMinFilter", "GL_LINEAR_MIPMAP_LINEAR", 0x0AC, 7, 5},
		{"dmp_Texture[3].ptTexBias", 1.0, 0x0A8, 0xFF << 20, 0},
		{"dmp_Texture[3].ptTexBias", 1.0, 0x0AC, 0xFF << 19, 0x3C << 19},
		{"dmp_Texture[3].ptNoiseU", []float32{1, 2, -0.5}, 0x0A9, 0xFFFFFFFF, 0x4000F800},
		{"dmp_Texture[3].ptNoiseV", []float32{1, 2, -0.5}, 0x0AB, 0xFFFF0000, 0x3C000000},
		{"dmp_FragOperation.mode", "shadow", 0x100, 3, 3},
		{"dmp_FragOperation.penumbraScale", 2.0, 0x130, 0xFFFFFFFF, 0xC0004000},
		{"dmp_FragOperation.wScale", 0.0, 0x06D, 1, 1},
		{"dmp_FragOperation.wScale", 0.5, 0x04D, 0xFFFFFF, 0xBE0000},
		{"dmp_FragOperation.clippingPlane", []float32{0, 0, 0, 1}, 0x04B, 0xFFFFFF, 0x3F0000},
		{"dmp_FragOperation.alphaTestFunc", "GL_GEQUAL", 0x104, 0x70, 0x70},
		{"dmp_FragOperation.alphaRefValue", 1.0, 0x104, 0xFF00, 0xFF00},
		{"dmp_Gas.lightXY", []float32{0, 1, 0.5}, 0x120, 0xFFFFFF, 0x7FFF00},
		{"dmp_Gas.lightZ", []float32{0, 0, 0, 1}, 0x122, 0xFF, 0xFF},
		{"dmp_Gas.deltaZ", 1.5, 0x126, 0xFFFFFF, 0x180},
		{"dmp_Gas.colorLutInput", 0x6061, 0x122, 0x100, 0x100},
		{"dmp_Gas.shadingDensitySrc", 0x605F, 0x0E0, 8, 8},
		{"dmp_FragmentLighting.enabled", true, 0x1C6, 1, 0},
		{"dmp_FragmentMaterial.emission", []float32{1, 0, 0, 1}, 0x1C0, 0xFFFFFFFF, 0xFF<<20 | 10<<10 | 10},
		{"dmp_FragmentLightSource[3].position", []float32{1, -2, 0.5, 1}, 0x174, 0xFFFFFFFF, 0xC0003C00},
		{"dmp_FragmentLightSource[3].position", []float32{1, -2, 0.5, 1}, 0x179, 1, 0},
		{"dmp_FragmentLightSource[3].position", []float32{1, -2, 0.5, 0}, 0x179, 1, 1},
		{"dmp_FragmentLightSource[7].spotDirection", []float32{0, 1, -1}, 0x1B6, 0x1FFF1FFF, 0x18000000},
		{"dmp_FragmentLightSource[7].spotDirection", []float32{0, 1, -1}, 0x1B7, 0x1FFF, 0x800},
		{"dmp_FragmentLightSource[2].spotEnabled", true, 0x1C4, 0xFF00, 0xFB00},
		{"dmp_FragmentLightSource[2].shadowed", true, 0x1C4, 0xFF, 0xFB},
		{"dmp_FragmentLightSource[2].distanceAttenuationEnabled", true, 0x1C4, 0xFF000000, 0xFB000000},
		{"dmp_FragmentLightSource[1].distanceAttenuationScale", 1.0, 0x15B, 0xFFFFF, 0x3F000},
		{"dmp_LightEnv.absLutInputFR", true, 0x1D0, 0x2222222, 0x2220222},
		{"dmp_LightEnv.lutInputRR", "cp", 0x1D1, 7 << 24, 5 << 24},
		{"dmp_LightEnv.lutScaleSP", 0.25, 0x1D2, 7 << 8, 6 << 8},
		{"dmp_LightEnv.config", "config7", 0x1C3, 0xF0, 0x80},
		{"dmp_LightEnv.bumpRenorm", true, 0x1C3, 1 << 30, 0},
		{"dmp_LightEnv.shadowAlpha", true, 0x1C3, 0xF0001, 0x80001},
		{"dmp_LightEnv.invertShadow", true, 0x1C3, 0xF0001, 0x40000},
		{"dmp_LightEnv.fresnelSelector", "both", 0x1C3, 0xC, 0xC},
		{"dmp_LightEnv.fresnelSelector", "both", 0x1C4, 1 << 19, 0},
		{"dmp_LightEnv.lutEnabledRefl", true, 0x1C4, 7 << 20, 0},
		{"dmp_TexEnv[5].combineRgb", "GL_ADD_SIGNED", 0x0FA, 0xF, 3},
		{"dmp_TexEnv[4].srcAlpha", []string{"GL_TEXTURE3", "GL_CONSTANT", "GL_PREVIOUS"}, 0x0F0, 0xFFF0000, 0xFE60000},
		{"dmp_TexEnv[2].operandRgb", []any{"GL_SRC_ALPHA", "one_minus_blue", 0x0300}, 0x0D1, 0xFFF, 0x0D2},
		{"dmp_TexEnv[0].scaleAlpha", 4, 0x0C4, 3 << 16, 2 << 16},
		{"dmp_TexEnv[1].constRgba", []float64{1, 0, 0, 1}, 0x0CB, 0xFFFFFFFF, 0xFF0000FF},
		{"dmp_TexEnv[1].constRgba", mgl32.Vec4{0, 1, 0, 1}, 0x0CB, 0xFFFFFFFF, 0xFF00FF00},
		{"dmp_Fog.color", mgl64.Vec3{1, 0, 0}, 0x0E1, 0xFFFFFF, 0x0000FF},
		{"dmp_TexEnv[0].bufferColor", []int{0, 1, 0, 1}, 0x0FD, 0xFFFFFFFF, 0xFF00FF00},
		{"dmp_TexEnv[3].bufferInput", []string{"GL_PREVIOUS", "previous_buffer"}, 0x0E0, 0xFF00, 0x0400},
		{"dmp_Fog.mode", 0x0B60, 0x0E0, 7, 5},
		{"dmp_Fog.mode", 0x6050, 0x0E0, 7, 7},
		{"dmp_Fog.zFlip", true, 0x0E0, 1 << 16, 1 << 16},
	} {
		s := newTestState()
		require.NoError(t, s.Set(c.name, c.value), c.name)
		require.Equal(t, c.want, s.Regs[c.reg]&c.mask, "%s = %v: %v is %#x", c.name, c.value, c.reg, s.Regs[c.reg])
	}
}

func TestLights(t *testing.T) {
	s := newTestState()
	require.NoError(t, s.Set("dmp_FragmentMaterial.diffuse", 1, 1, 1, 1))
	require.Zero(t, s.Regs[pica.RegLight0Diffuse], "light 0 is black while no light is enabled")
	for _, i := range []int{6, 2, 0} {
		require.NoError(t, s.SetAt(LightEnabled+Location(i), true))
	}
	require.EqualValues(t, 2, pica.LightingNumLights.Get(s.Regs))
	require.EqualValues(t, 0x620, s.Regs[pica.RegLightingLightPermutation])
	require.EqualValues(t, 0x0FF3FCFF, s.Regs[pica.RegLight0Diffuse])
	require.NoError(t, s.SetAt(LightEnabled, false))
	require.EqualValues(t, 0x62, s.Regs[pica.RegLightingLightPermutation])
	require.EqualValues(t, 1, pica.LightingNumLights.Get(s.Regs))
	require.NoError(t, s.Set("dmp_FragmentLightSource[6].diffuse", 0.5, 1, 2, 1))
	require.EqualValues(t, 127<<20|255<<10|255, s.Regs[pica.RegLight0Diffuse+6*pica.StrideLight])
}

func TestGasAccumulationMaximum(t *testing.T) {
	s := newTestState()
	s.Regs[pica.RegGasAccmax] = 0x1234
	require.NoError(t, s.Set("dmp_Gas.accMax", 1.5266243e-05), "the least value as messages and scenes write it, not as its float32")
	require.NoError(t, s.Set("dmp_Gas.accMax", 4))
	require.EqualValues(t, 0x1234, s.Regs[pica.RegGasAccmax], "with autoAcc, accMax does not write the register")
	require.NoError(t, s.Set("dmp_Gas.autoAcc", false))
	require.Equal(t, float32(0.25), pica.GasAccmax.Float(s.Regs))
}

func TestSymbolsRoundTrip(t *testing.T) {
	s := newTestState()
	for i := range Uniforms {
		u := &Uniforms[i]
		for _, sym := range u.Symbols {
			values := []any{}
			for range u.Type.components() {
				values = append(values, sym.Name)
			}
			require.NoError(t, s.SetAt(u.ID, values...), u.Name)
			for _, name := range s.Names(u.ID) {
				require.Equal(t, sym.String(), name)
			}
			for _, n := range s.Ints(u.ID) {
				require.Equal(t, sym.Number(), n)
			}
		}
	}
}

// Set accepts what Get returns, with the same result.
func TestGetAndSetAreInverse(t *testing.T) {
	for i := range Uniforms {
		u := &Uniforms[i]
		for _, v := range trials(u)[:min(8, len(trials(u)))] {
			s, again := newTestState(), newTestState()
			require.NoError(t, s.SetAt(u.ID, v))
			got := testkit.Must(s.Get(u.Name))(t)
			require.NoError(t, again.Set(u.Name, got...), u.Name)
			require.Equal(t, s.Floats(u.ID), again.Floats(u.ID), u.Name)
			require.True(t, *s.Regs == *again.Regs, u.Name)
		}
	}
	s := newTestState()
	_, err := s.Get("dmp_Fog")
	require.ErrorContains(t, err, "nearest name")
	require.Nil(t, s.Floats(NumUniforms))
	require.Nil(t, s.Names(NumUniforms))
	require.Empty(t, s.Ints(NumUniforms))
	require.False(t, s.Bool(NumUniforms))
}

func TestSetRefusals(t *testing.T) {
	for _, c := range []struct {
		name   string
		values []any
		want   string
	}{
		{"dmp_TexEnv[0].combineRGB", []any{"GL_ADD"}, "nearest name is dmp_TexEnv[0].combineRgb"},
		{"dmp_TexEnv[6].srcRgb", []any{1, 1, 1}, "nearest name is dmp_TexEnv[0].srcRgb"},
		{"dmp_TexEnv[0].combineRgb", []any{"GL_MODULAT"}, "expected one of GL_REPLACE, GL_MODULATE"},
		{"dmp_TexEnv[0].combineRgb", []any{0x1234}, "0x1234 is none of its values"},
		{"dmp_TexEnv[0].combineRgb", []any{1, 2}, "got 2 values, GL_INT takes 1"},
		{"dmp_TexEnv[0].combineRgb", []any{1.5}, "expected a whole number"},
		{"dmp_TexEnv[0].srcRgb", []any{"GL_PREVIOUS", "GL_PREVIOUS", true}, "component 2: got true"},
		{"dmp_TexEnv[0].scaleRgb", []any{3}, "expected one of 1, 2, 4"},
		{"dmp_TexEnv[0].constRgba", []any{0, 0, 0, 1.5}, "component 3: 1.5 is out of range: expected 0 to 1"},
		{"dmp_Fog.color", []any{0, math.NaN(), 0}, "got NaN"},
		{"dmp_Fog.color", []any{0, math.Inf(1), 0}, "got +Inf"},
		{"dmp_FragOperation.wScale", []any{1e300}, "any finite number"},
		{"dmp_Fog.zFlip", []any{2}, "expected false, true"},
		{"dmp_Fog.zFlip", []any{"GL_TRUE"}, "got the name"},
		{"dmp_Fog.color", []any{struct{}{}, 0, 0}, "got a struct"},
		{"dmp_Texture[3].ptTexWidth", []any{256}, "out of range"},
		{"dmp_Fog.sampler", []any{32}, "out of range"},
		{"", []any{1}, "no uniform is called"},
	} {
		s := newTestState()
		before := *s.Regs
		require.ErrorContains(t, s.Set(c.name, c.values...), c.want)
		require.Equal(t, before, *s.Regs)
	}
	require.ErrorContains(t, New(new(pica.Regs)).SetAt(NumUniforms, 1), "0x129: the IDs end at 0x128")
}

// SetAll sets values in order up to the first invalid one. Reset resets all uniforms, but no table.
func TestSetAllAndReset(t *testing.T) {
	var regs, before pica.Regs
	s := New(&regs)
	before = regs
	require.NoError(t, s.SetTable("dmp_Fog.sampler", make([]float32, 129)))
	err := s.SetAll(FogColor, []float32{0.25, 0.5, 1}, FogMode, pica.TextureCube, FogZFlip, true)
	require.ErrorContains(t, err, "dmp_Fog.mode: \"cube\" is none of its values")
	set := func(name string) []any {
		v := testkit.Must(s.Get(name))(t)
		return v
	}
	require.Equal(t, []any{float32(0.25), float32(0.5), float32(1)}, set("dmp_Fog.color"))
	require.Equal(t, []any{false}, set("dmp_Fog.zFlip"), "values after the invalid one are not set")
	require.NotEqual(t, before, regs)
	for i := range s.values {
		if Uniforms[i].Type != Sampler1D {
			s.values[i] = [4]float32{7, 7, 7, 7}
		}
	}
	s.Reset()
	require.Equal(t, before, regs)
	for i := range Uniforms {
		if u := &Uniforms[i]; u.Type != Sampler1D {
			require.Equal(t, New(new(pica.Regs)).values[i], s.values[i], u.Name)
		}
	}
	values, _, _, err := s.Table("dmp_Fog.sampler")
	require.NoError(t, err)
	require.Len(t, values, 128)
}

// Recover finds uniforms that give the same registers, for values over the whole range of each uniform.
func TestRecover(t *testing.T) {
	for i := range Uniforms {
		u := &Uniforms[i]
		if u.Type == Sampler1D || u.ID == FragOperationWScale {
			continue // wScale leaves the rest of the depth range in the registers
		}
		s := lit(t)
		for k, v := range trials(u) {
			if k%20 != 0 && u.Symbols == nil && u.Steps == nil {
				continue
			}
			if slices.ContainsFunc(v, func(x float32) bool { return x > 65504 || x < -65504 }) {
				continue // infinite in some registers
			}
			require.NoError(t, s.SetAt(u.ID, v))
			back := Recover(s.Regs, 0.25, 1, 0)
			for reg := range pica.Reg(pica.NumRegs) {
				if (s.Regs[reg]^back.Regs[reg])&Owned[reg] != 0 {
					require.Failf(t, "not the same", "%s %v: %v is 0x%X, want 0x%X", u.Name, v, reg, back.Regs[reg], s.Regs[reg])
				}
			}
		}
	}
}

// Recover accepts registers with any content.
func TestRecoverAcceptsAnyRegisters(t *testing.T) {
	for _, word := range []uint32{0, 0xFFFFFFFF, 0x7C007C00, 0x55555555} {
		var r pica.Regs
		for i := range r {
			r[i] = word
		}
		s := Recover(&r, 0, 1, 0)
		for i := range Uniforms {
			if Uniforms[i].Type == Sampler1D {
				continue
			}
			v := testkit.Must(s.Get(Uniforms[i].Name))(t)
			require.NoError(t, s.Set(Uniforms[i].Name, v...), Uniforms[i].Name)
		}
	}
}
