package shaderunit

// machine is the state on which micro-ops work during a run.
type machine struct {
	kernels *kernelSet

	b      *Batch
	f      *[96]vec4 // float uniforms
	n      int       // lanes to compute, a multiple of 8
	active uint64    // lanes whose flags and address registers may be written
	all    bool      // active is every lane in use

	// Geometry shaders:
	lane     *LaneUniforms
	emission [Lanes]uint8 // what SETEMIT set
	log      *EmitLog

	// Operands of the current kernel. They are here so that they do not escape to
	// the heap.
	sb  vec4
	src [3]vec4
}

// microOp is a kernel with its operands: it computes one row.
type microOp struct {
	run  func(m *machine, op *microOp, d *Row) // set by finish from kind
	kind opKind
	dst  uint8 // row that is written

	a, b, c [4]uint8 // rows of the first, second and third source
	out     [4]uint8 // rows that a gather writes
	// plain is true if a lane mask does not apply to the row: it is scratch, or the
	// op writes flags or address registers.
	plain bool

	// The source that is a float uniform:
	uni   uint8    // its index, or the base of a gather
	sel   [4]uint8 // its components
	neg   bool     // negates it
	flush bool     // flushes it

	sign     uint32 // negation of the result, or of the product in MADs, in bit 31
	signLast uint32 // negation of a MAD's last source in bit 30
	minusOne bool   // DPH: the 1 in place of the first source's w is -1

	addr  uint8     // address register that is used or written, 0 = a0.x
	cmp   CompareOp // comparison
	flag  uint8     // flag that it sets, 0 = cmp.x
	state uint8     // what SETEMIT sets
	uses  bool      // loop counter: aL is used, otherwise set

	info  *OpInfo // instruction whose scalar kernel runs
	comp  uint8   // component of its result
	value float32 // constant of a fill
}

// row returns a row of the batch.
func (m *machine) row(r uint8) *Row { return &m.b.rows[r] }

// row4 returns the rows of a vector.
func (m *machine) row4(r *[4]uint8) (x, y, z, w *Row) {
	return &m.b.rows[r[0]], &m.b.rows[r[1]], &m.b.rows[r[2]], &m.b.rows[r[3]]
}

// scalar returns component i of the op's uniform operand.
func (m *machine) scalar(op *microOp, i int) float32 {
	x := m.f[op.uni%96][op.sel[i]&3] + 0
	if op.flush {
		x = flush(x)
	}
	if op.neg {
		x = 0 - x
	}
	return x
}

// scalars sets sb to the op's uniform operand.
func (m *machine) scalars(op *microOp) *vec4 {
	for i := range m.sb {
		m.sb[i] = m.scalar(op, i)
	}
	return &m.sb
}

func opCopy(m *machine, op *microOp, d *Row)  { m.kernels.copy(d, m.row(op.a[0]), m.n) }
func opNeg(m *machine, op *microOp, d *Row)   { m.kernels.neg(d, m.row(op.a[0]), m.n) }
func opFlush(m *machine, op *microOp, d *Row) { m.kernels.flush(d, m.row(op.a[0]), m.n) }
func opFill(m *machine, op *microOp, d *Row)  { m.kernels.fill(d, op.value, m.n) }

// opFillUniform broadcasts a uniform's component.
func opFillUniform(m *machine, op *microOp, d *Row) { m.kernels.fill(d, m.scalar(op, 0), m.n) }

// opConst runs an instruction whose sources are all uniforms, once.
func opConst(m *machine, op *microOp, d *Row) {
	m.src[0] = *m.scalars(op)
	m.kernels.fill(d, op.info.kernel(&m.src)[op.comp&3], m.n)
}

// opLaneByLane runs the scalar kernel of an instruction in each lane.
func opLaneByLane(m *machine, op *microOp, d *Row) {
	for l := range m.n {
		for k, rows := range [3]*[4]uint8{&op.a, &op.b, &op.c} {
			for i, r := range rows {
				m.src[k][i] = m.b.rows[r][l&63]
			}
		}
		d[l&63] = op.info.kernel(&m.src)[op.comp&3]
	}
}

