package engine

import (
	"context"
	"math"

	"pica200/fragment"
	"pica200/geometry"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/shaderunit"
)

// corner is a corner of the triangle of a fragment.
type corner struct {
	Vertex int    `json:"vertex"` // or run of the geometry shader; -1 if clipping made it
	X      number `json:"x"`      // window coordinates, y up
	Y      number `json:"y"`
	Weight number `json:"weight"` // perspective-correct weight
}

// opCorners finds the vertices of the triangle that a draw wrote at a pixel, by
// their window coordinates.
func (e *Engine) opCorners(ctx context.Context, r *Request, s *shot) (*Answer, error) {
	f, end, err := e.edited(ctx, r)
	if err != nil {
		return nil, err
	}
	defer end()
	x, err := f.ExplainPixel(ctx, pipeline.Position{Frame: r.Frame, Draw: r.Draw}, r.X, r.Y)
	if err != nil {
		return nil, err
	}
	var last *fragment.Record
	for i := range x.Events {
		if ev := &x.Events[i]; ev.Draw == r.Draw && ev.Fragment != nil {
			last = ev.Fragment
		}
	}
	if last == nil {
		return nil, badf("draw %d has no fragment at pixel %d,%d", r.Draw, r.X, r.Y)
	}
	var known []known
	if s.geometryOn() {
		known, err = f.emitted(ctx, r, s)
	} else {
		known, err = s.shaded(ctx)
	}
	if err != nil {
		return nil, err
	}
	corners := []corner{}
	for k, v := range last.Vertices {
		corners = append(corners, corner{nearest(known, v), number(v.X), number(v.Y), number(last.Weights[k])})
	}
	return &Answer{Value: map[string]any{"corners": corners, "geometry": s.geometryOn()}}, nil
}

// known is a clip position with its vertex or run.
type known struct {
	number  int
	x, y, w float64 // in the window; 1/w
}

// window computes window coordinates from a clip position.
func window(regs *pica.Regs, n int, p [4]float32) known {
	inv := 1 / float64(p[3])
	at := func(c float32, half pica.Field, corner pica.Field) float64 {
		return float64((float64(float64(c)*inv)+1)*float64(half.Float(regs))) + float64(corner.Signed(regs))
	}
	return known{n, at(p[0], pica.ViewportWidth, pica.ViewportX), at(p[1], pica.ViewportHeight, pica.ViewportY), inv}
}

// shaded returns the vertices of a draw after the vertex shader.
func (s *shot) shaded(ctx context.Context) ([]known, error) {
	if s.state.Vertices == nil {
		return nil, badf("the vertices of the draw cannot be read: %v", s.state.Notes)
	}
	positions, _, err := s.positions(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]known, len(positions))
	for i, p := range positions {
		list[i] = window(&s.state.Given.Regs, i, p)
	}
	return list, nil
}

// emitted returns the vertices that the geometry shader of a draw emits.
func (f *file) emitted(ctx context.Context, r *Request, s *shot) (list []known, err error) {
	regs := &s.state.Given.Regs
	place, _, found := positionPlace(regs, pica.OffsetGsh)
	if !found {
		return nil, badf("the geometry shader returns no position")
	}
	now := 0
	hooks := &geometry.RunHooks{
		Begin: func(run int, _ *shaderunit.Interpreter, _ *shaderunit.Setup) { now = run },
		Emit: func(em shaderunit.Emission) {
			if len(list) < maxMesh*4 {
				var p [4]float32
				for k, at := range place {
					p[k] = em.Out[at[0]][at[1]]
				}
				list = append(list, window(regs, now, p))
			}
		},
	}
	err = f.VisitFrom(ctx, pipeline.Position{Frame: r.Frame, Draw: r.Draw}, r.Draw, func(g *pipeline.GPU) error {
		g.BeforeDraw = func(d *pipeline.DrawInfo) error {
			if d.Index == r.Draw {
				g.WatchGeometry(hooks)
			}
			return nil
		}
		return nil
	})
	return list, err
}

// nearest returns the vertex at a corner: within a subpixel of its window
// position, with its 1/w; -1 for none.
func nearest(list []known, v fragment.VertexRecord) int {
	best, least := -1, math.Inf(1)
	for i := range list {
		k := &list[i]
		if math.Abs(k.w-float64(v.InvW)) > 1e-3*math.Abs(k.w) {
			continue
		}
		dx, dy := k.x-float64(v.X), k.y-float64(v.Y)
		d := float64(dx*dx) + float64(dy*dy)
		if math.Abs(dx) <= 0.07 && math.Abs(dy) <= 0.07 && d < least {
			best, least = k.number, d
		}
	}
	return best
}
