package fragment

import (
	"math"

	"pica200/internal/simd"
	"pica200/pica"
	"pica200/raster"
)

// The kernels of the texture units fetch the lanes from to to-1. level is the
// level of detail of each quad.

// nearest reads the texels that contain the coordinates.
func (s bound) nearest(from, to int, u, v *raster.Plane, level *[quads]uint8, out *packed) {
	for i := from; i < to && i < raster.Lanes; i++ {
		l := &s.level[level[i/4]&(maxLevels-1)]
		x := wrap(s.wrapS, s.texel(u, i, l.width), l.w, s.powerOfTwo)
		y := wrap(s.wrapT, s.texel(v, i, l.height), l.h, s.powerOfTwo)
		if x|y < 0 {
			out[i] = s.border
			continue
		}
		out[i] = s.texels[l.offset+y*l.w+x]
	}
}

const (
	texelBits = 8
	texelUnit = 1 << texelBits
	halfTexel = texelUnit / 2
)

// texelPosition is the position of a coordinate in a level of the given size:
// in 1/256 of a texel, rounded to nearest, ties to even. Values out of range,
// infinities and NaN give a bound, the same on every CPU.
//
// TexelPosition: coordinates have an error of a few parts in 2^24, which is
// less than 1/512 of a texel in all possible textures. So a coordinate that is
// meant to be on a boundary or in the middle of a texel is there after
// rounding. The linear filter uses this position as weights and rounds each of
// its two steps to 8 bits; for the nearest filter see texel. The console's rule
// is unknown: docs/accuracy/raster.md.
func texelPosition(u, size float32) int32 {
	const bound = 1 << 29
	x := float32(float32(u*size) * texelUnit)
	if !(x > -bound) {
		return -bound
	}
	if x > bound {
		return bound
	}
	return int32(math.RoundToEven(float64(x)))
}

// texel is the texel, before wrapping, that the nearest filter reads at lane i
// along coordinate u, in a level of the given size.
//
// TexelOwner: a pixel whose centre is on the boundary of two texels reads the
// texel that would own the pixel if each texel were drawn as a rectangle: the
// one towards greater window x or, at a horizontal boundary, towards greater
// window y (raster.FillRule). So a mirrored or rotated sprite reads its own
// texels where its edge passes through pixel centres, like an upright one.
func (s bound) texel(u *raster.Plane, i int, size float32) int32 {
	p := texelPosition(u[i%raster.Lanes], size)
	if p&(texelUnit-1) != 0 {
		return p >> texelBits
	}
	quad := (*[raster.QuadPixels]float32)(u[i&^3%raster.Lanes:])
	corner := texelPosition(quad[0], size)
	on := texelPosition(quad[1], size) - corner
	if on == 0 {
		on = corner - texelPosition(quad[2], size) // the next row is the lower one
		if s.flip {
			on = -on
		}
	}
	if on < 0 {
		p--
	}
	return p >> texelBits
}

