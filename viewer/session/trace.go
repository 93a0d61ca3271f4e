package session

import (
	"context"
	"fmt"
	"image"
	"path/filepath"
	"time"

	"pica200/explain"
	"pica200/explain/drawstate"
	"pica200/fragment"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/scene/source"
)

// traceSource shows a recorded trace.
type traceSource struct {
	*source.Recording
	path    string
	surveys map[int]*survey
	flips   map[uint32]bool // addresses of targets that went to a screen, and whether they were flipped
}

// survey describes the draws of a frame, as needed to show it.
type survey struct {
	targets []pipeline.DrawTarget // target of each draw
	uses    []ViewUse             // for each draw, the uses of the draws up to it
	list    *drawstate.List       // set by List
	err     error                 // the error that ends the frame
}

// add takes a draw.
func (v *survey) add(target pipeline.DrawTarget, r *pica.Regs) {
	var use ViewUse
	if n := len(v.uses); n > 0 {
		use = v.uses[n-1]
	}
	use.add(r)
	v.targets, v.uses = append(v.targets, target), append(v.uses, use)
}

// maxSurveys limits the frames whose surveys are kept.
const maxSurveys = 64

// Info implements Source.
func (s *traceSource) Info() Info {
	return Info{Name: filepath.Base(s.path), Path: s.path, Files: []string{s.path}, Frames: s.Frames(), Screens: []Screens{NoScreens, BothScreens, SideBySide, Anaglyph, RightEye}}
}

// Reload implements Source.
func (s *traceSource) Reload() error {
	err := s.Recording.Reload()
	if err == nil {
		err = s.Start()
	}
	if err == nil {
		s.surveys, s.flips = map[int]*survey{}, map[uint32]bool{}
		s.GPU.Timing = true
	}
	return err
}

// frame returns the frame of a request.
func (s *traceSource) frame(r *Request) int { return min(max(r.Frame, 0), s.Frames()-1) }

// seek goes to the start of a frame.
func (s *traceSource) seek(ctx context.Context, r *Request) error {
	s.Progress = r.Progress
	defer func() { s.Progress = nil }()
	pos := pipeline.Start
	if f := s.frame(r); f > 0 {
		pos = pipeline.Position{Frame: f - 1, Draw: pipeline.FrameEnd}
	}
	return s.Seek(ctx, pos)
}

// survey returns what a frame draws, and replays the frame if that is not known yet.
func (s *traceSource) survey(ctx context.Context, r *Request) (*survey, error) {
	frame := s.frame(r)
	if v := s.surveys[frame]; v != nil {
		return v, nil
	}
	v := &survey{}
	v.err = s.Visit(ctx, pipeline.Position{Frame: frame, Draw: pipeline.FrameEnd}, func(g *pipeline.GPU) error {
		s.follow(g, v)
		return nil
	})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	s.keep(frame, v)
	return v, nil
}

func (s *traceSource) keep(frame int, v *survey) {
	if len(s.surveys) >= maxSurveys {
		clear(s.surveys)
	}
	s.surveys[frame] = v
}

// follow sets hooks that fill a survey while its frame is replayed.
func (s *traceSource) follow(g *pipeline.GPU, v *survey) {
	other := g.BeforeDraw
	g.BeforeDraw = func(d *pipeline.DrawInfo) error {
		if v.add(pipeline.TargetOf(d.Regs), d.Regs); other != nil {
			return other(d)
		}
		return nil
	}
	s.transfers(g)
}

// transfers sets a hook that remembers which targets go to a screen.
func (s *traceSource) transfers(g *pipeline.GPU) {
	g.BeforeTransfer = func(t pipeline.Transfer) {
		if t.InTiled && !t.OutTiled {
			if len(s.flips) >= 256 {
				clear(s.flips)
			}
			s.flips[t.Src] = t.Flip
		}
	}
}

// orientation returns the orientation of a target in its picture.
func (s *traceSource) orientation(t pipeline.DrawTarget) orientation {
	switch {
	case !forScreen(t.Width, t.Height):
		return notRotated
	case s.flips[t.Color]:
		return quarterTurnFlipped
	}
	return quarterTurn
}

