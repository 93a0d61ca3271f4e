package session

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"pica200/explain/drawstate"
	"pica200/fragment"
	"pica200/frontend/dmp"
	"pica200/frontend/gl"
	"pica200/pipeline"
	"pica200/raster"
	"pica200/scene"
	"pica200/scene/scenebuild"
	"pica200/scene/source"
)

// drawing is one run of drawing the scene, with the changes of the request.
type drawing struct {
	s     *sceneSource
	r     *Request
	p     *Picture
	edits []Edit

	kinds     []bool     // per draw so far: whether it is in the main pass
	names     []string   // per draw: its name
	shaders   []string   // per draw: its program
	which     []string   // per draw: the name of the scene's draw that it belongs to
	parts     [][]string // per draw: what it is part of
	locations [][]Location
	name      string               // name of the last draw shown
	target    pipeline.DrawTarget  // target of the last draw shown
	values    map[string][]result  // values after each edit, if not nil
	saved     map[string][]any     // tables in the form of the file
	tables    map[string]tableEdit // edits for all draws, by the sampler's name
	one       oneDraw
	was       []Uniform       // rows of vectors before the edits
	mix       [2]mix          // what differs from draw to draw, now and before the edits
	list      *drawstate.List // the list to fill, if not nil
	outlined  *image.Alpha    // what draws of the target have changed, in the orientation of the render target
	earlier   seen            // the render target before a run of them
	restyles  []Edit          // those of edits that change how draws are drawn
	running   bool
	runs      int
}

func newDrawing(s *sceneSource, r *Request, p *Picture) *drawing {
	d := &drawing{s: s, r: r, p: p, one: oneDraw{number: r.Draw}}
	order := func(e *Edit) int { // edits of a single draw override those of all draws, those of a part override both
		if p := s.targets[e.Draw]; p != nil {
			return 1 + rank(p.id)
		}
		return 0
	}
	d.edits = slices.SortedFunc(maps.Values(r.Edits), func(a, b Edit) int {
		return cmp.Or(cmp.Compare(order(&a), order(&b)), strings.Compare(a.Draw, b.Draw), strings.Compare(a.Name, b.Name))
	})
	for _, e := range d.edits {
		if strings.HasPrefix(e.Name, drawPrefix) {
			d.restyles = append(d.restyles, e)
		}
	}
	if !slices.EqualFunc(d.restyles, s.restyles, func(a, b Edit) bool { return a.Key() == b.Key() && slices.Equal(a.Values, b.Values) }) {
		s.restyles, s.styles = d.restyles, map[partKey]scene.Style{}
	}
	return d
}

func (d *drawing) draw(ctx context.Context, t float64) (*source.Picture, error) {
	if d.r.Rows {
		d.was = d.s.vectorRows(d.r.Target)
	}
	back, err := d.s.changed(d.edits)
	if err != nil {
		return nil, err
	}
	defer back()
	d.s.Stage.Enlarge(d.s.larger(d.r))
	defer d.s.Stage.Enlarge(1)
	main := d.s.Stage.Size(d.s.Stage.Scene.Target)
	d.p.main = image.Pt(main.Width, main.Height)
	if gpuView(d.r) != fragment.ViewFinal {
		// A view has no text about what is not drawn.
		black, color := mgl64.Vec4{0, 0, 0, 1}, &d.s.Stage.Scene.Target.Clear.Color
		clear := *color
		*color = &black
		defer func() { *color = clear }()
	}
	hooks := &scenebuild.Hooks{Camera: d.camera, BeforeDraw: d.before}
	if len(d.restyles) > 0 {
		hooks.Style = d.style
	}
	p, err := d.s.Draw(ctx, &source.Request{Time: t, Draws: d.r.Draw + 1, Hooks: hooks, Prepare: d.prepare})
	if err == nil {
		d.outline(!d.running, p.GPU.LastTarget)
	}
	d.mix[0].mark(d.p.Rows)
	for i := range d.p.Rows {
		if u := &d.p.Rows[i]; u.Was != nil {
			u.Was.Mixed = d.mix[1].mixed[u.Key]
		}
	}
	return p, err
}

// prepare sets the hooks of the GPU.
func (d *drawing) prepare(g *pipeline.GPU) error {
	g.Timing = true
	switch {
	case d.list != nil:
		follow(d.list, g, 0, d.called, d.r.Now)
	case d.one.number >= 0:
		d.one.follow(g)
	}
	inspect := g.BeforeDraw
	// The command lists give the draws later than the scene makes them, but in the
	// same order.
	n := -1
	g.BeforeDraw = func(info *pipeline.DrawInfo) error {
		n++
		d.target = pipeline.TargetOf(info.Regs)
		g.View = fragment.ViewFinal
		if n < len(d.kinds) {
			d.name = d.names[n]
			if d.kinds[n] {
				d.p.Use.add(info.Regs)
				g.View = gpuView(d.r)
			}
			d.outline(d.kinds[n] && slices.Contains(d.parts[n], d.r.Target), g.DrawTarget)
		}
		if inspect != nil {
			return inspect(info)
		}
		return nil
	}
	return nil
}

