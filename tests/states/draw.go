package states

import (
	"encoding/binary"
	"math"
	"slices"

	"pica200/pica"
)

// everything randomizes all state except the render target.
func (g *generator) everything() {
	g.newMesh(false)
	g.vertexProgram(g.chance(0.4))
	g.geometryOff()
	r := &g.regs
	g.roll(pica.PrimitiveConfigMode)
	if g.chance(0.25) {
		g.geometryOn()
	}
	g.target.set(g)
	g.rollRaster()
	g.rollTests()
	g.rollBlending()
	g.rollMode()
	g.rollLights()
	for i := range 3 {
		g.rollTexture(i)
	}
	g.rollProcedural()
	g.rollCombiner()
	g.rollFog()
	r[pica.RegStartDrawFunc0] = 1
	g.rollAll(pica.RegPostVertexCacheNum)
}

// plain sets the simplest state: a big triangle with vertex colours, without tests. Other functions modify it.
func (g *generator) plain() {
	r := &g.regs
	*r = pica.Regs{}
	g.mesh.variable = 0
	g.newMesh(true)
	g.vertexProgram(true)
	g.geometryOff()
	g.target.set(g)
	g.viewport()
	r[pica.RegDepthColorMask] = 0x1F<<8 | uint32(pica.CompareAlways)<<4
	r[pica.RegColorbufferRead], r[pica.RegColorbufferWrite] = 0xF, 0xF
	r[pica.RegDepthbufferRead], r[pica.RegDepthbufferWrite] = 3, 3
	r[pica.RegColorOperation] = 0x00E40100
	r[pica.RegBlendFunc] = 0x01010000
	pica.DepthmapScale.SetFloat(r, -1)
	pica.DepthmapMode.Set(r, uint32(pica.DepthModeZ))
	r[pica.RegTexunitConfig] = 1 << 12
	pica.LightingDisable.SetBool(r, true)
	for i := range pica.NumTexenvs {
		g.passOn(i)
	}
}

// isData reports whether a register passes data on or triggers something; such registers are written only on purpose.
func isData(reg pica.Reg) bool {
	if reg < pica.RegFacecullingConfig || !slices.ContainsFunc(pica.Registers[reg].Fields, func(f pica.Field) bool { return f.Type != pica.TypeTrigger }) {
		return true
	}
	in := func(first pica.Reg, n int) bool { return reg >= first && reg < first+pica.Reg(n) }
	for _, unit := range []pica.Reg{pica.OffsetGsh, pica.OffsetVsh} {
		if in(pica.RegGshFloatuniformIndex+unit, 9) || in(pica.RegGshCodetransferIndex+unit, 9) || in(pica.RegGshOpdescsIndex+unit, 9) {
			return true
		}
	}
	return in(pica.RegFixedattribIndex, 4) || in(pica.RegCmdbufSize0, 6) || in(pica.RegLightingLutIndex, 1) ||
		in(pica.RegLightingLutData0, 8) || in(pica.RegFogLutIndex, 1) || in(pica.RegFogLutData0, 8) ||
		in(pica.RegGasLutIndex, 2) || in(pica.RegProctexLut, 9) || in(pica.RegGasFeedback, 1)
}

var stateRegs = func() (regs []pica.Reg) {
	for _, r := range pica.Registers {
		if r.Known() && !isData(r.Reg) {
			regs = append(regs, r.Reg)
		}
	}
	return regs
}()

