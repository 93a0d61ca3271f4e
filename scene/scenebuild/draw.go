package scenebuild

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"pica200/assets/model"
	"pica200/assets/shbin"
	"pica200/frontend/gl"
	"pica200/internal/mgl"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/scene"
	"pica200/scene/modeldraw"
	"pica200/scene/shading"
	"pica200/shaderunit"
)

// drawing is one drawing of a stage.
type drawing struct {
	*Stage
	c        *gl.Context
	t        float64
	targets  map[string]*gl.Target
	textures map[string]*gl.Texture
	images   map[imageKey]*gl.Texture
	poses    map[poseKey]*model.Pose
	programs map[*loadedProgram]*gl.Program
	buffers  map[bufferKey]*gl.Buffer
	draws    []string                // names of the draws made
	met      map[*scene.Uniform]bool // shader uniforms of the scene or a pass that some program has
	names    map[string]bool         // names of all programs' uniforms
	resource map[string]*modeldraw.Drawing
	said     map[*loadedProgram]bool // programs that fitNote has described
	used     map[*scene.Style]bool
	tables   map[tableKey][]float32

	// For the pass:
	view view
	eye  float64 // stereo camera: -1 for the left eye, 1 for the right
	pass *scene.Pass
	main scene.Pass
	// larger is how much larger the target is than the scene says, horizontally and vertically.
	larger [2]float64

	// For the draw:
	of      *scene.Draw    // as the scene has it
	styles  []*scene.Style // what it says of the part that is drawn
	id      scene.PartID
	mesh    string   // current mesh; "" without a name
	bumps   bool     // the part has a normal map
	several bool     // units have their own texture coordinates
	has     []string // names of its programs' uniforms
}

type imageKey struct {
	model *model.Model
	shading.Unit
}

type bufferKey struct {
	part   *model.Part
	stream string
}

// Draw draws the scene at time t on an unused device. It returns a name for each draw, in order: the scene's name for it or its
// model, and its line.
func (st *Stage) Draw(ctx context.Context, dev gl.Device, t float64) ([]string, error) {
	return st.draw(ctx, dev, t, 0)
}

// draw is Draw on a device that has made draws before.
func (st *Stage) draw(ctx context.Context, dev gl.Device, t float64, before int) (names []string, err error) {
	c, err := gl.New(dev)
	if err != nil {
		return nil, err
	}
	d := &drawing{Stage: st, c: c, t: t, targets: map[string]*gl.Target{}, textures: map[string]*gl.Texture{}, images: map[imageKey]*gl.Texture{},
		poses: map[poseKey]*model.Pose{}, programs: map[*loadedProgram]*gl.Program{}, buffers: map[bufferKey]*gl.Buffer{},
		met: map[*scene.Uniform]bool{}, names: map[string]bool{}, resource: map[string]*modeldraw.Drawing{}, said: map[*loadedProgram]bool{}, used: map[*scene.Style]bool{}, tables: map[tableKey][]float32{}}
	st.made = st.made[:0]
	defer func() { err = d.failed(err, before) }()
	st.meshes.begin()
	defer st.meshes.end()
	s := st.Scene
	for i := range s.Passes {
		if err := d.drawPass(ctx, &s.Passes[i]); err != nil {
			return nil, err
		}
	}
	main := &d.main
	*main = scene.Pass{Name: "main", Target: s.Target, Mode: "color", Draws: s.Draws}
	main.Target.Name = "main"
	var right *gl.Target
	if s.Camera.Stereo != nil {
		d.eye = 1
		if err := d.drawPass(ctx, main); err != nil {
			return nil, err
		}
		right = d.targets["main"]
		delete(d.targets, "main")
		d.eye = -1
	}
	if err := d.drawPass(ctx, main); err != nil {
		return nil, err
	}
	if err := d.unmet(); err != nil {
		return nil, err
	}
	if notes := d.Notes(); len(d.draws) == 0 && len(notes) > 0 {
		return nil, fmt.Errorf("nothing is drawn: %s", strings.Join(notes, "; "))
	}
	if right != nil {
		if err := c.Present(ctx, pipeline.ScreenTopRight, right); err != nil {
			return nil, s.Target.Errorf("%w", err)
		}
	}
	if err := d.present(ctx); err != nil {
		return nil, err
	}
	return d.draws, c.Flush(ctx)
}

