package seeds

import (
	"image"
	"image/color"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/frontend/gl"
	"pica200/pica"
	"pica200/tests/testkit"
)

// filters draws black and white stripes of one texel, grey in the next level of detail, with each texture filter. Each case has a
// position in the texture, in texels, and a step per pixel.
func filters(t *testing.T) {
	p := testkit.Must(painterProgram())(t)
	stripes := image.NewNRGBA(image.Rect(0, 0, 16, 16))
	for k := range 256 {
		c := uint8(255 * (k & 1))
		stripes.SetNRGBA(k%16, k/16, color.NRGBA{c, c, c, 255})
	}
	const nearest, linear = pica.FilterNearest, pica.FilterLinear
	for _, c := range []struct {
		unit          int
		mag, min, mip pica.Filter
		bias          float32
		at, step      float32
		want          float64
	}{
		{0, nearest, linear, linear, 0, 4.125, 0, 0}, {0, linear, nearest, linear, 0, 4.25, 0, 0.25 * 255}, {0, linear, nearest, linear, 0, 5.25, 0, 0.75 * 255},
		{1, nearest, linear, linear, 0, 4.125, 0, 0}, {1, linear, nearest, linear, 0, 4.25, 0, 0.25 * 255},
		{2, nearest, linear, linear, 0, 5.125, 0, 255}, {2, linear, nearest, linear, 0, 5.25, 0, 0.75 * 255},
		{0, nearest, linear, nearest, 0, 4.25, 1.25, 0.25 * 255}, {0, linear, nearest, nearest, 0, 4.25, 1.25, 0}, // level of detail 0.32
		{0, linear, nearest, linear, 0, 4.25, 1.25, 0.32 * 127.5}, {0, linear, nearest, nearest, 1, 4.25, 1.25, 127.5}, {0, linear, nearest, linear, 0, 4.25, 2, 127.5},
		{1, linear, nearest, linear, 0.5, 5.5, 0, 255}, {2, nearest, nearest, nearest, 0, 4.5, 0, 0},
	} {
		d := square(t, p, [4]float32{}, -0.5)
		texture := testkit.Must(d.c.NewTexture(t.Context(), stripes, pica.TextureFormatRGBA8, 2))(t)
		texture.Mag, texture.Min, texture.Mip, texture.LODBias = c.mag, c.min, c.mip, c.bias
		require.NoError(t, d.c.BindTexture(c.unit, texture))
		apply(t, d.c.Uniforms, strings.ReplaceAll("dmp_Texture[%d].samplerType=GL_TEXTURE_2D; dmp_TexEnv[0].srcRgb=GL_TEXTURE%d,GL_TEXTURE%d,GL_TEXTURE%d", "%d", strconv.Itoa(c.unit)), 0)
		slope := 4 * c.step / 16 // from the centre of the square: 8 pixels are 2 units
		require.NoError(t, p.SetFloat("slope", [4]float32{slope}))
		for unit, name := range []string{"coord0", "coord1", "coord2"} {
			at := float32(0)
			if unit == c.unit {
				at = c.at/16 - slope*(1.5/4-1)
			}
			require.NoError(t, p.SetFloat(name, [4]float32{at, 0.5}))
		}
		require.NoError(t, d.c.DrawArrays(t.Context(), pica.PrimitiveTriangleStrip, 0, 4))
		require.InDelta(t, c.want, float64(d.pixel(t, 1, 4).R), 4, "%+v", c)
	}
}

// onto returns a function that draws the square over a cleared target and returns colour, depth and stencil.
func onto(t *testing.T, set func(c *gl.Context)) func(paint, there [4]float32, depth float32, stencil uint8) (c color.NRGBA, z uint16, s uint8) {
	p := testkit.Must(painterProgram())(t)
	d := square(t, p, [4]float32{}, -0.5)
	set(d.c)
	return func(paint, there [4]float32, depth float32, stencil uint8) (color.NRGBA, uint16, uint8) {
		require.NoError(t, p.SetFloat("paint", paint))
		require.NoError(t, d.c.ClearColor(t.Context(), there[0], there[1], there[2], there[3]))
		require.NoError(t, d.c.ClearDepth(t.Context(), depth, stencil))
		require.NoError(t, d.c.DrawArrays(t.Context(), pica.PrimitiveTriangleStrip, 0, 4))
		z := testkit.Must(d.target.ReadDepth(t.Context()))(t)
		s := testkit.Must(d.target.ReadStencil(t.Context()))(t)
		return d.pixel(t, 1, 4), z.Gray16At(1, 4).Y, s.GrayAt(1, 4).Y
	}
}

