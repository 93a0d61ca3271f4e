package fragment

import (
	"fmt"

	"pica200/pica"
	"pica200/raster"
)

// noteAlphaTest notes the alpha test.
func (in *insight) noteAlphaTest(m *machine, lane int, r *Record) {
	t := in.alphaTest
	r.Tests = append(r.Tests, TestRecord{
		Test: "alpha", Func: t.fn.String(), Fragment: uint32(m.plane(t.alpha)[lane]), Other: m.v.alpha[0],
		Passed: m.b.Mask[0]>>lane&1 != 0,
	})
}

// noteOutput notes the stencil and depth tests and blending. What the pixel held
// before is in the record.
func (in *insight) noteOutput(o *output, m *machine, lane int, r *Record) {
	if s := o.stencil; s != nil {
		old := r.Before.Stencil
		if s.unread {
			old = 0
		}
		k := &m.v.stencil
		t := TestRecord{
			Test: "stencil", Func: s.fn.String(), Fragment: uint32(k.ref), Other: uint32(old), Mask: uint32(k.read),
			Passed: holds(s.fn, uint32(k.ref&k.read), uint32(old&k.read)), Stencil: ReadPixel(m.v.target, r.X, r.Y).Stencil,
		}
		at := len(r.Tests)
		r.Tests = append(r.Tests, t)
		op := s.fail
		if t.Passed {
			if op = s.pass; !in.depth(o, m, lane, r) {
				op = s.depthFail
			}
		}
		r.Tests[at].Does = op.String()
	} else {
		in.depth(o, m, lane, r)
	}
	if m.b.Mask[0]>>lane&1 != 0 && o.writeColor {
		r.Blend = in.blending(o, m, lane, r)
	}
}

// depth notes the depth test, if there is one, and reports whether it passes.
func (in *insight) depth(o *output, m *machine, lane int, r *Record) bool {
	if !o.depthRead && o.depthTest != pica.CompareNever {
		return true
	}
	var z [raster.BlockPixels]uint32
	raster.QuantizeDepth((*[raster.BlockPixels]float32)(m.b.Depth[:raster.BlockPixels]), float32(m.v.target.DepthFormat.Max()), &z)
	old := r.Before.Depth
	if o.depthZero {
		old = 0
	}
	t := TestRecord{Test: "depth", Func: o.depthTest.String(), Fragment: z[lane], Other: old, Passed: holds(o.depthTest, z[lane], old)}
	r.Tests = append(r.Tests, t)
	return t.Passed
}

// holds answers a comparison of two numbers.
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

// blending notes what was written, and how it came about.
func (in *insight) blending(o *output, m *machine, lane int, r *Record) *BlendRecord {
	b := &BlendRecord{
		Mode: "replace", Source: m.at(o.color, lane), Mask: o.mask, Format: in.colorFormat.String(),
	}
	b.Result = b.Source
	if o.blend == nil {
		return b
	}
	b.Mode = "blend"
	if b.Dest = r.Before.Color; o.colorZero {
		b.Dest = [4]uint8{}
	}
	// The kernels run on what is in the record, alone.
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
	if o.blend.logic != nil {
		b.Mode, b.Logic = "logic", in.logic.String()
		return b
	}
	b.RGB = in.blendHalf(o.blend, m, lane, src, &old, b, 0)
	b.Alpha = in.blendHalf(o.blend, m, lane, src, &old, b, 1)
	return b
}

// blendHalf notes blending of RGB or of alpha.
func (in *insight) blendHalf(o *blend, m *machine, lane int, src [4]*Bytes, old *Color, b *BlendRecord, half int) *BlendHalf {
	code := in.blend[half]
	h := &BlendHalf{
		Equation: pica.BlendEquation(code.eq).String(), Source: pica.BlendFactor(code.src).String(), Dest: pica.BlendFactor(code.dst).String(),
	}
	sat := &m.c[cScratch0+2][0]
	var s, d []int
	channels := []int{red, green, blue}
	if half == 1 {
		channels = []int{alpha}
	}
	for _, ch := range channels {
		c := &o.channel[ch]
		h.Factors[0] = append(h.Factors[0], int(factorPlane(m, &c.src, ch, src, old, sat)[lane]^c.src.xor))
		h.Factors[1] = append(h.Factors[1], int(factorPlane(m, &c.dst, ch, src, old, sat)[lane]^c.dst.xor))
		s, d = append(s, int(b.Source[ch])), append(d, int(b.Dest[ch]))
		h.Result = append(h.Result, int(b.Result[ch]))
	}
	a := fmt.Sprintf("%s * %s", numbers(s), numbers(h.Factors[0]))
	c := fmt.Sprintf("%s * %s", numbers(d), numbers(h.Factors[1]))
	switch pica.BlendEquation(code.eq) {
	case pica.BlendSubtract:
		h.Text = fmt.Sprintf("(%s - %s) / 255", a, c)
	case pica.BlendReverseSubtract:
		h.Text = fmt.Sprintf("(%s - %s) / 255", c, a)
	case pica.BlendMin, pica.BlendMax:
		h.Text = fmt.Sprintf("%s(%s, %s) / 255", h.Equation, a, c)
	default:
		h.Text = fmt.Sprintf("(%s + %s) / 255", a, c)
	}
	h.Text += " = " + numbers(h.Result)
	return h
}
