package dmp

import "pica200/pica"

// This file turns values of uniforms into register bits. Colours and other
// bytes are truncated, as citro3d does; so are floats and fixed point numbers.

// encodeDirect writes component k of the value to field k.
func encodeDirect(s *State, u *Uniform) {
	for k, f := range u.Fields {
		f.Set(s.Regs, u.raw(f, s.values[u.ID][k]))
	}
}

// raw returns what a field holds for a number.
func (u *Uniform) raw(f pica.Field, v float32) uint32 {
	switch {
	case u.Symbols != nil:
		sym, _ := findNumber(u.Symbols, int64(v)) // checked when it was set
		return sym.Value
	case u.Steps != nil:
		for _, step := range u.Steps {
			if step.Value == v {
				return step.Reg
			}
		}
		return 0
	}
	return f.Type.Encode(v, f.Bits)
}

// encodeInverted writes a bool to fields that are set when it is false.
func encodeInverted(s *State, u *Uniform) {
	for _, f := range u.Fields {
		f.SetBool(s.Regs, s.values[u.ID][0] == 0)
	}
}

// encodeNegated writes the numbers with the other sign.
func encodeNegated(s *State, u *Uniform) {
	for k, f := range u.Fields {
		f.SetFloat(s.Regs, -s.values[u.ID][k])
	}
}

func encodeShadowBias(s *State, u *Uniform) {
	pica.TexunitShadowBias.SetFloat(s.Regs, s.values[Texture0ShadowZBias][0]*s.values[Texture0ShadowZScale][0])
}

// encodeSamplerType0 sets the type of texture unit 0, enables it, and sets the
// flag for the two shadow types.
func encodeSamplerType0(s *State, u *Uniform) {
	sym, _ := findNumber(u.Symbols, int64(s.values[u.ID][0]))
	kind := pica.TextureType(sym.Value)
	pica.TexunitEnable0.SetBool(s.Regs, kind != pica.TextureDisabled)
	pica.TexunitType.Set(s.Regs, sym.Value)
	pica.TexunitShadow.SetBool(s.Regs, kind == pica.TextureShadow2D || kind == pica.TextureShadowCube)
}

// encodeProcBias splits a float1.5.10 over two registers.
func encodeProcBias(s *State, u *Uniform) {
	v := pica.Float16.Encode(s.values[u.ID][0])
	pica.ProctexBiasLow.Set(s.Regs, v)
	pica.ProctexBiasHigh.Set(s.Regs, v>>8)
}

func encodePenumbra(s *State, u *Uniform) {
	scale, bias := s.values[FragOperationPenumbraScale][0], s.values[FragOperationPenumbraBias][0]
	pica.FragopShadowConstant.SetFloat(s.Regs, scale+bias)
	pica.FragopShadowLinear.SetFloat(s.Regs, -scale)
}

// encodeDepth writes how a fragment's depth is computed. With near n and far f
// of the depth range, a z buffer holds z/w * (n - f) + n + offset. A w buffer
// holds the same, with the depth range times wScale, times w. No document says
// what the original does for a w buffer; here it grows with the distance, as in
// a z buffer.
func encodeDepth(s *State, _ *Uniform) {
	mode, scale := pica.DepthModeZ, float32(1)
	if w := s.values[FragOperationWScale][0]; w != 0 {
		mode, scale = pica.DepthModeW, w
	}
	pica.DepthmapMode.Set(s.Regs, uint32(mode))
	pica.DepthmapScale.SetFloat(s.Regs, scale*(s.depthNear-s.depthFar))
	pica.DepthmapOffset.SetFloat(s.Regs, float32(scale*s.depthNear)+s.depthOffset)
}

func encodeAccMax(s *State, _ *Uniform) {
	if s.values[GasAutoAcc][0] == 0 {
		pica.GasAccmax.SetFloat(s.Regs, 1/s.values[GasAccMax][0])
	}
}

func encodeLighting(s *State, u *Uniform) {
	on := s.values[u.ID][0] != 0
	pica.LightingEnable.SetBool(s.Regs, on)
	pica.LightingDisable.SetBool(s.Regs, !on)
}

// setColor writes the first three numbers to fields red, green and blue.
func setColor(r *pica.Regs, fields []pica.Field, offset pica.Reg, v [4]float32) {
	for k, f := range fields {
		f.At(offset).SetFloat(r, v[k])
	}
}

func product(a, b [4]float32) (p [4]float32) {
	for k := range p {
		p[k] = a[k] * b[k]
	}
	return p
}

