package shaderunit

// InterpreterState is what an Interpreter keeps between runs: inputs,
// temporaries, flags, output banks and the parameters of SETEMIT.
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

// State returns the state for the next run.
func (it *Interpreter) State() InterpreterState {
	s := InterpreterState{it.In, it.Temp, it.A0, it.Cmp, it.Flow, it.out, it.bank, it.emit, it.emitSet}
	s.emit.Out = nil // was valid only during a call
	return s
}

// SetState restores a state from State. Hooks and limits are unchanged.
func (it *Interpreter) SetState(s *InterpreterState) {
	it.In, it.Temp, it.A0, it.Cmp, it.Flow = s.in, s.temp, s.a0, s.cmp, s.flow
	it.out, it.bank, it.emit, it.emitSet = s.out, s.bank, s.emit, s.emitSet
}
