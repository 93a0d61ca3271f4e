package fragment

import (
	"fmt"
	"math/bits"
	"unsafe"

	"pica200/internal/simd"
	"pica200/pica"
	"pica200/raster"
)

// A shadow texture has 4 bytes a pixel: a 24-bit depth, most significant byte
// first, and an intensity. Read as an RGBA8 texel (bytes alpha, blue, green,
// red) the depth is the upper 24 bits of the texel's word and the intensity
// its low byte, red.

// shadowDepthOne is depth 1 in a shadow texture.
const shadowDepthOne = 1<<24 - 1

// shadowOutput is the last op in fragment operation mode 3: it writes the
// fragment's depth and intensity (green) to the shadow texture, which is the
// colour attachment. A fragment that is not nearer than the stored depth does
// nothing. A nearer one with intensity 0 is a hard shadow and writes its depth.
// With any other intensity it is the soft edge of a shadow and lowers the
// stored intensity, by a penumbra that widens with the distance to the
// occluder.
//
// ShadowTests: alpha, depth and stencil test, colour mask and blending do not
// apply (as in Azahar; unmeasured).
type shadowOutput struct {
	intensity planeRef
	write     bool
}

func (c *compiler) shadowOutput(color colorRef) (final, error) {
	s := &shadowOutput{intensity: color[green], write: c.target.color && pica.ColorbufferWrite.Bool(c.regs)}
	c.program.wants.shadow = true
	if f := c.target.colorFormat; s.write && f.Bytes() != 4 {
		return nil, fmt.Errorf("shadow: the colour buffer is %v, a shadow texture has 4 bytes a pixel as RGBA8", f)
	}
	return s, nil
}

func (s *shadowOutput) reads(set *planeSet) { set.add(s.intensity) }

func (s *shadowOutput) run(m *machine) {
	if !s.write {
		return
	}
	b := m.b
	in := m.plane(s.intensity)
	for i := range b.Blocks {
		if mask := b.Mask[i]; mask != 0 {
			t := m.v.target
			p := t.Color[t.PixelIndex(b.Block[i].X, b.Block[i].Y)*4:][:4*raster.BlockPixels]
			if simd.Assembly && m.with.AVX2() {
				at, k := i*raster.BlockPixels, &m.v.penumbra
				m.written += uint64(bits.OnesCount32(shadowBlockVector(&p[0], &b.Depth[at], &in[at], &k.constant, uint32(mask))))
				continue
			}
			for j := range raster.BlockPixels {
				if mask>>j&1 == 0 {
					continue
				}
				q := p[j*4 : j*4+4 : j*4+4]
				k := i*raster.BlockPixels + j
				if m.v.penumbra.pixel(q, b.Depth[k%raster.Lanes], in[k%raster.Lanes]) {
					m.written++
				}
			}
		}
	}
}

// penumbra says how the soft edge of a shadow widens (GPUREG_FRAGOP_SHADOW):
// constant is scale + bias, linear is -scale.
type penumbra struct{ constant, linear float32 }

// pixel updates one pixel of the shadow texture. It returns false for a
// fragment that is not nearer.
func (s *penumbra) pixel(q []byte, depth float32, intensity uint8) bool {
	z := uint32(int32(depth * shadowDepthOne))
	old := uint32(q[0])<<16 | uint32(q[1])<<8 | uint32(q[2])
	if z >= old {
		return false
	}
	if intensity == 0 {
		q[0], q[1], q[2] = byte(z>>16), byte(z>>8), byte(z)
		return true
	}
	x := float32(z) / float32(old)
	v := truncate8(float32(intensity) / (s.constant + float32(s.linear*x)))
	q[3] = min(q[3], v)
	return true
}

// shadowVector is a shadow sampler for the AVX2 kernel, each value repeated
// eight times. Indices wrap as in vectorLevels; if border is all ones, outside
// indices read the border colour.
type shadowVector struct {
	width, height               [8]float32
	maskS, flipS, maxS, borderS [8]int32
	maskT, flipT, maxT, borderT [8]int32
	stride                      [8]int32
	border                      [8]uint32
}

