package scene

import "pica200/pica"

// Names that scene files use. Those of registers follow the register table of
// package pica.
var (
	ColorFormats   = pica.ColorFormats.Names()
	DepthFormats   = []string{"d16", "d24", "d24s8"}
	TextureFormats = pica.TextureFormats.Names()
	WrapModes      = pica.Wraps.Names()
	Filters        = []string{"nearest", "linear"}
	CompareFuncs   = pica.CompareFuncs.Names()
	StencilOps     = pica.StencilOps.Names()
	BlendEquations = []string{"add", "subtract", "reverse_subtract", "min", "max"}
	BlendFactors   = pica.BlendFactors.Names()
	LogicOps       = pica.LogicOps.Names()
	CullModes      = []string{"none", "front", "back"}
	Primitives     = []string{"triangles", "strip", "fan", "geometry", "elements"}
	// Guesses are what is found out about a program.
	Guesses = []string{"none", "unsaid", "all"}
	// PatchKinds are the index streams of assets/patches.
	PatchKinds = []string{"loop", "catmull_clark", "silhouette", "edges", "arcs"}
	Screens    = []string{"top", "bottom", "topright"}
	// NormalKinds are ways of making normals.
	NormalKinds = []string{"none", "flat", "smooth"}
	// TransformKinds are the steps of a list of transforms.
	TransformKinds = []string{"at", "rotate", "scale", "spin", "matrix"}
	PassModes      = []string{"color", "shadow", "gas"}
	Patterns       = []string{"solid", "checker", "stripes", "gradient", "disc", "glow", "bricks", "brick_normals", "noise", "bump_normals", "wood", "tiles"}
	Shapes         = []string{"box", "sphere", "torus", "knot", "plane", "terrain", "cylinder", "cone", "quad", "points"}
	// Streams are what a model can hold for each vertex.
	Streams = []string{"position", "normal", "texcoord", "texcoord1", "texcoord2", "color", "joints", "weights", "tangent", "size", "ndc"}
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
