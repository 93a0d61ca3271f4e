package drawstate

import (
	"context"
	"fmt"
	"math/bits"

	"pica200/explain/rows"
	"pica200/geometry"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/shaderunit"
)

// Run is a run of a draw's shader with the result of every instruction: of the
// vertex shader for a vertex, or one of the runs of the geometry shader.
type Run struct {
	Number  int               `json:"vertex"`         // of the vertex, or of the run
	Runs    int               `json:"runs,omitempty"` // of the geometry shader
	Inputs  map[string]Vector `json:"inputs"`         // registers that are given, by name
	Steps   []Step            `json:"steps"`          // those that were asked for
	From    int               `json:"-"`              // number of the first of them
	Total   int               `json:"total"`
	Outputs map[string]Vector `json:"outputs"`
	Failure string            `json:"error"` // error that ended it
}

// Vector is the contents of a register.
type Vector [4]rows.Float

// Step is an executed instruction.
type Step struct {
	PC    int       `json:"pc"`
	Src   []Vector  `json:"src"`           // sources after swizzle and negation
	Dst   string    `json:"dst,omitempty"` // written register: o3, r12
	Value *Vector   `json:"value,omitempty"`
	A0    [2]int32  `json:"a0"`
	Cmp   [2]bool   `json:"cmp"`
	AL    int32     `json:"al"`
	Next  int       `json:"next"`
	Taken bool      `json:"taken,omitempty"`
	Calls []int     `json:"calls,omitempty"` // return addresses of procedures, innermost last
	Ifs   []int     `json:"ifs,omitempty"`   // ends of blocks
	Loops [][2]int  `json:"loops,omitempty"` // ends, and iterations left
	Emit  *Emission `json:"emit,omitempty"`
}

// Emission is a vertex that a geometry shader emits.
type Emission struct {
	Slot      int               `json:"slot"`
	Primitive bool              `json:"primitive"` // a triangle is made from slots 0, 1 and 2
	Winding   bool              `json:"winding"`   // with reversed winding
	Outputs   map[string]Vector `json:"outputs"`

	vertices, triangles int // of the run up to here
}

// NoRunError reports a run, a vertex or a corner that a draw does not have.
type NoRunError struct{ text string }

func (e *NoRunError) Error() string { return e.text }

func noRun(format string, args ...any) error { return &NoRunError{fmt.Sprintf(format, args...)} }

// MaxSteps bounds the steps of a Run.
const MaxSteps = 1 << 16

// GeometryOn reports whether the geometry shader runs in the draw.
func (s *State) GeometryOn() bool {
	return pica.GeoStage(pica.GeostageMode.Get(&s.Input.Regs)) == pica.GeoStageOn
}

// vertices returns the vertices of the draw.
func (s *State) vertices() (*geometry.Vertices, error) {
	if s.Vertices == nil {
		return nil, noRun("the vertices of the draw cannot be read: %v", s.Notes)
	}
	return s.Vertices, nil
}

// RunVertex runs the vertex shader on a vertex. It keeps up to count steps, from
// number from on.
func (s *State) RunVertex(ctx context.Context, vertex, from, count int) (*Run, error) {
	v, err := s.vertices()
	if err != nil {
		return nil, err
	}
	if vertex < 0 || vertex >= v.Count {
		return nil, noRun("there is no vertex %d; the draw has %d, from 0 on", vertex, v.Count)
	}
	run := newRun(vertex, from)
	var it shaderunit.Interpreter
	it.Reset()
	it.Done = ctx.Done()
	for reg, in := range v.Inputs {
		if in != nil {
			it.In[reg] = in[vertex]
			run.Inputs[fmt.Sprintf("v%d", reg)] = vectorOf(in[vertex])
		}
	}
	it.Trace = func(t *shaderunit.Step) { run.add(t, count, nil) }
	setup := s.Input.Vertex
	if err := it.Run(&setup); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		run.Failure = err.Error()
	}
	run.Outputs = outputs(&s.Input.Regs, pica.OffsetVsh, it.Out())
	return run, nil
}

