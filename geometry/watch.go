package geometry

import "pica200/shaderunit"

// RunHooks follow the runs of the geometry shader. They must change nothing but what
// their comments say.
type RunHooks struct {
	// Begin is called before a run, with its number in the draw, from 0. It may set
	// Trace of the interpreter, which is cleared after the run.
	Begin func(run int, it *shaderunit.Interpreter, s *shaderunit.Setup)
	// Emit is called at each vertex that is emitted, before the instruction is traced.
	Emit func(em shaderunit.Emission)
}

// Watch lets hooks follow the runs of the geometry shader of the draws that come, which
// are then left to the interpreter; nil ends it. What is drawn does not change.
func (s *Stage) Watch(h *RunHooks) { s.geo.watch = h }
