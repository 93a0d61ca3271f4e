package hardware

import (
	"math"

	"pica200/pica"
)

// litShader gives all fragments the normal (0, 0, 1) and the eye along z.
const litShader = `
.constf turn(0.0, 0.0, 0.0, 1.0)
.constf eye(0.0, 0.0, 1.0, 0.0)
.in position v0
.in color v1
.in uv v2
.out p position
.out c color
.out t texcoord0
.out q normalquat
.out e view
.proc main
	mov p, position
	mov c, color
	mov t, uv
	mov q, turn
	mov e, eye
	end
.end
`

// reflectionOnly are the bits of GPUREG_LIGHTING_CONFIG1 that enable only the reflection tables.
const reflectionOnly = 0xFF00FFFF | 1<<16 | 1<<17 | 1<<19

// light enables one directional light from (x, 0, z) with all colours black.
func (b *builder) light(x, z float32) {
	b.shader(litShader)
	b.set(pica.RegLightingEnable0, 1)
	b.set(pica.RegLightingEnable1, 0)
	b.set(pica.RegLightingAmbient, 0)
	b.set(pica.RegLightingNumLights, 0)
	b.set(pica.RegLightingLightPermutation, 0)
	b.set(pica.RegLightingConfig0, uint32(pica.LightLayer7)<<4|1<<10)
	b.set(pica.RegLightingConfig1, reflectionOnly|7<<20)
	for _, r := range []pica.Reg{
		pica.RegLightingLutinputAbs, pica.RegLightingLutinputSelect, pica.RegLightingLutinputScale,
		pica.RegLight0Specular0, pica.RegLight0Specular1, pica.RegLight0Diffuse, pica.RegLight0Ambient,
		pica.RegLight0SpotdirXy, pica.RegLight0SpotdirZ, pica.RegLight0AttenuationBias, pica.RegLight0AttenuationScale,
	} {
		b.set(r, 0)
	}
	b.set(pica.RegLight0Xy, pica.Float16.Encode(x))
	b.set(pica.RegLight0Z, pica.Float16.Encode(z))
	b.set(pica.RegLight0Config, 1|1<<1) // directional, two-sided
}

// The texels of the bump program: red is bumpFirst and the four values above.
const bumpFirst, bumpCells = 0x7E, 5

// bumpAnswer is the diffuse light, four times the red of the vector, for one way to read a texel.
func bumpAnswer(text string, read func(c float64) float64) outcome {
	return perCell(text, func(x, y int) [4]uint8 {
		return opaqueGray(int(1023 * math.Abs(read(float64(bumpFirst+x)))))
	})
}

var bumpTexel = Program{
	Name: "bump-texel", About: "Cells: a normal map whose red is 0x7E to 0x82, lit from the right on both sides, four times as bright as the red of the vector.",
	width: 64, height: 64, format: pica.ColorFormatRGBA8, clearTo: background,
	questions: []openQuestion{ask("Which vector is a texel of a bump map?", "fragment-units: bump vector", cells(0, 0, bumpCells, 1), []outcome{
		bumpAnswer("2 * c / 255 - 1", func(c float64) float64 { return 2*c/255 - 1 }),
		bumpAnswer("(c - 128) / 127", func(c float64) float64 { return (c - 128) / 127 }),
		bumpAnswer("(c - 127) / 128", func(c float64) float64 { return (c - 127) / 128 }),
	}).within(2)},
	build: func(b *builder) {
		b.light(1, 0)
		b.combine(pica.CombineReplace, pica.SourceFragmentPrimary)
		b.set(pica.RegLight0Diffuse, 1023<<20|1023<<10|1023)
		b.texture(0, 8, 8, pica.TextureFormatRGBA8, texels(pica.TextureFormatRGBA8, 8, 8, func(x, y int) uint32 {
			return 0xFFFF8000 | uint32(bumpFirst+x)
		}))
		config := uint32(pica.LightLayer7)<<4 | 1<<10 | uint32(pica.BumpNormal)<<28 | 1<<30
		b.set(pica.RegLightingConfig0, config)
		for x := range bumpCells {
			u := (float32(x) + 0.5) / 8
			b.textured(float64(x*cellSize), 0, float64((x+1)*cellSize), cellSize, white, u, 0.5, u, 0.5)
		}
	},
}

// The values of the tables RR, RG and RB, of 4095.
const reflectR, reflectG, reflectB = 1024, 2048, 3072

func reflection(text string, r, g, bl int) outcome {
	c := func(v int) uint8 { return uint8(v * 255 / 4095) }
	return flat(text, [4]uint8{c(r), c(g), c(bl), 255})
}

// reflectionTables disables one of the tables RB and RR.
var reflectionTables = Program{
	Name: "reflection-tables", About: "Tables RR, RG and RB hold 1/4, 1/2 and 3/4; cell 0 with bit 20 of GPUREG_LIGHTING_CONFIG1 alone, cell 2 with bit 22 alone.",
	width: 64, height: 64, format: pica.ColorFormatRGBA8, clearTo: background,
	questions: []openQuestion{
		ask("Which table does bit 20 switch off?", "fragment-units: tables RB and RR in GPUREG_LIGHTING_CONFIG1", cells(0, 0, 1, 1), []outcome{
			reflection("RB, and blue takes what red has", reflectR, reflectG, reflectR),
			reflection("RB, and blue is 1", reflectR, reflectG, 4095),
			reflection("RR, and red is 1", 4095, reflectG, reflectB),
			reflection("none", reflectR, reflectG, reflectB),
		}).within(2),
		ask("Which table does bit 22 switch off?", "fragment-units: tables RB and RR in GPUREG_LIGHTING_CONFIG1", cells(2, 0, 1, 1), []outcome{
			reflection("RR, and red is 1", 4095, reflectG, reflectB),
			reflection("RB, and blue takes what red has", reflectR, reflectG, reflectR),
			reflection("RB, and blue is 1", reflectR, reflectG, 4095),
			reflection("none", reflectR, reflectG, reflectB),
		}).within(2),
	},
	build: func(b *builder) {
		b.light(0, 1)
		b.combine(pica.CombineReplace, pica.SourceFragmentSecondary)
		b.set(pica.RegLight0Specular1, 255<<20|255<<10|255)
		b.lightTable(pica.TableRB, reflectB)
		b.lightTable(pica.TableRG, reflectG)
		b.lightTable(pica.TableRR, reflectR)
		b.set(pica.RegLightingConfig1, reflectionOnly|1<<20)
		b.cell(0, 0, white)
		b.set(pica.RegLightingConfig1, reflectionOnly|1<<22)
		b.cell(2, 0, white)
	},
}

// lightTable sets all entries of a table to one value.
func (b *builder) lightTable(table pica.LightTable, value uint32) {
	b.set(pica.RegLightingLutIndex, uint32(table)<<8)
	entries := make([]uint32, 256)
	for i := range entries {
		entries[i] = value
	}
	b.w.WriteAll(pica.RegLightingLutData0, entries...)
}
