// Package shaders is an embedded library of PICA200 shaders in the .pica language.
// Scenes, models and the viewer use them if the user gives no shader. They are also
// examples to copy from. Lookup finds a program by name, Load assembles it.
//
// The package and its shaders are our own and may change at any time.
//
// All vertex shaders have the same interface. Inputs: v0 position, v1 normal, v2
// texture coordinate, v3 colour, v4 joints, v5 weights, v6 tangent, v7 size, v8 and
// v9 texture coordinates of units 1 and 2; a shader omits inputs that it does not need. Matrices are uniform arrays of rows:
// projection[4] transforms view space to clip space (for the PICA200: z from -w at the
// near plane to 0 at the far plane), modelView[4] model space to view space,
// normalMatrix[3] normals to view space. The comments of the sources and the table in
// this package give angles, units and ranges.
//
// A program with a geometry shader has two sources, the vertex shader first. The vertex
// shader writes dummy outputs, which become the geometry shader's inputs in order.
package shaders

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"pica200/assets/shbin"
	"pica200/shaderunit/asm"
)

//go:embed pica/*.pica
var files embed.FS

// Uniforms of the point and line programs, whose names are those of the
// console's own geometry shaders.
const (
	PointViewport            = "dmp_Point.viewport"
	pointDistanceAttenuation = "dmp_Point.distanceAttenuation"
	LineViewport             = "dmp_Line.viewport"
	LineWidth                = "dmp_Line.width"
)

// PointInputs are names of inputs that programs of the console list among their
// uniforms, because the table of a DVLE contains inputs too: the inputs of a
// point shader, with the streams that hold them.
var PointInputs = map[string]string{"dmp_Point.Position": "position", "dmp_Point.PointSize": "size"}

// Program is a shader program of the library.
type Program struct {
	Name    string   // "lit"
	title   string   // its purpose, in a few words
	Sources []string // file names; the first is the vertex shader
	Inputs  []Value  // inputs of the vertex shader
	// uniforms are those of all sources. One that both shaders have is listed once;
	// the geometry shader needs its value too.
	uniforms []Value
	outputs  []Value // outputs of the last shader
	// VerticesPerInvocation is the number of vertices that a point-mode geometry
	// shader takes at a time; 0 without a geometry shader or in other modes.
	VerticesPerInvocation int
}

// Value is an input, uniform or output of a program.
type Value struct {
	Name string // as in the symbol table of the .shbin; for outputs: the property
	reg  string // "v0"; empty if the assembler chooses
	size int    // number of registers, for arrays
	doc  string
}

// Values used by several programs.
var (
	inPosition = Value{"position", "v0", 1, "xyz in model space; w is ignored"}
	inNormal   = Value{"normal", "v1", 1, "xyz in model space, any length but 0"}
	inTexcoord = Value{"texcoord", "v2", 1, "xy"}
	inColor    = Value{"color", "v3", 1, "rgba, 0 to 1"}
	inJoints   = Value{"joints", "v4", 1, "four bone numbers, 0 to 19"}
	inWeights  = Value{"weights", "v5", 1, "four weights, sum 1"}
	inValence  = Value{"valence", "v7", 1, "x = number of edges at the vertex"}
	inTangent  = Value{"tangent", "v6", 1, "xyz in model space; w is ignored: a quaternion holds right-handed frames only"}

	projection    = Value{"projection", "", 4, "rows: view space to clip space"}
	modelView     = Value{"modelView", "", 4, "rows: model space to view space"}
	normalMatrix  = Value{"normalMatrix", "", 3, "rows: normals from model to view space, any scale"}
	outPosition   = Value{"position", "", 1, "clip space"}
	outColor      = Value{"color", "", 1, "rgba"}
	outQuaternion = Value{"normalquat", "", 1, "rotation from +z (and +x) to normal (and tangent)"}
	outView       = Value{"view", "", 1, "xyz from the vertex to the eye, view space"}
	outTexture0   = Value{"texcoord0", "", 1, "xy"}
	outTexture1   = Value{"texcoord1", "", 1, "xy"}
)

