package geometry

import (
	"slices"

	"pica200/pica"
	"pica200/shaderunit"
)

// StageState is what a Stage keeps from one draw to the next: unfinished
// primitives, and the registers and the vertex buffer of the geometry shader.
type StageState struct {
	topology                 pica.PrimitiveMode
	carry                    [2]pica.Vertex
	carried                  int
	odd, winding, assembled  bool
	mode                     pica.GeometryMode
	vertices, outputs, start int
	pending                  [][4]float32
	pendingFor               [3]int
	registers                shaderunit.InterpreterState
	slots                    [4]pica.Vertex
}

// State returns the state for the next draw. It must not be called while a draw
// runs.
func (s *Stage) State() StageState {
	a, g := &s.asm, &s.geo
	return StageState{
		a.topology, a.carry, a.carried, a.odd, a.winding, a.assembled,
		g.mode, g.vertices, g.outputs, g.start, slices.Clone(g.pending), g.pendingFor, g.it.State(), g.emitter.slots,
	}
}

// SetState restores a state from State.
func (s *Stage) SetState(from *StageState) {
	a, g := &s.asm, &s.geo
	a.topology, a.carry, a.carried = from.topology, from.carry, from.carried
	a.odd, a.winding, a.assembled = from.odd, from.winding, from.assembled
	g.mode, g.vertices, g.outputs, g.start = from.mode, from.vertices, from.outputs, from.start
	g.pending, g.pendingFor = append(g.pending[:0], from.pending...), from.pendingFor
	g.it.SetState(&from.registers)
	g.emitter.slots = from.slots
}
