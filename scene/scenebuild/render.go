package scenebuild

import (
	"context"

	"pica200/frontend/gl"
	"pica200/pipeline"
)

// Options are the choices of a rendering.
type Options struct {
	Workers int
	// PlainKernels draws without vector instructions; see pipeline.Options.
	PlainKernels bool
	// AfterDraw, if not nil, is called after each draw with its number from
	// 0; the render target holds the draw then.
	AfterDraw func(g *pipeline.GPU, draw int) error
}

// Render draws the scene at time t on a GPU of its own and returns it with
// everything drawn, and the draws' names in order. The caller closes the GPU; there is
// none with an error, but the names of what was to be drawn.
func (st *Stage) Render(ctx context.Context, t float64, o Options) (*pipeline.GPU, []string, error) {
	g := st.newGPU(o)
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
	names, err := st.Draw(ctx, g, t)
	if err == nil {
		err = g.Finish(ctx)
	}
	if err == nil {
		err = ctx.Err()
	}
	st.survived = nil
	for _, w := range g.Warnings() {
		st.survived = append(st.survived, w.String())
	}
	if err != nil {
		g.Close()
		return nil, names, err
	}
	return g, names, nil
}

// newGPU makes a GPU to draw the scene with.
func (st *Stage) newGPU(o Options) *pipeline.GPU {
	return pipeline.New(pipeline.Options{Workers: o.Workers, Strict: st.Strict(), PlainKernels: o.PlainKernels})
}

// Strict tells whether a draw that the hardware does not take is an error: where a scene
// says what makes no sense. Of resource files alone, which nobody can mend here, the draw
// is left out with a warning.
func (st *Stage) Strict() bool {
	strict := len(st.Scene.Draws) == 0
	for i := range st.Scene.Draws {
		strict = strict || st.sets[st.Scene.Draws[i].Model] == nil
	}
	return strict
}

// Record draws the scene at each of the times, a frame each, and returns the
// trace of it as a CiTrace file, which replays to the same pictures.
func (st *Stage) Record(ctx context.Context, times []float64, o Options) ([]byte, error) {
	data, _, err := st.RecordNamed(ctx, times, o)
	return data, err
}

// RecordNamed is Record, with the names of each frame's draws in order.
func (st *Stage) RecordNamed(ctx context.Context, times []float64, o Options) (data []byte, names [][]string, err error) {
	g := st.newGPU(o)
	defer g.Close()
	r := gl.NewRecorder(g)
	for _, t := range times {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		draws, err := st.Draw(ctx, r, t)
		if err != nil {
			return nil, nil, err
		}
		names = append(names, draws)
		r.EndFrame()
	}
	data, err = r.Trace.Encode()
	return data, names, err
}
