package fragment

import (
	"pica200/pica"
	"pica200/raster"
)

// noteTexture notes what a unit with an ordinary texture read, or unit 0 with a
// projected one.
func (in *insight) noteTexture(unit int) note {
	at := in.sampled[unit]
	coord := at.coord
	if !at.reads {
		coord = [2]int{fScratch0, fScratch0 + 1}
	}
	return func(m *machine, lane int, r *Record) {
		s := m.bound(unit, at.slot)
		u := in.unit(m, r, unit, at.slot, s)
		s.note(m, u, &m.f[coord[0]], &m.f[coord[1]], lane)
	}
}

// unit begins the record of a texture unit.
func (in *insight) unit(m *machine, r *Record, unit, slot int, s bound) *UnitRecord {
	u, k := &r.Units[unit], &m.v.texels[slot].key
	u.Kind = pica.Texture2D.String()
	if unit == 0 {
		u.Kind = in.kind0.String()
	}
	u.Address, u.Width, u.Height, u.Format = k.addr, int(k.width), int(k.height), k.format.String()
	u.Wrap = [2]string{s.wrapS.String(), s.wrapT.String()}
	return u
}

// noteCube notes a cube texture.
func (in *insight) noteCube(m *machine, lane int, r *Record) {
	face := in.face(m, lane)
	s := m.bound(0, face)
	u := in.unit(m, r, 0, face, s)
	u.Face = faceNames[face]
	s.note(m, u, &m.f[fScratch0], &m.f[fScratch0+1], lane)
}

// face finds the face of a cube that a lane looks at, and projects all lanes on it.
func (in *insight) face(m *machine, lane int) int {
	x, y, z := &m.f[fTex0U], &m.f[fTex0V], &m.f[fTex0W]
	faces := &m.c[cScratch0][0]
	cubeFace(m.with, faces, x, y, z, m.n)
	face := int(faces[lane])
	cubeCoordinates(m.with, &m.f[fScratch0], &m.f[fScratch0+1], face, x, y, z, m.n)
	return face
}

// noteShadowTexture notes a shadow texture.
func (in *insight) noteShadowTexture(m *machine, lane int, r *Record) {
	s := m.bound(0, 0)
	at := [2]*raster.Plane{&m.f[fTex0U], &m.f[fTex0V]}
	if !in.orthographic {
		at = [2]*raster.Plane{&m.f[fScratch0], &m.f[fScratch0+1]}
	}
	s.noteShadow(m, in.unit(m, r, 0, 0, s), at, m.f[fTex0W][lane], m.shadowZ[lane], lane)
}

// noteShadowCube notes a shadow cube.
func (in *insight) noteShadowCube(m *machine, lane int, r *Record) {
	face := in.face(m, lane)
	s := m.bound(0, face)
	u := in.unit(m, r, 0, face, s)
	u.Face = faceNames[face]
	w := &m.f[fTex0U+cubeAxes[face].axis]
	shadowReference(m.with, &m.shadowZ, w, m.v.shadow, m.n)
	s.noteShadow(m, u, [2]*raster.Plane{&m.f[fScratch0], &m.f[fScratch0+1]}, w[lane], m.shadowZ[lane], lane)
}

// note writes down how the sampler reads a lane.
func (s bound) note(m *machine, r *UnitRecord, u, v *raster.Plane, lane int) {
	r.Coord = [2]Float{Float(u[lane]), Float(v[lane])}
	if !s.needLevel {
		r.Samples = []SampleRecord{s.sampleOf(r, 0, 256, s.magLinear, u[lane], v[lane])}
		return
	}
	var level, next, share, small [quads]uint8
	s.levels(m.with, m.n, u, v, &level, &next, &share, &small)
	q := lane / 4
	i, l := q*4, &s.level[0]
	step := func(k int) [2]Float {
		return [2]Float{Float((u[k] - u[i]) * l.width), Float((v[k] - v[i]) * l.height)}
	}
	r.Lod = &LodRecord{
		Bias: Float(s.bias), Least: int(s.minLevel), Most: int(s.maxLevel), Across: step(i + 1), Down: step(i + 2), Small: small[q] != 0,
	}
	linear := s.magLinear
	if small[q] != 0 {
		linear = s.minLinear
	}
	t := 0
	if s.mipLinear {
		t = int(share[q])
	}
	r.Samples = append(r.Samples, s.sampleOf(r, int(level[q]), 256-t, linear, u[lane], v[lane]))
	if t != 0 {
		r.Samples = append(r.Samples, s.sampleOf(r, int(next[q]), t, linear, u[lane], v[lane]))
	}
}

