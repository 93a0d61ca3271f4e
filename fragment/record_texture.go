package fragment

import (
	"pica200/pica"
	"pica200/raster"
)

// recordSampled records the sampling of the texture in a slot at the coordinates
// in two float registers.
func recordSampled(kind pica.TextureType, unit, slot, u, v int) recorder {
	return func(m *machine, lane int, r *Record) {
		m.sampling(r, kind, unit, slot).record(&m.f[u], &m.f[v], lane)
	}
}

// recordCube records the sampling of a cube texture.
func recordCube(m *machine, lane int, r *Record) {
	m.sampling(r, pica.TextureCube, 0, m.face(lane)).record(&m.f[fScratch0], &m.f[fScratch0+1], lane)
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

// recordShadowTexture records the sampling of a shadow texture; if perspective,
// the coordinates are divided by w.
func recordShadowTexture(perspective bool) recorder {
	return func(m *machine, lane int, r *Record) {
		u, v := &m.f[fTex0U], &m.f[fTex0V]
		if perspective {
			u, v = &m.f[fScratch0], &m.f[fScratch0+1]
		}
		m.sampling(r, pica.TextureShadow2D, 0, 0).recordShadow(u, v, m.f[fTex0W][lane], lane)
	}
}

// recordShadowCube records the sampling of a shadow cube.
func recordShadowCube(m *machine, lane int, r *Record) {
	face := m.face(lane)
	w := &m.f[fTex0U+cubeAxes[face].axis]
	shadowReference(m.with, &m.shadowZ, w, m.v.shadow, m.n)
	m.sampling(r, pica.TextureShadowCube, 0, face).recordShadow(&m.f[fScratch0], &m.f[fScratch0+1], w[lane], lane)
}

// sampling is a texture that is recorded.
type sampling struct {
	bound
	m *machine
	r *TextureRecord
}

// sampling begins the record of a texture. Of a cube, the slot is the face.
func (m *machine) sampling(r *Record, kind pica.TextureType, unit, slot int) sampling {
	k := &m.v.texels[slot].key
	s := sampling{m.bound(unit, slot), m, &TextureRecord{Kind: kind, Address: k.addr, Width: int(k.width), Height: int(k.height), Format: k.format}}
	if kind == pica.TextureCube || kind == pica.TextureShadowCube {
		s.r.Face = slot
	}
	s.r.Wrap = [2]pica.Wrap{s.wrapS, s.wrapT}
	r.Units[unit].Texture = s.r
	return s
}

// record records how the sampler reads a lane.
func (s sampling) record(u, v *raster.Plane, lane int) {
	s.r.Coord = [2]float32{u[lane], v[lane]}
	if !s.needLevel {
		s.sample(0, 256, s.magLinear, u, v, lane)
		return
	}
	var level, next, share, small [quads]uint8
	s.levels(s.m.with, s.m.n, u, v, &level, &next, &share, &small)
	q := lane / 4
	i, l := q*4, &s.level[0]
	step := func(k int) [2]float32 { return [2]float32{(u[k] - u[i]) * l.width, (v[k] - v[i]) * l.height} }
	s.r.LOD = &LODRecord{step(i + 1), step(i + 2), s.bias, int(s.minLevel), int(s.maxLevel), small[q] != 0}
	linear := s.magLinear
	if s.r.LOD.Minified {
		linear = s.minLinear
	}
	t := 0
	if s.mipLinear {
		t = int(share[q])
	}
	s.sample(int(level[q]), 256-t, linear, u, v, lane)
	if t != 0 {
		s.sample(int(next[q]), t, linear, u, v, lane)
	}
}

// sample records the reading of a level at u, v of a lane: of one texel, or of
// four (lower row left and right, then upper row).
func (s sampling) sample(level, share int, linear bool, u, v *raster.Plane, lane int) {
	x, y, a, b := s.texelAt(level, linear, u, v, lane)
	r := SampleRecord{Level: level, Share: share, Fraction: [2]int32{a, b}}
	if !linear {
		one := s.texelOf(level, x, y)
		one.Weight = 1
		r.Color, r.Texels = one.Color, []TexelRecord{one}
	} else {
		var t [4]uint64
		for k := range int32(4) {
			one := s.texelOf(level, x+k&1, y+k>>1)
			one.Weight = weight(int(k), a, b)
			r.Texels, t[k] = append(r.Texels, one), spread(packColor(one.Color))
		}
		r.Color = unpackColor(gather(lerp4(lerp4(t[0], t[1], uint64(a)), lerp4(t[2], t[3], uint64(a)), uint64(b))))
	}
	s.r.Samples = append(s.r.Samples, r)
}

// texelAt returns the first texel that is read at u, v of a lane, and the
// position between it and the next, in 1/256.
func (s bound) texelAt(level int, linear bool, u, v *raster.Plane, lane int) (x, y, a, b int32) {
	l := &s.level[level]
	if !linear {
		return s.texel(u, lane, l.width), s.texel(v, lane, l.height), 0, 0
	}
	x, y = texelPosition(u[lane], l.width)-halfTexel, texelPosition(v[lane], l.height)-halfTexel
	return x >> texelBits, y >> texelBits, x & 255, y & 255
}

// weight is the share of texel k of four.
func weight(k int, a, b int32) float32 {
	x, y := 256-a, 256-b
	if k&1 != 0 {
		x = a
	}
	if k&2 != 0 {
		y = b
	}
	return float32(x*y) / (1 << (2 * texelBits))
}

// texelOf returns the texel at an index, after wrapping.
func (s sampling) texelOf(level int, x, y int32) TexelRecord {
	l := &s.level[level]
	wx, wy := wrap(s.wrapS, x, l.w, s.powerOfTwo), wrap(s.wrapT, y, l.h, s.powerOfTwo)
	if wx|wy < 0 {
		return TexelRecord{X: x, Y: y, Border: true, Color: unpackColor(s.border)}
	}
	t := TexelRecord{X: wx, Y: wy, Color: unpackColor(s.texels[l.offset+wy*l.w+wx]), Address: s.r.Address + texelOffset(s.format, l.w, l.h, wx, wy)}
	for k := range level {
		t.Address += uint32(levelBytes(s.format, levelSize(uint16(s.r.Width), k), levelSize(uint16(s.r.Height), k)))
	}
	return t
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

// recordShadow records the comparison with a shadow texture.
func (s sampling) recordShadow(u, v *raster.Plane, w float32, lane int) {
	z := s.m.shadowZ[lane]
	s.r.Coord = [2]float32{u[lane], v[lane]}
	s.sample(0, 256, s.magLinear, u, v, lane)
	r := &s.r.Samples[0]
	light := [4]uint32{}
	for k := range r.Texels {
		light[k] = shadowLight(packColor(r.Texels[k].Color), z)
	}
	x, y := uint32(r.Fraction[0]), uint32(r.Fraction[1])
	top, bottom := light[0]*(256-x)+light[1]*x, light[2]*(256-x)+light[3]*x
	share := uint8((top*(256-y) + bottom*y + 1<<15) >> 16)
	if !s.magLinear {
		share = uint8(light[0])
	}
	s.r.Shadow = &ShadowRecord{w, s.m.v.shadow, z, share}
	r.Color = [4]uint8{share, share, share, share}
}

func packColor(c [4]uint8) uint32 {
	return uint32(c[0]) | uint32(c[1])<<8 | uint32(c[2])<<16 | uint32(c[3])<<24
}
