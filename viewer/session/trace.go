package session

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"path/filepath"
	"slices"
	"time"

	"pica200/assets/picatrace"
	"pica200/fragment"
	"pica200/internal/files"
	"pica200/pipeline"
)

// traceSource shows a recorded trace.
type traceSource struct {
	path     string
	strict   bool
	replayer *pipeline.Replayer
	frames   int
	draws    int // of the frame shown last as a whole
}

// openTrace reads a trace.
func openTrace(path string, strict bool) (Source, error) {
	s := &traceSource{path: path, strict: strict}
	return s, s.Reload()
}

// Info implements Source.
func (s *traceSource) Info() Info {
	return Info{Name: filepath.Base(s.path), Path: s.path, Files: []string{s.path}, Frames: s.frames}
}

// Warnings implements Source.
func (s *traceSource) Warnings() (list []string) {
	for _, w := range s.replayer.GPU.Warnings() {
		list = append(list, w.String())
	}
	return list
}

// Save implements Source.
func (s *traceSource) Save(context.Context, *Request) (string, error) {
	return "", errors.New("a recorded trace cannot be saved as a scene; only models, scenes and shaders can")
}

func (s *traceSource) Reload() error {
	data, err := files.Read(s.path, files.Max)
	if err != nil {
		return err
	}
	t, err := picatrace.Parse(data)
	if err != nil {
		return fmt.Errorf("%s: %w", s.path, err)
	}
	r, err := pipeline.NewReplayer(t, pipeline.ReplayerOptions{Options: pipeline.Options{Strict: s.strict}})
	if err != nil {
		return fmt.Errorf("%s: %w", s.path, err)
	}
	s.replayer, s.frames = r, r.Frames()
	r.GPU.Timing = true
	return nil
}

func (s *traceSource) Render(ctx context.Context, r *Request) (*Picture, error) {
	start := time.Now()
	frame := min(max(r.Frame, 0), s.frames-1)
	pos := pipeline.Position{Frame: frame, Draw: max(r.Draw, pipeline.FrameEnd)}
	draws, shown := 0, ""
	var use ViewUse
	err := s.replayer.Visit(ctx, pos, func(g *pipeline.GPU) error {
		g.View = gpuView(r.View)
		g.BeforeDraw = func(d *pipeline.DrawInfo) error {
			draws++
			use.Add(d.Regs)
			shown = fmt.Sprintf("draw %d: %v, %d vertices", d.Index, d.Kind, d.Vertices)
			return nil
		}
		return nil
	})
	var none *pipeline.NoDrawError // the whole frame is shown then
	if err != nil && !errors.As(err, &none) {
		return nil, err
	}
	if r.Draw < 0 {
		s.draws = draws
	}
	p := &Picture{Request: *r, Draws: draws, Frame: s.draws, Use: use, Note: fmt.Sprintf("frame %d of %d", frame, s.frames)}
	if r.Draw >= 0 {
		p.Note += ", " + shown
	}
	if err := s.show(r, p); err != nil {
		return nil, err
	}
	p.Stats, p.Warnings = s.replayer.Stats(), s.Warnings()
	p.Took = time.Since(start)
	return p, nil
}

// show makes the picture that the request asks for.
func (s *traceSource) show(r *Request, p *Picture) error {
	g := s.replayer.GPU
	if r.Screens == NoScreens || r.Draw >= 0 || r.View != fragment.ViewFinal {
		return p.readTarget(g)
	}
	top, bottom := g.Screen(pipeline.ScreenTop), g.Screen(pipeline.ScreenBottom)
	switch r.Screens {
	case BothScreens:
		p.Image = stack(top, bottom)
	case SideBySide:
		p.Image = beside(top, g.Screen(pipeline.ScreenTopRight))
	case Anaglyph:
		p.Image = anaglyph(top, g.Screen(pipeline.ScreenTopRight))
	}
	return nil
}

func (s *traceSource) Explain(ctx context.Context, r *Request, x, y int, events func(pipeline.Event)) error {
	frame := min(max(r.Frame, 0), s.frames-1)
	return s.replayer.Explain(ctx, pipeline.Position{Frame: frame, Draw: pipeline.FrameEnd}, x, y, events)
}

// readTarget makes the picture of the colour buffer drawn to last, opaque, or
// of its stencil.
func (p *Picture) readTarget(g *pipeline.GPU) error {
	t, err := g.LastTarget()
	if err != nil {
		return err
	}
	p.Target = true
	if p.Request.View == ViewStencil {
		src, err := pipeline.StencilImage(t)
		if err != nil {
			return err
		}
		p.Image = image.NewRGBA(src.Rect)
		draw.Draw(p.Image, src.Rect, src, src.Rect.Min, draw.Src)
		return nil
	}
	src, err := pipeline.ColorImage(t)
	if err != nil {
		return err
	}
	if p.Request.Alpha {
		raw := *src
		raw.Pix = slices.Clone(src.Pix)
		p.Raw = &raw
	}
	p.Image = &image.RGBA{Pix: src.Pix, Stride: src.Stride, Rect: src.Rect}
	for i := 3; i < len(src.Pix); i += 4 {
		src.Pix[i] = 255
	}
	return nil
}

// stack puts one picture above the other, both in the middle.
func stack(a, b *image.RGBA) *image.RGBA {
	w := max(a.Rect.Dx(), b.Rect.Dx())
	out := image.NewRGBA(image.Rect(0, 0, w, a.Rect.Dy()+b.Rect.Dy()))
	draw.Draw(out, out.Rect, image.Black, image.Point{}, draw.Src)
	draw.Draw(out, a.Rect.Add(image.Pt((w-a.Rect.Dx())/2, 0)), a, image.Point{}, draw.Src)
	draw.Draw(out, b.Rect.Add(image.Pt((w-b.Rect.Dx())/2, a.Rect.Dy())), b, image.Point{}, draw.Src)
	return out
}

// beside puts one picture to the left of the other.
func beside(a, b *image.RGBA) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, a.Rect.Dx()+b.Rect.Dx(), max(a.Rect.Dy(), b.Rect.Dy())))
	draw.Draw(out, a.Rect, a, image.Point{}, draw.Src)
	draw.Draw(out, b.Rect.Add(image.Pt(a.Rect.Dx(), 0)), b, image.Point{}, draw.Src)
	return out
}

// anaglyph takes red from the left picture, green and blue from the right.
func anaglyph(l, r *image.RGBA) *image.RGBA {
	out := image.NewRGBA(l.Rect)
	copy(out.Pix, r.Pix)
	for i := 0; i < len(out.Pix) && i < len(l.Pix); i += 4 {
		out.Pix[i] = l.Pix[i]
		out.Pix[i+3] = 255
	}
	return out
}
