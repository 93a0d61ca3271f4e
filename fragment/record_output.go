package fragment

import (
	"pica200/pica"
	"pica200/raster"
)

// tested records a test. If it failed, so did the fragment.
func (r *Record) tested(t TestRecord) {
	if !t.Passed {
		r.Outcome = t.Failed
	}
	r.Tests = append(r.Tests, t)
}

// record records the alpha test.
func (t *alphaTest) record(m *machine, lane int, r *Record) {
	r.tested(TestRecord{Failed: AlphaFailed, Func: t.fn, Fragment: uint32(m.plane(t.alpha)[lane]), Other: m.v.alpha[0],
		Passed: m.b.Mask[0]>>lane&1 != 0})
}

// record records the stencil and depth tests and blending. The record already
// holds the pixel's old contents.
func (o *output) record(m *machine, lane int, r *Record) {
	near, z, old := o.nearer(m, lane, r)
	if s := o.stencil; s != nil {
		was, k, op := r.Before.Stencil, &m.v.stencil, s.fail
		if s.unread {
			was = 0
		}
		passed := holds(s.fn, uint32(k.ref&k.read), uint32(was&k.read))
		if passed {
			if op = s.pass; !near {
				op = s.depthFail
			}
		}
		r.tested(TestRecord{Failed: StencilFailed, Func: s.fn, Fragment: uint32(k.ref), Other: uint32(was), Passed: passed,
			Mask: uint32(k.read), Op: op, Stencil: ReadPixel(m.v.target, r.X, r.Y).Stencil})
	}
	if r.Outcome != StencilFailed && o.testsDepth() {
		r.tested(TestRecord{Failed: DepthFailed, Func: o.depthTest, Fragment: z, Other: old, Passed: near})
	}
	if m.b.Mask[0]>>lane&1 != 0 && o.writeColor {
		r.Blend = r.in.blending(o, m, lane, r)
	}
}

// testsDepth reports whether there is a depth test.
func (o *output) testsDepth() bool { return o.depthRead || o.depthTest == pica.CompareNever }

// nearer reports whether a fragment passes the depth test. depth and old are in
// steps of the buffer's format.
func (o *output) nearer(m *machine, lane int, r *Record) (passed bool, depth, old uint32) {
	if !o.testsDepth() {
		return true, 0, 0
	}
	var z [raster.BlockPixels]uint32
	raster.QuantizeDepth((*[raster.BlockPixels]float32)(m.b.Depth[:raster.BlockPixels]), float32(m.v.target.DepthFormat.Max()), &z)
	if old = r.Before.Depth; o.depthZero {
		old = 0
	}
	return holds(o.depthTest, z[lane], old), z[lane], old
}

// holds evaluates a comparison of two numbers.
func holds(f pica.CompareFunc, a, b uint32) bool {
	var less, equal uint16
	if a < b {
		less = 1
	}
	if a == b {
		equal = 1
	}
	return raster.Decide(f, less, equal)&1 != 0
}

// blending records the written colour and how it was computed.
func (in *insight) blending(o *output, m *machine, lane int, r *Record) *BlendRecord {
	source := m.at(o.color, lane)
	b := &BlendRecord{Source: source, Result: source, Format: in.colorFormat, Mask: o.mask, Logic: in.logic}
	if o.blend == nil {
		return b
	}
	b.Mode = BlendBlend
	if o.blend.logic != nil {
		b.Mode = BlendLogic
	}
	if !o.colorZero {
		b.Dest = r.Before.Color
	}
	// Run the kernels on the values in the record alone.
	var old, out Color
	var src [4]*Bytes
	for ch := range src {
		src[ch] = m.plane(o.color[ch])
		old[ch][lane] = b.Dest[ch]
	}
	first := lane &^ 15
	o.blend.run(m, src, &old, &out, first, first+16)
	for ch := range b.Result {
		b.Result[ch] = out[ch][lane]
	}
	if b.Mode == BlendLogic {
		return b
	}
	for half, code := range in.blend {
		b.Halves[half] = BlendHalf{pica.BlendEquation(code.eq), pica.BlendFactor(code.src), pica.BlendFactor(code.dst)}
	}
	sat := &m.c[cScratch0+2][0]
	for ch := range b.Source {
		c := &o.blend.channel[ch]
		b.Factors[0][ch] = factorPlane(m, &c.src, ch, src, &old, sat)[lane] ^ c.src.xor
		b.Factors[1][ch] = factorPlane(m, &c.dst, ch, src, &old, sat)[lane] ^ c.dst.xor
	}
	return b
}
