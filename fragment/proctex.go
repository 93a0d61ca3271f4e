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

	same bool // all lanes of cTex3 have the same colour
}

// proceduralTexture adds the ops that compute cTex3.
func (c *compiler) proceduralTexture() error {
	if !pica.TexunitEnable3.Bool(c.regs) {
		c.constant(cTex3, noTexel)
		return nil
	}
	s := decodeProcTex(c.regs)
	c.program.wants.proc = true
	all := c.program.insight != nil // a probe shows every channel
	wantAlpha := all || c.reads(cTex3, alpha)
	wantRGB := all || c.reads(cTex3, red) || c.reads(cTex3, green) || c.reads(cTex3, blue)
	ops := compileProcTex(s, wantRGB, wantAlpha)
	u, v := s.coordinates()
	if !all && !s.mipmap { // levels also depend on pixels outside of the triangle
		c.emit(op{name: "proctex", run: func(m *machine) { m.proceduralTexture(ops, u, v) }})
		return nil
	}
	c.interpolate(u, 2)
	ops[len(ops)-1].record = s.recordColor
	for _, o := range ops {
		c.emit(o)
	}
	return nil
}

// proceduralTexture interpolates the coordinates and runs the ops of
// compileProcTex. If the coordinates are the same in the whole batch, it runs
// them for one block only: citro2d passes the strength of a tint to each sprite
// this way.
func (m *machine) proceduralTexture(ops []op, u, v int) {
	x, sameX := m.b.InterpolateUnlessSame(semanticOf[u], &m.f[u])
	y, sameY := m.b.InterpolateUnlessSame(semanticOf[v], &m.f[v])
	n := m.n
	if m.proc.same = sameX && sameY; m.proc.same {
		m.n = raster.BlockPixels
	}
	if sameX {
		fill(m.with, &m.f[u], x, m.n)
	}
	if sameY {
		fill(m.with, &m.f[v], y, m.n)
	}
	for i := range ops {
		ops[i].run(m)
	}
	if m.n = n; m.proc.same {
		for ch := range m.c[cTex3] {
			d := &m.c[cTex3][ch]
			*d = sameBytes[d[0]]
		}
	}
}

// coordinates returns the float registers of the unit's coordinates.
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
// Generation". Their order and details are Azahar's, found on the console:
// absolute value, shift amounts, noise, shift, clamp, combine, map, colour. rgb
// and a say whether colour and alpha are read. The draw's procValues hold the
// values.
func compileProcTex(s *procTexState, rgb, a bool) []op {
	u, v := s.coordinates()
	var ops []op
	emit := func(name string, f func(m *machine)) { ops = append(ops, op{name: name, run: f}) }

	emit("proctex: coordinates", func(m *machine) {
		twoSided(m.with, &m.proc.u, &m.f[u], m.n)
		twoSided(m.with, &m.proc.v, &m.f[v], m.n)
	})
	ops[0].record = s.recordCoordinates
	if s.mipmap {
		emit("proctex: level of detail", func(m *machine) {
			v := &m.v.proc
			procTexLOD(&m.proc.lod, &m.proc.u, &m.proc.v, v.lodScale, v.lodMin, v.lodMax, m.n)
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
		emit("proctex: noise", func(m *machine) {
			procTexNoise(m.with, &m.proc.u, &m.proc.v, &m.v.proc.state, m.v.proc.noise, m.n)
		})
		ops[len(ops)-1].record = s.recordNoise
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
	ops[len(ops)-1].record = s.recordClamp(shiftU, shiftV)

	if !rgb && (s.separateAlpha || !a) {
		return append(ops, procTexAlphaOps(s, a)...)
	}
	if s.mipmap || s.width > 1 { // with one entry the input does not matter
		color := procCombineKernel(s.color)
		emit("proctex: combine and map", func(m *machine) {
			color(m.with, &m.proc.at, &m.proc.u, &m.proc.v, m.n)
			lookup128(m.with, &m.proc.at, &m.proc.at, m.v.proc.rgbMap, m.n)
		})
	}
	ops = append(ops, procTexColorOp(s))

	return append(ops, procTexAlphaOps(s, a)...)
}

// procTexAlphaOps computes alpha if it does not come from the colour table.
func procTexAlphaOps(s *procTexState, want bool) []op {
	if !s.separateAlpha || !want {
		return nil
	}
	combine := procCombineKernel(s.alpha)
	return []op{{name: "proctex: separate alpha", run: func(m *machine) {
		combine(m.with, &m.proc.at2, &m.proc.u, &m.proc.v, m.n)
		lookup128(m.with, &m.proc.at2, &m.proc.at2, m.v.proc.alphaMap, m.n)
		toByte(m.with, &m.c[cTex3][alpha], &m.proc.at2, m.n)
	}}}
}

// shiftStep returns the shift of a coordinate, and what is added to the other
// coordinate's integer part before its half decides whether to shift.
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
func procTexColorOp(s *procTexState) op {
	linear := s.linear
	switch {
	case !s.mipmap && s.width <= 1:
		return op{name: "proctex: colour of one entry", run: func(m *machine) {
			for ch, v := range unpackColor(m.v.proc.colors.raw[m.v.proc.level[0].offset]) {
				m.c[cTex3][ch] = sameBytes[v]
			}
		}}
	case !s.mipmap:
		return op{name: "proctex: colour", run: func(m *machine) {
			dst, v := &m.c[cTex3], &m.v.proc
			if linear {
				procTexLinear(m.with, dst, &m.proc.at, v.colors, v.level[0], m.n)
			} else {
				procTexNearest(m.with, dst, &m.proc.at, v.colors, v.level[0], m.n)
			}
		}}
	default:
		mix := s.mipLinear
		return op{name: "proctex: colour, mipmapped", run: func(m *machine) {
			v := &m.v.proc
			procTexMipmapped(&m.c[cTex3], &m.proc.at, &m.proc.lod, v.colors, &v.level, linear, mix, m.n)
		}}
	}
}

// procLevel is one level of detail of the colour table: input 0 is the entry at
// offset, input 1 the entry span further.
type procLevel struct {
	offset uint8
	span   float32
}

// procValues are the values and tables of the procedural texture in a draw.
type procValues struct {
	state procTexState
	level [procTexLevels]procLevel

	lodScale, lodMin, lodMax float32 // parameters of procTexLOD

	noise, rgbMap, alphaMap *lut128
	colors                  *procColors
}

// bind reads the values and decodes the tables for v.state.
func (v *procValues) bind(t *Tables, cache *tableCache, serials *drawSerials) {
	s := &v.state
	for l := range v.level {
		o, w := s.level(l)
		v.level[l] = procLevel{offset: uint8(o), span: float32(w - 1)}
	}
	v.lodScale = float32(s.width) * s.bias
	if v.lodScale < 0 {
		v.lodScale = -v.lodScale
	}
	v.lodMin, v.lodMax = float32(s.minLevel), float32(min(s.maxLevel, procTexLevels-1))
	if s.noise {
		v.noise = cache.noise.get(&t.ProcNoise, t.Version, decodeProcTexTable, serials)
	}
	if s.separateAlpha {
		v.alphaMap = cache.alphaMap.get(&t.ProcAlphaMap, t.Version, decodeProcTexTable, serials)
	}
	v.rgbMap = cache.rgbMap.get(&t.ProcRGBMap, t.Version, decodeProcTexTable, serials)
	v.colors = cache.procColor.get(t.procColors(), t.Version, decodeProcColors, serials)
}
