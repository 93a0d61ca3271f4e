package fragment

// combiners records what the combiner stages computed.
func (in *insight) combiners(m *machine, lane int, r *Record) {
	for i := range r.Stages {
		s := &r.Stages[i]
		s.Stage, s.Result = in.stages.stages[i], m.at(in.stages.outs[i], lane)
		for half := range s.Operands {
			s.Buffered[half] = i < 4 && in.updates[half]>>i&1 != 0
			for j := range s.Operands[half] {
				s.Operands[half][j] = s.operand(m, lane, half, j, in.stages.ins[i][half][j])
			}
		}
	}
}

// operand records operand j of a half, whose source is in ref.
func (s *Stage) operand(m *machine, lane, half, j int, ref colorRef) (o OperandRecord) {
	o.Color = m.at(ref, lane)
	value := func(a operand) uint8 { return m.plane(a.ref)[lane] ^ a.xor }
	if code := s.Operand[half][j]; half == 1 {
		o.Value[0] = value(alphaOperand(code, ref))
	} else {
		for ch := range o.Value {
			o.Value[ch] = value(rgbOperand(code, ref, ch))
		}
	}
	return o
}
