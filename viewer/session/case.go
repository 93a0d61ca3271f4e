package session

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"pica200/explain"
	"pica200/explain/drawstate"
	"pica200/fragment"
	"pica200/golden"
	"pica200/pipeline"
)

// GoldenShow selects what is shown of a golden case.
type GoldenShow uint8

const (
	GoldenAll        GoldenShow = iota // expected, actual and their difference side by side
	GoldenExpected                     // the approved image
	GoldenActual                       // the current picture
	GoldenDifference                   // where they differ
	numGoldenShows
)

func (g GoldenShow) String() string {
	return [...]string{"expected, actual, difference", "expected", "actual", "difference"}[g]
}

// Next returns the mode after g.
func (g GoldenShow) Next() GoldenShow { return (g + 1) % numGoldenShows }

// GoldenRequest selects what to show of a golden case.
type GoldenRequest struct {
	Show  GoldenShow
	Image int // index of the image in the case
}

// GoldenPicture is the result of comparing an image of a case.
type GoldenPicture struct {
	Show    GoldenShow
	Image   int
	Targets []string // names of all images of the case
	Status  golden.Status
	Message string // the difference as text
	// Parts are the rectangles of expected, actual and difference in the picture;
	// empty for parts that are not shown.
	Parts [3]image.Rectangle
}

// caseSource shows a golden case.
type caseSource struct {
	path    string
	options Options

	c      *golden.Case
	source Source // the source that the case draws, to explain its pixels; nil if it cannot be opened
	result *golden.CaseResult
	actual map[string]image.Image
}

// openCase reads a case file.
func openCase(path string, o Options) (Source, error) {
	s := &caseSource{path: path, options: o}
	if err := s.Reload(); err != nil {
		return nil, err
	}
	return s, nil
}

// isCase reports whether a name is that of a case file.
func isCase(path string) bool { return strings.HasSuffix(path, golden.Suffix) }

// Info implements Source.
func (s *caseSource) Info() Info {
	info := Info{Name: filepath.Base(s.path), Path: s.path, Files: []string{s.path}, Golden: true}
	for i := range s.c.Images {
		for _, a := range s.c.Images[i].Approved {
			if a.File != "" {
				info.Files = append(info.Files, s.file(a))
			}
		}
	}
	if s.source != nil {
		info.Files = append(info.Files, s.source.Info().Files...)
	} else {
		info.Files = append(info.Files, s.c.SourcePath())
	}
	return info
}

func (s *caseSource) file(a golden.Approved) string {
	return filepath.Join(filepath.Dir(s.path), filepath.FromSlash(a.File))
}

// Reload implements Source.
func (s *caseSource) Reload() error {
	c, err := golden.LoadCase(filepath.Dir(s.path), s.path)
	if err != nil {
		return err
	}
	s.Close()
	s.c, s.result, s.actual = c, nil, nil
	// Drawing the case reports what is wrong with it; its files are watched in any
	// case.
	s.source, _ = OpenForRepair(c.SourcePath(), s.options)
	return nil
}

// Close implements Source.
func (s *caseSource) Close() {
	if s.source != nil {
		s.source.Close()
	}
}

// Warnings implements Source.
func (s *caseSource) Warnings() []string { return nil }

// run draws the case and compares it, if that was not done yet.
func (s *caseSource) run(ctx context.Context) error {
	if s.result != nil {
		return nil
	}
	opt := golden.Options{Roots: s.options.Roots, Strict: s.options.Strict}
	opt.Renderer = golden.RendererFunc(func(ctx context.Context, job golden.Job) (map[string]image.Image, error) {
		images, err := golden.DefaultRenderer.Render(ctx, job)
		s.actual = images
		return images, err
	})
	r := golden.RunCase(ctx, s.c, opt)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if r.Status == golden.Failed {
		return errors.New(r.Error)
	}
	s.result = &r
	return nil
}

// expected returns the approved image that is most similar to the current
// picture; nil if there is none, or only its hash.
func (s *caseSource) expected(r *golden.ImageResult) (image.Image, error) {
	if r.Against.File == "" {
		return nil, nil
	}
	m, err := s.c.Picture(r.Against)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return m, err
}

