package fragment

import (
	"unsafe"

	"pica200/pica"
	"pica200/raster"
)

// program is the fragment stage compiled for one key. It holds no values; those
// belong to draws.
type program struct {
	engine *Engine
	ops    []op
	stages [2]int // first and end of the ops of the combiner stages
	work   int    // the ops, and for an interpolation its components
	consts []constant
	wants  wants

	textures []textureSlot // textures that it reads, at most maxTextures
	kind0    pica.TextureType
	needed   [3]bool // units that the draw itself reads, not only a view or a probe

	packs   bool     // takes packed batches
	insight *insight // nil unless compiled for a probe

	key   *programKey // in the cache
	bytes int         // estimated size
	used  uint64      // see touch

	warnings []string // textures that cannot be read in any draw
}

// constant is a colour register with the same colour in all lanes.
type constant struct {
	reg      uint8
	channels uint8 // bit i: channel i is read
	value    int8  // index in values.colors, or fixedColor
	rgba     [4]uint8
}

// fixedColor means that the constant itself holds the colour.
const fixedColor = -1

func (p *program) runOps(m *machine) {
	i := 0
	if m.passing.draw == m.serial {
		for ; i < p.stages[0]; i++ {
			p.ops[i].run(m)
		}
		if m.passes() {
			for i = p.stages[1]; i < len(p.ops); i++ {
				p.ops[i].run(m)
			}
			return
		}
	}
	m.mixed = false
	for ; i < len(p.ops); i++ {
		p.ops[i].run(m)
	}
	m.remember()
}

// fetch reads the beginning of all ops, which were allocated at different
// places. If each draw has another program, most are in no cache, and this
// makes the cache misses overlap.
func (p *program) fetch(m *machine) {
	var sum uintptr
	for i := range p.ops {
		sum += **(**uintptr)(unsafe.Pointer(&p.ops[i].run))
	}
	m.fetchedOps = sum
}

// sameBytes[v] is a plane with v in all lanes.
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

// Memory is the memory that textures are read from.
type Memory interface {
	// Slice returns n bytes of physical memory at addr. The error names the address
	// if they are not all mapped.
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

	// View selects what is drawn in place of the final colour.
	View View
}
