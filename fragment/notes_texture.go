package fragment

import (
	"pica200/explain/rows"
	"pica200/pica"
	"pica200/raster"
)

// noteSampled is the note of sampling the texture in a slot at the coordinates
// in two float registers.
func noteSampled(kind pica.TextureType, unit, slot, u, v int) note {
	return func(m *machine, lane int, r *Record) {
		m.sampling(r, kind, unit, slot, "").note(&m.f[u], &m.f[v], lane)
	}
}

// noteCube is the note of sampling a cube texture.
func noteCube(m *machine, lane int, r *Record) {
	face := m.face(lane)
	m.sampling(r, pica.TextureCube, 0, face, faceNames[face]).note(&m.f[fScratch0], &m.f[fScratch0+1], lane)
}

// face returns the cube face that a lane uses, and projects all lanes onto it.
func (m *machine) face(lane int) int {
	x, y, z := &m.f[fTex0U], &m.f[fTex0V], &m.f[fTex0W]
	faces := &m.c[cScratch0][0]
	cubeFace(m.with, faces, x, y, z, m.n)
	face := int(faces[lane])
	cubeCoordinates(m.with, &m.f[fScratch0], &m.f[fScratch0+1], face, x, y, z, m.n)
	return face
}

// noteShadowTexture is the note of sampling a shadow texture; if perspective,
// the coordinates are divided by w.
func noteShadowTexture(perspective bool) note {
	return func(m *machine, lane int, r *Record) {
		u, v := &m.f[fTex0U], &m.f[fTex0V]
		if perspective {
			u, v = &m.f[fScratch0], &m.f[fScratch0+1]
		}
		m.sampling(r, pica.TextureShadow2D, 0, 0, "").noteShadow(u, v, m.f[fTex0W][lane], lane)
	}
}

// noteShadowCube is the note of sampling a shadow cube.
func noteShadowCube(m *machine, lane int, r *Record) {
	face := m.face(lane)
	w := &m.f[fTex0U+cubeAxes[face].axis]
	shadowReference(m.with, &m.shadowZ, w, m.v.shadow, m.n)
	m.sampling(r, pica.TextureShadowCube, 0, face, faceNames[face]).noteShadow(&m.f[fScratch0], &m.f[fScratch0+1], w[lane], lane)
}

// sampling is the texture unit that a note describes.
type sampling struct {
	bound
	m          *machine
	row        *rows.Row
	unit, face int
	faceName   string // "" if it is no cube
	key        *textureKey
}

// sampling begins the row of a texture unit.
func (m *machine) sampling(r *Record, kind pica.TextureType, unit, slot int, face string) sampling {
	s := sampling{bound: m.bound(unit, slot), m: m, row: &r.units[unit], unit: unit, faceName: face, key: &m.v.texels[slot].key}
	if face != "" {
		s.face = slot
	}
	s.row.Add("kind", kind.String(), "address", s.key.addr, "width", s.key.width, "height", s.key.height, "format", s.key.format.String())
	return s
}

// readAt adds the row of the coordinates.
func (s sampling) readAt(u, v float32) {
	form, at := "{coord}", rows.New("read at", "", "coord", [2]Float{Float(u), Float(v)}, "wrap", [2]string{s.wrapS.String(), s.wrapT.String()})
	if s.faceName != "" {
		at.Add("face", s.faceName)
		form += " of face {face}"
	}
	at.Form = form + ", wrapped {wrap.0} and {wrap.1}"
	s.row.Rows = append(s.row.Rows, at)
}

