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
	probe    *Probe

	// Hash of the look-up tables at a version: programs draw with the same
	// tables uploaded again and again.
	tablesVersion, tablesHash uint64

	// The state asked for last, and the one asked for now.
	last         *Program
	lastKey, key stateKey
}

// NewEngine makes an engine whose programs may run on the given number of
// workers at the same time.
func NewEngine(workers int) *Engine {
	return &Engine{programs: map[stateKey]*Program{}, machines: make([]*machine, workers)}
}

// machine is the worker's own, made when it first has something to do.
func (e *Engine) machine(worker int) *machine {
	m := e.machines[worker]
	if m == nil {
		m = new(machine)
		e.machines[worker] = m
	}
	return m
}

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

// dataRegs are registers in that range that are written to move data or to start
// something; what they hold afterwards is no state.
var dataRegs = [][2]pica.Reg{
	{pica.RegProctexLut, pica.RegProctexLutData0 + 7},
	{pica.RegFogLutIndex, pica.RegFogLutData0 + 7},
	{pica.RegFramebufferInvalidate, pica.RegFramebufferFlush},
	{pica.RegGasLutIndex, pica.RegGasFeedback},
	{pica.RegLightingLutIndex, pica.RegLightingLutIndex},
	{pica.RegLightingLutData0, pica.RegLightingLutData0 + 7},
}

// stateKey is everything that a program depends on except the contents of
// memory.
type stateKey struct {
	regs   [endStateReg - firstStateReg]uint32
	tables uint64 // hash of the look-up tables, 0 if they are not read
	target *raster.Target
	view   View
}

// keyOf fills k from a state.
func (e *Engine) keyOf(st *State, k *stateKey) {
	copy(k.regs[:], st.Regs[firstStateReg:endStateReg])
	for _, p := range dataRegs {
		clear(k.regs[p[0]-firstStateReg : p[1]+1-firstStateReg])
	}
	k.target, k.view = st.Target, st.View
	k.tables = 0
	if pica.LightingEnable.Bool(st.Regs) || pica.TexunitEnable3.Bool(st.Regs) || pica.TexenvUpdateFogMode.Get(st.Regs) != 0 {
		if e.tablesVersion != st.Tables.Version || e.tablesHash == 0 {
			e.tablesVersion, e.tablesHash = st.Tables.Version, st.Tables.hash()
		}
		k.tables = e.tablesHash
	}
}

// maxPrograms bounds the cache of programs; when it is full it is emptied.
const maxPrograms = 4096

// Program gives the compiled stage for a state. It is called between batches,
// never while a program runs. The caller must have drawn, before, what is
// queued and writes to memory that the state's textures are read from, and
// must keep the target alive while the program is in use. Errors name the
// register or texture unit that cannot be.
func (e *Engine) Program(st *State) (*Program, error) {
	e.keyOf(st, &e.key)
	p := e.last
	if p == nil || e.lastKey != e.key {
		p = e.programs[e.key]
	}
	if p == nil || !p.current(st.Memory) {
		var err error
		if p, err = e.compile(st); err != nil {
			return nil, err
		}
		if len(e.programs) >= maxPrograms {
			clear(e.programs)
		}
		e.programs[e.key] = p
	}
	e.last, e.lastKey = p, e.key
	return p, nil
}

// current brings the decoded textures of the program up to date with memory.
// It reports false if the program must be compiled anew.
func (p *Program) current(mem Memory) bool {
	for i := range p.texels {
		t, err := p.engine.textures.get(p.texels[i].key, mem)
		if err != nil || t != p.texels[i].texels {
			return false
		}
	}
	return true
}
