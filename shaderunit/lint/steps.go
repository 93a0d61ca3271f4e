package lint

import (
	"pica200/shaderunit"
	"slices"
)

// successors returns the states that can follow p. It is shaderunit's flow
// control with both outcomes of every condition and of every loop end.
func (x *explorer) successors(p state, report bool) []state {
	in := x.l.instrs[p.pc]
	find := func(rule, format string, args ...any) {
		if report {
			x.l.find(rule, p.pc, format, args...)
		}
	}
	if in.Info() == nil || in.Op == shaderunit.OpEND {
		return nil
	}
	if in.Info().WritesFlags() || x.l.External[p.pc] != "" {
		p.cmpKnown, p.cmpValues = 0, 0
	}
	dest, num := int(in.Dest), int(in.Num)
	next := p.pc + 1
	var taken func(p state) []state // where the condition holds
	other := next                   // where to go if it does not
	switch in.Op.Flow() {
	case shaderunit.FlowJump:
		taken = func(p state) []state {
			list := x.arrive(p, next, dest, find)
			for _, q := range list {
				q.leaves(dest, find)
			}
			return list
		}
	case shaderunit.FlowCall:
		taken = func(p state) []state { return x.call(p, next, dest, num, find) }
	case shaderunit.FlowIf:
		other = dest
		taken = func(p state) []state {
			makeRoom(p.ifs[:], &p.numIfs, "IF", find)
			p.ifs[p.numIfs] = shaderunit.IfEntry{Else: uint16(dest), End: uint16(dest + num)}
			p.numIfs++
			return x.arrive(p, next, next, find)
		}
	case shaderunit.FlowBreak:
		taken = func(p state) []state { return x.breakLoop(p, in.Op, find) }
	case shaderunit.FlowLoop:
		makeRoom(p.loops[:], &p.numLoops, "LOOP", find)
		p.loops[p.numLoops] = loopEntry{uint16(next), uint16(dest + 1), uint16(in.Uniform)}
		p.numLoops++
		return x.arrive(p, next, next, find)
	default:
		return x.arrive(p, next, next, find)
	}
	if in.Info().Test == shaderunit.TestNone {
		return taken(p)
	}
	var list []state
	for _, q := range x.tests(p, in) {
		if q.value {
			list = append(list, taken(q.state)...)
		} else {
			list = append(list, x.arrive(q.state, next, other, find)...)
		}
	}
	return list
}

// leaves reports the blocks of which a jump went to the end: only their last
// instruction takes their entries from the stacks.
func (p state) leaves(to int, find func(string, string, ...any)) {
	if p.pc != to {
		return // another block ended before the jump
	}
	left := func(what, stack, remedy string) {
		find("jump-to-end", "jump to the end of this %s, not to its last instruction: the entry stays on the %s stack; %s", what, stack, remedy)
	}
	for _, e := range p.loops[:p.numLoops] {
		if int(e.end) == to {
			left("loop", "LOOP", "a NOP after the label goes on with the loop, BREAKC leaves it")
		}
	}
	for _, e := range p.ifs[:p.numIfs] {
		switch to {
		case int(e.Else):
			left("if", "IF", "put a NOP after the label")
		case int(e.End):
			left("if", "IF", "put the label before the .else, and a NOP after it")
		}
	}
	for _, e := range p.calls[:p.numCalls] {
		if int(e.End) == to {
			left("procedure", "CALL", "it does not return; put a NOP after the label")
		}
	}
}

type tested struct {
	state
	value bool
}

// test returns the state for each possible value of a bool uniform.
func (x *explorer) test(p state, uniform uint8) []tested {
	bit := uint16(1) << uniform
	if p.boolKnown&bit != 0 {
		return []tested{{p, p.boolValues&bit != 0}}
	}
	yes, no := p, p
	if x.bools {
		yes.boolKnown |= bit
		yes.boolValues |= bit
		no.boolKnown |= bit
	}
	return []tested{{yes, true}, {no, false}}
}

// tests returns the states for the outcomes of an instruction's condition.
func (x *explorer) tests(p state, in shaderunit.Instr) []tested {
	if in.Info().Test == shaderunit.TestFlags {
		return x.testFlags(p, in)
	}
	list := x.test(p, in.Uniform)
	for i := range list {
		list[i].value = list[i].value != (in.Op == shaderunit.OpJMPU && in.Num&1 != 0)
	}
	return list
}