// library is ordered by name.
var library = []Program{
	{
		Name: "basic", title: "position and colour", Sources: []string{"basic.v.pica"},
		Inputs:   []Value{inPosition, inColor},
		uniforms: []Value{projection, modelView},
		outputs:  []Value{outPosition, outColor},
	},
	{
		Name: "billboard", title: "particles as rectangles that face the eye", Sources: []string{"billboard.v.pica", "billboard.g.pica"},
		Inputs:   []Value{inPosition, inColor, {"size", "v7", 1, "xy = width and height in view space, zw = cosine and sine of the turn"}},
		uniforms: []Value{modelView, projection},
		outputs:  []Value{outPosition, outColor, outTexture0}, VerticesPerInvocation: 1,
	},
	{
		Name: "catmull_clark", title: "a step of Catmull-Clark subdivision (variable mode; streams: assets/patches)", Sources: []string{"catmull_clark.v.pica", "catmull_clark.g.pica"},
		Inputs: []Value{inPosition, inNormal, inTexcoord, inColor, inValence},
		uniforms: []Value{projection, modelView, normalMatrix,
			{"lightDirection", "", 1, "to the light in view space, length 1"},
			{"lightAmbient", "", 1, "rgb that faces turned away keep"},
			{"lightVertices", "", 1, "bool; false: colours as they are"}},
		outputs: []Value{outPosition, outColor, outTexture0},
	},
	{
		Name: "catmull_clark_lit", title: "a step of Catmull-Clark subdivision for fragment lighting (variable mode; streams: assets/patches)", Sources: []string{"catmull_clark_lit.v.pica", "catmull_clark_lit.g.pica"},
		Inputs:   []Value{inPosition, inNormal, inTexcoord, inColor, inValence},
		uniforms: []Value{modelView, normalMatrix, projection},
		outputs:  []Value{outPosition, outQuaternion, outColor, outTexture0, outView},
	},
	{
		Name: "line", title: "lines of a width in pixels", Sources: []string{"line.v.pica", "line.g.pica"},
		Inputs: []Value{inPosition, inColor},
		uniforms: []Value{projection, modelView,
			{LineViewport, "", 1, "xy = width and height of the viewport in pixels, zw = 1/xy"},
			{LineWidth, "", 1, "x = width of the line in pixels"}},
		outputs: []Value{outPosition, outColor}, VerticesPerInvocation: 2,
	},
	{
		Name: "lit", title: "fragment lighting: normal quaternion and view vector", Sources: []string{"lit.v.pica"},
		Inputs:   []Value{inPosition, inNormal, inTexcoord, inColor},
		uniforms: []Value{projection, modelView, normalMatrix},
		outputs:  []Value{outPosition, outQuaternion, outColor, outTexture0, outTexture1, outView},
	},
	{
		Name: "lit_tangent", title: "fragment lighting with bump mapping: the quaternion turns the tangent too", Sources: []string{"lit_tangent.v.pica"},
		Inputs:   []Value{inPosition, inNormal, inTexcoord, inColor, inTangent},
		uniforms: []Value{projection, modelView, normalMatrix},
		outputs:  []Value{outPosition, outQuaternion, outColor, outTexture0, outTexture1, outView},
	},
	{
		Name: "loop", title: "a step of Loop subdivision (variable mode; streams: assets/patches)", Sources: []string{"loop.v.pica", "loop.g.pica"},
		Inputs: []Value{inPosition, inNormal, inTexcoord, inColor, inValence},
		uniforms: []Value{projection, modelView, normalMatrix,
			{"lightDirection", "", 1, "to the light in view space, length 1"},
			{"lightAmbient", "", 1, "rgb that faces turned away keep"},
			{"lightVertices", "", 1, "bool; false: colours as they are"}},
		outputs: []Value{outPosition, outColor, outTexture0},
	},
	{
		Name: "loop_lit", title: "a step of Loop subdivision for fragment lighting (variable mode; streams: assets/patches)", Sources: []string{"loop_lit.v.pica", "loop_lit.g.pica"},
		Inputs:   []Value{inPosition, inNormal, inTexcoord, inColor, inValence},
		uniforms: []Value{modelView, normalMatrix, projection},
		outputs:  []Value{outPosition, outQuaternion, outColor, outTexture0, outView},
	},
	{
		Name: "particles", title: "particles along Bezier paths (fixed mode, four vertices a path)", Sources: []string{"particles.v.pica", "particles.g.pica"},
		Inputs: []Value{inPosition, inColor, {"size", "v7", 1, "xy = half width, half height in view space; z = how far particles leave the path"}},
		uniforms: []Value{modelView, projection,
			{"phase", "", 1, "x = time, y = distance of particles on the path (0 to 1 is the whole), z = start of the sequence that strews them"},
			{"particles", "", 1, "int: (particles of a path - 1, 0, 1)"}},
		outputs: []Value{outPosition, outColor, outTexture0},
	},
	{
		Name: "point", title: "point sprites", Sources: []string{"point.v.pica", "point.g.pica"},
		Inputs: []Value{inPosition, inColor, {"size", "v7", 1, "x = edge of the square, see " + pointDistanceAttenuation}},
		uniforms: []Value{projection, modelView,
			{PointViewport, "", 1, "xy = 1/width and 1/height of the viewport in pixels"},
			{pointDistanceAttenuation, "", 1, "bool; false: sizes are pixels, true: pixels at w = 1, shrinking with w"}},
		outputs: []Value{outPosition, outColor, outTexture0}, VerticesPerInvocation: 1,
	},
	{
		Name: "resource", title: "models of the console's own tools (CGFX, BCH): bones, texture matrices, light by vertex and by fragment", Sources: []string{"resource.v.pica"},
		Inputs: []Value{{"position", "v0", 1, "xyz, in the bone's space or the model's"}, {"normal", "v1", 1, "xyz"}, {"tangent", "v2", 1, "xyz"},
			{"color", "v3", 1, "rgba"}, {"texcoord0", "v4", 1, "xy"}, {"texcoord1", "v5", 1, "xy"}, {"texcoord2", "v6", 1, "xy"},
			{"joints", "v7", 1, "bone numbers, 0 to 19"}, {"weights", "v8", 1, "four weights"}},
		uniforms: []Value{projection,
			{"bones", "", 60, "20 bones of three rows: vertex to view space"},
			{"texture0", "", 3, "rows: s, t and r of unit 0 from (s, t, 0, 1)"}, {"texture1", "", 2, "rows of unit 1"}, {"texture2", "", 2, "rows of unit 2"},
			{"textureW", "", 2, "rows: what projected coordinates of units 1 and 2 are divided by"},
			{"scaleA", "", 1, "scales of position, normal and tangent, colour, bone numbers"}, {"scaleB", "", 1, "scales of weights and of the texture coordinates"},
			{"positionOffset", "", 1, "xyz is added to the position"}, {"colorScale", "", 1, "times the vertex colour"},
			{"skyDirection", "", 1, "to the sky, view space, length 1"}, {"skyColor", "", 1, "rgb"}, {"groundColor", "", 1, "rgb"},
			{"lightDirection", "", 3, "to the lights, view space, length 1"}, {"lightColor", "", 3, "rgb"},
			{"smooth", "", 1, "bool; true: four bones with weights, false: one"}, {"perVertex", "", 1, "bool; true: the vertex says which, false: bone 0"},
			{"hasNormal", "", 1, "bool"}, {"tangents", "", 1, "bool; true: the quaternion turns the tangent too"},
			{"sphere0", "", 1, "bool; the coordinate of unit 0 is made of the normal"}, {"sphere1", "", 1, "bool"}, {"sphere2", "", 1, "bool"},
			{"projected0", "", 1, "bool; the coordinate of unit 0 is made of the place in view space"}, {"projected1", "", 1, "bool"}, {"projected2", "", 1, "bool"},
			{"cube0", "", 1, "bool; the coordinate of unit 0 is the view reflected"}, {"sky", "", 1, "bool; light by vertex instead of the vertex colour"}},
		outputs: []Value{outPosition, outQuaternion, outColor, outTexture0, {"texcoord0w", "", 1, "r"}, outTexture1, {"texcoord2", "", 1, "xy"}, outView},
	},
	{
		Name: "silhouette", title: "outlines of meshes (index list: assets/patches)", Sources: []string{"silhouette.v.pica", "silhouette.g.pica"},
		Inputs: []Value{inPosition, inNormal},
		uniforms: []Value{projection, modelView, normalMatrix,
			{"outlineWidth", "", 1, "xy = width / half the viewport, in pixels, at w = 1"},
			{"outlineColor", "", 1, "rgba"},
			{"scaleByW", "", 1, "bool; true: the width is the same at any distance"}},
		outputs: []Value{outPosition, outColor}, VerticesPerInvocation: 4,
	},
	{
		Name: "skinned", title: "lit, with up to four bones a vertex, normal maps, and coordinates for each unit", Sources: []string{"skinned.v.pica"},
		Inputs: []Value{inPosition, inNormal, inTexcoord, inColor, inJoints, inWeights, inTangent, {"texcoord1", "v8", 1, "xy"}, {"texcoord2", "v9", 1, "xy"}},
		uniforms: []Value{projection, modelView, normalMatrix,
			{"bones", "", 60, "20 bones of three rows: bind pose to posed model space"},
			{"fourBones", "", 1, "bool; false: joints.xy count, true: all four"},
			{"tangents", "", 1, "bool; true: the quaternion turns the tangent too"},
			{"coordinates", "", 1, "bool; true: units 1 and 2 have their own texture coordinates"}},
		outputs: []Value{outPosition, outQuaternion, outColor, outTexture0, outTexture1, {"texcoord2", "", 1, "xy"}, outView},
	},
	{
		Name: "textured", title: "position, colour and texture coordinates", Sources: []string{"textured.v.pica"},
		Inputs: []Value{inPosition, inTexcoord, inColor},
		uniforms: []Value{projection, modelView,
			{"textureMatrix", "", 3, "rows: s, t and r from (s, t, 0, 1) of the vertex"}},
		outputs: []Value{outPosition, outColor, outTexture0,
			{"texcoord0w", "", 1, "r of the texture matrix"}, outTexture1, {"texcoord2", "", 1, "xy"}},
	},
	{
		Name: "vertex_lit", title: "diffuse lighting by vertex, up to four lights", Sources: []string{"vertex_lit.v.pica"},
		Inputs: []Value{inPosition, inNormal, inTexcoord, inColor},
		uniforms: []Value{projection, modelView, normalMatrix,
			{"ambient", "", 1, "rgb"}, {"emission", "", 1, "rgb"}, {"diffuse", "", 1, "rgba of the material, times the vertex colour"},
			{"lightPosition", "", 4, "view space; w = 0: xyz points to the light, w = 1: position"}, {"lightColor", "", 4, "rgb"},
			{"lights", "", 1, "int: (number of lights - 1, 0, 1)"}, {"useLights", "", 1, "bool; false: ambient light alone"}},
		outputs: []Value{outPosition, outColor, outTexture0},
	},
}

