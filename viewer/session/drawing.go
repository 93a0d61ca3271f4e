package session

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"pica200/explain/drawstate"
	"pica200/fragment"
	"pica200/frontend/gl"
	"pica200/pipeline"
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

	kinds   []bool   // per draw so far: whether it is in the main pass
	names   []string // per draw: its name
	shaders []string // per draw: its program
	which   []int    // per draw: the scene's draw that it belongs to
	places  [][]FilePlace
	name    string               // name of the last draw shown
	target  pipeline.DrawTarget  // target of the last draw shown
	values  map[string][]any     // values after the edits, if not nil
	tables  map[string]tableEdit // edits for all draws, by the sampler's name
	one     oneDraw
	was     map[*scene.Draw]scene.Draw // the scene's values of draws that edits moved
	list    *drawstate.List            // the list to fill, if not nil
}

func newDrawing(s *sceneSource, r *Request, p *Picture) *drawing {
	d := &drawing{s: s, r: r, p: p, one: oneDraw{number: r.Draw}}
	keys := make([]string, 0, len(r.Edits))
	for k := range r.Edits {
		keys = append(keys, k)
	}
	slices.Sort(keys) // "-1/..." comes first: edits of a single draw override those of all draws
	for _, k := range keys {
		d.edits = append(d.edits, r.Edits[k])
	}
	return d
}

func (d *drawing) draw(ctx context.Context, t float64) (*source.Picture, error) {
	was, back, err := d.s.move(d.edits)
	if err != nil {
		return nil, err
	}
	defer back()
	d.was = was
	if gpuView(d.r) != fragment.ViewFinal {
		// A view has no text about what is not drawn.
		black, color := mgl64.Vec4{0, 0, 0, 1}, &d.s.Stage.Scene.Target.Clear.Color
		clear := *color
		*color = &black
		defer func() { *color = clear }()
	}
	return d.s.Draw(ctx, &source.Request{Time: t, Draws: d.r.Draw + 1, Hooks: &scenebuild.Hooks{Camera: d.camera, BeforeDraw: d.before}, Prepare: d.prepare})
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
	look := g.BeforeDraw
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
		}
		if look != nil {
			return look(info)
		}
		return nil
	}
	return nil
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

func (d *drawing) before(ds *scenebuild.DrawState) error {
	index, known := d.s.number[ds.Draw]
	if !known {
		index = -1
	}
	rows := d.r.Rows && (d.r.Target == 0 && ds.Main || d.r.Target == index+1 && index >= 0)
	var was []Uniform
	if err := d.restoreTables(ds.Uniforms); err != nil {
		return err
	}
	for i := range d.edits { // edits of all draws come first
		e := &d.edits[i]
		if e.Draw >= 0 && e.Draw != index {
			continue
		}
		if rows && was == nil && e.Draw == d.r.Target-1 {
			was = d.rows(ds, d.was)
		}
		if strings.HasPrefix(e.Name, placePrefix) {
			continue // it exists already
		}
		if err := d.apply(e, ds); err != nil {
			return err
		}
		if d.values != nil {
			if v := valuesOf(e, ds); v != nil {
				d.values[e.Key()] = v
			}
		}
	}
	d.kinds, d.which = append(d.kinds, ds.Main), append(d.which, index)
	d.places = append(d.places, d.s.places(ds.Draw))
	d.names, d.shaders = append(d.names, d.s.drawName(ds)), append(d.shaders, ds.Draw.Program)
	if ds.Main && d.r.Target == index+1 && index >= 0 {
		d.p.Placed = d.placed(ds, index)
	}
	if rows {
		d.p.Rows = d.rows(ds, nil)
		markChanged(d.p.Rows, was)
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

// rows lists the editable values of a draw: its place, if it is the selected
// draw, as the scene has it; and its uniforms.
func (d *drawing) rows(ds *scenebuild.DrawState, was map[*scene.Draw]scene.Draw) []Uniform {
	if d.r.Target == 0 {
		return rowsOf(ds)
	}
	w := ds.Draw
	if before, moved := was[w]; moved {
		w = &before
	}
	return append(placeRows(w), rowsOf(ds)...)
}

// apply sets an edit's value for a draw. It ignores a uniform that the program
// does not have.
func (d *drawing) apply(e *Edit, ds *scenebuild.DrawState) error {
	if name, ok := strings.CutPrefix(e.Name, shaderPrefix); ok {
		return applyShader(name, e.Values, ds.Program)
	}
	name, part, _ := strings.Cut(e.Name, "#")
	values := e.Values
	if part != "" {
		k, err := strconv.Atoi(part)
		now, err2 := ds.Uniforms.Get(name)
		if err != nil || err2 != nil || k < 0 || k >= len(now) || len(values) != 1 {
			return fmt.Errorf("no component %s", e.Name)
		}
		now[k] = values[0]
		values = now
	}
	if isTable(name) {
		return d.setTable(e, name, ds.Uniforms)
	}
	return ds.Uniforms.Set(name, values...)
}

// valuesOf reads back the whole uniform that an edit belongs to.
func valuesOf(e *Edit, ds *scenebuild.DrawState) (out []any) {
	name := uniformName(e.Name)
	if !strings.HasPrefix(e.Name, shaderPrefix) {
		if isTable(name) {
			return []any{savedTable(e, ds.Uniforms, name)}
		}
		v, _ := ds.Uniforms.Get(name)
		return v
	}
	for _, u := range ds.Program.Uniforms() {
		if u.Name != name {
			continue
		}
		for _, r := range u.Floats {
			for _, x := range r {
				out = append(out, x)
			}
		}
		for _, r := range u.Ints {
			for _, x := range r {
				out = append(out, int(x))
			}
		}
		for _, x := range u.Bools {
			out = append(out, x)
		}
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