// RunGeometry replays up to the draw and follows one run of its geometry shader.
// So registers and vertex buffer contain what earlier runs left, as in the frame.
func (s *State) RunGeometry(ctx context.Context, r *pipeline.Replayer, number, from, count int) (*Run, error) {
	if !s.GeometryOn() {
		return nil, noRun("no geometry shader runs in this draw")
	}
	if number < 0 {
		return nil, noRun("there is no run %d; runs count from 0", number)
	}
	regs := &s.Input.Regs
	run := newRun(number, from)
	var emitted *Emission
	vertices, triangles := 0, 0
	watched := false
	err := s.watchGeometry(ctx, r, &geometry.RunHooks{
		Begin: func(n int, it *shaderunit.Interpreter, setup *shaderunit.Setup) {
			run.Runs = n + 1
			if watched = n == number; !watched {
				return
			}
			run.Inputs = geometryInputs(regs, it, setup)
			it.Trace = func(t *shaderunit.Step) {
				run.add(t, count, emitted)
				emitted = nil
			}
		},
		Emit: func(em shaderunit.Emission) {
			if !watched {
				return
			}
			if vertices++; em.PrimEmit {
				triangles++
			}
			emitted = &Emission{int(em.VertexID), em.PrimEmit, em.Winding, outputs(regs, pica.OffsetGsh, em.Out), vertices, triangles}
			run.Outputs = emitted.Outputs
		},
	})
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		run.Failure = err.Error() // probably of the program: what was executed before it is shown
	}
	if number >= run.Runs {
		return nil, noRun("there is no run %d; the geometry shader ran %d times, from 0 on", number, run.Runs)
	}
	return run, nil
}

// watchGeometry replays up to the draw with hooks for the runs of its geometry
// shader.
func (s *State) watchGeometry(ctx context.Context, r *pipeline.Replayer, hooks *geometry.RunHooks) error {
	draw := s.Input.Draw
	return r.VisitFrom(ctx, pipeline.Position{Frame: s.Input.Frame, Draw: draw}, draw, func(g *pipeline.GPU) error {
		g.BeforeDraw = func(d *pipeline.DrawInfo) error {
			if d.Index == draw {
				g.WatchGeometry(hooks)
			}
			return nil
		}
		return nil
	})
}

func newRun(number, from int) *Run {
	return &Run{Number: number, Inputs: map[string]Vector{}, Steps: []Step{}, From: max(from, 0), Outputs: map[string]Vector{}}
}

// add takes an executed instruction, and the vertex that it emitted.
func (r *Run) add(t *shaderunit.Step, count int, emitted *Emission) {
	if r.Total++; r.Total <= r.From || len(r.Steps) >= min(count, MaxSteps) {
		return
	}
	s := Step{PC: int(t.PC), Src: []Vector{}, A0: t.A0, Cmp: t.Cmp, AL: t.Flow.AL, Next: int(t.Flow.PC), Taken: t.Taken, Emit: emitted}
	if info := t.Instr.Info(); info != nil {
		for k := range info.Format.Sources() {
			s.Src = append(s.Src, vectorOf(t.Src[k]))
		}
		if info.WritesDst() {
			v := vectorOf(t.Dst)
			s.Dst, s.Value = t.Instr.Dst.String(), &v
		}
	}
	for _, c := range t.Flow.Calls() {
		s.Calls = append(s.Calls, int(c.Return))
	}
	for _, c := range t.Flow.Ifs() {
		s.Ifs = append(s.Ifs, int(c.End))
	}
	for _, c := range t.Flow.Loops() {
		s.Loops = append(s.Loops, [2]int{int(c.End), int(c.Left)})
	}
	r.Steps = append(r.Steps, s)
}

func vectorOf(v [4]float32) (out Vector) {
	for i, x := range v {
		out[i] = rows.Float(x)
	}
	return out
}

// outputs returns the output registers in the mask of a shader unit.
func outputs(regs *pica.Regs, unit pica.Reg, out *[16][4]float32) map[string]Vector {
	list, mask := map[string]Vector{}, pica.ShOutmapMask.At(unit).Get(regs)
	for reg, v := range out {
		if mask>>reg&1 != 0 {
			list[fmt.Sprintf("o%d", reg)] = vectorOf(v)
		}
	}
	return list
}

// geometryInputs returns the input of a run: input registers in point mode,
// uniforms in the other modes.
func geometryInputs(regs *pica.Regs, it *shaderunit.Interpreter, setup *shaderunit.Setup) map[string]Vector {
	list := map[string]Vector{}
	perVertex := bits.OnesCount32(pica.ShOutmapMask.At(pica.OffsetVsh).Get(regs))
	floats := func(from, n int) {
		for i := from; i < from+n && i < len(setup.Float); i++ {
			list[fmt.Sprintf("c%d", i)] = vectorOf(setup.Float[i])
		}
	}
	switch pica.GeometryMode(pica.GshMode.Get(regs)) {
	case pica.GeometryModePoint:
		permutation := uint64(regs[pica.RegGshAttributesPermutationLow]) | uint64(regs[pica.RegGshAttributesPermutationHigh])<<32
		for i := range int(pica.ShInputCount.Get(regs)) + 1 {
			reg := int(permutation >> (4 * i) & 0xF)
			list[fmt.Sprintf("v%d", reg)] = vectorOf(it.In[reg])
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