// Programs returns the library, ordered by name. The slice is shared; do not change it.
func Programs() []Program { return library }

// names returns the names of all programs, ordered.
func names() []string {
	names := make([]string, len(library))
	for i := range library {
		names[i] = library[i].Name
	}
	return names
}

// Lookup finds a program by name.
func Lookup(name string) (*Program, error) {
	i := slices.IndexFunc(library, func(p Program) bool { return p.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("shaders: no program %q in the library, expected one of %s", name, strings.Join(names(), ", "))
	}
	return &library[i], nil
}

// Source returns the text of a source file of the library, such as "lit.v.pica".
func Source(file string) ([]byte, error) {
	text, err := files.ReadFile("pica/" + file)
	if err != nil {
		return nil, fmt.Errorf("shaders: no source %q in the library", file)
	}
	return text, nil
}

// Load assembles a program. Executable 0 is the vertex shader, executable 1 the
// geometry shader, if any. Each call returns a new file.
func Load(name string) (*shbin.File, error) {
	p, err := Lookup(name)
	if err != nil {
		return nil, err
	}
	var sources []asm.Source
	for _, file := range p.Sources {
		text, err := Source(file)
		if err != nil {
			return nil, err
		}
		sources = append(sources, asm.Source{Name: file, Text: text})
	}
	prog, diags := asm.Assemble(asm.Options{}, sources...)
	if prog == nil {
		return nil, fmt.Errorf("shaders: %s: %w", name, diags.Err())
	}
	return prog.File, nil
}