func opAddVV(m *machine, op *microOp, d *Row) {
	m.kernels.addVV(d, m.row(op.a[0]), m.row(op.b[0]), m.n, op.sign)
}
func opSubVV(m *machine, op *microOp, d *Row) {
	m.kernels.subVV(d, m.row(op.a[0]), m.row(op.b[0]), m.n)
}
func opAddVS(m *machine, op *microOp, d *Row) {
	m.kernels.addVS(d, m.row(op.a[0]), m.scalar(op, 0), m.n, op.sign)
}
func opMulVV(m *machine, op *microOp, d *Row) {
	m.kernels.mulVV(d, m.row(op.a[0]), m.row(op.b[0]), m.n, op.sign)
}
func opMulVS(m *machine, op *microOp, d *Row) {
	m.kernels.mulVS(d, m.row(op.a[0]), m.scalar(op, 0), m.n, op.sign)
}
func opMadVVV(m *machine, op *microOp, d *Row) {
	m.kernels.madVVV(d, m.row(op.a[0]), m.row(op.b[0]), m.row(op.c[0]), m.n, op.sign|op.signLast)
}
func opMadVSV(m *machine, op *microOp, d *Row) {
	m.kernels.madVSV(d, m.row(op.a[0]), m.scalar(op, 0), m.row(op.c[0]), m.n, op.sign|op.signLast)
}
func opMadVVS(m *machine, op *microOp, d *Row) {
	m.kernels.madVVS(d, m.row(op.a[0]), m.row(op.b[0]), m.scalar(op, 0), m.n, op.sign)
}

func opMaxVV(m *machine, op *microOp, d *Row) {
	m.kernels.maxVV(d, m.row(op.a[0]), m.row(op.b[0]), m.n)
}
func opMinVV(m *machine, op *microOp, d *Row) {
	m.kernels.minVV(d, m.row(op.a[0]), m.row(op.b[0]), m.n)
}
func opSgeVV(m *machine, op *microOp, d *Row) {
	m.kernels.sgeVV(d, m.row(op.a[0]), m.row(op.b[0]), m.n)
}
func opSltVV(m *machine, op *microOp, d *Row) {
	m.kernels.sltVV(d, m.row(op.a[0]), m.row(op.b[0]), m.n)
}

func opFlr(m *machine, op *microOp, d *Row)      { m.kernels.flr(d, m.row(op.a[0]), m.n) }
func opRcp(m *machine, op *microOp, d *Row)      { m.kernels.rcp(d, m.row(op.a[0]), m.n) }
func opRsq(m *machine, op *microOp, d *Row)      { m.kernels.rsq(d, m.row(op.a[0]), m.n) }
func opEx2(m *machine, op *microOp, d *Row)      { m.kernels.ex2(d, m.row(op.a[0]), m.n) }
func opLg2(m *machine, op *microOp, d *Row)      { m.kernels.lg2(d, m.row(op.a[0]), m.n) }
func opMaxZero(m *machine, op *microOp, d *Row)  { m.kernels.maxZero(d, m.row(op.a[0]), m.n) }
func opClampLit(m *machine, op *microOp, d *Row) { m.kernels.clampLit(d, m.row(op.a[0]), m.n) }

func opDot4VV(m *machine, op *microOp, d *Row) {
	ax, ay, az, aw := m.row4(&op.a)
	bx, by, bz, bw := m.row4(&op.b)
	m.kernels.dot4VV(d, ax, ay, az, aw, bx, by, bz, bw, m.n, op.sign)
}
func opDot4VS(m *machine, op *microOp, d *Row) {
	ax, ay, az, aw := m.row4(&op.a)
	m.kernels.dot4VS(d, ax, ay, az, aw, m.scalars(op), m.n, op.sign)
}
func opDot3VV(m *machine, op *microOp, d *Row) {
	ax, ay, az, _ := m.row4(&op.a)
	bx, by, bz, _ := m.row4(&op.b)
	m.kernels.dot3VV(d, ax, ay, az, bx, by, bz, m.n, op.sign)
}
func opDot3VS(m *machine, op *microOp, d *Row) {
	ax, ay, az, _ := m.row4(&op.a)
	m.kernels.dot3VS(d, ax, ay, az, m.scalars(op), m.n, op.sign)
}

