package lint

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"pica200/assets/shbin"
	"pica200/pica"
	"pica200/shaderunit"
	"pica200/shaderunit/asm"
)

// The rules about flow and data follow every branch of the program. They track the
// stacks like the hardware, and the values of the bool uniforms and flags that were
// tested on the path, but not the values of registers. The flags matter because there is
// no unconditional JMP: people write "jmpc !cmp.x" after "jmpc cmp.x".

// state is what the program can be in: an instruction, the stacks and the known values
// of uniforms and flags. It is the key of a large map and has no padding, so that it is
// hashed as one block of memory.
type state struct {
	pc                    int
	calls                 [shaderunit.CallDepth]shaderunit.CallEntry
	ifs                   [shaderunit.IfDepth]shaderunit.IfEntry
	loops                 [shaderunit.LoopDepth]loopEntry
	numCalls, numIfs      int
	numLoops              int
	boolKnown, boolValues uint16
	cmpKnown, cmpValues   uint16 // bit 0 cmp.x, bit 1 cmp.y
}

// loopEntry is a loop: its first instruction, the one after its last, and its int uniform.
type loopEntry struct{ start, end, uniform uint16 }

// registers is a set of components of 16 registers: bit 4n+i for component i of n.
type registers uint64

func component(reg int, set uint8) registers { return registers(set) << (4 * reg) }

// span is the range of an address register; if known is false, it can have any
// value.
type span struct {
	low, high int
	known     bool
}

func (s span) join(o span) span {
	if !s.known || !o.known {
		return span{}
	}
	return span{min(s.low, o.low), max(s.high, o.high), true}
}

// facts are what is true in a state on all paths to it (must) or on some (may).
type facts struct {
	tempMay         registers
	outMay, outMust registers // since the last EMIT
	// The two banks of outputs of a geometry shader, which EMIT swaps: what was
	// ever written to the current bank, and to the other.
	bankMay, bankMust [2]registers
	afterMova         bool // may
	a0May, cmpMay     [2]bool
	emitMay, emitMust bool
	a0                [2]span
	aL                span
	aLMay             bool
	reached           bool
	// external is set if a procedure of another object ran or may have run: it can
	// have written anything.
	external bool
}

// afterExternal returns the facts after a procedure of another object.
func (f facts) afterExternal() facts {
	f.external = true
	f.tempMay = ^registers(0)
	f.a0May, f.cmpMay = [2]bool{true, true}, [2]bool{true, true}
	f.a0 = [2]span{}
	f.aLMay, f.aL = true, span{}
	f.emitMay, f.emitMust = true, true
	return f
}

func (f *facts) join(o facts) facts {
	if !f.reached {
		return o
	}
	j := facts{
		tempMay: f.tempMay | o.tempMay, outMay: f.outMay | o.outMay, outMust: f.outMust & o.outMust,
		afterMova: f.afterMova || o.afterMova, emitMay: f.emitMay || o.emitMay, emitMust: f.emitMust && o.emitMust,
		aL: f.aL.join(o.aL), aLMay: f.aLMay || o.aLMay, reached: true, external: f.external || o.external,
	}
	for i := range 2 {
		j.a0May[i], j.cmpMay[i] = f.a0May[i] || o.a0May[i], f.cmpMay[i] || o.cmpMay[i]
		j.a0[i] = f.a0[i].join(o.a0[i])
		j.bankMay[i], j.bankMust[i] = f.bankMay[i]|o.bankMay[i], f.bankMust[i]&o.bankMust[i]
	}
	return j
}

// maxStates limits the exploration of an executable; those of public sources need at
// most about 700. Beyond it, values of bool
// uniforms and flags are no longer distinguished; if that is still too much,
// the flow is not checked. The same holds if all executables of a file together
// exceed maxStatesOfFile.
const (
	maxStates       = 1 << 12
	maxStatesOfFile = 1 << 18
)

