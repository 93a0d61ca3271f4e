package hardware

import (
	"image"
	"math"

	"pica200/pica"
)

// The known ways to divide products of bytes by 255.
func nearest(x int) int { return (2*x + 255) / 510 }
func down(x int) int    { return x / 255 }
func shifted(x int) int { return (x + x>>8 + 128) >> 8 }

const (
	saysNearest = "rounded to nearest"
	saysDown    = "the fraction is dropped"
	saysShifted = "(x + (x >> 8) + 128) >> 8, which is rounding but for few products"
)

// whole is the area of a picture of 256x256 pixels.
var whole = image.Rect(0, 0, 256, 256)

func clampByte(v int) uint8 { return uint8(min(max(v, 0), 255)) }

func opaqueGray(v int) [4]uint8 { g := clampByte(v); return [4]uint8{g, g, g, 255} }

// divided makes the answers for a picture whose pixel in column x and row y is
// a division by 255.
func divided(f func(divide func(int) int, x, y int) int) []outcome {
	var all []outcome
	for _, a := range []struct {
		text   string
		divide func(int) int
	}{{saysNearest, nearest}, {saysDown, down}, {saysShifted, shifted}} {
		all = append(all, outcome{a.text, func(x, y int) [4]uint8 { return opaqueGray(f(a.divide, x, y)) }})
	}
	return all
}

// rampTest is a picture of 256x256 results of two bytes, column and row.
func rampTest(name, about, question, rule string, answers []outcome, build func(b *builder)) Program {
	return Program{
		Name: name, About: about, width: 256, height: 256, format: pica.ColorFormatRGBA8, clearTo: 0xFF,
		questions: []openQuestion{ask(question, rule, whole, answers)},
		build: func(b *builder) {
			b.ramps()
			build(b)
		},
	}
}

const (
	tex0 = pica.SourceTexture0
	tex1 = pica.SourceTexture1
)

func complement(v int) int {
	if v >= 128 {
		return 2*v - 255
	}
	return 254 - 2*v
}

// dot3 is a product of DOT3 as the console calculates it.
func dot3(divide func(int) int, a, b int) int {
	q := divide(complement(a) * complement(b))
	if (a < 128) != (b < 128) {
		return -q - 1
	}
	return q
}

// The constant operands of the combiner programs.
const (
	mixed = 100 // source 1 of INTERPOLATE
	added = 37  // addend of ADD_MULT and MULT_ADD
	over  = 200 // the colour blended over another
	fog   = 90  // every channel of the fog colour
)

