package dmp

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/tests/testkit"
)

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
