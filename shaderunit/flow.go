package shaderunit

// Flow control: where the program continues after each instruction. The
// interpreter steps a Flow for each vertex, the compiler of the batch engine
// one for each block. Source: 3dbrew, "Control Flow".

// condition evaluates the condition of a flow instruction. It is true for
// instructions without one.
func condition(in *Instr, info *OpInfo, s *Setup, cmp [2]bool) bool {
	switch info.Test {
	case TestBool:
		inverted := info.Flow == FlowJump && in.Num&1 != 0
		return s.BoolUniform(in.Uniform) != inverted
	case TestFlags:
		x, y := cmp[0] == in.RefX, cmp[1] == in.RefY
		switch in.Cond {
		case CondOr:
			return x || y
		case CondAnd:
			return x && y
		case CondX:
			return x
		}
		return y
	}
	return true
}

// popsLost is the number of consecutive CALL pops after which the next one no
// longer changes the program counter.
const popsLost = CallDepth - 1

// advance goes to the instruction after in; taken is the value of its
// condition. The instruction is not END.
func (f *Flow) advance(in *Instr, info *OpInfo, s *Setup, taken bool) error {
	next := f.PC + 1
	if mova := info.WritesAddress(); mova || f.AfterMOVA {
		if mova && f.AfterMOVA {
			return hangs(f.PC, "MOVA right after another MOVA hangs the GPU")
		}
		f.AfterMOVA = mova
	}
	if f.NumCall+f.NumIf+f.NumLp == 0 && info.Flow == FlowNext { // the case of most instructions
		f.PC = next
		return nil
	}
	jump, isJump, isBreak := uint16(0), false, false
	switch info.Flow {
	case FlowJump:
		jump, isJump = in.Dest, taken
	case FlowCall:
		if taken {
			push(f.Call[:], &f.NumCall, CallEntry{End: in.Dest + uint16(in.Num), Return: next})
			jump, isJump = in.Dest, true
		}
	case FlowIf:
		if taken {
			push(f.If[:], &f.NumIf, IfEntry{Else: in.Dest, End: in.Dest + uint16(in.Num)})
		} else {
			jump, isJump = in.Dest, true
		}
	case FlowLoop:
		v := s.Int[in.Uniform&3] // four int uniforms exist
		push(f.Loop[:], &f.NumLp, LoopEntry{Start: next, End: in.Dest + 1, Left: v[0], Step: v[2], OuterAL: f.AL})
		f.AL = int32(v[1])
	case FlowBreak:
		if isBreak = taken; isBreak && f.NumLp == 0 {
			return hangs(f.PC, "%s outside LOOP hangs the GPU", in.Op)
		}
	}

	// Each stack sees the counter before jumps take effect. If several set the
	// counter, the priority is LOOP, IF, CALL, jump.
	depth := f.NumCall + f.NumIf + f.NumLp
	pc := next
	if isJump {
		pc = jump
	}
	f.popCalls(next, &pc)
	if n := f.NumIf; n > 0 && f.If[n-1].Else == next {
		pc = f.If[n-1].End
		f.NumIf--
	}
	if n := f.NumLp; n > 0 && (f.Loop[n-1].End == next || isBreak) {
		f.endOfLoop(isBreak, &pc)
	}
	f.PC = pc
	if f.NumCall+f.NumIf+f.NumLp < depth {
		f.clearUnused()
	}
	return nil
}

// popCalls returns from all procedures that end here. The fourth return in a
// row does not set the counter, as on the console.
func (f *Flow) popCalls(at uint16, pc *uint16) {
	for pops := 0; f.NumCall > 0 && f.Call[f.NumCall-1].End == at; pops++ {
		if pops < popsLost {
			at = f.Call[f.NumCall-1].Return
			*pc = at
		}
		f.NumCall--
	}
}

// endOfLoop starts the next iteration or leaves the innermost loop. aL is wider
// than 8 bits here: bytes are added without wrapping, as in Azahar; the width
// of the register is unknown. Leaving the outermost loop keeps aL.
func (f *Flow) endOfLoop(isBreak bool, pc *uint16) {
	l := &f.Loop[f.NumLp-1]
	f.AL += int32(l.Step)
	if !isBreak && l.Left > 0 {
		l.Left--
		*pc = l.Start
		return
	}
	*pc = l.End
	if f.NumLp > 1 {
		f.AL = l.OuterAL
	}
	f.NumLp--
}

// clearUnused zeroes popped entries, so that equal states compare equal.
func (f *Flow) clearUnused() {
	clear(f.Call[f.NumCall:])
	clear(f.If[f.NumIf:])
	clear(f.Loop[f.NumLp:])
}

// push puts an entry on a stack that holds n. On a full one it discards the oldest.
func push[E any](stack []E, n *uint8, e E) {
	if int(*n) == len(stack) {
		copy(stack, stack[1:])
		*n--
	}
	stack[*n] = e
	*n++
}

// Advance goes to the instruction after in, which is the one at the counter and
// not END. taken says whether the condition of a flow instruction holds
// (Condition). It is for tools that follow a program without running it.
func (f *Flow) Advance(in *Instr, s *Setup, taken bool) error {
	info := in.Info()
	if info == nil {
		return execErr(f.PC, "opcode %s does not exist", in.Op)
	}
	return f.advance(in, info, s, taken)
}

// Condition reports whether the condition of a flow instruction holds, given
// the uniforms and the flags cmp.x and cmp.y. It is true for instructions
// without one.
func (in *Instr) Condition(s *Setup, cmp [2]bool) bool {
	info := in.Info()
	return info == nil || condition(in, info, s, cmp)
}
