package session

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"pica200/assets/model"
	"pica200/assets/shbin"
	"pica200/internal/files"
	"pica200/scene/scenebuild"
	"pica200/shaderunit/asm"
)

// openModel shows a model as "pica200 render" does.
func openModel(path string, roots []string) (Source, error) {
	return openMade(path, roots, func(path string) ([]byte, []string, error) { return modelText(path, roots...) })
}

// modelText is the scene of scenebuild.ModelScene as a text.
func modelText(path string, roots ...string) ([]byte, []string, error) {
	files := parts(path)
	if text, err := scenebuild.SetText(path); text != nil || err != nil {
		return text, files, err
	}
	m, err := model.Load(path, roots...)
	if err != nil {
		return nil, files, err
	}
	s, err := scenebuild.ModelScene(m, path)
	if err != nil {
		return nil, files, err
	}
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	vec := func(v []float64) string {
		var all []any
		for _, x := range v {
			all = append(all, x)
		}
		return flowText(all)
	}
	if s.Name != "" {
		line("name: %q", s.Name)
	}
	c := s.Target.Clear
	line("target: {width: %d, height: %d, color: %s, depth: %s, clear: {color: %s, depth: %g, stencil: %d}}", s.Target.Width, s.Target.Height,
		s.Target.Color, s.Target.Depth, vec(c.Color[:]), *c.Depth, *c.Stencil)
	line("camera: {eye: %s, at: %s, fovy: %g, near: %s, far: %s}", vec(s.Camera.Eye.At(0)), vec(s.Camera.At.At(0)),
		s.Camera.Fovy.Scalar(0, 40), scalarText(s.Camera.Near), scalarText(s.Camera.Far))
	line("ambient: %s", vec(s.Ambient.At(0)))
	line("lights:")
	for _, l := range s.Lights {
		line("  - {direction: %s, ambient: %s, diffuse: %s, specular0: %s}", vec(l.Direction.At(0)), vec(l.Ambient.At(0)), vec(l.Diffuse.At(0)), vec(l.Specular0.At(0)))
	}
	line("models:\n  model: {file: %q}", filepath.Base(path))
	line("draws:\n  - {name: %q, model: model}", s.Draws[0].Name)
	return []byte(b.String()), files, nil
}

// maxShader bounds the shader files that are read.
const maxShader = 4 << 20

// shaderText is a scene that shows a shader, binary or source, on a torus knot,
// or on points if it has a geometry shader.
func shaderText(path string) ([]byte, []string, error) {
	read := func(path string) ([]byte, error) {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if info.Size() > maxShader {
			return nil, fmt.Errorf("%s has %d bytes; at most %d are read", path, info.Size(), maxShader)
		}
		return files.ReadRegular(path, maxShader)
	}
	var file *shbin.File
	var program string
	var files []string
	if strings.HasSuffix(path, ".shbin") {
		data, err := read(path)
		if err != nil {
			return nil, nil, err
		}
		if file, err = shbin.Parse(data); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", path, err)
		}
		program = fmt.Sprintf("{file: %q}", filepath.Base(path))
	} else {
		// A vertex shader and a geometry shader of the same name belong
		// together.
		names := []string{path}
		if stem, ok := strings.CutSuffix(path, ".v.pica"); ok && exists(stem+".g.pica") {
			names = append(names, stem+".g.pica")
		} else if stem, ok := strings.CutSuffix(path, ".g.pica"); ok {
			names = []string{stem + ".v.pica", path}
		}
		files = names
		var sources []asm.Source
		var quoted []string
		for _, n := range names {
			text, err := read(n)
			if err != nil {
				if n != path {
					err = fmt.Errorf("%w; a geometry shader is shown with the vertex shader of its name", err)
				}
				return nil, files, err
			}
			sources = append(sources, asm.Source{Name: n, Text: text})
			quoted = append(quoted, fmt.Sprintf("%q", filepath.Base(n)))
		}
		out, diags := asm.Assemble(asm.Options{}, sources...)
		if diags.Errors() > 0 {
			return nil, files, &scenebuild.ShaderError{Program: filepath.Base(path), Diagnostics: diags}
		}
		file = out.File
		program = "{sources: [" + strings.Join(quoted, ", ") + "]}"
	}
	lit, geometry, textured := false, false, false
	for i := range file.Executables {
		e := &file.Executables[i]
		geometry = geometry || e.Type == shbin.GeometryShader
		for _, o := range e.Outputs {
			lit = lit || o.Type == shbin.OutNormalQuat
			textured = textured || o.Type == shbin.OutTexCoord0
		}
	}
	var b strings.Builder
	b.WriteString(`target: {clear: {color: [0.16, 0.18, 0.22, 1], depth: 1, stencil: 0}}
camera: {eye: [0, 1.1, 4.2], at: [0, 0, 0], fovy: 40, near: 0.5, far: 30}
ambient: [0.22, 0.24, 0.28]
tables:
  shine: {power: 30}
textures:
  checker: {pattern: checker, size: 64, scale: 4, mipmaps: true}
`)
	if lit {
		b.WriteString(`lights:
  - {direction: [0.5, 0.8, 0.9], diffuse: [0.85, 0.83, 0.8], specular0: [0.8, 0.8, 0.8]}
  - {direction: [-0.8, 0.1, 0.3], diffuse: [0.16, 0.18, 0.25], specular0: [0, 0, 0]}
uniforms:
  dmp_FragmentMaterial.ambient: [0.75, 0.75, 0.75, 1]
  dmp_FragmentMaterial.diffuse: [0.75, 0.75, 0.75, 1]
  dmp_FragmentMaterial.specular0: [0.5, 0.5, 0.5, 1]
  dmp_FragmentMaterial.samplerD0: shine
`)
	}
	fmt.Fprintf(&b, "programs:\n  main: %s\n", program)
	shape, draw := "{shape: knot, size: [1, 0.3]}", ""
	if geometry {
		shape, draw = "{shape: points, count: 200, spread: [2, 1.2, 1], size: 0.1, seed: 1}", ", cull: none"
	}
	if textured && !geometry {
		draw += ", textures: [checker]"
	}
	if !lit {
		draw += ", lit: false"
		if textured && !geometry {
			draw += ", uniforms: {\"dmp_TexEnv[0].combineRgb\": GL_MODULATE, \"dmp_TexEnv[0].srcRgb\": [GL_TEXTURE0, GL_PRIMARY_COLOR, GL_PRIMARY_COLOR]}"
		}
	}
	fmt.Fprintf(&b, "models:\n  model: %s\ndraws:\n  - {name: %q, model: model, program: main%s}\n", shape, filepath.Base(path), draw)
	return []byte(b.String()), files, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
