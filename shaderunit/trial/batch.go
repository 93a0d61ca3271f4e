package trial

import (
	"errors"
	"math/bits"

	"pica200/assets/shbin"
	"pica200/shaderunit"
)

// ErrNotBatched says that a geometry shader is none that the batch engine takes: it reads
// registers that a run before left, emits outputs that were not written since the EMIT
// before, runs into an error or for ever, or is too large. The pipeline runs it in the
// interpreter.
var ErrNotBatched = errors.New("the batch engine leaves this geometry shader to the interpreter")

// RunBatch runs the shader on vertices as the pipeline does, in the batch engine: up to
// shaderunit.Lanes of them at a time, each as Run does after Reset. Steps of the results
// are 0: lanes share their instructions. Inputs are taken as the engine takes attributes,
// with 0 for subnormals and -0.
func (s *Shader) RunBatch(vertices []Vertex) ([]Result, error) {
	if s.engine == nil {
		s.engine, s.batch = shaderunit.NewEngine(), new(shaderunit.Batch)
	}
	s.engine.MaxSteps = s.MaxSteps
	// Outputs that no table names are read too, as Run reads them.
	mask := s.Setup.OutMask
	if mask == 0 || len(s.Executable.Outputs) > 0 {
		s.Setup.OutMask = 0xFFFF
	}
	defer func() { s.Setup.OutMask = mask }()
	var results []Result
	for len(vertices) > 0 {
		n := min(len(vertices), shaderunit.Lanes)
		for lane, v := range vertices[:n] {
			for reg := range v {
				for c, x := range v[reg] {
					s.batch.In(reg, c)[lane] = shaderunit.ToFloat24(x) + 0 // -0 + 0 = 0
				}
			}
		}
		var err error
		if s.Executable.Type == shbin.GeometryShader {
			results, err = s.geometryBatch(results, n)
		} else {
			results, err = s.vertexBatch(results, n)
		}
		if err != nil {
			return results, err
		}
		vertices = vertices[n:]
	}
	return results, nil
}

func (s *Shader) vertexBatch(results []Result, n int) ([]Result, error) {
	if err := s.engine.RunVertices(s.Setup, s.batch, n); err != nil {
		return results, err
	}
	for lane := range n {
		var regs [16][4]float32
		for reg := range regs {
			for c := range 4 {
				regs[reg][c] = s.batch.Out(reg, c)[lane]
			}
		}
		results = append(results, Result{Outputs: s.outputs(&regs)})
	}
	return results, nil
}

func (s *Shader) geometryBatch(results []Result, n int) ([]Result, error) {
	run := &shaderunit.GeometryRun{Inputs: 0xFFFF, Uniforms: new(shaderunit.LaneUniforms)}
	for _, o := range s.Executable.Outputs {
		if o.Reg < 16 {
			run.Outputs |= uint64(o.Mask&0xF) << (4 * o.Reg)
		}
	}
	if run.Outputs == 0 {
		for reg := range 16 {
			run.Outputs |= uint64(0xF*(s.Executable.OutputMask>>reg&1)) << (4 * reg)
		}
	}
	log, _, ok := s.engine.RunGeometry(s.Setup, s.batch, n, run)
	if !ok {
		return results, ErrNotBatched
	}
	list := make([]Result, n)
	for i := range log.Len() {
		for lanes := log.Lanes(i); lanes != 0; lanes &= lanes - 1 {
			lane := bits.TrailingZeros64(lanes)
			e, rows := log.At(i, lane)
			var regs [16][4]float32
			for k, wanted := 0, run.Outputs; wanted != 0; k, wanted = k+1, wanted&(wanted-1) {
				at := bits.TrailingZeros64(wanted)
				regs[at/4][at%4] = rows[k][lane]
			}
			list[lane].Emitted = append(list[lane].Emitted, Emitted{int(e.VertexID), e.PrimEmit, e.Winding, s.outputs(&regs)})
		}
	}
	return append(results, list...), nil
}