// failed gives the error of a draw its position in the scene and in the shader. Draws
// run later than they are made, so err may name another one.
func (d *drawing) failed(err error, before int) error {
	var of *pipeline.DrawError
	if !errors.As(err, &of) || of.Draw < before || of.Draw-before >= len(d.made) {
		return err
	}
	at, cause, line := of.Draw-before, of.Err, ""
	var exec *shaderunit.ExecError
	if p := d.made[at].program; p != nil && errors.As(cause, &exec) {
		line = p.line(int(exec.PC))
	}
	return d.made[at].draw.Errorf("%s: %w%s", d.draws[at], cause, line)
}

// screens maps a target's screen names.
var screens = map[string]pipeline.Screen{"top": pipeline.ScreenTop, "bottom": pipeline.ScreenBottom, "topright": pipeline.ScreenTopRight}

// present transfers targets to the screens they name.
func (d *drawing) present(ctx context.Context) error {
	if d.enlarged.factor > 1 {
		return nil // no screen has this size
	}
	for i := range d.Scene.Passes {
		t := &d.Scene.Passes[i].Target
		if t.Screen == "" {
			continue
		}
		if err := d.c.Present(ctx, screens[t.Screen], d.targets[t.Name]); err != nil {
			return t.Errorf("%w", err)
		}
	}
	if screen, ok := d.Screen(); ok {
		if err := d.c.Present(ctx, screen, d.targets["main"]); err != nil {
			return d.Scene.Target.Errorf("%w", err)
		}
	}
	return nil
}

func (d *drawing) drawPass(ctx context.Context, p *scene.Pass) error {
	d.pass = p
	sized := d.Size(p.Target)
	t := &sized
	d.larger = [2]float64{float64(t.Width) / float64(p.Target.Width), float64(t.Height) / float64(p.Target.Height)}
	target, err := d.target(t)
	if err != nil {
		return t.Errorf("target %s: %w", t.Name, err)
	}
	d.targets[t.Name] = target
	if err := d.c.SetTarget(ctx, target); err != nil {
		return t.Errorf("target %s: %w", t.Name, err)
	}
	if err := d.clear(ctx, p, t); err != nil {
		return t.Errorf("target %s: %w", t.Name, err)
	}
	camera := &d.Scene.Camera
	if p.Camera != nil {
		camera = p.Camera
	}
	w, h := t.Width, t.Height
	if t.Viewport != [4]int{} {
		w, h = t.Viewport[2], t.Viewport[3]
	}
	if w == 0 || h == 0 {
		return t.Errorf("the viewport has no pixels")
	}
	hooks := d.Hooks
	if p.Camera != nil {
		hooks = nil // this camera is not the one being moved
	}
	if d.view, err = viewOf(camera, w, h, d.t, hooks, d.eye); err != nil {
		return err
	}
	for i := range p.Draws {
		if t.Viewport != [4]int{} {
			d.c.Viewport(t.Viewport[0], t.Viewport[1], w, h)
		}
		if err := d.draw(ctx, &p.Draws[i]); err != nil {
			return err
		}
	}
	return nil
}

// targetOptions returns the formats of a target.
func targetOptions(t *scene.Target) gl.TargetOptions {
	o := gl.TargetOptions{NoColor: t.Color == "none", NoDepth: t.Depth == "none"}
	if v, ok := pica.ColorFormats.Lookup(t.Color); ok {
		o.Color = pica.ColorFormat(v)
	}
	if v, ok := pica.DepthFormats.Lookup(t.Depth); ok {
		o.Depth = pica.DepthFormat(v)
	}
	return o
}

func (d *drawing) target(t *scene.Target) (*gl.Target, error) {
	o := targetOptions(t)
	o.ColorOf, o.DepthOf = d.targets[t.ShareColor], d.targets[t.ShareDepth]
	return d.c.NewTarget(t.Width, t.Height, o)
}