// send writes the registers that differ from the GPU's, and programs and uniforms that it does not have.
func (g *generator) send() {
	w := &g.list
	if g.chance(0.08) {
		clear(g.sent)
	}
	broadcast := g.regs[pica.RegVshComMode]&1 == 0 && !g.geometry()
	for i := 0; i < len(stateRegs); i++ {
		reg := stateRegs[i]
		old, known := g.sent[reg]
		if v := g.regs[reg]; known && old == v {
			continue
		}
		// Runs of consecutive registers.
		values := []uint32{g.regs[reg]}
		for i+1 < len(stateRegs) && stateRegs[i+1] == stateRegs[i]+1 && len(values) < 16 && g.chance(0.7) {
			i++
			values = append(values, g.regs[stateRegs[i]])
		}
		for k, v := range values {
			g.sent[reg+pica.Reg(k)] = v
		}
		if len(values) == 1 && known && g.chance(0.1) {
			// The bytes that differ.
			mask := uint32(0)
			for b := range 4 {
				if (old^values[0])>>(8*b)&0xFF != 0 {
					mask |= 1 << b
				}
			}
			w.WriteMasked(reg, mask, values[0])
			continue
		}
		w.WriteRun(reg, values...)
	}
	const places = pica.RegTexunit3Proctex6 // which is not in the table
	if old, known := g.sent[places]; !known || old != g.regs[places] {
		g.sent[places] = g.regs[places]
		w.Write(places, g.regs[places])
	}
	// In a separate state, because writes to the vertex shader may reach both units.
	if broadcast {
		for reg := pica.RegGshBooluniform; reg <= pica.RegGshOutmapMask; reg++ {
			delete(g.sent, reg)
		}
	}
	if broadcast && (!g.vs.loaded || len(g.vs.uniforms) != 0) {
		g.gs.loaded = false
	}
	g.vs.send(g)
	if g.geometry() {
		g.gs.send(g)
	}
}

// send uploads what changed in a shader unit.
func (u *unit) send(g *generator) {
	w := &g.list
	if !u.loaded && len(u.code) > 0 {
		w.Write(pica.RegGshCodetransferIndex+u.base, uint32(u.entry))
		w.WriteAll(pica.RegGshCodetransferData0+u.base+pica.Reg(g.below(8)), u.code...)
		w.Write(pica.RegGshCodetransferEnd+u.base, 1)
		w.Write(pica.RegGshOpdescsIndex+u.base, 0)
		w.WriteAll(pica.RegGshOpdescsData0+u.base+pica.Reg(g.below(8)), u.desc...)
		u.loaded = true
	}
	for i := range 96 {
		v, ok := u.uniforms[i]
		if !ok {
			continue
		}
		delete(u.uniforms, i)
		pack, index := pica.PackFloat24, uint32(i)
		if g.chance(0.25) {
			pack = floatWords
			index = pica.ShFloatuniformFormat.Put(index, uint32(pica.UniformFloat32))
		}
		words := pack(v)
		w.Write(pica.RegGshFloatuniformIndex+u.base, index)
		at := pica.RegGshFloatuniformData0 + u.base + pica.Reg(g.below(8))
		for next, ok := u.uniforms[i+1]; ok && i+1 < 96; next, ok = u.uniforms[i+1] {
			i++
			delete(u.uniforms, i)
			words = append(words, pack(next)...)
		}
		w.WriteAll(at, words...)
	}
}

// floatWords packs a vector of float32, w first.
func floatWords(v [4]float32) (words []uint32) {
	for i := range v {
		words = append(words, math.Float32bits(v[3-i]))
	}
	return words
}

// draw sends the state and draws.
func (g *generator) draw() {
	if len(g.list.Words) > 0x3000 {
		g.endList()
	}
	g.drawn++
	r := &g.regs
	m := &g.mesh
	w := &g.list
	variable := g.geometry() && pica.GeometryMode(pica.GshMode.Get(r)) == pica.GeometryModeVariable
	kind := g.below(6)
	switch {
	case variable, kind == 0, kind == 1, kind == 2:
		g.elements(variable)
	case kind == 3 && !m.small:
		g.immediate()
		return
	default:
		first := 0
		if g.chance(0.3) {
			first = g.below(m.count / 2)
		}
		r[pica.RegVertexOffset] = uint32(first)
		r[pica.RegNumvertices] = uint32(g.between(min(3, m.count-first), m.count-first))
		pica.IndexbufferType.Set(r, uint32(pica.IndexShort))
		r[pica.RegGeostageConfig2] = 1
		g.send()
		g.fixedAttributes()
		g.restart()
		w.Write(pica.RegDrawarrays, 1)
	}
	if g.chance(0.3) {
		w.Write(pica.RegVtxFunc, 1)
		w.Write(pica.RegFramebufferFlush, 1)
		w.Write(pica.RegFramebufferInvalidate, 1)
	}
	if g.chance(0.15) {
		g.endList()
	}
}

