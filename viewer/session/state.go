package session

import (
	"context"
	"errors"

	"pica200/replay/drawstate"
)

// Stater is a source whose draws can be taken apart: a recording.
type Stater interface {
	// State returns everything that the last draw of what a request shows is given.
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
	st.Target, st.Vertices = nil, nil // of the GPU, which goes on; of no use here
	return st, nil
}
