package hardware

import (
	"image"
	"math"

	"pica200/pica"
)

// cellSize is the side in pixels of the squares in most pictures.
const cellSize = 8

// cells returns the area of the cells from column x0, row y0 on.
func cells(x0, y0, columns, rows int) image.Rectangle {
	return image.Rect(x0*cellSize, y0*cellSize, (x0+columns)*cellSize, (y0+rows)*cellSize)
}

// cell draws a quad over one cell.
func (b *builder) cell(x, y int, color [4]float32) {
	b.quad(float64(x*cellSize), float64(y*cellSize), float64((x+1)*cellSize), float64((y+1)*cellSize), color)
}

// flat returns an answer with one colour for the whole area.
func flat(text string, color [4]uint8) outcome {
	return outcome{text, func(x, y int) [4]uint8 { return color }}
}

// perCell returns an answer with a colour per cell, counted from the lower left
// of the picture.
func perCell(text string, color func(x, y int) [4]uint8) outcome {
	return outcome{text, func(x, y int) [4]uint8 { return color(x/cellSize, y/cellSize) }}
}

// background fills the pictures of cells before drawing.
const background = 0x20406080

var backgroundColor = [4]uint8{0x20, 0x40, 0x60, 0x80}

// lastTexel is the last colour that a unit reads before its texture is removed.
var lastTexel = [4]uint8{0xE0, 0x90, 0x30, 0xC0}

var withoutTexture = []outcome{
	flat("transparent black", [4]uint8{}),
	flat("opaque black", [4]uint8{0, 0, 0, 255}),
	flat("the last texel that the unit read", lastTexel),
	flat("white", [4]uint8{255, 255, 255, 255}),
}

const noTextureRule = `raster: no texture (NoTexture): unit off, unit 0 of type "disabled", address 0, unit 3 off`

// noTexture asks what each unit returns without a texture. Each time, a quad in
// the lower row reads a texel first; the next quad shows the unit.
var noTexture = Program{
	Name: "no-texture", About: "Units 0 to 2 (columns) after they read a texel: row 1 switched off, row 3 at address 0; row 5 unit 0 of type disabled.",
	width: 64, height: 64, format: pica.ColorFormatRGBA8, clearTo: background,
	questions: []openQuestion{
		ask("What does a unit give that is switched off?", noTextureRule, cells(0, 1, 3, 1), withoutTexture),
		ask("What does a unit give whose texture is at address 0?", noTextureRule, cells(0, 3, 3, 1), withoutTexture),
		ask("What does unit 0 give with the type disabled?", noTextureRule, cells(0, 5, 1, 1), withoutTexture),
	},
	build: func(b *builder) {
		c := lastTexel
		data := texels(pica.TextureFormatRGBA8, 8, 8, func(x, y int) uint32 {
			return uint32(c[0]) | uint32(c[1])<<8 | uint32(c[2])<<16 | uint32(c[3])<<24
		})
		source := []pica.Source{pica.SourceTexture0, pica.SourceTexture1, pica.SourceTexture2}
		full := func(unit, row int) {
			b.texture(unit, 8, 8, pica.TextureFormatRGBA8, data)
			b.combine(pica.CombineReplace, source[unit])
			b.cell(unit, row, white)
		}
		for unit := range 3 {
			full(unit, 0)
			b.config &^= 1 << unit
			b.set(pica.RegTexunitConfig, b.config)
			b.cell(unit, 1, white)

			full(unit, 2)
			b.set(pica.TexunitAddr.At(pica.TexunitOffset(unit)).Reg, 0)
			b.cell(unit, 3, white)
			b.config &^= 1 << unit
		}
		full(0, 4)
		b.set(pica.RegTexunit0Param, uint32(pica.TextureDisabled)<<28)
		b.cell(0, 5, white)
	},
}

// numbered is the colour of texel k, in memory order, of the small textures.
func numbered(k int) [4]uint8 { return [4]uint8{uint8(k*3 + 1), uint8(255 - k*3), 0x55, 255} }

// numberedTile returns a tile of 8x8 texels, each with the number of its position.
func numberedTile() []byte {
	data := make([]byte, 0, 256)
	for k := range 64 {
		c := numbered(k)
		data = append(data, c[3], c[2], c[1], c[0])
	}
	return data
}

