package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"pica200/fragment"
	"pica200/frontend/gl"
	"pica200/internal/files"
	"pica200/pipeline"
	"pica200/scene"
	"pica200/scene/scenebuild"
)

// sceneSource shows a scene: one from a file, or one that was made for a model
// or a shader.
type sceneSource struct {
	path  string
	roots []string // where files may lie besides the folder of path
	// make gives the scene's text, with the files that it depends on besides
	// those that it names; the list is good even after an error.
	make func(path string, read *scenebuild.Loaded) (text []byte, files []string, err error)

	text   []byte
	stage  *scenebuild.Stage
	files  []string
	gpu    *pipeline.GPU
	draws  int                 // of the picture shown last as a whole
	parts  []scenePart         // the draws that edits can be for
	number map[*scene.Draw]int // of each, in parts

	strict  bool                   // gpu is
	writers map[string][]FilePlace // of each program, the lines that write its outputs

	duration float64
	chosen   chosen
	// Names to choose from.
	animations, cameras []string
	diagnosed           bool // it was asked once why draws leave nothing to see
}

// newScene is the source of a scene file.
func newScene(path string, roots []string) *sceneSource {
	return newMade(path, roots, func(path string, _ *scenebuild.Loaded) ([]byte, []string, error) {
		text, err := files.Read(path, files.MaxStream)
		return text, nil, err
	})
}

// newMade makes a source of which nothing is read yet.
func newMade(path string, roots []string, make func(string, *scenebuild.Loaded) ([]byte, []string, error)) *sceneSource {
	return &sceneSource{path: path, roots: append(roots[:len(roots):len(roots)], path), make: make}
}

// opened reads a source.
func (s *sceneSource) opened() (Source, error) {
	if err := s.Reload(); err != nil {
		return nil, err
	}
	return s, nil
}

// Info implements Source.
func (s *sceneSource) Info() Info {
	return Info{Name: filepath.Base(s.path), Path: s.path, Screens: screensOf(&s.stage.Scene.Camera), Files: s.files, Animated: s.duration > 0,
		Duration: s.duration, Camera: true, Scene: isScene(s.path), Start: s.stage.Scene.Time, Animations: s.animations, Cameras: s.cameras}
}

// Warnings implements Source.
func (s *sceneSource) Warnings() []string {
	list := slices.Concat(s.stage.Warnings, s.stage.Notes(), s.stage.Remarks())
	for _, w := range s.gpu.Warnings() {
		list = append(list, w.String())
	}
	return list
}

// Reload implements Source. The files that were found are watched even after
// an error, so that mending any of them is seen.
func (s *sceneSource) Reload() error {
	read := &scenebuild.Loaded{}
	text, files, err := s.make(s.path, read)
	files = append([]string{s.path}, files...)
	var sc *scene.Scene
	if err == nil {
		sc, err = scene.Parse(s.scenePath(), text)
	}
	var stage *scenebuild.Stage
	if err == nil {
		for _, f := range sc.Files() {
			files = append(append(files, f), parts(f)...)
		}
		sc.Roots = s.roots
		stage, err = scenebuild.NewOf(sc, read)
	}
	if err != nil {
		for _, f := range s.files {
			if !slices.Contains(files, f) {
				files = append(files, f)
			}
		}
		s.files = files
		return err
	}
	s.text, s.stage, s.files, s.diagnosed, s.draws = text, stage, files, false, 0
	s.parts, s.number = partsOf(stage.Scene)
	s.choose()
	s.duration = stage.Duration()
	if s.gpu == nil || s.strict != stage.Strict() {
		s.Close()
		s.strict = stage.Strict()
		s.gpu = pipeline.New(pipeline.Options{Strict: s.strict})
		s.gpu.Timing = true
	}
	s.findWriters()
	return nil
}

// Close implements Source.
func (s *sceneSource) Close() {
	if s.gpu != nil {
		s.gpu.Close()
		s.gpu = nil
	}
}