func (d *drawing) clear(ctx context.Context, p *scene.Pass, t *scene.Target) error {
	if c := t.Clear.Color; c != nil && t.Color != "none" {
		if p.Mode != "color" {
			// Gas buffers and shadow textures do not hold colours: the four bytes are cleared as given.
			v := uint32(0)
			for k := range 4 {
				v = v<<8 | uint32(float64(c[k]*255)+0.5)
			}
			if err := d.c.ClearRaw(ctx, v); err != nil {
				return err
			}
		} else if err := d.c.ClearColor(ctx, float32(c[0]), float32(c[1]), float32(c[2]), float32(c[3])); err != nil {
			return err
		}
	}
	if t.Depth == "none" || t.Clear.Depth == nil && t.Clear.Stencil == nil {
		return nil
	}
	depth, stencil := 1.0, 0
	if t.Clear.Depth != nil {
		depth = *t.Clear.Depth
	}
	if t.Clear.Stencil != nil {
		stencil = *t.Clear.Stencil
	}
	return d.c.ClearDepth(ctx, float32(depth), uint8(stencil))
}

// draw draws all parts of a model.
func (d *drawing) draw(ctx context.Context, w *scene.Draw) error {
	d.of, d.has = w, nil
	clear(d.used)
	if set := d.sets[w.Model]; set != nil {
		if err := d.drawSet(ctx, w, set); err != nil {
			return err
		}
		return d.unknown()
	}
	m := d.models[w.Model]
	drawn := false
	for i := range m.Nodes {
		n := &m.Nodes[i]
		if n.Mesh < 0 || !n.Shown || w.Mesh != "" && m.Meshes[n.Mesh].Name != w.Mesh && n.Name != w.Mesh {
			continue
		}
		d.mesh = cmp.Or(n.Name, m.Meshes[n.Mesh].Name)
		for k := range m.Meshes[n.Mesh].Parts {
			part := &m.Meshes[n.Mesh].Parts[k]
			if one := d.styled(w, m.MaterialName(part.Material), m.MeshNames(i)...); one != nil {
				if err := d.drawOf(ctx, one, m, i, part); err != nil {
					return err
				}
			}
		}
		drawn = true
	}
	if !drawn {
		if w.Mesh != "" {
			return w.Errorf("model %s has no mesh %q that is shown", w.Model, w.Mesh)
		}
		return w.Errorf("model %s shows nothing", w.Model)
	}
	return d.unknown()
}

// styled returns the draw as it draws a material on a mesh; nil if it does not
// show it.
func (d *drawing) styled(w *scene.Draw, material string, mesh ...string) *scene.Draw {
	d.id = scene.PartID{Mesh: mesh[0], Material: material}
	if d.styles = w.Styles(material, mesh...); len(d.styles) > 1 {
		w = w.Over(d.styles)
	}
	if h := d.Hooks; h != nil && h.Style != nil {
		one := *w
		h.Style(d.of, d.id, &one.Style)
		w = &one
	}
	if !on(w.Show) {
		return nil
	}
	for _, l := range d.styles {
		d.used[l] = true
	}
	return w
}

// on reports whether a switch that is on by default is on.
func on(v *bool) bool { return v == nil || *v }

// drawOf draws a part of the mesh of a node.
func (d *drawing) drawOf(ctx context.Context, w *scene.Draw, m *model.Model, node int, part *model.Part) error {
	pose, err := d.pose(w, m)
	if err != nil {
		return err
	}
	var joints []mgl64.Mat4
	if n := &m.Nodes[node]; n.Skin >= 0 && part.Joints != nil {
		joints = m.Joints(pose, n.Skin)
	}
	toWorld, mirrored := modelMatrix(w, d.t), mirrors(joints)
	if joints == nil {
		toWorld, mirrored = mgl.Mul(toWorld, pose.World[node]), mgl.Mirrors(pose.World[node])
	}
	parts, err := d.patches(w, part.Morphed(pose.Weights[node]))
	if err != nil {
		return w.Errorf("%s: %w", drawName(w), err)
	}
	for _, part := range parts {
		if err := d.drawSides(ctx, w, m, part, toWorld, joints, mirrored); err != nil {
			return w.Errorf("%s: %w", drawName(w), err)
		}
	}
	return nil
}

// drawName returns a draw's name with its eye.
func (d *drawing) drawName(w *scene.Draw) string {
	if d.eye > 0 {
		return drawName(w) + ", right eye"
	}
	return drawName(w)
}

