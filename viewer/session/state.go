package session

import (
	"context"
	"errors"

	"pica200/replay/drawstate"
)

// Stater is a source that can return the state of its draws: a recording.
type Stater interface {
	// State returns all inputs of the last draw that the request shows.
	State(ctx context.Context, r *Request) (*drawstate.State, error)
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
	st, err := drawstate.Take(ctx, s.replayer, s.frame(r), draw)
	if err != nil {
		return nil, err
	}
	st.Target, st.Vertices = nil, nil // they belong to the GPU, which continues, and are not needed here
	return st, nil
}