// encodeAmbient writes the ambient light that does not come from a light
// source.
func encodeAmbient(s *State, _ *Uniform) {
	sum := product(s.values[LightingAmbient], s.values[MaterialAmbient])
	for k := range sum {
		sum[k] += s.values[MaterialEmission][k]
	}
	setColor(s.Regs, ambientFields, 0, sum)
}

// lightColors lists the colours of a light: the uniform of light 0, the uniform
// of the material, and the fields of light 0.
var lightColors = []struct {
	light, material Location
	fields          []pica.Field
}{
	{LightAmbient, MaterialAmbient, lightAmbient},
	{LightDiffuse, MaterialDiffuse, lightDiffuse},
	{LightSpecular0, MaterialSpecular0, lightSpecular0},
	{LightSpecular1, MaterialSpecular1, lightSpecular1},
}

// putLightColor writes colour c, an index of lightColors, of light i.
func (s *State) putLightColor(c, i int) {
	colour := &lightColors[c]
	v := product(s.values[colour.light+Location(i)], s.values[colour.material])
	if i == 0 && s.enabledLights() == 0 {
		v = [4]float32{}
	}
	setColor(s.Regs, colour.fields, pica.Reg(i)*pica.StrideLight, v)
}

func encodeLightColor(s *State, u *Uniform) {
	for c := range lightColors {
		if u.ID == lightColors[c].light+Location(u.index) {
			s.putLightColor(c, u.index)
		}
	}
}

func encodeMaterial(s *State, u *Uniform) {
	for c := range lightColors {
		if u.ID != lightColors[c].material {
			continue
		}
		for i := range pica.NumLights {
			s.putLightColor(c, i)
		}
	}
	if u.ID == MaterialAmbient {
		encodeAmbient(s, u)
	}
}

func (s *State) enabledLights() (n int) {
	for i := range pica.NumLights {
		if s.values[LightEnabled+Location(i)][0] != 0 {
			n++
		}
	}
	return n
}

// lightOrder are the fields with the numbers of the enabled lights, in order.
var lightOrder = func() (fields [pica.NumLights]pica.Field) {
	for i := range fields {
		fields[i] = pica.LightingPermutation(i)
	}
	return fields
}()

// encodeLights writes the number of enabled lights and their order.
func encodeLights(s *State, _ *Uniform) {
	n := 0
	for _, f := range lightOrder {
		f.Set(s.Regs, 0)
	}
	for i := range pica.NumLights {
		if s.values[LightEnabled+Location(i)][0] != 0 {
			lightOrder[n].Set(s.Regs, uint32(i))
			n++
		}
	}
	pica.LightingNumLights.Set(s.Regs, uint32(max(n, 1)-1))
	for c := range lightColors {
		s.putLightColor(c, 0)
	}
}

func encodePosition(s *State, u *Uniform) {
	v := s.values[u.ID]
	for k, f := range u.Fields[:3] {
		f.SetFloat(s.Regs, v[k])
	}
	u.Fields[3].SetBool(s.Regs, v[3] == 0)
}

// encodeAbsInput sets how a table is looked up. Computed differences depend on
// it, so the table is sent again.
func encodeAbsInput(s *State, u *Uniform) {
	encodeInverted(s, u)
	for _, id := range lutUploads[u.ID-LightEnvAbsLutInputD0] {
		s.dirty[id] = true
	}
}

// encodeShadow enables a target of shadows, and shadows as a whole.
func encodeShadow(s *State, u *Uniform) {
	u.Fields[0].SetBool(s.Regs, s.values[u.ID][0] != 0)
	pica.LightingShadowEnable.SetBool(s.Regs, pica.LightingShadowPrimary.Bool(s.Regs) ||
		pica.LightingShadowSecondary.Bool(s.Regs) || pica.LightingShadowAlpha.Bool(s.Regs))
}

// encodeFresnel sets the target of the Fresnel table, and disables the table
// without one: no uniform enables it separately.
func encodeFresnel(s *State, u *Uniform) {
	sym, _ := findNumber(u.Symbols, int64(s.values[u.ID][0]))
	pica.LightingFresnel.Set(s.Regs, sym.Value)
	pica.LightingNoFR.SetBool(s.Regs, sym.Value == uint32(pica.FresnelNone))
}

// encodeSampler makes the next flush send the table.
func encodeSampler(s *State, u *Uniform) { s.dirty[u.upload] = true }
