package hardware

import (
	"image"
	"math"

	"pica200/pica"
)

// Colours of programs with yes-or-no answers.
var (
	yes = [4]uint8{0, 255, 0, 255}
	no  = [4]uint8{255, 0, 0, 255}
)

var (
	green  = [4]float32{0, 1, 0, 1}
	red    = [4]float32{1, 0, 0, 1}
	blue   = [4]float32{0, 0, 1, 1}
	yellow = [4]float32{1, 1, 0, 1}
)

// yesNo are the answers of cells that are green or red.
func yesNo(ifYes, ifNo string) []outcome { return []outcome{flat(ifYes, yes), flat(ifNo, no)} }

// showStencil draws a cell green if its stencil has a value, else red.
func (b *builder) showStencil(x, y int, value uint8) {
	b.set(pica.RegStencilOp, 0)
	b.set(pica.RegStencilTest, 0)
	b.cell(x, y, red)
	b.set(pica.RegStencilTest, 1|uint32(pica.CompareEqual)<<4|uint32(value)<<16|0xFF<<24)
	b.cell(x, y, green)
	b.set(pica.RegStencilTest, 0)
}

// putStencil sets the stencil of a cell.
func (b *builder) putStencil(x, y int, value uint8) {
	b.set(pica.RegStencilTest, 1|uint32(pica.CompareAlways)<<4|0xFF<<8|uint32(value)<<16|0xFF<<24)
	b.set(pica.RegStencilOp, uint32(pica.StencilReplace)<<8)
	b.cell(x, y, red)
	b.set(pica.RegStencilTest, 0)
}

// readsOff draws with a register that forbids to read a buffer.
var readsOff = Program{
	Name: "reads-off", About: "Cells 0, 2, 4 and 6 of row 0: blending, stencil EQUAL 0, stencil EQUAL what it holds, depth LESS than what it holds, each with reading switched off.",
	width: 64, height: 64, format: pica.ColorFormatRGBA8, clearTo: background,
	questions: []openQuestion{
		ask("What does blending read from a colour buffer that may not be read (it holds 0x60)?", "raster: reads switched off (ReadsSwitchedOff; 0x112, 0x114)", cells(0, 0, 1, 1), []outcome{
			flat("0", [4]uint8{0x30, 0x30, 0x30, 0x30}),
			flat("what it holds", [4]uint8{0x90, 0x90, 0x90, 0x90}),
			flat("1", [4]uint8{255, 255, 255, 255}),
		}),
		ask("Does a stencil that may not be read and holds 5 equal 0?", "raster: reads switched off (ReadsSwitchedOff; 0x112, 0x114)", cells(2, 0, 1, 1), yesNo("yes, 0 is read", "no")),
		ask("Does it equal 5?", "raster: reads switched off (ReadsSwitchedOff; 0x112, 0x114)", cells(4, 0, 1, 1), yesNo("yes, the buffer is read", "no")),
		ask("Is depth 0.25 less than a depth that may not be read and holds 0.5?", "raster: reads switched off (ReadsSwitchedOff; 0x112, 0x114)", cells(6, 0, 1, 1), yesNo("yes, the buffer is read", "no, 0 is read")),
	},
	build: func(b *builder) {
		b.cell(0, 0, gray(0x60))
		b.set(pica.RegColorbufferRead, 0)
		b.blend(pica.FactorOne, pica.FactorOne)
		b.cell(0, 0, gray(0x30))
		b.blend(pica.FactorOne, pica.FactorZero)
		b.set(pica.RegColorbufferRead, 0xF)
		b.putStencil(2, 0, 5)
		b.putStencil(4, 0, 5)
		b.set(pica.RegDepthbufferRead, 0)
		for _, c := range []struct {
			x   int
			ref uint32
		}{{2, 0}, {4, 5}} {
			b.set(pica.RegStencilTest, 1|uint32(pica.CompareEqual)<<4|c.ref<<16|0xFF<<24)
			b.set(pica.RegStencilOp, 0)
			b.cell(c.x, 0, green)
		}
		b.set(pica.RegStencilTest, 0)
		b.set(pica.RegDepthbufferRead, 3)
		at := func(z float32, color [4]float32) { b.quadAt(z, 6*cellSize, 0, 7*cellSize, cellSize, color) }
		b.set(pica.RegDepthColorMask, 0x1F00) // depth is written
		at(0.5, red)
		b.set(pica.RegDepthbufferRead, 0)
		b.set(pica.RegDepthColorMask, 0xF01|uint32(pica.CompareLess)<<4)
		at(0.25, green)
	},
}

