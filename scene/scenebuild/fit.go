package scenebuild

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"pica200/assets/shbin"
	"pica200/frontend/gl"
	"pica200/internal/mgl"
	"pica200/scene/shaderfit"
	"pica200/shaderunit/asm"
)

// findFit guesses the meaning of inputs and uniforms that the scene does not
// describe.
func (p *loadedProgram) findFit(aliases map[int]string) error {
	inputs := map[int]string{}
	for _, key := range sortedNames(p.scene.Attributes) {
		reg, ok := p.inputNamed(key, aliases)
		if !ok {
			return fmt.Errorf("it has no input %q; it has [%s]", key, strings.Join(p.inputNames(aliases), " "))
		}
		inputs[reg] = p.scene.Attributes[key]
	}
	p.streams = inputs
	if p.scene.Library != "" || p.scene.Guess == "none" {
		return nil
	}
	p.fit = shaderfit.Find(shaderfit.Program{File: p.file, Vertex: p.vertex, Geometry: p.geometry, Aliases: aliases, Streams: inputs, All: p.scene.Guess == "all"})
	return nil
}

func sortedNames(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }

// inputNamed finds an input by its name in the file, its alias in the source, or its
// register.
func (p *loadedProgram) inputNamed(name string, aliases map[int]string) (reg int, ok bool) {
	e := &p.file.Executables[p.vertex]
	for _, u := range e.Uniforms {
		if u.Start < shbin.UniformFloat && u.Name == name {
			return int(u.Start), true
		}
	}
	for reg, a := range aliases {
		if a == name {
			return reg, true
		}
	}
	for reg := range 16 {
		if name == fmt.Sprintf("v%d", reg) {
			return reg, true
		}
	}
	return 0, false
}

// inputNames lists the names of the program's inputs.
func (p *loadedProgram) inputNames(aliases map[int]string) (names []string) {
	linked, err := p.link()
	if err != nil {
		return nil
	}
	for reg := range 16 {
		if linked.InputRegisters()>>reg&1 == 0 {
			continue
		}
		name := fmt.Sprintf("v%d", reg)
		if a := aliases[reg]; a != "" {
			name += " = " + a
		}
		for _, u := range p.file.Executables[p.vertex].Uniforms {
			if u.Start < shbin.UniformFloat && int(u.Start) == reg && u.Name != "" {
				name = u.Name
			}
		}
		names = append(names, name)
	}
	return names
}

// inputAliases returns names of input registers in a vertex shader's sources; its file does not contain them.
func inputAliases(sources []asm.Source) map[int]string {
	symbols, _, _ := asm.Index(asm.Options{}, sources...)
	aliases := map[int]string{}
	for i := range symbols {
		s := &symbols[i]
		var reg int
		if s.Kind != asm.SymbolAlias || s.Decl.Source != 0 {
			continue
		}
		if n, _ := fmt.Sscanf(strings.TrimPrefix(s.Detail, "-"), "v%d", &reg); n == 1 && reg >= 0 && reg < 16 && aliases[reg] == "" {
			aliases[reg] = s.Name
		}
	}
	return aliases
}

// matrices returns the matrices of the camera and of a draw's transformation.
func (d *drawing) matrices(toWorld mgl64.Mat4) map[shaderfit.Role]mgl64.Mat4 {
	view, projection := d.view.toView, d.view.projection
	modelView := mgl.Mul(view, toWorld)
	return map[shaderfit.Role]mgl64.Mat4{
		shaderfit.Identity: mgl64.Ident4(), shaderfit.Bones: mgl64.Ident4(), shaderfit.Projection: projection, shaderfit.ModelView: modelView,
		shaderfit.ModelViewProjection: mgl.Mul(projection, modelView), shaderfit.Model: toWorld, shaderfit.View: view,
		shaderfit.ViewProjection: mgl.Mul(projection, view), shaderfit.Normal: normalMatrix(modelView),
	}
}

// fitUniforms sets uniforms to the matrices and values that were guessed for
// them. The scene's own values are set afterwards.
func (d *drawing) fitUniforms(p *gl.Program, fit *shaderfit.Fit, toWorld mgl64.Mat4, palette []mgl32.Vec4) error {
	if fit == nil {
		return nil
	}
	matrices := d.matrices(toWorld)
	for i := range fit.Uniforms {
		u := &fit.Uniforms[i]
		var values []mgl32.Vec4
		for _, v := range u.Registers(matrices[u.Role]) {
			values = append(values, mgl.Narrow4(v))
		}
		if u.Role == shaderfit.Bones && palette != nil {
			values = bones(u, palette)
		}
		if err := p.SetRegisters(u.Geometry, u.Reg, values...); err != nil {
			return err
		}
	}
	return nil
}

// bones copies a palette of three rows a bone to a program's array of three or
// four rows.
func bones(u *shaderfit.Uniform, palette []mgl32.Vec4) []mgl32.Vec4 {
	out := make([]mgl32.Vec4, 0, u.Count)
	for b := 0; 3*b+2 < len(palette) && len(out)+3 <= u.Count; b++ {
		out = append(out, palette[3*b:3*b+3]...)
		if u.Count%4 == 0 && u.Count%3 != 0 {
			out = append(out, mgl32.Vec4{0, 0, 0, 1})
		}
	}
	return out[:min(len(out), u.Count)]
}

// fitNote adds a remark, once per program, about guesses for inputs without a name and uniforms without a value.
func (d *drawing) fitNote(prog *loadedProgram) {
	if prog.fit == nil || d.said[prog] {
		return
	}
	d.said[prog] = true
	var parts []string
	all := prog.scene.Guess == "all"
	for i := range prog.fit.Inputs {
		in := &prog.fit.Inputs[i]
		if prog.streams[in.Reg] == "" && (!in.Said || all) {
			parts = append(parts, in.String())
		}
	}
	set := map[string]bool{}
	for _, u := range d.uniforms() {
		set[u.Name] = true
		if array, _, ok := strings.Cut(u.Name, "["); ok {
			set[array] = true
		}
	}
	for i := range prog.fit.Uniforms {
		u := &prog.fit.Uniforms[i]
		array, _, _ := strings.Cut(u.Name, "[")
		if set[u.Name] || set[array] || u.Said && !all {
			continue
		}
		parts = append(parts, u.String())
	}
	for _, name := range prog.fit.Unset {
		if !set[name] {
			parts = append(parts, name+": false or 0")
		}
	}
	if all && prog.fit.Dark {
		parts = append(parts, "color: black without data that a mesh lacks, so only a texture is shown")
	}
	if len(parts) > 0 {
		d.note(fmt.Sprintf("program %s: taken to be, since nothing else is said: %s", prog.scene.Name, strings.Join(parts, "; ")))
	}
	if prog.fit.NoPosition != "" {
		d.note(fmt.Sprintf("program %s: %s", prog.scene.Name, prog.fit.NoPosition))
	}
}

// Remarks returns notes on the drawing that are not errors: guesses about shaders, and why a draw leaves nothing visible.
func (st *Stage) Remarks() []string { return slices.Clone(st.notes) }

// note adds a sentence to Remarks, once.
func (st *Stage) note(text string) {
	if !slices.Contains(st.notes, text) && len(st.notes) < maxNotes {
		st.notes = append(st.notes, text)
	}
}

// maxNotes bounds the sentences that are kept.
const maxNotes = 200