var products = []Program{
	rampTest("modulate", "MODULATE of two textures: column times row.",
		"How is the product of MODULATE divided by 255?", "raster: combiner products (TexEnvRounding)",
		divided(func(divide func(int) int, x, y int) int { return divide(x * y) }),
		func(b *builder) {
			b.combine(pica.CombineModulate, tex0, tex1)
			b.quad(0, 0, 256, 256, white)
		}),
	rampTest("modulate-scale", "MODULATE of two textures, times 2.",
		"Is the product rounded before or after the scale of 2?", "raster: combiner scale",
		append(divided(func(divide func(int) int, x, y int) int { return 2 * divide(x*y) })[:2],
			outcome{"scaled first, then rounded to nearest", func(x, y int) [4]uint8 { return opaqueGray(nearest(2 * x * y)) }},
			outcome{"scaled first, then the fraction is dropped", func(x, y int) [4]uint8 { return opaqueGray(down(2 * x * y)) }}),
		func(b *builder) {
			b.combine(pica.CombineModulate, tex0, tex1)
			b.set(pica.TexenvBase(0)+4, 1)
			b.quad(0, 0, 256, 256, [4]float32{1, 1, 1, 1})
		}),
	rampTest("mult-add", "MULT_ADD: column times row plus 37.",
		"How is the product of MULT_ADD divided by 255?", "raster: combiner products (TexEnvRounding)",
		divided(func(divide func(int) int, x, y int) int { return divide(x*y) + added }),
		func(b *builder) {
			b.combine(pica.CombineMultAdd, tex0, tex1, pica.SourceConstant)
			b.constant(added, added, added, 0)
			b.quad(0, 0, 256, 256, white)
		}),
	rampTest("add-mult", "ADD_MULT: column plus 37, times row.",
		"How is the product of ADD_MULT divided by 255?", "raster: combiner products (TexEnvRounding)",
		divided(func(divide func(int) int, x, y int) int { return divide(min(x+added, 255) * y) }),
		func(b *builder) {
			b.combine(pica.CombineAddMult, tex0, pica.SourceConstant, tex1)
			b.constant(added, added, added, 0)
			b.quad(0, 0, 256, 256, white)
		}),
	rampTest("interpolate", "INTERPOLATE: column and 100 mixed by row.",
		"Does INTERPOLATE round once or after each product?", "raster: combiner products (TexEnvRounding)",
		append(divided(func(divide func(int) int, x, y int) int { return divide(x*y + mixed*(255-y)) }),
			outcome{"each product is rounded to nearest", func(x, y int) [4]uint8 { return opaqueGray(nearest(x*y) + nearest(mixed*(255-y))) }},
			outcome{"the fraction of each product is dropped", func(x, y int) [4]uint8 { return opaqueGray(down(x*y) + down(mixed*(255-y))) }},
			outcome{"one product, of the difference, negated by one's complement", func(x, y int) [4]uint8 {
				if x >= mixed {
					return opaqueGray(mixed + nearest((x-mixed)*y))
				}
				return opaqueGray(mixed - nearest((mixed-x)*y) - 1)
			}}),
		func(b *builder) {
			b.combine(pica.CombineInterpolate, tex0, pica.SourceConstant, tex1)
			b.constant(mixed, mixed, mixed, 255)
			b.quad(0, 0, 256, 256, white)
		}),
	rampTest("dot3", "DOT3_RGB of column and row in red; green and blue are 0x80, whose product is 0.",
		"How is a product of DOT3 divided by 255 where both formulas that fit the published sweeps differ?", "raster: Dot3 (Dot3Products)",
		divided(func(divide func(int) int, x, y int) int { return dot3(divide, x, y) }),
		func(b *builder) {
			red := func(v int) uint32 { return 0xFF808000 | uint32(v) }
			b.texture(0, 256, 8, pica.TextureFormatRGB8, texels(pica.TextureFormatRGB8, 256, 8, func(x, y int) uint32 { return red(x) }))
			b.texture(1, 8, 256, pica.TextureFormatRGB8, texels(pica.TextureFormatRGB8, 8, 256, func(x, y int) uint32 { return red(y) }))
			b.combine(pica.CombineDot3RGB, tex0, tex1)
			b.set(pica.TexenvBase(0)+2, uint32(pica.CombineDot3RGB)|uint32(pica.CombineReplace)<<16)
			b.quad(0, 0, 256, 256, white)
		}),
	rampTest("blend-product", "Column, multiplied by the row that the target holds.",
		"How does blending divide one product by 255?", "raster: blending (BlendRounding)",
		divided(func(divide func(int) int, x, y int) int { return divide(x * y) }),
		func(b *builder) {
			b.combine(pica.CombineReplace, tex1)
			b.quad(0, 0, 256, 256, white)
			b.combine(pica.CombineReplace, tex0)
			b.set(pica.RegBlendFunc, uint32(pica.FactorDstColor)<<16|uint32(pica.FactorZero)<<20|uint32(pica.FactorOne)<<24)
			b.quad(0, 0, 256, 256, white)
		}),
	rampTest("blend-mix", "200 over the row that the target holds, by an alpha that is the column.",
		"Does blending round once or after each product?", "raster: blending (BlendRounding)",
		append(divided(func(divide func(int) int, x, y int) int { return divide(over*x + y*(255-x)) }),
			outcome{"each product is rounded to nearest", func(x, y int) [4]uint8 { return opaqueGray(nearest(over*x) + nearest(y*(255-x))) }},
			outcome{"the fraction of each product is dropped", func(x, y int) [4]uint8 { return opaqueGray(down(over*x) + down(y*(255-x))) }}),
		func(b *builder) {
			b.combine(pica.CombineReplace, tex1)
			b.quad(0, 0, 256, 256, white)
			// The colour is constant, alpha the red of texture 0.
			b.set(pica.TexenvBase(0), uint32(pica.SourceConstant)|uint32(tex0)<<16)
			b.set(pica.TexenvBase(0)+1, uint32(pica.OperandASrcRed)<<12)
			b.constant(over, over, over, 0)
			b.set(pica.RegBlendFunc, uint32(pica.FactorSrcAlpha)<<16|uint32(pica.FactorOneMinusSrcAlpha)<<20|uint32(pica.FactorOne)<<24|uint32(pica.FactorOne)<<28)
			b.quad(0, 0, 256, 256, white)
		}),
	rampTest("fog", "Fog of 90 over column; a pair of rows has one factor, 16 of 2047 more than the pair below.",
		"How is the mix of fog divided and rounded, and what is the full factor?", "fragment-units: fog",
		fogAnswers(),
		func(b *builder) {
			b.combine(pica.CombineReplace, tex0)
			b.set(pica.RegTexenvUpdateBuffer, uint32(pica.FogModeFog))
			b.set(pica.RegFogColor, fog*0x010101)
			b.set(pica.RegFogLutIndex, 0)
			for i := range uint32(128) {
				b.set(pica.RegFogLutData0, i*16<<13)
			}
			// Depth goes from 0 at the lower edge to 1 at the upper one.
			c := rectangle(0, 0, 256, 256, white, 0, 0, 1, 1)
			b.drawSloped(c)
		}),
}

func fogAnswers() (all []outcome) {
	for _, one := range []float64{2047, 2048} {
		for _, rounding := range []struct {
			text string
			add  float64
		}{{saysNearest, 0.5}, {saysDown, 0}} {
			text := rounding.text + ", 2047 is 1"
			if one == 2048 {
				text = rounding.text + ", 2048 would be 1"
			}
			all = append(all, outcome{text, func(x, y int) [4]uint8 {
				f := float64(y/2*16) / one
				return opaqueGray(int(math.Floor(float64(f*float64(x)) + float64((1-f)*fog) + rounding.add)))
			}})
		}
	}
	return all
}

// drawSloped draws corners at a depth that is 0 at the lower and 1 at the
// upper edge of the target.
func (b *builder) drawSloped(corners []corner) {
	b.sloped = true
	b.draw(0, corners...)
	b.sloped = false
}
