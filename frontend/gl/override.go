package gl

import (
	"context"
	"fmt"
	"slices"

	"pica200/frontend/dmp"
	"pica200/pica"
)

// Override adds a register write to the commands of the next draw, after
// everything else and right before the draw starts. It works for all registers,
// including queues (tables, code, uniforms), and applies to that draw only: the
// state is sent again for the draw after it.
//
// It returns an error for registers that start something, and for those that
// select the vertices of the draw.
func (c *Context) Override(reg pica.Reg, mask uint8, value uint32) error {
	switch {
	case reg >= pica.NumRegs:
		return fmt.Errorf("register 0x%03X: they end at 0x%03X", uint16(reg), pica.NumRegs-1)
	case mask == 0 || mask > 15:
		return fmt.Errorf("%v: a byte mask of %d; expected 1 to 15", reg, mask)
	case reg == pica.RegFinalize, reg >= pica.RegIndexbufferConfig && reg <= pica.RegNumvertices, reg == pica.RegVertexOffset,
		reg >= pica.RegDrawarrays && reg <= pica.RegVtxFunc, reg >= pica.RegCmdbufSize0 && reg <= pica.RegCmdbufJump0+1,
		reg == pica.RegStartDrawFunc0, reg == pica.RegRestartPrimitive:
		return fmt.Errorf("%v starts a draw or says what it draws; it cannot be overridden", reg)
	case len(c.overrides) >= maxOverrides:
		return fmt.Errorf("more than %d register writes for a draw", maxOverrides)
	}
	c.overrides = append(c.overrides, dmp.Write{Reg: reg, Mask: mask, Value: value})
	return nil
}

// Take makes register writes of a command list the state of the next draw. What
// uniforms and calls of this API set can be set anew after it; the rest is
// overridden, for the next draw only.
func (c *Context) Take(writes []dmp.Write) error {
	want := c.regs
	var written pica.Regs
	for _, w := range writes {
		if w.Reg >= pica.NumRegs || managed(w.Reg) {
			if err := c.Override(w.Reg, w.Mask, w.Value); err != nil {
				return err
			}
			continue
		}
		bits := pica.MakeCommandHeader(w.Reg, uint32(w.Mask), 0, false).BitMask()
		written[w.Reg] |= bits
		want[w.Reg] = want[w.Reg]&^bits | w.Value&bits
	}
	for _, f := range calls {
		if written[f.Reg]&f.Mask() != 0 {
			c.put(f, f.Get(&want))
		}
	}
	c.Uniforms.Take(&want, func(r pica.Reg) bool { return written[r] != 0 })
	for reg := range pica.Reg(pica.NumRegs) {
		if written[reg] == 0 {
			continue
		}
		rest, mask := written[reg], uint8(0)
		if dmp.Owned[reg] != 0 || slices.ContainsFunc(calls, func(f pica.Field) bool { return f.Reg == reg }) {
			rest &= c.regs[reg] ^ want[reg]
		}
		for b := range 4 {
			if rest>>(8*b)&0xFF != 0 {
				mask |= 1 << b
			}
		}
		if mask == 0 {
			continue
		}
		if err := c.Override(reg, mask, want[reg]); err != nil {
			return err
		}
	}
	return nil
}

// calls are the fields that calls set for every draw.
var calls = []pica.Field{pica.FacecullingMode, pica.DepthTestEnable, pica.DepthTestFunc, pica.DepthWriteEnable,
	pica.ColorMaskR, pica.ColorMaskG, pica.ColorMaskB, pica.ColorMaskA,
	pica.StencilTestEnable, pica.StencilTestFunc, pica.StencilTestRef, pica.StencilTestMask, pica.StencilTestWriteMask, pica.StencilOpFail, pica.StencilOpZFail, pica.StencilOpZPass,
	pica.ColorOperationBlend, pica.BlendRgbEquation, pica.BlendAlphaEquation, pica.BlendRgbSource, pica.BlendRgbDest, pica.BlendAlphaSource, pica.BlendAlphaDest,
	pica.BlendColorR, pica.BlendColorG, pica.BlendColorB, pica.BlendColorA, pica.LogicOpFunc}

// maxOverrides is the greatest number of writes for a draw: enough for all
// tables, code and uniforms at once.
const maxOverrides = 1 << 15

// sendOverrides appends the overrides and marks the state that they replaced as
// unknown.
func (c *Context) sendOverrides(ctx context.Context) error {
	if len(c.overrides) == 0 {
		return nil
	}
	if err := c.room(ctx, 2*len(c.overrides)); err != nil {
		return err
	}
	c.list = dmp.AppendCommands(c.list, c.overrides)
	for _, w := range c.overrides {
		if ofProgram(w.Reg) {
			c.loaded = nil // sent anew with the program
			continue
		}
		c.touched[w.Reg], c.known[w.Reg] = !managed(w.Reg), false
	}
	c.Uniforms.Resend()
	c.overrides = c.overrides[:0]
	return nil
}

// ofProgram reports whether a register is set with the program.
func ofProgram(reg pica.Reg) bool {
	return reg >= pica.RegGshBooluniform || reg >= pica.RegShOutmapTotal && reg < pica.RegShOutmapO0+7 ||
		reg == pica.RegShOutattrMode || reg == pica.RegShOutattrClock || reg == pica.RegGeostageConfig ||
		reg >= pica.RegVshComMode && reg <= pica.RegPrimitiveConfig
}
