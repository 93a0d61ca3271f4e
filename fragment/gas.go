package fragment

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"unsafe"

	"pica200/internal/simd"
	"pica200/pica"
	"pica200/raster"
)

// Gas is drawn in two passes (../shared/reference/gas.md, from DMP's patent and
// from tests on the console by wwylele): pass A adds densities in a buffer,
// pass B turns them into colours. Other software renderers have neither.

// gasValues are the values of a draw for both passes. Factors are 0..1.
type gasValues struct {
	accmax      float32 // reciprocal of the greatest density
	attenuation float32

	xyMin, xyMax, xyAtten float32
	zMin, zMax, zAtten    float32
	zEffect               float32

	colors *gasLUT

	deltaZ float32 // of pass A
}

// bind reads the values of pass B.
func (v *gasValues) bind(r *pica.Regs) {
	v.accmax, v.attenuation = pica.GasAccmax.Float(r), pica.GasAttenuation.Float(r)
	v.xyMin, v.xyMax, v.xyAtten = pica.GasLightXYMin.Float(r), pica.GasLightXYMax.Float(r), pica.GasLightXYAttenuation.Float(r)
	v.zMin, v.zMax, v.zAtten = pica.GasLightZMin.Float(r), pica.GasLightZMax.Float(r), pica.GasLightZAttenuation.Float(r)
	v.zEffect = pica.GasLightZEffect.Float(r)
}

// gasShading compiles pass B (fog mode 7). Its inputs are sources of combiner
// stage 5: source 3 is the texel of the gas buffer, and red of source 1 is the
// planar shading value. The operands and the function of that stage are not
// used.
func (c *compiler) gasShading(f *fogging, stages *combiner) error {
	r := c.regs
	depthDensity := pica.TexenvUpdateGasDensity.Bool(r) // shading uses d2, not d1
	byLight := pica.GasLutInputSelect.Bool(r)           // the index into the colour table is light, not density
	c.program.wants.gas = true
	planar, texel := stages.gasPlanar[red], stages.gasTexel
	f.out = wholeRef(cFog)
	f.alpha = planeRef{cFog, alpha}
	for _, p := range texel {
		f.inputs.add(p)
	}
	if byLight {
		f.inputs.add(planar)
	}
	f.before = &op{name: "gas shading", run: func(m *machine) {
		d1, d2 := &m.f[fScratch0], &m.f[fScratch0+1]
		gasDensity(m.with, d1, m.plane(texel[alpha]), m.plane(texel[blue]), m.n)
		gasDensity(m.with, d2, m.plane(texel[green]), m.plane(texel[red]), m.n)
		v := &m.v.gas
		gasAlpha(m.with, &m.c[cFog][alpha], d2, v.attenuation, m.v.fogTable, m.n)
		t := d1
		if depthDensity {
			t = d2
		}
		scaleBias(m.with, t, t, v.accmax, 0, m.n)
		if byLight {
			gasLight(m.with, t, m.plane(planar), v, m.n)
		}
		gasColor(m.with, &m.c[cFog], t, v.colors, m.n)
	}, record: recordGas(texel, planar, depthDensity, byLight)}
	return nil
}

// gasDensity joins the two bytes of a density, which is a half float. The
// buffer holds d1 high, d1 low, d2 high, d2 low. Read as an RGBA8 texel, these
// are alpha, blue, green, red.
func gasDensity(with simd.Kernels, d *raster.Plane, high, low *Bytes, n int) {
	if simd.Vectors && with.Vector() {
		gasDensityVector(&d[0], &high[0], &low[0], n)
		return
	}
	ds, hs, ls := d[:n], high[:n], low[:n]
	for i := range ds {
		ds[i] = halfToFloat(uint16(hs[i])<<8 | uint16(ls[i]))
	}
}

