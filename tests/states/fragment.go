package states

import (
	"math/bits"
	"slices"

	"pica200/pica"
)

// roll sets a field to a random valid value.
func (g *generator) roll(f pica.Field) { f.Set(&g.regs, g.value(f)) }

func (g *generator) value(f pica.Field) uint32 {
	switch {
	case f.Enum != nil:
		return f.Enum.Values[g.below(len(f.Enum.Values))].Value
	case f.Type == pica.TypeTrigger, f.Type.Unit() != 0:
		return 0
	case f.Type == pica.TypeUnorm8 || f.Type == pica.TypeBits || !f.Type.IsReal():
		if g.chance(0.2) {
			return oneOf(g.random, 0, f.Max(), f.Max()>>1, 1)
		}
		return g.Uint32() & f.Max()
	}
	if g.chance(0.1) {
		return g.Uint32() & f.Max()
	}
	return f.Type.Encode(oneOf(g.random, 0, 1, -1, g.float(-2, 2), g.float(0, 1)), f.Bits)
}

// rollAll randomizes all fields of registers.
func (g *generator) rollAll(regs ...pica.Reg) {
	for _, reg := range regs {
		for _, f := range pica.Registers[reg].Fields {
			g.roll(f)
		}
	}
}

// rollCombiner randomizes the combiner stages. Unused stages pass on the previous result.
func (g *generator) rollCombiner() {
	stages := g.between(1, 6)
	for i := range pica.NumTexenvs {
		g.passOn(i)
		if i < stages {
			g.rollStage(i)
		}
	}
	g.rollAll(pica.RegTexenvBufferColor)
	for _, f := range []pica.Field{pica.TexenvUpdateRgb, pica.TexenvUpdateAlpha, pica.TexenvUpdateGasDensity, pica.TexenvUpdateZFlip} {
		g.roll(f)
	}
}

func (g *generator) rollStage(i int) {
	for k := range pica.Reg(5) {
		g.rollAll(pica.TexenvBase(i) + k)
	}
	if g.chance(0.6) { // visible
		s := oneOf(g.random, pica.SourcePrimaryColor, pica.SourceTexture0, pica.SourceTexture1, pica.SourceTexture2, pica.SourceTexture3, pica.SourceFragmentPrimary, pica.SourceFragmentSecondary)
		pica.TexenvRgbSource0.At(pica.TexenvOffset(i)).Set(&g.regs, uint32(s))
		pica.TexenvAlphaSource0.At(pica.TexenvOffset(i)).Set(&g.regs, uint32(s))
	}
}

// passOn makes combiner stage i pass on the previous result.
func (g *generator) passOn(i int) {
	base := pica.TexenvBase(i)
	source := pica.SourcePrevious
	if i == 0 {
		source = pica.SourcePrimaryColor
	}
	g.regs[base] = uint32(source) | uint32(source)<<16
	for k := pica.Reg(1); k < 5; k++ {
		g.regs[base+k] = 0
	}
}

func (g *generator) rollFog() {
	r := &g.regs
	pica.TexenvUpdateFogMode.Set(r, uint32(oneOf(g.random, pica.FogModeOff, pica.FogModeOff, pica.FogModeOff, pica.FogModeFog, pica.FogModeFog, pica.FogModeGas)))
	g.rollAll(pica.RegFogColor, pica.RegGasAttenuation, pica.RegGasAccmax, pica.RegGasLightXy, pica.RegGasLightZ, pica.RegGasLightZColor)
	if pica.FogMode(pica.TexenvUpdateFogMode.Get(r)) == pica.FogModeGas && g.chance(0.8) {
		// A gas buffer in texture unit 0, read by the last stage.
		last := pica.TexenvOffset(5)
		pica.TexenvRgbSource0.At(last).Set(r, uint32(pica.SourceTexture0))
		pica.TexenvAlphaSource0.At(last).Set(r, uint32(pica.SourceTexture0))
		pica.TexenvRgbSource2.At(last).Set(r, uint32(pica.SourceTexture0))
		pica.TexenvAlphaSource2.At(last).Set(r, uint32(pica.SourceTexture0))
	}
	if g.chance(0.7) {
		g.table()
	}
}