// drawName returns a draw's name.
func drawName(w *scene.Draw) string {
	name := cmp.Or(w.Name, w.Model)
	if l := w.Line(); l > 0 {
		name += fmt.Sprintf(" (line %d)", l)
	}
	return name
}

// appearance is how a part is drawn.
type appearance struct {
	m        *model.Model
	material *shading.Material
	lit      bool
	cull     pica.CullMode
	leftHand bool // the normal map's green is reversed
}

// drawSides draws a part: its front, and its back if the material has one.
// mirrored means that the model shows it mirrored, so that its front is
// clockwise.
func (d *drawing) drawSides(ctx context.Context, w *scene.Draw, m *model.Model, part *model.Part, toWorld mgl64.Mat4, joints []mgl64.Mat4, mirrored bool) error {
	l := appearance{m: m, material: d.materials[m].At(part.Material), cull: pica.CullBack}
	l.lit = len(d.Scene.Lights) > 0 && part.Normals != nil && d.pass.Mode == "color" && !l.material.Unlit
	if w.Lit != nil {
		l.lit = *w.Lit
	}
	if v, ok := pica.CullModes.Lookup(w.Cull); ok {
		l.cull = pica.CullMode(v)
	}
	plain := !part.Loose && part.Sizes == nil && w.Patches == "" && w.Primitive == ""
	shows := on(w.Material) && plain && d.pass.Mode == "color"
	key := sidesKey{part: part, unlit: !l.lit || part.Normals == nil,
		back:     shows && l.material.DoubleSided && w.Cull == "",
		tangents: shows && l.lit && l.material.Normal.Image >= 0 && (len(w.Textures) < 2 || w.Textures[1] == nil)}
	sides, back := []model.Side{{Part: part}}, false
	if key.back || key.tangents {
		sides, back = d.meshes.splitSides(key)
	}
	if on(w.Material) && l.material.DoubleSided && w.Cull == "" && !back {
		l.cull = pica.CullNone
	}
	// A draw that says what is culled means the model's own front; otherwise its
	// transform may mirror, too.
	if l.cull != pica.CullNone && mirrored != (w.Cull == "" && mgl.Mirrors(modelMatrix(w, d.t))) {
		l.cull ^= pica.CullFront ^ pica.CullBack
	}
	for _, s := range sides {
		l.leftHand = key.tangents && s.LeftHanded != (mirrored != mgl.Mirrors(modelMatrix(w, d.t)))
		if err := d.drawPart(ctx, w, s.Part, &l, toWorld, joints); err != nil {
			return err
		}
	}
	return nil
}

// drawPart draws a part.
func (d *drawing) drawPart(ctx context.Context, w *scene.Draw, part *model.Part, l *appearance, toWorld mgl64.Mat4, joints []mgl64.Mat4) error {
	if joints == nil && part.Joints != nil { // a mesh for bones that the node does not have
		still := *part
		still.Joints, still.Weights = nil, nil
		part = &still
	}
	d.bumps = l.lit && (w.Bump != nil && *w.Bump || l.material.Normal.Image >= 0 && on(w.Material))
	d.several = l.material.Several && on(w.Material) && d.pass.Mode == "color"
	prog, err := d.program(w, part, l.lit)
	if err != nil {
		return err
	}
	if err := d.setState(ctx, w, part, l); err != nil {
		return err
	}
	return d.drawWith(ctx, w, prog, part, l.lit, toWorld, joints)
}

// drawWith draws a part with a program, in pieces if it has more bones than a
// palette.
func (d *drawing) drawWith(ctx context.Context, w *scene.Draw, prog *loadedProgram, part *model.Part, lit bool, toWorld mgl64.Mat4, joints []mgl64.Mat4) error {
	if lit && !prog.gives(shbin.OutNormalQuat) {
		d.note(drawName(w) + ": it is lit, but its shader has no output normalquat, which turns the normal: light falls on all of it alike (lit: false draws it without)")
	}
	linked, ok := d.programs[prog]
	if !ok {
		var err error
		if linked, err = prog.link(); err != nil {
			return err
		}
		d.programs[prog] = linked
	}
	d.c.UseProgram(linked)
	if part.Joints != nil && joints != nil {
		pieces := d.meshes.split(part)
		for i := range pieces {
			b := &pieces[i]
			var palette []mgl32.Vec4
			for _, j := range b.Palette {
				palette = append(palette, mgl.Rows(joints[j], 3)...)
			}
			if err := d.drawPiece(ctx, w, prog, linked, &b.Part, toWorld, palette); err != nil {
				return err
			}
		}
		return nil
	}
	var palette []mgl32.Vec4
	if prog.scene.Library == "skinned" {
		palette = mgl.Rows(mgl64.Ident4(), 3) // joints are 0 by default
	}
	return d.drawPiece(ctx, w, prog, linked, part, toWorld, palette)
}