// testOrder has a stencil that counts and an alpha test that fails.
var testOrder = Program{
	Name: "alpha-stencil", About: "Cell 0: the stencil counts up on every outcome, the alpha test fails; green if it counted.",
	width: 64, height: 64, format: pica.ColorFormatRGBA8, clearTo: background,
	questions: []openQuestion{ask("Does a fragment that the alpha test drops change the stencil?", "raster: order of the tests", cells(0, 0, 1, 1),
		yesNo("yes, the alpha test comes after", "no, the alpha test comes first"))},
	build: func(b *builder) {
		b.set(pica.RegFragopAlphaTest, 1|uint32(pica.CompareNever)<<4)
		b.set(pica.RegStencilTest, 1|uint32(pica.CompareAlways)<<4|0xFF<<8|0xFF<<24)
		count := uint32(pica.StencilIncrement)
		b.set(pica.RegStencilOp, count|count<<4|count<<8)
		b.cell(0, 0, blue)
		b.set(pica.RegFragopAlphaTest, 0)
		b.showStencil(0, 0, 1)
	},
}

// earlyDepth enables the early depth test with a clear value that drops everything.
var earlyDepth = Program{
	Name: "early-depth", About: "Columns: the four functions of the early depth test; row 0 cleared to 0, row 2 to the greatest depth; green where a quad at 0.5 is drawn.",
	width: 64, height: 64, format: pica.ColorFormatRGBA8, clearTo: background,
	questions: func() (all []openQuestion) {
		for row, text := range []string{"0", "0xFFFFFF"} {
			for f, name := range []string{"GEQUAL", "GREATER", "LEQUAL", "LESS"} {
				all = append(all, ask("Does "+name+" against "+text+" drop a fragment at half depth?",
					"raster: early depth test (GPUREG_EARLYDEPTH_*)", cells(2*f, 2*row, 1, 1),
					yesNo("no", "yes")))
			}
		}
		return all
	}(),
	build: func(b *builder) {
		for row, value := range []uint32{0, 0xFFFFFF} {
			for f := range 4 {
				b.cell(2*f, 2*row, red)
				b.set(pica.RegEarlydepthFunc, uint32(f))
				b.set(pica.RegEarlydepthData, value)
				b.set(pica.RegEarlydepthClear, 1)
				b.set(pica.RegEarlydepthTest1, 1)
				b.set(pica.RegEarlydepthTest2, 1)
				b.cell(2*f, 2*row, green)
				b.set(pica.RegEarlydepthTest1, 0)
				b.set(pica.RegEarlydepthTest2, 0)
			}
		}
	},
}

// The target-flip picture: a quad of four colours in the viewport at 8, 0 of
// 32x40 pixels, cut by a scissor rectangle from 8, 8 to 35, 27.
const (
	flipX, flipWidth, flipHeight = 8, 32, 40
	cutX1, cutY1, cutX2, cutY2   = 8, 8, 35, 27
)

// flipped is the picture if the rows of the quad, or the scissor rectangle, or
// both are counted from the top of the memory.
func flipped(text string, quad, scissor bool) outcome {
	return outcome{text, func(x, y int) [4]uint8 {
		qy, sy := y, y
		if quad {
			qy = 63 - y
		}
		if scissor {
			sy = 63 - y
		}
		if x < flipX || x >= flipX+flipWidth || qy >= flipHeight || x < cutX1 || x > cutX2 || sy < cutY1 || sy > cutY2 {
			return backgroundColor
		}
		right, upper := x >= flipX+flipWidth/2, qy >= flipHeight/2
		switch {
		case right && upper:
			return [4]uint8{255, 255, 0, 255}
		case right:
			return [4]uint8{0, 255, 0, 255}
		case upper:
			return [4]uint8{0, 0, 255, 255}
		}
		return [4]uint8{255, 0, 0, 255}
	}}
}

