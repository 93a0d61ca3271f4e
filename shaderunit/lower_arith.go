package shaderunit

// Lowering of the instructions with kernels, all but CMP, MOVA, LITP and DST.

func (l *lowering) plain() {
	mask := l.components()
	if l.dead() || mask == 0 {
		return
	}
	switch l.in.Op {
	case OpMOV, OpMAX, OpMIN, OpSGE, OpSGEI, OpSLT, OpSLTI:
	default:
		l.arith = true
	}
	switch l.in.Op {
	case OpMOV, OpMAX, OpMIN:
		for k := range l.info.Format.Sources() {
			l.noteRead(&l.src[k])
		}
	}
	if l.info.Format == Format1u && l.src[0].kind == operandUniform {
		l.constant(mask)
		return
	}
	switch l.in.Op {
	case OpDP3, OpDP4, OpDPH, OpDPHI:
		l.splat(l.dot(), mask)
	case OpRCP, OpRSQ, OpEX2, OpLG2:
		o := l.rows(0, 1)
		l.splat(microOp{kind: unaryOps[l.in.Op], a: [4]uint8{o.rows[0]}}, mask)
	case OpMOV, OpFLR:
		o := l.rows(0, mask)
		var ops [4]microOp
		for i := range ops {
			ops[i] = microOp{kind: unaryOps[l.in.Op], a: [4]uint8{o.rows[i]}}
		}
		l.results(ops, mask)
	case OpMAX, OpMIN, OpSGE, OpSGEI, OpSLT, OpSLTI:
		a, b := l.rows(0, mask), l.rows(1, mask)
		var ops [4]microOp
		for i := range ops {
			ops[i] = microOp{kind: binaryOps[l.in.Op], a: [4]uint8{a.rows[i]}, b: [4]uint8{b.rows[i]}}
		}
		l.results(ops, mask)
	case OpADD, OpMUL:
		l.addMul(mask)
	case OpMAD, OpMADI:
		l.mad(mask)
	}
}

var unaryOps = map[Opcode]opKind{
	OpMOV: kCopy, OpFLR: kFlr, OpRCP: kRcp, OpRSQ: kRsq, OpEX2: kEx2, OpLG2: kLg2,
}

var binaryOps = map[Opcode]opKind{
	OpMAX: kMaxVV, OpMIN: kMinVV, OpSGE: kSgeVV, OpSGEI: kSgeVV, OpSLT: kSltVV, OpSLTI: kSltVV,
}

// constant lowers a unary instruction on a uniform: one result for all lanes.
func (l *lowering) constant(mask uint8) {
	o := &l.src[0]
	for i := range 4 {
		switch {
		case mask>>i&1 == 0:
		case l.in.Op == OpMOV:
			l.emit(microOp{kind: kFillUniform, dst: l.dstRow(i), uni: o.uni, sel: [4]uint8{o.sel[i]}, neg: o.neg})
		default:
			l.emit(microOp{kind: kConst, dst: l.dstRow(i), uni: o.uni, sel: o.sel, neg: o.neg, comp: uint8(i), info: l.info})
		}
	}
}

// splat computes into the first written component and copies it to the others.
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

func (l *lowering) addMul(mask uint8) {
	mul := l.in.Op == OpMUL
	if o := &l.src[0]; o.kind == operandUniform {
		b := l.unsigned(1, mask)
		var ops [4]microOp
		for i := range ops {
			// -(b + s) with the scalar's sign turned is -b + s.
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

func (l *lowering) mad(mask uint8) {
	var ops [4]microOp
	product := sign(l.src[0].neg != l.src[1].neg)
	wide := &l.src[l.info.Format.Wide()]
	a := l.unsigned(0, mask)
	switch {
	case wide.kind == operandUniform && l.in.Op == OpMAD: // a*s + c
		c := l.unsigned(2, mask)
		for i := range ops {
			ops[i] = microOp{kind: kMadVSV, a: [4]uint8{a.rows[i]}, c: c.rows[i], uni: wide.uni, sel: [4]uint8{wide.sel[i]}, flush: true, sign: product | sign(c.neg)>>1}
		}
	case wide.kind == operandUniform: // a*b + s
		b := l.unsigned(1, mask)
		for i := range ops {
			ops[i] = microOp{kind: kMadVVS, a: [4]uint8{a.rows[i]}, b: [4]uint8{b.rows[i]}, uni: wide.uni, sel: [4]uint8{wide.sel[i]}, neg: wide.neg, flush: true, sign: product}
		}
	default:
		b, c := l.unsigned(1, mask), l.unsigned(2, mask)
		for i := range ops {
			ops[i] = microOp{kind: kMadVVV, a: [4]uint8{a.rows[i]}, b: [4]uint8{b.rows[i]}, c: c.rows[i], sign: product | sign(c.neg)>>1}
		}
	}
	l.results(ops, mask)
}

// dot gives the op of a dot product, whose destination is set later.
func (l *lowering) dot() microOp {
	dp3 := l.in.Op == OpDP3
	homogenous := l.in.Op == OpDPH || l.in.Op == OpDPHI
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
			op.kind, op.neg = kDphVS, l.src[0].neg
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
			op.kind, op.neg = kDphVV, l.src[0].neg
		default:
			op.kind = kDot4VV
		}
	}
	if dp3 { // the w rows are not read, but must be rows that exist
		op.a[3], op.b[3] = op.a[0], op.b[0]
	}
	return op
}
