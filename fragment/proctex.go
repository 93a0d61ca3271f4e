package fragment

import (
	"pica200/pica"
	"pica200/raster"
)

// procPlanes are the lane registers of the procedural texture.
type procPlanes struct {
	u, v           raster.Plane
	shiftU, shiftV raster.Plane
	at, at2        raster.Plane // result of the combiner, 0 to 1
	lod            [quads]float32
}

// proceduralTexture adds the ops that make cTex3.
func (c *compiler) proceduralTexture() error {
	if !pica.TexunitEnable3.Bool(c.st.Regs) {
		c.constant(cTex3, noTexel)
		return nil
	}
	s := decodeProcTex(c.st.Regs)
	u, v := s.coordinates()
	c.interpolate(u)
	c.interpolate(v)
	all := c.program.insight != nil // a probe shows every channel
	wantAlpha := all || c.reads(cTex3, alpha)
	wantRGB := all || c.reads(cTex3, red) || c.reads(cTex3, green) || c.reads(cTex3, blue)
	for _, o := range compileProcTex(s, c.st.Tables, &c.engine.tables, wantRGB, wantAlpha) {
		c.emit(o)
	}
	return nil
}

// coordinates are the float registers that hold the unit's coordinates.
func (s *procTexState) coordinates() (u, v int) {
	switch s.coordinate {
	case 1:
		return fTex1U, fTex1V
	case 2:
		return fTex2U, fTex2V
	}
	return fTex0U, fTex0V
}

// compileProcTex makes the micro-ops of texture unit 3: from its texture
// coordinates to cTex3. The stages are those of 3dbrew, "Procedural Texture
// Generation"; their order and details are Azahar's, found on the console:
// absolute value, shift amounts, noise, shift, clamp, combine, map, colour.
// rgb and a say whether anything reads the colour, the alpha.
func compileProcTex(s *procTexState, t *Tables, cache *tableCache, rgb, a bool) []op {
	u, v := s.coordinates()
	var ops []op
	emit := func(name string, f func(m *machine)) { ops = append(ops, op{name: name, run: f}) }

	emit("proctex: coordinates", func(m *machine) {
		twoSided(m.with, &m.proc.u, &m.f[u], m.n)
		twoSided(m.with, &m.proc.v, &m.f[v], m.n)
	})
	if s.mipmap {
		k := float32(s.width) * s.bias
		if k < 0 {
			k = -k
		}
		lo, hi := float32(s.minLevel), float32(min(s.maxLevel, procTexLevels-1))
		emit("proctex: level of detail", func(m *machine) {
			procTexLOD(&m.proc.lod, &m.proc.u, &m.proc.v, k, lo, hi, m.n)
		})
	}
	shifts := func(i int) bool { return s.shift[i] == pica.ProcShiftOdd || s.shift[i] == pica.ProcShiftEven }
	shiftU, shiftV := shifts(0), shifts(1)
	if shiftU {
		step, add := shiftStep(s.clamp[0], s.shift[0])
		emit("proctex: shift of u", func(m *machine) { procTexShift(&m.proc.shiftU, &m.proc.v, step, add, m.n) })
	}
	if shiftV {
		step, add := shiftStep(s.clamp[1], s.shift[1])
		emit("proctex: shift of v", func(m *machine) { procTexShift(&m.proc.shiftV, &m.proc.u, step, add, m.n) })
	}
	if s.noise {
		st := *s
		lut := cache.noise.get(&t.ProcNoise, decodeProcTexTable, &cache.given)
		emit("proctex: noise", func(m *machine) { procTexNoise(&m.proc.u, &m.proc.v, &st, lut, m.n) })
	}
	if shiftU {
		emit("proctex: shift u", func(m *machine) { add(&m.proc.u, &m.proc.shiftU, m.n) })
	}
	if shiftV {
		emit("proctex: shift v", func(m *machine) { add(&m.proc.v, &m.proc.shiftV, m.n) })
	}
	cu, cv := procClampKernel(s.clamp[0]), procClampKernel(s.clamp[1])
	emit("proctex: clamp", func(m *machine) {
		cu(m.with, &m.proc.u, m.n)
		cv(m.with, &m.proc.v, m.n)
	})

	if !rgb && (s.separateAlpha || !a) {
		return append(ops, procTexAlphaOps(s, t, cache, a)...)
	}
	if s.mipmap || s.width > 1 { // with one entry the place does not matter
		color, lut := procCombineKernel(s.color), cache.rgbMap.get(&t.ProcRGBMap, decodeProcTexTable, &cache.given)
		emit("proctex: combine and map", func(m *machine) {
			color(m.with, &m.proc.at, &m.proc.u, &m.proc.v, m.n)
			lookup128(m.with, &m.proc.at, &m.proc.at, lut, m.n)
		})
	}
	var words [512]uint32
	copy(words[:256], t.ProcColor[:])
	copy(words[256:], t.ProcColorDiff[:])
	colors := cache.procColor.get(&words, decodeProcColors, &cache.given)
	ops = append(ops, procTexColorOp(s, colors))

	return append(ops, procTexAlphaOps(s, t, cache, a)...)
}

