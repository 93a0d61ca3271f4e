package scenebuild

import (
	"fmt"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// twoGeometries is a vertex shader for two geometry shaders that paint triangles red and green.
const twoGeometries = `
.fvec projection[4]
.out pos dummy
.out shade dummy
.entry vmain
.proc vmain
	mov pos, v0
	mov shade, v1
	end
.end
`

func geometrySource(entry, colour string) string {
	return fmt.Sprintf(`
.gsh fixed c20 c0 3
.fvec modelViewProjection[4]
.constf paint(%s)
.out outpos position
.out outclr color
.entry %s
.proc %s
	setemit 0
	mov r0, c0
	dp4 outpos.x, modelViewProjection[0], r0
	dp4 outpos.y, modelViewProjection[1], r0
	dp4 outpos.z, modelViewProjection[2], r0
	dp4 outpos.w, modelViewProjection[3], r0
	mov outclr, paint
	emit
	setemit 1
	mov r0, c2
	dp4 outpos.x, modelViewProjection[0], r0
	dp4 outpos.y, modelViewProjection[1], r0
	dp4 outpos.z, modelViewProjection[2], r0
	dp4 outpos.w, modelViewProjection[3], r0
	mov outclr, paint
	emit
	setemit 2, prim
	mov r0, c4
	dp4 outpos.x, modelViewProjection[0], r0
	dp4 outpos.y, modelViewProjection[1], r0
	dp4 outpos.z, modelViewProjection[2], r0
	dp4 outpos.w, modelViewProjection[3], r0
	mov outclr, paint
	emit
	end
.end
`, colour, entry, entry)
}

// drawText writes files to a folder and draws a scene there.
func drawText(t *testing.T, files map[string]string, text string) (*image.NRGBA, error) {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(data), 0o666))
	}
	path := filepath.Join(dir, "x.yaml")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	st, err := Load(path)
	if err != nil {
		return nil, err
	}
	g, _, err := st.Render(t.Context(), 0, Options{Workers: 1})
	if err != nil {
		return nil, err
	}
	g.Close()
	return lastPicture(t, st), nil
}

// A geometry shader is selected by its entry point or its number among the executables.
func TestGeometryShaderIsChosen(t *testing.T) {
	files := map[string]string{"a.v.pica": twoGeometries, "red.g.pica": geometrySource("redmain", "1.0, 0.0, 0.0, 1.0"), "green.g.pica": geometrySource("greenmain", "0.0, 1.0, 0.0, 1.0")}
	red, green := color.NRGBA{255, 0, 0, 255}, color.NRGBA{0, 255, 0, 255}
	for choice, want := range map[string]color.NRGBA{"": red, ", geometry: redmain": red, ", geometry: greenmain": green, ", geometry: 1": red, ", geometry: 2": green, `, geometry: "2", vertex: 0`: green} {
		img := testkit.Must(drawText(t, files, `
target: {width: 64, height: 64}
camera: {eye: [0, 0, 1], height: 1}
programs: {p: {sources: [a.v.pica, red.g.pica, green.g.pica]`+choice+`}}
models: {q: {shape: quad}}
draws: [{model: q, program: p, primitive: elements, lit: false, cull: none}]
`))(t, choice)
		require.Equal(t, want, img.NRGBAAt(32, 40), choice)
	}
	for choice, want := range map[string]string{
		"geometry: bluemain": `no executable "bluemain": there are 3, with the entry points [vmain redmain greenmain]`,
		"geometry: 3":        `no executable "3"`,
		"geometry: vmain":    "executable 0 is a vertex shader; expected a geometry shader",
		"vertex: redmain":    "executable 1 is a geometry shader; expected a vertex shader",
	} {
		_, err := drawText(t, files, "programs: {p: {sources: [a.v.pica, red.g.pica, green.g.pica], "+choice+"}}\nmodels: {q: {shape: quad}}\ndraws: [{model: q, program: p}]\n")
		require.ErrorContains(t, err, want)
	}
}

// barShader paints the element of its array of four registers that an int counter and a bool select.
const barShader = `
.fvec bars[4]
.bool second
.out outpos position
.out outclr color
.proc main
	mov outpos, v0
	ifu second
		mov outclr, bars[2]
	.else
		mov outclr, bars[1]
	.end
	end
.end
`

// An array of registers is set as a whole, from one element on, or by register number; too many values and unknown registers are
// refused.
func TestRegisterArraysInUniforms(t *testing.T) {
	const scene = `
target: {width: 16, height: 16}
programs: {p: {sources: [bars.v.pica], attributes: {v0: ndc}, guess: none}}
models: {q: {shape: quad, size: 4}}
draws: [{model: q, program: p, lit: false, uniforms: {%s}}]
`
	files := map[string]string{"bars.v.pica": barShader}
	red, green, none := color.NRGBA{255, 0, 0, 255}, color.NRGBA{0, 255, 0, 255}, color.NRGBA{}
	for uniforms, want := range map[string]color.NRGBA{
		"bars: [0, 0, 0, 0, 1, 0, 0, 1]":                           red,
		"bars: [0, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 1], second: true": green,
		`"bars[1]": [1, 0, 0, 1]`:                                  red,
		`"bars[1]": [1, 0, 0, 1, 0, 1, 0, 1], second: true`:        green,
		`"bars[2]": [0, 1, 0, 1], second: true`:                    green,
		`"bars[2]": [0, 1, 0, 1]`:                                  none,
		"c1: [1, 0, 0, 1]":                                         red,
		"c2: [0, 1, 0, 1], b0: true":                               green,
		`"bars[1]": {keys: [[0, 1, 0, 0, 1], [1, 0, 0, 0, 0]]}`:    red,
		`bars: [0, 0, 0, 0, 0, 0, 0, 1], "bars[1]": [1, 0, 0, 1]`:  red, // the last setting wins
	} {
		img := testkit.Must(drawText(t, files, fmt.Sprintf(scene, uniforms)))(t, uniforms)
		require.Equal(t, want, img.NRGBAAt(8, 8), uniforms)
	}
	for uniforms, want := range map[string]string{
		"bars: [1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1]": "bars",
		`"bars[3]": [1, 0, 0, 1, 1, 0, 0, 1]`:                                `bars`,
		`"bars[4]": [1, 0, 0, 1]`:                                            `no uniform "bars[4]"`,
		`"bars[-1]": [1, 0, 0, 1]`:                                           `no uniform "bars[-1]"`,
		"c96: [1, 0, 0, 1]":                                                  `no uniform "c96"`,
		"second: [1, 0, 0, 1]":                                               "second",
		"bars: [true, 1]":                                                    "mixes numbers with true and false",
	} {
		_, err := drawText(t, files, fmt.Sprintf(scene, uniforms))
		require.ErrorContains(t, err, want, uniforms)
	}
}