// morton returns the index in a tile of the texel in column x and row y.
func morton(x, y int) int {
	n := 0
	for i := range 3 {
		n |= (x>>i&1)<<(2*i) | (y>>i&1)<<(2*i+1)
	}
	return n
}

// smallAnswers returns the possible layouts of a texture of w by h texels whose
// texel (0, 0) is drawn in cell x0, y0.
func smallAnswers(x0, y0, w, h int) []outcome {
	of := func(text string, texel func(x, y int) int) outcome {
		return perCell(text, func(x, y int) [4]uint8 { return numbered(texel(x-x0, y-y0)) })
	}
	all := []outcome{
		of("the corner of a tile where it begins: its top left", func(x, y int) int { return morton(x, h-1-y) }),
		of("the lower left corner of a tile", func(x, y int) int { return morton(x, 7-y) }),
		of("rows one after the other, the top one first", func(x, y int) int { return (h-1-y)*w + x }),
		flat("transparent black", [4]uint8{}),
		flat("opaque black", [4]uint8{0, 0, 0, 255}),
	}
	if h == 8 { // the second one gives the same picture
		all = append(all[:1], all[2:]...)
	}
	return all
}

// smallLevel returns the answers for the fourth level, of 2x2 texels, of a
// texture of 16x16. Its memory is numbered from the third level on: the numbers
// of a tile, and again for the next tile with blue 0xAA.
func smallLevel(x0, y0 int) []outcome {
	of := func(text string, first int, blue uint8) outcome {
		return perCell(text, func(x, y int) [4]uint8 {
			c := numbered(first + morton(x-x0, 1-(y-y0)))
			c[2] = blue
			return c
		})
	}
	return []outcome{
		of("each level below takes a whole tile", 0, 0xAA),
		of("levels below take what their texels need", 16, 0x55),
	}
}

// smallTextures draws every texel of textures that do not fill a tile.
var smallTextures = Program{
	Name: "small-textures", About: "Textures of 8x4 (lower left), 4x8 (lower right) and 4x4 texels (above), and the level of 2x2 of a texture of 16x16, a cell a texel.",
	width: 128, height: 128, format: pica.ColorFormatRGBA8, clearTo: background,
	questions: []openQuestion{
		ask("Where are the texels of a texture of 8x4?", "raster: textures and levels smaller than 8x8 (SmallTextures)", cells(0, 0, 8, 4), smallAnswers(0, 0, 8, 4)),
		ask("Where are the texels of a texture of 4x8?", "raster: textures and levels smaller than 8x8 (SmallTextures)", cells(9, 0, 4, 8), smallAnswers(9, 0, 4, 8)),
		ask("Where are the texels of a texture of 4x4?", "raster: textures and levels smaller than 8x8 (SmallTextures)", cells(0, 9, 4, 4), smallAnswers(0, 9, 4, 4)),
		ask("How much room do levels smaller than a tile take?", "raster: textures and levels smaller than 8x8 (SmallTextures)", cells(9, 9, 2, 2), smallLevel(9, 9)),
	},
	build: func(b *builder) {
		b.combine(pica.CombineReplace, tex0)
		for _, t := range []struct{ x, y, w, h int }{{0, 0, 8, 4}, {9, 0, 4, 8}, {0, 9, 4, 4}} {
			b.texture(0, t.w, t.h, pica.TextureFormatRGBA8, numberedTile())
			b.quad(float64(t.x*cellSize), float64(t.y*cellSize), float64((t.x+t.w)*cellSize), float64((t.y+t.h)*cellSize), white)
		}
		second := numberedTile()
		for i := 1; i < len(second); i += 4 {
			second[i] = 0xAA
		}
		data := append(append(make([]byte, 4*16*16+4*8*8), numberedTile()...), second...)
		b.texture(0, 16, 16, pica.TextureFormatRGBA8, data)
		b.set(pica.RegTexunit0Lod, 3<<16|3<<24)
		b.quad(9*cellSize, 9*cellSize, 11*cellSize, 11*cellSize, white)
	},
}

