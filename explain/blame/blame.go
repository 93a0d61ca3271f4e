// Package blame compares our picture of a recorded frame with one from
// elsewhere (a console or another program), and lists the draws that may cause
// the differences. Run does it and returns a Report.
//
// The package is internal to pica200 and may change at any time.
package blame

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"math"
	"slices"

	"pica200/explain/drawstate"
	"pica200/pica"
	"pica200/pipeline"
)

// Options configure a comparison.
type Options struct {
	Frame     int
	Screen    string // top, bottom, topright or target; "" detects it
	Tolerance int    // difference of a channel that counts as equal, in 8-bit steps
}

// Report says where two pictures differ, and which draws may be the cause.
type Report struct {
	Frame       int    `json:"frame"`
	Screen      string `json:"screen"` // what the screenshot shows: top, bottom, topright, both eyes side by side, or target, the last render target
	Orientation string `json:"orientation"`
	Scale       int    `json:"scale"`
	// X and Y are the position of the screenshot's corner in our picture.
	X         int `json:"x"`
	Y         int `json:"y"`
	Compared  int `json:"compared"` // pixels
	Differing int `json:"differing"`
	// Unknown is the number of these pixels that no examined draw wrote.
	Unknown  int       `json:"unknown"`
	Suspects []Suspect `json:"suspects"` // the likeliest first
	Notes    []string  `json:"notes"`    // remarks on how the pictures were compared

	Ours, Theirs, Difference *image.NRGBA `json:"-"`
}

// Suspect is a draw that touches differing pixels.
type Suspect struct {
	Frame int `json:"frame"`
	Draw  int `json:"draw"`
	// Score says how well the pixels that the draw can have changed match those
	// that differ, 0 to 1.
	Score     float64 `json:"score"`
	Differing int     `json:"differing"` // differing pixels that its triangles cover
	Reach     int     `json:"reach"`     // pixels of the picture that it can have changed
	LastOf    int     `json:"last_writer"`
	First     bool    `json:"first,omitempty"` // the first draw that touches any of them
	// Special is the part of its state that few other draws of its frame have.
	Special []Special            `json:"special"`
	Record  *pipeline.DrawRecord `json:"record,omitempty"`
}

// Special is a field of a register.
type Special struct {
	Register string `json:"register"`
	Field    string `json:"field"`
	Value    string `json:"value"`
	Others   string `json:"others"` // what most draws have
	Sharing  int    `json:"sharing"`
}

const (
	framesBack  = 2 // frames before in which what is shown may have been drawn
	maxSpecial  = 12
	maxSuspects = 20
	// MaxSide bounds the sides of a screenshot.
	MaxSide = 8192
)

// draw identifies a draw among several frames.
type draw struct{ frame, number int }

func (d draw) order() int64 { return int64(d.frame)<<32 + int64(d.number) }

// source is the origin of a picture's pixel.
type source struct {
	addr   uint32
	writer draw  // frame -1: unknown
	limit  int64 // the number of draws before it was shown
	known  bool
}

