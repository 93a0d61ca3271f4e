package hardware

import (
	"image"
	"math"

	"pica200/pica"
)

// The position between two entries of the lighting table that cell k reads is
// (2*k + 1) / 16.
const entryCells = 8

// The entry that is read, its difference, and the next entry: the difference is not that of the entries.
const entryHere, entryDifference, entryNext = 2048, -1000, 3072

func betweenEntries(text string, value func(f float64) float64) outcome {
	return perCell(text, func(x, y int) [4]uint8 { return opaqueGray(int(255 * value(float64(2*x+1)/16))) })
}

// lightEntries rotates a light so that L.N moves from one table entry to the next.
var lightEntries = Program{
	Name: "light-entries", About: "Table D0 of L.N, 1/16, 3/16, ... 15/16 of the way from an entry to the next; its difference leads down, the next entry is greater.",
	width: 64, height: 64, format: pica.ColorFormatRGBA8, clearTo: background,
	questions: []openQuestion{ask("What does a lighting table give between two entries?", "fragment-units: table index", cells(0, 0, entryCells, 1), []outcome{
		betweenEntries("the entry and a part of its difference", func(f float64) float64 { return entryHere/4095.0 + f*entryDifference/2047 }),
		betweenEntries("the entry", func(f float64) float64 { return entryHere / 4095.0 }),
		betweenEntries("a straight line to the next entry", func(f float64) float64 { return (entryHere + float64(f*(entryNext-entryHere))) / 4095 }),
		betweenEntries("a straight line between the middles of entries", func(f float64) float64 {
			return (entryHere + float64(max(f-0.5, 0)*(entryNext-entryHere))) / 4095
		}),
	}).within(3)},
	build: func(b *builder) {
		const entry, disabled = 64, reflectionOnly&^(1<<16) | 7<<20 // all tables except D0
		b.combine(pica.CombineReplace, pica.SourceFragmentSecondary)
		for k := range entryCells {
			z := (entry + float64(float64(2*k+1)/16)) / 256
			b.light(float32(math.Sqrt(1-float64(z*z))), float32(z))
			b.set(pica.RegLightingConfig1, disabled)
			b.set(pica.RegLightingLutinputSelect, uint32(pica.LutInputLN))
			b.set(pica.RegLight0Specular0, 255<<20|255<<10|255)
			b.set(pica.RegLightingLutIndex, uint32(pica.TableD0)<<8)
			words := make([]uint32, 256)
			for i := range words {
				words[i] = entryHere | (0x800|-entryDifference)<<12
				if i > entry {
					words[i] = entryNext
				}
			}
			b.w.WriteAll(pica.RegLightingLutData0, words...)
			b.cell(k, 0, white)
		}
	},
}

// The colour table of the procedural texture has paletteWidth entries. Cell k reads it at
// (k + 1/10) / paletteWidth.
const paletteWidth = 8

func paletteAt(k int) float64 { return (float64(k) + 0.1) / paletteWidth }

// Entry i is a grey of 30*i. Its difference, of which the table holds half, is negative.
const paletteStep, paletteDifference = 30, -16

func palette(text string, color func(at float64) float64) outcome {
	return perCell(text, func(x, y int) [4]uint8 { return opaqueGray(int(max(color(paletteAt(x)), 0))) })
}

// linearPalette interpolates from the entry below the position.
func linearPalette(text string, width float64, step float64) outcome {
	return palette(text, func(at float64) float64 {
		i := math.Floor(at * width)
		return float64(paletteStep*i) + float64((float64(at*width)-i)*step)
	})
}