// maxRuns limits the runs of draws that are compared for an outline.
const maxRuns = 100

// outline is called between draws: next says whether the next one is outlined. Pixels that a run of such draws changes are outlined,
// until another draw covers them: it changes their depth, or their colour where there is no depth.
func (d *drawing) outline(next bool, target func() (*raster.Target, error)) {
	if next == d.running || d.runs == maxRuns || !d.r.Outline || d.r.Draw >= 0 {
		return
	}
	t, err := target()
	if err != nil {
		return
	}
	m, ended := d.earlier.changed(t, !d.running), d.running
	d.earlier.take(t)
	d.running = next
	switch {
	case m == nil:
	case ended && (d.outlined == nil || d.outlined.Rect != m.Rect):
		d.outlined = m
	case d.outlined != nil && d.outlined.Rect == m.Rect:
		for i, v := range m.Pix {
			if d.outlined.Pix[i] |= v; !ended {
				d.outlined.Pix[i] &^= v
			}
		}
	}
	if ended {
		d.runs++
	}
}

func (d *drawing) camera(c *scene.Camera, eye, at, up mgl64.Vec3) (newEye, newAt mgl64.Vec3) {
	newEye, newAt = d.r.Orbit.eye(eye, at, up)
	d.p.Eye, d.p.LookAt = newEye, newAt
	if c.Height == nil && c.Projection == nil {
		d.p.Distance = newEye.Sub(newAt).Len()
		d.p.Slope = math.Tan(c.Fovy.Scalar(d.r.Time, 40) * math.Pi / 360)
	}
	return newEye, newAt
}

// style makes the edits of how a part is drawn.
func (d *drawing) style(w *scene.Draw, part scene.PartID, said *scene.Style) {
	now, ok := d.s.styles[partKey{w, part}]
	if !ok {
		now = *said
		for i := range d.restyles {
			if e := &d.restyles[i]; d.s.isFor(e.Draw, &scenebuild.DrawState{Draw: w, Part: part}) {
				_, _, _ = restyle(&now, e) // saving returns the error
			}
		}
		d.s.styles[partKey{w, part}] = now
	}
	now.At, now.Rotate, now.Scale, now.Transform = said.At, said.Rotate, said.Scale, said.Transform // other edits change them
	*said = now
}

func (d *drawing) before(ds *scenebuild.DrawState) error {
	name := ""
	if i, known := d.s.number[ds.Draw]; known {
		name = d.s.parts[i].name
	}
	here := ds.Main || d.r.Target != ""
	rows := d.r.Rows && here && d.s.isFor(d.r.Target, ds)
	var was []Uniform
	var style scene.Style
	if rows || d.values != nil {
		style = ds.Draw.Over(ds.Styles).Style
	}
	if err := d.restoreTables(ds.Uniforms); err != nil {
		return err
	}
	for i := range d.edits { // edits of all draws come first
		e := &d.edits[i]
		if !d.s.isFor(e.Draw, ds) {
			continue
		}
		if rows && was == nil && e.Draw == d.r.Target {
			was = arranged(slices.Concat(d.was, styleRows(&style), rowsOf(ds)))
		}
		if isVector(e) {
			continue // the scene has it
		}
		if strings.HasPrefix(e.Name, drawPrefix) { // the draw has it
			if !rows && d.values == nil {
				continue
			}
			now, old, err := restyle(&style, e)
			if err != nil {
				return err
			}
			if d.values != nil && now != nil {
				one := style
				d.values[e.Key()] = append(d.values[e.Key()], result{ds.Draw, ds.Part, ds.Styles, now, old, &one, false})
			}
			continue
		}
		old := valueOf(e, ds)
		if err := d.apply(e, ds); err != nil {
			return err
		}
		if d.values != nil {
			if v := d.whole(e, ds); v != nil {
				d.values[e.Key()] = append(d.values[e.Key()], result{ds.Draw, ds.Part, ds.Styles, v, old, nil, !ds.Uniforms.Bool(dmp.LightingEnabled)})
			}
		}
	}
	d.kinds, d.which, d.parts = append(d.kinds, ds.Main), append(d.which, name), append(d.parts, d.s.partsOf(ds))
	d.locations = append(d.locations, d.s.locations(ds.Draw))
	d.names, d.shaders = append(d.names, d.s.drawName(ds)), append(d.shaders, ds.Draw.Program)
	if ds.Main && d.r.Rows && d.p.World == nil {
		d.p.World, d.p.Lights = d.s.projection(ds), d.s.lights()
	}
	if ds.Main && d.r.Target == name && name != "" {
		d.p.Placement = &Placement{Name: name, Projection: d.s.projection(ds)}
		d.p.Placement.Values, d.p.Placement.Why = d.s.placementOf(name)
	}
	if rows {
		own := styleRows(&style)
		effective(own, ds.Uniforms)
		d.p.Rows = arranged(slices.Concat(d.s.vectorRows(d.r.Target), own, rowsOf(ds)))
		markChanged(d.p.Rows, was)
		d.mix[0].add(d.p.Rows)
		d.mix[1].add(was)
	}
	return nil
}

