package shaderfit

import (
	"strings"
	"unicode"
)

// plain returns a name in lower case without underscores and trailing digits, and these digits.
func plain(name string) (text, digits string) {
	text = strings.ToLower(strings.Map(func(r rune) rune {
		if r == '_' || r == '.' || r == '$' {
			return -1
		}
		return r
	}, name))
	short := strings.TrimRightFunc(text, unicode.IsDigit)
	return short, text[len(short):]
}

// isRotation reports whether an input's name denotes a rotation, as for sprites.
func isRotation(name string) bool {
	text, _ := plain(name)
	return strings.HasSuffix(text, "rot") || strings.HasSuffix(text, "rotation") || strings.HasSuffix(text, "cossin") || strings.HasSuffix(text, "sincos")
}

// streamAliases are common names of inputs, without prefixes (inputPrefixes), capitals, underscores and trailing numbers.
var streamAliases = map[string]string{
	"pos": "position", "position": "position", "vertex": "position", "vert": "position", "vtx": "position", "xyz": "position", "coord": "position",
	"point": "position", "vpos": "position", "p": "position", "loc": "position", "vertexposition": "position",
	"normal": "normal", "norm": "normal", "nrm": "normal", "nor": "normal", "n": "normal", "nml": "normal", "vertexnormal": "normal",
	"tex": "texcoord", "uv": "texcoord", "texcoord": "texcoord", "texcoords": "texcoord", "tc": "texcoord", "st": "texcoord", "uvs": "texcoord",
	"tcoord": "texcoord", "texture": "texcoord", "texturecoord": "texcoord", "texpos": "texcoord", "t": "texcoord", "txc": "texcoord",
	"color": "color", "colour": "color", "col": "color", "clr": "color", "rgba": "color", "rgb": "color", "c": "color", "tint": "color",
	"joints": "joints", "joint": "joints", "bones": "joints", "bone": "joints", "boneindex": "joints", "boneindices": "joints", "boneids": "joints", "boneid": "joints", "blendindices": "joints",
	"weights": "weights", "weight": "weights", "boneweight": "weights", "boneweights": "weights", "blendweights": "weights", "wgt": "weights",
	"tangent": "tangent", "tan": "tangent", "tng": "tangent", "size": "size", "pointsize": "size",
	"dmppointposition": "position", "dmppointpointsize": "size",
}

var inputPrefixes = []string{"", "input", "in", "attribute", "attrib", "attr", "vertex", "vtx", "vert", "vs", "a", "v", "i"}

// streamOf returns the stream for an input's name, "" if unknown.
func streamOf(name string) string {
	n, digits := plain(name)
	for _, prefix := range inputPrefixes {
		rest, ok := strings.CutPrefix(n, prefix)
		if !ok {
			continue
		}
		if rest == "vc" || rest == "c" && prefix == "" && digits != "" { // name of a register
			continue
		}
		if s, ok := streamAliases[rest]; ok {
			if prefix == "" && len(rest) == 1 && digits != "" {
				continue // t0, p1: too ambiguous
			}
			if s == "texcoord" && (digits == "1" || digits == "2") {
				return s + digits
			}
			return s
		}
	}
	return ""
}

