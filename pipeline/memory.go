package pipeline

import (
	"fmt"
	"strings"

	"pica200/pica"
)

const (
	pageBits = 12
	pageSize = 1 << pageBits
)

// region is one range of physical memory.
type region struct {
	name string
	base uint32
	size uint32

	// data is allocated when the region is first used. The operating system
	// provides the pages of such a large allocation one by one as they are written,
	// so that a small trace does not cost all of FCRAM.
	data []byte
	// written holds for every page the number of the last write to it
	// (memory.writes).
	written []uint64
	// known holds what every page is known to hold. It is empty for memory of the
	// caller.
	known []repeated

	// borrowed is true for memory of the caller, who writes to it between calls.
	borrowed bool
	watched  watchedPages
}

func (r *region) allocate() {
	if r.data == nil {
		r.written = make([]uint64, r.size>>pageBits)
		r.known = make([]repeated, len(r.written))
		r.data = takeMemory(r.size)
	}
}

// memory is the physical memory that the GPU reads and writes. Memory that was
// never written holds 0. Its methods must not be called concurrently; slices
// that it returned may be read and written by any goroutine.
type memory struct {
	regions [5]region
	writes  uint64 // number of writes so far
	reset   uint64 // value of writes at the last Reset
	watch   uint64 // number of looks at the caller's memory, 0 if it is not watched
	filler  filler
}

// newMemory makes the memory of a 3DS with fcram bytes of main memory:
// pica.FCRAMSize, or twice that for a New 3DS.
func newMemory(fcram uint32) *memory {
	return &memory{regions: [5]region{
		{name: "VRAM", base: pica.VRAMBase, size: pica.VRAMSize},
		{name: "FCRAM", base: pica.FCRAMBase, size: fcram},
		{name: "New 3DS memory", base: pica.ExtraBase, size: pica.ExtraSize},
		{name: "DSP memory", base: pica.DSPBase, size: pica.DSPSize},
		{name: "AXI memory", base: pica.AXIBase, size: pica.AXISize},
	}}
}

// AddressError reports an access to physical memory that does not exist.
type AddressError struct {
	Addr, Bytes uint32
	mem         *memory
}

func (e *AddressError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "no memory at 0x%08X", e.Addr)
	if e.Bytes > 1 {
		fmt.Fprintf(&b, "-0x%08X", uint64(e.Addr)+uint64(e.Bytes)-1)
	}
	if e.mem == nil {
		return b.String()
	}
	b.WriteString(" (there is")
	for i := range e.mem.regions {
		r := &e.mem.regions[i]
		sep := ","
		if i == 0 {
			sep = ""
		}
		fmt.Fprintf(&b, "%s %s at 0x%08X-0x%08X", sep, r.name, r.base, r.base+r.size-1)
	}
	b.WriteString(")")
	return b.String()
}

// find returns the region that contains all n bytes at addr, and their offset
// in it.
func (m *memory) find(addr, n uint32) (*region, uint32, error) {
	for i := range m.regions {
		r := &m.regions[i]
		if off := addr - r.base; off < r.size && n <= r.size-off {
			r.allocate()
			return r, off, nil
		}
	}
	return nil, 0, &AddressError{addr, n, m}
}

// Slice returns the n bytes at physical address addr, which must lie in one region. After writing through the slice the caller must
// call Touch, and also before writing if others may read the memory meanwhile. The error is an *AddressError.
func (m *memory) Slice(addr, n uint32) ([]byte, error) {
	r, off, err := m.find(addr, n)
	if err != nil {
		return nil, err
	}
	return r.data[off : off+n : off+n], nil
}

// Touch records that the n bytes at addr were written. It ignores bytes outside
// of memory.
func (m *memory) Touch(addr, n uint32) {
	m.touchDrawn(addr, n)
	m.forget(addr, n)
}

// touchDrawn is Touch for a buffer that draws write to: it does not call forget, so the known contents stay.
func (m *memory) touchDrawn(addr, n uint32) {
	if n == 0 {
		return
	}
	r, off, err := m.find(addr, n)
	if err != nil {
		return
	}
	m.touchPages(r, off, n)
}

// touchPages records that the n bytes from off on, 1 or more, were written.
func (m *memory) touchPages(r *region, off, n uint32) {
	m.writes++
	pages := r.written[off>>pageBits : (off+n-1)>>pageBits+1]
	for i := range pages {
		pages[i] = m.writes
	}
	if seen := r.watched.seen; seen != nil {
		clear(seen[off>>pageBits : (off+n-1)>>pageBits+1]) // the hashes are of the old contents
	}
}

// Generation returns a number that grows whenever one of the 4 KiB pages of the
// n bytes at addr is written. It is 0 for memory that was never written or does
// not exist.
func (m *memory) Generation(addr, n uint32) uint64 {
	r, off, err := m.find(addr, n)
	if err != nil || n == 0 {
		return 0
	}
	if m.watch > 0 && r.borrowed {
		m.rehash(r, off>>pageBits, (off+n-1)>>pageBits)
	}
	var last uint64
	for _, g := range r.written[off>>pageBits : (off+n-1)>>pageBits+1] {
		last = max(last, g)
	}
	return last
}

// Write copies data to physical address addr.
func (m *memory) Write(addr uint32, data []byte) error {
	if uint64(len(data)) > 1<<32-1 {
		return fmt.Errorf("write of %d bytes at 0x%08X: more than there are addresses", len(data), addr)
	}
	dst, err := m.Slice(addr, uint32(len(data)))
	if err != nil {
		return err
	}
	copy(dst, data)
	m.Touch(addr, uint32(len(data)))
	return nil
}

// Reset sets all memory to 0, except the caller's, which counts as changed.
// Generations keep growing.
func (m *memory) Reset() {
	m.writes++
	for i := range m.regions {
		r := &m.regions[i]
		if r.borrowed {
			for p := range r.written {
				r.written[p] = m.writes
			}
			continue
		}
		for p, g := range r.written {
			if g > m.reset {
				clear(r.data[p<<pageBits : (p+1)<<pageBits])
				r.written[p] = m.writes
				r.know(uint32(p), 0)
			}
		}
	}
	m.reset = m.writes
}
