package shaderunit

import (
	"math"
	"slices"
	"sort"
)

// The compiler follows the program from its entry point, with the uniforms that
// control its flow (bools and ints) as constants: it unrolls loops, inlines
// calls and leaves out branches that are not taken. Where flow depends on
// vertices (IFC, JMPC, CALLC, BREAKC), a block ends and both paths continue in
// blocks of their own. A block is identified by its whole flow state (counter,
// stacks, aL), so that paths that meet again share a block, whatever the
// program's shape.

// Limits of compiled programs. The interpreter runs programs that exceed them.
const (
	maxBlocks = 1024
	maxTraced = 1 << 15 // instructions in all blocks
)

// program is a program, compiled for certain values of the uniforms that
// control its flow.
type program struct {
	blocks []block
	rank   []int   // of each block; blocks of lower rank run first
	start  []uint8 // rows that must be set to their start value
	zeroA0 bool
	// plainReads are the float uniforms that reach registers unchanged (MOV and the
	// like). If one is subnormal, the flushing variant is needed.
	plainReads []uint8
	gathers    bool
	scalar     bool // too large: use the interpreter

	laneGathers   bool // relative addressing of lane uniforms
	selfContained bool // geometry shader: reads nothing from an earlier run
	remembers     bool // geometry shader: reads only temporary registers from an earlier run
	touched       touched

	key variantKey
}

// variantKey is everything besides the code that a compiled program depends on.
type variantKey struct {
	entry    uint16
	outMask  uint16
	flush    bool // registers may hold a subnormal
	bools    uint16
	boolMask uint16 // bools that the program tests
	ints     [4][4]uint8
	intMask  uint8
	variantMode
}

// variantMode is what a compiled program depends on besides the Setup. It is
// zero for vertex shaders.
type variantMode struct {
	geometry bool
	lo, hi   uint8 // float uniforms lo to hi-1 differ between lanes
	inputs   uint16
	outputs  uint64 // output components that EMIT must store
}

// matches reports whether the variant fits the setup.
func (v *variantKey) matches(s *Setup, mode variantMode, flush bool) bool {
	if v.variantMode != mode || v.entry != s.Entry || v.outMask != s.OutMask || v.flush != flush || (v.bools^s.Bool)&v.boolMask != 0 {
		return false
	}
	for i := range s.Int {
		if v.intMask>>i&1 != 0 && v.ints[i] != s.Int[i] {
			return false
		}
	}
	return true
}

// block is a sequence of instructions without a branch that depends on
// vertices.
type block struct {
	ops   []microOp
	steps int      // number of instructions
	last  blockEnd // how it ends
	in    Instr    // the instruction that branches
	next  [2]int   // successors: not taken (or unconditional), and taken
	state Flow
}

type blockEnd uint8

const (
	blockDone   blockEnd = iota // END
	blockJump                   // continue at next[0]
	blockBranch                 // decide for each vertex
	blockOut                    // geometry shader: the end of the code memory
	blockFault                  // an error, which the interpreter reports
)

type compiler struct {
	s      *Setup
	p      *program
	index  map[Flow]int
	traced int
	leader [CodeWords / 64]uint64 // destinations of jumps
	lower  lowering
}

// compile compiles the program of the setup. flush selects the variant for
// registers that may hold subnormals.
func compile(s *Setup, mode variantMode, flush bool) *program {
	c := &compiler{s: s, p: &program{}, index: map[Flow]int{}}
	c.p.key = variantKey{entry: s.Entry, outMask: s.OutMask, flush: flush, bools: s.Bool, ints: s.Int, variantMode: mode}
	c.lower = lowering{s: s, p: c.p, flush: flush, outMask: s.OutMask, mode: mode}
	for _, w := range s.code {
		if info := Opcode(w >> 26).Info(); info != nil && info.Flow == FlowJump && info.Test == TestFlags {
			c.leader[Decode(w).Dest/64] |= 1 << (Decode(w).Dest % 64)
		}
	}
	c.block(Flow{PC: s.Entry})
	for i := 0; i < len(c.p.blocks) && !c.p.scalar; i++ {
		c.trace(i)
	}
	if !c.p.scalar {
		c.finish()
		c.p.selfContained = mode.geometry && c.p.assignsBeforeReading(assigned{})
		c.p.remembers = mode.geometry && !c.p.selfContained && c.p.assignsBeforeReading(temporaries)
		if c.p.remembers { // recall sets those
			c.p.start = slices.DeleteFunc(c.p.start, func(r uint8) bool { return r >= rowTemp })
		}
	}
	return c.p
}

// block returns the number of the block that starts in a state.
func (c *compiler) block(f Flow) int {
	// AfterMOVA matters only if another MOVA follows; otherwise paths with and
	// without it share a block.
	if f.AfterMOVA && f.PC < CodeWords {
		info := Opcode(c.s.code[f.PC] >> 26).Info()
		f.AfterMOVA = info != nil && info.WritesAddress()
	}
	if i, ok := c.index[f]; ok {
		return i
	}
	i := len(c.p.blocks)
	if i == maxBlocks {
		c.p.scalar = true
		return 0
	}
	c.index[f] = i
	c.p.blocks = append(c.p.blocks, block{state: f})
	return i
}