func (g *generator) restart() {
	if g.always || g.chance(0.8) {
		g.list.Write(pica.RegRestartPrimitive, 1)
	}
}

// fixedAttributes writes attributes that no array feeds.
func (g *generator) fixedAttributes() {
	if !g.always && g.chance(0.3) {
		return
	}
	g.list.Write(pica.RegFixedattribIndex, 0)
	for range g.mesh.attributes {
		g.list.WriteRun(pica.RegFixedattribData0, g.attributeWords()...)
	}
}

func (g *generator) attributeWords() []uint32 {
	return pica.PackFloat24([4]float32{g.float(-1, 1), g.float(-1, 1), g.float(-1, 1), g.float(0, 1)})
}

// elements draws indexed.
func (g *generator) elements(variable bool) {
	r, m := &g.regs, &g.mesh
	wide := m.count > 256 || g.chance(0.5)
	var idx []uint32
	n := g.between(3, 24)
	if m.small && m.count > 256 {
		n = g.between(200, 900)
	}
	for k := 0; len(idx) < n; k++ {
		if variable {
			size := g.between(m.variable, m.variable+3)
			idx = append(idx, uint32(size))
			for range size {
				idx = append(idx, uint32(g.below(m.count)))
			}
			continue
		}
		if m.small {
			idx = append(idx, uint32(k%m.count))
			continue
		}
		idx = append(idx, uint32(g.below(m.count)))
	}
	var data []byte
	for _, i := range idx {
		if wide {
			data = binary.LittleEndian.AppendUint16(data, uint16(i))
		} else {
			data = append(data, byte(i))
		}
	}
	addr := vertexBase + 0x1C000 + uint32(g.below(0x20))*0x100
	switch {
	case !wide && !variable && m.count == 256, !wide && !variable && g.chance(0.05) && m.count > 200:
		addr = g.target.color // the target's contents as indices
	default:
		if g.reflexive && g.chance(0.4) {
			if to := g.inTarget(); to >= m.base && to+uint32(len(data)) < targetEnd {
				addr = to
			}
		}
		// The load comes before the whole list, so it must not touch what
		// draws in it read.
		g.endList()
		g.trace.Load(addr, data)
	}
	pica.IndexbufferOffset.Set(r, addr-m.base)
	kind := pica.IndexByte
	if wide {
		kind = pica.IndexShort
	}
	pica.IndexbufferType.Set(r, uint32(kind))
	r[pica.RegNumvertices] = uint32(len(idx))
	r[pica.RegVertexOffset] = 0
	triangles := pica.PrimitiveMode(pica.PrimitiveConfigMode.Get(r)) == pica.PrimitiveTriangles
	pica.GeostageTriangleElements.SetBool(r, triangles)
	r[pica.RegGeostageConfig2] = 0
	pica.Geostage2TriangleElements.SetBool(r, triangles)
	pica.GeostageVariable.SetBool(r, false)
	g.send()
	g.fixedAttributes()
	g.restart()
	g.list.Write(pica.RegDrawelements, 1)
}

// immediate draws vertices given in the command list.
func (g *generator) immediate() {
	r, m := &g.regs, &g.mesh
	w := &g.list
	r[pica.RegGeostageConfig2] = 1
	g.send()
	g.restart()
	w.Write(pica.RegFixedattribIndex, 15)
	s := m.scale()
	for n := range g.between(3, 9) {
		for i := range m.attributes {
			v := [4]float32{g.float(0, 1), g.float(0, 1), g.float(0, 1), g.float(0, 1)}
			if i == 0 {
				v = [4]float32{g.float(-1.2, 1.2) / s[0], g.float(-1.2, 1.2) / s[1], g.float(-1, 0) / s[2], 1 / s[3]}
			}
			w.WriteRun(pica.RegFixedattribData0, pica.PackFloat24(v)...)
		}
		if n == 2 && g.chance(0.2) { // a state change ends a draw
			g.rollAll(pica.RegBlendColor, pica.RegFogColor)
			g.send()
		}
	}
}