// scenePath is how messages name the scene: the file, or what stands for it.
func (s *sceneSource) scenePath() string {
	if isScene(s.path) {
		return s.path
	}
	return s.path + " (scene made for it)"
}

func isScene(path string) bool { return scene.Is(path, nil) }

// parts lists the files that a model's file names: buffers and images.
// Material libraries of an OBJ file are followed, but no further.
func parts(path string) (list []string) {
	ext := strings.ToLower(filepath.Ext(path))
	if ext != ".gltf" && ext != ".obj" && ext != ".mtl" {
		return nil
	}
	data, err := files.ReadRegular(path, 16<<20)
	if err != nil {
		return nil
	}
	add := func(name string) {
		name = strings.TrimSpace(name)
		if name != "" && !strings.HasPrefix(name, "data:") && len(list) < 256 {
			list = append(list, filepath.Join(filepath.Dir(path), filepath.FromSlash(name)))
		}
	}
	if ext == ".gltf" {
		for rest := string(data); ; {
			_, after, ok := strings.Cut(rest, `"uri"`)
			if !ok {
				return list
			}
			rest = after
			if _, after, ok = strings.Cut(after, `"`); ok {
				name, _, _ := strings.Cut(after, `"`)
				add(name)
			}
		}
	}
	for _, l := range strings.Split(string(data), "\n") {
		f := strings.Fields(l)
		if len(f) < 2 {
			continue
		}
		if n := len(list); f[0] == "mtllib" && ext == ".obj" {
			add(strings.Join(f[1:], " "))
			for _, library := range list[n:] {
				if strings.EqualFold(filepath.Ext(library), ".mtl") {
					list = append(list, parts(library)...)
				}
			}
		} else if strings.HasPrefix(f[0], "map_") {
			add(f[len(f)-1])
		}
	}
	return list
}

// errStop ends a drawing behind the last draw that is to be shown.
var errStop = errors.New("stop")

// Render implements Source.
func (s *sceneSource) Render(ctx context.Context, r *Request) (*Picture, error) {
	if r.Draw >= 0 {
		whole, draws := *r, 0
		if whole.Draw, draws = -1, s.draws; draws == 0 {
			all, err := s.Render(ctx, &whole)
			if err != nil {
				return nil, err
			}
			draws = all.Frame
		}
		one := *r
		one.Draw = min(r.Draw, draws-1)
		r = &one
	}
	start := time.Now()
	p := &Picture{Request: *r}
	d := newDrawing(s, r, p)
	g := s.gpu
	g.Reset()
	g.TakeStats()
	if err := d.draw(ctx, r.Time); err != nil {
		return nil, err
	}
	p.draws, p.drawNames, p.Places = d.shown, d.names, d.places
	// Each eye has as many draws, and the right one comes first.
	if first := slices.Index(d.kinds, true); first >= 0 {
		p.right = first + (len(d.kinds)-first)/2 - 1
	}
	if !s.diagnosed && r.Draw < 0 && len(r.Edits) == 0 { // once for what was read
		s.diagnosed = true
		st := s.stage
		hooks := st.Hooks
		st.Hooks = nil
		err := st.Diagnose(ctx, r.Time, scenebuild.Options{})
		st.Hooks = hooks
		if err != nil {
			return nil, err
		}
	}
	if r.Draw < 0 {
		s.draws = d.shown
	}
	p.Frame = s.draws
	if err := s.show(p); err != nil {
		return nil, err
	}
	if d.one.number >= 0 {
		d.one.name = d.name
		if err := d.one.finish(g, p); err != nil {
			return nil, err
		}
	}
	p.Stats, p.Warnings = g.TakeStats(), s.Warnings()
	p.Took = time.Since(start)
	p.Which = d.which
	for i := range s.parts {
		p.Names = append(p.Names, s.parts[i].name)
	}
	if s.duration > 0 {
		p.Note = fmt.Sprintf("t %.2f of %.2f s", r.Time, s.duration)
	}
	if r.Draw >= 0 {
		if p.Note != "" {
			p.Note += ", "
		}
		p.Note += fmt.Sprintf("draw %d of %d: %s", r.Draw, p.Frame, d.one.text())
	}
	return p, nil
}