// testFlags returns the states for the outcomes of a condition on the flags.
func (x *explorer) testFlags(p state, in shaderunit.Instr) []tested {
	switch in.Cond {
	case shaderunit.CondX:
		return x.testFlag(p, 0, in.RefX)
	case shaderunit.CondY:
		return x.testFlag(p, 1, in.RefY)
	}
	var list []tested
	for _, q := range x.testFlag(p, 0, in.RefX) {
		if q.value == (in.Cond == shaderunit.CondOr) { // this flag alone decides
			list = append(list, q)
		} else {
			list = append(list, x.testFlag(q.state, 1, in.RefY)...)
		}
	}
	return list
}

// testFlag returns the states where flag i is ref, and where it is not.
func (x *explorer) testFlag(p state, i int, ref bool) []tested {
	bit := uint16(1) << i
	if p.cmpKnown&bit != 0 {
		return []tested{{p, (p.cmpValues&bit != 0) == ref}}
	}
	set, clear := p, p
	if x.bools {
		set.cmpKnown |= bit
		set.cmpValues |= bit
		clear.cmpKnown |= bit
	}
	return []tested{{set, ref}, {clear, !ref}}
}

func (x *explorer) call(p state, next, dest, num int, find func(string, string, ...any)) []state {
	makeRoom(p.calls[:], &p.numCalls, "CALL", find)
	if x.l.External[p.pc] != "" {
		return x.arrive(p, next, next, find) // it returns
	}
	p.calls[p.numCalls] = shaderunit.CallEntry{End: uint16(dest + num), Return: uint16(next)}
	p.numCalls++
	return x.arrive(p, next, dest, find)
}

// makeRoom drops the oldest entry of a full stack.
func makeRoom[T any](stack []T, n *int, name string, find func(string, string, ...any)) {
	if *n == len(stack) {
		find("stack-overflow", "the %s stack holds %d entries, this is one more", name, len(stack))
		copy(stack, stack[1:])
		*n--
	}
}

func (x *explorer) breakLoop(p state, op shaderunit.Opcode, find func(string, string, ...any)) []state {
	if p.numLoops == 0 {
		find("break-outside-loop", "%s outside of a loop", op)
		return nil
	}
	loop := p.loops[p.numLoops-1]
	if op == shaderunit.OpBREAK {
		inCall := func(c shaderunit.CallEntry) bool { return c.Return >= loop.start && c.Return <= loop.end }
		inIf := func(f shaderunit.IfEntry) bool { return f.Else > loop.start && f.Else <= loop.end }
		if slices.ContainsFunc(p.calls[:p.numCalls], inCall) || slices.ContainsFunc(p.ifs[:p.numIfs], inIf) {
			find("break-nested", "break inside an if or a call in the loop; it is not to be relied on there")
		}
	}
	p.numLoops--
	p.loops[p.numLoops] = loopEntry{}
	p.pc = int(loop.end)
	return []state{p}
}

// arrive lets the stacks check the address after the instruction, as the
// hardware does before a jump takes effect, and returns the states that follow.
func (x *explorer) arrive(p state, next, to int, find func(string, string, ...any)) []state {
	p.pc = to
	at := next
	for pops := 0; p.numCalls > 0 && int(p.calls[p.numCalls-1].End) == at; pops++ {
		if pops == shaderunit.CallDepth-1 {
			find("call-pops", "the fourth procedure in a row ends here; its return is lost")
		} else if pops < shaderunit.CallDepth-1 {
			at = int(p.calls[p.numCalls-1].Return)
			p.pc = at
		}
		p.numCalls--
		p.calls[p.numCalls] = shaderunit.CallEntry{}
	}
	if n := p.numIfs; n > 0 && int(p.ifs[n-1].Else) == next {
		p.pc = int(p.ifs[n-1].End)
		p.numIfs--
		p.ifs[p.numIfs] = shaderunit.IfEntry{}
	}
	if n := p.numLoops; n > 0 && int(p.loops[n-1].end) == next {
		again, done := p, p
		again.pc = int(p.loops[n-1].start)
		done.pc = int(p.loops[n-1].end)
		done.numLoops--
		done.loops[done.numLoops] = loopEntry{}
		if v, ok := x.ints[uint8(p.loops[n-1].uniform)]; ok && v[0] == 0 {
			return []state{done}
		}
		return []state{again, done}
	}
	return []state{p}
}