// Render implements Source.
func (s *caseSource) Render(ctx context.Context, r *Request) (*Picture, error) {
	start := time.Now()
	if err := s.run(ctx); err != nil {
		return nil, err
	}
	n := min(max(r.Golden.Image, 0), len(s.result.Images)-1)
	one := &s.result.Images[n]
	want, err := s.expected(one)
	if err != nil {
		return nil, err
	}
	got := s.actual[one.Target]
	g := &GoldenPicture{Show: r.Golden.Show, Image: n, Status: one.Status, Message: one.Message}
	for i := range s.c.Images {
		g.Targets = append(g.Targets, s.c.Images[i].Target)
	}
	images := [3]image.Image{want, got}
	if want != nil {
		images[2] = golden.Difference(want, got, one.Tolerance)
	}
	p := &Picture{Request: *r, Golden: g}
	if p.Image, err = g.compose(images); err != nil {
		return nil, err
	}
	p.Note = fmt.Sprintf("%s of %s: %s", g.Show, one.Target, one.Status)
	if one.Message != "" {
		p.Note += ": " + one.Message
	}
	p.Took = time.Since(start)
	return p, nil
}

// compose puts the requested images side by side.
func (g *GoldenPicture) compose(images [3]image.Image) (*image.RGBA, error) {
	shown := []int{0, 1, 2}
	if g.Show != GoldenAll {
		shown = []int{int(g.Show) - 1}
	}
	const gap = 4
	var size image.Point
	for _, i := range shown {
		if images[i] != nil {
			s := images[i].Bounds().Size()
			at := image.Pt(size.X, 0)
			if size.X > 0 {
				at.X += gap
			}
			g.Parts[i] = image.Rectangle{at, at.Add(s)}
			size = image.Pt(at.X+s.X, max(size.Y, s.Y))
		}
	}
	if size == (image.Point{}) {
		return nil, fmt.Errorf("there is no approved image yet, so there is no %v; approving makes it", g.Show)
	}
	out := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(out, out.Rect, image.Black, image.Point{}, draw.Src)
	for _, i := range shown {
		if images[i] != nil {
			put(out, g.Parts[i], images[i])
		}
	}
	return out, nil
}

// put draws an image and ignores alpha, which is a channel like the others.
func put(dst *image.RGBA, r image.Rectangle, src image.Image) {
	if m, ok := src.(*image.NRGBA); ok {
		opaque := *m
		opaque.Pix = slices.Clone(m.Pix)
		for i := 3; i < len(opaque.Pix); i += 4 {
			opaque.Pix[i] = 255
		}
		src = &opaque
	}
	draw.Draw(dst, r, src, src.Bounds().Min, draw.Src)
}

// ExplainPixel implements Source for a pixel of the picture that the case
// draws.
func (s *caseSource) ExplainPixel(ctx context.Context, p *Picture, x, y int) (*explain.History, error) {
	if s.source == nil || p.Golden == nil {
		return nil, fmt.Errorf("%s cannot be opened", s.c.SourcePath())
	}
	for _, part := range p.Golden.Parts {
		if at := image.Pt(x, y); at.In(part) {
			at = at.Sub(part.Min)
			return s.source.ExplainPixel(ctx, s.shown(p.Golden.Targets[p.Golden.Image], part.Size()), at.X, at.Y)
		}
	}
	return nil, errors.New("there is no image at this place")
}

// shown returns the picture of the source that an image of the case is taken
// from.
func (s *caseSource) shown(target string, size image.Point) *Picture {
	p := &Picture{Request: Request{Draw: -1, Time: s.c.T, Frame: s.c.Frame}}
	if s.c.Frame < 0 {
		p.Request.Frame = s.source.Info().Frames - 1
	}
	for _, screen := range []pipeline.Screen{pipeline.ScreenTop, pipeline.ScreenBottom, pipeline.ScreenTopRight} {
		if screen.String() == target {
			p.parts = []screenPart{{screen, image.Rectangle{Max: size}}}
			return p
		}
	}
	p.Target, p.size = true, size
	return p
}

// List implements Source.
func (s *caseSource) List(ctx context.Context, r *Request) (*drawstate.List, error) {
	if s.source == nil {
		return nil, fmt.Errorf("%s cannot be opened", s.c.SourcePath())
	}
	one := s.shown("color", image.Point{}).Request
	one.View = fragment.ViewFinal
	return s.source.List(ctx, &one)
}
