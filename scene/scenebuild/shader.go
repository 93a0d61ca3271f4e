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

// openShader makes a stage that shows a shader, binary or source: on a torus
// knot with a pattern and lights that fit its outputs, or on suitable input of
// its geometry shader.
func openShader(path string, _ []string) (*Stage, error) {
	p, program, err := loadShader(path)
	if err != nil {
		return nil, err
	}
	// The user names the shader's own file, so it may be anywhere.
	return shaderStage(path, shaderText(p, program, filepath.Base(path)), func(s *scene.Scene) { s.Roots = []string{path} })
}

// parseShader is openShader for data in memory; sources of several executables
// may be one stream (asm.SplitSources).
func parseShader(name string, data []byte, _ []string) (*Stage, error) {
	if len(data) > maxShader {
		return nil, tooLarge(name, data, maxShader)
	}
	given := map[string][]byte{name: data}
	var sources []asm.Source
	var names []string
	if !isBinary(data) {
		sources = asm.SplitSources(name, data)
		clear(given)
		for i := range sources {
			s := &sources[i]
			s.Name = filepath.Base(s.Name)
			if _, twice := given[s.Name]; twice {
				return nil, fmt.Errorf("%s has two sources called %s", name, s.Name)
			}
			given[s.Name], names = s.Text, append(names, s.Name)
		}
	}
	p, said, err := newProgram(name, data, sources, names...)
	if err != nil {
		return nil, err
	}
	return shaderStage(name, shaderText(p, said, name), func(s *scene.Scene) { s.Inline = given })
}

// shaderStage makes the stage of a shader from its scene's text; files says where its files are.
func shaderStage(name string, text []byte, files func(*scene.Scene)) (*Stage, error) {
	s, err := scene.Parse(name+" (scene made for it)", text)
	if err != nil {
		return nil, err
	}
	s.File = name
	files(s)
	st, err := New(s)
	if err != nil {
		return nil, err
	}
	st.Text = text
	return st, nil
}

// ShaderFiles lists the files of a shader: a vertex shader and a geometry shader
// with the same name (X.v.pica, X.g.pica) belong together.
func ShaderFiles(path string) []string {
	if stem, ok := strings.CutSuffix(path, ".v.pica"); ok && exists(stem+".g.pica") {
		return []string{path, stem + ".g.pica"}
	} else if stem, ok := strings.CutSuffix(path, ".g.pica"); ok {
		return []string{stem + ".v.pica", path}
	}
	return []string{path}
}

// shaderText returns a scene that shows a program; said are its settings for the program.
func shaderText(p *loadedProgram, said, name string) []byte {
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
func geometryShape(p *loadedProgram) (shape, draw string) {
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

// loadShader reads a shader and returns it with the scene's settings for it.
func loadShader(path string) (p *loadedProgram, text string, err error) {
	read := func(path string) ([]byte, error) { return files.ReadRegular(path, maxShader) }
	data, err := read(path)
	if err != nil {
		return nil, "", err
	}
	if isBinary(data) || strings.EqualFold(filepath.Ext(path), ".shbin") {
		return newProgram(path, data, nil)
	}
	sources := ShaderFiles(path)
	var list []asm.Source
	for _, n := range sources {
		data, err := read(n)
		if err != nil {
			if n != path {
				err = fmt.Errorf("%w; a geometry shader is shown with the vertex shader of its name", err)
			}
			return nil, "", err
		}
		list = append(list, asm.SplitSources(n, data)...)
	}
	return newProgram(path, nil, list, sources...)
}

// newProgram makes a program from a binary or from sources; text are the scene's settings for it, which name the source files.
func newProgram(path string, binary []byte, sources []asm.Source, files ...string) (p *loadedProgram, text string, err error) {
	p = &loadedProgram{scene: scene.Program{Name: filepath.Base(path), Guess: "all"}}
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
	p.vertex, p.geometry = p.file.First(shbin.VertexShader), p.file.First(shbin.GeometryShader)
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