// Colours of blending: source, destination and constant.
var drawn, there, constant = [4]float32{0.8, 0.6, 0.4, 0.6}, [4]float32{0.2, 0.4, 0.6, 0.8}, [4]float32{0.4, 0.8, 0.2, 0.2}

// blending checks every factor and equation. Minimum and maximum apply to the products, as tests on consoles show (citra 2684).
func blending(t *testing.T) {
	factor := func(f pica.BlendFactor, k int) float64 {
		x := [15]float32{0, 1, drawn[k], 1 - drawn[k], there[k], 1 - there[k], drawn[3], 1 - drawn[3], there[3], 1 - there[3], constant[k], 1 - constant[k], constant[3], 1 - constant[3],
			min(drawn[3], 1-there[3])}[f]
		if k == 3 && f == pica.FactorSrcAlphaSaturate {
			x = 1
		}
		return float64(x)
	}
	equations := []func(s, d float64) float64{func(s, d float64) float64 { return s + d }, func(s, d float64) float64 { return s - d }, func(s, d float64) float64 { return d - s },
		func(s, d float64) float64 { return min(s, d) }, func(s, d float64) float64 { return max(s, d) }}
	for n := range 15 * 5 {
		b := gl.BlendState{ColorSource: pica.BlendFactor(n % 15), ColorDest: pica.BlendFactor((4*n + 9) % 15), AlphaSource: pica.BlendFactor((n + 5) % 15), AlphaDest: pica.BlendFactor((2*n + 1) % 15),
			ColorEquation: pica.BlendEquation(n / 15), AlphaEquation: pica.BlendEquation((n + 2) % 5)}
		got, _, _ := onto(t, func(c *gl.Context) {
			c.BlendColor(constant[0], constant[1], constant[2], constant[3])
			c.Blend(b)
		})(drawn, there, 1, 0)
		for k, x := range []uint8{got.R, got.G, got.B, got.A} {
			source, dest, equation := b.ColorSource, b.ColorDest, b.ColorEquation
			if k == 3 {
				source, dest, equation = b.AlphaSource, b.AlphaDest, b.AlphaEquation
			}
			want := equations[equation](float64(drawn[k])*factor(source, k), float64(there[k])*factor(dest, k))
			require.InDelta(t, 255*clamp(want), float64(x), 2, "%+v, component %d", b, k)
		}
	}
}

// logic checks each logic operation of OpenGL on the colours 204 153 102 153 and 51 102 153 204.
func logic(t *testing.T) {
	s, d := [4]uint8{204, 153, 102, 153}, [4]uint8{51, 102, 153, 204}
	for op, f := range []func(s, d uint8) uint8{
		func(_, _ uint8) uint8 { return 0 }, func(s, d uint8) uint8 { return s & d }, func(s, d uint8) uint8 { return s &^ d }, func(s, _ uint8) uint8 { return s },
		func(_, _ uint8) uint8 { return 255 }, func(s, _ uint8) uint8 { return ^s }, func(_, d uint8) uint8 { return d }, func(_, d uint8) uint8 { return ^d },
		func(s, d uint8) uint8 { return ^(s & d) }, func(s, d uint8) uint8 { return s | d }, func(s, d uint8) uint8 { return ^(s | d) }, func(s, d uint8) uint8 { return s ^ d },
		func(s, d uint8) uint8 { return ^(s ^ d) }, func(s, d uint8) uint8 { return d &^ s }, func(s, d uint8) uint8 { return s | ^d }, func(s, d uint8) uint8 { return d | ^s },
	} {
		got, _, _ := onto(t, func(c *gl.Context) { c.LogicOp(pica.LogicOp(op)) })(drawn, there, 1, 0)
		require.Equal(t, [4]uint8{f(s[0], d[0]), f(s[1], d[1]), f(s[2], d[2]), f(s[3], d[3])}, [4]uint8{got.R, got.G, got.B, got.A}, "operation %d", op)
	}
}

