package scenebuild

import (
	"bytes"
	"fmt"
	"image"
	"path/filepath"
	"slices"
	"strings"

	"pica200/assets/model"
	"pica200/assets/shbin"
	"pica200/assets/texture"
	"pica200/internal/files"
	"pica200/internal/lazy"
	"pica200/internal/yamldoc"
	"pica200/pica"
	"pica200/scene"
	"pica200/scene/modeldraw"
)

// Kind is a kind of file that a Stage can be made of.
type Kind struct {
	Name   string                 // in messages
	Ends   []string               // endings of names, in lower case
	Begins func(head []byte) bool // recognises the first bytes of a file (HeadBytes); nil if they do not tell
	Detect func(data []byte) bool // recognises a whole text

	file func(path string, roots []string) (*Stage, error)
	data func(name string, data []byte, roots []string) (*Stage, error)
}

// Kinds lists the kinds. The name of a file decides before its contents.
var Kinds = []Kind{
	{"scene", []string{".yaml", ".yml"}, nil, scene.Detect, loadScene, parseScene},
	{"model", []string{".gltf", ".glb", ".obj", ".cgfx", ".bcres", ".bcmdl", ".bnr", ".cbmd", ".bch"},
		func(head []byte) bool { return modeldraw.Is(head) || model.Kind("", head) != "" }, model.IsOBJ, openModel, parseModel},
	{"shader", []string{".shbin", ".pica", ".vsh", ".gsh"}, isBinary,
		func(data []byte) bool { return shaderSource().Match(data) && files.IsText(data) }, openShader, parseShader},
}

// TextureKind makes a scene of a texture file: a rectangle that shows it. It is
// not among Kinds, because a texture is a picture already.
var TextureKind = Kind{Name: "texture", Ends: []string{".t3x"}, file: openTexture}