// Run compares a screenshot with a frame.
func Run(ctx context.Context, r *pipeline.Replayer, shot image.Image, o Options) (*Report, error) {
	if b := shot.Bounds(); b.Dx() < 8 || b.Dy() < 8 || b.Dx() > MaxSide || b.Dy() > MaxSide {
		return nil, fmt.Errorf("the screenshot has %dx%d pixels; sides are 8 to %d", b.Dx(), b.Dy(), MaxSide)
	}
	if err := r.Seek(ctx, pipeline.Position{Frame: o.Frame, Draw: pipeline.FrameEnd}); err != nil {
		return nil, err
	}
	regs := map[draw]*pica.Regs{}
	origins := pipeline.NewOrigins()
	for f := max(0, o.Frame-framesBack); f <= o.Frame; f++ {
		err := r.Visit(ctx, pipeline.Position{Frame: f, Draw: pipeline.FrameEnd}, func(g *pipeline.GPU) error {
			origins.Follow(g, f)
			before := g.BeforeDraw
			g.BeforeDraw = func(d *pipeline.DrawInfo) error {
				copied := *d.Regs
				regs[draw{f, d.Index}] = &copied
				return before(d)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	rep := &Report{Frame: o.Frame, Suspects: []Suspect{}, Notes: []string{}}
	m, err := rep.find(ctx, r.GPU, shot, o)
	if err != nil {
		return nil, err
	}
	last := draw{-1, -1} // whose target the frame left
	for d := range regs {
		if d.order() > last.order() {
			last = d
		}
	}
	sources := m.sources(r.GPU, origins, regs[last])
	differs := rep.compare(m, o.Tolerance)
	if rep.Differing == 0 {
		return rep, nil
	}
	if err := rep.suspect(ctx, r, m, sources, differs, regs); err != nil {
		return nil, err
	}
	return rep, rep.records(ctx, r)
}

// sources finds the origin of every pixel of our picture.
func (m *match) sources(g *pipeline.GPU, o *pipeline.Origins, last *pica.Regs) []source {
	list := make([]source, m.ours.w*m.ours.h)
	target, err := g.LastTarget()
	for y := range m.ours.h {
		for x := range m.ours.w {
			var addr uint32
			ok := false
			if m.screen == "target" {
				if ok = err == nil && last != nil; ok {
					addr = pipeline.TargetOf(last).Color + uint32(target.PixelIndex(int32(x), int32(y))*target.ColorFormat.Bytes())
				}
			} else {
				s, x := m.s, x
				if eye := m.ours.w / 2; m.screen == bothEyes && x >= eye {
					s, x = pipeline.ScreenTopRight, x-eye
				}
				addr, _, ok = g.ScreenAddress(s, x, y)
			}
			if !ok {
				continue
			}
			from := o.Of(addr)
			s := source{addr: from.At, writer: draw{-1, -1}, limit: math.MaxInt64, known: true}
			if w := from.Writer; w != nil && w.Draw >= 0 {
				s.writer = draw{w.Frame, w.Draw}
			}
			if from.Via != nil {
				s.limit = draw{from.Via.Frame, from.Via.Draws}.order()
			}
			list[y*m.ours.w+x] = s
		}
	}
	return list
}

// compare marks the pixels that differ, and makes the pictures of the report.
func (rep *Report) compare(m *match, tolerance int) []bool {
	differs := make([]bool, len(m.ours.pix))
	size := image.Rect(0, 0, m.ours.w, m.ours.h)
	rep.Ours, rep.Theirs, rep.Difference = image.NewNRGBA(size), image.NewNRGBA(size), image.NewNRGBA(size)
	for y := range m.ours.h {
		for x := range m.ours.w {
			i := y*m.ours.w + x
			a := m.ours.pix[i]
			put := func(img *image.NRGBA, c [3]uint8) { copy(img.Pix[4*i:], []uint8{c[0], c[1], c[2], 255}) }
			put(rep.Ours, a)
			tx, ty := x-m.dx, y-m.dy
			if tx < 0 || ty < 0 || tx >= m.theirs.w || ty >= m.theirs.h {
				continue
			}
			b := m.theirs.at(tx, ty)
			put(rep.Theirs, b)
			rep.Compared++
			grey := uint8((int(a[0])+int(a[1])+int(a[2]))/6 + 96)
			put(rep.Difference, [3]uint8{grey, grey, grey})
			for c := range a {
				differs[i] = differs[i] || max(int(a[c])-int(b[c]), int(b[c])-int(a[c])) > tolerance
			}
			if differs[i] {
				rep.Differing++
				put(rep.Difference, [3]uint8{220, 0, 60})
			}
		}
	}
	return differs
}

// suspect scores the draws: it compares the differing pixels with those that a
// draw can have changed, which are the pixels that its triangles cover and that
// no later draw wrote.
func (rep *Report) suspect(ctx context.Context, r *pipeline.Replayer, m *match, sources []source, differs []bool, regs map[draw]*pica.Regs) error {
	at := map[uint32][]int32{} // pixels by address
	last := map[draw]int{}
	for i, s := range sources {
		if !s.known {
			continue
		}
		at[s.addr] = append(at[s.addr], int32(i))
		if differs[i] {
			if s.writer.frame < 0 {
				rep.Unknown++
			} else {
				last[s.writer]++
			}
		}
	}
	for f := max(0, rep.Frame-framesBack); f <= rep.Frame; f++ {
		err := r.Coverage(ctx, f, func(number int, addrs []uint32) {
			d := draw{f, number}
			s := Suspect{Frame: f, Draw: number, LastOf: last[d]}
			for _, a := range addrs {
				for _, i := range at[a] {
					from := &sources[i]
					if d.order() < from.writer.order() || d.order() >= from.limit {
						continue
					}
					s.Reach++
					if differs[i] {
						s.Differing++
					}
				}
			}
			if s.Differing > 0 {
				s.Score = 2 * float64(s.Differing) / float64(rep.Differing+s.Reach)
				rep.Suspects = append(rep.Suspects, s)
			}
		})
		if err != nil {
			return err
		}
	}
	if len(rep.Suspects) > 0 {
		rep.Suspects[0].First = true
	}
	slices.SortStableFunc(rep.Suspects, func(a, b Suspect) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.LastOf, a.LastOf))
	})
	rep.Suspects = rep.Suspects[:min(len(rep.Suspects), maxSuspects)]
	for i := range rep.Suspects {
		rep.Suspects[i].Special = special(draw{rep.Suspects[i].Frame, rep.Suspects[i].Draw}, regs)
	}
	return nil
}

// special lists the fields of a draw's registers whose value few of the other
// draws of its frame have, the rarest first.
func special(d draw, all map[draw]*pica.Regs) []Special {
	list := []Special{}
	mine := all[d]
	if mine == nil {
		return list
	}
	var others []*pica.Regs
	for o, r := range all {
		if o.frame == d.frame && o != d {
			others = append(others, r)
		}
	}
	for reg := range pica.Reg(pica.NumRegs) {
		if !drawstate.IsState(reg) {
			continue
		}
		for _, f := range pica.Registers[reg].Fields {
			count := map[uint32]int{}
			for _, r := range others {
				count[f.Get(r)]++
			}
			sharing := count[f.Get(mine)]
			if len(others) == 0 || 4*sharing > len(others) {
				continue
			}
			most, n := uint32(0), 0
			for v, k := range count {
				if k > n || k == n && v < most {
					most, n = v, k
				}
			}
			list = append(list, Special{reg.String(), f.Name, f.Format(f.Get(mine)), f.Format(most), sharing})
		}
	}
	slices.SortStableFunc(list, func(a, b Special) int { return cmp.Compare(a.Sharing, b.Sharing) })
	return list[:min(len(list), maxSpecial)]
}

// records describes the suspects.
func (rep *Report) records(ctx context.Context, r *pipeline.Replayer) error {
	lists := map[int][]pipeline.DrawRecord{}
	for i := range rep.Suspects {
		s := &rep.Suspects[i]
		if lists[s.Frame] == nil {
			list, err := r.Draws(ctx, s.Frame)
			if err != nil {
				return err
			}
			lists[s.Frame] = list
		}
		s.Record = &lists[s.Frame][s.Draw]
	}
	return nil
}
