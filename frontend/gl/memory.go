package gl

import (
	"fmt"
	"slices"
)

// heap allocates ranges of a region of physical memory, first fit.
type heap struct {
	name string
	free []block // by address, never adjacent
}

type block struct{ addr, size uint32 }

// allocAlign is the alignment of all allocations: that of the vertex base
// address, which is the largest of any register.
const allocAlign = 128

func newHeap(name string, addr, size uint32) heap {
	return heap{name, []block{{addr, size}}}
}

// alloc returns the address of n bytes.
func (h *heap) alloc(n uint32, what string) (block, error) {
	size := (uint64(max(n, 1)) + allocAlign - 1) / allocAlign * allocAlign
	largest := uint32(0)
	for i, f := range h.free {
		if uint64(f.size) < size {
			largest = max(largest, f.size)
			continue
		}
		b := block{f.addr, uint32(size)}
		if f.size == b.size {
			h.free = slices.Delete(h.free, i, i+1)
		} else {
			h.free[i] = block{f.addr + b.size, f.size - b.size}
		}
		return b, nil
	}
	return block{}, fmt.Errorf("%s of %d bytes: %s has no more than %d bytes free in one piece", what, n, h.name, largest)
}

// release frees a range.
func (h *heap) release(b block) {
	if b.size == 0 {
		return
	}
	i, _ := slices.BinarySearchFunc(h.free, b, func(a, b block) int { return int(int64(a.addr) - int64(b.addr)) })
	h.free = slices.Insert(h.free, i, b)
	if i+1 < len(h.free) && h.free[i].addr+h.free[i].size == h.free[i+1].addr {
		h.free[i].size += h.free[i+1].size
		h.free = slices.Delete(h.free, i+1, i+2)
	}
	if i > 0 && h.free[i-1].addr+h.free[i-1].size == h.free[i].addr {
		h.free[i-1].size += h.free[i].size
		h.free = slices.Delete(h.free, i, i+1)
	}
}