// node is a state that can be reached.
type node struct {
	state
	facts  facts
	next   []int32 // the nodes that can follow
	live   liveSet // what matters after the state
	queued bool
}

// explorer follows one executable.
type explorer struct {
	l       *linter
	exe     *shbin.Executable
	nodes   []node
	index   map[state]int32 // of nodes
	todo    []int32
	bools   bool // distinguish the values of bool uniforms and flags
	full    bool
	floats  map[int][4]float32
	ints    map[uint8][4]uint8
	outputs outputSets
	// procedure is set for a procedure that other objects call: what is true at its
	// start is unknown, and it may end without END.
	procedure *asm.Proc
}

// executable checks one executable.
func (l *linter) executable(index int) {
	l.exe = index
	x := &explorer{l: l, exe: &l.file.Executables[index], bools: true, floats: map[int][4]float32{}, ints: map[uint8][4]uint8{}}
	for _, c := range x.exe.Constants {
		switch c.Kind {
		case shbin.ConstantFloat:
			x.floats[int(c.Reg)] = pica.Float24.Decode4(c.Float())
		case shbin.ConstantInt:
			x.ints[c.Reg] = c.Int()
		}
	}
	x.outputs = outputsOf(x.exe)
	l.tables(x.exe)
	if int(x.exe.Main) < len(l.code) {
		x.run(fmt.Sprintf("executable %d", index))
	}
}

// procedure checks a procedure that other objects may call, if no executable
// runs it.
func (l *linter) procedure(p asm.Proc) {
	if p.Start >= len(l.code) || p.Size == 0 || l.reached[p.Start] {
		return
	}
	l.exe = -1
	x := &explorer{l: l, exe: &shbin.Executable{Type: l.Type, Main: uint32(p.Start)}, bools: true, procedure: &p, outputs: outputsOf(nil)}
	x.run(fmt.Sprintf("the procedure %q", p.Name))
}

// run explores and reports.
func (x *explorer) run(what string) {
	l := x.l
	if x.full = l.states >= maxStatesOfFile; !x.full {
		x.explore()
		l.states += len(x.nodes)
	}
	if x.full && l.states < maxStatesOfFile {
		x.bools = false
		x.explore()
		l.states += len(x.nodes)
	}
	if x.full {
		l.find("unchecked", int(x.exe.Main), "there are too many ways through %s to follow them all", what)
		for i := range l.reached {
			l.reached[i] = true // as far as known
		}
		return
	}
	for i := range x.nodes {
		if pc := x.nodes[i].pc; pc < len(l.code) {
			l.reached[pc] = true
		}
	}
	x.check()
}

// explore finds all states and the facts in each.
func (x *explorer) explore() {
	x.nodes, x.index, x.todo = nil, map[state]int32{}, nil
	x.full = false
	start := state{pc: int(x.exe.Main)}
	first := facts{reached: true}
	if p := x.procedure; p != nil {
		start.numCalls, start.calls[0] = 1, shaderunit.CallEntry{End: uint16(p.Start + p.Size), Return: uint16(len(x.l.code))}
		first = first.afterExternal()
	}
	x.reach(x.number(start), first)
	for len(x.todo) > 0 && !x.full {
		i := x.todo[len(x.todo)-1]
		x.todo = x.todo[:len(x.todo)-1]
		x.nodes[i].queued = false
		p := x.nodes[i].state
		if p.pc >= len(x.l.code) {
			continue
		}
		after := x.apply(i, x.nodes[i].facts, false)
		next := x.nodes[i].next
		if next == nil { // it depends on the state alone
			for _, to := range x.successors(p, false) {
				next = append(next, x.number(to))
			}
		}
		if x.full {
			return
		}
		x.nodes[i].next = next
		for _, n := range next {
			x.reach(n, x.enter(&p, &x.nodes[n].state, after))
		}
	}
}