func (g *generator) rollBlending() {
	r := &g.regs
	g.rollAll(pica.RegBlendFunc, pica.RegLogicOp, pica.RegBlendColor)
	pica.ColorOperationBlend.Set(r, uint32(oneOf(g.random, 0, 1, 1, 1)))
	if g.chance(0.3) { // none
		pica.ColorOperationBlend.Set(r, uint32(pica.BlendModeBlend))
		r[pica.RegBlendFunc] = 0x01010000
	}
}

func (g *generator) rollTests() {
	r := &g.regs
	g.rollAll(pica.RegFragopAlphaTest, pica.RegStencilTest, pica.RegStencilOp, pica.RegDepthColorMask)
	pica.AlphaTestEnable.SetBool(r, g.chance(0.25))
	pica.StencilTestEnable.SetBool(r, g.chance(0.4))
	pica.DepthTestEnable.SetBool(r, g.chance(0.6))
	if g.chance(0.7) {
		r[pica.RegDepthColorMask] |= 0xF << 8
	}
	if g.chance(0.4) { // tests that most fragments pass
		pica.DepthTestFunc.Set(r, uint32(oneOf(g.random, pica.CompareAlways, pica.CompareLessEqual, pica.CompareGreaterEqual)))
		pica.StencilTestFunc.Set(r, uint32(oneOf(g.random, pica.CompareAlways, pica.CompareNotEqual)))
	}
	r[pica.RegColorbufferRead], r[pica.RegColorbufferWrite] = 0xF, 0xF
	r[pica.RegDepthbufferRead], r[pica.RegDepthbufferWrite] = 3, 3
	if g.chance(0.1) {
		g.rollAll(pica.RegColorbufferRead, pica.RegColorbufferWrite, pica.RegDepthbufferRead, pica.RegDepthbufferWrite)
	}
	g.rollAll(pica.RegEarlydepthFunc, pica.RegEarlydepthTest1, pica.RegEarlydepthTest2, pica.RegEarlydepthData)
	if g.tame { // with both on there is a warning, which scenes refuse
		r[pica.RegEarlydepthTest1] = 0
	}
}

func (g *generator) rollRaster() {
	r := &g.regs
	g.rollAll(pica.RegFacecullingConfig, pica.RegScissortestMode, pica.RegDepthmapEnable, pica.RegShOutattrMode, pica.RegShOutattrClock)
	if g.chance(0.6) {
		r[pica.RegFacecullingConfig] = 0
	}
	pica.FlatShading.SetBool(r, g.drawn%5 == 2)
	x1, y1 := g.below(g.target.width), g.below(g.target.height)
	pica.ScissortestX1.Set(r, uint32(g.below(x1+1)))
	pica.ScissortestY1.Set(r, uint32(g.below(y1+1)))
	pica.ScissortestX2.Set(r, uint32(g.between(x1, x1+20)))
	pica.ScissortestY2.Set(r, uint32(g.between(y1, y1+20)))
	if g.chance(0.6) {
		r[pica.RegScissortestMode] = 0
	}
	pica.DepthmapScale.SetFloat(r, oneOf(g.random, -1, -1, -0.5, g.float(-2, 2)))
	pica.DepthmapOffset.SetFloat(r, oneOf(g.random, 0, 0, 0.01, g.float(-0.5, 0.5)))
	pica.FragopClipEnable.SetBool(r, g.chance(0.15))
	for i := range pica.Reg(4) {
		pica.FragopClipData.At(i).SetFloat(r, g.float(-1, 1))
	}
	g.viewport()
}

