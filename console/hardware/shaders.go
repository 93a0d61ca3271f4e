package hardware

import (
	"fmt"
	"image"
	"math"
	"strings"

	"pica200/pica"
)

// knownRegister is the value of register k before another program reads it.
func knownRegister(k int) [4]float32 { return [4]float32{float32(k+1) / 32, 0.5, 0.25, 0.75} }

func colorBytes(v [4]float32) (c [4]uint8) {
	for i := range c {
		c[i] = uint8(math.Floor(float64(float64(v[i])*255) + 0.5))
	}
	return c
}

// fillRegisters writes all temporaries and sends the colour.
func fillRegisters() string {
	var b strings.Builder
	for k := range 16 {
		v := knownRegister(k)
		fmt.Fprintf(&b, ".constf k%d(%v, %v, %v, %v)\n", k, v[0], v[1], v[2], v[3])
	}
	b.WriteString(".in position v0\n.in color v1\n.in uv v2\n.out p position\n.out c color\n.proc main\n")
	for k := range 16 {
		fmt.Fprintf(&b, "\tmov r%d, k%d\n", k, k)
	}
	b.WriteString("\tmov p, position\n\tmov c, r3\n\tend\n.end\n")
	return b.String()
}

const readRegister = colored + `	mov c, r%d
	end
.end
`

// readThenWrite shows the value that the previous vertex left in r0.
const readThenWrite = colored + `	mov c, r0
	mov r0, color
	end
.end
`

const unwrittenOutput = colored + `	end
.end
`

func startAnswers(known func(x int) [4]uint8) []outcome {
	return []outcome{
		flat("(0, 0, 0, 0)", [4]uint8{}),
		flat("(0, 0, 0, 1)", [4]uint8{0, 0, 0, 255}),
		flat("(1, 1, 1, 1)", [4]uint8{255, 255, 255, 255}),
		perCell("what the program before left", func(x, y int) [4]uint8 { return known(x) }),
	}
}

// startValues reads unwritten registers of the shader unit.
var startValues = Program{
	Name: "start-values", About: "Row 1: r0 to r15 (columns) read by a program that does not write them, after one that did; row 3: r0 read before it is written, six vertices; row 5: a colour that the program does not write.",
	width: 128, height: 64, format: pica.ColorFormatRGBA8, clearTo: background,
	questions: []openQuestion{
		ask("What do temporaries hold at the start of a vertex?", "shaderunit: start values (StartValues)", cells(0, 1, 16, 1),
			startAnswers(func(x int) [4]uint8 { return colorBytes(knownRegister(x)) })),
		ask("What does r0 hold that the vertex before wrote?", "shaderunit: start values (StartValues)", cells(0, 3, 1, 1),
			startAnswers(func(int) [4]uint8 { return [4]uint8{0x20, 0x20, 0x20, 0x20} })),
		ask("What is an output that is not written?", "shaderunit: start values (StartValues)", cells(0, 5, 1, 1),
			startAnswers(func(int) [4]uint8 { return colorBytes(knownRegister(3)) })),
	},
	build: func(b *builder) {
		for k := range 16 {
			b.shader(fillRegisters())
			b.cell(k, 0, white)
			b.shader(fmt.Sprintf(readRegister, k))
			b.cell(k, 1, white)
		}
		b.shader(readThenWrite)
		b.cell(0, 3, gray(0x20)) // twice, so that all six vertices have a predecessor
		b.cell(0, 3, gray(0x20))
		b.shader(fillRegisters())
		b.cell(0, 4, white)
		b.shader(unwrittenOutput)
		b.cell(0, 5, white)
	},
}

// emitTriangle is a geometry shader that passes three vertices on with colours from a register, after some code.
func emitTriangle(constants, code, color string) string {
	var b strings.Builder
	b.WriteString(".gsh point c0\n" + constants + ".out p position\n.out c color\n.entry gmain\n.proc gmain\n" + code)
	for i, set := range []string{"setemit 0", "setemit 1", "setemit 2, prim"} {
		fmt.Fprintf(&b, "\t%s\n\tmov p, v%d\n\tmov c, %s\n\temit\n", set, 2*i, color)
	}
	b.WriteString("\tend\n.end\n")
	return b.String()
}

// startGeometry is startValues for the unit that runs geometry shaders.
var startGeometry = Program{
	Name: "start-values-geometry", About: "Row 1: r0 to r15 (columns) read by a geometry shader that does not write them, after a geometry shader that did.",
	width: 128, height: 64, format: pica.ColorFormatRGBA8, clearTo: background,
	questions: []openQuestion{
		ask("What do temporaries hold when another geometry shader starts?", "shaderunit: registers at the start of a geometry shader run", cells(0, 1, 16, 1),
			startAnswers(func(x int) [4]uint8 { return colorBytes(knownRegister(x)) })),
	},
	build: func(b *builder) {
		var constants, code strings.Builder
		for k := range 16 {
			v := knownRegister(k)
			fmt.Fprintf(&constants, ".constf k%d(%v, %v, %v, %v)\n", k, v[0], v[1], v[2], v[3])
			fmt.Fprintf(&code, "\tmov r%d, k%d\n", k, k)
		}
		for k := range 16 {
			b.geometry(emitTriangle(constants.String(), code.String(), "r3"))
			b.cell(k, 0, white)
			b.geometry(emitTriangle("", "", fmt.Sprintf("r%d", k)))
			b.cell(k, 1, white)
		}
	},
}