// Render implements Source.
func (s *traceSource) Render(ctx context.Context, r *Request) (*Picture, error) {
	begin := time.Now()
	p := &Picture{Request: *r}
	frame, view := s.frame(r), gpuView(r)
	v := s.surveys[frame]
	fresh, first := v == nil, 0
	if fresh || r.Draw < 0 || view != fragment.ViewFinal {
		if err := s.seek(ctx, r); err != nil {
			return nil, err
		}
	} else {
		first = r.Draw // the visit gets there through the draws before it
	}
	switch {
	case fresh && (view != fragment.ViewFinal || r.Draw >= 0):
		var err error
		if v, err = s.survey(ctx, r); err != nil {
			return nil, err
		}
		if err := s.seek(ctx, r); err != nil {
			return nil, err
		}
		fresh = false
	case fresh:
		v = &survey{}
	}
	r = &p.Request
	if r.Draw >= 0 && !fresh {
		if len(v.targets) == 0 {
			r.Draw = -1
		}
		r.Draw = min(r.Draw, len(v.targets)-1)
	}
	start := time.Now()
	p.Seeking = start.Sub(begin)
	one := oneDraw{number: r.Draw, frame: frame}
	shown := view != fragment.ViewFinal && len(v.targets) > 0
	s.Progress = r.Progress
	defer func() { s.Progress = nil }()
	err := s.VisitFrom(ctx, pipeline.Position{Frame: frame, Draw: max(r.Draw, pipeline.FrameEnd)}, first, func(g *pipeline.GPU) error {
		s.transfers(g)
		if fresh {
			s.follow(g, v)
		}
		if r.Draw >= 0 {
			one.follow(g)
		}
		if shown {
			last := len(v.targets) - 1
			if r.Draw >= 0 {
				last = r.Draw
			}
			s.Invalidate()
			showView(ctx, g, view, v.targets[last])
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if fresh {
		s.keep(frame, v)
	}
	p.draws, p.Frame = len(v.targets), len(v.targets)
	p.Note = fmt.Sprintf("frame %d of 0 to %d", frame, s.Frames()-1)
	if r.Draw >= 0 {
		p.draws = r.Draw + 1
		p.Note += fmt.Sprintf(", draw %d of %d: %s", r.Draw, p.Frame, one.text())
	}
	if p.draws > 0 {
		p.Use = v.uses[p.draws-1]
	}
	if err := s.picture(p, &one); err != nil {
		return nil, err
	}
	p.Stats, p.Warnings = s.Stats(), s.Warnings()
	p.Took = time.Since(start)
	return p, nil
}

// showView sets a hook that draws a view of the draws to a target on black: what the target contained before the first draw, or
// what a fill, transfer or load writes between draws, is not part of the view.
func showView(ctx context.Context, g *pipeline.GPU, view fragment.View, target pipeline.DrawTarget) {
	black := false
	was := g.Hooks
	ours := false // the load that makes it black is our own
	g.BeforeFill = before(was.BeforeFill, func(pipeline.Fill) { black = false })
	g.BeforeTransfer = before(was.BeforeTransfer, func(t pipeline.Transfer) { black = black && t.Dst != target.Color })
	g.BeforeCopy = before(was.BeforeCopy, func(c pipeline.TextureCopy) { black = black && c.Dst != target.Color })
	g.BeforeLoad = func(addr uint32, n int) {
		if black = black && (ours || addr != target.Color); was.BeforeLoad != nil {
			was.BeforeLoad(addr, n)
		}
	}
	g.BeforeDraw = func(d *pipeline.DrawInfo) error {
		if was.BeforeDraw != nil {
			if err := was.BeforeDraw(d); err != nil {
				return err
			}
		}
		g.View = fragment.ViewFinal
		if pipeline.TargetOf(d.Regs).Color != target.Color {
			return nil
		}
		if !black {
			t, err := g.DrawTarget()
			if err != nil || t.Color == nil {
				return nil // the draw will be skipped
			}
			ours = true
			err = g.Load(ctx, target.Color, make([]byte, len(t.Color)))
			if ours = false; err != nil {
				return err
			}
			black = true
		}
		g.View = view
		return nil
	}
}

// before returns a hook that does something before another one, if there is one.
func before[T any](hook, do func(T)) func(T) {
	return func(x T) {
		if do(x); hook != nil {
			hook(x)
		}
	}
}

// oneDraw observes the last draw to be shown.
type oneDraw struct {
	number, frame int
	before        seen
	list          []pipeline.DrawRecord
	name          string // its name in a scene
}

// follow sets hooks that observe the draw.
func (o *oneDraw) follow(g *pipeline.GPU) {
	other := g.BeforeDraw
	pipeline.ListDraws(g, o.frame, &o.list)
	before, after := g.BeforeDraw, g.AfterDraw
	g.AfterDraw = nil // only once, for this draw
	g.BeforeDraw = func(d *pipeline.DrawInfo) error {
		if other != nil {
			if err := other(d); err != nil {
				return err
			}
		}
		if d.Index == o.number {
			if t, err := g.DrawTarget(); err == nil {
				o.before.take(t)
			}
			g.AfterDraw = after
		}
		return before(d)
	}
}

// record returns the record of the draw, nil if there was none.
func (o *oneDraw) record() *pipeline.DrawRecord {
	n := len(o.list)
	if o.number < 0 || n == 0 || o.list[n-1].Draw != o.number {
		return nil
	}
	rec := o.list[n-1]
	rec.Name = o.name
	return &rec
}

// text describes the draw.
func (o *oneDraw) text() string {
	rec := o.record()
	if rec == nil {
		return "none"
	}
	row := explain.DrawRow(rec)
	text := fmt.Sprintf("%s; %d pixels", row.Text(), rec.Fragments)
	if rec.Name != "" {
		text = rec.Name + ": " + text
	}
	return text
}

// picture makes the requested picture.
func (s *traceSource) picture(p *Picture, one *oneDraw) error {
	g, r := s.GPU, &p.Request
	if r.Screens == NoScreens || r.Draw >= 0 || r.View != fragment.ViewFinal {
		o := notRotated
		if addr, n := g.LastTargetMemory(); n > 0 {
			t, err := g.LastTarget()
			if err != nil {
				return err
			}
			o = s.orientation(pipeline.DrawTarget{Width: int(t.Width), Height: int(t.Height), Color: addr})
		}
		if err := p.readTarget(g, o); err != nil {
			return err
		}
		return one.finish(g, p)
	}
	p.screens(g)
	return nil
}

// finish adds to a picture what the draw changed in it.
func (o *oneDraw) finish(g *pipeline.GPU, p *Picture) error {
	if o.number < 0 {
		return nil
	}
	p.shown = o.record()
	t, err := g.LastTarget()
	if err != nil {
		return err
	}
	if m := o.before.changed(t, false); m != nil && p.shown != nil && !p.shown.LeftOut {
		p.Added = p.orientation.uprightMask(m)
	}
	return nil
}

// List implements Source.
func (s *traceSource) List(ctx context.Context, r *Request) (*drawstate.List, error) {
	frame := s.frame(r)
	if v := s.surveys[frame]; v != nil && v.list != nil {
		return v.list, v.err
	}
	if err := s.seek(ctx, r); err != nil {
		return nil, err
	}
	v := &survey{list: &drawstate.List{}}
	v.err = s.Visit(ctx, pipeline.Position{Frame: frame, Draw: pipeline.FrameEnd}, func(g *pipeline.GPU) error {
		follow(v.list, g, frame, func(int) (name, shader string) { return "", "" }, r.Now)
		s.follow(g, v)
		return nil
	})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	v.list.End()
	s.keep(frame, v)
	return v.list, v.err
}

// ExplainPixel implements Source.
func (s *traceSource) ExplainPixel(ctx context.Context, p *Picture, x, y int) (*explain.History, error) {
	r := &p.Request
	frame := s.frame(r)
	if err := s.seek(ctx, r); err != nil {
		return nil, err
	}
	if !p.Target {
		for _, part := range p.parts {
			if at := image.Pt(x, y); at.In(part.rect) {
				return explain.Screen(ctx, s.Replayer, frame, part.screen, x-part.rect.Min.X, y-part.rect.Min.Y)
			}
		}
		return nil, fmt.Errorf("pixel %d,%d shows no screen", x, y)
	}
	if err := p.inside(x, y); err != nil {
		return nil, err
	}
	x, y = p.orientation.target(x, y, p.size.X, p.size.Y)
	return explain.Pixel(ctx, s.Replayer, pipeline.Position{Frame: frame, Draw: max(r.Draw, pipeline.FrameEnd)}, x, y)
}
