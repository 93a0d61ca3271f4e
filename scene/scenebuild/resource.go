package scenebuild

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"pica200/assets/model"
	"pica200/frontend/dmp"
	"pica200/frontend/gl"
	"pica200/internal/files"
	"pica200/internal/mgl"
	"pica200/pica"
	"pica200/scene"
	"pica200/scene/modeldraw"
)

// maxResource bounds the resource files that are read.
const maxResource = 64 << 20

// loadSet reads a model that is a resource file; nil if it is another kind of
// file.
func (st *Stage) loadSet(m *scene.Model) (*modeldraw.Set, error) {
	if err := st.Scene.Within(m.File); err != nil {
		return nil, m.Errorf("model %s: %v", m.Name, err)
	}
	set, err := openSet(st.Scene.Path(m.File))
	if err != nil {
		return nil, m.Errorf("model %s: %v", m.Name, err)
	}
	if set != nil {
		st.sets[m.Name] = set
		for _, n := range set.Notes {
			st.Warnings = append(st.Warnings, fmt.Sprintf("model %s: %s", m.Name, n))
		}
	}
	return set, nil
}

// openSet reads a resource file; nil if it is another kind of file or does not
// exist, which the reader of other models reports.
func openSet(path string) (*modeldraw.Set, error) {
	if head, err := files.Head(path, 16); err != nil || !modeldraw.Is(head) {
		return nil, nil
	}
	data, err := files.ReadRegular(path, maxResource)
	if err != nil {
		return nil, err
	}
	return parseSet(path, data)
}

