package shaderunit

import (
	"fmt"
	"math/bits"

	"pica200/internal/simd"
)

// Engine runs vertex and geometry shaders over batches and caches their
// compiled forms. An Engine belongs to one goroutine at a time; use one for
// each worker.
type Engine struct {
	// MaxSteps bounds the instructions of a run for each vertex; 0 means
	// DefaultMaxSteps.
	MaxSteps int

	// Interpret makes the Interpreter, which is the definition, run every vertex.
	// Tests use it to compare the two.
	Interpret bool

	// Done, when it is closed, ends runs with ErrInterrupted within a millisecond.
	// It may be a context's Done, or nil.
	Done <-chan struct{}

	// Kernels chooses the form of the kernels.
	Kernels simd.Kernels

	scalar  Interpreter
	cache   cache
	m       machine
	pending []uint64 // lanes that wait at each block
	waiting []int    // blocks at which lanes wait
	log     EmitLog  // vertices that geometry shaders emitted
	steps   int      // instructions of the last run
}

// NewEngine makes an engine. new(Engine) does the same.
func NewEngine() *Engine { return new(Engine) }

// VertexError says for which vertex of a batch a program failed.
type VertexError struct {
	Lane int // index in the batch
	Err  error
}

func (e *VertexError) Error() string { return fmt.Sprintf("vertex %d of the batch: %v", e.Lane, e.Err) }

// Unwrap returns the cause, an *ExecError.
func (e *VertexError) Unwrap() error { return e.Err }

// RunVertices runs the program of s over the first n vertices of b. Every
// vertex starts with registers at their start values, (0, 0, 0, 1), and flags
// at 0. Afterwards b holds the outputs in s.OutMask, which are undefined after
// an error.
func (e *Engine) RunVertices(s *Setup, b *Batch, n int) error {
	return e.Run(e.VertexProgram(s), s, b, n)
}

// Compiled returns the number of programs that the engine has compiled.
func (e *Engine) Compiled() uint64 { return e.cache.made }

// Program is a compiled program. It depends on the code of its Setup and on the
// uniforms that control flow. Several engines may run it at the same time.
type Program struct{ p *program }

// VertexProgram returns the compiled vertex shader of s. Several engines can
// run the same Program, so that it is compiled and cached once.
func (e *Engine) VertexProgram(s *Setup) Program {
	if e.Interpret {
		return Program{}
	}
	return Program{e.cache.program(s)}
}

// Run is RunVertices with a program from VertexProgram for s.
func (e *Engine) Run(p Program, s *Setup, b *Batch, n int) error {
	if n < 0 || n > Lanes {
		return fmt.Errorf("batch of %d vertices, expected 0 to %d", n, Lanes)
	}
	if n == 0 {
		return nil
	}
	if p.p == nil || p.p.scalar || !e.run(p.p, s, b, n) {
		// The interpreter reports the error and its position.
		return e.runScalar(s, b, n)
	}
	return nil
}

// run runs a compiled program. It returns false if it meets an error.
func (e *Engine) run(p *program, s *Setup, b *Batch, n int) bool {
	m := &e.m
	m.kernels = kernelsFor(e.Kernels)
	m.b, m.f = b, &s.Float
	m.n = (n + 7) &^ 7
	full := ^uint64(0) >> (Lanes - uint(n))
	m.active, m.all = full, true
	b.cmp = [2]uint64{}
	for _, r := range p.start {
		m.kernels.fill(&b.rows[r], startValue[r&3], m.n)
	}
	if p.zeroA0 {
		b.a0 = [2][Lanes]int32{}
	}
	limit := e.MaxSteps
	if limit == 0 {
		limit = DefaultMaxSteps
	}
	if len(e.pending) < len(p.blocks) {
		e.pending = make([]uint64, len(p.blocks))
	}
	ok := e.schedule(p, full, limit)
	m.b, m.f = nil, nil
	return ok
}

