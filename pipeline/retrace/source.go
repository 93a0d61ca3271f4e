package retrace

import (
	"math/bits"

	"pica200/assets/picatrace"
)

const pageSize = picatrace.PageSize

// byteSet is a set of the bytes of a page.
type byteSet [pageSize / 64]uint64

// add adds the bytes from to to-1.
func (s *byteSet) add(from, to uint16) {
	for i := from; i < to; {
		n := min(to-i, 64-i%64)
		s[i/64] |= ^uint64(0) >> (64 - n) << (i % 64)
		i += n
	}
}

func (s *byteSet) has(i uint16) bool { return s[i/64]>>(i%64)&1 != 0 }

// len is the number of bytes in the set.
func (s *byteSet) len() (n int) {
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// only returns the part of data (bytes of a page from first on) between the
// first and the last byte in the set, with bytes that are not in the set as 0,
// and the position of its first byte in the page. It returns nil if no byte is in
// the set.
func (s *byteSet) only(first uint16, data []byte) (at uint16, part []byte) {
	lo, hi := -1, 0
	for i := range data {
		if s.has(first + uint16(i)) {
			if lo < 0 {
				lo = i
			}
			hi = i + 1
		}
	}
	if lo < 0 {
		return 0, nil
	}
	part = make([]byte, hi-lo)
	for i := range part {
		if s.has(first + uint16(lo+i)) {
			part[i] = data[lo+i]
		}
	}
	return first + uint16(lo), part
}

// source is what wrote bytes that are read later: a load of at most a page, the
// contents of a page at the first frame, or work of the GPU.
type source struct {
	need *byteSet // of a load or a page: bytes that were needed; nil: none
	load int      // number of the load, from 1

	// Of the GPU's work: its inputs, which are needed only if its result is. They
	// are dropped once they were asked for.
	work bool
	from []segment
}

// segment is the bytes from to to-1 of a page, as a source wrote them.
type segment struct {
	from, to uint16
	src      *source
}

// page says for each byte of a page where it comes from: consecutive parts from
// 0 to pageSize.
type page struct{ parts []segment }

// put makes src the source of the bytes from to to-1.
func (p *page) put(from, to uint16, src *source) {
	out := make([]segment, 0, len(p.parts)+2)
	done := false
	add := func(q segment) {
		if q.from < q.to {
			out = append(out, q)
		}
	}
	for _, q := range p.parts {
		add(segment{q.from, min(q.to, from), q.src})
		if !done && q.to > from {
			add(segment{from, to, src})
			done = true
		}
		add(segment{max(q.from, to), q.to, q.src})
	}
	p.parts = out
}

// each calls f for the parts of the bytes from to to-1.
func (p *page) each(from, to uint16, f func(segment)) {
	for _, q := range p.parts {
		if lo, hi := max(q.from, from), min(q.to, to); lo < hi {
			f(segment{lo, hi, q.src})
		}
	}
}