// bitArguments is the number of arguments of an instruction whose last bits are asked for, one cell each in rows of eight. Red is
// the upper and green the lower byte of the 16 bits of the result's mantissa.
const bitArguments = 64

// lastBits is the program of an instruction. The argument is in v1.x; with half the result is in 0.5 to 1, else in 1 to 2.
func lastBits(name, op string, half bool, from, to float64, f func(x float64) float64) Program {
	scale, arguments := 1.0, make([]float64, bitArguments)
	if half {
		scale = 2
	}
	mantissa := func(x float64) float64 { return float64((float64(f(x)*scale) - 1) * 65536) }
	// Arguments are float24 numbers. Those whose results are near a step are skipped, since an approximation may fall on its other
	// side.
	x := from
	step := math.Floor((to-from)*65536/(bitArguments+2)) / 65536
	for i := range arguments {
		x = from + float64(float64(i+1)*step)
		for {
			_, frac := math.Modf(mantissa(x))
			if frac > 0.1 && frac < 0.4 || frac > 0.6 && frac < 0.9 {
				break
			}
			x += 1.0 / 65536
		}
		arguments[i] = x
	}
	answer := func(text string, round func(float64) float64) outcome {
		return perCell(text, func(x, y int) [4]uint8 {
			m := int(round(mantissa(arguments[y*8+x])))
			return [4]uint8{uint8(m >> 8), uint8(m), 0, 255}
		})
	}
	code := fmt.Sprintf(`
.constf k(256.0, %v, -1.0, 0.00392156862745098)
.constf one(0.0, 0.0, 0.0, 1.0)`+colored+`	%s r0, color.xxxx
	mov r3, k
	mad r1.x, r3.yyyy, r0.xxxx, r3.zzzz
	mul r1.y, r3.xxxx, r1.xxxx
	flr r2.x, r1.yyyy
	add r1.z, r1.yyyy, -r2.xxxx
	mul r1.z, r3.xxxx, r1.zzzz
	flr r2.y, r1.zzzz
	mul r2.xy, r3.wwww, r2.xyxy
	mov r2.zw, one.xyzw
	mov c, r2
	end
.end
`, scale, op)
	return Program{
		Name: name, About: "The mantissa of " + strings.ToUpper(op) + " of 64 arguments, upper byte in red, lower in green.",
		width: 64, height: 64, format: pica.ColorFormatRGBA8, clearTo: background,
		questions: []openQuestion{ask("How is "+strings.ToUpper(op)+" rounded to 16 bits?", "shaderunit: "+map[bool]string{true: "RCP, RSQ", false: "EX2, LG2"}[op[0] == 'r'], image.Rect(0, 0, 64, 64), []outcome{
			answer("the exact result, the rest dropped", math.Floor),
			answer("the exact result, rounded to nearest", func(m float64) float64 { return math.Floor(m + 0.5) }),
		})},
		build: func(b *builder) {
			b.shader(code)
			for i, x := range arguments {
				b.cell(i%8, i/8, [4]float32{float32(x), 0, 0, 0})
			}
		},
	}
}

// dotShader shows 0.4 times a dot product of the colour.
const dotShader = `
.constf k(0.4, 0.0, 1.0, 1.0)
.constf ones(1.0, 1.0, 1.0, 1.0)` + colored + `	dp4 r0, ones, color
	mov r1, k
	mul r0, r1.xxxx, r0
	mov r0.w, r1.w
	mov c, r0
	end
.end
`

// dotVectors have sums that depend on the order in which float24 adders add the components.
var dotVectors = [][4]float32{{0x1p17, 1, 1, -0x1p17}, {1, 0x1p17, -0x1p17, 1}, {-0x1p17, 1, 1, 0x1p17}}

var dotOrder = Program{
	Name: "dot-order", About: "Cells 0, 2 and 4: DP4 of great and small numbers that cancel, times 0.4.",
	width: 64, height: 64, format: pica.ColorFormatRGBA8, clearTo: background,
	questions: []openQuestion{
		dotQuestion(0), dotQuestion(1), dotQuestion(2),
	},
	build: func(b *builder) {
		b.shader(dotShader)
		for i, v := range dotVectors {
			b.cell(2*i, 0, v)
		}
	},
}

func dotQuestion(i int) openQuestion {
	order := []string{"2^17 + 1 + 1 - 2^17", "1 + 2^17 - 2^17 + 1", "-2^17 + 1 + 1 + 2^17"}[i]
	byResult := [][3]string{
		{"0: each sum loses its last bits, from x to w", "1: (x + y) + (z + w), each cut", "2: exact, or wider than float24"},
		{"0", "1: cut from x to w, or (x + y) + (z + w)", "2: exact, wider than float24, or cut from w to x"},
		{"0: cut from w to x", "1: (x + y) + (z + w), each cut", "2: exact, wider than float24, or cut from x to w"},
	}[i]
	var answers []outcome
	for v, text := range byResult {
		answers = append(answers, flat(text, opaqueGray(102*v)))
	}
	return ask("What is DP4 of "+order+"?", "shaderunit: DP3, DP4, DPH", cells(2*i, 0, 1, 1), answers).within(1)
}
