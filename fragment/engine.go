package fragment

import (
	"pica200/internal/simd"
	"pica200/pica"
)

// Engine compiles the fragment stage of draws and holds what their programs
// need to run.
type Engine struct {
	// Kernels chooses the form of the kernels. It is set before anything is
	// drawn.
	Kernels simd.Kernels

	// Spread runs f for every i below n on all workers, for the decoding of
	// textures; nil if there is one worker only.
	Spread func(n int, f func(i, worker int))

	// Anew makes samplers and the values of a draw for each draw, as if none of
	// its numbers were those of a draw before: for measuring what scenes cost in
	// which everything moves. What is drawn does not change.
	Anew bool

	machines []*machine
	textures textureCache
	samplers samplerCache
	tables   tableCache
	programs programCache
	draws    draws
	turn     turn
	probe    *Probe
	compiles uint64 // programs compiled, for statistics

	// Of the draw that is being made:
	key      programKey
	keyRegs  pica.Regs // what the key holds, and nothing else
	lighting lightingState
	found    found
}

// NewEngine makes an engine whose programs may run on the given number of
// workers at the same time.
func NewEngine(workers int) *Engine {
	tryGathers()
	return &Engine{machines: make([]*machine, workers)}
}

// machine is the worker's own, made when it first has something to do.
func (e *Engine) machine(worker int) *machine {
	m := e.machines[worker]
	if m == nil {
		m = &machine{with: e.Kernels}
		e.machines[worker] = m
	}
	return m
}

// Forget drops all compiled programs. What is drawn does not change. It is
// called when no draw that was given out will run any more.
func (e *Engine) Forget() {
	e.programs.clear()
	e.draws.same = false
}

// Counts is what an engine has done since it was made, for statistics: programs
// compiled and textures decoded.
func (e *Engine) Counts() (compiled, decoded uint64) { return e.compiles, e.textures.decoded }

// Written is the number of fragments that passed every test since the engine
// was made, for statistics.
func (e *Engine) Written() uint64 {
	var n uint64
	for _, m := range e.machines {
		if m != nil {
			n += m.written
		}
	}
	return n
}

// The registers that the fragment stage reads: texture units and combiners,
// output stage, lighting.
const (
	firstStateReg = pica.RegTexunitConfig
	endStateReg   = pica.Reg(0x200)
)

// program gives the compiled stage for a state, in which the textures of some
// units are missing.
func (e *Engine) program(st *State, missing uint8) (*program, error) {
	e.key.fill(st, missing)
	p := e.programs.get(&e.key)
	if p == nil {
		var err error
		if p, err = e.compile(&e.key); err != nil {
			return nil, err
		}
		e.programs.put(&e.key, p)
	}
	return p, nil
}
