package shaderunit

// Lowering of the instructions with a destination register. The instruction
// table refers to these functions.

// lowerFunc appends the micro-ops of the current instruction.
type lowerFunc func(l *lowering)

// begin returns the written components (bit 0 = x), 0 if there is nothing to
// do, and decides how sources are read.
func (l *lowering) begin() (mask uint8) {
	if l.dead() {
		return 0
	}
	mask = l.components()
	if mask == 0 {
		return 0
	}
	l.arith = l.info.traits&(copies|compares) == 0
	if l.info.traits&copies != 0 {
		for k := range l.info.Format.Sources() {
			l.addRead(&l.src[k])
		}
	}
	return mask
}

// onUniform reports whether the only source is a uniform, so that all lanes
// have the same result.
func (l *lowering) onUniform() bool {
	return l.info.Format.Sources() == 1 && l.src[0].kind == operandUniform
}

// constant lowers an instruction whose source is a uniform.
func (l *lowering) constant(mask uint8) {
	o := &l.src[0]
	for i := range 4 {
		if mask>>i&1 != 0 {
			l.emit(microOp{kind: kConst, dst: l.dstRow(i), uni: o.uni, sel: o.sel, neg: o.neg, comp: uint8(i), info: l.info})
		}
	}
}

// lowerFirst lowers operations on x of the source; the result goes to all
// components.
func lowerFirst(kind opKind) lowerFunc {
	return func(l *lowering) {
		mask := l.begin()
		switch {
		case mask == 0:
		case l.onUniform():
			l.constant(mask)
		default:
			o := l.rows(0, 1)
			l.splat(microOp{kind: kind, a: [4]uint8{o.rows[0]}}, mask)
		}
	}
}

// lowerEach lowers operations on each component of one or two sources.
func lowerEach(kind opKind) lowerFunc {
	return func(l *lowering) {
		mask := l.begin()
		switch {
		case mask == 0:
			return
		case l.onUniform() && kind == kCopy:
			o := &l.src[0]
			for i := range 4 {
				if mask>>i&1 != 0 {
					l.emit(microOp{kind: kFillUniform, dst: l.dstRow(i), uni: o.uni, sel: [4]uint8{o.sel[i]}, neg: o.neg})
				}
			}
			return
		case l.onUniform():
			l.constant(mask)
			return
		}
		var ops [4]microOp
		a := l.rows(0, mask)
		for i := range ops {
			ops[i] = microOp{kind: kind, a: [4]uint8{a.rows[i]}}
		}
		if l.info.Format.Sources() > 1 {
			b := l.rows(1, mask)
			for i := range ops {
				ops[i].b = [4]uint8{b.rows[i]}
			}
		}
		l.results(ops, mask)
	}
}

// laneByLane lowers operations without row kernels: the interpreter's kernel
// runs in each lane. It flushes its sources itself.
func (l *lowering) laneByLane() {
	mask := l.begin()
	if mask == 0 {
		return
	}
	if l.onUniform() {
		l.constant(mask)
		return
	}
	l.arith = false
	for k := range l.info.Format.Sources() {
		l.addRead(&l.src[k])
	}
	var rows [3][4]uint8
	for k := range l.info.Format.Sources() {
		need := l.info.Reads(l.desc.Mask(), k)
		rows[k] = onlyRead(l.rows(k, need).rows, need)
	}
	for k := l.info.Format.Sources(); k < len(rows); k++ {
		rows[k] = rows[0]
	}
	var ops [4]microOp
	for i := range ops {
		ops[i] = microOp{kind: kLaneByLane, a: rows[0], b: rows[1], c: rows[2], comp: uint8(i), info: l.info}
	}
	l.results(ops, mask)
}

// onlyRead replaces rows that are not read with one that is.
func onlyRead(rows [4]uint8, need uint8) [4]uint8 {
	first := 0
	for first < 3 && need>>first&1 == 0 {
		first++
	}
	for i := range rows {
		if need>>i&1 == 0 {
			rows[i] = rows[first]
		}
	}
	return rows
}

// splat computes the first written component and copies it to the others.
func (l *lowering) splat(op microOp, mask uint8) {
	first := -1
	for i := range 4 {
		switch {
		case mask>>i&1 == 0:
		case first < 0:
			first = i
			op.dst = l.dstRow(i)
			l.emit(op)
		default:
			l.emit(microOp{kind: kCopy, dst: l.dstRow(i), a: [4]uint8{l.dstRow(first)}})
		}
	}
}

func lowerAdd(l *lowering) { l.addMul(false) }
func lowerMul(l *lowering) { l.addMul(true) }