// gasAlpha looks d2 * attenuation up in the fog table.
func gasAlpha(with simd.Kernels, d *Bytes, d2 *raster.Plane, attenuation float32, t *lut128, n int) {
	if simd.Vectors && with.Vector() {
		gasAlphaVector(&d[0], &d2[0], &t[0].value, attenuation, n)
		return
	}
	ds, xs := d[:n], d2[:n]
	for i := range ds {
		ds[i] = truncate8(lut128At(t, float32(xs[i]*attenuation)) * 255)
	}
}

// gasLight computes the sum of planar and view shading from densities.
func gasLight(with simd.Kernels, d *raster.Plane, planar *Bytes, s *gasValues, n int) {
	if simd.Vectors && with.Vector() {
		p := [7]float32{s.xyMin, s.xyMax, s.xyAtten, s.zMin, s.zMax, s.zAtten, s.zEffect}
		gasLightVector(&d[0], &planar[0], &p[0], n)
		return
	}
	ds, ps := d[:n], planar[:n]
	for i := range ds {
		x := ds[i]
		a := float32(float32(ps[i]) / 255 * (1 - float32(s.xyAtten*x)))
		b := float32(s.zEffect * (1 - float32(s.zAtten*x)))
		xy := float32(s.xyMax*a) + float32(s.xyMin*(1-a))
		z := float32(s.zMax*b) + float32(s.zMin*(1-b))
		ds[i] = xy + z
	}
}

// gasColor looks inputs up in the colour table. It clamps inputs and results to
// 0..1 and truncates the 8-bit result.
func gasColor(with simd.Kernels, d *Color, t *raster.Plane, lut *gasLUT, n int) {
	if simd.Vectors && with.Vector() {
		gasColorVector(&d[0][0], &t[0], &lut.base[0][0], n)
		return
	}
	r, g, b := d[red][:n], d[green][:n], d[blue][:n]
	for i, x := range t[:n] {
		x *= 8
		if !(x > 0) {
			x = 0
		}
		if !(x < 8) {
			x = 8
		}
		k := min(int32(x), 7) & 7
		f := x - float32(k)
		r[i] = truncate8((lut.base[red][k] + float32(lut.diff[red][k]*f)) * 255)
		g[i] = truncate8((lut.base[green][k] + float32(lut.diff[green][k]*f)) * 255)
		b[i] = truncate8((lut.base[blue][k] + float32(lut.diff[blue][k]*f)) * 255)
	}
}

// halfInfinity is the half float infinity: greater bits are negative or NaN.
const halfInfinity = 0x7C00

// halfToFloat decodes a half float as pica.Float16 does.
func halfToFloat(h uint16) float32 {
	sign := uint32(h&0x8000) << 16
	e, b := uint32(h)>>10&31, uint32(h&0x7FFF)<<13+112<<23
	switch e {
	case 0: // 0 and subnormals; 0 becomes positive
		f := float32(h&0x3FF) * (1.0 / (1 << 24))
		if f == 0 {
			return 0
		}
		b = math.Float32bits(f)
	case 31:
		b += 112 << 23
	}
	return math.Float32frombits(sign | b)
}

// floatToHalf converts x to the nearest half float, ties to even.
//
// GasRounding: how the console rounds the sums in the gas buffer is unknown.
// Rounding to nearest is closest to the sums of the study; truncating, as the
// shader unit does, would lose more with every layer.
func floatToHalf(x float32) uint16 {
	b := math.Float32bits(x) &^ (1 << 31)
	sign := uint16(math.Float32bits(x) >> 16 & 0x8000)
	switch {
	case b > 255<<23: // NaN
		return sign | 0x7E00
	case b < 113<<23: // subnormal: in units of 2^-24
		f := float32(math.Float32frombits(b) * (1 << 24))
		k := uint16(int32(f))
		if r := f - float32(k); r > 0.5 || r == 0.5 && k&1 != 0 {
			k++
		}
		if k == 0 {
			return 0
		}
		return sign | k
	}
	b += 0xFFF + b>>13&1
	if b >= 143<<23 {
		return sign | halfInfinity
	}
	return sign | uint16((b-112<<23)>>13)
}

