package fragment

import (
	"pica200/internal/simd"
	"pica200/pica"
	"pica200/raster"
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

	machines []*machine
	textures textureCache
	tables   tableCache
	programs programCache
	draws    draws
	probe    *Probe

	// Hash of the look-up tables at a version: programs draw with the same
	// tables uploaded again and again.
	tablesVersion, tablesHash uint64

	key stateKey // of the state that is asked for
}

// NewEngine makes an engine whose programs may run on the given number of
// workers at the same time.
func NewEngine(workers int) *Engine {
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

// stateKey is everything that a program depends on.
type stateKey struct {
	regs   [endStateReg - firstStateReg]uint32
	tables uint64 // hash of the look-up tables, 0 if they are not read
	target *raster.Target
	view   View

	missing uint8 // units whose textures are not in memory
}

// keyOf fills k from a state.
func (e *Engine) keyOf(st *State, k *stateKey) {
	copy(k.regs[:], st.Regs[firstStateReg:endStateReg])
	for _, p := range dataRegs {
		clear(k.regs[p[0]-firstStateReg : p[1]+1-firstStateReg])
	}
	// Where textures lie is a matter of the draw, but for 0, which is none.
	for i := range 3 {
		at := pica.TexunitAddr.At(pica.TexunitOffset(i))
		k.regs[at.Reg-firstStateReg] = 0
		if at.Addr(st.Regs) != 0 {
			k.regs[at.Reg-firstStateReg] = 1
		}
	}
	for i := range pica.Reg(cubeFaces - 1) {
		k.regs[pica.TexunitAddrFace.At(i).Reg-firstStateReg] = 0
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

// program gives the compiled stage for a state, in which the textures of some
// units are missing.
func (e *Engine) program(st *State, missing uint8) (*Program, error) {
	e.keyOf(st, &e.key)
	e.key.missing = missing
	p := e.programs.get(&e.key)
	if p == nil {
		var err error
		if p, err = e.compile(st, missing); err != nil {
			return nil, err
		}
		e.programs.put(&e.key, p)
	}
	return p, nil
}
