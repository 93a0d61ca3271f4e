package pipeline

import (
	"math/bits"
	"sync"

	"pica200/pica"
)

// The main memory of a GPU is 128 MiB, of which a frame writes a few. When the
// Go runtime reuses memory it clears all of it, which takes longer than most
// frames take to draw. So Close keeps main memory for the next GPU on systems
// that can clear it by dropping its pages (dropPages); nobody needs to know
// which pages were written.

// maxIdle is how many unused main memories are kept. They take address space
// but no memory.
const maxIdle = 2

var idle struct {
	sync.Mutex
	list [][]byte // all zero
}

// takeFCRAM returns main memory that holds zeros.
func takeFCRAM() (p []byte) {
	idle.Lock()
	defer idle.Unlock()
	n := len(idle.list)
	if n == 0 {
		return make([]byte, pica.FCRAMSize)
	}
	p, idle.list[n-1] = idle.list[n-1], nil
	idle.list = idle.list[:n-1]
	return p
}

// giveFCRAM keeps unused main memory for takeFCRAM.
func giveFCRAM(p []byte) {
	if bits.UintSize < 64 { // address space is scarce
		return
	}
	idle.Lock()
	defer idle.Unlock()
	if len(idle.list) < maxIdle && dropPages(p) {
		idle.list = append(idle.list, p)
	}
}

// Close ends a GPU. It drops queued draws and keeps the main memory for the
// next GPU. The GPU, and memory that it returned (Read, render targets), must
// not be used afterwards; images are copies and stay valid. Close is optional:
// the garbage collector frees a GPU like anything else, but then making the
// next GPU takes longer.
func (g *GPU) Close() {
	if g.mem == nil {
		return
	}
	g.drop()
	for i := range g.mem.regions {
		if r := &g.mem.regions[i]; !r.foreign && r.size == pica.FCRAMSize && r.data != nil {
			giveFCRAM(r.data)
		}
	}
	*g = GPU{}
}
