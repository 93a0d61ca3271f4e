package pipeline

import (
	"fmt"
	"math"
	"math/bits"

	"pica200/geometry"
	"pica200/pica"
)

// The console reads some registers that this GPU ignores, because nobody has
// measured what they do. Usually programs set them to the same as other
// registers. A draw that sets them otherwise may look different on the console,
// and gets a warning. An inverse size of 0 was never written.

// An unmodelledCheck finds what a draw asks for and is not modelled.
type unmodelledCheck struct {
	key  func(r *pica.Regs) unmodelledKey // what find reads of the registers
	find []finder
}

// A finder adds warnings to a list.
type finder func(r *pica.Regs, list []string) []string

type unmodelledKey [10]uint32

var unmodelledChecks = [...]unmodelledCheck{
	{
		key: func(r *pica.Regs) unmodelledKey {
			return unmodelledKey{
				r[pica.RegTexunitConfig], r[pica.RegTexunit1Addr], r[pica.RegTexunit1Type], r[pica.RegTexunit0Param], r[pica.RegTexunit0Addr1],
				r[pica.RegTexunit0Addr2], r[pica.RegTexunit0Addr2+1], r[pica.RegTexunit0Addr2+2], r[pica.RegTexunit0Addr2+3], r[pica.RegTexunit0Addr2+4],
			}
		},
		find: []finder{findSmallTexels, findFallingFaces},
	},
	{
		key: func(r *pica.Regs) unmodelledKey {
			return unmodelledKey{
				r[pica.RegViewportWidth], r[pica.RegViewportInvw], r[pica.RegViewportHeight], r[pica.RegViewportInvh],
				r[pica.RegViewportXy], r[pica.RegFramebufferDim], r[pica.RegScissortestMode], r[pica.RegScissortestDim],
			}
		},
		find: []finder{findInverses, findWrap},
	},
	{
		key: func(r *pica.Regs) unmodelledKey {
			return unmodelledKey{
				r[pica.RegShOutattrClock], r[pica.RegShOutmapTotal], r[pica.RegShOutmapO0], r[pica.RegShOutmapO0+1], r[pica.RegShOutmapO0+2],
				r[pica.RegShOutmapO0+3], r[pica.RegShOutmapO0+4], r[pica.RegShOutmapO0+5], r[pica.RegShOutmapO0+6],
			}
		},
		find: []finder{findClocks},
	},
	{
		key: func(r *pica.Regs) unmodelledKey {
			return unmodelledKey{
				r[0x060], r[pica.RegColorOperation], r[0x11F], r[pica.RegVshComMode], r[pica.RegGeostageConfig],
				r[pica.RegEarlydepthTest1], r[pica.RegEarlydepthTest2],
			}
		},
		find: []finder{findUnusualBits, findFourthUnit, findEarlyDepth},
	},
}

// unmodelled holds, for each check, its key of the last draw and the warnings.
type unmodelled [len(unmodelledChecks)]struct {
	key      unmodelledKey
	warnings []string
}

// warnUnmodelled warns of features that the draw asks for and that are not
// modelled.
func (g *GPU) warnUnmodelled(kind geometry.Kind) error {
	before, on := g.progress.geometry, pica.GeoStage(pica.GeostageMode.Get(&g.regs)) == pica.GeoStageOn
	g.progress.geometry = on
	if before && !on {
		if err := g.warn("a draw without geometry shader follows one with it in the same list, without a write to %v between them: the console may hang", pica.RegFramebufferFlush); err != nil {
			return err
		}
	}
	if arrays := pica.Geostage2Arrays.Bool(&g.regs); arrays && kind == geometry.Elements {
		g.addWarning(countsTwice)
	} else if !arrays && kind == geometry.Arrays {
		g.addWarning(arraysOff)
	}
	for i := range unmodelledChecks {
		last := &g.unmodelled[i]
		if key := unmodelledChecks[i].key(&g.regs); key != last.key {
			last.key, last.warnings = key, last.warnings[:0]
			for _, find := range unmodelledChecks[i].find {
				last.warnings = find(&g.regs, last.warnings)
			}
		}
		for _, w := range last.warnings {
			if w == viewportWraps || w == earlyDepth { // draws of games do that, so Options.Strict does not make it an error
				g.addWarning(w)
			} else if err := g.warnText(w); err != nil {
				return err
			}
		}
	}
	return nil
}

const lateProgram = "a vertex shader is written while GPUREG_START_DRAW_FUNC0 is 0: the console may keep the earlier one"

const viewportWraps = "the viewport is moved and leaves the render target without a scissor test: on the console polygons can come back at the other edge"

