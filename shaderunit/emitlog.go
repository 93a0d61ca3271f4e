package shaderunit

import "math/bits"

// This file runs geometry shaders over batches, with a run of the program in
// each lane. Emitted vertices go to a log, because the primitives of one run
// must follow those of the run before.

// LaneUniforms are float uniforms that differ between lanes, for the variable
// and fixed modes of geometry shaders: component comp of c(reg) is
// LaneUniforms[reg][comp].
type LaneUniforms [96][4]Row

// GeometryRun describes how the lanes of a batch differ.
type GeometryRun struct {
	Inputs uint16 // input registers that are set for each lane
	// The float uniforms Lo to Hi-1 come from Uniforms. Its other rows are scratch
	// memory of the run.
	Lo, Hi   uint8
	Uniforms *LaneUniforms
	// Outputs are the output components to store, bit 4*register + component.
	Outputs uint64
	// Registers holds the temporary registers of a program that Remembers, before
	// and after the run. Other programs do not use it.
	Registers *Interpreter
}

// EmitLog holds what the lanes of a batch emitted.
type EmitLog struct {
	entries []logEntry
	rows    []Row // of all entries: a row for each stored component
	wanted  []uint8
	full    bool
	out     uint64 // lanes that left the code memory
}

type logEntry struct {
	lanes uint64
	state [Lanes]uint8
}

// maxLoggedRows bounds the rows of a log, of 256 bytes each, to 8 MB. With
// vertices of 12 components that is 2730 EMIT instructions.
const maxLoggedRows = 1 << 15

// Len is the number of entries.
func (l *EmitLog) Len() int { return len(l.entries) }

// Lanes returns which lanes emitted entry i.
func (l *EmitLog) Lanes(i int) uint64 { return l.entries[i].lanes }

// RanOut reports whether the run of a lane had no END and left the code memory.
func (l *EmitLog) RanOut(lane int) bool { return l.out>>lane&1 != 0 }

// At returns entry i of a lane: the flags of SETEMIT, and the rows of the
// stored components in ascending order. Out is not set.
func (l *EmitLog) At(i, lane int) (Emission, []Row) {
	s := l.entries[i].state[lane]
	n := len(l.wanted)
	return Emission{VertexID: s & 3, PrimEmit: s&statePrim != 0, Winding: s&stateWinding != 0}, l.rows[i*n : (i+1)*n]
}

const (
	statePrim    = 4
	stateWinding = 8
)

func (l *EmitLog) reset(outputs uint64) {
	l.entries, l.rows, l.wanted, l.full = l.entries[:0], l.rows[:0], l.wanted[:0], false
	l.out = 0
	for ; outputs != 0; outputs &= outputs - 1 {
		l.wanted = append(l.wanted, uint8(bits.TrailingZeros64(outputs)))
	}
}

// RunGeometry runs the geometry shader of s in the first n lanes of b. If the
// program cannot run in a batch it returns ok false, without effect; then use
// the interpreter. That is so if the program reads registers, other than
// temporary ones, from an earlier run, emits outputs that were not written
// since the last EMIT, runs into an error, or is too large. The log is valid
// until the next run.
//
// A program that Remembers runs in batches of one lane.
//
// Lane uniforms must satisfy the same conditions as inputs of a Batch. steps is
// the number of instructions executed, in any lane.
func (e *Engine) RunGeometry(s *Setup, b *Batch, n int, g *GeometryRun) (log *EmitLog, steps int, ok bool) {
	return e.RunGeometryProgram(e.GeometryProgram(s, g), s, b, n, g)
}

// RunGeometryProgram is RunGeometry with a program from GeometryProgram for s
// and g.
func (e *Engine) RunGeometryProgram(program Program, s *Setup, b *Batch, n int, g *GeometryRun) (log *EmitLog, steps int, ok bool) {
	p := program.p
	if n <= 0 || n > Lanes || !p.batched() || p.remembers && (n > 1 || g.Registers == nil || !p.recall(b, g.Registers)) {
		return nil, 0, false
	}
	m := &e.m
	m.kernels = kernelsFor(e.Kernels)
	m.lane = g.Uniforms
	m.log = &e.log
	e.log.reset(g.Outputs)
	if p.laneGathers {
		e.spreadUniforms(s, g, (n+7)&^7)
	}
	ok = e.run(p, s, b, n) && !e.log.full
	m.lane, m.log = nil, nil
	if ok && p.remembers {
		p.remember(b, g.Registers)
	}
	return &e.log, e.steps, ok
}

// GeometryProgram returns the compiled geometry shader of s.
func (e *Engine) GeometryProgram(s *Setup, g *GeometryRun) Program {
	return Program{e.cache.programFor(s, variantMode{geometry: true, lo: g.Lo, hi: g.Hi, inputs: g.Inputs, outputs: g.Outputs})}
}

// Remembers reports whether the program reads temporary registers that it has
// not written: each of its runs then depends on the run before.
func (p Program) Remembers() bool { return p.p != nil && p.p.remembers }

