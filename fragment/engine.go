package fragment

import (
	"pica200/pica"
	"pica200/raster"
)

// Engine compiles the fragment stage of draws and holds what their programs
// need to run.
type Engine struct {
	machines []*machine
	textures textureCache
	tables   tableCache
	programs map[stateKey]*Program
	last     *Program
	lastKey  stateKey
}

// NewEngine makes an engine whose programs may run on the given number of
// workers at the same time.
func NewEngine(workers int) *Engine {
	e := &Engine{programs: map[stateKey]*Program{}}
	for range workers {
		e.machines = append(e.machines, new(machine))
	}
	return e
}

func (e *Engine) machine(worker int) *machine { return e.machines[worker] }

// Written is the number of fragments that passed every test since the engine
// was made, for statistics.
func (e *Engine) Written() uint64 {
	var n uint64
	for _, m := range e.machines {
		n += m.written
	}
	return n
}

// The registers that the fragment stage reads: texture units and combiners,
// output stage, lighting.
const (
	firstStateReg = pica.RegTexunitConfig
	endStateReg   = pica.Reg(0x200)
)

// stateKey is everything that a program depends on except the contents of
// memory and tables.
type stateKey struct {
	regs          [endStateReg - firstStateReg]uint32
	tables        uint64
	target        *raster.Target
	width, height int32
}

// maxPrograms bounds the cache of programs; when it is full it is emptied.
const maxPrograms = 4096

// Program gives the compiled stage for a state. It is called between batches,
// never while a program runs; a program stays valid while its state's target
// and textures do.
func (e *Engine) Program(st *State) (*Program, error) {
	k := &e.lastKey
	return e.programFor(st, k)
}
