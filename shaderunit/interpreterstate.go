package shaderunit

// InterpreterState is what an Interpreter keeps from one run to the next:
// inputs, temporaries, flags, output banks and what SETEMIT asked for.
type InterpreterState struct {
	in, temp [16][4]float32
	a0       [2]int32
	cmp      [2]bool
	flow     Flow
	out      [2][16][4]float32
	bank     int
	emit     Emission
	emitSet  bool
}

// State returns what the next run will find.
func (it *Interpreter) State() InterpreterState {
	s := InterpreterState{it.In, it.Temp, it.A0, it.Cmp, it.Flow, it.out, it.bank, it.emit, it.emitSet}
	s.emit.Out = nil // of a call that is over
	return s
}

// SetState goes back to a state that State returned. Hooks and limits stay.
func (it *Interpreter) SetState(s *InterpreterState) {
	it.In, it.Temp, it.A0, it.Cmp, it.Flow = s.in, s.temp, s.a0, s.cmp, s.flow
	it.out, it.bank, it.emit, it.emitSet = s.out, s.bank, s.emit, s.emitSet
}
