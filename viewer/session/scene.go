package session

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"path/filepath"
	"slices"
	"time"

	"pica200/explain"
	"pica200/explain/drawstate"
	"pica200/fragment"
	"pica200/pipeline"
	"pica200/scene"
	"pica200/scene/scenebuild"
	"pica200/scene/source"
)

// sceneSource shows a scene: from a file, or made for a model or a shader.
type sceneSource struct {
	*source.Scene
	path    string
	options Options
	unread  error // why nothing was read yet; nil if it was

	// What is drawn and edited is the base, and the file has it with what was written back.
	base   []byte // the scene's text; nil for a model or shader
	read   []byte // the file's text when it was read or written last
	rebase int    // how often the base changed
	// Lines that were written over, and what they became, newest last.
	replaced [][2][]byte

	draws   int                         // of the last complete picture
	parts   []scenePart                 // the draws that can be edited
	number  map[*scene.Draw]int         // index of each draw in parts
	targets map[string]*scenePart       // draws and parts of their models by name
	names   map[partKey]string          // of targets
	tree    []Part                      // of these
	said    map[*scene.Style]*scenePart // what the scene's file says of them

	// How parts are drawn with edits, and these.
	painted  []string // files that edits gave to textures
	styles   map[partKey]scene.Style
	restyles []Edit

	writers map[string][]Location // for each program, the lines that write its outputs

	chosen chosen
	// Names of the choices.
	animations, cameras []string
	diagnosed           bool // the reasons for invisible draws were requested once
}

// Info implements Source.
func (s *sceneSource) Info() Info {
	of := s.Scene.Info()
	info := Info{Name: filepath.Base(s.path), Path: s.path, Files: slices.Concat(of.Files, s.painted)}
	if s.Stage != nil {
		info.Screens, info.Animated, info.Duration, info.Camera = screensOf(&s.Stage.Scene.Camera), of.Duration > 0, of.Duration, true
		info.Base, info.Scene, info.Start, info.Animations, info.Cameras, info.Parts = s.rebase, isScene(s.path), of.Time, s.animations, s.cameras, s.tree
	}
	return info
}

// Warnings implements Source.
func (s *sceneSource) Warnings() []string {
	if s.Stage == nil {
		return nil
	}
	return append(s.Scene.Warnings(), s.Stage.Remarks()...)
}

// Reload implements Source. Even after an error it watches the files that were found, so that repairing any of them is noticed.
func (s *sceneSource) Reload() error {
	var read []byte
	s.Scene.Text = func(text []byte) []byte {
		if read = text; s.base != nil && bytes.Equal(text, s.read) {
			return s.base
		}
		return text
	}
	if err := s.Scene.Reload(); err != nil {
		if s.Stage == nil {
			s.unread = err
		}
		return err
	}
	if !bytes.Equal(read, s.read) {
		s.read, s.base = read, read
		s.rebase++
	}
	s.unread, s.diagnosed, s.draws = nil, false, 0
	s.findParts()
	s.choose()
	s.findWriters()
	return nil
}

// errUnread is the error of all operations but reading again and drawing.
var errUnread = errors.New("nothing is shown yet: correct the file first")

// ready returns an error if nothing was read yet.
func (s *sceneSource) ready() error {
	if s.unread != nil {
		return errUnread
	}
	return nil
}

// scenePath returns the scene's name in messages: its file, or a placeholder.
func (s *sceneSource) scenePath() string {
	if isScene(s.path) {
		return s.path
	}
	return s.path + " (scene made for it)"
}

func isScene(path string) bool { return scene.Is(path, nil) }