func openTexture(path string, roots []string) (*Stage, error) {
	data, err := files.ReadRegular(path, files.Max)
	if err != nil {
		return nil, err
	}
	t, _, err := texture.ParseT3XHeader(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if t.Cube {
		return nil, fmt.Errorf("%s is a cube map, which the window does not show; pica200 render makes a picture of it", path)
	}
	st, err := parseScene(path, []byte(textureScene(t, filepath.Base(path))), roots)
	if err != nil {
		return nil, err
	}
	st.Text = nil
	return st, nil
}

// textureScene shows the largest level, of several subtextures each as a draw, and the smaller
// levels beside it.
func textureScene(t *texture.T3X, file string) string {
	times, wide, value := max(256/max(t.Width, t.Height), 1), t.Width, "COLOR"
	if t.Levels > 1 {
		wide += t.Width / 2
	}
	if t.Format == pica.TextureFormatA8 || t.Format == pica.TextureFormatA4 {
		value = "ALPHA" // the colour is black
	}
	var textures, draws strings.Builder
	// draw shows a part of a level, from its lower left corner, at a place of the picture.
	draw := func(name string, level int, at, part image.Rectangle) {
		unit := 2 / float64(t.Height) // of a texel; the picture is two high
		middle := at.Min.Add(at.Max)
		w, h := float64(t.Width>>level), float64(t.Height>>level)
		fmt.Fprintf(&draws, `
  - {name: %q, model: quad, at: [%g, %g, 0], scale: [%g, %g, 1], textures: [level%d], lit: false, cull: none, uniforms: {
      textureMatrix: [%g, 0, 0, %g, 0, %g, 0, %g, 0, 0, 1, 0], "dmp_TexEnv[0].operandRgb": [GL_SRC_%s, GL_SRC_COLOR, GL_SRC_COLOR],
      "dmp_TexEnv[0].srcRgb": [GL_TEXTURE0, GL_TEXTURE0, GL_TEXTURE0], "dmp_TexEnv[0].srcAlpha": [GL_TEXTURE0, GL_TEXTURE0, GL_TEXTURE0],
      "dmp_TexEnv[0].combineRgb": GL_REPLACE, "dmp_TexEnv[0].combineAlpha": GL_REPLACE}}`, name,
			float64(middle.X-wide)*unit/2, float64(middle.Y-t.Height)*unit/2, float64(at.Dx())*unit, float64(at.Dy())*unit, level,
			float64(part.Dx())/w, float64(part.Min.X)/w, float64(part.Dy())/h, float64(part.Min.Y)/h, value)
	}
	for i, s := range t.SubTextures {
		if r, err := s.Place(t.Width, t.Height); err == nil && len(t.SubTextures) > 1 && i < maxShownParts {
			draw(fmt.Sprintf("%d: %dx%d", i, s.Width, s.Height), 0, r, r)
		}
	}
	if whole := image.Rect(0, 0, t.Width, t.Height); draws.Len() == 0 || len(t.SubTextures) > maxShownParts {
		draw("picture", 0, whole, whole)
	}
	top := t.Height
	for level := range int(t.Levels) {
		fmt.Fprintf(&textures, "\n  level%d: {file: %q, mag: nearest, min: nearest, mip: nearest, bias: 15, max_lod: %d}", level, file, level)
		if level > 0 {
			r := image.Rect(0, 0, t.Width>>level, t.Height>>level)
			top -= r.Dy()
			draw(fmt.Sprintf("level %d", level), level, r.Add(image.Pt(t.Width, top)), r)
		}
	}
	return fmt.Sprintf("name: %q\ntarget: {width: %d, height: %d}\ncamera: {eye: [0, 0, 10], at: [0, 0, 0], fovy: 11.421186274999284, near: 1, far: 20}\ntextures:%s\nmodels: {quad: {shape: quad, size: [1, 1]}}\ndraws:%s\n",
		file, wide*times, t.Height*times, textures.String(), draws.String())
}

// maxShownParts bounds the draws of a texture; the rest of more subtextures is one.
const maxShownParts = 200

// HeadBytes is how much of a file Begins needs.
const HeadBytes = 4096

func isBinary(head []byte) bool { return bytes.HasPrefix(head, []byte(shbin.MagicDVLB)) }

// shaderSource matches something that every shader source has and no scene.
var shaderSource = lazy.Regexp(`(?m)^[ \t]*\.(out|proc|entry|nodvle|gsh)\b`)

// Load reads a scene file, or makes a scene for a model or a shader, and loads
// its files. They must be in its folder or in roots.
func Load(path string, roots ...string) (*Stage, error) {
	kind := slices.IndexFunc(Kinds, func(k Kind) bool { return slices.Contains(k.Ends, strings.ToLower(filepath.Ext(path))) })
	if kind < 0 {
		head, err := files.Head(path, HeadBytes)
		if err != nil {
			return nil, err
		}
		kind = slices.IndexFunc(Kinds, func(k Kind) bool { return k.Begins != nil && k.Begins(head) })
	}
	return Kinds[max(kind, 0)].Load(path, roots...) // the reader of scenes says what is wrong
}

// Load is the function Load for a file of this kind.
func (k *Kind) Load(path string, roots ...string) (*Stage, error) { return k.file(path, roots) }

// LoadText is Load with a text in place of the file's.
func (k *Kind) LoadText(path string, text []byte, roots ...string) (*Stage, error) {
	return k.data(path, text, roots)
}

// Parse is Load for data in memory, such as standard input; the content decides
// what it is. name is its name in messages. Files that it refers to must be in
// the working directory or in roots.
func Parse(name string, data []byte, roots ...string) (*Stage, error) {
	for _, k := range Kinds {
		if k.Begins != nil && k.Begins(data) || k.Detect(data) {
			st, err := k.data(name, data, roots)
			if err != nil {
				return nil, err
			}
			st.piped = true
			return st, nil
		}
	}
	return nil, fmt.Errorf("%s is not a scene (YAML with draws or passes), not a model (glTF, OBJ, CGFX, BCH, banner) and not a shader", name)
}

func loadScene(path string, roots []string) (*Stage, error) {
	text, err := files.Read(path, yamldoc.MaxBytes)
	if err != nil {
		return nil, err
	}
	return parseScene(path, text, roots)
}

func parseScene(name string, text []byte, roots []string) (*Stage, error) {
	s, err := scene.Parse(name, text)
	if err != nil {
		return nil, err
	}
	s.Roots = roots
	st, err := New(s)
	if err != nil {
		return nil, err
	}
	st.Text = text
	return st, nil
}

func parseModel(name string, data []byte, roots []string) (*Stage, error) {
	if modeldraw.Is(data) {
		if len(data) > maxResource {
			return nil, tooLarge(name, data, maxResource)
		}
		set, err := parseSet(name, data)
		if err != nil {
			return nil, err
		}
		return newSet(set, name)
	}
	m, err := model.Parse(name, data, ".", roots...)
	if err != nil {
		return nil, err
	}
	return newModel(m, name)
}

func tooLarge(name string, data []byte, limit int) error {
	return fmt.Errorf("%s has %d bytes; at most %d are read", name, len(data), limit)
}
