package scenebuild

import (
	"context"
	"errors"
	"slices"

	"pica200/frontend/gl"
	"pica200/pipeline"
	"pica200/scene"
)

// Options are options for rendering.
type Options struct {
	Workers int
	// PlainKernels draws without vector instructions; see pipeline.Options.
	PlainKernels bool
	// AfterDraw, if not nil, is called after each draw with its number from
	// 0; the render target holds the draw then.
	AfterDraw func(g *pipeline.GPU, draw int) error
}

// Render draws the scene at time t on a new GPU. It returns the GPU with
// everything drawn, and the names of the draws in order. The caller closes the
// GPU. With an error the GPU is nil, but the names are those of the draws so
// far.
func (st *Stage) Render(ctx context.Context, t float64, o Options) (*pipeline.GPU, []string, error) {
	g := st.NewGPU(o)
	if o.AfterDraw != nil {
		n := 0
		g.AfterDraw = func(*pipeline.DrawInfo) error {
			n++
			if err := ctx.Err(); err != nil {
				return err
			}
			return o.AfterDraw(g, n-1)
		}
	}
	names, err := st.RenderOn(ctx, g, t)
	if err != nil {
		g.Close()
		return nil, names, err
	}
	return g, names, nil
}

// ErrStop, returned by a hook of the GPU before a draw, ends RenderOn there
// without an error.
var ErrStop = errors.New("stopped before a draw")

// RenderOn is Render on a GPU that was reset and has no other work.
func (st *Stage) RenderOn(ctx context.Context, g *pipeline.GPU, t float64) ([]string, error) {
	names, err := st.Draw(ctx, g, t)
	if err == nil || errors.Is(err, ErrStop) {
		err = g.Finish(ctx)
	}
	if err == nil {
		err = ctx.Err()
	}
	st.survived = nil
	for _, w := range g.Warnings() {
		st.survived = append(st.survived, w.String())
	}
	return names, err
}

// NewGPU makes a GPU to draw the scene with.
func (st *Stage) NewGPU(o Options) *pipeline.GPU {
	return pipeline.New(pipeline.Options{Workers: o.Workers, Strict: st.Strict(), PlainKernels: o.PlainKernels})
}

// Strict reports whether an invalid draw is an error, because the scene is
// wrong. For resource files alone, which the user cannot correct, such a draw
// is skipped with a warning.
func (st *Stage) Strict() bool {
	return len(st.Scene.Draws) == 0 || slices.ContainsFunc(st.Scene.Draws, func(w scene.Draw) bool { return st.sets[w.Model] == nil })
}

// Record draws the scene at each of the times, one frame each, and returns a
// CiTrace file that replays to the same pictures.
func (st *Stage) Record(ctx context.Context, times []float64, o Options) ([]byte, error) {
	data, _, err := st.RecordNamed(ctx, times, o)
	return data, err
}

// RecordNamed is Record, with the names of each frame's draws in order.
func (st *Stage) RecordNamed(ctx context.Context, times []float64, o Options) (data []byte, names [][]string, err error) {
	g := st.NewGPU(o)
	defer g.Close()
	r := gl.NewRecorder(g)
	first := 0 // draw of the frame
	for _, t := range times {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		draws, err := st.draw(ctx, r, t, first)
		if err != nil {
			return nil, nil, err
		}
		names, first = append(names, draws), first+len(draws)
		r.EndFrame()
	}
	data, err = r.Trace.Encode()
	return data, names, err
}