// weights returns the answers for the weight of the second of two texels, 0 and
// 255, at a position between them of (x + 0.5) / 256.
func weights() (all []outcome) {
	for _, bits := range []int{8, 7, 6, 5, 4} {
		n := float64(int(1) << bits)
		all = append(all, outcome{
			map[int]string{8: "8 bits", 7: "7 bits", 6: "6 bits", 5: "5 bits", 4: "4 bits"}[bits] + ", the rest is dropped",
			func(x, y int) [4]uint8 {
				w := math.Floor((float64(x)+0.5)/256*n) / n
				return opaqueGray(int(math.Floor(float64(255*w) + 0.5)))
			},
		})
	}
	return append(all, outcome{"8 bits, rounded to nearest, halves to even", func(x, y int) [4]uint8 {
		w := math.RoundToEven(float64(x)+0.5) / 256
		return opaqueGray(int(math.Floor(float64(255*w) + 0.5)))
	}}, outcome{"exact, rounded once", func(x, y int) [4]uint8 {
		return opaqueGray(int(math.Floor(float64(255*(float64(x)+0.5)/256) + 0.5)))
	}}, outcome{"8 bits, and the fraction of the mix is dropped", func(x, y int) [4]uint8 { return opaqueGray(255 * x / 256) }})
}

// filterWeights moves from the middle of one texel to the middle of the next.
var filterWeights = Program{
	Name: "filter-weights", About: "Linear filter from a texel 0 to a texel 255, 1/256 of a texel a pixel.",
	width: 256, height: 16, format: pica.ColorFormatRGBA8, clearTo: background,
	questions: []openQuestion{ask("How fine are the weights of the linear filter?", "raster: texel position (TexelPosition)", image.Rect(0, 0, 256, 16), weights())},
	build: func(b *builder) {
		b.combine(pica.CombineReplace, tex0)
		b.texture(0, 8, 8, pica.TextureFormatI8, texels(pica.TextureFormatI8, 8, 8, func(x, y int) uint32 {
			if x >= 4 {
				return 0xFFFFFFFF
			}
			return 0xFF000000
		}))
		b.set(pica.RegTexunit0Param, 3<<1) // linear, clamped to the edge
		b.textured(0, 0, 256, 16, white, 3.5/8, 0.25, 4.5/8, 0.25)
	},
}

// Sprites of ownedSize texels and pixels at half positions: pixels lie on boundaries
// of texels. Sprite k is mirrored in x if bit 0 of k is set, in y with bit 1, and has
// its coordinates exchanged with bit 2.
const (
	ownedSize = 8
	ownedX    = 26 // and a half
	ownedY    = 10
	ownedStep = 12
)

func ownedColor(x, y int) [4]uint8 { return [4]uint8{uint8(30 * x), uint8(30 * y), 0x40, 255} }

// owned returns the answer for a way to choose between the texels on both sides
// of a position, for a coordinate that increases or decreases with the pixels.
func owned(text string, choose func(texel int, down bool) int) outcome {
	return outcome{text, func(x, y int) [4]uint8 {
		k, row := (x-ownedX)/ownedStep, y-ownedY
		column := x - ownedX - k*ownedStep
		if x < ownedX || k >= 8 || column >= ownedSize || row < 0 || row >= ownedSize {
			return backgroundColor
		}
		texel := [2]int{column, row}
		for axis := range texel {
			down := k>>axis&1 != 0
			if down {
				texel[axis] = ownedSize - texel[axis]
			}
			texel[axis] = choose(texel[axis], down)
		}
		if k>>2 != 0 {
			texel[0], texel[1] = texel[1], texel[0]
		}
		if min(texel[0], texel[1]) < 0 || max(texel[0], texel[1]) >= ownedSize {
			return yes
		}
		return ownedColor(texel[0], texel[1])
	}}
}

// below returns the answer for a way to round a coordinate in texels, for rows
// whose coordinate is (2*row + 1) / 2048 below 4.
func below(text string, round func(u float64) float64) outcome {
	return outcome{text, func(x, y int) [4]uint8 { return ownedColor(int(round(4-float64(float64(2*y+1)/2048))), 2) }}
}

// nearestRounded rounds to the given number of fractional bits.
func nearestRounded(bits int) func(u float64) float64 {
	n := float64(int(1) << bits)
	return func(u float64) float64 { return math.Floor(math.RoundToEven(float64(u*n)) / n) }
}