// note adds the rows about how the sampler reads a lane.
func (s sampling) note(u, v *raster.Plane, lane int) {
	s.readAt(u[lane], v[lane])
	if !s.needLevel {
		s.sample(0, 256, false, s.magLinear, u, v, lane)
		return
	}
	var level, next, share, small [quads]uint8
	s.levels(s.m.with, s.m.n, u, v, &level, &next, &share, &small)
	q := lane / 4
	i, l := q*4, &s.level[0]
	step := func(k int) [2]Float {
		return [2]Float{Float((u[k] - u[i]) * l.width), Float((v[k] - v[i]) * l.height)}
	}
	linear, size := s.magLinear, "magnified"
	if small[q] != 0 {
		linear, size = s.minLinear, "made smaller"
	}
	s.row.Rows = append(s.row.Rows, rows.New("steps", "{across|%.4g} texels across, {down|%.4g} down, bias {bias|%.4g}, levels {least} to {most}: "+size,
		"bias", Float(s.bias), "least", s.minLevel, "most", s.maxLevel, "across", step(i+1), "down", step(i+2), "small", small[q] != 0).In("lod"))
	t := 0
	if s.mipLinear {
		t = int(share[q])
	}
	s.sample(int(level[q]), 256-t, t != 0, linear, u, v, lane)
	if t != 0 {
		s.sample(int(next[q]), t, true, linear, u, v, lane)
	}
}

// texel is a texel that was read.
type texel struct {
	x, y   int32
	border bool
	weight Float
	color  [4]uint8
}

// around returns the texels of a level that are read at u, v of a lane: one, or
// four (lower row left and right, then upper row). It also returns the position
// between them, in 1/256, and the filtered colour.
func (s bound) around(level int, linear bool, u, v *raster.Plane, lane int) (list []texel, a, b int32, mean [4]uint8) {
	x, y, a, b := s.place(level, linear, u, v, lane)
	if !linear {
		one := s.texelOf(level, x, y)
		one.weight = 1
		return []texel{one}, a, b, one.color
	}
	var t [4]uint64
	for k := range int32(4) {
		one := s.texelOf(level, x+k&1, y+k>>1)
		one.weight = weight(int(k), a, b)
		list, t[k] = append(list, one), spread(packColor(one.color))
	}
	return list, a, b, unpackColor(gather(lerp4(lerp4(t[0], t[1], uint64(a)), lerp4(t[2], t[3], uint64(a)), uint64(b))))
}

// sample adds the row of a level; mixed if it is one of two.
func (s sampling) sample(level, share int, mixed, linear bool, u, v *raster.Plane, lane int) {
	texels, a, b, color := s.around(level, linear, u, v, lane)
	r := s.levelRow(level, share, mixed, texels, a, b, color)
	for i := range texels {
		t := &texels[i]
		r.Rows = append(r.Rows, s.texelRow(level, t, "{color}", "color", t.color))
	}
	s.row.Rows = append(s.row.Rows, r)
}

// levelRow is the row of a level of detail.
func (s sampling) levelRow(level, share int, mixed bool, texels []texel, a, b int32, color [4]uint8) rows.Row {
	form, filter := "{color}", pica.FilterNearest
	if mixed {
		form += ", {share}/256 of it"
	}
	form += ": {filter}"
	if len(texels) > 1 {
		filter = pica.FilterLinear
		form += ", at {fraction.0}/256 and {fraction.1}/256 between texels"
	}
	return rows.New("level {level}", form, "level", level, "share", share, "filter", filter.String(), "fraction", [2]int32{a, b}, "color", color).
		In("samples[]").Colored(color)
}

// texelRow is the row of a texel. form says what it holds.
func (s sampling) texelRow(level int, t *texel, form string, values ...any) rows.Row {
	r := rows.New("{x},{y}", "{weight|%.6f} x "+form, append(values, "level", level, "x", t.x, "y", t.y, "weight", t.weight)...).In("texels[]").Colored(t.color)
	if t.border {
		r.Form += ", border"
		r.Add("border", true, "address", 0)
		return r
	}
	address := s.key.addr
	for k := range level {
		address += uint32(levelBytes(s.format, levelSize(s.key.width, k), levelSize(s.key.height, k)))
	}
	l := &s.level[level]
	address += texelOffset(s.format, l.w, l.h, t.x, t.y)
	r.Form += ", at 0x{address|%08X}"
	r.Add("address", address)
	return r.To(rows.Link{To: rows.ToTexel, Unit: s.unit, Face: s.face, Level: level, X: int(t.x), Y: int(t.y), Address: address})
}