// show makes the picture that the request asks for.
func (s *sceneSource) show(p *Picture) error {
	r, rotated := &p.Request, s.stage.Scene.Camera.Rotated
	if r.Screens == NoScreens || !rotated || r.Draw >= 0 || r.View != fragment.ViewFinal || r.Alpha {
		t, err := s.gpu.LastTarget()
		if err != nil {
			return err
		}
		turn := notTurned
		if rotated && forScreen(int(t.Width), int(t.Height)) {
			turn = turned
		}
		return p.readTarget(s.gpu, turn)
	}
	if s.stage.Scene.Camera.Stereo != nil {
		p.screens(s.gpu)
		return nil
	}
	screen := pipeline.ScreenTop
	if t := s.stage.Scene.Target; t.Height%320 == 0 {
		screen = pipeline.ScreenBottom
	}
	p.Image = s.gpu.Screen(screen)
	p.parts = []screenPart{{screen, p.Image.Rect}}
	return nil
}

// drawing is one drawing of the scene with what the request changes.
type drawing struct {
	s     *sceneSource
	r     *Request
	p     *Picture
	edits []Edit

	kinds   []bool   // of the draws so far: in the main pass
	names   []string // of them
	shaders []string // the programs of them
	which   []int    // of them: the one of the scene's draws that it is of
	places  [][]FilePlace
	seen    int // draws that the GPU has begun
	shown   int
	name    string               // of the last one shown
	target  pipeline.DrawTarget  // of it
	values  map[string][]any     // of the edits, as they came out, if not nil
	tables  map[string]tableEdit // of edits for all draws, by the sampler's name
	one     oneDraw
	was     map[*scene.Draw]scene.Draw // draws that edits put elsewhere, as the scene has them
	list    *DrawList                  // to be filled, if not nil
}

func newDrawing(s *sceneSource, r *Request, p *Picture) *drawing {
	d := &drawing{s: s, r: r, p: p, one: oneDraw{number: r.Draw}}
	keys := make([]string, 0, len(r.Edits))
	for k := range r.Edits {
		keys = append(keys, k)
	}
	slices.Sort(keys) // "-1/..." comes first: edits of one draw win over those of all
	for _, k := range keys {
		d.edits = append(d.edits, r.Edits[k])
	}
	return d
}