// batched reports whether a geometry shader may run in batches.
func (p *program) batched() bool { return !p.scalar && (p.selfContained || p.remembers) }

// recall copies the temporary registers that the program may write, or reads
// first, to lane 0 of a batch. It returns false if a batch cannot hold their
// values.
func (p *program) recall(b *Batch, it *Interpreter) bool {
	for r := range it.Temp {
		for c, v := range it.Temp[r] {
			if isSubnormal(v) {
				return false
			}
			b.rows[rowTemp+4*r+c][0] = noNegZero(v)
		}
	}
	return true
}

// remember copies the temporary registers that the program may have written out
// of lane 0.
func (p *program) remember(b *Batch, it *Interpreter) {
	for r := range it.Temp {
		for c := range it.Temp[r] {
			if p.touched.temp[r]>>c&1 != 0 {
				it.Temp[r][c] = b.rows[rowTemp+4*r+c][0]
			}
		}
	}
}

// Leave clears what the program of s may have written in it, if RunGeometry
// runs such programs, except the temporary registers of a program that
// Remembers. So runs in the interpreter and in batches leave the same.
func (e *Engine) Leave(s *Setup, g *GeometryRun, it *Interpreter) {
	if p := e.GeometryProgram(s, g).p; p.batched() {
		touched := p.touched
		if p.remembers {
			touched.temp = [16]uint8{}
		}
		touched.clear(it, g.Inputs)
	}
}

// spreadUniforms fills the rows of uniforms that are the same in all lanes, for
// relative addressing.
func (e *Engine) spreadUniforms(s *Setup, g *GeometryRun, n int) {
	for r := range g.Uniforms {
		if r >= int(g.Lo) && r < int(g.Hi) {
			continue
		}
		for c := range 4 {
			e.m.kernels.fill(&g.Uniforms[r][c], s.uniform(r, c), n)
		}
	}
}

// opSetEmit sets the flags of the next EMIT.
func opSetEmit(m *machine, op *microOp, _ *Row) {
	if m.all {
		for i := range m.emission {
			m.emission[i] = op.state
		}
		return
	}
	for lanes := m.active; lanes != 0; lanes &= lanes - 1 {
		m.emission[bits.TrailingZeros64(lanes)&63] = op.state
	}
}

// opEmit writes the output registers of the active lanes to the log.
func opEmit(m *machine, _ *microOp, _ *Row) {
	l := m.log
	if (len(l.entries)+1)*max(1, len(l.wanted)) > maxLoggedRows {
		l.full = true
		return
	}
	l.entries = append(l.entries, logEntry{m.active, m.emission})
	for _, w := range l.wanted {
		l.rows = append(l.rows, m.b.rows[rowOut+uint(w&63)])
	}
}

// opLane copies a component of a lane uniform.
func opLane(m *machine, op *microOp, d *Row) { m.kernels.copy(d, &m.lane[op.uni%96][op.sel[0]&3], m.n) }

// opLaneGather reads a float uniform with an address register, lane by lane.
func opLaneGather(m *machine, op *microOp, _ *Row) {
	x, y, z, w := m.row4(&op.out)
	off := &m.b.a0[op.addr&1]
	for i := range m.n {
		j, ok := uniformIndex(int(op.uni), off[i&63])
		if !ok {
			x[i&63], y[i&63], z[i&63], w[i&63] = 1, 1, 1, 1
			continue
		}
		u := &m.lane[j]
		x[i&63], y[i&63], z[i&63], w[i&63] = u[0][i&63], u[1][i&63], u[2][i&63], u[3][i&63]
	}
}

// emission lowers SETEMIT and EMIT.
func (l *lowering) emission(ops []microOp, in *Instr) []microOp {
	op := microOp{kind: kEmit, dst: rowScratch, plain: true}
	if in.Op == OpSETEMIT {
		op.kind, op.state = kSetEmit, in.VertexID&3
		if in.PrimEmit {
			op.state |= statePrim
		}
		if in.Winding {
			op.state |= stateWinding
		}
	}
	return append(ops, op)
}

// lane makes the rows of a source that is a lane uniform.
func (l *lowering) lane(o *operand, scratch, need uint8) *operand {
	var comps uint8
	for i := range o.rows {
		o.rows[i] = scratch + o.sel[i]
		if need>>i&1 != 0 {
			comps |= 1 << o.sel[i]
		}
	}
	if o.kind == operandLaneGather {
		g := microOp{kind: kLaneGather, dst: scratch, plain: true, uni: o.uni, addr: o.addr}
		for j := range g.out {
			g.out[j] = scratch + uint8(j)
		}
		l.emit(g)
	}
	for j := range uint8(4) {
		if comps>>j&1 == 0 {
			continue
		}
		if o.kind == operandLane {
			l.emit(microOp{kind: kLane, dst: scratch + j, plain: true, uni: o.uni, sel: [4]uint8{j}})
		}
		l.prepare(scratch+j, scratch+j, o.neg)
	}
	return o
}