// rollMode selects ordinary drawing, gas or shadow.
func (g *generator) rollMode() {
	r := &g.regs
	mode := pica.FragmentModeDefault
	if g.target.colorFormat == pica.ColorFormatRGBA8 && g.chance(0.25) {
		mode = oneOf(g.random, pica.FragmentModeGas, pica.FragmentModeShadow)
		r[pica.RegColorbufferWrite] = 0xF
	}
	pica.ColorOperationMode.Set(r, uint32(mode))
	pica.ColorOperationConst.Set(r, 0xE4)
	g.rollAll(pica.RegGasDeltazDepth, pica.RegFragopShadow)
	// Typical values: the penumbra widens with distance.
	pica.FragopShadowConstant.SetFloat(r, g.float(0.2, 2))
	pica.FragopShadowLinear.SetFloat(r, -g.float(0, 1))
}

// rollLights randomizes fragment lighting.
func (g *generator) rollLights() {
	r := &g.regs
	on := g.chance(0.4)
	pica.LightingEnable.SetBool(r, on)
	pica.LightingDisable.SetBool(r, !on)
	for reg := pica.RegLight0Specular0; reg < pica.RegLightingAmbient; reg++ {
		g.rollAll(reg)
	}
	g.rollAll(pica.RegLightingAmbient, pica.RegLightingNumLights, pica.RegLightingConfig0, pica.RegLightingConfig1,
		pica.RegLightingLutinputAbs, pica.RegLightingLutinputSelect, pica.RegLightingLutinputScale, pica.RegLightingLightPermutation)
	pica.LightingNumLights.Set(r, uint32(oneOf(g.random, 0, 0, 1, 2, 7)))
	if on && g.chance(0.5) {
		g.table()
	}
}

// rollTexture randomizes a texture unit.
func (g *generator) rollTexture(i int) {
	r := &g.regs
	at := pica.TexunitOffset(i)
	g.rollAll(pica.RegTexunit0BorderColor+at, pica.RegTexunit0Param+at, pica.RegTexunit0Lod+at)
	format := pica.TextureFormat(g.below(pica.TextureFormats.Len()))
	w, h := 8<<g.below(4), 8<<g.below(4)
	if g.chance(0.08) {
		w, h = 8*g.between(1, 9), 8*g.between(1, 9)
	}
	addr := textureBase + uint32(g.below(texelBytes))&^0x7F
	drawn := 0.25
	if g.reflexive {
		drawn = 0.75
	}
	if g.chance(drawn) { // an earlier render target
		addr = oneOf(g.random, g.target.color, g.target.color, g.target.depth) &^ 7
		format = pica.TextureFormat(oneOf(g.random, int(g.target.colorFormat), int(g.target.colorFormat), g.below(pica.TextureFormats.Len())))
		w, h = (g.target.width+7)&^7, (g.target.height+7)&^7
	}
	if g.chance(0.01) {
		addr = 0
	}
	pica.TexunitWidth.At(at).Set(r, uint32(w))
	pica.TexunitHeight.At(at).Set(r, uint32(h))
	r[pica.RegTexunit0Addr1+at] = addr >> 3
	pica.TexunitFormat(i).Set(r, uint32(format))
	pica.TexunitLodMax.At(at).Set(r, uint32(oneOf(g.random, 0, 0, 1, 3)))
	pica.TexunitLodMin.At(at).Set(r, uint32(oneOf(g.random, 0, 0, 1)))
	if i == 0 {
		if g.chance(0.5) {
			pica.TexunitType.Set(r, uint32(pica.Texture2D))
		}
		switch pica.TextureType(pica.TexunitType.Get(r)) {
		case pica.TextureShadow2D, pica.TextureShadowCube:
			pica.TexunitFormat(0).Set(r, uint32(pica.TextureFormatRGBA8))
			pica.TexunitShadow.SetBool(r, true)
		}
		g.rollAll(pica.RegTexunit0Shadow)
		if g.chance(0.7) {
			pica.TexunitShadowBias.Set(r, uint32(g.below(0x2000)))
		}
		for k := range pica.Reg(5) {
			face := textureBase + uint32(g.below(texelBytes))&^0x7F
			if g.chance(0.3) {
				face = addr
			}
			pica.TexunitAddrFace.At(k).Set(r, face>>3)
		}
	}
	field := []pica.Field{pica.TexunitEnable0, pica.TexunitEnable1, pica.TexunitEnable2}[i]
	field.SetBool(r, g.chance(0.9))
	g.roll(pica.TexunitTexcoord2)
	pica.TexunitOne.Set(r, 1)
}