var procEntries = Program{
	Name: "proctex-colors", About: "A colour table of eight entries read at 0.1/8, 1.1/8, ... 7.1/8: row 0 with the nearest filter, row 2 with the linear one.",
	width: 64, height: 64, format: pica.ColorFormatRGBA8, clearTo: background,
	questions: []openQuestion{
		ask("Which entry of the colour table is the nearest?", "fragment-units: colour table", cells(0, 0, paletteWidth, 1), []outcome{
			palette("of the width less 1, the nearest", func(at float64) float64 { return paletteStep * math.Floor(float64(at*(paletteWidth-1))+0.5) }),
			palette("of the width less 1, rounded down", func(at float64) float64 { return paletteStep * math.Floor(at*(paletteWidth-1)) }),
			palette("of the width, rounded down", func(at float64) float64 { return paletteStep * math.Floor(at*paletteWidth) }),
		}),
		ask("What does the linear filter give between entries of the colour table?", "fragment-units: colour table", cells(0, 2, paletteWidth, 1), []outcome{
			linearPalette("of the width less 1, twice the difference is added", paletteWidth-1, paletteDifference),
			linearPalette("of the width less 1, the difference is added once", paletteWidth-1, paletteDifference/2),
			linearPalette("of the width less 1, a straight line to the next entry", paletteWidth-1, paletteStep),
			linearPalette("of the width, twice the difference is added", paletteWidth, paletteDifference),
		}).within(2),
	},
	build: func(b *builder) {
		b.procedural()
		b.procTable(pica.ProcTableRGBMap, 128, func(i int) uint32 { return uint32(32*i) | 32<<12 })
		b.procTable(pica.ProcTableColor, 256, func(i int) uint32 { return 0xFF000000 | 0x010101*uint32(min(paletteStep*i, 255)) })
		b.procTable(pica.ProcTableColorDiff, 256, func(i int) uint32 { d := uint32(256 + paletteDifference/2); return 0x010101 * d })
		b.set(pica.RegTexunit3Proctex0, uint32(pica.ProcClampToEdge)|uint32(pica.ProcClampToEdge)<<3)
		b.set(pica.RegTexunit3Proctex5, 0)
		for i, filter := range []pica.ProcFilter{pica.ProcFilterNearest, pica.ProcFilterLinear} {
			row := 2 * i
			b.set(pica.RegTexunit3Proctex4, uint32(filter)|paletteWidth<<11)
			for k := range paletteWidth {
				u := float32(paletteAt(k))
				b.textured(float64(k*cellSize), float64(row*cellSize), float64((k+1)*cellSize), float64((row+1)*cellSize), white, u, 0, u, 0)
			}
		}
	},
}

// procedural shows the procedural texture.
func (b *builder) procedural() {
	b.combine(pica.CombineReplace, pica.SourceTexture3)
	b.config |= 1 << 10
	b.set(pica.RegTexunitConfig, b.config)
}

func (b *builder) procTable(t pica.ProcTable, entries int, word func(i int) uint32) {
	words := make([]uint32, entries)
	for i := range words {
		words[i] = word(i)
	}
	b.set(pica.RegProctexLut, uint32(t)<<8)
	b.w.WriteAll(pica.RegProctexLutData0, words...)
}

// The rows of the roots: the map, what both coordinates are multiplied by, and v in parts of u.
var rootRows = [...]struct {
	of   pica.ProcMap
	unit float64
	v    float64
}{
	{pica.ProcMapSqrt2, 1.0 / 1024, 0}, {pica.ProcMapSqrt2, 1.0 / 4096, 0}, {pica.ProcMapSqrt2, 1.0 / 2048, 0.75},
	{pica.ProcMapRMax, 1.0 / 1024, 0}, {pica.ProcMapRMax, 1.0 / 4096, 0}, {pica.ProcMapRMax, 1.0 / 2048, 0.75},
}

// roots gives the greys of the rows for a square root; the tables show 0 to 1/128 as 0 to 254 * 2047/4095 * 2.
func roots(text string, root func(square float64) float64) outcome {
	return perCell(text, func(x, y int) [4]uint8 {
		row := rootRows[y%len(rootRows)]
		u := float64(float64(x+1) * row.unit)
		v := float64(u * row.v)
		value := root(float64(u*u) + float64(v*v))
		if row.of == pica.ProcMapRMax {
			value = (float64((u+v)/2) + value) / 2
		}
		return opaqueGray(int(min(float64(value*128*2047/4095*508), 255)))
	})
}

// fixedRoot takes the root of a sum of squares with so many bits after the point.
func fixedRoot(bits int) func(square float64) float64 {
	return func(square float64) float64 {
		return math.Sqrt(math.Ldexp(math.Floor(math.Ldexp(square, bits)), -bits))
	}
}