// gasOutput is the last op of pass A (fragment operation mode 1): it adds
// densities to the gas buffer, which is the colour attachment.
//
// GasDepthTest: depth and stencil tests reject nothing here. The depth
// attachment is only read, for the second density. The study shows no test in
// pass A, and programs do not change the depth function for it; whether the
// console tests is unknown. Colour mask, blending and logic operation do not
// apply.
type gasOutput struct {
	density planeRef // red of the fragment's colour, read as 0..1
	fn      pica.GasDepthFunc
	top     float32 // depth 1 as an integer of the attachment
	unread  bool    // the depth buffer reads as 0
	write   bool
}

// gasOutput compiles the output stage of pass A.
func (c *compiler) gasOutput(color colorRef) (final, error) {
	r, t := c.regs, c.target
	g := &gasOutput{
		density: color[red],
		fn:      pica.GasDepthFunc(pica.GasDeltazFunc.Get(r)),
		top:     float32(t.depthFormat.Max()),
		unread:  r[pica.RegDepthbufferRead]&3 == 0,
		write:   t.color && pica.ColorbufferWrite.Bool(r),
	}
	c.program.wants.gasOutput = true
	if g.write && t.colorFormat.Bytes() != 4 {
		return nil, fmt.Errorf("gas: the colour buffer is %v, a gas buffer has 4 bytes a pixel as RGBA8", t.colorFormat)
	}
	if !t.depth && g.fn >= pica.GasDepthGreater && !g.unread {
		return nil, errors.New("gas: depth function " + g.fn.String() + " (GPUREG_GAS_DELTAZ_DEPTH) needs a depth buffer")
	}
	return g, nil
}

func (g *gasOutput) reads(set *planeSet) { set.add(g.density) }

func (g *gasOutput) run(m *machine) {
	if !g.write {
		return
	}
	b := m.b
	written := 0
	for _, mask := range b.Mask[:b.Blocks] {
		written += bits.OnesCount16(mask)
	}
	if written == 0 {
		return
	}
	var at raster.BlockIndices
	at.Put(m.v.target, b)
	m.gasMax = max(m.gasMax, g.blocks(m.with, m.v, b, &at, m.plane(g.density), &m.shadowZ))
	m.written += uint64(written)
}

// blocks adds the densities of the blocks at the given pixels and returns the
// greatest d1 that it wrote. surface is a buffer for it.
func (g *gasOutput) blocks(with simd.Kernels, v *values, b *raster.Batch, at *raster.BlockIndices, density *Bytes, surface *[raster.Lanes]uint32) (top uint16) {
	read, tiled := g.fn >= pica.GasDepthGreater, uint64(0)
	from := (*uint8)(unsafe.Pointer(&surface[0]))
	if simd.Vectors && with.Vector() && read && !g.unread && v.target.DepthFormat == pica.DepthFormatD24S8 {
		read, tiled, from = false, 1, &v.target.Depth[:at.End()*4][0] // the kernel reads it
	}
	for i, mask := range b.Mask[:b.Blocks] {
		if mask == 0 || simd.Vectors && with.Vector() && !read {
			continue
		}
		s := (*[raster.BlockPixels]uint32)(surface[i*raster.BlockPixels:])
		first := at.Index(i)
		if read && g.unread {
			*s = [raster.BlockPixels]uint32{}
		} else if read {
			v.target.LoadDepth(first, s)
		}
		if !simd.Vectors || !with.Vector() {
			p := v.target.Color[first*4:][:4*raster.BlockPixels]
			z := (*[raster.BlockPixels]float32)(b.Depth[i*raster.BlockPixels:])
			top = max(top, g.block(v, p, mask, s, z, (*raster.Channel)(density[i*raster.BlockPixels:])))
		}
	}
	if simd.Vectors && with.Vector() {
		k := g.params(v.gas.deltaZ)
		color := v.target.Color[:at.End()*4]
		top = uint16(gasBlocksVector(&color[0], at.First(), &b.Mask[0], from, tiled, &b.Depth[0], &density[0], &k[0], b.Blocks))
	}
	return top
}