// number returns the node of a state, a new one if it was not reached before.
func (x *explorer) number(s state) int32 {
	i, known := x.index[s]
	if !known {
		if len(x.nodes) >= maxStates {
			x.full = true
			return 0
		}
		i = int32(len(x.nodes))
		x.index[s] = i
		x.nodes = append(x.nodes, node{state: s})
	}
	return i
}

// reach merges facts into a node, and queues it if they are new.
func (x *explorer) reach(i int32, f facts) {
	n := &x.nodes[i]
	joined := n.facts.join(f)
	if joined == n.facts {
		return
	}
	n.facts = joined
	if !n.queued {
		n.queued = true
		x.todo = append(x.todo, i)
	}
}

// enter adapts facts to the step from one state to the next: aL at loops.
func (x *explorer) enter(from, to *state, f facts) facts {
	if to.numLoops > from.numLoops {
		f.aLMay = true
		f.aL = span{}
		if v, ok := x.ints[uint8(to.loops[to.numLoops-1].uniform)]; ok {
			last := int(v[1]) + int(v[0])*int(v[2])
			f.aL = span{int(v[1]), last, true}
		}
	} else if to.numLoops < from.numLoops {
		f.aL = span{} // the outer loop's, or one step past the last
	}
	return f
}

// check reports what is wrong in each state by the facts.
func (x *explorer) check() {
	l := x.l
	x.findLive()
	x.emits()
	ends := false
	written := x.written()
	for _, i := range x.ordered() {
		p := &x.nodes[i]
		if p.pc >= len(l.code) {
			if x.procedure != nil || p.facts.external {
				ends = true
				continue
			}
			l.find("no-end", len(l.code)-1, "the program runs on after its last instruction")
			continue
		}
		ends = ends || l.instrs[p.pc].Op == shaderunit.OpEND || l.External[p.pc] != ""
		x.apply(i, written.at(p.state, p.facts), true)
		x.successors(p.state, true)
	}
	if !ends {
		l.find("no-end", int(x.exe.Main), "no END can be reached from the entry point")
		return
	}
	x.endless()
}

// anyhow returns the state with unknown flags and bool uniforms.
func (p state) anyhow() state {
	p.cmpKnown, p.cmpValues, p.boolKnown, p.boolValues = 0, 0, 0, 0
	return p
}

// writings holds, for each state, what some path to it may have written. A register that
// is written in a loop or in a branch counts as written. Paths are therefore not
// distinguished by their flags, which separate the first iteration of a loop from the
// others, but by their bool uniforms, which are constant during a draw.
type writings map[state][]writing

// writing is the facts about written registers for some values of bool uniforms.
type writing struct {
	known, values uint16
	facts
}

// maxWritings limits the values of bool uniforms that are distinguished in a
// state; beyond it none are.
const maxWritings = 256

func (x *explorer) written() writings {
	ways := make(map[state]facts, len(x.nodes)) // for any flags
	for i := range x.nodes {
		p := x.nodes[i].state
		p.cmpKnown, p.cmpValues = 0, 0
		ways[p] = ways[p].written(x.nodes[i].facts)
	}
	all := make(writings, len(ways))
	for p, f := range ways {
		any := p.anyhow()
		all[any] = append(all[any], writing{p.boolKnown, p.boolValues, f})
	}
	for at, list := range all {
		if len(list) <= maxWritings {
			continue
		}
		any := writing{}
		for i := range list {
			any.facts = any.facts.written(list[i].facts)
		}
		all[at] = []writing{any}
	}
	return all
}

// at adds what other paths to a state may have written to its facts.
func (w writings) at(p state, f facts) facts {
	list := w[p.anyhow()]
	for i := range list {
		if o := &list[i]; (o.values^p.boolValues)&o.known&p.boolKnown == 0 {
			f = f.written(o.facts)
		}
	}
	return f
}

// written adds what another path may have written.
func (f facts) written(o facts) facts {
	f.tempMay |= o.tempMay
	for i := range 2 {
		f.a0May[i], f.cmpMay[i] = f.a0May[i] || o.a0May[i], f.cmpMay[i] || o.cmpMay[i]
	}
	f.aLMay = f.aLMay || o.aLMay
	return f
}

