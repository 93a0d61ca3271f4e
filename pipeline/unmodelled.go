package pipeline

import (
	"fmt"
	"math"
	"math/bits"

	"pica200/pica"
)

// The console reads some registers that this GPU ignores, because nobody has
// measured what they do. Usually programs set them to the same as other
// registers. A draw that sets them otherwise may look different on the console,
// and gets a warning. An inverse size of 0 was never written.

// unmodelled holds the values of these registers that were checked last, and
// the result.
type unmodelled struct {
	regs     [len(unmodelledRegs)]uint32
	warnings []string
	wraps    bool
}

// unmodelledRegs are the registers that the warnings depend on.
var unmodelledRegs = [...]pica.Reg{
	pica.RegViewportWidth, pica.RegViewportInvw, pica.RegViewportHeight, pica.RegViewportInvh,
	pica.RegShOutattrClock, pica.RegShOutmapTotal,
	pica.RegShOutmapO0, pica.RegShOutmapO0 + 1, pica.RegShOutmapO0 + 2, pica.RegShOutmapO0 + 3,
	pica.RegShOutmapO0 + 4, pica.RegShOutmapO0 + 5, pica.RegShOutmapO0 + 6,
	pica.RegVshComMode, pica.RegGeostageConfig,
	pica.RegTexunitConfig, pica.RegTexunit1Addr, pica.RegTexunit1Type, pica.RegTexunit0Param,
	pica.RegTexunit0Addr1, pica.RegTexunit0Addr2, pica.RegTexunit0Addr2 + 1, pica.RegTexunit0Addr2 + 2, pica.RegTexunit0Addr2 + 3, pica.RegTexunit0Addr2 + 4,
	0x060, pica.RegColorOperation, 0x11F,
	pica.RegViewportXy, pica.RegFramebufferDim, pica.RegScissortestMode, pica.RegScissortestDim,
}

// warnUnmodelled warns of features that the draw asks for and that are not
// modelled.
func (g *GPU) warnUnmodelled() error {
	u := &g.unmodelled
	same := true
	for i, r := range unmodelledRegs {
		same = same && u.regs[i] == g.regs[r]
		u.regs[i] = g.regs[r]
	}
	if !same {
		u.warnings, u.wraps = findUnmodelled(&g.regs, u.warnings[:0]), wraps(&g.regs)
	}
	before, on := g.progress.geometry, pica.GeoStage(pica.GeostageMode.Get(&g.regs)) == pica.GeoStageOn
	g.progress.geometry = on
	if before && !on {
		if err := g.warn("a draw without geometry shader follows one with it in the same list, without a write to %v between them: the console may hang", pica.RegFramebufferFlush); err != nil {
			return err
		}
	}
	if pica.EarlydepthTest1.Bool(&g.regs) && pica.EarlydepthTest2.Bool(&g.regs) {
		g.addWarning(earlyDepth) // draws of games use it
	}
	if u.wraps {
		g.addWarning(viewportWraps)
	}
	for _, w := range u.warnings {
		if err := g.warnText(w); err != nil {
			return err
		}
	}
	return nil
}

const lateProgram = "a vertex shader is written while GPUREG_START_DRAW_FUNC0 is 0: the console may keep the earlier one"

const viewportWraps = "the viewport is moved and leaves the render target without a scissor test: on the console polygons can come back at the other edge"

const earlyDepth = "the early depth test is on: the console compares with a coarse buffer of its own and drops fragments that a depth test would keep; here it has no effect"