// maxBones is the number of bones of the library's skinned program.
const maxBones = 20

func (d *drawing) drawPiece(ctx context.Context, w *scene.Draw, prog *loadedProgram, linked *gl.Program, part *model.Part, toWorld mgl64.Mat4, palette []mgl32.Vec4) error {
	d.fitNote(prog)
	if prog.fit == nil && len(w.Steps()) > 0 && !slices.ContainsFunc(linked.UniformNames(), isMatrix) {
		d.note(fmt.Sprintf("%s: its program has no uniform for a matrix (modelView, modelViewProjection ...), so its transform and the camera have no effect; the program's own uniforms place it", drawName(w)))
	}
	if err := d.shaderUniforms(prog, linked, toWorld, palette); err != nil {
		return err
	}
	if err := d.attributes(ctx, w, prog, linked, part, toWorld); err != nil {
		return err
	}
	if err := d.registers(); err != nil {
		return err
	}
	if h := d.Hooks; h != nil && h.BeforeDraw != nil {
		state := DrawState{Index: len(d.draws), Pass: d.pass, Main: d.pass == &d.main, Draw: d.of, Part: d.id, Styles: d.styles, Mesh: d.mesh, Uniforms: d.c.Uniforms, Program: linked,
			Projection: d.view.projection, ToView: d.view.toView, ModelView: mgl.Mul(d.view.toView, toWorld)}
		if err := h.BeforeDraw(&state); err != nil {
			return err
		}
	}
	d.make(w, d.drawName(w), prog)
	mode := pica.PrimitiveTriangles
	switch w.Primitive {
	case "strip":
		mode = pica.PrimitiveTriangleStrip
	case "fan":
		mode = pica.PrimitiveTriangleFan
	case "geometry", "elements":
		mode = pica.PrimitiveGeometry
	case "":
		if part.Sizes != nil && prog.geometry >= 0 {
			mode = pica.PrimitiveGeometry
		}
	}
	if w.Patches != "" {
		mode = pica.PrimitiveGeometry
	} else if !part.Loose && w.Primitive == "geometry" && prog.points || mode != pica.PrimitiveTriangles && part.Sizes != nil {
		return d.c.DrawArrays(ctx, mode, 0, len(part.Positions))
	}
	if err := prog.checkStream(part.Indices); err != nil {
		return err
	}
	index, err := d.buffer(ctx, bufferKey{part, "indices"}, func() []byte { return packIndices(part.Indices) })
	if err != nil {
		return err
	}
	return d.c.DrawElements(ctx, mode, len(part.Indices), pica.IndexShort, index, 0)
}

// make notes a draw that is about to be made.
func (d *drawing) make(w *scene.Draw, name string, prog *loadedProgram) {
	d.draws, d.made = append(d.draws, name), append(d.made, made{d.of, &d.pass.Target, prog})
}

func (d *drawing) buffer(ctx context.Context, key bufferKey, pack func() []byte) (*gl.Buffer, error) {
	if b, ok := d.buffers[key]; ok {
		return b, nil
	}
	b, err := d.c.NewBuffer(ctx, d.meshes.buffer(key, pack))
	if err == nil {
		d.buffers[key] = b
	}
	return b, err
}

// program returns the draw's program, or a suitable one of the library.
func (d *drawing) program(w *scene.Draw, part *model.Part, lit bool) (*loadedProgram, error) {
	if w.Program != "" {
		return d.Stage.programs[w.Program], nil
	}
	name := "textured"
	switch {
	case part.Sizes != nil:
		name = "billboard"
	case part.Joints != nil || d.several:
		name = "skinned"
	case d.bumps:
		name = "lit_tangent"
	case lit:
		name = "lit"
	}
	return d.library(name)
}
