package pipeline

import (
	"math/bits"
	"sync"

	"pica200/pica"
)

// The main memory of a GPU is 128 MiB of which a frame writes a few. The Go runtime
// sets memory that it gives out a second time to 0, all of it, which takes longer
// than to draw most frames. So Close hands main memory on to the next GPU, if the
// operating system makes it zero by dropping its pages (dropPages): that needs no
// account of what was written.

// maxIdle is how many main memories wait for a GPU. They take addresses and no
// memory.
const maxIdle = 2

var idle struct {
	sync.Mutex
	list [][]byte // all zero
}

// takeFCRAM gives main memory that holds 0.
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

// giveFCRAM takes main memory that nobody uses any more.
func giveFCRAM(p []byte) {
	if bits.UintSize < 64 { // addresses are few
		return
	}
	idle.Lock()
	defer idle.Unlock()
	if len(idle.list) < maxIdle && dropPages(p) {
		idle.list = append(idle.list, p)
	}
}

// Close ends a GPU: draws that wait are dropped, and its main memory goes to the
// next GPU. Neither the GPU nor memory that it gave (Read, render targets) is to be
// used after it; images are copies, and stay. A GPU need not be closed. The
// collector frees it as it frees anything else, but GPUs that are made after it
// take longer to make.
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