func (d *drawing) draw(ctx context.Context, t float64) error {
	g, st := d.s.gpu, d.s.stage
	was, back, err := d.s.move(d.edits)
	if err != nil {
		return err
	}
	defer back()
	d.was = was
	st.Hooks = &scenebuild.Hooks{Camera: d.camera, BeforeDraw: d.before}
	clear := st.Scene.Target.Clear.Color
	if gpuView(d.r) != fragment.ViewFinal {
		// A view says nothing about what is not drawn.
		black := mgl64.Vec4{0, 0, 0, 1}
		st.Scene.Target.Clear.Color = &black
	}
	switch {
	case d.list != nil:
		d.list.follow(g, 0, d.r.Now)
	case d.one.number >= 0:
		d.one.follow(g)
	}
	look := g.BeforeDraw
	// Draws come out of the command lists later than the scene makes them, in
	// the same order.
	g.BeforeDraw = func(info *pipeline.DrawInfo) error {
		n := d.seen
		if d.seen++; d.r.Draw >= 0 && n > d.r.Draw {
			return errStop
		}
		d.shown++
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
	defer func() {
		st.Hooks = nil
		st.Scene.Target.Clear.Color = clear
		g.BeforeDraw, g.AfterDraw, g.View = nil, nil, fragment.ViewFinal
	}()
	_, err = st.Draw(ctx, g, t)
	if err == nil || d.stopped() { // what comes out then is errStop
		err = g.Finish(ctx)
	}
	return err
}

// stopped reports whether drawing ended behind the last draw to be shown.
func (d *drawing) stopped() bool { return d.seen > d.shown }

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
	for i := range d.edits { // those of all draws come first
		e := &d.edits[i]
		if e.Draw >= 0 && e.Draw != index {
			continue
		}
		if rows && was == nil && e.Draw == d.r.Target-1 {
			was = d.rows(ds, d.was)
		}
		if strings.HasPrefix(e.Name, placePrefix) {
			continue // it is there
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

// rows lists what can be changed of a draw: its place, where it is the one that is chosen,
// as it was before it was put elsewhere, and its uniforms.
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

// drawName is what a draw is called: by its pass where there are several, as the scene calls it, or its model, and with the
// mesh that is drawn of a model from a file.
func (s *sceneSource) drawName(ds *scenebuild.DrawState) string {
	name := cmp.Or(ds.Draw.Name, ds.Draw.Model)
	if i, ok := s.number[ds.Draw]; ok {
		name = s.parts[i].name
	}
	if ds.Mesh == "" || ds.Mesh == cmp.Or(ds.Draw.Name, ds.Draw.Model) || ds.Draw.Mesh != "" {
		return name
	}
	for i := range s.stage.Scene.Models {
		if m := &s.stage.Scene.Models[i]; m.Name == ds.Draw.Model && m.File != "" {
			return name + ": " + ds.Mesh
		}
	}
	return name
}

// ExplainPixel implements Source.
func (s *sceneSource) ExplainPixel(ctx context.Context, p *Picture, x, y int) (*pipeline.Explained, error) {
	one := p.Request
	one.View, one.Rows = fragment.ViewFinal, false
	if err := p.inside(x, y); err != nil {
		return nil, err
	}
	switch {
	case p.Target:
		x, y = p.turn.target(x, y, p.size.X, p.size.Y)
	default:
		// A screen shows the main target, rotated; one may stand beside another.
		for _, part := range p.parts {
			if !image.Pt(x, y).In(part.rect) {
				continue
			}
			x -= part.rect.Min.X
			if part.screen == pipeline.ScreenTopRight {
				one.Draw = p.right
			}
			break
		}
		t := s.stage.Scene.Target
		x, y = turned.target(x, y, t.Width, t.Height)
	}
	e := &pipeline.Explained{Draw: max(one.Draw, pipeline.FrameEnd), X: x, Y: y, Events: []pipeline.Event{}}
	var names []string
	err := s.gpu.Explain(ctx, x, y, func(ev pipeline.Event) { e.Events = append(e.Events, ev) }, func(ctx context.Context) error {
		d := newDrawing(s, &one, &Picture{})
		d.one.number = -1
		if err := d.draw(ctx, one.Time); err != nil {
			return err
		}
		names, e.Target = d.names, d.target
		return nil
	})
	e.SetNames(func(_, draw int) string {
		if draw < len(names) {
			return names[draw]
		}
		return ""
	})
	return e, err
}

// List implements Source.
func (s *sceneSource) List(ctx context.Context, r *Request) (*DrawList, error) {
	one := *r
	one.View, one.Rows, one.Draw = fragment.ViewFinal, false, -1
	list := &DrawList{}
	d := newDrawing(s, &one, &Picture{})
	d.list = list
	s.gpu.Reset()
	err := d.draw(ctx, one.Time)
	for i := range list.Draws {
		if i < len(d.names) {
			list.Draws[i].Name, list.Shaders[i] = d.names[i], d.shaders[i]
		}
	}
	return list, err
}

// apply sets what an edit says for a draw. A uniform that a program does not
// have is passed over.
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

// valuesOf reads back all of the uniform that an edit belongs to.
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

// shaderPrefix is what the keys of a shader's uniforms begin with.
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