func (g *generator) rollProcedural() {
	r := &g.regs
	pica.TexunitEnable3.SetBool(r, g.chance(0.6))
	g.roll(pica.TexunitTexcoord3)
	for i := range pica.Reg(6) {
		g.rollAll(pica.RegTexunit3Proctex0 + i)
	}
	// Places of levels 4 to 7: none, or those of levels 0 to 3 in another order.
	offsets := r[pica.RegTexunit3Proctex5]
	r[pica.RegTexunit3Proctex6] = bits.ReverseBytes32(offsets) * (offsets & 1)
	if g.chance(0.4) { // a typical setup
		r[pica.RegTexunit3Proctex5] = 0xE0C08000
		pica.ProctexWidth.Set(r, uint32(oneOf(g.random, 128, 64, 16)))
		pica.ProctexLodMin.Set(r, 0)
		pica.ProctexLodMax.Set(r, uint32(g.below(7)))
	}
	if g.chance(0.6) {
		g.table()
	}
}

// table uploads one of the tables.
func (g *generator) table() { g.tableOf(g.below(5), g.chance(0.15)) }

// tableOf uploads a table: a curve, noise, or a single word.
func (g *generator) tableOf(kind int, single bool) {
	w := &g.list
	word := func(f func(i int) uint32, n int) (words []uint32) {
		for i := range n {
			words = append(words, f(i))
		}
		return words
	}
	n, start := 256, uint32(0)
	if single {
		n, start = 1, uint32(g.below(128))
	}
	data := pica.Reg(g.below(8)) // any of the eight data registers
	switch kind {
	case 0, 1:
		table := uint32(oneOf(g.random, 0, 1, 3, 4, 5, g.below(24)))
		w.Write(pica.RegLightingLutIndex, start|table<<8)
		up := g.chance(0.5)
		w.WriteAll(pica.RegLightingLutData0+data, word(func(i int) uint32 {
			if up && !single {
				return uint32(i*16) | 16<<12
			}
			return g.Uint32() & 0xFFFFFF
		}, n)...)
	case 2:
		w.Write(pica.RegFogLutIndex, start)
		w.WriteAll(pica.RegFogLutData0+data, word(func(i int) uint32 { return g.Uint32() & 0xFFFFFF }, min(n, 128))...)
	case 3:
		w.Write(pica.RegGasLutIndex, start%16)
		w.WriteAll(pica.RegGasLutData, word(func(i int) uint32 { return g.Uint32() }, min(n, 16))...)
	case 4:
		tables := []pica.ProcTable{pica.ProcTableNoise, pica.ProcTableRGBMap, pica.ProcTableAlphaMap, pica.ProcTableColor, pica.ProcTableColorDiff}
		if !single && g.chance(0.5) {
			tables = slices.Clone(tables[:g.between(1, 5)])
		} else {
			tables = tables[g.below(5):][:1]
		}
		for _, table := range tables {
			m := n
			if table < pica.ProcTableColor {
				m = min(n, 128)
			}
			w.Write(pica.RegProctexLut, start|uint32(table)<<8)
			w.WriteAll(pica.RegProctexLutData0+data, word(func(i int) uint32 { return g.Uint32() }, m)...)
		}
	}
}
