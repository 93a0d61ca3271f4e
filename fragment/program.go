package fragment

import (
	"pica200/pica"
	"pica200/raster"
)

// Program is the fragment stage compiled for one state.
type Program struct {
	engine *Engine
	ops    []op
	consts []constant
	texels []boundTexels
	target *raster.Target

	insight *insight // nil unless compiled for a probe

	// Textures lists the memory that the program reads besides its render
	// target, so that the caller knows what must be drawn before it runs.
	Textures []Range

	// Warnings says what textures could not be read. The caller reports them
	// with each draw.
	Warnings []string
}

// Range is a range of physical memory.
type Range struct{ Addr, Bytes uint32 }

// boundTexels is a decoded texture that a program reads.
type boundTexels struct {
	key    textureKey
	texels *texels
}

// constant is a colour register that holds one colour in all lanes.
type constant struct {
	reg      uint8
	channels uint8 // bit i: channel i is read
	rgba     [4]uint8
}

// Shade implements raster.Shader.
func (p *Program) Shade(b *raster.Batch, worker int) {
	m := p.engine.machine(worker)
	m.b = b
	m.n = b.N()
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

func (p *Program) runOps(m *machine) {
	for i := range p.ops {
		p.ops[i].run(m)
	}
}

// sameBytes holds, for every value, a plane with that value in all lanes.
var sameBytes = func() (t [256]Bytes) {
	for v := range t {
		for i := range t[v] {
			t[v][i] = uint8(v)
		}
	}
	return t
}()

// unpackColor splits a colour word, red in the low byte.
func unpackColor(w uint32) [4]uint8 {
	return [4]uint8{uint8(w), uint8(w >> 8), uint8(w >> 16), uint8(w >> 24)}
}

// Memory is where textures are read from.
type Memory interface {
	// Slice gives n bytes of physical memory at addr, or an error that names
	// the address if they are not all mapped.
	Slice(addr, n uint32) ([]byte, error)
	// Generation grows whenever a byte of the range is written.
	Generation(addr, n uint32) uint64
}

// State is everything that the fragment stage of a draw depends on.
type State struct {
	Regs   *pica.Regs
	Tables *Tables
	Memory Memory
	Target *raster.Target

	// View shows something other than the final colour.
	View View
}
