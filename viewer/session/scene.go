package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"pica200/explain/drawstate"
	"pica200/fragment"
	"pica200/internal/files"
	"pica200/pipeline"
	"pica200/scene"
	"pica200/scene/scenebuild"
)

// sceneSource shows a scene: from a file, or generated for a model or a shader.
type sceneSource struct {
	path  string
	roots []string // folders, besides that of path, that may contain files
	// make returns the scene's text, and the files that it depends on besides those
	// it names. The list of files is valid even after an error.
	make func(path string, read *scenebuild.Loaded) (text []byte, files []string, err error)

	text   []byte
	stage  *scenebuild.Stage
	files  []string
	gpu    *pipeline.GPU
	draws  int                 // of the last complete picture
	parts  []scenePart         // the draws that can be edited
	number map[*scene.Draw]int // index of each draw in parts

	strict  bool                   // gpu was made with Options.Strict
	writers map[string][]FilePlace // for each program, the lines that write its outputs

	duration float64
	chosen   chosen
	// Names of the choices.
	animations, cameras []string
	diagnosed           bool // the reasons for invisible draws were requested once
}

// newScene returns the source of a scene file.
func newScene(path string, roots []string) *sceneSource {
	return newMade(path, roots, func(path string, _ *scenebuild.Loaded) ([]byte, []string, error) {
		text, err := files.Read(path, files.MaxStream)
		return text, nil, err
	})
}

// newMade returns a source that is not read yet.
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

// Reload implements Source. Even after an error it watches the files that were
// found, so that repairing any of them is noticed.
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

// scenePath returns the scene's name in messages: its file, or a placeholder.
func (s *sceneSource) scenePath() string {
	if isScene(s.path) {
		return s.path
	}
	return s.path + " (scene made for it)"
}

func isScene(path string) bool { return scene.Is(path, nil) }

// parts lists the files that a model's file names: buffers and images. For an
// OBJ file it includes the material libraries, but not the files that these
// name.
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

// errStop ends drawing after the last draw to show.
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
	// Both eyes have the same number of draws; the right one comes first.
	if first := slices.Index(d.kinds, true); first >= 0 {
		p.right = first + (len(d.kinds)-first)/2 - 1
	}
	if !s.diagnosed && r.Draw < 0 && len(r.Edits) == 0 { // once per read file
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

// show makes the requested picture.
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

// drawName returns the name of a draw: the pass if there are several, the
// scene's name for it or its model, and the mesh if it is part of a model file.
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
		// A screen shows the main target, rotated; two screens may be side by side.
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
func (s *sceneSource) List(ctx context.Context, r *Request) (*drawstate.List, error) {
	one := *r
	one.View, one.Rows, one.Draw = fragment.ViewFinal, false, -1
	list := &drawstate.List{}
	d := newDrawing(s, &one, &Picture{})
	d.list = list
	s.gpu.Reset()
	err := d.draw(ctx, one.Time)
	list.End()
	return list, err
}
