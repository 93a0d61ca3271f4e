package scene

import (
	"math"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// TestTableFunctions compares tables by function with their formulas at significant inputs.
func TestTableFunctions(t *testing.T) {
	k := 2.0
	at := func(table *Table, x float64) float64 {
		v := table.Make(257)
		return float64(v[int(x*256)])
	}
	for _, c := range []struct {
		table   Table
		x, want float64
	}{
		{Table{Exp: &k}, 0.5, math.Exp(-1)},
		{Table{Exp2: &k}, 0.25, math.Exp(-0.25)},
		{Table{Fresnel: &Fresnel{0.04, 5}}, 0, 1},
		{Table{Fresnel: &Fresnel{0.04, 5}}, 1, 0.04},
		{Table{Fresnel: &Fresnel{0.5, 2}}, 0.5, 0.5 + 0.5*0.25},
		{Table{Spot: &Spot{Inner: 30, Outer: 60}}, 0.875, 1}, // 29 degrees
		{Table{Spot: &Spot{Inner: 30, Outer: 60}}, 0.5, 0},   // 60 degrees
		{Table{Spot: &Spot{Outer: 90, Exponent: 2}}, 1, 1},
		{Table{Spot: &Spot{Inner: 90, Outer: 90, Exponent: 2}}, 0.5, 0.25},
		{Table{Toon: &Toon{Steps: 4, High: 1}}, 0.2, 0},
		{Table{Toon: &Toon{Steps: 4, High: 1}}, 0.25, 1. / 3},
		{Table{Toon: &Toon{Steps: 4, High: 1}}, 1, 1},
		{Table{Toon: &Toon{Steps: 2, Low: 0.2, High: 0.6, Soft: 0.5}}, 0.625, 0.4}, // half of the rise
		{Table{Formula: "x^2 + 0.25"}, 0.5, 0.5},
	} {
		require.InDelta(t, c.want, at(&c.table, c.x), 1e-6, "%+v at %v", c.table, c.x)
	}
	mid := at(&Table{Spot: &Spot{Inner: 30, Outer: 60}}, 0.75) // 41.4 degrees
	require.InDelta(t, smooth((60-41.40962)/30), mid, 1e-6)

	// A signed table holds inputs 0 to 1 first, then -1 to 0.
	signed := (&Table{Formula: "x", Signed: true}).Make(256)
	require.Equal(t, float32(-1), signed[128])
	require.Equal(t, float32(0.5), signed[64])
	require.InDelta(t, 0.5, (&Table{Toon: &Toon{Steps: 3, High: 1}, Signed: true}).Make(256)[0], 1e-6, "signed toon table: entry 0 is x = 0, in the middle step")

	require.True(t, math.IsNaN(float64((&Table{Formula: "("}).Make(8)[0])), "an invalid formula gives NaN")
}

func TestTableFormulas(t *testing.T) {
	for _, c := range []struct {
		text    string
		x, want float64
	}{
		{"1 + 2*3", 0, 7}, {"(1 + 2)*3", 0, 9}, {"-x^2", 3, -9}, {"2^-1", 0, 0.5}, {"2^3^2", 0, 512}, {"8/4/2", 0, 1},
		{"1 - 2 - 3", 0, -4}, {"+x - -x", 2, 4}, {"1e2 + 1.5E-1 + .5", 0, 100.65}, {"min(1, max(x, 0))", -3, 0}, {"clamp(x, 0.2, 0.8)", 0.9, 0.8},
		{"mix(1, 3, x)", 0.5, 2}, {"smoothstep(0, 2, x)", 1, 0.5}, {"step(0.5, x)", 0.5, 1}, {"step(0.5, x)", 0.49, 0}, {"fract(x)", -0.25, 0.75},
		{"sin(pi/2) + cos(0)", 0, 2}, {"sqrt(x) * abs(-2)", 9, 6}, {"exp2(3) + log2(8) + exp(0) + log(1)", 0, 12}, {"pow(x, 2)", 3, 9},
		{"floor(1.5) + ceil(1.5)", 0, 3}, {"asin(1) + acos(1) + atan(0) + tan(0)", 0, math.Pi / 2},
	} {
		f := testkit.Must(parseFormula(c.text))(t, c.text)
		require.InDelta(t, c.want, f.at(c.x), 1e-12, c.text)
	}
	for text, want := range map[string]string{
		"":                                  "character 1: the formula ends where",
		"1 +":                               "character 4: the formula ends where",
		"1 + * 2":                           `character 5: expected a number, x, a function or a bracket, found "* 2"`,
		"(x":                                "character 1: the bracket is not closed",
		"x)":                                `character 2: expected an operator (+ - * / ^) or the end, found ")"`,
		"2x":                                `character 1: "2x" is not a number`,
		"1_000":                             `is not a number`,
		"1.2.3":                             `is not a number`,
		"0x10":                              `is not a number`,
		"1e999":                             `is not a number`,
		"y + 1":                             `character 1: there is no "y"; there are x, pi and the functions abs, acos`,
		"sin":                               "expected ( after sin",
		"sin()":                             "character 5: expected a number",
		"min(1)":                            "character 1: min takes 2 numbers, found 1",
		"min(1, 2":                          "expected , or ) in the call of min",
		"é":                                 "expected a number",
		strings.Repeat("(", 100):            "nested deeper than 64 levels",
		strings.Repeat("-", 100):            "nested deeper than 64 levels",
		strings.Repeat("x^", 100):           "nested deeper than 64 levels",
		strings.Repeat("abs(", 100):         "nested deeper than 64 levels",
		"x" + strings.Repeat("+x", 600):     "at most 1000 are read",
		"min(" + strings.Repeat("1, ", 100): "character",
	} {
		_, err := parseFormula(text)
		require.ErrorContains(t, err, want, "%q", text)
	}
}

func TestGradients(t *testing.T) {
	g := Gradient{Stops: []Stop{{0.25, mgl64.Vec4{1, 0, 0, 1}}, {0.75, mgl64.Vec4{0, 1, 0, 0}}}}
	require.Equal(t, mgl64.Vec4{1, 0, 0, 1}, g.Color(0))
	require.Equal(t, mgl64.Vec4{0.5, 0.5, 0, 0.5}, g.Color(0.5))
	require.Equal(t, mgl64.Vec4{0, 1, 0, 0}, g.Color(0.75))
	require.Equal(t, mgl64.Vec4{0, 1, 0, 0}, g.Color(1))
	g.Hard = true
	require.Equal(t, mgl64.Vec4{1, 0, 0, 1}, g.Color(0.7))
	require.Equal(t, mgl64.Vec4{0, 1, 0, 0}, g.Color(0.8))
	require.Equal(t, []float32{0, 0, 1}, g.Channel(1, 3))
}

// TestTableAndGradientErrors checks position and expectation in each error.
func TestTableAndGradientErrors(t *testing.T) {
	for text, want := range map[string]string{
		"tables: {a: {}}":                                     "x.yaml:1:10: a table has exactly one of values, power",
		"tables: {a: {power: 1, exp: 2}}":                     "found 2",
		"tables: {a: {toon: 1}}":                              "1 is out of range; expected 2 to 64",
		"tables: {a: {toon: {steps: 3, soft: 2}}}":            "2 is out of range; expected 0 to 1",
		"tables: {a: {toon: {step: 3}}}":                      `unknown key "step" in toon; the nearest valid name is "steps"`,
		"tables: {a: {spot: {inner: 40, outer: 20}}}":         "inner (40) must not be more than outer (20)",
		"tables: {a: {spot: {outer: 200}}}":                   "200 is out of range; expected 0 to 180",
		"tables: {a: {fresnel: {f0: -1}}}":                    "-1 is out of range",
		"tables: {a: {exp: -1}}":                              "-1 is out of range",
		"tables: {a: {exp2: .nan}}":                           "out of range",
		"tables: {a: {fog: {start: 1, end: 2, exponent: 2}}}": "exponent goes with density",
		"tables: {a: {formula: x +}}":                         `x.yaml:1:23: formula "x +", character 4: the formula ends where`,
		"tables: {a: {formula: 1/x}}":                         `formula "1/x" is +Inf at x = 0; expected a finite number for x from 0 to 1`,
		"tables: {a: {formula: sqrt(x), signed: true}}":       `is NaN at x = -1; expected a finite number for x from -1 to 1`,
		"tables: {a: {formula: x*1e200}}":                     `+Inf`,
		"gradients: {a: []}":                                  "x.yaml:1:16: expected a list of 1 to 256 lists [place, colour of 3 or 4 numbers], found 0",
		"gradients: {a: [[0, 1, 1]]}":                         "expected a list of 4 or 5 numbers (place, colour of 3 or 4 numbers), found 3",
		"gradients: {a: [[2, 1, 1, 1]]}":                      "2 is out of range; expected 0 to 1",
		"gradients: {a: [[0, 1, 1, 1], [0, 0, 0, 0]]}":        "places must ascend: 0 after 0",
		"gradients: {a: {stops: [[0, 1, 1, 1]], steps: []}}":  "a gradient has exactly one of stops and steps, found 2",
		"gradients: {a: {}}":                                  "a gradient has exactly one of stops and steps, found 0",
		"gradients: {a: 3}":                                   "expected a mapping",
		"procedural_colors: b":                                `unknown gradient "b" in the scene`,
		"gas_colors: b":                                       `unknown gradient "b" in the scene`,
		"textures: {t: {pattern: wood, gradient: b}}":         `unknown gradient "b" in the scene`,
		"gradients: {b: [[0, 1, 1, 1]]}\ntextures: {t: {pattern: bump_normals, gradient: b}}":              "has no colours to be taken from a gradient",
		"gradients: {b: [[0, 1, 1, 1]]}\ntextures: {t: {pattern: wood, gradient: b, colors: [[1, 1, 1]]}}": "either colors or a gradient",
		"draws: [{model: m, transform: []}]":                                                   "expected a list of 1 to 64 transforms, found 0",
		"draws: [{model: m, transform: [{at: [1, 2, 3], scale: 2}]}]":                          "exactly one of at, rotate, scale, spin and matrix, found 2",
		"draws: [{model: m, transform: [{}]}]":                                                 "found 0",
		"draws: [{model: m, transform: [{shear: 2}]}]":                                         `unknown key "shear" in a transform`,
		"draws: [{model: m, transform: [{at: [1, 2]}]}]":                                       "expected a list of 3 numbers, found 2",
		"draws: [{model: m, transform: [{scale: [1, 2]}]}]":                                    "a scale has one factor or three, found 2",
		"draws: [{model: m, transform: [{scale: {keys: [[0, 1, 1]]}}]}]":                       "a scale has one factor or three, found 2",
		"draws: [{model: m, transform: [{spin: {keys: [[0, 1, 0, 0, 1], [1, 1, 0, 0, 1]]}}]}]": "rotate takes a curve",
		"draws: [{model: m, at: [0, 0, 0], transform: [{scale: 2}]}]":                          "a draw has either a list transform, or at",
		"draws: [{modle: m}]":                             `unknown key "modle" in a draw; the nearest valid name is "model"`,
		"camera: {near: 5, far: 1}\ndraws: [{modle: m}]":  "x.yaml:2:10: unknown key", // reported before the mistake above it
		"draws: [{model: m, transform: {at: [0, 0, 0]}}]": "expected a list",
	} {
		src := text
		if !strings.Contains(src, "draws:") {
			src += "\ndraws: []"
		}
		if strings.Contains(src, "model: m") {
			src += "\nmodels: {m: {shape: box}}"
		}
		_, err := Parse("x.yaml", []byte(src))
		require.ErrorContains(t, err, want, text)
		require.Regexp(t, `^x\.yaml:\d+:\d+: `, err.Error(), text)
	}
}

// TestStereoErrors checks position and expectation in each error.
func TestStereoErrors(t *testing.T) {
	const camera = "target: {width: 240, height: 400}\ncamera: {rotated: true, stereo: {eyes: 1, convergence: 2}}\n"
	for text, want := range map[string]string{
		"camera: {rotated: true, stereo: {eyes: 1}}":                                                                      "a stereo camera has eyes (how far apart they are) and convergence",
		"camera: {rotated: true, stereo: {eyes: 1, convergence: 0}}":                                                      "0 is out of range; expected more than 0",
		"camera: {rotated: true, stereo: {eyes: 1, convergence: {keys: [[0, 1], [1, -1]]}}}":                              "-1 is out of range; expected more than 0",
		"camera: {rotated: true, stereo: {eyes: [1, 2], convergence: 1}}":                                                 "expected a number, found a list",
		"camera: {rotated: true, stereo: {eyes: 1, convergence: 1, focus: 2}}":                                            `unknown key "focus" in a stereo camera`,
		"camera: {height: 2, stereo: {eyes: 1, convergence: 1}}":                                                          "neither height nor projection",
		"camera: {stereo: {eyes: 1, convergence: 1}}":                                                                     "so it is rotated (rotated: true)",
		"camera: {rotated: true, stereo: {eyes: 1, convergence: 1}}":                                                      "the target has 240x400 pixels, or 480x800; it has 400x240",
		"target: {width: 240, height: 400, screen: topright}\ncamera: {rotated: true, stereo: {eyes: 1, convergence: 1}}": "the target says screen: topright",
		camera + "passes: [{name: a, target: {width: 240, height: 400, screen: topright}, draws: []}]":                    "pass a has the screen topright, on which a stereo camera shows its pictures",
		camera + "passes: [{name: a, camera: {rotated: true, stereo: {eyes: 1, convergence: 2}}, draws: []}]":             "the camera of a pass has one eye",
		"passes: [{name: a, target: {width: 240, height: 400}, draws: []}]\ntarget: {width: 240, height: 400, share_depth: a}\ncamera: {rotated: true, stereo: {eyes: 1, convergence: 2}}": "each eye has a target of its own",
	} {
		_, err := Parse("x.yaml", []byte(text+"\ndraws: []"))
		require.ErrorContains(t, err, want, text)
		require.Regexp(t, `^x\.yaml:\d+:\d+: `, err.Error(), text)
	}
}

func FuzzFormula(f *testing.F) {
	for _, s := range []string{"0.5 + 0.5*x^2", "smoothstep(0, 1, -x)", "mix(sin(x), cos(pi*x), min(1, 2))", "((x))", "1e-3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		fn, err := parseFormula(text)
		if err != nil {
			var bad *formulaError
			require.ErrorAs(t, err, &bad)
			require.True(t, bad.Column >= 1 && bad.Column <= len(text)+1, "%d of %q", bad.Column, text)
			return
		}
		again := testkit.Must(parseFormula(fn.Text))(t)
		for _, x := range []float64{-1, 0, 0.3, 1} {
			a, b := fn.at(x), again.at(x)
			require.True(t, a == b || math.IsNaN(a) && math.IsNaN(b))
		}
	})
}