// endless finds states from which no END is reachable.
func (x *explorer) endless() {
	back := x.before()
	good := make([]bool, len(x.nodes))
	var todo []int32
	for i := range x.nodes {
		if pc := x.nodes[i].pc; pc >= len(x.l.code) || x.l.instrs[pc].Op == shaderunit.OpEND || x.l.External[pc] != "" {
			good[i] = true
			todo = append(todo, int32(i))
		}
	}
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, b := range back[i] {
			if !good[b] {
				good[b] = true
				todo = append(todo, b)
			}
		}
	}
	first := -1
	for i := range x.nodes {
		if pc := x.nodes[i].pc; !good[i] && (first < 0 || pc < first) {
			first = pc
		}
	}
	if first >= 0 {
		x.l.find("no-end", first, "from here no END can be reached: the program runs for ever")
	}
}

// ordered returns the nodes by address.
func (x *explorer) ordered() []int32 {
	list := make([]int32, len(x.nodes))
	for i := range list {
		list[i] = int32(i)
	}
	slices.SortStableFunc(list, func(a, b int32) int { return cmp.Compare(x.nodes[a].pc, x.nodes[b].pc) })
	return list
}

// apply returns the facts after the instruction of node i; with report it also
// reports what is wrong there.
func (x *explorer) apply(i int32, f facts, report bool) facts {
	pc := x.nodes[i].pc
	in := x.l.instrs[pc]
	info := in.Info()
	find := func(rule, format string, args ...any) {
		if report {
			x.l.find(rule, pc, format, args...)
		}
	}
	wasMova := f.afterMova
	f.afterMova = false
	if info == nil {
		return f
	}
	if info.Format.Sources() > 0 {
		x.reads(i, in, &f, find)
		x.writes(in, &f, find)
	}
	switch {
	case info.WritesAddress():
		if wasMova {
			find("mova-adjacent", "mova right after another mova")
		}
		f.afterMova = true
	case info.Test == shaderunit.TestFlags:
		for i, flag := range [2]string{"cmp.x", "cmp.y"} {
			if testsFlag(in, i) && !f.cmpMay[i] {
				find("read-unwritten", "%s is tested, but nothing set it", flag)
			}
		}
	case info.GeometryOnly():
		if x.exe.Type != shbin.GeometryShader {
			find("emit-in-vertex-shader", "%s in a vertex shader", in.Op)
		}
		if in.Op == shaderunit.OpSETEMIT {
			f.emitMay, f.emitMust = true, true
			break
		}
		switch {
		case !f.emitMay:
			find("emit-without-setemit", "emit without setemit before it")
		case !f.emitMust:
			find("emit-without-setemit", "emit that can be reached without setemit")
		}
		x.outputsDone(&f, find)
		f.outMay, f.outMust = 0, 0
		f.bankMay[0], f.bankMay[1] = f.bankMay[1], f.bankMay[0]
		f.bankMust[0], f.bankMust[1] = f.bankMust[1], f.bankMust[0]
	case info.Flow == shaderunit.FlowEnd:
		if x.exe.Type != shbin.GeometryShader {
			x.outputsDone(&f, find)
		}
	}
	if x.l.External[pc] != "" {
		f = f.afterExternal()
	}
	return f
}