// bilinear interpolates the four texels around the coordinate.
func (s bound) bilinear(from, to int, u, v *raster.Plane, level *[quads]uint8, out *packed) {
	for i := from; i < to && i < raster.Lanes; i++ {
		l := &s.level[level[i/4]&(maxLevels-1)]
		fx, fy := texelPosition(u[i], l.width)-halfTexel, texelPosition(v[i], l.height)-halfTexel
		x0, y0 := fx>>texelBits, fy>>texelBits
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

// spread widens the four channels of a texel to 16 bits each.
func spread(c uint32) uint64 {
	return uint64(c&0xFF00FF) | uint64(c&0xFF00FF00)<<24
}

// gather reverses spread.
func gather(c uint64) uint32 { return uint32(c) | uint32(c>>24) }

// lerp4 interpolates the channels of two spread texels, with t/256 of the
// second, rounded.
func lerp4(a, b, t uint64) uint64 {
	return (a*(256-t) + b*t + 0x0080008000800080) >> 8 & 0x00FF00FF00FF00FF
}

// mix interpolates quad by quad, with t/256 of b.
func mix(with simd.Kernels, n int, a, b *packed, t *[quads]uint8) {
	if simd.Vectors && with.Vector() {
		mixVector(&a[0], &b[0], &t[0], n)
		return
	}
	for i := range a[:n] {
		a[i] = gather(lerp4(spread(a[i]), spread(b[i]), uint64(t[i/4])))
	}
}

// unpack splits texels into planes.
func unpack(with simd.Kernels, n int, src *packed, dst *Color) {
	if simd.Vectors && with.Vector() {
		unpackVector(&src[0], &dst[red][0], &dst[green][0], &dst[blue][0], &dst[alpha][0], n)
		return
	}
	for i, c := range src[:n] {
		dst[red][i], dst[green][i], dst[blue][i], dst[alpha][i] = uint8(c), uint8(c>>8), uint8(c>>16), uint8(c>>24)
	}
}

// vectorLevels are a sampler's levels of detail for the AVX2 kernels: for each
// value an array of the first eight levels; the last level is repeated to fill
// it. An index i reads the border if i < low or i > high. Otherwise it reads
// the texel clamp(min(j, j^flip), 0, max), with j = min(i, top)&mask.
type vectorLevels struct {
	width, height      [8]float32
	maskS, flipS, maxS [8]int32
	maskT, flipT, maxT [8]int32
	stride, offset     [8]int32
	topS, lowS, highS  [8]int32
	topT, lowT, highT  [8]int32

	// all is true if top, low and high are needed, mirrors if flip is, outside if
	// both coordinates clamp to the border.
	all, mirrors, outside bool
}

// vectorize fills s.vector if the AVX2 kernels can sample this texture: it has
// up to eight levels, and sides that repeat are powers of two.
func (s *sampler) vectorize() {
	if s.maxLevel > 7 {
		return
	}
	v := &s.forVector
	var l *textureLevel
	var w, h wrapping
	for i := range 8 {
		if i <= int(s.maxLevel) { // fill the rest with the last level
			l = &s.level[i]
			var okS, okT bool
			w, okS = vectorWrap(s.wrapS, l.w, s.powerOfTwo)
			h, okT = vectorWrap(s.wrapT, l.h, s.powerOfTwo)
			if !okS || !okT {
				return
			}
		}
		v.width[i], v.height[i] = l.width, l.height
		v.stride[i], v.offset[i] = l.w, l.offset
		v.maxS[i], v.maxT[i] = l.w-1, l.h-1
		v.maskS[i], v.flipS[i], v.topS[i], v.lowS[i], v.highS[i] = w.mask, w.flip, w.top, w.low, w.high
		v.maskT[i], v.flipT[i], v.topT[i], v.lowT[i], v.highT[i] = h.mask, h.flip, h.top, h.low, h.high
	}
	edge := func(mode pica.Wrap) bool {
		return mode != pica.WrapClampToBorder && mode != pica.WrapClampToEdge2 && mode != pica.WrapClampToBorder2
	}
	v.all = !edge(s.wrapS) || !edge(s.wrapT)
	v.mirrors = s.wrapS == pica.WrapMirror || s.wrapT == pica.WrapMirror
	v.outside = s.wrapS == pica.WrapClampToBorder && s.wrapT == pica.WrapClampToBorder
	s.vector = v
}

// wrapping is a wrap mode for the AVX2 kernels, see vectorLevels.
type wrapping struct{ mask, flip, top, low, high int32 }

// vectorWrap returns the values of a wrap mode; false for a side that repeats
// and is no power of two.
func vectorWrap(mode pica.Wrap, size int32, pow2 bool) (w wrapping, ok bool) {
	w = wrapping{mask: size - 1, top: math.MaxInt32, low: math.MinInt32, high: math.MaxInt32}
	switch mode {
	case pica.WrapClampToEdge:
		w.mask = -1
		return w, true
	case pica.WrapClampToBorder:
		w.mask, w.low, w.high = -1, 0, size-1
		return w, true
	case pica.WrapMirror:
		w.mask, w.flip = mirrored(size)
	case pica.WrapClampToEdge2:
		w.top = size - 1
	case pica.WrapClampToBorder2:
		w.high = size - 1
	}
	return w, pow2
}

// mirrored returns mask and flip of the mirroring wrap mode.
func mirrored(size int32) (mask, flip int32) { return 2*size - 1, 2*size - 1 }
