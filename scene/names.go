package scene

import "pica200/pica"

// Names that scene files use. Those of registers follow the register table of
// package pica.
var (
	colorFormats   = pica.ColorFormats.Names()
	depthFormats   = []string{"d16", "d24", "d24s8"}
	TextureFormats = pica.TextureFormats.Names()
	wrapModes      = pica.Wraps.Names()
	filters        = []string{"nearest", "linear"}
	compareFuncs   = pica.CompareFuncs.Names()
	stencilOps     = pica.StencilOps.Names()
	blendEquations = []string{"add", "subtract", "reverse_subtract", "min", "max"}
	blendFactors   = pica.BlendFactors.Names()
	logicOps       = pica.LogicOps.Names()
	cullModes      = []string{"none", "front", "back"}
	primitives     = []string{"triangles", "strip", "fan", "geometry", "elements"}
	// guesses selects the guesses about a program.
	guesses = []string{"none", "unsaid", "all"}
	// patchKinds are the index streams of assets/patches.
	patchKinds = []string{"loop", "catmull_clark", "silhouette", "edges", "arcs"}
	screens    = []string{"top", "bottom", "topright"}
	// normalKinds are ways of making normals.
	normalKinds = []string{"none", "flat", "smooth"}
	// transformKinds are the steps of a list of transforms.
	transformKinds = []string{"at", "rotate", "scale", "spin", "matrix"}
	passModes      = []string{"color", "shadow", "gas"}
	patterns       = []string{"solid", "checker", "stripes", "gradient", "disc", "glow", "bricks", "brick_normals", "noise", "bump_normals", "wood", "tiles"}
	shapes         = []string{"box", "sphere", "torus", "knot", "plane", "terrain", "cylinder", "cone", "quad", "points"}
	// streams are the streams of a model's vertices.
	streams = []string{"position", "normal", "texcoord", "texcoord1", "texcoord2", "color", "joints", "weights", "tangent", "size", "ndc"}
)

// BlendPresets are blending functions by one word.
var BlendPresets = map[string]Blend{
	"off":           {EquationRgb: "add", EquationAlpha: "add", SrcRgb: "one", DstRgb: "zero", SrcAlpha: "one", DstAlpha: "zero"},
	"alpha":         {EquationRgb: "add", EquationAlpha: "add", SrcRgb: "src_alpha", DstRgb: "one_minus_src_alpha", SrcAlpha: "one", DstAlpha: "one_minus_src_alpha"},
	"add":           {EquationRgb: "add", EquationAlpha: "add", SrcRgb: "src_alpha", DstRgb: "one", SrcAlpha: "zero", DstAlpha: "one"},
	"multiply":      {EquationRgb: "add", EquationAlpha: "add", SrcRgb: "dst_color", DstRgb: "zero", SrcAlpha: "dst_alpha", DstAlpha: "zero"},
	"premultiplied": {EquationRgb: "add", EquationAlpha: "add", SrcRgb: "one", DstRgb: "one_minus_src_alpha", SrcAlpha: "one", DstAlpha: "one_minus_src_alpha"},
}

var presetNames = []string{"off", "alpha", "add", "multiply", "premultiplied"}