// block is blocks for one block, whose pixels are p.
func (g *gasOutput) block(v *values, p []uint8, mask uint16, surface *[raster.BlockPixels]uint32, z *[raster.BlockPixels]float32, density *raster.Channel) (top uint16) {
	for i := range density {
		if mask>>i&1 == 0 {
			continue
		}
		x := float32(density[i]) / 255
		q := p[i*4 : i*4+4 : i*4+4]
		d1 := floatToHalf(halfToFloat(uint16(q[0])<<8|uint16(q[1])) + x)
		y := x
		switch g.fn {
		case pica.GasDepthNever:
			y = 0
		case pica.GasDepthGreater:
			y = float32(x * (1 - g.depthFactor(surface[i], z[i], v.gas.deltaZ)))
		case pica.GasDepthLess:
			y = float32(x * g.depthFactor(surface[i], z[i], v.gas.deltaZ))
		}
		d2 := floatToHalf(halfToFloat(uint16(q[2])<<8|uint16(q[3])) + y)
		q[0], q[1], q[2], q[3] = byte(d1>>8), byte(d1), byte(d2>>8), byte(d2)
		if d1 <= halfInfinity { // not negative; only data from elsewhere can be
			top = max(top, d1)
		}
	}
	return top
}

// params are the parameters of the vector kernels: the factors of quotient, and
// deltaZ; the second density is the first times k[3] + k[4]*depthFactor, which is
// exact for these values.
func (g *gasOutput) params(deltaZ float32) (k [5]float32) {
	k = [5]float32{2: deltaZ, 3: 1}
	k[0], k[1] = quotient(g.top)
	switch g.fn {
	case pica.GasDepthNever:
		k[3] = 0
	case pica.GasDepthGreater:
		k[4] = -1
	case pica.GasDepthLess:
		k[3], k[4] = 0, 1
	}
	return k
}

// quotient returns factors for x/top, where top is 255 or the greatest integer of
// a depth format: x*scale and x*rest, rounded and added, are the rounded quotient
// for each integer x up to top. Processors multiply faster than they divide.
// The quotient is x/2^n + x/2^2n + ..., so scale takes as many terms as make an
// exact product, and rest stands for the others: they round up by one.
func quotient(top float32) (scale, rest float32) {
	switch top {
	case 1<<8 - 1:
		return 1.0/(1<<8) + 1.0/(1<<16) + 1.0/(1<<24), 1.5 / (1 << 32)
	case 1<<16 - 1:
		return 1.0 / (1 << 16), 1.0/(1<<16-1) - 1.0/(1<<16)
	}
	return 1.0 / (1 << 24), 1.5 / (1 << 48)
}

// depthFactor is the distance of the fragment in front of the surface, times
// DeltaZ, clamped to 0..1.
func (g *gasOutput) depthFactor(surface uint32, z, deltaZ float32) float32 {
	a := float32((float32(surface)/g.top - z) * deltaZ)
	if !(a > 0) {
		a = 0
	}
	if a > 1 {
		a = 1
	}
	return a
}

// TakeGasMaximum returns the greatest density that gas draws wrote since the
// last call, as a half float (GPUREG_GAS_FEEDBACK, 0x125, bits 16-31). Call it
// between batches, never while a program runs.
func (e *Engine) TakeGasMaximum() uint16 {
	var top uint16
	for _, m := range e.machines {
		if m == nil {
			continue
		}
		top = max(top, m.gasMax)
		m.gasMax = 0
	}
	return top
}
