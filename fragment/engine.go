package fragment

import (
	"pica200/internal/cores"
	"pica200/internal/simd"
	"pica200/pica"
)

// Engine compiles the fragment stage of draws and holds the caches and machines
// that their programs need.
type Engine struct {
	// Kernels chooses the form of the kernels. It must be set before anything is
	// drawn.
	Kernels simd.Kernels

	// Spread runs f for every i below n on all workers, to decode textures. It is
	// nil if there is only one worker.
	Spread func(n int, f func(i, worker int))

	// Anew makes samplers and values anew for each draw, even if they equal those
	// of the draw before. It is for measuring scenes in which everything moves and
	// does not change the result.
	Anew bool

	machines []*machine
	_        cores.CacheLinePad

	textures textureCache
	samplers samplerCache
	tables   tableCache
	programs programCache
	draws    draws
	serials  drawSerials
	probe    *Probe
	compiles uint64 // programs compiled, for statistics

	// Of the draw that is being made.
	key      programKey
	keyRegs  pica.Regs // the registers of the key, everything else 0
	lighting lightingState
	found    found
}

// NewEngine makes an engine whose programs may run on that many workers at the
// same time.
func NewEngine(workers int) *Engine {
	tryGathers()
	return &Engine{machines: make([]*machine, workers), draws: draws{shared: workers > 1}}
}

// machine returns the worker's machine, which is made at its first use.
func (e *Engine) machine(worker int) *machine {
	m := e.machines[worker]
	if m == nil {
		m = &machine{with: e.Kernels}
		e.machines[worker] = m
	}
	return m
}

// Forget drops all compiled programs. It does not change the result. Call it
// only when no draw of the engine will run any more.
func (e *Engine) Forget() {
	e.programs.clear()
	e.draws.same = false
}

// Counts returns how many programs were compiled and how many textures decoded
// since the engine was made.
func (e *Engine) Counts() (compiled, decoded uint64) { return e.compiles, e.textures.decoded }

// Written returns the number of fragments that passed every test since the
// engine was made.
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

// program returns the compiled program of a state. missing is the set of
// texture units whose textures cannot be read.
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