// passes is the table of comparisons, in register order.
func passes(f int, a, b float64) bool {
	return []bool{false, true, a == b, a != b, a < b, a <= b, a > b, a >= b}[f]
}

// tests checks each depth and stencil function, and each stencil operation in each of its three cases.
func tests(t *testing.T) {
	_, middle, _ := onto(t, func(*gl.Context) {})(drawn, there, 1, 0)
	require.InDelta(t, 0x7FFF, middle, 1)
	for f := range 8 {
		depth := onto(t, func(c *gl.Context) { c.DepthTest(true, pica.CompareFunc(f)) })
		stencil := onto(t, func(c *gl.Context) { c.StencilTest(true, pica.CompareFunc(f), 0x15, 0x0F) })
		for _, value := range []uint8{0x24, 0x35, 0x06} { // less, equal and greater in the lower four bits
			c, _, _ := stencil(drawn, there, 1, value)
			require.Equal(t, passes(f, 5, float64(value&15)), c.R == 204, "stencil, function %d, 0x%02X", f, value)
		}
		for _, d := range []float32{0.25, 0.75} {
			c, z, _ := depth(drawn, there, d, 0)
			require.Equal(t, passes(f, 0.5, float64(d)), c.R == 204, "depth, function %d, %v", f, d)
			if c.R == 204 {
				require.Equal(t, middle, z)
			} else {
				require.InDelta(t, math.Floor(float64(d)*0xFFFF), z, 1)
			}
		}
		c := equalDepth(t, pica.CompareFunc(f))
		require.Equal(t, passes(f, 1, 1), c.R == 204, "depth, function %d, the same", f)
	}
	const reference = 9
	for op, f := range []func(x uint8) uint8{func(x uint8) uint8 { return x }, func(uint8) uint8 { return 0 }, func(uint8) uint8 { return reference }, func(x uint8) uint8 { return max(x, x+1) },
		func(x uint8) uint8 { return min(x, x-1) }, func(x uint8) uint8 { return ^x }, func(x uint8) uint8 { return x + 1 }, func(x uint8) uint8 { return x - 1 }} {
		for which := range 3 { // the stencil test fails, the depth test fails, both pass
			ops := [3]pica.StencilOp{pica.StencilOp((op + 1) % 8), pica.StencilOp((op + 1) % 8), pica.StencilOp((op + 1) % 8)}
			ops[which] = pica.StencilOp(op)
			run := onto(t, func(c *gl.Context) {
				c.StencilTest(true, []pica.CompareFunc{pica.CompareNever, pica.CompareAlways, pica.CompareAlways}[which], reference, 0xFF)
				c.DepthTest(true, []pica.CompareFunc{pica.CompareAlways, pica.CompareNever, pica.CompareAlways}[which])
				c.StencilOp(ops[0], ops[1], ops[2])
				c.StencilMask(0xF7)
			})
			for _, x := range []uint8{0, 5, 0x8F, 255} {
				_, _, got := run(drawn, there, 1, x)
				require.Equal(t, f(x)&0xF7|x&8, got, "operation %d in case %d of 0x%02X", op, which, x)
			}
		}
	}
}

// equalDepth draws the square twice, the second time with a depth test.
func equalDepth(t *testing.T, f pica.CompareFunc) color.NRGBA {
	p := testkit.Must(painterProgram())(t)
	d := square(t, p, [4]float32{}, -0.5)
	for k, paint := range [][4]float32{there, drawn} {
		require.NoError(t, p.SetFloat("paint", paint))
		d.c.DepthTest(k == 1, f)
		require.NoError(t, d.c.DrawArrays(t.Context(), pica.PrimitiveTriangleStrip, 0, 4))
	}
	return d.pixel(t, 1, 4)
}