func (x *explorer) reads(i int32, in shaderunit.Instr, f *facts, find func(rule, format string, args ...any)) {
	desc := x.l.desc(in)
	info := in.Info()
	matters, flags := x.matters(i, in), x.flagsMatter(i, in)
	for n := range info.Format.Sources() {
		reg := int(in.Src[n])
		if reg >= int(shaderunit.SrcTemp) && reg < int(shaderunit.SrcUniform) {
			set := selected(wanted(info, matters, n)|flags, desc, n)
			if missing := set &^ uint8(f.tempMay>>(4*(reg-int(shaderunit.SrcTemp)))&0xF); missing != 0 {
				find("read-unwritten", "r%d.%s is read, but nothing wrote it", reg-int(shaderunit.SrcTemp), shbin.ComponentNames(uint16(missing)))
			}
		}
		if n != info.Format.Wide() || in.Idx == shaderunit.AddrNone || reg < int(shaderunit.SrcUniform) {
			continue
		}
		index, known, s := "aL", f.aLMay, f.aL
		if in.Idx != shaderunit.AddrAL {
			i := int(in.Idx - shaderunit.AddrA0X)
			index, known, s = in.Idx.String(), f.a0May[i], f.a0[i]
		}
		if !known {
			if matters|flags != 0 {
				find("read-unwritten", "%s is used, but nothing set it", index)
			}
			continue
		}
		if s.known {
			x.indexed(reg-int(shaderunit.SrcUniform), s, index, find)
		}
	}
}

// indexed checks the range of a relatively addressed float uniform.
func (x *explorer) indexed(reg int, s span, index string, find func(rule, format string, args ...any)) {
	low, high := reg+s.low, reg+s.high
	if low < 0 || high > 95 {
		find("uniform-range", "c%d[%s] reaches from c%d to c%d; c0-c95 exist", reg, index, low, high)
		return
	}
	for _, u := range x.exe.Uniforms {
		first, last := int(u.Start)-int(shbin.UniformFloat), int(u.End)-int(shbin.UniformFloat)
		if first < 0 || first == last || reg < first || reg > last {
			continue // an input, not an array, or another array
		}
		if low < first || high > last {
			find("array-index", "%s[%s] reaches from element %d to %d; %s has %d", offsetName(u.Name, reg-first), index, low-first, high-first, u.Name, last-first+1)
		}
		return
	}
}

// offsetName returns an element of an array as the text of a relative address.
func offsetName(name string, n int) string {
	if n == 0 {
		return name
	}
	return fmt.Sprintf("%s[%d]", name, n)
}

func (x *explorer) writes(in shaderunit.Instr, f *facts, find func(rule, format string, args ...any)) {
	desc := x.l.desc(in)
	info := in.Info()
	if info.WritesFlags() {
		f.cmpMay = [2]bool{true, true}
	}
	if info.WritesAddress() {
		for i := range 2 {
			if !desc.Writes(i) {
				continue
			}
			f.a0May[i] = true
			f.a0[i] = span{}
			if v, ok := x.floats[int(in.Src[0])-int(shaderunit.SrcUniform)]; ok && in.Idx == shaderunit.AddrNone {
				c := v[desc.Sel(0, i)]
				if desc.Neg(0) {
					c = -c
				}
				if c > -1e6 && c < 1e6 {
					f.a0[i] = span{int(c), int(c), true}
				}
			}
		}
	}
	if !info.WritesDst() {
		return
	}
	set := bits.Reverse8(desc.Mask()) >> 4
	if in.Dst >= shaderunit.DstTemp {
		f.tempMay |= component(int(in.Dst-shaderunit.DstTemp), set)
		return
	}
	mask := component(int(in.Dst), set)
	if again := f.outMust & mask; again != 0 {
		find("output-twice", "o%d.%s is written a second time", in.Dst, shbin.ComponentNames(uint16(again>>(4*in.Dst))&0xF))
	} else if again := f.outMay & mask; again != 0 {
		find("output-twice", "o%d.%s was written before on some ways here", in.Dst, shbin.ComponentNames(uint16(again>>(4*in.Dst))&0xF))
	}
	f.outMay |= mask
	f.outMust |= mask
	f.bankMay[0] |= mask
	f.bankMust[0] |= mask
	if x.outputs.known && x.outputs.table>>in.Dst&1 == 0 {
		find("output-undeclared", "o%d is written, but the shader declares no such output", in.Dst)
	}
}
