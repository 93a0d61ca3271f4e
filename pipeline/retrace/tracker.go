package retrace

import "pica200/pipeline"

// tracker tracks the origin of memory while frames are replayed. It is the
// GPU's MemoryUse.
type tracker struct {
	pages map[uint32]*page   // by address / pageSize
	start map[uint32]*source // pages that were read with their contents at the first frame

	loads  int              // so far, one for each page of each load
	needed map[int]*byteSet // of loads, by their number from 1

	targetRest bool    // what draws leave of their targets counts
	onlyDraws  bool    // reads of transfers count only if a draw reads their output; reads of screens do not count
	transfer   *source // the transfer being reported
	written    bool    // its writes were reported
}

func newTracker() *tracker {
	return &tracker{pages: map[uint32]*page{}, start: map[uint32]*source{}, needed: map[int]*byteSet{}}
}

// page returns the record of the page at number n.
func (t *tracker) page(n uint32) *page {
	p := t.pages[n]
	if p == nil {
		src := new(source)
		t.start[n] = src
		p = &page{[]segment{{0, pageSize, src}}}
		t.pages[n] = p
	}
	return p
}

// ask notes that bytes from to to, exclusive, of a page are read, which a source
// put there.
func (t *tracker) ask(first segment) {
	for todo := []segment{first}; len(todo) > 0; {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		switch s := p.src; {
		case !s.work:
			if s.need == nil {
				s.need = new(byteSet)
				if s.load > 0 {
					t.needed[s.load] = s.need
				}
			}
			s.need.add(p.from, p.to)
		default:
			todo = append(todo, s.from...)
			s.from = nil
		}
	}
}

// eachPage cuts a range of memory at pages.
func eachPage(addr, n uint32, f func(page uint32, from, to uint16)) {
	end := uint64(addr) + uint64(n)
	for at := uint64(addr); at < end; {
		number := at / pageSize
		next := min(end, (number+1)*pageSize)
		f(uint32(number), uint16(at-number*pageSize), uint16(next-number*pageSize))
		at = next
	}
}

// Reads implements pipeline.MemoryUse.
func (t *tracker) Reads(u pipeline.Use, addr, n uint32) {
	use := t.ask
	switch {
	case t.onlyDraws && u == pipeline.UseScreen, !t.targetRest && u == pipeline.UseTargetRest:
		return
	case t.onlyDraws && u == pipeline.UseTransfer:
		if t.transfer == nil || t.written {
			t.transfer, t.written = &source{work: true}, false
		}
		use = func(p segment) { t.transfer.from = append(t.transfer.from, p) }
	}
	eachPage(addr, n, func(number uint32, from, to uint16) { t.page(number).each(from, to, use) })
}

// Writes implements pipeline.MemoryUse.
func (t *tracker) Writes(u pipeline.Use, addr, n uint32, whole bool) {
	src := func() *source { return t.transfer }
	switch {
	case u == pipeline.UseCPU:
		src = func() *source {
			t.loads++
			return &source{load: t.loads}
		}
	case u == pipeline.UseTransfer && t.transfer != nil:
		t.written = true
	default: // a fill, or a transfer whose inputs count already
		fill := &source{work: true}
		src = func() *source { return fill }
	}
	eachPage(addr, n, func(number uint32, from, to uint16) {
		p, s := t.page(number), src()
		switch {
		case whole:
		case !t.onlyDraws:
			return // unwritten bytes keep their source
		default:
			// Either the old contents or what the transfer read.
			both := &source{work: true, from: []segment{{0, 1, s}}}
			p.each(from, to, func(q segment) { both.from = append(both.from, q) })
			s = both
		}
		p.put(from, to, s)
	})
}