// Render implements Source.
func (s *sceneSource) Render(ctx context.Context, r *Request) (*Picture, error) {
	if s.unread != nil {
		return nil, s.unread
	}
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
	drawn, err := d.draw(ctx, r.Time)
	if err != nil {
		return nil, err
	}
	p.draws, p.drawNames, p.Locations = drawn.Draws, d.names, d.locations
	// Both eyes have the same number of draws; the right one comes first.
	if first := slices.Index(d.kinds, true); first >= 0 {
		p.right = first + (len(d.kinds)-first)/2 - 1
	}
	if !s.diagnosed && r.Draw < 0 && len(r.Edits) == 0 { // once per read file
		s.diagnosed = true
		if _, err := s.Diagnose(ctx, r.Time); err != nil {
			return nil, err
		}
	}
	if r.Draw < 0 {
		s.draws = drawn.Draws
	}
	p.Frame = s.draws
	if err := s.show(p); err != nil {
		return nil, err
	}
	if m := d.outlined; m != nil && p.Target && m.Rect.Size() == p.size {
		p.Outlined = p.orientation.uprightMask(m)
	}
	if d.one.number >= 0 {
		d.one.name = d.name
		if err := d.one.finish(drawn.GPU, p); err != nil {
			return nil, err
		}
	}
	p.Stats, p.Warnings = drawn.Stats, s.Warnings()
	p.Took = time.Since(start)
	p.Which, p.Parts = d.which, d.parts
	for i := range s.parts {
		p.Names = append(p.Names, s.parts[i].name)
	}
	if duration := s.Stage.Duration(); duration > 0 {
		p.Note = fmt.Sprintf("t %.2f of %.2f s", r.Time, duration)
	}
	if r.Draw >= 0 {
		if p.Note != "" {
			p.Note += ", "
		}
		p.Note += fmt.Sprintf("draw %d of %d: %s", r.Draw, p.Frame, d.one.text())
	}
	return p, nil
}

// larger returns the factor by which the target is larger in a picture.
func (s *sceneSource) larger(r *Request) float64 {
	if r.Room == (image.Point{}) || r.Screens != NoScreens {
		return 1
	}
	t := &s.Stage.Scene.Target
	w, h := t.Width, t.Height
	if s.onSide(w, h) {
		w, h = h, w
	}
	return min(float64(r.Room.X)/float64(w), float64(r.Room.Y)/float64(h))
}

// onSide reports whether a target lies on its side.
func (s *sceneSource) onSide(w, h int) bool { return s.Stage.Scene.Camera.Rotated && forScreen(w, h) }

// show makes the requested picture.
func (s *sceneSource) show(p *Picture) error {
	r, rotated := &p.Request, s.Stage.Scene.Camera.Rotated
	if r.Screens == NoScreens || !rotated || r.Draw >= 0 || r.View != fragment.ViewFinal || r.Alpha {
		t, err := s.GPU().LastTarget()
		if err != nil {
			return err
		}
		o, w, h := notRotated, int(t.Width), int(t.Height)
		if main := &s.Stage.Scene.Target; image.Pt(w, h) == p.main && main.Width < w {
			w, h = main.Width, main.Height
			p.Own = image.Pt(w, h)
		}
		if s.onSide(w, h) {
			o, p.Own = quarterTurn, image.Pt(p.Own.Y, p.Own.X)
		}
		return p.readTarget(s.GPU(), o)
	}
	if s.Stage.Scene.Camera.Stereo != nil {
		p.screens(s.GPU())
		return nil
	}
	screen := pipeline.ScreenTop
	if t := s.Stage.Scene.Target; t.Height%320 == 0 {
		screen = pipeline.ScreenBottom
	}
	p.Image = s.GPU().Screen(screen)
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
	for i := range s.Stage.Scene.Models {
		if m := &s.Stage.Scene.Models[i]; m.Name == ds.Draw.Model && m.File != "" {
			return name + ": " + ds.Mesh
		}
	}
	return name
}

// ExplainPixel implements Source.
func (s *sceneSource) ExplainPixel(ctx context.Context, p *Picture, x, y int) (*explain.History, error) {
	if err := s.ready(); err != nil {
		return nil, err
	}
	one := p.Request
	one.View, one.Rows = fragment.ViewFinal, false
	if err := p.inside(x, y); err != nil {
		return nil, err
	}
	switch {
	case p.Target:
		x, y = p.orientation.target(x, y, p.size.X, p.size.Y)
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
		t := s.Stage.Scene.Target
		x, y = quarterTurn.target(x, y, t.Width, t.Height)
	}
	e := &explain.History{Draw: max(one.Draw, pipeline.FrameEnd), X: x, Y: y, Events: []explain.Event{}}
	var names []string
	err := s.GPU().Watch(ctx, x, y, func(ev pipeline.Event) { e.Events = append(e.Events, explain.Event{Event: ev}) }, func(ctx context.Context) error {
		d := newDrawing(s, &one, &Picture{})
		d.one.number = -1
		_, err := d.draw(ctx, one.Time)
		names, e.Target = d.names, d.target
		return err
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
	one.View, one.Rows, one.Draw, one.Room = fragment.ViewFinal, false, -1, image.Point{}
	if err := s.ready(); err != nil {
		return nil, err
	}
	list := &drawstate.List{}
	d := newDrawing(s, &one, &Picture{})
	d.list = list
	_, err := d.draw(ctx, one.Time)
	list.End()
	return list, err
}