// vectorizeShadow fills s.shadow for the sampler's first level if the AVX2
// kernel can sample it.
func (s *sampler) vectorizeShadow() {
	l := &s.level[0]
	if !s.powerOfTwo || !s.magLinear || l.offset != 0 {
		return
	}
	maskS, flipS, borderS, okS := shadowWrap(s.wrapS, l.w)
	maskT, flipT, borderT, okT := shadowWrap(s.wrapT, l.h)
	if !okS || !okT {
		return
	}
	v := &s.forShadow
	for i := range 8 {
		v.width[i], v.height[i] = l.width, l.height
		v.maskS[i], v.flipS[i], v.maxS[i], v.borderS[i] = maskS, flipS, l.w-1, borderS
		v.maskT[i], v.flipT[i], v.maxT[i], v.borderT[i] = maskT, flipT, l.h-1, borderT
		v.stride[i], v.border[i] = l.w, s.border
	}
	s.shadow = v
}

// shadowWrap returns the values of a wrap mode; ok is false if the kernel does
// not have the mode.
func shadowWrap(mode pica.Wrap, size int32) (mask, flip, border int32, ok bool) {
	switch mode {
	case pica.WrapClampToBorder:
		return -1, 0, -1, true
	case pica.WrapClampToEdge2, pica.WrapClampToBorder2:
		return 0, 0, 0, false
	}
	w, ok := vectorWrap(mode, size, true)
	return w.mask, w.flip, 0, ok
}

// shadowReference converts the third texture coordinate to the depth to
// compare: min(abs(w), 1) in 24 bits, minus the bias, at least 0.
func shadowReference(with simd.Kernels, d *[raster.Lanes]uint32, w *raster.Plane, bias int32, n int) {
	if simd.Assembly && with.AVX2() {
		shadowReferenceVector(&d[0], &w[0], bias, n)
		return
	}
	ds, ws := d[:n], w[:n]
	for i := range ds {
		a := abs32(ws[i])
		if !(a < 1) {
			a = 1
		}
		ds[i] = uint32(max(int32(a*shadowDepthOne)-bias, 0))
	}
}

// shadowLight compares one texel: the result is its intensity if the reference
// is not behind its depth, otherwise 0.
//
// ShadowEqual: equal depths are lit, so that a cleared shadow texture lights
// everything. Azahar's software renderer agrees, its shader generator does not.
func shadowLight(texel, z uint32) uint32 {
	if texel>>8 >= z {
		return texel & 0xFF
	}
	return 0
}

// sampleShadow computes the share of light at u, v.
//
// ShadowFilter: the linear magnification filter compares the four nearest
// texels and interpolates the results (percentage-closer filtering); the
// nearest filter compares one. Texels outside follow the wrap modes; the border
// colour is compared like a texel.
func (s bound) sampleShadow(with simd.Kernels, n int, u, v *raster.Plane, z *[raster.Lanes]uint32, out *Bytes) {
	if simd.Assembly && with.AVX2() && s.shadow != nil {
		shadowSampleVector(&u[0], &v[0], &z[0], (*uint32)(unsafe.Pointer(s.shadow)), &s.texels[0], &out[0], n)
		return
	}
	l := &s.level[0]
	for i := 0; i < n && i < raster.Lanes; i++ {
		if !s.magLinear {
			x := wrap(s.wrapS, s.texel(u, i, l.width), l.w, s.powerOfTwo)
			y := wrap(s.wrapT, s.texel(v, i, l.height), l.h, s.powerOfTwo)
			out[i] = uint8(shadowLight(s.shadowTexel(x, y), z[i]))
			continue
		}
		fx, fy := texelPosition(u[i], l.width)-halfTexel, texelPosition(v[i], l.height)-halfTexel
		x0, y0 := fx>>texelBits, fy>>texelBits
		a, b := uint32(fx)&255, uint32(fy)&255
		x1 := wrap(s.wrapS, x0+1, l.w, s.powerOfTwo)
		y1 := wrap(s.wrapT, y0+1, l.h, s.powerOfTwo)
		x0 = wrap(s.wrapS, x0, l.w, s.powerOfTwo)
		y0 = wrap(s.wrapT, y0, l.h, s.powerOfTwo)
		top := shadowLight(s.shadowTexel(x0, y0), z[i])*(256-a) + shadowLight(s.shadowTexel(x1, y0), z[i])*a
		bottom := shadowLight(s.shadowTexel(x0, y1), z[i])*(256-a) + shadowLight(s.shadowTexel(x1, y1), z[i])*a
		out[i] = uint8((top*(256-b) + bottom*b + 1<<15) >> 16)
	}
}

// shadowTexel is the texel at x, y of level 0, or the border.
func (s bound) shadowTexel(x, y int32) uint32 {
	if x|y < 0 {
		return s.border
	}
	return s.texels[s.level[0].offset+y*s.level[0].w+x]
}
