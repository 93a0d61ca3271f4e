package scenebuild

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pica200/assets/shbin"
	"pica200/frontend/dmp"
	"pica200/internal/files"
	"pica200/scene"
	"pica200/shaderunit/asm"
)

// IsShader reports whether a file is a shader: a source by its name (.pica, and
// .vsh and .gsh of older tools), a binary by its first bytes.
func IsShader(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".pica", ".shbin", ".vsh", ".gsh":
		return true
	}
	head, err := files.Head(path, 4)
	return err == nil && string(head) == shbin.MagicDVLB
}

// openShader makes a stage that shows a bare shader; see ShaderText.
func openShader(path string) (*Stage, error) {
	text, _, err := ShaderText(path)
	if err != nil {
		return nil, err
	}
	s, err := scene.Parse(path+" (scene made for it)", text)
	if err != nil {
		return nil, err
	}
	// The user names the shader's own file, so it may be anywhere.
	s.File, s.Roots = path, []string{path}
	return New(s)
}

// ShaderText returns a scene that shows a shader, binary or source: on a torus
// knot with a pattern and lights that fit its outputs, or on suitable input of
// its geometry shader. A vertex shader and a geometry shader with the same name
// (X.v.pica, X.g.pica) belong together. files are its sources, also after an
// error.
func ShaderText(path string) (text []byte, files []string, err error) {
	p, program, files, err := loadShader(path)
	if err != nil {
		return nil, files, err
	}
	return shaderText(p, program, filepath.Base(path)), files, nil
}

// shaderText returns a scene that shows a program; said are its settings for the program.
func shaderText(p *program, said, name string) []byte {
	var b strings.Builder
	exec := &p.file.Executables[p.vertex]
	if p.geometry >= 0 {
		exec = &p.file.Executables[p.geometry]
	}
	has := map[shbin.OutputType]bool{}
	for _, o := range exec.Outputs {
		has[o.Type] = true
	}
	lit, colored := has[shbin.OutNormalQuat], has[shbin.OutColor]
	unit := slices.IndexFunc([]shbin.OutputType{shbin.OutTexCoord0, shbin.OutTexCoord1, shbin.OutTexCoord2}, func(t shbin.OutputType) bool { return has[t] })
	textured := unit >= 0
	// A program that computes its colour from something no model has shows only the
	// texture.
	colored = colored && !(textured && p.fit != nil && p.fit.Dark)
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
	fmt.Fprintf(&b, "programs:\n  main: %s\n", said)
	shape, draw := "{shape: knot, size: [1, 0.3]}", ""
	if p.fit != nil && p.fit.Flat {
		shape, draw = "{shape: quad, size: 2.2, detail: [8, 8]}", ", cull: none"
	}
	if p.geometry >= 0 {
		shape, draw = geometryShape(p)
		draw += ", cull: none"
	}
	if textured && !lit {
		draw += ", textures: [" + strings.Repeat("none, ", unit) + "checker]"
	}
	if !lit {
		draw += ", lit: false"
		const source, alpha, constant = dmp.TexEnvSrcRgb, dmp.TexEnvSrcAlpha, dmp.TexEnvConstRgba
		switch {
		case textured && colored:
			draw += fmt.Sprintf(`, uniforms: {"%v": GL_MODULATE, "%v": [GL_TEXTURE%d, GL_PRIMARY_COLOR, GL_PRIMARY_COLOR]}`, dmp.TexEnvCombineRgb, source, unit)
		case textured:
			draw += fmt.Sprintf(`, uniforms: {"%v": [GL_TEXTURE%d, GL_TEXTURE%[2]d, GL_TEXTURE%[2]d], "%[3]v": [GL_CONSTANT, GL_CONSTANT, GL_CONSTANT], "%v": [1, 1, 1, 1]}`, source, unit, alpha, constant)
		case !colored: // no colour is known
			draw += fmt.Sprintf(`, uniforms: {"%v": [GL_CONSTANT, GL_CONSTANT, GL_CONSTANT], "%v": [GL_CONSTANT, GL_CONSTANT, GL_CONSTANT], "%v": [0.8, 0.75, 0.6, 1]}`, source, alpha, constant)
		}
	}
	// Draws without depth, such as menus, often lie at the far plane.
	fmt.Fprintf(&b, "models:\n  model: %s\ndraws:\n  - {name: %q, model: model, program: main, depth: {func: less_equal}%s}\n", shape, name, draw)
	return []byte(b.String())
}

