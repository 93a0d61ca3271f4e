package engine

import (
	"context"

	"pica200/explain"
	"pica200/fragment"
	"pica200/pipeline"
)

// opCorners finds the vertices of the triangle that a draw wrote at a pixel, by
// their window coordinates.
func (e *Engine) opCorners(ctx context.Context, r *Request, s *shot) (*Answer, error) {
	f, end, err := e.edited(ctx, r)
	if err != nil {
		return nil, err
	}
	defer end()
	x, err := explain.Pixel(ctx, f.Replayer, pipeline.Position{Frame: r.Frame, Draw: r.Draw}, r.X, r.Y)
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
	corners, err := s.state.Corners(ctx, f.Replayer, last)
	if err != nil {
		return nil, err
	}
	return &Answer{Value: map[string]any{"corners": corners, "geometry": s.state.GeometryOn()}}, nil
}
