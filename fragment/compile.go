package fragment

import (
	"fmt"

	"pica200/pica"
)

// compiler turns a key into a program. Each part of the stage has a method that
// adds its ops. Results that nothing reads are not compiled.
type compiler struct {
	regs    *pica.Regs // of the key
	target  targetShape
	program *program
	missing uint8 // bit i: the texture of unit i cannot be read

	// used is the set of planes that the output, or an op compiled so far, reads.
	// To know it, parts are compiled from the last to the first; they run from the
	// first to the last.
	used planeSet

	// needed is the set of planes that the draw itself reads. Parts that only a
	// view or a probe reads may have invalid registers, which programs left as they
	// were: they read as 0, without a warning.
	needed planeSet

	interpolated [numFloats]bool
}

// emit adds an op to the program.
func (c *compiler) emit(o op) {
	c.program.ops = append(c.program.ops, o)
	c.program.work++
}

// constant puts a colour into all lanes of a register, in all channels.
func (c *compiler) constant(reg uint8, rgba [4]uint8) {
	c.program.consts = append(c.program.consts, constant{reg, 0xF, fixedColor, rgba})
}

// valueIfRead fills a register with a colour of the draw's values, in the
// channels that are read.
func (c *compiler) valueIfRead(reg uint8, value int8) {
	if channels := c.used.channels(reg); channels != 0 {
		c.program.consts = append(c.program.consts, constant{reg: reg, channels: channels, value: value})
	}
}

// semanticOf says which output of the vertex stage each float register holds
// after interpolation.
var semanticOf = [...]pica.Semantic{
	fTex0U: pica.SemTexCoord0U, fTex0V: pica.SemTexCoord0V, fTex0W: pica.SemTexCoord0W,
	fTex1U: pica.SemTexCoord1U, fTex1V: pica.SemTexCoord1V,
	fTex2U: pica.SemTexCoord2U, fTex2V: pica.SemTexCoord2V,
	fQuatX: pica.SemQuatX, fQuatY: pica.SemQuatY, fQuatZ: pica.SemQuatZ, fQuatW: pica.SemQuatW,
	fViewX: pica.SemViewX, fViewY: pica.SemViewY, fViewZ: pica.SemViewZ,
}

// interpolate adds the op that fills n float registers from the first on, at most
// four, unless they are filled already.
func (c *compiler) interpolate(first, n int) {
	if c.interpolated[first] {
		return
	}
	for f := first; f < first+n; f++ {
		c.interpolated[f] = true
	}
	s := semanticOf[first : first+n]
	c.emit(op{name: "interpolate", index: uint8(s[0]), run: func(m *machine) { m.b.InterpolateAll(s, m.f[first:first+n]) }})
	c.program.work += n - 1
}

// compile makes the program of a key.
func (e *Engine) compile(key *programKey) (*program, error) {
	e.compiles++
	r := &e.keyRegs
	key.expand(r)
	c := &compiler{regs: r, target: key.target, missing: key.missing, program: &program{engine: e}}
	c.program.kind0 = pica.TextureType(pica.TexunitType.Get(r))
	mode := pica.FragmentMode(pica.ColorOperationMode.Get(r))

	stages, err := compileStages(r)
	if err != nil {
		return nil, err
	}
	// Working back to front needs to know what is read: find that first.
	fog, err := c.compileFog(stages)
	if err != nil {
		return nil, err
	}
	var final final
	var extra []op
	if key.view != ViewFinal && mode == pica.FragmentModeDefault {
		final, extra = c.compileView(key.view, stages)
	} else if final, err = c.compileFinal(mode, fog.out); err != nil {
		return nil, err
	}
	var alphaTest *alphaTest
	untested := key.view == ViewWireframe || key.view == ViewOverdraw
	if mode != pica.FragmentModeShadow && !untested { // ShadowTests, see shadowOutput
		alphaTest = compileAlphaTest(r, fog.alpha)
	}
	c.program.packs = mode == pica.FragmentModeDefault && key.view == ViewFinal && e.probe == nil
	final.reads(&c.used)
	if alphaTest != nil {
		c.used.add(fog.alpha)
		if o, ok := final.(*output); ok {
			o.tested = true
		}
	}
	fog.reads(&c.used)
	if e.probe != nil {
		c.keepAll(stages, fog.out)
		if key.view == ViewOverdraw {
			one := uint32(pica.FactorOne)
			c.program.insight.blend = [2]blendCode{{src: one, dst: one}, {src: one, dst: one}}
		}
	}
	stageOps := stages.live(nil, &c.used)
	c.needed = c.used
	if e.probe != nil || key.view != ViewFinal {
		if c.needed, err = c.ordinary(stages, fog, mode); err != nil {
			return nil, err
		}
	}

	if err := c.sources(stages); err != nil {
		return nil, err
	}
	c.program.stages[0] = len(c.program.ops)
	for _, o := range stageOps {
		c.emit(o)
	}
	c.program.stages[1] = len(c.program.ops)
	if fog.before != nil {
		c.emit(*fog.before)
	}
	if alphaTest != nil {
		c.emit(op{name: "alpha test", run: alphaTest.run, record: alphaTest.record})
	}
	if fog.after != nil {
		c.emit(*fog.after)
	}
	for _, o := range extra {
		c.emit(o)
	}
	c.emit(op{name: "output", run: final.run, record: final.record})
	if in := c.program.insight; in != nil {
		in.coords = c.interpolated
	}
	return c.program, nil
}

