package shaderunit

import "slices"

// lowering turns instructions into micro-ops, one for each component of the
// result. It moves negations into the sign of results if that gives the same
// bits.
type lowering struct {
	s       *Setup
	p       *program
	flush   bool
	outMask uint16
	mode    variantMode

	ops  []microOp
	in   *Instr
	info *OpInfo
	desc OpDesc
	al   int32
	// usedAL is true if aL is an operand.
	usedAL bool
	src    [3]operand
	arith  bool // sources are flushed
}

// operand is a source of a kernel: four rows after the swizzle, or a float
// uniform.
type operand struct {
	kind operandKind
	rows [4]uint8 // one for each component after the swizzle; before it for gathers
	sel  [4]uint8
	neg  bool
	uni  uint8  // index of the float uniform, or base of a gather
	addr uint8  // address register of a gather
	read SrcReg // register
	done bool   // rows already have the sign and are flushed
}

type operandKind uint8

const (
	operandRows       operandKind = iota
	operandUniform                // the same for all lanes
	operandGather                 // c(uni + a0)
	operandOnes                   // beyond c95, all ones
	operandLane                   // a float uniform that differs between lanes
	operandLaneGather             // c(uni + a0), with uniforms that differ between lanes
)

// Scratch rows: four for each source, four for results that must wait, one for
// the result under a lane mask.
const (
	scratchResult = rowScratch + 12
	scratchMasked = rowScratch + 16
)

// instruction appends the micro-ops of one instruction.
func (l *lowering) instruction(ops []microOp, in *Instr, info *OpInfo, al int32) []microOp {
	l.ops, l.in, l.info, l.al = ops, in, info, al
	l.desc = OpDesc(l.s.desc[in.Desc])
	for k := range info.Format.Sources() {
		l.src[k] = l.operand(k)
	}
	l.arith = false
	if info.lower != nil {
		info.lower(l)
	} else {
		l.laneByLane()
	}
	return l.ops
}

func (l *lowering) operand(k int) operand {
	in, r := l.in, l.in.Src[k]
	o := operand{neg: l.desc.Neg(k), read: r}
	for i := range o.sel {
		o.sel[i] = uint8(l.desc.Sel(k, i))
	}
	switch {
	case r < SrcUniform:
		base := rowIn + uint8(r)*4
		if r >= SrcTemp {
			base = rowTemp + uint8(r-SrcTemp)*4
		}
		for i := range o.rows {
			o.rows[i] = base + o.sel[i]
		}
		return o
	case k == l.info.Format.Wide() && (in.Idx == AddrA0X || in.Idx == AddrA0Y):
		o.kind, o.uni, o.addr = operandGather, uint8(r-SrcUniform), uint8(in.Idx-AddrA0X)
		l.p.gathers = true
		if l.mode.hi > l.mode.lo {
			o.kind = operandLaneGather
			l.p.laneGathers = true
		}
		return o
	}
	var offset int32
	if k == l.info.Format.Wide() && in.Idx == AddrAL {
		offset = l.al
		l.usedAL = true
	}
	i, ok := uniformIndex(int(r-SrcUniform), offset)
	if !ok {
		o.kind = operandOnes
		return o
	}
	o.kind, o.uni = operandUniform, uint8(i)
	if o.uni >= l.mode.lo && o.uni < l.mode.hi {
		o.kind = operandLane
	}
	return o
}

func (l *lowering) emit(op microOp) { l.ops = append(l.ops, op) }

// dstRow returns the row of component i of the destination.
func (l *lowering) dstRow(i int) uint8 {
	if l.in.Dst < DstTemp {
		return rowOut + uint8(l.in.Dst)*4 + uint8(i)
	}
	return rowTemp + uint8(l.in.Dst-DstTemp)*4 + uint8(i)
}

// dead reports whether nothing reads the destination.
func (l *lowering) dead() bool {
	return l.in.Dst < DstTemp && l.outMask>>l.in.Dst&1 == 0
}

// addRead records a uniform that reaches registers without being flushed.
func (l *lowering) addRead(o *operand) {
	if o.kind == operandUniform {
		l.p.plainReads = append(l.p.plainReads, o.uni)
	}
}

// rows returns source k as rows of the components in need (bit i = component i
// after swizzle), with its sign and, in arithmetic, flushed.
func (l *lowering) rows(k int, need uint8) *operand {
	o := &l.src[k]
	if o.done {
		return o
	}
	o.done = true
	scratch := uint8(rowScratch + 4*k)
	switch o.kind {
	case operandOnes, operandUniform:
		for i := range o.rows {
			o.rows[i] = scratch + uint8(i)
			if need>>i&1 == 0 {
				continue
			}
			op := microOp{kind: kFillUniform, dst: o.rows[i], plain: true, uni: o.uni, sel: [4]uint8{o.sel[i]}, neg: o.neg, flush: l.arith}
			if o.kind == operandOnes {
				op.kind, op.value = kFill, 1
				if o.neg {
					op.value = -1
				}
			}
			l.emit(op)
		}
		return o
	case operandLane, operandLaneGather:
		return l.lane(o, scratch, need)
	case operandGather:
		var comps uint8
		g := microOp{kind: kGather, dst: scratch, plain: true, uni: o.uni, addr: o.addr}
		for j := range g.out {
			g.out[j] = scratch + uint8(j)
		}
		for i := range o.rows {
			o.rows[i] = scratch + o.sel[i]
			if need>>i&1 != 0 {
				comps |= 1 << o.sel[i]
			}
		}
		l.emit(g)
		for j := range uint8(4) {
			if comps>>j&1 != 0 {
				l.prepare(scratch+j, scratch+j, o.neg)
			}
		}
		return o
	}
	if !o.neg && (!l.arith || !l.flush || o.read < SrcTemp) {
		return o
	}
	var made [4]bool
	for i := range o.rows {
		from, to := o.rows[i], scratch+o.sel[i]
		o.rows[i] = to
		if need>>i&1 != 0 && !made[o.sel[i]] {
			made[o.sel[i]] = true
			l.prepare(to, from, o.neg)
		}
	}
	return o
}

