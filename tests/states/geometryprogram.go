package states

import (
	"pica200/pica"
	"pica200/shaderunit"
)

// geometryOff turns the geometry shader off.
func (g *generator) geometryOff() {
	r := &g.regs
	r[pica.RegGeostageConfig] = uint32(pica.GeoStageOff)
	r[pica.RegGshInputbufferConfig] = 0xA0000000
	r[pica.RegVshComMode] = uint32(oneOf(g.random, 0, 0, 1))
	g.outmap(len(g.vs.outputs))
}

// geometryOn makes a geometry shader for the outputs of the vertex shader.
func (g *generator) geometryOn() {
	r := &g.regs
	u := &g.gs
	per := len(g.vs.outputs)
	r[pica.RegGeostageConfig] = uint32(pica.GeoStageOn)
	r[pica.RegVshComMode] = 1
	mode := oneOf(g.random, pica.GeometryModePoint, pica.GeometryModeFixed, pica.GeometryModeVariable)
	r[pica.RegGshMisc0] = uint32(mode)
	count := 1                                   // inputs of the unit
	var at func(i, output int) shaderunit.SrcReg // register of output i of a run's vertex
	p := programGenerator{random: g.random, geometry: true, definite: g.definite, inputs: 2, open: !g.tame && !g.definite && g.drawn%5 == 3}
	g.mesh.variable = 0
	switch mode {
	case pica.GeometryModePoint:
		n := g.between(1, min(6, 16/per))
		count = n * per
		permutation := g.Perm(16)
		if g.chance(0.6) {
			for i := range permutation {
				permutation[i] = i
			}
		}
		var words [2]uint32
		for i, reg := range permutation {
			words[i/8] |= uint32(reg) << (4 * (i % 8))
		}
		r[pica.RegGshAttributesPermutationLow], r[pica.RegGshAttributesPermutationHigh] = words[0], words[1]
		at = func(i, output int) shaderunit.SrcReg { return inputReg(permutation[i%n*per+output]) }
		p.inputs = count
	case pica.GeometryModeFixed:
		n, start := g.between(1, 8), g.between(0, 40)
		pica.GshFixedVertexNum.Set(r, uint32(n-1))
		pica.GshStride.Set(r, uint32(per-1))
		pica.GshStartIndex.Set(r, uint32(start))
		at = func(i, output int) shaderunit.SrcReg { return uniformReg(start + i%n*per + output) }
	case pica.GeometryModeVariable:
		main := g.between(1, 4)
		pica.GshVariableMain.Set(r, uint32(main-1))
		g.mesh.variable = main
		at = func(i, output int) shaderunit.SrcReg { return uniformReg(1 + i%main*per + output) }
	}
	r[pica.RegGshInputbufferConfig] = uint32(count-1) | uint32(pica.ShaderModeGeometry)<<24

	g.descriptors(u)
	u.outputs = g.registers(g.between(1, 4))
	p.outputs = u.outputs
	if g.definite || g.chance(0.8) { // writes its registers before reading: suitable for batches
		for i := range 6 {
			p.move(toTemp(i), at(i, g.below(per)))
		}
		p.add(shaderunit.Instr{Op: shaderunit.OpMOVA, Src: [3]shaderunit.SrcReg{temp(1)}, Desc: plainDesc})
		p.add(shaderunit.Instr{Op: shaderunit.OpCMP, Src: [3]shaderunit.SrcReg{temp(1), temp(2)}, CmpX: shaderunit.CompareOp(g.below(8)), CmpY: shaderunit.CompareOp(g.below(8)), Desc: plainDesc})
	}
	if g.chance(0.8) {
		p.body(0, 0)
	}
	for tri := range g.between(1, 2) {
		for i := range 3 {
			p.move(toTemp(6), at(i+tri, 0))
			p.add(shaderunit.Instr{Op: shaderunit.OpADD, Dst: toTemp(6), Src: [3]shaderunit.SrcReg{uniformReg(cornerUniform + i), temp(6)}, Desc: plainDesc})
			for k, o := range u.outputs {
				src := temp(6)
				if k > 0 {
					src = oneOf(g.random, at(i, min(k, per-1)), temp(g.below(6)))
				}
				p.move(outputReg(o), src)
			}
			p.emit(i, i == 2, g.chance(0.5))
		}
	}
	p.finish(u)
	var mask uint32
	for _, o := range u.outputs {
		mask |= 1 << o
	}
	pica.ShOutmapMask.Set(r, mask)
	r[pica.RegGshEntrypoint] = 0x7FFF0000 | uint32(u.entry)
	if u.uniforms == nil || g.chance(0.5) {
		g.rollUniforms(u, 96)
	}
	g.flowUniforms(u)
	g.outmap(len(u.outputs))
	if g.chance(0.7) {
		pica.PrimitiveConfigMode.Set(r, uint32(pica.PrimitiveGeometry))
	}
}

func (g *generator) geometry() bool {
	return pica.GeostageMode.Get(&g.regs) == uint32(pica.GeoStageOn)
}
