package pipeline

import (
	"math/bits"
	"sync"

	"pica200/pica"
)

// The main memory of a GPU is 128 MiB and its VRAM 6 MiB, of which a frame writes a
// few. When the Go runtime reuses memory it clears all of it, which takes longer than
// most frames take to draw. So Close keeps both for the next GPU on systems that can
// clear them by dropping their pages (dropPages), whichever were written. A page that is
// dropped costs the next GPU a page fault, many times what clearing it costs. So Close
// clears the pages that are known to be written, if there are few, and drops the others.

// maxCleared is how many pages of a memory Close clears and leaves in memory: 4 MiB.
const maxCleared = 1 << (22 - pageBits)

// maxIdle is how many unused memories of each size are kept: 4, with 32 bits 2. They
// take address space, and memory for the pages of maxCleared. Tests, which have more
// GPUs at a time, keep more.
var maxIdle = bits.UintSize / 16

var idle struct {
	sync.Mutex
	of map[uint32][][]byte // by size; all zero
}

// pooled reports whether Close keeps memory of n bytes. With 32 bits it keeps none:
// address space is scarce there.
func pooled(n uint32) bool {
	return bits.UintSize == 64 && (n == pica.FCRAMSize || n == pica.VRAMSize)
}

// takeMemory returns n bytes that are zero.
func takeMemory(n uint32) []byte {
	idle.Lock()
	defer idle.Unlock()
	list := idle.of[n]
	if len(list) == 0 {
		return make([]byte, n)
	}
	last := len(list) - 1
	p := list[last]
	list[last], idle.of[n] = nil, list[:last]
	return p
}

// giveMemory keeps unused memory for takeMemory. written is not 0 for pages that are
// known to be written.
func giveMemory(p []byte, written []uint64) {
	n := uint32(len(p))
	idle.Lock()
	defer idle.Unlock()
	if !pooled(n) || len(idle.of[n]) >= maxIdle || !makeZero(p, written) {
		return
	}
	if idle.of == nil {
		idle.of = map[uint32][][]byte{}
	}
	idle.of[n] = append(idle.of[n], p)
}

// makeZero sets memory to zero, all of it, as dropPages does.
func makeZero(p []byte, written []uint64) bool {
	cleared := 0
	for _, g := range written {
		if g != 0 {
			cleared++
		}
	}
	if cleared > maxCleared {
		return dropPages(p)
	}
	for from := 0; from < len(written); {
		to := from + 1
		for to < len(written) && (written[to] != 0) == (written[from] != 0) {
			to++
		}
		if run := p[from<<pageBits : to<<pageBits]; written[from] != 0 {
			clear(run)
		} else if !dropPages(run) {
			return false
		}
		from = to
	}
	return true
}

// Close ends a GPU. It drops queued draws and keeps main memory and VRAM for the
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
		if r := &g.mem.regions[i]; !r.borrowed && r.data != nil {
			giveMemory(r.data, r.written)
		}
	}
	*g = GPU{}
}
