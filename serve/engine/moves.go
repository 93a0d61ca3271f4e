package engine

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"

	"pica200/explain/drawstate"
	"pica200/explain/rows"
	"pica200/pipeline"
)

// moved is an examined fill, transfer or copy with its pictures.
type moved struct {
	*drawstate.Moved
	screens map[string]*Answer // after it
}

// moved examines a fill, transfer or copy, or returns it from the cache.
func (e *Engine) moved(ctx context.Context, r *Request) (*moved, error) {
	f, end, err := e.edited(ctx, r)
	if err != nil {
		return nil, err
	}
	defer end()
	key := cacheKey{r.File, r.Frame, *r.Move, "move" + editKey(r.Edits)}
	if cached, ok := e.cache.get(key).(*moved); ok {
		return cached, nil
	}
	m := &moved{screens: map[string]*Answer{}}
	m.Moved, err = drawstate.TakeMove(ctx, f.Replayer, r.Frame, *r.Move, func(g *pipeline.GPU) {
		for _, what := range append(slices.Sorted(maps.Keys(screens)), allScreens) {
			m.screens[what] = screenPicture(g, what)
		}
	})
	if err != nil {
		return nil, err
	}
	n := 1024
	for _, a := range m.screens {
		n += len(a.Data)
	}
	for _, a := range []*drawstate.Area{m.Before, m.After} {
		if a != nil && a.Image != nil {
			n += len(a.Image.Pix)
		}
		if a != nil && a.Depth != nil {
			n += len(a.Depth.Depth)
		}
	}
	e.cache.put(key, m, int64(n))
	return m, nil
}

// picture returns the picture of its output.
func (m *moved) picture(what string) (*Answer, error) {
	a := m.After
	switch what {
	case "before":
		a = m.Before
	case "after", "added":
	default:
		return nil, badf("the picture %q is of a draw; of a fill, a transfer or a copy there are after, before, added and the screens", what)
	}
	switch {
	case a == nil:
		return nil, badf("its output is not a known picture")
	case a.Depth != nil:
		return depthAnswer(a.Depth, what), nil
	}
	pix := a.Image.Pix
	if what == "added" && m.Before != nil && m.Before.Image != nil {
		pix = bytes.Clone(pix)
		keepChanged(pix, m.Before.Image.Pix)
	}
	return rgba(pix, a.Image.Rect, what), nil
}

// stepInfo is the answer to "step".
type stepInfo struct {
	Rows    []rows.View `json:"rows"`
	Picture bool        `json:"picture"` // a picture of the output exists
}

// opStep describes a fill, a transfer or a copy; without one, the whole frame.
func (e *Engine) opStep(ctx context.Context, r *Request) (*Answer, error) {
	if r.Move != nil {
		m, err := e.moved(ctx, r)
		if err != nil {
			return nil, err
		}
		return &Answer{Value: stepInfo{rows.Views(m.Rows), m.After != nil}}, nil
	}
	info, err := e.frameInfo(ctx, r)
	if err != nil {
		return nil, err
	}
	return &Answer{Value: stepInfo{rows.Views(info.summary()), true}}, nil
}

// summary describes a frame in a few lines.
func (f *frameInfo) summary() []rows.Row {
	kinds := map[string]int{}
	var pixels uint64
	var micros int64
	triangles, left, passes := 0, 0, 0
	for i := range f.Items {
		one := &f.Items[i]
		kinds[one.Kind]++
		pixels, micros, triangles = pixels+one.Pixels, micros+one.Micros, triangles+one.Triangles
		if one.LeftOut {
			left++
		}
		if one.Kind == "draw" {
			passes = max(passes, one.Pass+1)
		}
	}
	var list []rows.Row
	for _, c := range []struct {
		label string
		n     any
		shown bool
	}{
		{"draws", f.Draws, true}, {"left out", left, left > 0}, {"passes", passes, passes > 1}, {"triangles", triangles, f.Draws > 0}, {"pixels written", pixels, f.Draws > 0},
		{"drawn in", fmt.Sprintf("%.1f ms by pica200, not by a console", float64(micros)/1000), f.Draws > 0}, {"command lists", kinds["list"], kinds["list"] > 0}, {"memory fills", kinds["fill"], kinds["fill"] > 0},
		{"transfers", kinds["transfer"], kinds["transfer"] > 0}, {"copies", kinds["copy"], kinds["copy"] > 0},
	} {
		if c.shown {
			list = append(list, rows.New(c.label, "{n}", "n", c.n))
		}
	}
	if f.Error != "" {
		row := rows.New("ends", "{error}", "error", f.Error)
		row.Mark = rows.Failed
		list = append(list, row)
	}
	return list
}
