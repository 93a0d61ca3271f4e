package fragment

import (
	"pica200/internal/simd"
	"pica200/pica"
	"pica200/raster"
)

// sampler is the state of a texture unit: how it filters and wraps
// (GPUREG_TEXUNITi_BORDER_COLOR, _DIM, _PARAM, _LOD, _TYPE). The texels belong
// to the draw; another draw may use the same sampler with other texels.
type sampler struct {
	level        [maxLevels]textureLevel
	format       pica.TextureFormat
	border       uint32
	wrapS, wrapT pica.Wrap
	powerOfTwo   bool

	magLinear, minLinear, mipLinear bool
	minLevel, maxLevel              int32
	bias                            float32
	needLevel                       bool // the level of detail has an effect

	// For the AVX2 kernels; nil if they cannot sample this texture.
	lod    *lodParams
	vector *vectorLevels
	shadow *shadowVector

	wrong error // error of an invalid state

	// What the three pointers above point to.
	forLod    lodParams
	forVector vectorLevels
	forShadow shadowVector
}

// maxLevels is the number of levels that a texture can have: the field of the
// greatest level has four bits.
const maxLevels = 16

// textureLevel is one level of detail.
type textureLevel struct {
	width, height float32
	w, h          int32
	offset        int32 // offset of its first texel
}

// quads is the number of 2x2 quads in a batch.
const quads = raster.Lanes / 4

// packed holds a texel for every lane, red in the low byte.
type packed [raster.Lanes]uint32

// bound is a sampler with its texels, for a target that is upside down or not.
type bound struct {
	*sampler
	texels []uint32
	cells  []uint32 // of textures with cells
	flip   bool
}

// bound returns the sampler of a texture unit with the texture of a slot.
func (m *machine) bound(unit, slot int) bound {
	t := m.v.texels[slot]
	return bound{m.v.samplers[unit], t.data, t.getCells(), m.v.flip}
}

// sample reads the texture at u, v for all lanes into dst.
func (s bound) sample(m *machine, u, v *raster.Plane, dst *Color) {
	out, more := &m.fetched[0], &m.fetched[1]
	linear := s.magLinear
	if !s.needLevel {
		s.fetch(m.with, linear, 0, m.n, u, v, &firstLevel, out)
		unpack(m.with, m.n, out, dst)
		return
	}
	var level, next, blendNext, small [quads]uint8
	two := s.levels(m.with, m.n, u, v, &level, &next, &blendNext, &small)
	read := func(level *[quads]uint8, out *packed) {
		if s.magLinear != s.minLinear {
			s.mixed(m.with, m.n, u, v, level, &small, out)
		} else {
			s.fetch(m.with, linear, 0, m.n, u, v, level, out)
		}
	}
	read(&level, out)
	if two {
		read(&next, more)
		mix(m.with, m.n, out, more, &blendNext)
	}
	unpack(m.with, m.n, out, dst)
}

// readsCells reports whether the sampler reads cells, if the texture has them:
// with AVX-512, one look-up in place of four.
func (s *sampler) readsCells() bool {
	return wide && oneValue(s.format) && s.magLinear && !s.needLevel && s.vector != nil && !s.vector.all && !s.vector.mirrors
}

// firstLevel is the level of all quads for textures with one level.
var firstLevel [quads]uint8

// fetch reads the lanes from to to-1 from the given levels.
func (s bound) fetch(with simd.Kernels, linear bool, from, to int, u, v *raster.Plane, level *[quads]uint8, out *packed) {
	if simd.Vectors && with.Vector() && s.vector != nil && (to-from)%16 == 0 {
		s.fetchVector(linear, from, to, u, v, level, out)
	} else if linear {
		s.bilinear(from, to, u, v, level, out)
	} else {
		s.nearest(from, to, u, v, level, out)
	}
}

// mixed fetches with the magnification or the minification filter, quad by
// quad.
func (s bound) mixed(with simd.Kernels, n int, u, v *raster.Plane, level *[quads]uint8, small *[quads]uint8, out *packed) {
	for from := 0; from < n; {
		is := small[from/4]
		to := from + 4
		for to < n && small[to/4] == is {
			to += 4
		}
		linear := s.magLinear
		if is != 0 {
			linear = s.minLinear
		}
		s.fetch(with, linear, from, to, u, v, level, out)
		from = to
	}
}

// outside marks a coordinate that reads the border colour.
const outside = -1

// wrap maps an index into the texture. Modes 4 to 7 differ from the named modes
// on one side only: 4 and 5 repeat negative coordinates, and beyond the other
// edge clamp (4) or read the border (5); 6 and 7 repeat (3dbrew,
// GPUREG_TEXUNITi_PARAM).
func wrap(mode pica.Wrap, i, size int32, pow2 bool) int32 {
	switch mode {
	case pica.WrapClampToEdge:
		return min(max(i, 0), size-1)
	case pica.WrapClampToBorder:
		if uint32(i) >= uint32(size) {
			return outside
		}
		return i
	case pica.WrapMirror:
		i = modulo(i, 2*size, pow2)
		if i >= size {
			i = 2*size - 1 - i
		}
		return i
	case pica.WrapClampToEdge2:
		if i >= size {
			return size - 1
		}
	case pica.WrapClampToBorder2:
		if i >= size {
			return outside
		}
	}
	return modulo(i, size, pow2)
}

func modulo(i, size int32, pow2 bool) int32 {
	if pow2 {
		return i & (size - 1)
	}
	if i %= size; i < 0 {
		i += size
	}
	return i
}

// fixed rounds down to an integer. Values out of range, infinities and NaN give
// a bound, the same on every CPU.
func fixed(x float32) int32 {
	const bound = 1 << 29
	if !(x > -bound) {
		return -bound
	}
	if x > bound {
		return bound
	}
	i := int32(x)
	if float32(i) > x {
		i--
	}
	return i
}
