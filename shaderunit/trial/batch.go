package trial

import (
	"errors"
	"math/bits"

	"pica200/assets/shbin"
	"pica200/shaderunit"
)

// ErrNotBatched is returned for a geometry shader that the batch engine does
// not run: it reads registers from an earlier run, emits outputs that were not
// written since the last EMIT, runs into an error or for ever, or is too large.
// The pipeline uses the interpreter for it.
var ErrNotBatched = errors.New("the batch engine cannot run this geometry shader; the interpreter can")

// RunBatch runs the shader on vertices in the batch engine, as the pipeline
// does: up to shaderunit.Lanes of them at a time, each as Run does after Reset.
// Steps of the results are 0, because lanes share instructions. Inputs are
// converted like attributes: subnormals and -0 become 0.
func (s *Shader) RunBatch(vertices []Vertex) ([]Result, error) {
	if s.engine == nil {
		s.engine, s.batch = shaderunit.NewEngine(), new(shaderunit.Batch)
	}
	s.engine.MaxSteps = s.MaxSteps
	// Read outputs without a table entry too, as Run does.
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