// called returns the name of a draw of the scene, and its program.
func (d *drawing) called(draw int) (name, shader string) {
	if draw < len(d.names) {
		return d.names[draw], d.shaders[draw]
	}
	return "", ""
}

// follow fills a list with the following draws, with small pictures.
func follow(l *drawstate.List, g *pipeline.GPU, frame int, names func(draw int) (name, shader string), now func() time.Time) {
	l.Follow(g, frame, names, now)
	new(drawstate.Thumbs).Follow(g, &l.Thumbs)
}

// apply sets an edit's value for a draw. It ignores a uniform that the program
// does not have.
func (d *drawing) apply(e *Edit, ds *scenebuild.DrawState) error {
	values := valueOf(e, ds)
	if len(values) == len(e.Values) {
		for i, v := range e.Values {
			if v != nil {
				values[i] = v
			}
		}
	} else if slices.Contains(e.Values, nil) {
		return nil // not a value of this draw
	} else {
		values = e.Values
	}
	if name, ok := strings.CutPrefix(e.Name, shaderPrefix); ok {
		return applyShader(name, values, ds.Program)
	}
	name, part, _ := strings.Cut(e.Name, "#")
	if isTable(name) {
		return d.setTable(e, name, ds.Uniforms)
	}
	if part != "" {
		k, err := strconv.Atoi(part)
		now, err2 := ds.Uniforms.Get(name)
		if err != nil || err2 != nil || k < 0 || k >= len(now) || len(values) != 1 {
			return fmt.Errorf("no component %s", e.Name)
		}
		now[k] = values[0]
		values = now
	}
	return ds.Uniforms.Set(name, values...)
}

// valueOf returns the value of a draw that an edit replaces, in the form of
// Edit.Values; nil for tables and for what the draw does not have.
func valueOf(e *Edit, ds *scenebuild.DrawState) (out []any) {
	name, part, one := strings.Cut(e.Name, "#")
	if isTable(name) {
		return nil
	}
	all := wholeValue(e, ds)
	k, err := strconv.Atoi(part)
	switch {
	case !one || err != nil || k < 0:
		return all
	case strings.HasPrefix(e.Name, shaderPrefix):
		if list := registersOf(ds, uniformName(name)); k < len(list) {
			return list[k]
		}
		return nil
	case k < len(all):
		return all[k : k+1]
	}
	return nil
}

// whole returns the value of an edit's uniform as in a scene's file. A table is made once for all draws that read it alike.
func (d *drawing) whole(e *Edit, ds *scenebuild.DrawState) []any {
	name := uniformName(e.Name)
	if !isTable(name) {
		return wholeValue(e, ds)
	}
	_, _, signed, _ := ds.Uniforms.Table(name)
	key := fmt.Sprint(e.Key(), signed)
	if d.saved[key] == nil {
		d.saved[key] = []any{savedTable(e, ds.Uniforms, name)}
	}
	return d.saved[key]
}

// wholeValue returns the uniform that an edit belongs to, as in a scene's file.
func wholeValue(e *Edit, ds *scenebuild.DrawState) []any {
	name := uniformName(e.Name)
	if strings.HasPrefix(e.Name, shaderPrefix) {
		return slices.Concat(registersOf(ds, name)...)
	}
	v, _ := ds.Uniforms.Get(name)
	return v
}

// registersOf returns the registers of a shader's uniform, as in a scene's file.
func registersOf(ds *scenebuild.DrawState, name string) [][]any {
	for _, u := range ds.Program.Uniforms() {
		if u.Name == name {
			return registers(&u)
		}
	}
	return nil
}

func registers(u *gl.ProgramUniform) (out [][]any) {
	for _, r := range u.Floats {
		out = append(out, []any{r[0], r[1], r[2], r[3]})
	}
	for _, r := range u.Ints {
		out = append(out, []any{int(r[0]), int(r[1]), int(r[2]), int(r[3])})
	}
	for _, x := range u.Bools {
		out = append(out, []any{x})
	}
	return out
}

// shaderPrefix is the prefix of the keys of a shader's uniforms.
const shaderPrefix = "shader:"

// applyShader sets registers of a shader's uniform: "name#register".
func applyShader(key string, values []any, p *gl.Program) error {
	name, part, _ := strings.Cut(key, "#")
	k, err := strconv.Atoi(part)
	if err != nil {
		return fmt.Errorf("no uniform %s", key)
	}
	for _, u := range p.Uniforms() {
		if u.Name != name {
			continue
		}
		switch {
		case k < len(u.Floats):
			for i := range min(len(values), 4) {
				if f, ok := values[i].(float64); ok {
					u.Floats[k][i] = float32(f)
				}
			}
			return p.SetFloat(name, u.Floats...)
		case k < len(u.Ints):
			for i := range min(len(values), 4) {
				if f, ok := values[i].(float64); ok {
					u.Ints[k][i] = uint8(min(max(f, 0), 255))
				}
			}
			return p.SetInt(name, u.Ints...)
		case k < len(u.Bools):
			b, _ := values[0].(bool)
			u.Bools[k] = b
			return p.SetBool(name, u.Bools...)
		}
	}
	return nil
}
