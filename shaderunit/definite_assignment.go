package shaderunit

// A geometry shader keeps its registers between runs, but in a batch every lane
// starts with new ones. The result is the same only if the program, on every
// path, reads nothing that it has not written in the same run. This file checks
// that, as compilers check for variables that are used before they are
// assigned.

// assigned is the set of what a lane has certainly written: rows of the batch,
// followed by the flags and address registers.
type assigned [5]uint64

const (
	slotA0   = 256 // a0.x, a0.y
	slotCmp  = 258 // cmp.x, cmp.y
	slotEmit = 260 // SETEMIT was executed
	slotLoop = 261 // LOOP was executed, so aL is not from an earlier run
)

func (a *assigned) has(i int) bool { return a[i>>6]>>(i&63)&1 != 0 }
func (a *assigned) add(i int)      { a[i>>6] |= 1 << (i & 63) }
func (a *assigned) remove(i int)   { a[i>>6] &^= 1 << (i & 63) }

func (a *assigned) intersect(b *assigned) (changed bool) {
	for i := range a {
		n := a[i] & b[i]
		changed = changed || n != a[i]
		a[i] = n
	}
	return changed
}

// temporaries are the rows of all temporary registers.
var temporaries = func() (a assigned) {
	for i := rowTemp; i < rowScratch; i++ {
		a.add(i)
	}
	return a
}()

// assignsBeforeReading reports whether the program reads nothing from an
// earlier run, except what is in kept.
func (p *program) assignsBeforeReading(preserved assigned) bool {
	mode := &p.key.variantMode
	at := make([]assigned, len(p.blocks))
	for i := range at {
		for w := range at[i] {
			at[i][w] = ^uint64(0)
		}
	}
	at[0] = preserved
	for r := range 64 {
		if mode.inputs>>(r/4)&1 != 0 {
			at[0].add(rowIn + r)
		}
	}
	reached := make([]bool, len(p.blocks))
	reached[0] = true
	for work := []int{0}; len(work) > 0; {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		b := &p.blocks[i]
		set := at[i]
		b.assign(&set, mode.outputs)
		for n := range b.successors() {
			next := b.next[n]
			if at[next].intersect(&set) || !reached[next] {
				reached[next] = true
				work = append(work, next)
			}
		}
	}
	for i := range p.blocks {
		if set := at[i]; reached[i] && !p.blocks[i].assign(&set, mode.outputs) {
			return false
		}
	}
	return true
}

// successors returns the number of blocks that can follow.
func (b *block) successors() int {
	switch b.last {
	case blockJump:
		return 1
	case blockBranch:
		return 2
	}
	return 0
}

// assign adds what the block writes to set. It reports whether set held
// everything that the block reads.
func (b *block) assign(set *assigned, outputs uint64) bool {
	ok := true
	need := func(i int) { ok = ok && set.has(i) }
	for n := range b.ops {
		op := &b.ops[n]
		for _, r := range op.reads() {
			if r < rowScratch {
				need(int(r))
			}
		}
		switch {
		case op.usesA0():
			need(slotA0 + int(op.addr&1))
		case op.writesA0():
			set.add(slotA0 + int(op.addr&1))
		case op.kind == kCmp:
			set.add(slotCmp + int(op.flag&1))
		case op.kind == kLoopCounter && op.uses:
			need(slotLoop)
		case op.kind == kLoopCounter:
			set.add(slotLoop)
		case op.kind == kSetEmit:
			set.add(slotEmit)
		case op.kind == kEmit:
			need(slotEmit)
			for c := range 64 {
				if outputs>>c&1 != 0 {
					need(rowOut + c)
				}
				set.remove(rowOut + c) // the other bank
			}
		}
		if op.dst < rowScratch {
			set.add(int(op.dst))
		}
	}
	if b.last == blockBranch {
		if b.in.Cond != CondY {
			need(slotCmp)
		}
		if b.in.Cond != CondX {
			need(slotCmp + 1)
		}
	}
	return ok
}

// loopCounter is a pseudo-op that marks for this analysis where aL is set or
// used; it does nothing.
func loopCounter(used bool) microOp {
	return microOp{kind: kLoopCounter, dst: rowScratch, plain: true, uses: used}
}

func opLoopCounter(*machine, *microOp, *Row) {}
