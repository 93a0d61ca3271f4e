package scenebuild

import (
	"strings"

	"github.com/go-gl/mathgl/mgl32"

	"pica200/assets/model"
	"pica200/scene"
	"pica200/shaderunit/shaders"
)

// stream is the data of a shader input: size components for each vertex, or one
// value for all vertices.
type stream struct {
	size   int
	at     func(i int) mgl32.Vec4
	always mgl32.Vec4 // value if at is nil
}

// defaults are the values of streams that a part does not have.
var defaults = map[string]mgl32.Vec4{
	"position": {0, 0, 0, 1}, "normal": {0, 0, 1, 0}, "texcoord": {0, 0, 0, 1}, "texcoord1": {0, 0, 0, 1}, "texcoord2": {0, 0, 0, 1},
	"color": {1, 1, 1, 1}, "joints": {0, 0, 0, 0}, "weights": {1, 0, 0, 0}, "tangent": {1, 0, 0, 0}, "size": {0.1, 0.1, 1, 0},
}

// streamOf returns a part's stream by name.
func streamOf(p *model.Part, name string, color *mgl32.Vec4) stream {
	three := func(v []mgl32.Vec3) stream {
		if v == nil {
			return stream{always: defaults[name]}
		}
		return stream{size: 3, at: func(i int) mgl32.Vec4 { return mgl32.Vec4{v[i][0], v[i][1], v[i][2], 1} }}
	}
	four := func(v []mgl32.Vec4) stream {
		if v == nil {
			return stream{always: defaults[name]}
		}
		return stream{size: 4, at: func(i int) mgl32.Vec4 { return v[i] }}
	}
	switch name {
	case "position":
		return three(p.Positions)
	case "normal":
		return three(p.Normals)
	case "texcoord", "texcoord1", "texcoord2":
		v := p.UV[map[string]int{"texcoord": 0, "texcoord1": 1, "texcoord2": 2}[name]]
		if v == nil {
			return stream{always: defaults[name]}
		}
		return stream{size: 2, at: func(i int) mgl32.Vec4 { return mgl32.Vec4{v[i][0], v[i][1], 0, 1} }}
	case "color":
		if color != nil {
			return stream{always: *color}
		}
		return four(p.Colors)
	case "joints":
		if p.Joints == nil {
			return stream{always: defaults[name]}
		}
		return stream{size: 4, at: func(i int) mgl32.Vec4 {
			j := p.Joints[i]
			return mgl32.Vec4{float32(j[0]), float32(j[1]), float32(j[2]), float32(j[3])}
		}}
	case "weights":
		return four(p.Weights)
	case "tangent":
		return four(p.Tangents)
	case "size":
		return four(p.Sizes)
	}
	return stream{}
}

// generic returns the stream of a glTF attribute _Vn for input register n.
func generic(p *model.Part, reg int) (stream, bool) {
	if reg >= len(p.Generic) || p.Generic[reg] == nil {
		return stream{}, false
	}
	v := p.Generic[reg]
	return stream{size: 4, at: func(i int) mgl32.Vec4 { return v[i] }}, true
}

// aliases are common names of inputs in homebrew shaders, without prefixes,
// capitals and underscores.
var aliases = map[string]string{
	"pos": "position", "position": "position", "vertex": "position", "normal": "normal", "norm": "normal", "nrm": "normal",
	"tex": "texcoord", "uv": "texcoord", "texcoord": "texcoord", "tex0": "texcoord", "uv0": "texcoord", "texcoord0": "texcoord", "tc": "texcoord", "tc0": "texcoord",
	"tex1": "texcoord1", "uv1": "texcoord1", "texcoord1": "texcoord1", "tc1": "texcoord1", "tex2": "texcoord2", "uv2": "texcoord2", "texcoord2": "texcoord2", "tc2": "texcoord2",
	"color": "color", "colour": "color", "col": "color", "clr": "color", "joints": "joints", "bones": "joints", "boneindex": "joints", "weights": "weights", "boneweight": "weights",
	"tangent": "tangent", "tan": "tangent", "size": "size",
}

// streamName returns the stream for an input of a program: the one that the
// scene sets, or by the input's name, or by its register in the library's
// order.
func streamName(g *scene.Program, input string, reg int) string {
	if s, ok := g.Attributes[input]; ok {
		return s
	}
	if s, ok := shaders.PointInputs[input]; ok {
		return s
	}
	n := strings.ToLower(strings.ReplaceAll(input, "_", ""))
	for _, prefix := range []string{"", "in", "a", "v", "vtx", "attr"} {
		if rest, ok := strings.CutPrefix(n, prefix); ok {
			if s, ok := aliases[rest]; ok {
				return s
			}
		}
	}
	byRegister := []string{"position", "normal", "texcoord", "color", "joints", "weights", "tangent", "size"}
	if reg < len(byRegister) {
		return byRegister[reg]
	}
	return ""
}