// ordinary returns the planes that the draw reads without view and probe.
func (c *compiler) ordinary(stages *combiner, fog *fogging, mode pica.FragmentMode) (set planeSet, err error) {
	last, err := c.compileFinal(mode, fog.out)
	if err != nil {
		return set, err
	}
	last.reads(&set)
	fog.reads(&set)
	if mode != pica.FragmentModeShadow && compileAlphaTest(c.regs, fog.alpha) != nil {
		set.add(fog.alpha)
	}
	stages.live(nil, &set)
	return set, nil
}

// keepAll compiles everything that a stage computes, and records in which
// planes it is, for a probe.
func (c *compiler) keepAll(stages *combiner, color colorRef) {
	in := &insight{
		stages: stages, color: color,
		updates: [2]uint32{pica.TexenvUpdateRgb.Get(c.regs), pica.TexenvUpdateAlpha.Get(c.regs)},
		blend:   blendCodes(c.regs), logic: pica.LogicOp(pica.LogicOpFunc.Get(c.regs)), colorFormat: c.target.colorFormat,
	}
	for _, ref := range append(stages.outs[:], color, wholeRef(cPrimary)) {
		for _, r := range ref {
			c.used.add(r)
		}
	}
	for i := range stages.ins { // a probe shows all channels of constant colours
		for _, ref := range append(stages.ins[i][0][:], stages.ins[i][1][:]...) {
			for _, r := range ref {
				if r.reg >= firstConst && r.reg < firstConst+numConsts {
					c.used.add(r)
				}
			}
		}
	}
	c.program.insight = in
}

// final is the last op of a program: the ordinary output stage, or that of gas
// or shadow mode.
type final interface {
	// reads adds the planes that the op reads.
	reads(set *planeSet)
	run(m *machine)
	record(m *machine, lane int, r *Record)
}

// compileFinal makes the last op for the mode in GPUREG_COLOR_OPERATION.
func (c *compiler) compileFinal(mode pica.FragmentMode, color colorRef) (final, error) {
	switch mode {
	case pica.FragmentModeDefault:
		return compileOutput(c.regs, c.target, color), nil
	case pica.FragmentModeGas:
		return c.gasOutput(color)
	case pica.FragmentModeShadow:
		return c.shadowOutput(color)
	}
	return nil, fmt.Errorf("fragment operation mode %d (GPUREG_COLOR_OPERATION bits 0-1) does not exist", mode)
}

// sources adds the ops of everything that the combiner stages read.
func (c *compiler) sources(stages *combiner) error {
	if c.used.hasColor(cPrimary) {
		c.emit(op{name: "vertex colour", run: vertexColor})
	}
	lit := c.used.hasColor(cFragPrimary) || c.used.hasColor(cFragSecondary)
	var lighting *lightingState
	if lit {
		needed := c.needed.hasColor(cFragPrimary) || c.needed.hasColor(cFragSecondary)
		var err error
		if lighting, err = c.decodeLighting(); err != nil && needed {
			return err
		}
		if lit = err == nil; lit {
			lighting.reads(&c.used)
		} else {
			c.constant(cFragPrimary, [4]uint8{})
			c.constant(cFragSecondary, [4]uint8{})
		}
		if needed {
			lighting.reads(&c.needed)
		}
	}
	for i := range 3 {
		if c.used.hasColor(uint8(cTex0 + i)) {
			c.textureUnit(i)
		}
	}
	if c.used.hasColor(cTex3) {
		if err := c.proceduralTexture(); err != nil {
			return err
		}
	}
	if in := c.program.insight; in != nil {
		for i := range in.units {
			in.units[i] = c.used.hasColor(uint8(cTex0+i)) && c.missing>>i&1 == 0
		}
		if lit {
			in.lighting = lighting
		}
	}
	if lit {
		if err := c.lighting(lighting); err != nil {
			return err
		}
	}
	for i := range stages.stages {
		c.valueIfRead(uint8(cConst0+i), int8(i))
	}
	c.valueIfRead(cBufferColor, valueBuffer)
	c.valueIfRead(cBlendColor, valueBlend)
	return nil
}