// matrixAliases are common names of matrices, without "u", "mtx", "mat", "matrix" and underscores.
var matrixAliases = map[string]Role{
	"proj": Projection, "projection": Projection, "prj": Projection, "perspective": Projection, "ortho": Projection, "persp": Projection,
	"modelview": ModelView, "mdlv": ModelView, "mdlview": ModelView, "mv": ModelView, "worldview": ModelView, "mdvl": ModelView, "modelv": ModelView, "mview": ModelView,
	"mvp": ModelViewProjection, "wvp": ModelViewProjection, "modelviewproj": ModelViewProjection, "modelviewprojection": ModelViewProjection,
	"worldviewproj": ModelViewProjection, "worldviewprojection": ModelViewProjection, "modelviewproject": ModelViewProjection, "pvm": ModelViewProjection,
	"model": Model, "world": Model, "mdl": Model, "object": Model, "obj": Model, "m": Model, "local": Model, "m2w": Model, "modeltoworld": Model, "modelworld": Model,
	"view": View, "camera": View, "cam": View, "v": View, "lookat": View, "worldtoview": View,
	"viewproj": ViewProjection, "vp": ViewProjection, "viewprojection": ViewProjection, "projview": ViewProjection, "pv": ViewProjection, "cameraproj": ViewProjection, "projectionview": ViewProjection,
	"normal": Normal, "nrm": Normal, "norm": Normal, "normals": Normal, "nm": Normal, "normalmodelview": Normal, "modelviewit": Normal, "itmv": Normal,
	"bones": Bones, "bone": Bones, "skin": Bones, "joints": Bones, "palette": Bones, "univreg": Bones, "skinning": Bones, "bonemats": Bones, "jointmatrices": Bones,
	"transform": ModelViewProjection, "matrix": ModelViewProjection, "mtx": ModelViewProjection, "mat": ModelViewProjection, "trans": ModelViewProjection, "xform": ModelViewProjection,
}

// matrixOf returns the matrix for a uniform's name.
func matrixOf(name string) (Role, bool) {
	n, _ := plain(name)
	try := func(n string) (Role, bool) {
		if r, ok := matrixAliases[n]; ok {
			return r, true
		}
		for _, word := range []string{"matrices", "matrix", "mtx", "mat"} {
			for _, cut := range []func(string, string) (string, bool){strings.CutSuffix, strings.CutPrefix} {
				if rest, ok := cut(n, word); ok {
					if r, ok := matrixAliases[rest]; ok {
						return r, true
					}
				}
			}
		}
		return Identity, false
	}
	for _, prefix := range []string{"", "u", "uniform", "g", "vs", "c"} {
		if rest, ok := strings.CutPrefix(n, prefix); ok {
			if r, ok := try(rest); ok {
				return r, true
			}
		}
	}
	return Identity, false
}

// kind is the purpose of a uniform, other than a matrix, by its name.
type kind uint8

const (
	unknown kind = iota
	colour
	lightColour
	dim
	direction
	position // position of a light or eye
	scale
	thin
	offset
	moment
	screen
)

// kindNames are parts of names; the first match counts.
var kindNames = []struct {
	part string
	kind kind
}{
	{"lightclr", lightColour}, {"lightcol", lightColour}, {"lightambient", dim}, {"lightdiffuse", lightColour}, {"ambient", dim},
	{"diffuse", colour}, {"specular", colour}, {"emission", colour}, {"emissive", colour}, {"color", colour}, {"colour", colour}, {"clr", colour}, {"tint", colour},
	{"alpha", colour}, {"opacity", colour}, {"bright", colour}, {"intensity", colour},
	{"lightpos", position}, {"eyepos", position}, {"campos", position}, {"viewpos", position}, {"camerapos", position},
	{"lightdir", direction}, {"lightvec", direction}, {"light", direction}, {"sun", direction}, {"halfvec", direction}, {"half", direction}, {"dir", direction},
	{"viewport", screen}, {"resolution", screen}, {"screensize", screen},
	{"thick", thin}, {"outline", thin}, {"width", thin}, {"border", thin}, {"extrude", thin}, {"inflate", thin},
	{"scale", scale}, {"scl", scale}, {"size", scale}, {"zoom", scale}, {"factor", scale}, {"ratio", scale},
	{"offset", offset}, {"ofs", offset}, {"off", offset}, {"translat", offset}, {"scroll", offset}, {"shift", offset}, {"move", offset}, {"origin", offset}, {"pos", offset}, {"trans", offset},
	{"time", moment}, {"phase", moment}, {"tick", moment}, {"frame", moment}, {"angle", moment},
	{"col", colour},
}

// kindOf returns the kind for a name.
func kindOf(name string) kind {
	n, _ := plain(name)
	for _, k := range kindNames {
		if strings.Contains(n, k.part) {
			return k.kind
		}
	}
	return unknown
}