var procRoots = Program{
	Name: "proctex-roots", About: "The maps sqrtadd2 (rows 0 to 2) and rmax (3 to 5) of coordinates from 1/4096 to 1/128, 128 times as bright.",
	width: 64, height: 64, format: pica.ColorFormatRGBA8, clearTo: background,
	questions: []openQuestion{ask("How exact is the square root of small numbers?", "fragment-units: square root of the maps sqrtadd2 and rmax", cells(0, 0, 8, len(rootRows)), []outcome{
		roots("exact", math.Sqrt),
		roots("the sum of the squares has 20 bits", fixedRoot(20)),
		roots("the sum of the squares has 16 bits", fixedRoot(16)),
		roots("the sum of the squares has 12 bits", fixedRoot(12)),
	}).within(3)},
	build: func(b *builder) {
		b.procedural()
		b.procTable(pica.ProcTableRGBMap, 128, func(i int) uint32 { return uint32(min(i, 1))*2047 | uint32(1-min(i, 1))*2047<<12 })
		b.procTable(pica.ProcTableColor, 256, func(i int) uint32 { return 0xFF000000 | 0x010101*uint32(min(4*i, 255)) })
		b.procTable(pica.ProcTableColorDiff, 256, func(i int) uint32 { return 0x020202 })
		b.set(pica.RegTexunit3Proctex5, 0)
		b.set(pica.RegTexunit3Proctex4, uint32(pica.ProcFilterLinear)|128<<11)
		for y, row := range rootRows {
			b.set(pica.RegTexunit3Proctex0, uint32(pica.ProcClampToEdge)|uint32(pica.ProcClampToEdge)<<3|uint32(row.of)<<6)
			for k := range 8 {
				u := float32(float64(k+1) * row.unit)
				v := float32(row.v) * u
				b.textured(float64(k*cellSize), float64(y*cellSize), float64((k+1)*cellSize), float64((y+1)*cellSize), white, u, v, u, v)
			}
		}
	},
}

// Where a texture begins to be minified: cell k shows it reduced by 2^magnifyLevel(k).
const magnifyCells = 24

func magnifyLevel(k int) float64 { return float64((float64(k)+0.5)/16) - 0.5 }

// magnified is the answer for one way to choose the filter of level 0: a quarter of a texel from a boundary, linear shows 64 and
// nearest 0. Level 1 is green.
func magnified(text string, linear func(level float64) bool) outcome {
	return perCell(text, func(x, y int) [4]uint8 {
		switch level := magnifyLevel(y*8 + x); {
		case level > 0.5:
			return yes
		case linear(level):
			return opaqueGray(64)
		}
		return opaqueGray(0)
	})
}

var magnifySwitch = Program{
	Name: "magnify-switch", About: "Linear magnification, nearest minification with levels: 24 cells of a texture that is reduced by 2^(1/16) more each, from 2^(-15/32) on.",
	width: 64, height: 64, format: pica.ColorFormatRGBA8, clearTo: background,
	questions: []openQuestion{ask("Up to which level of detail is a texture magnified?", "raster: magnification and minification", image.Rect(0, 0, 64, magnifyCells), []outcome{
		magnified("up to 0", func(level float64) bool { return level <= 0 }),
		magnified("up to 1/2", func(level float64) bool { return true }),
		magnified("never: the filter of minification holds", func(level float64) bool { return false }),
	}).within(2)},
	build: func(b *builder) {
		b.combine(pica.CombineReplace, tex0)
		data := texels(pica.TextureFormatRGBA8, 64, 64, func(x, y int) uint32 {
			if y < 4 {
				return 0xFF000000
			}
			return 0xFFFFFFFF
		})
		data = append(data, texels(pica.TextureFormatRGBA8, 32, 32, func(x, y int) uint32 {
			return uint32(yes[0]) | uint32(yes[1])<<8 | uint32(yes[2])<<16 | uint32(yes[3])<<24
		})...)
		b.texture(0, 64, 64, pica.TextureFormatRGBA8, data)
		b.set(pica.RegTexunit0Param, uint32(pica.WrapRepeat)<<8|uint32(pica.WrapRepeat)<<12|1<<1)
		b.set(pica.RegTexunit0Lod, 1<<16)
		for k := range magnifyCells {
			x, y := float64(k%8*cellSize), float64(k/8*cellSize)
			b.textured(x, y, x+cellSize, y+cellSize, white, 0, 3.75/64, float32(cellSize*math.Exp2(magnifyLevel(k))/64), 3.75/64)
		}
	},
}