// procTexAlphaOps makes alpha where it does not come from the colour table.
func procTexAlphaOps(s *procTexState, t *Tables, cache *tableCache, want bool) []op {
	if !s.separateAlpha || !want {
		return nil
	}
	combine, lut := procCombineKernel(s.alpha), cache.alphaMap.get(&t.ProcAlphaMap, decodeProcTexTable, &cache.given)
	return []op{{name: "proctex: separate alpha", run: func(m *machine) {
		combine(m.with, &m.proc.at2, &m.proc.u, &m.proc.v, m.n)
		lookup128(m.with, &m.proc.at2, &m.proc.at2, lut, m.n)
		toByte(m.with, &m.c[cTex3][alpha], &m.proc.at2, m.n)
	}}}
}

// shiftStep gives how far a coordinate is shifted and what is added to the
// other one's integer part before its half decides.
func shiftStep(c pica.ProcClamp, s pica.ProcShift) (step float32, add int32) {
	step = 0.5
	if c == pica.ProcClampMirroredRepeat {
		step = 1
	}
	if s == pica.ProcShiftEven {
		add = 1
	}
	return step, add
}

// procTexColorOp is the look-up in the colour table.
func procTexColorOp(s *procTexState, colors *procColors) op {
	var lv [procTexLevels]procLevel
	for l := range lv {
		o, w := s.level(l)
		lv[l] = procLevel{offset: uint8(o), span: float32(w - 1)}
	}
	linear := s.linear
	switch {
	case !s.mipmap && s.width <= 1:
		one := new(Color)
		for ch, v := range unpackColor(colors.raw[lv[0].offset]) {
			for i := range one[ch] {
				one[ch][i] = v
			}
		}
		return op{name: "proctex: colour of one entry", run: func(m *machine) { m.c[cTex3] = *one }}
	case !s.mipmap:
		return op{name: "proctex: colour", run: func(m *machine) {
			dst := &m.c[cTex3]
			if linear {
				procTexLinear(m.with, dst, &m.proc.at, colors, lv[0], m.n)
			} else {
				procTexNearest(m.with, dst, &m.proc.at, colors, lv[0], m.n)
			}
		}}
	default:
		mix := s.mipLinear
		return op{name: "proctex: colour, mipmapped", run: func(m *machine) {
			procTexMipmapped(&m.c[cTex3], &m.proc.at, &m.proc.lod, colors, &lv, linear, mix, m.n)
		}}
	}
}

// procLevel is one level of detail of the colour table: 0 reads the entry at
// offset, 1 the one span further.
type procLevel struct {
	offset uint8
	span   float32
}