// sampleOf reads one level at u, v.
func (s bound) sampleOf(r *UnitRecord, level, share int, linear bool, u, v float32) SampleRecord {
	out := SampleRecord{Level: level, Share: share, Filter: pica.FilterNearest.String()}
	if linear {
		out.Filter = pica.FilterLinear.String()
	}
	x, y, a, b := s.place(level, linear, u, v)
	out.Fraction = [2]int{int(a), int(b)}
	out.Texels = append(out.Texels, s.texelOf(r, level, x, y))
	if !linear {
		out.Texels[0].Weight = 1
		out.Color = out.Texels[0].Color
		return out
	}
	out.Texels = append(out.Texels, s.texelOf(r, level, x+1, y), s.texelOf(r, level, x, y+1), s.texelOf(r, level, x+1, y+1))
	var t [4]uint64
	for k := range out.Texels {
		out.Texels[k].Weight = weight(k, a, b)
		t[k] = spread(packColor(out.Texels[k].Color))
	}
	out.Color = unpackColor(gather(lerp4(lerp4(t[0], t[1], uint64(a)), lerp4(t[2], t[3], uint64(a)), uint64(b))))
	return out
}

// place is the first texel that is read at u, v, and the position between it and
// the next, in 1/256.
func (s bound) place(level int, linear bool, u, v float32) (x, y, a, b int32) {
	l := &s.level[level]
	if !linear {
		return fixed(float32(u * l.width)), fixed(float32(v * l.height)), 0, 0
	}
	const half = 1 << (bilinearBits - 1)
	fx := fixed(float32(float32(u*l.width)*(1<<bilinearBits))) - half
	fy := fixed(float32(float32(v*l.height)*(1<<bilinearBits))) - half
	return fx >> bilinearBits, fy >> bilinearBits, fx & 255, fy & 255
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
	return Float(float32(x*y) / (1 << (2 * bilinearBits)))
}

// texelOf is the texel that an index leads to.
func (s bound) texelOf(r *UnitRecord, level int, x, y int32) TexelRecord {
	l := &s.level[level]
	wx, wy := wrap(s.wrapS, x, l.w, s.powerOfTwo), wrap(s.wrapT, y, l.h, s.powerOfTwo)
	if wx|wy < 0 {
		return TexelRecord{Level: level, X: int(x), Y: int(y), Border: true, Color: unpackColor(s.border)}
	}
	t := TexelRecord{Level: level, X: int(wx), Y: int(wy), Color: unpackColor(s.texels[l.offset+wy*l.w+wx])}
	t.Address = r.Address
	for k := range level {
		t.Address += uint32(levelBytes(s.format, levelSize(uint16(r.Width), k), levelSize(uint16(r.Height), k)))
	}
	t.Address += texelOffset(s.format, l.w, l.h, wx, wy)
	return t
}

// texelOffset is where a texel lies in its level; of compressed formats, its
// block of 4x4. Rows run up from t = 0, in memory down.
func texelOffset(f pica.TextureFormat, w, h, x, y int32) uint32 {
	index := pica.Tiled8.Index(uint32(tiled(int(w))), uint32(x), uint32(h-1-y))
	tile := uint32(levelBytes(f, 8, 8)) // bytes of 64 texels
	if f == pica.TextureFormatETC1 || f == pica.TextureFormatETC1A4 {
		return index / 16 * (tile / 4)
	}
	return index * tile / 64
}

// noteShadow writes down how a shadow texture is compared.
func (s bound) noteShadow(m *machine, r *UnitRecord, at [2]*raster.Plane, w float32, z uint32, lane int) {
	r.Coord = [2]Float{Float(at[0][lane]), Float(at[1][lane])}
	out := s.sampleOf(r, 0, 256, s.magLinear, at[0][lane], at[1][lane])
	light := [4]uint32{}
	for k := range out.Texels {
		t := &out.Texels[k]
		word := packColor(t.Color)
		t.Depth, t.Intensity, t.Passed = word>>8, uint8(word), word>>8 >= z
		light[k] = shadowLight(word, z)
	}
	a, b := uint32(out.Fraction[0]), uint32(out.Fraction[1])
	top, bottom := light[0]*(256-a)+light[1]*a, light[2]*(256-a)+light[3]*a
	share := uint8((top*(256-b) + bottom*b + 1<<15) >> 16)
	if !s.magLinear {
		share = uint8(light[0])
	}
	out.Color = [4]uint8{share, share, share, share}
	r.Samples = []SampleRecord{out}
	r.Shadow = &ShadowRecord{W: Float(w), Bias: m.v.shadow, Reference: z, Light: share}
}

func packColor(c [4]uint8) uint32 {
	return uint32(c[0]) | uint32(c[1])<<8 | uint32(c[2])<<16 | uint32(c[3])<<24
}