func flipTest(name string, bit uint32, about string) Program {
	return Program{
		Name: name, About: about, width: 64, height: 64, format: pica.ColorFormatRGBA8, clearTo: background,
		questions: []openQuestion{ask("Which way up are viewport and scissor rectangle?", "raster: target upside down (TargetFlip)", image.Rect(0, 0, 64, 64), []outcome{
			flipped("both count from the last row in memory", false, false),
			flipped("both are mirrored: they count from the first row in memory", true, true),
			flipped("the viewport is mirrored, the scissor rectangle is not", true, false),
			flipped("the scissor rectangle is mirrored, the viewport is not", false, true),
		})},
		build: func(b *builder) {
			dim := bit<<24 | 63<<12 | 64
			b.set(pica.RegFramebufferDim, dim)
			b.viewport(flipX, 0, flipWidth, flipHeight)
			b.set(pica.RegScissortestMode, 3)
			b.set(pica.RegScissortestPos, cutY1<<16|cutX1)
			b.set(pica.RegScissortestDim, cutY2<<16|cutX2)
			for _, q := range []struct {
				x, y  float64
				color [4]float32
			}{{0, 0, red}, {32, 0, green}, {0, 32, blue}, {32, 32, yellow}} {
				b.quad(q.x, q.y, q.x+32, q.y+32, q.color) // halves of clip space
			}
		},
	}
}

// inverses sets wrong values in GPUREG_VIEWPORT_INVW and _INVH.
var inverses = Program{
	Name: "viewport-inverse", About: "A quad of half the viewport's width and height, with GPUREG_VIEWPORT_INVW and _INVH twice as great as 2 / size.",
	width: 64, height: 64, format: pica.ColorFormatRGBA8, clearTo: background,
	questions: []openQuestion{ask("What do the inverses of the viewport's size do?", "geometry: window coordinates", image.Rect(0, 0, 64, 64), []outcome{
		square("nothing that shows", 16, 48, 64),
		square("what lies outside of half the view volume is clipped", 16, 48, 48),
		square("positions are scaled by them", 0, 64, 64),
	})},
	build: func(b *builder) {
		b.w.WriteRun(pica.RegViewportWidth, pica.Float24.Encode(32), pica.Float31.Encode(4.0/64)<<1, pica.Float24.Encode(32), pica.Float31.Encode(4.0/64)<<1)
		b.quad(16, 16, 64, 48, green)
	},
}

// square is the answer of a green rectangle from x0 to the right edge, limit,
// between y0 = x0 and y1.
func square(text string, x0, y1, limit int) outcome {
	return outcome{text, func(x, y int) [4]uint8 {
		if x >= x0 && x < limit && y >= x0 && y < y1 {
			return yes
		}
		return backgroundColor
	}}
}

// The fill-rule picture adds triangles whose edges cross pixel centres: each pixel shows how many triangles cover it.
func fillAnswer(text string, owns func(dx, dy float64) bool) outcome {
	return outcome{text, func(x, y int) [4]uint8 {
		n := 0
		for _, t := range fillTriangles {
			in := true
			for i := range t {
				p, q := t[i], t[(i+1)%3]
				dx, dy := q[0]-p[0], q[1]-p[1]
				e := float64(dx*(float64(y)+0.5-p[1])) - float64(dy*(float64(x)+0.5-p[0]))
				if e < 0 || e == 0 && !owns(dx, dy) {
					in = false
				}
			}
			if in {
				n++
			}
		}
		return opaqueGray(n * 0x30)
	}}
}

