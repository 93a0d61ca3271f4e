package fragment

import (
	"unsafe"

	"pica200/internal/simd"
	"pica200/pica"
	"pica200/raster"
)

// The kernels of the texture units. Lanes from to to, exclusive, are fetched;
// level gives each quad's level of detail.

// nearest reads the texel that the coordinate lies in.
func (s bound) nearest(from, to int, u, v *raster.Plane, level *[quads]uint8, out *packed) {
	for i := from; i < to && i < raster.Lanes; i++ {
		l := &s.level[level[i/4]&(maxLevels-1)]
		x := wrap(s.wrapS, fixed(float32(u[i]*l.width)), l.w, s.powerOfTwo)
		y := wrap(s.wrapT, fixed(float32(v[i]*l.height)), l.h, s.powerOfTwo)
		if x|y < 0 {
			out[i] = s.border
			continue
		}
		out[i] = s.texels[l.offset+y*l.w+x]
	}
}

// BilinearBits: the position between texels is kept in 8 bits, and each of
// the two steps rounds to 8 bits. The hardware's precision is not known.
const bilinearBits = 8

// bilinear mixes the four texels around the coordinate.
func (s bound) bilinear(from, to int, u, v *raster.Plane, level *[quads]uint8, out *packed) {
	const half = 1 << (bilinearBits - 1)
	for i := from; i < to && i < raster.Lanes; i++ {
		l := &s.level[level[i/4]&(maxLevels-1)]
		fx := fixed(float32(float32(u[i]*l.width)*(1<<bilinearBits))) - half
		fy := fixed(float32(float32(v[i]*l.height)*(1<<bilinearBits))) - half
		x0, y0 := fx>>bilinearBits, fy>>bilinearBits
		a, b := uint64(fx)&255, uint64(fy)&255
		x1 := wrap(s.wrapS, x0+1, l.w, s.powerOfTwo)
		y1 := wrap(s.wrapT, y0+1, l.h, s.powerOfTwo)
		x0 = wrap(s.wrapS, x0, l.w, s.powerOfTwo)
		y0 = wrap(s.wrapT, y0, l.h, s.powerOfTwo)
		t00, t10, t01, t11 := s.border, s.border, s.border, s.border
		r0, r1 := l.offset+y0*l.w, l.offset+y1*l.w
		if y0 >= 0 {
			if x0 >= 0 {
				t00 = s.texels[r0+x0]
			}
			if x1 >= 0 {
				t10 = s.texels[r0+x1]
			}
		}
		if y1 >= 0 {
			if x0 >= 0 {
				t01 = s.texels[r1+x0]
			}
			if x1 >= 0 {
				t11 = s.texels[r1+x1]
			}
		}
		top := lerp4(spread(t00), spread(t10), a)
		bottom := lerp4(spread(t01), spread(t11), a)
		out[i] = gather(lerp4(top, bottom, b))
	}
}

// spread puts the four channels of a texel into 16 bits each.
func spread(c uint32) uint64 {
	return uint64(c&0xFF00FF) | uint64(c&0xFF00FF00)<<24
}

// gather undoes spread.
func gather(c uint64) uint32 { return uint32(c) | uint32(c>>24) }

// lerp4 mixes the channels of two spread texels, t/256 of the second, rounded.
func lerp4(a, b, t uint64) uint64 {
	return (a*(256-t) + b*t + 0x0080008000800080) >> 8 & 0x00FF00FF00FF00FF
}

// mix takes t/256 of b and the rest of a, quad by quad.
func mix(with simd.Kernels, n int, a, b *packed, t *[quads]uint8) {
	if with.AVX2() {
		mixAVX2(&a[0], &b[0], &t[0], n)
		return
	}
	for i := range a[:n] {
		a[i] = gather(lerp4(spread(a[i]), spread(b[i]), uint64(t[i/4])))
	}
}

// unpack splits texels into planes.
func unpack(with simd.Kernels, n int, src *packed, dst *Color) {
	if with.AVX2() {
		unpackAVX2(&src[0], &dst[red][0], &dst[green][0], &dst[blue][0], &dst[alpha][0], n)
		return
	}
	for i, c := range src[:n] {
		dst[red][i], dst[green][i], dst[blue][i], dst[alpha][i] = uint8(c), uint8(c>>8), uint8(c>>16), uint8(c>>24)
	}
}

// vectorLevels is a sampler's levels of detail as the AVX2 kernels take them:
// for each value an array of the first eight levels. With one level only, it
// stands in all eight places. An index i is wrapped to
// clamp(min(i&mask, i&mask^flip), 0, max).
type vectorLevels struct {
	width, height      [8]float32
	maskS, flipS, maxS [8]int32
	maskT, flipT, maxT [8]int32
	stride, offset     [8]int32
}

// vectorize fills s.vector, if the AVX2 kernels can sample this texture: its
// sides are powers of two and coordinates wrap by repeating, mirroring or
// clamping.
func (s *sampler) vectorize() {
	s.vector = nil
	if !s.powerOfTwo || s.maxLevel > 7 {
		return
	}
	v := &s.forVector
	for i := range 8 {
		l := &s.level[0]
		if s.maxLevel > 0 {
			l = &s.level[i]
		}
		v.width[i], v.height[i] = l.width, l.height
		v.stride[i], v.offset[i] = l.w, l.offset
		v.maxS[i], v.maxT[i] = l.w-1, l.h-1
		var okS, okT bool
		v.maskS[i], v.flipS[i], okS = vectorWrap(s.wrapS, l.w)
		v.maskT[i], v.flipT[i], okT = vectorWrap(s.wrapT, l.h)
		if !okS || !okT {
			return
		}
	}
	s.vector = v
}

// vectorWrap gives mask and flip for a wrap mode.
func vectorWrap(mode pica.Wrap, size int32) (mask, flip int32, ok bool) {
	switch mode {
	case pica.WrapClampToEdge:
		return -1, 0, true
	case pica.WrapRepeat, pica.WrapRepeat2, pica.WrapRepeat3:
		return size - 1, 0, true
	case pica.WrapMirror:
		return 2*size - 1, 2*size - 1, true
	}
	return 0, 0, false
}

// fetchVector is fetch by the AVX2 kernels.
func (s bound) fetchVector(linear bool, from, to int, u, v *raster.Plane, level *[quads]uint8, out *packed) {
	p := (*uint32)(unsafe.Pointer(s.vector))
	pu, pv, pl, po, n := &u[from], &v[from], &level[from/4], &out[from], to-from
	switch {
	case linear && s.maxLevel > 0:
		bilinearLevelsAVX2(pu, pv, pl, p, &s.texels[0], po, n)
	case linear:
		bilinearAVX2(pu, pv, pl, p, &s.texels[0], po, n)
	case s.maxLevel > 0:
		nearestLevelsAVX2(pu, pv, pl, p, &s.texels[0], po, n)
	default:
		nearestAVX2(pu, pv, pl, p, &s.texels[0], po, n)
	}
}