// trace builds block i.
func (c *compiler) trace(i int) {
	f := c.p.blocks[i].state
	b := block{state: f}
	defer func() { c.p.blocks[i] = b }()
	for {
		if f.PC >= CodeWords {
			if b.last = blockFault; c.p.key.geometry && f.PC != faultPC {
				b.last = blockOut
			}
			return
		}
		pc := f.PC
		in := Decode(c.s.code[pc])
		info := in.Info()
		if c.traced++; c.traced > maxTraced {
			c.p.scalar = true
			return
		}
		b.steps++
		switch {
		case info == nil, info.GeometryOnly() && !c.p.key.geometry:
			b.last = blockFault
			return
		case info.GeometryOnly():
			b.ops = c.lower.emission(b.ops, &in)
		case info.Flow == FlowEnd:
			b.last = blockDone
			return
		case info.Format.Sources() > 0:
			c.lower.usedAL = false
			b.ops = c.lower.instruction(b.ops, &in, info, f.AL)
			if c.p.key.geometry && c.lower.usedAL {
				b.ops = append(b.ops, loopCounter(true))
			}
		case info.Flow == FlowLoop && c.p.key.geometry:
			b.ops = append(b.ops, loopCounter(false))
		}
		c.count(&in, info)
		c.p.touched.add(&in, c.s)
		depth := f.NumCall + f.NumIf + f.NumLp
		if info.Test == TestFlags {
			c.branch(&b, &in, f)
			return
		}
		if f.advance(&in, info, c.s, condition(&in, info, c.s, [2]bool{})) != nil {
			b.last = blockFault
			return
		}
		if c.s.repeats(pc, &f) {
			b.steps += int(CodeWords - f.PC)
			f.PC = CodeWords
		}
		// Paths meet after blocks and at destinations of jumps.
		if f.NumCall+f.NumIf+f.NumLp < depth || f.PC < CodeWords && c.leader[f.PC/64]>>(f.PC%64)&1 != 0 {
			b.last, b.next[0] = blockJump, c.block(f)
			return
		}
	}
}

// branch ends a block with a decision for each vertex.
func (c *compiler) branch(b *block, in *Instr, f Flow) {
	b.last, b.in = blockBranch, *in
	for taken := range b.next {
		g := f
		if g.advance(in, in.Info(), c.s, taken == 1) != nil {
			b.next[taken] = c.fault(f)
			continue
		}
		b.next[taken] = c.block(g)
	}
}

// faultPC is a counter that no program reaches.
const faultPC = math.MaxUint16

// fault returns a block that reports an error.
func (c *compiler) fault(f Flow) int {
	f.PC = faultPC
	return c.block(f)
}

// count records the uniforms that flow depends on.
func (c *compiler) count(in *Instr, info *OpInfo) {
	switch {
	case info.Test == TestBool:
		c.p.key.boolMask |= 1 << in.Uniform
	case info.Flow == FlowLoop:
		c.p.key.intMask |= 1 << (in.Uniform & 3)
	}
}

// finish ranks the blocks, joins chains of blocks, and finds the rows that must
// be set to their start value.
func (c *compiler) finish() {
	c.join()
	p := c.p
	for i := range p.blocks {
		for n := range p.blocks[i].ops {
			op := &p.blocks[i].ops[n]
			op.run = opKinds[op.kind].run
		}
	}
	order := make([]int, len(p.blocks))
	for i := range order {
		order[i] = i
	}
	// Lanes wait for lanes that are deeper in calls, then for lanes earlier in the
	// code, so that they meet as early as possible.
	sort.Slice(order, func(i, j int) bool {
		a, b := &p.blocks[order[i]].state, &p.blocks[order[j]].state
		if a.NumCall != b.NumCall {
			return a.NumCall > b.NumCall
		}
		if a.PC != b.PC {
			return a.PC < b.PC
		}
		return order[i] < order[j]
	})
	p.rank = make([]int, len(p.blocks))
	for r, i := range order {
		p.rank[i] = r
	}
	slices.Sort(p.plainReads)
	p.plainReads = slices.Compact(p.plainReads)
	c.starts()
}

// join appends the only successor to a block if that has no other predecessor.
func (c *compiler) join() {
	blocks := c.p.blocks
	preds := make([]int, len(blocks))
	preds[0] = 1
	for i := range blocks {
		switch blocks[i].last {
		case blockBranch:
			preds[blocks[i].next[1]]++
			preds[blocks[i].next[0]]++
		case blockJump:
			preds[blocks[i].next[0]]++
		}
	}
	for i := range blocks {
		b := &blocks[i]
		for b.last == blockJump && preds[b.next[0]] == 1 && b.next[0] != i && b.next[0] != 0 {
			n := &blocks[b.next[0]]
			b.ops = append(b.ops, n.ops...)
			b.steps += n.steps
			b.last, b.in, b.next = n.last, n.in, n.next
			*n = block{state: n.state, last: blockFault} // unreachable
		}
	}
}

// starts finds the rows that are read before they are written, and the outputs
// that may stay unwritten.
func (c *compiler) starts() {
	var written, need [256]bool
	p := c.p
	a0 := [2]bool{}
	for i := range p.blocks {
		for n := range p.blocks[i].ops {
			op := &p.blocks[i].ops[n]
			for _, r := range op.reads() {
				if r >= rowOut && r < rowScratch && !written[r] {
					need[r] = true
				}
			}
			if op.usesA0() && !a0[op.addr] {
				p.zeroA0 = true
			}
			if i == 0 { // other blocks run for some lanes only
				if op.writesA0() {
					a0[op.addr] = true
				}
				written[op.dst] = true
			}
		}
	}
	for r := range 64 {
		if p.key.outMask>>(r/4)&1 != 0 && !written[rowOut+r] {
			need[rowOut+r] = true
		}
	}
	for r, n := range need {
		if n {
			p.start = append(p.start, uint8(r))
		}
	}
}