func (l *lowering) addMul(mul bool) {
	mask := l.begin()
	if mask == 0 {
		return
	}
	if o := &l.src[0]; o.kind == operandUniform {
		b := l.unsigned(1, mask)
		var ops [4]microOp
		for i := range ops {
			// -(b + s) with the scalar negated is -b + s.
			ops[i] = microOp{kind: kAddVS, a: [4]uint8{b.rows[i]}, uni: o.uni, sel: [4]uint8{o.sel[i]}, neg: o.neg != b.neg, flush: true, sign: sign(b.neg)}
			if mul {
				ops[i].kind, ops[i].neg, ops[i].sign = kMulVS, false, sign(o.neg != b.neg)
			}
		}
		l.results(ops, mask)
		return
	}
	a, b := l.unsigned(0, mask), l.unsigned(1, mask)
	var ops [4]microOp
	for i := range ops {
		x, y := a.rows[i], b.rows[i]
		op := microOp{a: [4]uint8{x}, b: [4]uint8{y}}
		switch {
		case mul:
			op.kind, op.sign = kMulVV, sign(a.neg != b.neg)
		case a.neg == b.neg:
			op.kind, op.sign = kAddVV, sign(a.neg)
		case b.neg:
			op.kind = kSubVV
		default:
			op.kind, op.a, op.b = kSubVV, op.b, op.a
		}
		ops[i] = op
	}
	l.results(ops, mask)
}

func (l *lowering) mad() {
	mask := l.begin()
	if mask == 0 {
		return
	}
	var ops [4]microOp
	product := sign(l.src[0].neg != l.src[1].neg)
	wide := &l.src[l.info.Format.Wide()]
	a := l.unsigned(0, mask)
	switch {
	case wide.kind == operandUniform && l.info.Format.Wide() == 1: // a*s + c
		c := l.unsigned(2, mask)
		for i := range ops {
			ops[i] = microOp{kind: kMadVSV, a: [4]uint8{a.rows[i]}, c: [4]uint8{c.rows[i]}, uni: wide.uni, sel: [4]uint8{wide.sel[i]}, flush: true, sign: product, signLast: sign(c.neg) >> 1}
		}
	case wide.kind == operandUniform: // a*b + s
		b := l.unsigned(1, mask)
		for i := range ops {
			ops[i] = microOp{kind: kMadVVS, a: [4]uint8{a.rows[i]}, b: [4]uint8{b.rows[i]}, uni: wide.uni, sel: [4]uint8{wide.sel[i]}, neg: wide.neg, flush: true, sign: product}
		}
	default:
		b, c := l.unsigned(1, mask), l.unsigned(2, mask)
		for i := range ops {
			ops[i] = microOp{kind: kMadVVV, a: [4]uint8{a.rows[i]}, b: [4]uint8{b.rows[i]}, c: [4]uint8{c.rows[i]}, sign: product, signLast: sign(c.neg) >> 1}
		}
	}
	l.results(ops, mask)
}

// dotKind is one of the dot products.
type dotKind uint8

const (
	product3 dotKind = iota
	product4
	productH // homogenous: w of source 1 is 1
)

func lowerDot(d dotKind) lowerFunc {
	return func(l *lowering) {
		if mask := l.begin(); mask != 0 {
			l.splat(l.dot(d), mask)
		}
	}
}

// dot makes the op of a dot product; its destination is set later.
func (l *lowering) dot(d dotKind) microOp {
	dp3, homogenous := d == product3, d == productH
	wide := l.info.Format.Wide()
	w, n := &l.src[wide], &l.src[1-wide]
	need := [2]uint8{0xF, 0xF}
	if dp3 {
		need = [2]uint8{7, 7}
	}
	if homogenous {
		need[0] = 7
	}
	op := microOp{sign: sign(w.neg != n.neg)}
	switch {
	case w.kind == operandUniform:
		op.a = l.unsigned(1-wide, need[1-wide]).rows
		op.uni, op.sel, op.flush = w.uni, w.sel, true
		switch {
		case dp3:
			op.kind = kDot3VS
		case !homogenous:
			op.kind = kDot4VS
		case wide == 0:
			op.kind, op.neg, op.sign = kDphSV, w.neg, sign(n.neg)
		default:
			op.kind, op.minusOne = kDphVS, l.src[0].neg
		}
	case w.kind == operandGather && !homogenous && !l.flush && w.sel == [4]uint8{0, 1, 2, 3}:
		op.a = l.unsigned(1-wide, need[1-wide]).rows
		op.uni, op.sel, op.addr = w.uni, w.sel, w.addr
		op.kind = kDot4G
		if dp3 {
			op.kind = kDot3G
		}
	default:
		op.a, op.b = l.unsigned(0, need[0]).rows, l.unsigned(1, need[1]).rows
		switch {
		case dp3:
			op.kind = kDot3VV
		case homogenous:
			op.kind, op.minusOne = kDphVV, l.src[0].neg
		default:
			op.kind = kDot4VV
		}
	}
	if dp3 { // the w rows are not read, but must exist
		op.a[3], op.b[3] = op.a[0], op.b[0]
	}
	return op
}