// homogenous returns the 1 of DPH, negated if the sign of the first source was
// moved to the sum: with s1 = -a the result is -(a.b - b.w).
func (op *microOp) homogenous() float32 {
	if op.minusOne {
		return -1
	}
	return 1
}

func opDphVV(m *machine, op *microOp, d *Row) {
	ax, ay, az, _ := m.row4(&op.a)
	bx, by, bz, bw := m.row4(&op.b)
	m.kernels.dphVV(d, ax, ay, az, bx, by, bz, bw, op.homogenous(), m.n, op.sign)
}

// opDphVS has the uniform as second source; its sign is part of the result's.
func opDphVS(m *machine, op *microOp, d *Row) {
	for i := range m.sb {
		m.sb[i] = m.f[op.uni%96][op.sel[i]&3] + 0
		if op.flush {
			m.sb[i] = flush(m.sb[i])
		}
	}
	ax, ay, az, _ := m.row4(&op.a)
	m.kernels.dphVS(d, ax, ay, az, &m.sb, op.homogenous(), m.n, op.sign)
}

// opDphSV has the uniform as first source, with its sign; its w becomes 1.
func opDphSV(m *machine, op *microOp, d *Row) {
	m.scalars(op)[3] = 1
	ax, ay, az, aw := m.row4(&op.a)
	m.kernels.dot4VS(d, ax, ay, az, aw, &m.sb, m.n, op.sign)
}

// Kernels that gather may leave reads beyond c95 to plain Go.

func opGather(m *machine, op *microOp, _ *Row) {
	x, y, z, w := m.row4(&op.out)
	off := &m.b.a0[op.addr&1]
	if !m.kernels.gather(x, y, z, w, m.f, off, int(op.uni), m.n) {
		goGather(x, y, z, w, m.f, off, int(op.uni), m.n)
	}
}

func opDot4G(m *machine, op *microOp, d *Row) {
	ax, ay, az, aw := m.row4(&op.a)
	off := &m.b.a0[op.addr&1]
	if !m.kernels.dot4G(d, ax, ay, az, aw, m.f, off, int(op.uni), m.n, op.sign) {
		goDot4G(d, ax, ay, az, aw, m.f, off, int(op.uni), m.n, op.sign)
	}
}
func opDot3G(m *machine, op *microOp, d *Row) {
	ax, ay, az, _ := m.row4(&op.a)
	off := &m.b.a0[op.addr&1]
	if !m.kernels.dot3G(d, ax, ay, az, m.f, off, int(op.uni), m.n, op.sign) {
		goDot3G(d, ax, ay, az, m.f, off, int(op.uni), m.n, op.sign)
	}
}

// opMova writes an address register in the active lanes.
func opMova(m *machine, op *microOp, _ *Row) {
	d := &m.b.a0[op.addr&1]
	if m.all {
		m.kernels.trunc(d, m.row(op.a[0]), m.n)
		return
	}
	a := m.row(op.a[0])[:m.n]
	for i := range a {
		if m.active>>uint(i)&1 != 0 {
			d[i] = truncInt(a[i])
		}
	}
}

// opCmp writes a flag in the active lanes.
func opCmp(m *machine, op *microOp, _ *Row) {
	set := ^uint64(0)
	switch a, b := m.row(op.a[0]), m.row(op.b[0]); op.cmp {
	case CompareEQ:
		set = m.kernels.cmpEQ(a, b, m.n)
	case CompareNE:
		set = m.kernels.cmpNE(a, b, m.n)
	case CompareLT:
		set = m.kernels.cmpLT(a, b, m.n)
	case CompareLE:
		set = m.kernels.cmpLE(a, b, m.n)
	}
	f := &m.b.cmp[op.flag&1]
	*f = *f&^m.active | set&m.active
}
