package fragment

import (
	"fmt"
	"strings"

	"pica200/explain/rows"
	"pica200/pica"
	"pica200/raster"
)

// tested adds the row of a test, "fragment func other". If the test failed, the
// outcome is failed.
func (r *Record) tested(test string, f pica.CompareFunc, fragment, other uint32, passed bool, failed Outcome) *rows.Row {
	row := rows.New("{test} test", "{fragment} {func} {other}: passed", "test", test, "func", f.String(),
		"fragment", fragment, "other", other, "passed", passed).In("tests[]")
	if !passed {
		row.Form, row.Mark, r.dropped = "{fragment} {func} {other}: failed", rows.Failed, failed
	}
	r.tests = append(r.tests, row)
	return &r.tests[len(r.tests)-1]
}

// note adds the row of the alpha test.
func (t *alphaTest) note(m *machine, lane int, r *Record) {
	r.tested("alpha", t.fn, uint32(m.plane(t.alpha)[lane]), m.v.alpha[0], m.b.Mask[0]>>lane&1 != 0, AlphaFailed)
}

// note adds the rows of the stencil and depth tests and of blending. The record
// already holds the pixel's old contents.
func (o *output) note(m *machine, lane int, r *Record) {
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
		row := r.tested("stencil", s.fn, uint32(k.ref), uint32(was), passed, StencilFailed)
		row.Add("mask", uint32(k.read), "does", op.String(), "stencil", ReadPixel(m.v.target, r.X, r.Y).Stencil)
		row.Form = strings.Replace(row.Form, ":", " under the mask {mask|%02X}:", 1) + "; {does}, it is then {stencil}"
	}
	if r.dropped != StencilFailed && o.testsDepth() {
		r.tested("depth", o.depthTest, z, old, near, DepthFailed)
	}
	if m.b.Mask[0]>>lane&1 != 0 && o.writeColor {
		r.in.blending(o, m, lane, r)
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

// blending adds the rows of the written colour and how it was computed.
func (in *insight) blending(o *output, m *machine, lane int, r *Record) {
	source := m.at(o.color, lane)
	b, mode, dest, result := rows.Row{}, "replace", [4]uint8{}, source
	if o.blend != nil {
		mode = "blend"
		if dest = r.Before.Color; o.colorZero {
			dest = [4]uint8{}
		}
		// Run the kernels on the values in the record alone.
		var old, out Color
		var src [4]*Bytes
		for ch := range src {
			src[ch] = m.plane(o.color[ch])
			old[ch][lane] = dest[ch]
		}
		first := lane &^ 15
		o.blend.run(m, src, &old, &out, first, first+16)
		for ch := range result {
			result[ch] = out[ch][lane]
		}
		if o.blend.logic != nil {
			mode = "logic"
			b.Rows = append(b.Rows, rows.New("logic op", "{logic} of {source} and {dest} = {result}",
				"logic", in.logic.String(), "source", source, "dest", dest, "result", result))
		} else {
			b.Rows = append(b.Rows, in.blendHalf(o.blend, m, lane, src, &old, source, dest, result, 0),
				in.blendHalf(o.blend, m, lane, src, &old, source, dest, result, 1))
		}
	}
	written := ""
	for i, c := range "rgba" {
		if o.mask[i] {
			written += string(c)
		}
	}
	b.Add("mode", mode, "source", source, "dest", dest, "result", result, "format", in.colorFormat.String())
	b.Rows = append(b.Rows, rows.New("written", written+" alone", "mask", o.mask).When(written != "rgba"))
	r.writes = append(r.writes, b.In("blend"))
}

// BlendForm is the form of a row about blending of RGB or of alpha.
const BlendForm = "{equation}, source * {source} and target * {dest}"

// blendHalf adds the row about blending of RGB or of alpha.
func (in *insight) blendHalf(o *blend, m *machine, lane int, src [4]*Bytes, old *Color, source, dest, result [4]uint8, half int) rows.Row {
	code, key, channels := in.blend[half], [2]string{"rgb", "alpha"}[half], [2][]int{{red, green, blue}, {alpha}}[half]
	equation := pica.BlendEquation(code.eq)
	sat := &m.c[cScratch0+2][0]
	var s, d, is numbers
	var factors [2]numbers
	for _, ch := range channels {
		c := &o.channel[ch]
		factors[0] = append(factors[0], int(factorPlane(m, &c.src, ch, src, old, sat)[lane]^c.src.xor))
		factors[1] = append(factors[1], int(factorPlane(m, &c.dst, ch, src, old, sat)[lane]^c.dst.xor))
		s, d, is = append(s, int(source[ch])), append(d, int(dest[ch])), append(is, int(result[ch]))
	}
	a, c := fmt.Sprintf("%v * %v", s, factors[0]), fmt.Sprintf("%v * %v", d, factors[1])
	text := fmt.Sprintf("(%s + %s)", a, c)
	switch equation {
	case pica.BlendSubtract:
		text = fmt.Sprintf("(%s - %s)", a, c)
	case pica.BlendReverseSubtract:
		text = fmt.Sprintf("(%s - %s)", c, a)
	case pica.BlendMin, pica.BlendMax:
		text = fmt.Sprintf("%v(%s, %s)", equation, a, c)
	}
	return rows.New("blend "+key, BlendForm, "equation", equation.String(),
		"source", pica.BlendFactor(code.src).String(), "dest", pica.BlendFactor(code.dst).String(), "factors", factors, "result", is).
		In(key, rows.New("", "{text}", "text", fmt.Sprintf("%s / 255 = %v", text, is)))
}