// geometryShape returns a mesh, and the other keys of a draw, that suit a
// geometry shader.
func geometryShape(p *program) (shape, draw string) {
	g := p.file.Executables[p.geometry].Geometry
	const points, mesh = "{shape: points, count: 200, spread: [2, 1.2, 1], size: 0.1, seed: 1}", "{shape: knot, size: [1, 0.3], detail: [64, 12]}"
	switch g.Mode {
	case shbin.GeometryVariable:
		if g.VariableNum >= 4 {
			return "{shape: sphere, detail: [16, 12]}", ", patches: catmull_clark"
		}
		return "{shape: sphere, detail: [16, 12]}", ", patches: loop"
	case shbin.GeometryFixed:
		switch g.FixedNum {
		case 4:
			return mesh, ", patches: silhouette"
		case 2:
			return mesh, ", patches: edges"
		}
		return mesh, ", primitive: elements"
	}
	if p.fit != nil && p.fit.PerRun > 1 {
		return mesh, ", primitive: elements"
	}
	return points, ""
}

// loadShader reads a shader and returns it with the scene's settings for it and its source files.
func loadShader(path string) (p *program, text string, sources []string, err error) {
	read := func(path string) ([]byte, error) { return files.ReadRegular(path, maxShader) }
	data, err := read(path)
	if err != nil {
		return nil, "", nil, err
	}
	if strings.HasPrefix(string(data), shbin.MagicDVLB) || strings.EqualFold(filepath.Ext(path), ".shbin") {
		p, text, err = newProgram(path, data, nil)
		return p, text, nil, err
	}
	sources = []string{path}
	if stem, ok := strings.CutSuffix(path, ".v.pica"); ok && exists(stem+".g.pica") {
		sources = append(sources, stem+".g.pica")
	} else if stem, ok := strings.CutSuffix(path, ".g.pica"); ok {
		sources = []string{stem + ".v.pica", path}
	}
	var list []asm.Source
	for _, n := range sources {
		data, err := read(n)
		if err != nil {
			if n != path {
				err = fmt.Errorf("%w; a geometry shader is shown with the vertex shader of its name", err)
			}
			return nil, "", sources, err
		}
		list = append(list, asm.SplitSources(n, data)...)
	}
	p, text, err = newProgram(path, nil, list, sources...)
	return p, text, sources, err
}

// newProgram makes a program from a binary or from sources; text are the scene's settings for it, which name the source files.
func newProgram(path string, binary []byte, sources []asm.Source, files ...string) (p *program, text string, err error) {
	p = &program{scene: scene.Program{Name: filepath.Base(path), Guess: "all"}, vertex: -1, geometry: -1}
	var aliases map[int]string
	if sources == nil {
		if p.file, err = shbin.Parse(binary); err != nil {
			return nil, "", fmt.Errorf("%s: %w", path, err)
		}
		text = fmt.Sprintf("{guess: all, file: %q}", filepath.Base(path))
	} else {
		out, diags := asm.Assemble(asm.Options{}, sources...)
		if diags.Errors() > 0 {
			return nil, "", &ShaderError{Program: filepath.Base(path), Diagnostics: diags}
		}
		var quoted []string
		for _, name := range files {
			quoted = append(quoted, fmt.Sprintf("%q", filepath.Base(name)))
		}
		p.file, aliases = out.File, inputAliases(sources)
		text = "{guess: all, sources: [" + strings.Join(quoted, ", ") + "]}"
	}
	for i := range p.file.Executables {
		e := &p.file.Executables[i]
		if e.Type == shbin.VertexShader && p.vertex < 0 {
			p.vertex = i
		}
		if e.Type == shbin.GeometryShader && p.geometry < 0 {
			p.geometry = i
		}
	}
	if p.vertex < 0 {
		return nil, "", fmt.Errorf("%s has no vertex shader, without which nothing can be drawn", path)
	}
	if _, err := p.link(); err != nil {
		return nil, "", fmt.Errorf("%s: %w", path, err)
	}
	return p, text, p.findFit(aliases)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