// prepare makes a flushed or negated copy of a row.
func (l *lowering) prepare(to, from uint8, neg bool) {
	if l.arith && l.flush {
		l.emit(microOp{kind: kFlush, dst: to, a: [4]uint8{from}, plain: true})
		from = to
	}
	if neg {
		l.emit(microOp{kind: kNeg, dst: to, a: [4]uint8{from}, plain: true})
	}
}

// unsigned is rows for kernels that apply the sign to the result.
func (l *lowering) unsigned(k int, need uint8) *operand {
	o := &l.src[k]
	neg := o.neg
	o.neg = false
	l.rows(k, need)
	o.neg = neg
	return o
}

// components returns the mask with bit i = component i.
func (l *lowering) components() uint8 {
	var m uint8
	for i := range 4 {
		if l.desc.Writes(i) {
			m |= 1 << i
		}
	}
	return m
}

func sign(neg bool) uint32 {
	if neg {
		return signBit
	}
	return 0
}

func (l *lowering) cmp() {
	a, b := l.rows(0, 3), l.rows(1, 3)
	for i, op := range [2]CompareOp{l.in.CmpX, l.in.CmpY} {
		x, y := a.rows[i], b.rows[i]
		switch op {
		case CompareGT:
			op, x, y = CompareLT, y, x
		case CompareGE:
			op, x, y = CompareLE, y, x
		}
		l.emit(microOp{kind: kCmp, dst: rowScratch, plain: true, a: [4]uint8{x}, b: [4]uint8{y}, cmp: op, flag: uint8(i)})
	}
}

func (l *lowering) mova() {
	m := l.components() & 3
	if m == 0 {
		return
	}
	o := l.rows(0, m)
	for i := range 2 {
		if m>>i&1 != 0 {
			l.emit(microOp{kind: kMova, dst: rowScratch, plain: true, a: [4]uint8{o.rows[i]}, addr: uint8(i)})
		}
	}
}

// litp writes x, y and w and sets the flags, from the sources before any write.
func (l *lowering) litp() {
	l.addRead(&l.src[0])
	o := l.rows(0, 0xF)
	zero := uint8(scratchResult + 3)
	l.emit(microOp{kind: kFill, dst: zero, plain: true})
	for f, i := range [2]int{0, 3} {
		l.emit(microOp{kind: kCmp, dst: rowScratch, plain: true, a: [4]uint8{zero}, b: [4]uint8{o.rows[i]}, cmp: CompareLE, flag: uint8(f)})
	}
	if l.dead() {
		return
	}
	l.results([4]microOp{
		{kind: kMaxZero, a: [4]uint8{o.rows[0]}},
		{kind: kClampLit, a: [4]uint8{o.rows[1]}},
		{kind: kFill},
		{kind: kMaxZero, a: [4]uint8{o.rows[3]}},
	}, l.components())
}

func (l *lowering) dst() {
	if l.dead() {
		return
	}
	m := l.components()
	l.addRead(&l.src[0])
	l.addRead(&l.src[1])
	// Only y is arithmetic. Each component of a source has its own row, so y's rows
	// are not those of z and w.
	l.splitFlush()
	a, b := &l.src[0], &l.src[1]
	l.results([4]microOp{
		{kind: kFill, value: 1},
		{kind: kMulVV, a: [4]uint8{a.rows[1]}, b: [4]uint8{b.rows[1]}},
		{kind: kCopy, a: [4]uint8{a.rows[2]}},
		{kind: kCopy, a: [4]uint8{b.rows[3]}},
	}, m)
}

// splitFlush makes the rows for DST: unflushed ones, and a flushed copy of y in
// a result row.
func (l *lowering) splitFlush() {
	l.rows(0, 6)
	l.rows(1, 10)
	if !l.flush {
		return
	}
	for k := range 2 {
		to := uint8(scratchResult + 2 + k) // results() uses the others
		l.emit(microOp{kind: kFlush, dst: to, a: [4]uint8{l.src[k].rows[1]}, plain: true})
		l.src[k].rows[1] = to
	}
}

// results emits the ops of the written components in an order in which no op
// overwrites what a later one reads. If there is none, a result goes to a
// scratch row first.
func (l *lowering) results(ops [4]microOp, mask uint8) {
	var waiting []microOp
	for mask != 0 {
		pick := -1
		for i := range ops {
			if mask>>i&1 != 0 && !l.readByOthers(&ops, mask&^(1<<i), l.dstRow(i)) {
				pick = i
				break
			}
		}
		if pick >= 0 {
			ops[pick].dst = l.dstRow(pick)
			l.emit(ops[pick])
			mask &^= 1 << pick
			continue
		}
		for i := range ops {
			if mask>>i&1 != 0 {
				to := uint8(scratchResult + len(waiting))
				ops[i].dst, ops[i].plain = to, true
				l.emit(ops[i])
				waiting = append(waiting, microOp{kind: kCopy, dst: l.dstRow(i), a: [4]uint8{to}})
				mask &^= 1 << i
				break
			}
		}
	}
	l.ops = append(l.ops, waiting...)
}

func (l *lowering) readByOthers(ops *[4]microOp, others uint8, row uint8) bool {
	for i := range ops {
		if others>>i&1 == 0 {
			continue
		}
		if slices.Contains(ops[i].reads(), row) {
			return true
		}
	}
	return false
}
