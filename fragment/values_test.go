package fragment

import (
	"pica200/pica"
	"pica200/raster"
)

// Tests of single parts compile them from a state and bind the state's values, as a draw does.

// compilerOf makes a compiler for a state.
func compilerOf(st *State) *compiler {
	c := &compiler{regs: st.Regs, program: &program{}}
	if st.Target != nil {
		c.target = shapeOf(st.Target)
	}
	return c
}

// valuesOf binds the values of a state for what c has compiled.
func (c *compiler) valuesOf(st *State) *values {
	if st.Tables == nil {
		st.Tables = new(Tables)
	}
	v := new(values)
	v.bind(NewEngine(1), &c.program.wants, st)
	return v
}

// lightOps compiles lighting and binds its values.
func lightOps(s *lightingState, t *Tables, want lightOutputs) ([]op, *values) {
	ops, tables := compileLighting(s, want)
	v := new(values)
	v.light.bind(s, t, new(tableCache), tables, new(drawSerials))
	return ops, v
}

// procTexOps compiles the procedural texture and binds its values.
func procTexOps(s *procTexState, t *Tables, rgb, a bool) ([]op, *values) {
	v := new(values)
	v.proc.state = *s
	v.proc.bind(t, new(tableCache), new(drawSerials))
	return compileProcTex(s, rgb, a), v
}

// run runs ops with the given values.
func (m *machine) run(ops []op, v *values) {
	m.v = v
	for _, o := range ops {
		o.run(m)
	}
}

// targetValues are values of only the registers and a target.
func targetValues(r *pica.Regs, t *raster.Target) *values {
	st := &State{Regs: r, Target: t}
	return compilerOf(st).valuesOf(st)
}