const belowRows = 40

// texelOwner draws pixels on boundaries of texels, and just below one.
var texelOwner = Program{
	Name: "texel-owner", About: "Left: 40 rows that read a texture 1/2048, 3/2048, ... of a texel below a boundary. Right: eight sprites of 8x8 texels at half positions, mirrored and with exchanged coordinates; the border is green.",
	width: 128, height: 64, format: pica.ColorFormatRGBA8, clearTo: background,
	questions: []openQuestion{
		ask("How is a coordinate rounded to a texel?", "raster: texel position (TexelPosition)", image.Rect(0, 0, 16, belowRows), []outcome{
			below("to the nearest 1/256, then down", nearestRounded(8)),
			below("down", math.Floor),
			below("to the nearest 1/64, then down", nearestRounded(6)),
			below("to the nearest 1/16, then down", nearestRounded(4)),
		}),
		ask("Which of two texels does a centre on their boundary read?", "raster: nearest texel (TexelOwner)", image.Rect(24, 0, 128, 64), []outcome{
			owned("the one that the fill rule would give it", func(texel int, down bool) int {
				if down {
					return texel - 1
				}
				return texel
			}),
			owned("the one with the greater coordinate", func(texel int, down bool) int { return texel }),
			owned("the one with the lesser coordinate", func(texel int, down bool) int { return texel - 1 }),
			owned("the one with the lesser coordinate, but never less than 0", func(texel int, down bool) int { return max(texel-1, 0) }),
		}),
	},
	build: func(b *builder) {
		b.combine(pica.CombineReplace, tex0)
		b.texture(0, ownedSize, ownedSize, pica.TextureFormatRGBA8, texels(pica.TextureFormatRGBA8, ownedSize, ownedSize, func(x, y int) uint32 {
			c := ownedColor(x, y)
			return uint32(c[0]) | uint32(c[1])<<8 | uint32(c[2])<<16 | uint32(c[3])<<24
		}))
		b.set(pica.RegTexunit0BorderColor, uint32(yes[0])|uint32(yes[1])<<8|uint32(yes[2])<<16|uint32(yes[3])<<24)
		b.set(pica.RegTexunit0Param, uint32(pica.WrapClampToBorder)<<8|uint32(pica.WrapClampToBorder)<<12)
		for y := range belowRows {
			u, v := float32(4-float64(float64(2*y+1)/2048))/ownedSize, float32(2.5/ownedSize)
			b.textured(0, float64(y), 16, float64(y+1), white, u, v, u, v)
		}
		for k := range 8 {
			at := func(x, y int) corner {
				u, v := float32(x^k&1), float32(y^k>>1&1)
				if k>>2 != 0 {
					u, v = v, u
				}
				return corner{ownedX + 0.5 + float64(k*ownedStep+x*ownedSize), ownedY + 0.5 + float64(y*ownedSize), white, u, v}
			}
			b.draw(0.5, at(0, 0), at(1, 0), at(0, 1), at(0, 1), at(1, 0), at(1, 1))
		}
	},
}

// Levels of detail: cell k shows a texture of 64 texels reduced by
// 2^(levelScale(k)).
const levelCells = 64

func levelScale(k int) float64 { return (float64(k) + 0.5) / 16 }

// levelColor returns the colour of a level.
func levelColor(l int) [4]uint8 { return [4]uint8{uint8(l * 60), uint8(255 - l*60), 0x40, 255} }

func levels(text string, level func(scale float64) int) outcome {
	return perCell(text, func(x, y int) [4]uint8 { return levelColor(min(max(level(levelScale(y*8+x)), 0), 3)) })
}

// levelTexture binds a texture with one colour a level and draws cells of it.
func levelTexture(cell func(b *builder)) func(b *builder) {
	return func(b *builder) {
		b.combine(pica.CombineReplace, tex0)
		var data []byte
		for l := range 4 {
			c := levelColor(l)
			data = append(data, texels(pica.TextureFormatRGBA8, 64>>l, 64>>l, func(x, y int) uint32 {
				return uint32(c[0]) | uint32(c[1])<<8 | uint32(c[2])<<16 | uint32(c[3])<<24
			})...)
		}
		b.texture(0, 64, 64, pica.TextureFormatRGBA8, data)
		b.set(pica.RegTexunit0Param, uint32(pica.WrapRepeat)<<8|uint32(pica.WrapRepeat)<<12)
		b.set(pica.RegTexunit0Lod, 3<<16)
		cell(b)
	}
}