func findUnmodelled(r *pica.Regs, list []string) []string {
	found := func(format string, args ...any) {
		list = append(list, fmt.Sprintf(format, args...)+"; what the console draws then is not known")
	}
	for _, u := range unusualBits {
		if r[u.reg]&u.mask == u.value {
			list = append(list, fmt.Sprintf("%v (0x%03X) is 0x%08X: %s", u.reg, uint16(u.reg), r[u.reg], u.effect))
		}
	}
	unit := pica.TexunitOffset(1)
	if at := pica.TexunitAddr.At(unit).Addr(r); pica.TexunitEnable1.Bool(r) && at >= pica.VRAMBase && at-pica.VRAMBase < pica.VRAMSize {
		if f := pica.TextureFormat(pica.TexunitFormat(1).Get(r)); f == pica.TextureFormatI4 || f == pica.TextureFormatA4 {
			list = append(list, fmt.Sprintf("texture unit 1 reads a texture of 4 bits a texel (%v) in VRAM: the console draws it wrongly and freezes sooner or later", f))
		}
	}
	if kind := pica.TextureType(pica.TexunitType.Get(r)); pica.TexunitEnable0.Bool(r) && (kind == pica.TextureCube || kind == pica.TextureShadowCube) {
		low := pica.TexunitAddrFace.Max()
		for face, before := pica.Reg(0), pica.TexunitAddr.Get(r)&low; face < 5; face++ {
			at := pica.TexunitAddrFace.At(face).Get(r)
			if at < before {
				list = append(list, fmt.Sprintf("face %d of the cube lies below face %d: the console may draw some faces wrongly", face+1, face))
				break
			}
			before = at
		}
	}
	for _, side := range []struct{ half, inverse pica.Field }{{pica.ViewportWidth, pica.ViewportInvw}, {pica.ViewportHeight, pica.ViewportInvh}} {
		half, inverse := side.half.Float(r), side.inverse.Float(r)
		if p := float64(float64(half) * float64(inverse)); r[side.inverse.Reg] != 0 && !(math.Abs(p-1) < 1.0/256) {
			found("%v is %g and %v is %g, not its inverse", side.half.Reg, half, side.inverse.Reg, inverse)
		}
	}
	for missing := attributeClocks(r) &^ r[pica.RegShOutattrClock]; missing != 0; missing &= missing - 1 {
		found("the output map has attributes whose clock is off (%v bit %d)", pica.RegShOutattrClock, bits.TrailingZeros32(missing))
	}
	if pica.VshComMode.Bool(r) && pica.GeoStage(pica.GeostageMode.Get(r)) != pica.GeoStageOn {
		found("%v gives the fourth shader unit a program of its own, but there is no geometry shader: the unit shades vertices with it", pica.RegVshComMode)
	}
	return list
}

// wraps reports whether a viewport that is not at 0, 0 leaves the target, where
// no scissor rectangle ends before that (GBATEK).
func wraps(r *pica.Regs) bool {
	x, y := pica.ViewportX.Signed(r), pica.ViewportY.Signed(r)
	w, h := int32(pica.FramebufferWidth.Get(r)), int32(pica.FramebufferHeight.Get(r)+1)
	if r[pica.RegViewportXy] == 0 || x >= 0 && y >= 0 && float32(x)+2*pica.ViewportWidth.Float(r) <= float32(w) && float32(y)+2*pica.ViewportHeight.Float(r) <= float32(h) {
		return false
	}
	return pica.ScissorMode(pica.ScissortestMode.Get(r)) != pica.ScissorInclude || int32(pica.ScissortestX2.Get(r)) >= w || int32(pica.ScissortestY2.Get(r)) >= h
}

// unusualBits are bits with a known effect that this GPU does not have.
var unusualBits = [...]struct {
	reg         pica.Reg
	mask, value uint32
	effect      string
}{
	{0x060, 0x300, 0x100, "the console draws every second pixel; here all"},
	{0x060, 0x300, 0x200, "the console draws every fourth pixel; here all"},
	{pica.RegColorOperation, 1 << 24, 1 << 24, "the console draws every second line; here all"},
	{pica.RegColorOperation, 1 << 25, 1 << 25, "the console draws nothing; here all"},
	{0x11F, 0x7FFFFFFF, 0x7FFFFFFF, "the console hangs"},
}

// attributeClocks returns the bits of GPUREG_SH_OUTATTR_CLOCK that the output
// map needs.
func attributeClocks(r *pica.Regs) (clocks uint32) {
	for i := range min(pica.ShOutmapTotal.Get(r), 7) {
		word := r[pica.RegShOutmapO0+pica.Reg(i)]
		for c := range 4 {
			clocks |= clockOf[word>>(8*c)&0x1F]
		}
	}
	return clocks
}

// clockOf[s] is the clock that semantic s needs.
var clockOf = func() (of [32]uint32) {
	set := func(first, last pica.Semantic, f pica.Field) {
		for s := first; s <= last; s++ {
			of[s] = f.Mask()
		}
	}
	set(pica.SemPositionZ, pica.SemPositionZ, pica.ShOutattrClockZ)
	set(pica.SemQuatX, pica.SemQuatW, pica.ShOutattrClockLighting)
	set(pica.SemTexCoord0U, pica.SemTexCoord0V, pica.ShOutattrClockTexcoord0)
	set(pica.SemTexCoord1U, pica.SemTexCoord1V, pica.ShOutattrClockTexcoord1)
	set(pica.SemTexCoord0W, pica.SemTexCoord0W, pica.ShOutattrClockTexcoord0W)
	set(pica.SemViewX, pica.SemViewZ, pica.ShOutattrClockLighting)
	set(pica.SemTexCoord2U, pica.SemTexCoord2V, pica.ShOutattrClockTexcoord2)
	return of
}()
