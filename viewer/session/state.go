package session

import (
	"context"
	"errors"

	"pica200/explain/drawstate"
	"pica200/fragment"
)

// Stater is a source that can return the state of its draws: a recording.
type Stater interface {
	// State returns all inputs of the last draw that the request shows.
	State(ctx context.Context, r *Request) (*drawstate.State, error)
	// Run runs a shader of a draw: the vertex shader on a vertex, or the geometry
	// shader for one of its runs.
	Run(ctx context.Context, st *drawstate.State, geometry bool, number int) (*drawstate.Run, error)
	// Corners finds the vertices of the triangle of a fragment of a draw, or the
	// runs of the geometry shader that emitted them.
	Corners(ctx context.Context, st *drawstate.State, f *fragment.Record) ([]drawstate.Corner, error)
}

// State implements Stater.
func (s *traceSource) State(ctx context.Context, r *Request) (*drawstate.State, error) {
	v, err := s.survey(ctx, r)
	if err != nil {
		return nil, err
	}
	n := len(v.targets)
	if n == 0 {
		return nil, errors.New("the frame draws nothing")
	}
	draw := n - 1
	if r.Draw >= 0 {
		draw = min(r.Draw, n-1)
	}
	if err := s.seek(ctx, r); err != nil {
		return nil, err
	}
	st, err := drawstate.Take(ctx, s.Replayer, s.frame(r), draw)
	if err != nil {
		return nil, err
	}
	st.Target = nil // it belongs to the GPU, which continues, and is not needed here
	return st, nil
}

// Run implements Stater.
func (s *traceSource) Run(ctx context.Context, st *drawstate.State, geometry bool, number int) (*drawstate.Run, error) {
	if geometry {
		return st.RunGeometry(ctx, s.Replayer, number, 0, drawstate.MaxSteps)
	}
	return st.RunVertex(ctx, number, 0, drawstate.MaxSteps)
}

// Corners implements Stater.
func (s *traceSource) Corners(ctx context.Context, st *drawstate.State, f *fragment.Record) ([]drawstate.Corner, error) {
	return st.Corners(ctx, s.Replayer, f)
}
