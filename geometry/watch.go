package geometry

import "pica200/shaderunit"

// RunHooks follow the runs of the geometry shader. They must change only what
// their comments allow.
type RunHooks struct {
	// Begin is called before a run, with its number in the draw, from 0. It may set
	// Trace of the interpreter, which is removed after the run.
	Begin func(run int, it *shaderunit.Interpreter, s *shaderunit.Setup)
	// Emit is called for each emitted vertex, before the instruction is traced.
	Emit func(em shaderunit.Emission)
}

// Watch sets hooks for the runs of the geometry shader in following draws; nil
// removes them. With hooks the interpreter runs them; the result is the same.
func (s *Stage) Watch(h *RunHooks) { s.geo.watch = h }