func parseSet(path string, data []byte) (*modeldraw.Set, error) {
	set, err := modeldraw.Open(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return set, nil
}

// drawSet draws a resource file: the model with the draw's mesh, or all models,
// as their materials say, with what the scene says over it.
func (d *drawing) drawSet(ctx context.Context, w *scene.Draw, set *modeldraw.Set) error {
	r, ok := d.resource[w.Model]
	if !ok {
		var err error
		if r, err = set.New(d.c); err != nil {
			return w.Errorf("%s: %w", drawName(w), err)
		}
		d.resource[w.Model] = r
	}
	motions := map[string]*modeldraw.Motion{}
	motion := func(name string) (*modeldraw.Motion, error) {
		m, ok := motions[name]
		if !ok {
			var err error
			if m, err = set.Animation(name); err != nil {
				return nil, w.Errorf("model %s: %v", w.Model, err)
			}
			motions[name] = m
		}
		return m, nil
	}
	whole, err := motion(w.Animation)
	if err != nil {
		return err
	}
	type drawn struct {
		id     scene.PartID
		styles []*scene.Style
	}
	r.Change = func(m *modeldraw.Mesh) (*modeldraw.Change, error) {
		one := d.styled(w, m.Material, m.Names...)
		if one == nil {
			return nil, nil
		}
		at := drawn{d.id, d.styles}
		return d.changeOf(ctx, one, motion, func() { d.id, d.styles = at.id, at.styles })
	}
	r.Before = func(name string, p *gl.Program, projection, modelView mgl64.Mat4) error {
		if err := d.registers(); err != nil {
			return err
		}
		if h := d.Hooks; h != nil && h.BeforeDraw != nil {
			state := DrawState{Index: len(d.draws), Pass: d.pass, Main: d.pass == &d.main, Draw: w, Part: d.id, Styles: d.styles, Mesh: name, Uniforms: d.c.Uniforms, Program: p,
				Projection: projection, ToView: d.view.toView, ModelView: modelView}
			if err := h.BeforeDraw(&state); err != nil {
				return err
			}
		}
		if d.eye > 0 {
			name += ", right eye"
		}
		d.make(w, name, nil)
		return nil
	}
	view := modeldraw.View{Projection: d.view.projection, ToView: d.view.toView, Near: d.view.near, Far: d.view.far, Parallel: d.view.parallel}
	total := 0
	for _, m := range set.Models() {
		n, err := r.Draw(ctx, m, view, modelMatrix(w, d.t), whole, float64(d.t*modeldraw.FrameRate), w.Mesh)
		total += n
		if err != nil {
			return w.Errorf("%s: %w", drawName(w), err)
		}
	}
	if total == 0 && w.Mesh != "" {
		return w.Errorf("model %s has no mesh %q that is shown", w.Model, w.Mesh)
	}
	return nil
}

// changeOf returns what a draw says otherwise of a mesh of a resource file. begin
// is called when the mesh is drawn.
func (d *drawing) changeOf(ctx context.Context, w *scene.Draw, motion func(string) (*modeldraw.Motion, error), begin func()) (*modeldraw.Change, error) {
	if w.Bump != nil || w.Program == "" && w.Patches+w.Primitive != "" {
		d.note(drawName(w) + ": bump, and primitive and patches without a program, are for models without shaders and index streams of their own; a CGFX or BCH file keeps its own")
	}
	m, err := motion(w.Animation)
	if err != nil {
		return nil, err
	}
	of := &modeldraw.Change{World: modelMatrix(w, d.t), Motion: m, Plain: !on(w.Material)}
	var textures [3]bound
	for i, name := range w.Textures {
		if name == nil {
			continue
		}
		if textures[i], err = d.texture(ctx, *name); err != nil {
			return nil, err
		}
		of.Textures[i] = textures[i].Texture
	}
	if v := w.Color.At(d.t); v != nil {
		rgba := mgl.Narrow4(mgl64.Vec4(v))
		of.Color = &rgba
	}
	of.Tables = map[pica.LightTable]bool{}
	of.Apply = func(p *gl.Program) error {
		begin()
		for _, u := range d.uniforms() {
			if table, ok := dmp.LightTable(u.Name); ok {
				of.Tables[pica.LightTable(table)] = true
			}
		}
		d.c.FlatShading(w.Flat != nil && *w.Flat)
		if v, ok := pica.CullModes.Lookup(w.Cull); ok {
			d.c.CullFace(pica.CullMode(v))
		}
		d.tests(&w.Style)
		u := d.c.Uniforms
		for i := range textures {
			if textures[i].Texture != nil {
				if err := u.SetAt(dmp.Texture0SamplerType.At(i), textures[i].sampler(i)); err != nil {
					return err
				}
			}
		}
		if w.Lit != nil && *w.Lit != u.Bool(dmp.LightingEnabled) {
			if err := d.lights(*w.Lit); err != nil {
				return err
			}
		}
		if err := d.fixedUniforms(); err != nil || p == nil {
			return err
		}
		return d.ownUniforms(p)
	}
	if w.Program != "" {
		of.Draw = func(name string, part *model.Part, place mgl64.Mat4, bones []mgl64.Mat4) error {
			d.mesh, d.bumps, d.several = name, false, false
			parts, err := d.patches(w, part)
			for i := 0; i < len(parts) && err == nil; i++ {
				err = d.drawWith(ctx, w, d.Stage.programs[w.Program], parts[i], d.c.Uniforms.Bool(dmp.LightingEnabled), place, bones)
			}
			return err
		}
	}
	return of, nil
}

// setScene returns the scene that shows a resource file: a model COMMON as in
// the HOME Menu, others through the file's first camera, or whole.
func setScene(set *modeldraw.Set, path string) (*scene.Scene, error) {
	black, one, zero := mgl64.Vec4{0.16, 0.18, 0.22, 1}, 1.0, 0
	s := &scene.Scene{
		File: path, Dir: filepath.Dir(path), Name: strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)),
		Target: scene.Target{Width: 400, Height: 240, Color: "rgba8", Depth: "d24s8", Clear: scene.Clear{Color: &black, Depth: &one, Stencil: &zero}},
		Models: []scene.Model{{Name: "model", File: filepath.Base(path)}},
		Draws:  []scene.Draw{{Name: "model", Model: "model"}},
	}
	if len(set.Models()) == 0 {
		return nil, fmt.Errorf("%s: the file has no model (%s)", path, set.Contents())
	}
	if set.File.Models.Get(modeldraw.Common) != nil {
		homeMenu(s)
		return s, nil
	}
	if c, ok := cameraOf(set, 0, ""); ok {
		s.Camera = c
		return s, nil
	}
	lo, hi, ok := set.Bounds()
	if !ok {
		return nil, errNothing(path)
	}
	s.Camera = framed(lo, hi)
	return s, nil
}

// homeMenu makes a scene look as in the HOME Menu: with the camera in
// docs/MODELS.md, and the model turning once in 600 frames, clockwise seen from
// above. (In a public banner a rocket flies around its name in this direction.)
func homeMenu(s *scene.Scene) {
	s.Camera = scene.Camera{Eye: scene.Const(0, 1, MenuDistance), At: scene.Const(0, 1, 0), Fovy: scene.Const(30), Near: 26.5, Far: 1000}
	s.Draws[0].Spin = &mgl64.Vec4{-360 / (600.0 / modeldraw.FrameRate), 0, 1, 0}
}

// Notes returns notes on the drawing besides Warnings: parts of resource files that could not be drawn exactly, and draws that the
// last Render skipped.
func (st *Stage) Notes() (out []string) {
	for _, name := range slices.Sorted(maps.Keys(st.sets)) {
		for _, n := range st.sets[name].Notes {
			if !slices.Contains(st.Warnings, n) && !slices.Contains(st.Warnings, "model "+name+": "+n) {
				out = append(out, "model "+name+": "+n)
			}
		}
	}
	return append(out, st.survived...)
}
