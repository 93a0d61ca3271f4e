package shaderunit

// touched is what a program may write, on any path.
type touched struct {
	temp    [16]uint8 // components of each register
	a0      [2]bool
	flags   bool
	outputs bool
	loop    bool // aL
	setEmit bool
}

// add records what an instruction writes.
func (t *touched) add(in *Instr, s *Setup) {
	info := in.Info()
	switch {
	case in.Op == OpSETEMIT:
		t.setEmit = true
	case in.Op == OpEMIT: // from here on the other bank of outputs is in use
		t.outputs = true
	case info.Flow == FlowLoop:
		t.loop = true
	}
	t.flags = t.flags || info.WritesFlags()
	desc := s.Desc(int(in.Desc))
	if info.WritesAddress() {
		for i := range t.a0 {
			t.a0[i] = t.a0[i] || desc.Writes(i)
		}
	}
	if !info.WritesDst() {
		return
	}
	if in.Dst < DstTemp {
		t.outputs = true
		return
	}
	for i := range 4 {
		if desc.Writes(i) {
			t.temp[in.Dst-DstTemp] |= 1 << i
		}
	}
}

// clear resets these registers of an interpreter to their start values, and the
// input registers in inputs.
func (t *touched) clear(it *Interpreter, inputs uint16) {
	for r := range it.In {
		if inputs>>r&1 != 0 {
			it.In[r] = vec4{}
		}
		for i := range it.Temp[r] {
			if t.temp[r]>>i&1 != 0 {
				it.Temp[r][i] = startValue[i]
			}
		}
	}
	for i, written := range t.a0 {
		if written {
			it.A0[i] = 0
		}
	}
	if t.flags {
		it.Cmp = [2]bool{}
	}
	if t.outputs {
		for r := range it.out[0] {
			it.out[0][r], it.out[1][r] = startValue, startValue
		}
		it.bank = 0
	}
	if t.loop {
		it.Flow.AL = 0
	}
	if t.setEmit {
		it.emit, it.emitSet = Emission{}, false
	}
}