// Of bit 0 of GPUREG_GEOSTAGE_CONFIG2 (GBATEK's program for a console).
const (
	countsTwice = "GPUREG_DRAWELEMENTS while bit 0 of GPUREG_GEOSTAGE_CONFIG2 is on: the console counts each index twice and draws half of GPUREG_NUMVERTICES"
	arraysOff   = "GPUREG_DRAWARRAYS while bit 0 of GPUREG_GEOSTAGE_CONFIG2 is off: the console needs it"
)

const earlyDepth = "the early depth test is on: the console compares with a coarse buffer of its own and drops fragments that a depth test would keep; here it has no effect"

const unknownEffect = "; what the console draws then is not known"

func findUnusualBits(r *pica.Regs, list []string) []string {
	for _, u := range unusualBits {
		if r[u.reg]&u.mask == u.value {
			list = append(list, fmt.Sprintf("%v (0x%03X) is 0x%08X: %s", u.reg, uint16(u.reg), r[u.reg], u.effect))
		}
	}
	return list
}

func findSmallTexels(r *pica.Regs, list []string) []string {
	at := pica.TexunitAddr.At(pica.TexunitOffset(1)).Addr(r)
	if !pica.TexunitEnable1.Bool(r) || at < pica.VRAMBase || at-pica.VRAMBase >= pica.VRAMSize {
		return list
	}
	if f := pica.TextureFormat(pica.TexunitFormat(1).Get(r)); f == pica.TextureFormatI4 || f == pica.TextureFormatA4 {
		list = append(list, fmt.Sprintf("texture unit 1 reads a texture of 4 bits a texel (%v) in VRAM: the console draws it wrongly and freezes sooner or later", f))
	}
	return list
}

func findFallingFaces(r *pica.Regs, list []string) []string {
	if kind := pica.TextureType(pica.TexunitType.Get(r)); !pica.TexunitEnable0.Bool(r) || kind != pica.TextureCube && kind != pica.TextureShadowCube {
		return list
	}
	before := pica.TexunitAddr.Get(r) & pica.TexunitAddrFace.Max()
	for face := range pica.Reg(5) {
		at := pica.TexunitAddrFace.At(face).Get(r)
		if at < before {
			return append(list, fmt.Sprintf("face %d of the cube lies below face %d: the console may draw some faces wrongly", face+1, face))
		}
		before = at
	}
	return list
}

func findInverses(r *pica.Regs, list []string) []string {
	for _, side := range []struct{ half, inverse pica.Field }{{pica.ViewportWidth, pica.ViewportInvw}, {pica.ViewportHeight, pica.ViewportInvh}} {
		half, inverse := side.half.Float(r), side.inverse.Float(r)
		if p := float64(float64(half) * float64(inverse)); r[side.inverse.Reg] != 0 && !(math.Abs(p-1) < 1.0/256) {
			list = append(list, fmt.Sprintf("%v is %g and %v is %g, not its inverse"+unknownEffect, side.half.Reg, half, side.inverse.Reg, inverse))
		}
	}
	return list
}

func findClocks(r *pica.Regs, list []string) []string {
	for missing := attributeClocks(r) &^ r[pica.RegShOutattrClock]; missing != 0; missing &= missing - 1 {
		list = append(list, fmt.Sprintf("the output map has attributes whose clock is off (%v bit %d)"+unknownEffect, pica.RegShOutattrClock, bits.TrailingZeros32(missing)))
	}
	return list
}

func findFourthUnit(r *pica.Regs, list []string) []string {
	if pica.VshComMode.Bool(r) && pica.GeoStage(pica.GeostageMode.Get(r)) != pica.GeoStageOn {
		list = append(list, fmt.Sprintf("%v gives the fourth shader unit a program of its own, but there is no geometry shader: the unit shades vertices with it"+unknownEffect, pica.RegVshComMode))
	}
	return list
}

// findWrap finds a viewport that is not at 0, 0 and leaves the target, where
// no scissor rectangle ends before that (GBATEK).
func findWrap(r *pica.Regs, list []string) []string {
	x, y := pica.ViewportX.Signed(r), pica.ViewportY.Signed(r)
	w, h := int32(pica.FramebufferWidth.Get(r)), int32(pica.FramebufferHeight.Get(r)+1)
	if r[pica.RegViewportXy] == 0 || x >= 0 && y >= 0 && float32(x)+2*pica.ViewportWidth.Float(r) <= float32(w) && float32(y)+2*pica.ViewportHeight.Float(r) <= float32(h) {
		return list
	}
	if pica.ScissorMode(pica.ScissortestMode.Get(r)) != pica.ScissorInclude || int32(pica.ScissortestX2.Get(r)) >= w || int32(pica.ScissortestY2.Get(r)) >= h {
		list = append(list, viewportWraps)
	}
	return list
}

func findEarlyDepth(r *pica.Regs, list []string) []string {
	if pica.EarlydepthTest1.Bool(r) && pica.EarlydepthTest2.Bool(r) {
		list = append(list, earlyDepth)
	}
	return list
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
