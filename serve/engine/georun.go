package engine

import (
	"context"
	"fmt"
	"math/bits"

	"pica200/geometry"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/shaderunit"
)

// emission is a vertex that a geometry shader emits.
type emission struct {
	Slot      int                 `json:"slot"`
	Primitive bool                `json:"primitive"` // a triangle is made from slots 0, 1 and 2
	Winding   bool                `json:"winding"`   // with reversed winding
	Outputs   map[string][]number `json:"outputs"`
}

// geometryRun replays up to the draw and follows one run of its geometry
// shader. So registers and vertex buffer contain what earlier runs left, as in
// the frame.
func (e *Engine) geometryRun(ctx context.Context, r *Request, s *shot) (*Answer, error) {
	if !s.geometryOn() {
		return nil, badf("no geometry shader runs in this draw")
	}
	if r.Vertex < 0 {
		return nil, badf("there is no run %d; runs count from 0", r.Vertex)
	}
	f, end, err := e.edited(ctx, r)
	if err != nil {
		return nil, err
	}
	defer end()

	regs := &s.state.Given.Regs
	steps, total, runs := []step{}, 0, 0
	inputs, outputs := map[string][]number{}, map[string][]number{}
	count := min(max(r.Count, 0), maxSteps)
	mask := pica.ShOutmapMask.At(pica.OffsetGsh).Get(regs)
	of := func(out *[16][4]float32) map[string][]number {
		list := map[string][]number{}
		for reg, v := range out {
			if mask>>reg&1 != 0 {
				list[fmt.Sprintf("o%d", reg)] = vector(v)
			}
		}
		return list
	}
	var emitted *emission
	watched := false
	hooks := &geometry.RunHooks{
		Begin: func(run int, it *shaderunit.Interpreter, setup *shaderunit.Setup) {
			runs = run + 1
			if watched = run == r.Vertex; !watched {
				return
			}
			inputs = geometryInputs(regs, it, setup)
			it.Trace = func(t *shaderunit.Step) {
				if total++; total > r.From && len(steps) < count {
					one := stepOf(t)
					one.Emit = emitted
					steps = append(steps, one)
				}
				emitted = nil
			}
		},
		Emit: func(em shaderunit.Emission) {
			if watched {
				emitted = &emission{int(em.VertexID), em.PrimEmit, em.Winding, of(em.Out)}
				outputs = emitted.Outputs
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
	failure := ""
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		failure = err.Error() // probably of the program: what was executed before it is shown
	}
	if r.Vertex >= runs {
		return nil, badf("there is no run %d; the geometry shader ran %d times, from 0 on", r.Vertex, runs)
	}
	return &Answer{Value: map[string]any{
		"vertex": r.Vertex, "runs": runs, "inputs": inputs, "steps": steps, "total": total, "outputs": outputs, "error": failure,
	}}, nil
}

// geometryInputs returns the input of a run: input registers in point mode,
// uniforms in the other modes.
func geometryInputs(regs *pica.Regs, it *shaderunit.Interpreter, setup *shaderunit.Setup) map[string][]number {
	list := map[string][]number{}
	perVertex := bits.OnesCount32(pica.ShOutmapMask.At(pica.OffsetVsh).Get(regs))
	floats := func(from, n int) {
		for i := from; i < from+n && i < len(setup.Float); i++ {
			list[fmt.Sprintf("c%d", i)] = vector(setup.Float[i])
		}
	}
	switch pica.GeometryMode(pica.GshMode.Get(regs)) {
	case pica.GeometryModePoint:
		permutation := uint64(regs[pica.RegGshAttributesPermutationLow]) | uint64(regs[pica.RegGshAttributesPermutationHigh])<<32
		for i := range int(pica.ShInputCount.Get(regs)) + 1 {
			reg := int(permutation >> (4 * i) & 0xF)
			list[fmt.Sprintf("v%d", reg)] = vector(it.In[reg])
		}
	case pica.GeometryModeFixed:
		floats(int(pica.GshStartIndex.Get(regs)), (int(pica.GshFixedVertexNum.Get(regs))+1)*perVertex)
	case pica.GeometryModeVariable:
		// c0.x is the number of vertices that follow; the main ones have all their
		// outputs, the others only the first.
		main := int(pica.GshVariableMain.Get(regs)) + 1
		n := max(int(setup.Float[0][0]), main)
		floats(0, 1+main*perVertex+n-main)
	}
	return list
}
