package shaderunit

import (
	"slices"
	"sort"
)

// The compiler follows the program from its entry point with the uniforms that
// control its flow (bools and ints) at hand: loops are unrolled, calls inlined,
// untaken branches left out. Where flow depends on vertices (IFC, JMPC, CALLC,
// BREAKC) a block ends and both ways go on as blocks of their own. A block is
// known by its whole flow state (counter, stacks, aL), so that ways that come
// together are one block again, whatever the program's shape.

// Limits of compiled programs; beyond them the interpreter runs the program.
const (
	maxBlocks = 1024
	maxTraced = 1 << 15 // instructions, over all blocks
)

// program is a compiled program for one state of the uniforms that control it.
type program struct {
	blocks []block
	rank   []int   // of each block: lower ranks run first
	start  []uint8 // rows that need their start value
	zeroA0 bool
	// plainReads are the float uniforms that reach registers as they are
	// (MOV and the like); a subnormal there needs the flushing variant.
	plainReads []uint8
	gathers    bool
	scalar     bool // too large: the interpreter runs it

	laneGathers   bool // relative addressing of lane uniforms
	selfContained bool // geometry: reads nothing that a run before left
	remembers     bool // geometry: of that it reads temporary registers, and nothing else
	touched       touched

	key variantKey
}

// variantKey is what a compiled program depends on besides the code.
type variantKey struct {
	entry    uint16
	outMask  uint16
	flush    bool // some register may hold a subnormal
	bools    uint16
	boolMask uint16 // bools that the program asked for
	ints     [4][4]uint8
	intMask  uint8
	variantMode
}

// variantMode is what a compiled program depends on besides the Setup. It is
// zero for vertex shaders.
type variantMode struct {
	geometry bool
	lo, hi   uint8 // float uniforms that differ from lane to lane
	inputs   uint16
	outputs  uint64 // components that EMIT has to give
}

// matches says whether the variant is right for the setup.
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

// block is a run of instructions without a vertex-dependent decision.
type block struct {
	ops   []microOp
	steps int      // instructions
	last  blockEnd // how it ends
	in    Instr    // the deciding instruction of a branch
	next  [2]int   // successor when not taken (or always), when taken
	state Flow
}

type blockEnd uint8

const (
	blockDone   blockEnd = iota // END
	blockJump                   // goes on at next[0]
	blockBranch                 // decides per vertex
	blockFault                  // an error: the interpreter says which
)

type compiler struct {
	s      *Setup
	p      *program
	index  map[Flow]int
	traced int
	leader [CodeWords / 64]uint64 // destinations of jumps
	lower  lowering
}

// compile makes the program of the setup; flush selects the variant for
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
		if c.p.remembers { // recall fills those
			c.p.start = slices.DeleteFunc(c.p.start, func(r uint8) bool { return r >= rowTemp })
		}
	}
	return c.p
}

// block gives the number of the block that starts in a state.
func (c *compiler) block(f Flow) int {
	// That MOVA came before matters to another one alone: anywhere else the
	// ways with and without it are the same block.
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

// trace fills in block i.
func (c *compiler) trace(i int) {
	f := c.p.blocks[i].state
	b := block{state: f}
	defer func() { c.p.blocks[i] = b }()
	for {
		if f.PC >= CodeWords {
			b.last = blockFault
			return
		}
		in := Decode(c.s.code[f.PC])
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
		c.note(&in, info)
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
		// Ways come together behind blocks and at destinations of jumps.
		if f.NumCall+f.NumIf+f.NumLp < depth || f.PC < CodeWords && c.leader[f.PC/64]>>(f.PC%64)&1 != 0 {
			b.last, b.next[0] = blockJump, c.block(f)
			return
		}
	}
}

// branch ends a block with a decision per vertex.
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

// fault gives a block that is an error to reach. Its state has a counter
// outside the code, which trace turns into a fault.
func (c *compiler) fault(f Flow) int {
	f.PC = CodeWords
	return c.block(f)
}

// note records which uniforms decided about the flow.
func (c *compiler) note(in *Instr, info *OpInfo) {
	switch {
	case info.Test == TestBool:
		c.p.key.boolMask |= 1 << in.Uniform
	case info.Flow == FlowLoop:
		c.p.key.intMask |= 1 << (in.Uniform & 3)
	}
}

// finish ranks the blocks, joins chains of blocks where nothing comes
// together, and finds the rows that need their start value.
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
	// Lanes wait for those that are deeper in calls, then for those further
	// up in the code, so that they meet again as early as they can.
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

// join appends to each block the only successor that has no other predecessor.
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
			*n = block{state: n.state, last: blockFault} // cannot be reached
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
			if i == 0 { // other blocks run only for some lanes
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