// schedule runs blocks until all lanes are at END. Lanes on different paths
// wait for each other: among the blocks with waiting lanes, the one of the
// lowest rank runs next.
func (e *Engine) schedule(p *program, full uint64, limit int) bool {
	m := &e.m
	at, steps, poll := 0, 0, stepsUnseen
	for {
		blk := &p.blocks[at]
		steps += blk.steps
		interrupted := false
		if steps > poll {
			poll = steps + stepsUnseen
			interrupted = closed(e.Done)
		}
		if steps > limit || blk.last == blockFault || interrupted {
			for _, w := range e.waiting {
				e.pending[w] = 0
			}
			e.waiting = e.waiting[:0]
			e.steps = steps
			return false
		}
		if m.all = m.active == full; m.all {
			for i := range blk.ops {
				op := &blk.ops[i]
				op.run(m, op, &m.b.rows[op.dst])
			}
		} else {
			m.masked(blk.ops)
		}
		switch blk.last {
		case blockOut:
			m.log.out |= m.active
		case blockJump:
			if len(e.waiting) == 0 {
				at = blk.next[0]
				continue
			}
			e.wait(blk.next[0], m.active)
		case blockBranch:
			taken := m.condition(&blk.in) & m.active
			left := m.active &^ taken
			if len(e.waiting) == 0 {
				if left == 0 {
					at = blk.next[1]
					continue
				}
				if taken == 0 {
					at = blk.next[0]
					continue
				}
			}
			e.wait(blk.next[1], taken)
			e.wait(blk.next[0], left)
		}
		if len(e.waiting) == 0 {
			e.steps = steps
			return true
		}
		at, m.active = e.resume(p)
	}
}

// wait makes lanes wait at a block.
func (e *Engine) wait(block int, lanes uint64) {
	if lanes == 0 {
		return
	}
	if e.pending[block] == 0 {
		e.waiting = append(e.waiting, block)
	}
	e.pending[block] |= lanes
}

// resume returns the block that runs next, with its waiting lanes.
func (e *Engine) resume(p *program) (block int, lanes uint64) {
	best := 0
	for i, w := range e.waiting {
		if p.rank[w] < p.rank[e.waiting[best]] {
			best = i
		}
	}
	block = e.waiting[best]
	lanes = e.pending[block]
	e.pending[block] = 0
	last := len(e.waiting) - 1
	e.waiting[best] = e.waiting[last]
	e.waiting = e.waiting[:last]
	return block, lanes
}

// masked runs ops for the active lanes.
func (m *machine) masked(ops []microOp) {
	for i := range ops {
		op := &ops[i]
		d := &m.b.rows[op.dst]
		if op.plain {
			op.run(m, op, d)
			continue
		}
		result := &m.b.rows[scratchMasked]
		op.run(m, op, result)
		m.kernels.sel(d, result, m.n, m.active)
	}
}

// condition returns the lanes in which the condition of a format 2 instruction
// holds.
func (m *machine) condition(in *Instr) uint64 {
	x, y := m.b.cmp[0], m.b.cmp[1]
	if !in.RefX {
		x = ^x
	}
	if !in.RefY {
		y = ^y
	}
	switch in.Cond {
	case CondOr:
		return x | y
	case CondAnd:
		return x & y
	case CondX:
		return x
	}
	return y
}

// runScalar runs the interpreter vertex by vertex.
func (e *Engine) runScalar(s *Setup, b *Batch, n int) error {
	it := &e.scalar
	it.MaxSteps, it.Done = e.MaxSteps, e.Done
	for lane := range n {
		if closed(e.Done) {
			return ErrInterrupted
		}
		it.Reset()
		for r := range it.In {
			for c := range it.In[r] {
				it.In[r][c] = b.In(r, c)[lane]
			}
		}
		if err := it.Run(s); err != nil {
			return &VertexError{lane, err}
		}
		out := it.Out()
		for used := uint(s.OutMask); used != 0; used &= used - 1 {
			r := bits.TrailingZeros(used)
			for c := range out[r] {
				b.Out(r, c)[lane] = out[r][c]
			}
		}
	}
	return nil
}