// place returns the first texel that is read at u, v of a lane, and the
// position between it and the next, in 1/256.
func (s bound) place(level int, linear bool, u, v *raster.Plane, lane int) (x, y, a, b int32) {
	l := &s.level[level]
	if !linear {
		return s.texel(u, lane, l.width), s.texel(v, lane, l.height), 0, 0
	}
	x, y = texelPosition(u[lane], l.width)-halfTexel, texelPosition(v[lane], l.height)-halfTexel
	return x >> texelBits, y >> texelBits, x & 255, y & 255
}

// weight is the share of texel k of four.
func weight(k int, a, b int32) Float {
	x, y := 256-a, 256-b
	if k&1 != 0 {
		x = a
	}
	if k&2 != 0 {
		y = b
	}
	return Float(float32(x*y) / (1 << (2 * texelBits)))
}

// texelOf returns the texel at an index, after wrapping.
func (s bound) texelOf(level int, x, y int32) texel {
	l := &s.level[level]
	wx, wy := wrap(s.wrapS, x, l.w, s.powerOfTwo), wrap(s.wrapT, y, l.h, s.powerOfTwo)
	if wx|wy < 0 {
		return texel{x: x, y: y, border: true, color: unpackColor(s.border)}
	}
	return texel{x: wx, y: wy, color: unpackColor(s.texels[l.offset+wy*l.w+wx])}
}

// texelOffset is the offset of a texel in its level; for compressed formats,
// that of its 4x4 block. y counts upwards from t = 0; in memory the rows are
// reversed.
func texelOffset(f pica.TextureFormat, w, h, x, y int32) uint32 {
	index := pica.Tiled8.Index(uint32(tiled(int(w))), uint32(x), uint32(h-1-y))
	tile := uint32(levelBytes(f, 8, 8)) // bytes of 64 texels
	if f == pica.TextureFormatETC1 || f == pica.TextureFormatETC1A4 {
		return index / 16 * (tile / 4)
	}
	return index * tile / 64
}

// noteShadow adds the rows about the comparison with a shadow texture.
func (s sampling) noteShadow(u, v *raster.Plane, w float32, lane int) {
	z := s.m.shadowZ[lane]
	s.readAt(u[lane], v[lane])
	texels, a, b, _ := s.around(0, s.magLinear, u, v, lane)
	light := [4]uint32{}
	var below []rows.Row
	for k := range texels {
		word := packColor(texels[k].color)
		light[k] = shadowLight(word, z)
		passed, says := word>>8 >= z, "in shadow"
		if passed {
			says = "lit"
		}
		below = append(below, s.texelRow(0, &texels[k], "depth 0x{depth|%06X}, light {intensity}: "+says,
			"color", texels[k].color, "depth", word>>8, "intensity", uint8(word), "passed", passed))
	}
	x, y := uint32(a), uint32(b)
	top, bottom := light[0]*(256-x)+light[1]*x, light[2]*(256-x)+light[3]*x
	share := uint8((top*(256-y) + bottom*y + 1<<15) >> 16)
	if !s.magLinear {
		share = uint8(light[0])
	}
	s.row.Rows = append(s.row.Rows,
		rows.New("compared", "0x{reference|%06X}: |{w}| in 24 bits less {bias}", "w", Float(w), "bias", s.m.v.shadow, "reference", z, "light", share).In("shadow"),
		s.levelRow(0, 256, false, texels, a, b, [4]uint8{share, share, share, share}).In("samples[]", below...))
}

func packColor(c [4]uint8) uint32 {
	return uint32(c[0]) | uint32(c[1])<<8 | uint32(c[2])<<16 | uint32(c[3])<<24
}
