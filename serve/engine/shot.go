package engine

import (
	"bytes"
	"context"
	"encoding/json"

	"pica200/explain/drawstate"
	"pica200/raster"
)

// shot is a draw with its input and result, from which most requests about it
// are answered.
type shot struct {
	state         *drawstate.State
	before, after *raster.Target // copies; nil where there is none
	named         bool           // the sources of its programs were searched
	bytes         int64
}

// shot examines a draw, or returns it from the cache.
func (e *Engine) shot(ctx context.Context, r *Request) (*shot, error) {
	f, err := e.frame(ctx, r)
	if err != nil {
		return nil, err
	}
	if r.Draw < 0 {
		return nil, badf("the number of the draw is missing; draws count from 0")
	}
	end, err := f.edited(ctx, r.Edits, r.Frame)
	if err != nil {
		return nil, err
	}
	defer end()
	key := cacheKey{r.File, r.Frame, r.Draw, "shot" + editKey(r.Edits)}
	if cached, ok := e.cache.get(key).(*shot); ok {
		return cached, nil
	}
	s := &shot{}
	if s.state, err = drawstate.Take(ctx, f.Replayer, r.Frame, r.Draw); err != nil {
		return nil, err
	}
	s.before = s.state.Old
	s.state.Record.Name = f.name(r.Frame, r.Draw)
	if s.state.Target != nil {
		c := *s.state.Target // the GPU continues with its own
		c.Color, c.Depth = bytes.Clone(c.Color), bytes.Clone(c.Depth)
		s.after, s.state.Target = &c, nil
	}
	s.bytes = s.size()
	e.cache.put(key, s, s.bytes)
	return s, nil
}

// size returns the approximate size of a shot in bytes.
func (s *shot) size() int64 {
	const given = 64 << 10 // registers, two programs, tables
	n := 2 * given
	for _, t := range []*raster.Target{s.before, s.after} {
		if t != nil {
			n += len(t.Color) + len(t.Depth)
		}
	}
	for i := range s.state.Textures {
		size := s.state.Textures[i].Image.Bounds().Size()
		n += 4 * size.X * size.Y
	}
	if v := s.state.Vertices; v != nil {
		n += 4 * len(v.Order)
		for _, in := range v.Inputs {
			n += 16 * len(in)
		}
	}
	return int64(n)
}

// editKey returns a key that identifies edits.
func editKey(edits []Edit) string {
	if len(edits) == 0 {
		return ""
	}
	text, err := json.Marshal(edits)
	if err != nil {
		return "?" // not with numbers and words
	}
	return string(text)
}
