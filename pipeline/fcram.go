package pipeline

import (
	"runtime"
	"sync"

	"pica200/pica"
)

// Memory that the Go runtime gives out a second time it sets to 0 before, all 128 MiB of
// FCRAM of which a GPU uses a few: for who draws with one GPU after the other, that is most of
// the time. So FCRAM that nothing refers to any more, neither its GPU nor a slice of it, has
// the pages cleared that were written, and is kept for the next GPU.

type fcram [pica.FCRAMSize]byte

// maxIdlePages is how many pages may have been written of memory that is kept, since they stay
// with the program.
const maxIdlePages = 32 << 20 >> pageBits

// maxIdle is how many are kept: none where there are no more than 4 GiB of addresses.
func maxIdle() int {
	switch runtime.GOARCH {
	case "386", "arm", "wasm":
		return 0
	}
	return 2
}

var idle struct {
	sync.Mutex
	list []*fcram
}

// takeFCRAM gives main memory that holds 0. written must be that of its region: not 0 for
// every page that was written to.
func takeFCRAM(written []uint64) []byte {
	var p *fcram
	idle.Lock()
	if n := len(idle.list); n > 0 {
		p, idle.list[n-1] = idle.list[n-1], nil // a list that still held it would keep it alive
		idle.list = idle.list[:n-1]
	}
	idle.Unlock()
	if p == nil {
		p = new(fcram)
	}
	runtime.SetFinalizer(p, func(p *fcram) { p.giveBack(written) })
	return p[:]
}

func (p *fcram) giveBack(written []uint64) {
	pages := 0
	for _, w := range written {
		if w != 0 {
			pages++
		}
	}
	if pages > maxIdlePages {
		return
	}
	for i, w := range written {
		if w != 0 {
			clear(p[i<<pageBits : (i+1)<<pageBits])
		}
	}
	idle.Lock()
	defer idle.Unlock()
	if len(idle.list) < maxIdle() {
		idle.list = append(idle.list, p)
	}
}
