package fragment

import (
	"slices"
	"unsafe"

	"pica200/internal/cores"
	"pica200/internal/simd"
	"pica200/pica"
	"pica200/raster"
)

// maxTextures is the number of textures that a draw can read: six faces of a
// cube and two more.
const maxTextures = cubeFaces + 2

// Draw is a program together with the values and decoded textures of one draw.
// The Engine reuses the record after Release.
type Draw struct {
	program *program
	serial  uint64 // identifies the draw among those of its engine

	// Textures lists the memory that the draw reads besides its render target. The
	// caller must have executed queued draws that write to it.
	Textures []Range

	// Warnings says which textures could not be read. The caller reports them with
	// each draw.
	Warnings []string

	values values
}

// Range is a range of physical memory.
type Range struct{ Addr, Bytes uint32 }

// Ops returns the number of ops of the draw's program.
func (d *Draw) Ops() int { return len(d.program.ops) }

// Shade implements raster.Shader.
func (d *Draw) Shade(b *raster.Batch, worker int) {
	p := d.program
	m := p.engine.machine(worker)
	m.b = b
	m.n = b.N()
	if m.serial != d.serial {
		m.serial, m.v = d.serial, &d.values
		m.proc.same = false // only programs without levels of detail set it
		p.fetch(m)
		m.load(p.consts)
	}
	if p.insight != nil && b.Blocks == 1 {
		p.record(m, p.engine.probe)
		return
	}
	if p.packs && !p.compact(m, b) {
		return
	}
	p.runOps(m)
}

// Prefetch implements raster.Shader.
func (d *Draw) Prefetch() { cores.Prefetch(d.start()) }

// start is the part of a draw that most programs read.
func (d *Draw) start() []byte {
	return (*[4 * 64]byte)(unsafe.Pointer(d))[:]
}

// load fills the constant colour registers for the draw that runs.
func (m *machine) load(consts []constant) {
	for i := range consts {
		k := consts[i]
		if k.value != fixedColor {
			k.rgba = unpackColor(m.v.colors[k.value])
		}
		missing := k.channels
		if at := k.reg - firstConst; at < numConsts {
			cached := &m.constants[at]
			if cached.rgba != k.rgba {
				cached.rgba, cached.channels = k.rgba, 0
			}
			missing &^= cached.channels
			cached.channels |= missing
		}
		for ch, v := range k.rgba {
			if missing>>ch&1 != 0 {
				m.c[k.reg][ch] = sameBytes[v]
			}
		}
	}
}

// draws holds the draws that have not been released.
type draws struct {
	all    []*Draw
	used   int
	shared bool // several workers read them

	// The inputs of the last draw, valid if same is true. A draw with the same
	// inputs gets the same record.
	same    bool
	regs    stateRegs
	version uint64 // of the tables
	target  *raster.Target
	view    View
}

// Packs reports whether the draw takes packed batches: it only tests and writes
// its pixels, each on its own.
func (d *Draw) Packs() bool { return d.program.packs }

// maxDraws is the number of records that are kept when draws are released. A
// caller with more queued draws should execute them.
const maxDraws = 4096

// stateRegs are the registers that the fragment stage reads.
type stateRegs [endStateReg - firstStateReg]uint32

// next returns a record to fill in.
func (d *draws) next() *Draw {
	if d.used == len(d.all) {
		d.all = append(d.all, new(Draw))
	}
	d.used++
	if d.shared && d.used < len(d.all) {
		cores.PrefetchWrite(d.all[d.used].start())
	}
	return d.all[d.used-1]
}

// last returns the last record, or nil.
func (d *draws) last() *Draw {
	if d.used == 0 {
		return nil
	}
	return d.all[d.used-1]
}

// release drops what the records hold, except for one.
func (d *draws) release(keep *Draw) {
	used := 0
	for i, r := range d.all[:d.used] {
		if r == keep {
			d.all[0], d.all[i] = r, d.all[0]
			used = 1
			continue
		}
		r.program, r.Textures, r.Warnings = nil, r.Textures[:0], nil
		r.values.texels = [maxTextures]*texels{}
	}
	d.used = used
	if len(d.all) > maxDraws {
		clear(d.all[maxDraws:])
		d.all = d.all[:maxDraws]
	}
}

