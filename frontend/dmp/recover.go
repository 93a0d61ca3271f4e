package dmp

import (
	"math"
	"slices"
	"sync"

	"pica200/pica"
)

// Recover returns uniforms that give the register values r, as far as possible.
// The state has its own register file, State.Regs; bits where it differs from r
// cannot be expressed by uniforms. near, far and offset are the depth range
// that it assumes.
//
// Where registers hold only products, the light gets the value: the material
// becomes white, and all ambient light is the scene's.
func Recover(r *pica.Regs, near, far, offset float32) *State {
	s := New(&pica.Regs{})
	s.SetDepthRange(near, far, offset)
	white := [4]float32{1, 1, 1, 1}
	for _, loc := range []Location{MaterialAmbient, MaterialDiffuse, MaterialSpecular0, MaterialSpecular1} {
		s.values[loc] = white
	}
	s.recoverLights(r)
	for i := range Uniforms {
		if u := &Uniforms[i]; u.Type != Sampler1D {
			s.recoverValid(u, r)
		}
	}
	for i := range Uniforms {
		Uniforms[i].encode(s, &Uniforms[i])
	}
	return s
}

// Take sets the uniforms that have bits in a written register to values that give
// the bits of r, as far as possible. It leaves those of lighting alone.
func (s *State) Take(r *pica.Regs, written func(pica.Reg) bool) {
	for i := range Uniforms {
		u := &Uniforms[i]
		if u.Type == Sampler1D || u.Group >= GroupLighting && u.Group <= GroupLightEnv {
			continue
		}
		if slices.ContainsFunc(u.Fields, func(f pica.Field) bool { return written(f.Reg) }) {
			s.recoverValid(u, r)
			u.encode(s, u)
		}
	}
}

// recoverValid finds the value of a uniform; it stays if that is infinite or out
// of range.
func (s *State) recoverValid(u *Uniform, r *pica.Regs) {
	before := s.values[u.ID]
	s.recoverOne(u, r)
	for _, x := range s.values[u.ID][:u.Type.components()] {
		if _, err := u.number(x); err != nil {
			s.values[u.ID] = before
		}
	}
}

// recoverLights finds which lights are on.
func (s *State) recoverLights(r *pica.Regs) {
	for i := range pica.LightingNumLights.Get(r) + 1 {
		s.values[LightEnabled+Location(pica.LightingPermutation(int(i)).Get(r))] = [4]float32{1}
	}
}

// recoverOne finds the value of a uniform.
func (s *State) recoverOne(u *Uniform, r *pica.Regs) {
	v := &s.values[u.ID]
	switch {
	case u.ID >= LightEnabled && u.ID < LightEnabled+pica.NumLights:
	case u.ID == LightingAmbient:
		*v = colorOf(u.Fields, r)
	case u.ID >= MaterialEmission && u.ID <= MaterialSpecular1:
	case u.ID >= LightAmbient && u.ID < LightSpecular1+pica.NumLights:
		*v = colorOf(u.Fields, r)
	case u.ID >= LightPosition && u.ID < LightPosition+pica.NumLights:
		for k := range 3 {
			v[k] = exact(u.Fields[k], r)
		}
		v[3] = 1 - b2f(u.Fields[3].Bool(r))
	case u.ID >= LightSpotDirection && u.ID < LightSpotDirection+pica.NumLights:
		for k, f := range u.Fields {
			v[k] = min(1, max(-1, -exact(f, r)))
		}
	case inverted()[u.ID]:
		v[0] = 1 - b2f(u.Fields[0].Bool(r))
	default:
		s.recoverSpecial(u, r)
	}
}

// inverted[u] is true for uniforms whose bit is clear when they are true; it is
// found by setting them.
var inverted = sync.OnceValue(func() *[NumUniforms]bool {
	var is [NumUniforms]bool
	for i := range Uniforms {
		u := &Uniforms[i]
		if u.Type != Bool {
			continue
		}
		var regs pica.Regs
		s := &State{Regs: &regs}
		u.encode(s, u)
		is[i] = u.Fields[0].Bool(&regs)
	}
	return &is
})

// recoverSpecial recovers a uniform that shares its registers, or needs special
// treatment.
func (s *State) recoverSpecial(u *Uniform, r *pica.Regs) {
	v := &s.values[u.ID]
	switch u.ID {
	case Texture0ShadowZScale, FragOperationPenumbraBias, FragOperationWScale:
		// Another uniform, or the default, determines it.
		if u.ID == FragOperationPenumbraBias {
			v[0] = pica.FragopShadowConstant.Float(r) + pica.FragopShadowLinear.Float(r)
		}
		if u.ID == FragOperationWScale && pica.DepthMode(pica.DepthmapMode.Get(r)) == pica.DepthModeW && s.depthNear != s.depthFar {
			v[0] = pica.DepthmapScale.Float(r) / (s.depthNear - s.depthFar)
		}
	case Texture0ShadowZBias:
		v[0] = exact(pica.TexunitShadowBias, r)
	case FragOperationPenumbraScale:
		v[0] = -pica.FragopShadowLinear.Float(r)
	case Texture0SamplerType:
		kind := pica.TexunitType.Get(r)
		if !pica.TexunitEnable0.Bool(r) {
			kind = uint32(pica.TextureDisabled)
		}
		for _, sym := range u.Symbols {
			if sym.Value == kind {
				v[0] = float32(sym.Number())
			}
		}
	case ProcTexBias:
		v[0] = pica.Float16.Decode(pica.ProctexBiasLow.Get(r) | pica.ProctexBiasHigh.Get(r)<<8)
	case GasAutoAcc:
		v[0] = 0
	case GasAccMax:
		if x := pica.GasAccmax.Float(r); x > 0 {
			v[0] = min(u.Max, max(u.Min, 1/x))
			for range 4 {
				if pica.GasAccmax.Type.Encode(1/v[0], pica.GasAccmax.Bits) == pica.GasAccmax.Get(r) {
					break
				}
				v[0] = max(u.Min, math.Nextafter32(v[0], 0))
			}
		}
	default:
		for k := range u.Type.components() {
			u.recoverComponent(&v[k], u.Fields[k], r)
		}
	}
}

// recoverComponent keeps the default if no value gives the bits.
func (u *Uniform) recoverComponent(v *float32, f pica.Field, r *pica.Regs) {
	raw := f.Get(r)
	switch {
	case u.Symbols != nil:
		for _, sym := range u.Symbols {
			if sym.Value == raw {
				*v = float32(sym.Number())
			}
		}
	case u.Steps != nil:
		for _, step := range u.Steps {
			if step.Reg == raw {
				*v = step.Value
			}
		}
	case u.Type == Bool:
		*v = b2f(f.Bool(r))
	default:
		x := exact(f, r)
		if _, err := u.number(x); err == nil {
			*v = x
		}
	}
}

// exact returns a number that encodes to the same bits of a field, although
// fractions are truncated.
func exact(f pica.Field, r *pica.Regs) float32 {
	raw, x := f.Get(r), f.Float(r)
	for range 4 {
		if f.Type.Encode(x, f.Bits) == raw {
			return x
		}
		x = math.Nextafter32(x, x+float32(math.Copysign(1, float64(x))))
	}
	return f.Float(r)
}

func colorOf(fields []pica.Field, r *pica.Regs) [4]float32 {
	return [4]float32{exact(fields[0], r), exact(fields[1], r), exact(fields[2], r), 1}
}

func b2f(b bool) float32 {
	if b {
		return 1
	}
	return 0
}
