package states

import "pica200/pica"

// change is something that can change between two draws.
type change struct {
	name   string
	weight int // relative frequency
	make   func(g *generator)
}

// changes lists what a program may do between draws. Most change one thing and keep the rest of the state.
var changes = []change{
	{"everything", 2, (*generator).everything},
	{"target", 2, func(g *generator) {
		g.newTarget()
		if g.tame {
			g.endList()
			g.clear()
		}
		g.rollMode()
	}},
	{"texture unit", 2, func(g *generator) { g.rollTexture(g.below(3)) }},
	{"combiner", 1, (*generator).rollCombiner},
	{"combiner stage", 1, func(g *generator) { g.rollStage(g.below(pica.NumTexenvs)) }},
	{"blending", 1, (*generator).rollBlending},
	{"tests", 2, (*generator).rollTests},
	{"lights", 1, (*generator).rollLights},
	{"fog", 1, (*generator).rollFog},
	{"procedural texture", 1, (*generator).rollProcedural},
	{"rasterizer", 1, (*generator).rollRaster},
	{"table", 2, (*generator).table},
	{"float uniforms", 1, func(g *generator) {
		g.rollUniforms(&g.vs, g.between(1, 4))
		g.rollUniforms(&g.gs, g.between(0, 2))
	}},
	{"integer uniform", 1, func(g *generator) {
		g.rollInt(&g.vs, pica.Reg(g.reads(g.vs.ints, 4)))
		if g.geometry() {
			g.rollInt(&g.gs, pica.Reg(g.reads(g.gs.ints, 4)))
		}
	}},
	{"boolean uniform", 1, func(g *generator) {
		g.regs[pica.RegVshBooluniform] ^= 1 << g.reads(g.vs.bools, 16)
		if g.geometry() {
			g.regs[pica.RegGshBooluniform] ^= 1 << g.reads(g.gs.bools, 16)
		}
	}},
	{"programs", 1, func(g *generator) { g.programs(g.chance(0.2)) }},
	{"geometry shader", 1, func(g *generator) {
		if g.geometry() && g.chance(0.5) {
			g.geometryOff()
		} else {
			g.geometryOn()
		}
	}},
	{"vertices", 1, func(g *generator) {
		g.newMesh(false)
		g.programs(g.chance(0.5))
	}},
	{"fragment mode", 1, (*generator).rollMode},
	{"load", 1, func(g *generator) { // possibly over texels that a queued draw reads
		g.endList()
		g.load()
	}},
	{"word of the program", 1, func(g *generator) {
		if n := len(g.vs.code); n > 2 {
			g.vs.code[g.below(n-1)] ^= 1 << g.between(7, 8) // a source register
			g.vs.loaded = false
		}
	}},
	{"colour register", 1, func(g *generator) {
		regs := []pica.Reg{pica.RegBlendColor, pica.RegFogColor, pica.RegTexenvBufferColor, pica.RegTexenv0Color,
			pica.RegTexenv1Color, pica.RegStencilTest, pica.RegFragopAlphaTest, pica.RegLightingAmbient}
		g.rollAll(regs[g.below(len(regs))])
	}},
	{"texels", 1, func(g *generator) {
		g.endList()
		addr, n := g.textureInUse()
		n = min(n, 0x4000)
		g.trace.Load(addr, g.cut(n))
	}},
	{"transfer over a texture", 1, func(g *generator) {
		g.endList()
		addr, _ := g.textureInUse()
		g.transferTo(addr &^ 15)
	}},
	{"copy over a texture", 1, func(g *generator) {
		g.endList()
		addr, n := g.textureInUse()
		g.copyBytes(textureBase+uint32(g.below(0x4000))&^15, addr&^15, uint32(max(16, n&^15)), 0, 0)
	}},
	{"fill over a texture", 1, func(g *generator) {
		g.endList()
		addr, n := g.textureInUse()
		g.fillBytes(addr&^15, uint32(n+15)&^15)
	}},
	{"stencil beside depth", 1, func(g *generator) {
		r := &g.regs
		g.rollAll(pica.RegStencilTest, pica.RegStencilOp)
		pica.StencilTestEnable.SetBool(r, true)
		pica.DepthTestEnable.SetBool(r, true)
		pica.DepthTestFunc.Set(r, uint32(oneOf(g.random, pica.CompareLess, pica.CompareLessEqual, pica.CompareGreater, pica.CompareGreaterEqual)))
	}},
	{"palette", 1, func(g *generator) {
		g.rollAll(pica.RegBlendColor, pica.RegFogColor, pica.RegTexenvBufferColor)
		for i := range pica.NumTexenvs {
			g.rollAll(pica.RegTexenv0Color + pica.TexenvOffset(i))
		}
	}},
	{"word of a table", 1, func(g *generator) { g.tableOf(g.below(5), true) }},
	{"primitives", 4, func(g *generator) {
		g.roll(pica.PrimitiveConfigMode)
		if g.geometry() {
			pica.PrimitiveConfigMode.Set(&g.regs, uint32(oneOf(g.random, pica.PrimitiveGeometry, pica.PrimitiveTriangles)))
		}
	}},
}

var changeWeights = func() (sum int) {
	for i := range changes {
		sum += changes[i].weight
	}
	return sum
}()

// change applies a random change.
func (g *generator) change() {
	at := g.below(changeWeights)
	if g.tame {
		at %= 12 // none that moves memory
	}
	for i := range changes {
		if at -= changes[i].weight; at < 0 {
			changes[i].make(g)
			return
		}
	}
}

// programs makes new programs for the mesh.
func (g *generator) programs(simple bool) {
	g.vertexProgram(simple)
	if g.geometry() {
		g.geometryOn()
	} else {
		g.geometryOff()
	}
}

// textureInUse returns the place of a texture that the draw may read.
func (g *generator) textureInUse() (addr uint32, bytes int) {
	i := g.below(3)
	at := pica.TexunitOffset(i)
	addr = pica.TexunitAddr.At(at).Addr(&g.regs)
	if addr == 0 {
		addr = textureBase
	}
	// An estimate: most formats have at most 16 bits per texel.
	bytes = int(pica.TexunitWidth.At(at).Get(&g.regs)*pica.TexunitHeight.At(at).Get(&g.regs)) * 2
	return addr, max(bytes, 64)
}