var levelSwitch = Program{
	Name: "level-switch", About: "The nearest of four coloured levels; each cell is reduced by 2^(1/16) more than the one before, row by row.",
	width: 64, height: 64, format: pica.ColorFormatRGBA8, clearTo: background,
	questions: []openQuestion{ask("Where does the nearest level of detail change?", "raster: level of detail (LodRule)", cells(0, 0, 8, 8), []outcome{
		levels("half way between two levels", func(s float64) int { return int(math.Ceil(s - 0.5)) }),
		levels("at whole levels, rounded down", func(s float64) int { return int(math.Floor(s)) }),
		levels("at whole levels, rounded up", func(s float64) int { return int(math.Ceil(s)) }),
	})},
	build: levelTexture(func(b *builder) {
		for k := range levelCells {
			x, y := float64(k%8*cellSize), float64(k/8*cellSize)
			size := float32(cellSize * math.Exp2(levelScale(k)) / 64)
			b.textured(x, y, x+cellSize, y+cellSize, white, 0, 0, size, size)
		}
	}),
}

var levelTurned = Program{
	Name: "level-turned", About: "The same, with coordinates turned by 45 degrees in each cell: a step of a pixel is shorter along each than in length.",
	width: 64, height: 64, format: pica.ColorFormatRGBA8, clearTo: background,
	questions: []openQuestion{ask("Which length of a step chooses the level of detail?", "raster: level of detail (LodRule)", cells(0, 0, 8, 8), []outcome{
		levels("the greatest along one coordinate", func(s float64) int { return int(math.Ceil(s - 1)) }),
		levels("that of the longer step", func(s float64) int { return int(math.Ceil(s - 0.5)) }),
		levels("the sum along both coordinates", func(s float64) int { return int(math.Ceil(s)) }),
	})},
	build: levelTexture(func(b *builder) {
		for k := range levelCells {
			x, y := float64(k%8*cellSize), float64(k/8*cellSize)
			half := float32(cellSize * math.Exp2(levelScale(k)) / 64 * math.Sqrt2 / 2)
			at := func(i, j float32) corner {
				return corner{x + cellSize*float64(i), y + cellSize*float64(j), white, (i - j) * half, (i + j) * half}
			}
			b.draw(0.5, at(0, 0), at(1, 0), at(0, 1), at(0, 1), at(1, 0), at(1, 1))
		}
	}),
}

// narrow draws the values 0 to 255 into a target of 16 bits, alpha included.
func narrow(name string, format pica.ColorFormat, bits [4]int) Program {
	answer := func(text string, round func(v, bits int) int) outcome {
		return outcome{text, func(x, y int) (c [4]uint8) {
			for ch, n := range bits {
				switch n {
				case 0:
					c[ch] = 255
				case 1:
					c[ch] = uint8(round(x, 1) * 255)
				default:
					q := round(x, n) << (8 - n)
					c[ch] = uint8(q | q>>n)
				}
			}
			return c
		}}
	}
	return Program{
		Name: name, About: "The values 0 to 255, in alpha too, into a target of 16 bits.",
		width: 256, height: 8, format: format, clearTo: 0,
		questions: []openQuestion{ask("How does a channel lose its low bits?", "raster: formats of 5, 6 and 4 bits", image.Rect(0, 0, 256, 8), []outcome{
			answer("they are dropped", func(v, n int) int { return v >> (8 - n) }),
			answer("the nearest value", func(v, n int) int { return (v*(1<<n-1)*2 + 255) / 510 }),
			answer("half a step is added, then they are dropped", func(v, n int) int { return min(v+1<<(7-n), 255) >> (8 - n) }),
		})},
		build: func(b *builder) {
			b.ramps()
			b.combine(pica.CombineReplace, tex0)
			b.set(pica.TexenvBase(0)+1, uint32(pica.OperandASrcRed)<<12)
			b.quad(0, 0, 256, 8, white)
		},
	}
}
