package blame

import (
	"context"
	"fmt"
	"image"
	stddraw "image/draw"
	"math"

	"pica200/pipeline"
)

// match is a screenshot with its position in one of our pictures.
type match struct {
	screen   string
	ours     *picture
	theirs   *picture // rotated and shrunk
	at       view
	dx, dy   int
	distance float64
	s        pipeline.Screen
	plain    bool // ours is of one colour
}

// view is a scale and an orientation of the screenshot.
type view struct{ scale, orientation int }

// Mean distances of pixels, clipped: below good most of the picture is equal;
// above fair it is a different picture.
const good, fair = 12.0, 24.0

// find finds which picture of the frame the screenshot shows, and its position.
// It tries parts of pictures only if no whole picture has the screenshot's
// size, and the target only if no screen is similar.
func (rep *Report) find(ctx context.Context, g *pipeline.GPU, shot image.Image, o Options) (*match, error) {
	s := &search{theirs: fromImage(shot), list: candidates(g, o.Screen), views: map[view]*picture{}}
	if len(s.list) == 0 {
		return nil, fmt.Errorf("frame %d has no picture %q", o.Frame, o.Screen)
	}
	s.run(ctx)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m := s.best
	if m == nil {
		return nil, fmt.Errorf("the screenshot of %dx%d pixels does not fit any picture of frame %d", s.theirs.w, s.theirs.h, o.Frame)
	}
	rep.Screen, rep.Orientation, rep.Scale, rep.X, rep.Y = m.screen, orientations[m.at.orientation], m.at.scale, m.dx, m.dy
	if m.distance > good {
		rep.Notes = append(rep.Notes, fmt.Sprintf("the screenshot differs from our picture in most of its pixels (mean distance %.1f of %d); is it of frame %d?", m.distance, clipped, o.Frame))
	}
	return m, nil
}

// run tries all possibilities until one fits.
func (s *search) run(ctx context.Context) {
	s.plain = s.theirs.plain()
	for _, way := range []struct {
		how   fit
		limit float64
	}{{same, clipped}, {within, fair}, {across, clipped}} {
		if s.best == nil {
			s.try(ctx, way.how, false, way.limit)
			if s.best == nil || s.best.distance+s.handicap(s.best.plain) > good {
				s.try(ctx, way.how, true, way.limit)
			}
		}
	}
}

// handicap is added to the distance of a blank picture of ours if the
// screenshot is not blank: a screenshot of a dark scene is close to black.
func (s *search) handicap(blank bool) float64 {
	if blank && !s.plain {
		return good
	}
	return 0
}

// candidate is a picture of ours that the screenshot may show.
type candidate struct {
	name  string
	s     pipeline.Screen
	pic   *picture
	plain bool // of one colour
}

// bothEyes is the name of both eyes' pictures of the top screen, the left one on the left.
const bothEyes = "both eyes"

// candidates returns the pictures of the frame with that name, all for "".
func candidates(g *pipeline.GPU, name string) (list []candidate) {
	add := func(is string, s pipeline.Screen, img image.Image) {
		pic := fromImage(img)
		list = append(list, candidate{is, s, pic, pic.plain()})
	}
	for _, s := range []pipeline.Screen{pipeline.ScreenTop, pipeline.ScreenBottom, pipeline.ScreenTopRight} {
		if (name == "" || name == s.String()) && (s != pipeline.ScreenTopRight || g.Stereo()) {
			add(s.String(), s, g.Screen(s))
		}
	}
	if name == "" && g.Stereo() {
		left, right := g.Screen(pipeline.ScreenTop), g.Screen(pipeline.ScreenTopRight)
		eyes := image.NewRGBA(image.Rect(0, 0, 2*left.Rect.Dx(), left.Rect.Dy()))
		stddraw.Draw(eyes, left.Rect, left, image.Point{}, stddraw.Src)
		stddraw.Draw(eyes, right.Rect.Add(image.Pt(left.Rect.Dx(), 0)), right, image.Point{}, stddraw.Src)
		add(bothEyes, pipeline.ScreenTop, eyes)
	}
	if name != "" && name != "target" {
		return list
	}
	if t, err := g.LastTarget(); err == nil {
		if img, err := pipeline.ColorImage(t); err == nil {
			add("target", 0, img)
		}
	}
	return list
}

// fits reports whether a view of w by h pixels can be placed on the picture
// that way.
func (c *candidate) fits(w, h int, how fit) bool {
	whole := w == c.pic.w && h == c.pic.h
	if how == same || whole {
		return how == same && whole
	}
	return !c.plain && c.name != bothEyes && (how != within || (w-c.pic.w)*(h-c.pic.h) >= 0)
}

// search looks for a screenshot on pictures.
type search struct {
	theirs *picture
	list   []candidate
	views  map[view]*picture // that were needed
	best   *match            // so far
	plain  bool              // theirs is of one colour
}

// try tries the screenshot in every view, on screens or on the target, for a
// distance below a limit.
func (s *search) try(ctx context.Context, how fit, target bool, limit float64) {
	for scale := 1; scale <= maxScale && s.theirs.w/scale >= 8 && s.theirs.h/scale >= 8; scale++ {
		if scale > 1 && !s.theirs.enlarged(scale) {
			continue
		}
		for orientation := range orientations {
			if ctx.Err() != nil {
				return
			}
			s.tryView(ctx, view{scale, orientation}, how, target, limit)
		}
	}
}

// tryView tries one view of the screenshot.
func (s *search) tryView(ctx context.Context, v view, how fit, target bool, limit float64) {
	w, h := s.theirs.w/v.scale, s.theirs.h/v.scale
	if v.orientation&1 != 0 {
		w, h = h, w
	}
	for i := range s.list {
		c := &s.list[i]
		if target != (c.name == "target") || !c.fits(w, h, how) {
			continue
		}
		limit := limit
		if s.best != nil {
			limit = min(limit, s.best.distance+s.handicap(s.best.plain)-s.handicap(c.plain))
		}
		q := s.view(v)
		dx, dy, d := align(ctx, c.pic, q, how, limit)
		if !math.IsInf(d, 1) && (s.best == nil || d+s.handicap(c.plain) < s.best.distance+s.handicap(s.best.plain)) {
			s.best = &match{c.name, c.pic, q, v, dx, dy, d, c.s, c.plain}
		}
	}
}

// view returns the screenshot in a view.
func (s *search) view(v view) *picture {
	if s.views[v] == nil {
		s.views[v] = s.theirs.shrunk(v.scale).oriented(v.orientation)
	}
	return s.views[v]
}
