package fragment

import (
	"slices"

	"pica200/raster"
)

// maxTextures is the number of textures that a draw can read: six faces of a
// cube and two more.
const maxTextures = cubeFaces + 2

// Draw is a program with what one draw brings to it: its textures, decoded. A
// program says how a draw is shaded and is kept for other draws; the texels are
// held by the draws that wait to run, and by the texture cache within its
// bound. The Engine uses the record again after Release.
type Draw struct {
	program *Program
	texels  [maxTextures]*texels

	// Textures lists the memory that the draw reads besides its render target,
	// so that the caller knows what must be drawn before it runs.
	Textures []Range

	// Warnings says what textures could not be read. The caller reports them
	// with each draw.
	Warnings []string
}

// Range is a range of physical memory.
type Range struct{ Addr, Bytes uint32 }

// Shade implements raster.Shader.
func (d *Draw) Shade(b *raster.Batch, worker int) {
	p := d.program
	m := p.engine.machine(worker)
	m.b = b
	m.n = b.N()
	m.texels = &d.texels
	if m.program != p {
		m.program = p
		for i := range p.consts {
			k := &p.consts[i]
			for ch, v := range k.rgba {
				if k.channels>>ch&1 != 0 {
					m.c[k.reg][ch] = sameBytes[v]
				}
			}
		}
	}
	if p.insight != nil && b.Blocks == 1 {
		p.explain(m, p.engine.probe)
		return
	}
	p.runOps(m)
}

// draws holds the records of draws that have not been released.
type draws struct {
	all  []*Draw
	used int
}

// maxDraws is the number of records that stay when draws are released; a
// queue that holds more than that should be drawn.
const maxDraws = 4096

// next gives a record to fill in.
func (d *draws) next() *Draw {
	if d.used == len(d.all) {
		d.all = append(d.all, new(Draw))
	}
	d.used++
	return d.all[d.used-1]
}

// last gives the record that was filled in last, or nil.
func (d *draws) last() *Draw {
	if d.used == 0 {
		return nil
	}
	return d.all[d.used-1]
}

// release lets go of what the records hold, but for one.
func (d *draws) release(keep *Draw) {
	used := 0
	for i, r := range d.all[:d.used] {
		if r == keep {
			d.all[0], d.all[i] = r, d.all[0]
			used = 1
			continue
		}
		*r = Draw{Textures: r.Textures[:0]}
	}
	d.used = used
	if len(d.all) > maxDraws {
		clear(d.all[maxDraws:])
		d.all = d.all[:maxDraws]
	}
}

// Release tells that no draw that Draw gave out will run any more, but for keep,
// which may be nil.
func (e *Engine) Release(keep *Draw) {
	e.draws.release(keep)
	e.textures.retired = 0
}

// Full reports that it is time to run the draws that were given out and to call
// Release: they hold many textures that the cache has let go of, or are many.
func (e *Engine) Full() bool {
	return e.textures.retired > maxRetired || e.draws.used >= maxDraws
}

// Draw gives the compiled stage for a state, with its textures. It is called
// between batches, never while a program runs. The caller must have drawn,
// before, what is queued and writes to memory that the state's textures are
// read from, and must keep the target alive while the draw is in use. Errors
// name the register or texture unit that cannot be.
func (e *Engine) Draw(st *State) (*Draw, error) {
	p, err := e.program(st, 0)
	if err != nil {
		return nil, err
	}
	var now [maxTextures]*texels
	missing := uint8(0)
	warnings := p.warnings
	for i := 0; i < len(p.textures); i++ {
		t := &p.textures[i]
		key := t.key
		key.addr = textureAddr(st.Regs, t.unit, t.face)
		if now[i], err = e.textures.get(key, st.Memory, decoder{e.Kernels, e.Spread}); err == nil {
			continue
		}
		// The unit reads as without a texture, which is another program.
		if p.needed[t.unit] {
			warnings = append(slices.Clip(warnings), unreadable(t.place(err, p.kind0)))
		}
		missing |= 1 << t.unit
		if p, err = e.program(st, missing); err != nil {
			return nil, err
		}
		now, i = [maxTextures]*texels{}, -1
	}
	if d := e.draws.last(); d != nil && d.program == p && d.texels == now && len(warnings) == 0 && len(d.Warnings) == 0 {
		return d, nil
	}
	d := e.draws.next()
	d.program, d.texels, d.Textures, d.Warnings = p, now, d.Textures[:0], warnings
	for _, t := range now[:len(p.textures)] {
		d.Textures = append(d.Textures, Range{t.key.addr, t.bytes})
	}
	return d, nil
}