// Release tells the engine that none of its draws will run any more, except
// keep. If keep is nil no draw is kept; otherwise it must be the last one.
func (e *Engine) Release(keep *Draw) {
	e.draws.release(keep)
	e.textures.retired = 0
	e.serials.retired, e.serials.released = 0, e.serials.returned
	if keep != nil {
		e.serials.released = keep.serial - 1
	}
}

// Full reports that the caller should run its draws and call Release: there are
// many, or they hold much that the caches have dropped.
func (e *Engine) Full() bool {
	return e.textures.retired > maxRetired || e.serials.retired > maxWaiting || e.draws.used >= maxDraws
}

// Draw compiles a state and binds its values and textures. Call it between
// batches, never while a released program runs. Before the call, the caller
// must execute queued draws that write to texture memory of the state, and it
// must keep the target alive while the draw is in use. Errors name the invalid
// register or texture unit.
func (e *Engine) Draw(st *State) (*Draw, error) {
	if !e.Anew {
		if d := e.repeated(st); d != nil {
			return d, nil
		}
	}
	e.draws.same = false
	p, err := e.program(st, 0)
	if err != nil {
		return nil, err
	}
	e.serials.serial++
	now := &e.found
	*now = found{}
	missing := uint8(0)
	warnings := p.warnings
	for i := 0; i < len(p.textures); i++ {
		t := &p.textures[i]
		if err = now.find(e, t, i, p.kind0, st); err == nil {
			continue
		}
		// The unit reads as one without texture, which needs another program.
		if p.needed[t.unit] {
			warnings = append(slices.Clip(warnings), unreadable(err))
		}
		missing |= 1 << t.unit
		if p, err = e.program(st, missing); err != nil {
			return nil, err
		}
		i = -1
	}
	d := e.draws.next()
	e.serials.returned = e.serials.serial
	d.program, d.serial, d.Warnings, d.Textures = p, e.serials.serial, warnings, d.Textures[:0]
	d.values.samplers, d.values.texels = now.samplers, now.texels
	for _, t := range now.texels[:len(p.textures)] {
		d.Textures = append(d.Textures, Range{t.key.addr, t.bytes})
	}
	d.values.bind(e, &p.wants, st)
	e.draws.remember(st)
	e.draws.same = len(warnings) == 0 && missing == 0
	return d, nil
}

// texture returns a texture from the cache, or decodes it.
func (e *Engine) texture(k textureKey, mem Memory) (*texels, error) {
	return e.textures.get(k, mem, decoder{e.Kernels, e.Spread})
}

// found holds the textures and samplers of the draw that is being made.
type found struct {
	samplers [3]*sampler
	texels   [maxTextures]*texels
}

// find looks up the texture of a slot.
func (f *found) find(e *Engine, t *textureSlot, slot int, kind0 pica.TextureType, st *State) error {
	shadow := t.unit == 0 && (kind0 == pica.TextureShadow2D || kind0 == pica.TextureShadowCube)
	s, err := e.samplers.get(st.Regs, t.unit, shadow, &e.serials, e.Anew)
	if err == nil {
		f.samplers[t.unit] = s
		if f.texels[slot], err = e.texture(s.texture(textureAddr(st.Regs, t.unit, t.face)), st.Memory); err != nil {
			err = t.inUnit(err)
		} else if s.readsCells() && simd.Vectors && e.Kernels.Vector() {
			e.textures.withCells(f.texels[slot])
		}
	}
	if err != nil {
		return t.inFace(err, kind0)
	}
	return nil
}

// repeated returns the last draw if it fits the state, otherwise nil.
func (e *Engine) repeated(st *State) *Draw {
	s := &e.draws
	d := s.last()
	if !s.same || d == nil || s.version != st.Tables.Version || s.target != st.Target || s.view != st.View ||
		s.regs != *(*stateRegs)(st.Regs[firstStateReg:endStateReg]) {
		return nil
	}
	// Looking for textures may run and release earlier draws.
	n, texels := len(d.program.textures), d.values.texels
	for _, t := range texels[:n] {
		if now, err := e.texture(t.key, st.Memory); err != nil || now != t {
			return nil
		}
	}
	if s.last() != d {
		return nil
	}
	return d
}

// remember stores the inputs of the last draw.
func (d *draws) remember(st *State) {
	copy(d.regs[:], st.Regs[firstStateReg:endStateReg])
	d.version, d.target, d.view = st.Tables.Version, st.Target, st.View
}
