package pipeline

import (
	"math/bits"

	"pica200/internal/simd"
)

// Programs clear the same buffers with the same value in each frame and draw on
// a part of them. Memory therefore remembers, for each page, the value with
// which it was filled if nothing else was written to it since. Fills skip such
// pages, and transfers fill the output of such input.

// repeated is what a page holds: a value of 4 bytes, lowest first, repeated from
// the page's beginning on; with triple, a value of 3 bytes. A page of memory
// that was never written holds 0.
type repeated uint64

const (
	triple  repeated = 1 << 32
	unknown repeated = 1 << 33 // anything
)

// rotate returns the value of 3 or 4 bytes that repeats from byte n on.
func rotate(value, n, width uint32) uint32 {
	if width == 4 {
		return bits.RotateLeft32(value, -8*int(n%4))
	}
	n = 8 * (n % 3)
	return (value>>n | value<<(24-n)) & 0xFFFFFF
}

// know records what a page holds.
func (r *region) know(page uint32, holds repeated) {
	if len(r.known) > 0 {
		r.known[page] = holds
	}
}

// forget records that it is not known any more what the n bytes at addr hold.
func (m *memory) forget(addr, n uint32) {
	r, off, err := m.find(addr, n)
	if err != nil || n == 0 || len(r.known) == 0 {
		return
	}
	pages := r.known[off>>pageBits : (off+n-1)>>pageBits+1]
	for i := range pages {
		pages[i] = unknown
	}
}

// fill fills memory, 1 byte or more, with the lowest width bytes of value, 2, 3
// or 4. Pages that hold these bytes already do not count as written.
func (m *memory) fill(with simd.Kernels, s span, value, width uint32) error {
	r, off, err := m.find(s.addr, s.bytes)
	if err != nil {
		return err
	}
	end := off + s.bytes
	if len(r.known) == 0 {
		m.filler.run(with, r.data[off:end], value, int(width))
		m.touchPages(r, off, s.bytes)
		return nil
	}
	switch {
	case width == 2:
		value, width = value&0xFFFF*0x10001, 4
	case width == 3:
		if value &= 0xFFFFFF; value == value&0xFF*0x010101 {
			value, width = value&0xFF*0x01010101, 4
		}
	}
	from := off // of the bytes that must be filled
	write := func(to uint32) {
		if from < to {
			m.filler.run(with, r.data[from:to], rotate(value, from-off, width), int(width))
			m.touchPages(r, from, to-from)
		}
	}
	for p := off >> pageBits; p<<pageBits < end; p++ {
		start := p << pageBits
		// The page's beginning may lie before the first byte; 12 pages hold whole
		// values of any width.
		holds := repeated(rotate(value, start+12<<pageBits-off, width))
		if width == 3 {
			holds |= triple
		}
		switch {
		case r.known[p] == holds:
			write(start)
			from = start + pageSize
		case start < off || start+pageSize > end:
			r.known[p] = unknown
		default:
			r.known[p] = holds
		}
	}
	write(end)
	return nil
}

// holds returns the value that the n bytes at addr, 1 or more, repeat, of size
// bytes, 2 or 4; false if that is not known.
func (m *memory) holds(addr, n uint32, size int) (value uint32, ok bool) {
	r, off, err := m.find(addr, n)
	if err != nil || len(r.known) == 0 {
		return 0, false
	}
	pages := r.known[off>>pageBits : (off+n-1)>>pageBits+1]
	for _, k := range pages {
		if k != pages[0] || k >= triple {
			return 0, false
		}
	}
	value = rotate(uint32(pages[0]), off, 4)
	return value, size == 4 || size == 2 && value>>16 == value&0xFFFF
}