// fillTriangles wind counter-clockwise; corners in pixels.
var fillTriangles = [][3][2]float64{
	{{4.5, 4.5}, {20.5, 4.5}, {20.5, 20.5}}, {{4.5, 4.5}, {20.5, 20.5}, {4.5, 20.5}}, // a square, cut along a diagonal
	{{20.5, 4.5}, {36.5, 4.5}, {36.5, 20.5}}, {{20.5, 4.5}, {36.5, 20.5}, {20.5, 20.5}}, // its neighbour
	{{4.5, 30.5}, {28.5, 30.5}, {16.5, 42.5}}, {{16.5, 42.5}, {28.5, 54.5}, {4.5, 54.5}}, // two that meet in a point
	{{40.5, 30.5}, {58.5, 30.5}, {58.5, 58.5}},
}

var fillRule = Program{
	Name: "fill-rule", About: "Triangles whose edges and corners lie on centres of pixels, added up.",
	width: 64, height: 64, format: pica.ColorFormatRGBA8, clearTo: 0xFF,
	questions: []openQuestion{ask("Which of the centres on its edges does a triangle cover?", "raster: fill rule (FillRule)", image.Rect(0, 0, 64, 64), []outcome{
		fillAnswer("left edges, and horizontal ones at the smaller window y", func(dx, dy float64) bool { return dy < 0 || dy == 0 && dx > 0 }),
		fillAnswer("left edges, and horizontal ones at the greater window y", func(dx, dy float64) bool { return dy < 0 || dy == 0 && dx < 0 }),
		fillAnswer("right edges, and horizontal ones at the smaller window y", func(dx, dy float64) bool { return dy > 0 || dy == 0 && dx > 0 }),
		fillAnswer("right edges, and horizontal ones at the greater window y", func(dx, dy float64) bool { return dy > 0 || dy == 0 && dx < 0 }),
		fillAnswer("all", func(dx, dy float64) bool { return true }),
		fillAnswer("none", func(dx, dy float64) bool { return false }),
	})},
	build: func(b *builder) {
		b.set(pica.RegBlendFunc, uint32(pica.FactorOne)<<16|uint32(pica.FactorOne)<<20|uint32(pica.FactorOne)<<24|uint32(pica.FactorZero)<<28)
		color := gray(0x30)
		color[3] = 1
		for _, t := range fillTriangles {
			b.draw(0.5, corner{t[0][0], t[0][1], color, 0, 0}, corner{t[1][0], t[1][1], color, 0, 0}, corner{t[2][0], t[2][1], color, 0, 0})
		}
	},
}

// subpixel moves the left edge of row k's quad over the centre of pixel 32 in steps of 1/128 of a pixel: k - 32 steps.
func subpixel(text string, round func(x float64) float64) outcome {
	return outcome{text, func(x, y int) [4]uint8 {
		edge := round(32.5 + float64(float64(y-32)/128))
		if float64(x)+0.5 >= edge && x < 40 {
			return yes
		}
		return backgroundColor
	}}
}

var subpixels = Program{
	Name: "subpixels", About: "64 quads a row high whose left edges step by 1/128 of a pixel over the centre of column 32.",
	width: 64, height: 64, format: pica.ColorFormatRGBA8, clearTo: background,
	questions: []openQuestion{ask("How are positions rounded?", "geometry: window coordinates", image.Rect(0, 0, 64, 64), []outcome{
		subpixel("to the nearest 1/16, halves up", func(x float64) float64 { return math.Floor(float64(x*16)+0.5) / 16 }),
		subpixel("to the nearest 1/16, halves down", func(x float64) float64 { return math.Ceil(float64(x*16)-0.5) / 16 }),
		subpixel("down to 1/16", func(x float64) float64 { return math.Floor(x*16) / 16 }),
		subpixel("to the nearest 1/32", func(x float64) float64 { return math.Floor(float64(x*32)+0.5) / 32 }),
		subpixel("they are not, or to 1/64 and finer", func(x float64) float64 { return x }),
	})},
	build: func(b *builder) {
		for y := range 64 {
			b.quad(32.5+float64(float64(y-32)/128), float64(y), 40, float64(y+1), green)
		}
	},
}
