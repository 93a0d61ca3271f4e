package pipeline

import (
	"bytes"
	"unsafe"
)

// Checkpoints hold memory as tables of shared pages. A page is copied once for
// all checkpoints between which it did not change. A chunk, a part of the
// table, is shared if none of its pages changed.

// chunkPages is the number of pages of a chunk: 256 KiB of memory.
const chunkPages = 64

// savedPage is the contents of a page. Pages of zeros are not saved: the table
// has nil for them.
type savedPage struct {
	refs int
	data [pageSize]byte
}

type pageChunk struct {
	refs  int
	pages [chunkPages]*savedPage
}

// pageTable holds the chunks of each region; nil where all is zero.
type pageTable [len(memory{}.regions)][]*pageChunk

const (
	savedPageBytes = int64(unsafe.Sizeof(savedPage{}))
	pageChunkBytes = int64(unsafe.Sizeof(pageChunk{}))
)

var zeroPage [pageSize]byte

// pageStore counts the bytes that all of its tables hold together.
type pageStore struct{ bytes int64 }

// at returns page p of region i, nil if it holds zeros.
func (t *pageTable) at(i, p int) *savedPage {
	c := t.chunk(i, p/chunkPages)
	if c == nil {
		return nil
	}
	return c.pages[p%chunkPages]
}

func (t *pageTable) chunk(i, c int) *pageChunk {
	if c >= len(t[i]) {
		return nil
	}
	return t[i][c]
}

func (t *pageTable) size() (n int64) {
	for i := range t {
		n += int64(len(t[i])) * int64(unsafe.Sizeof((*pageChunk)(nil)))
	}
	return n
}

// changed reports whether any of the pages lo to hi-1 was written after a
// generation.
func (r *region) changed(lo, hi int, since uint64) bool {
	for _, g := range r.written[lo:min(hi, len(r.written))] {
		if g > since {
			return true
		}
	}
	return false
}

// estimate returns an upper bound of the bytes that save would add.
func (s *pageStore) estimate(m *memory, since uint64) (n int64) {
	for i := range m.regions {
		r := &m.regions[i]
		for lo := 0; lo < len(r.written); lo += chunkPages {
			pages := 0
			for _, g := range r.written[lo:min(lo+chunkPages, len(r.written))] {
				if g > since {
					pages++
				}
			}
			if pages > 0 {
				n += pageChunkBytes + int64(pages)*savedPageBytes
			}
			n += int64(unsafe.Sizeof((*pageChunk)(nil)))
		}
	}
	return n
}

// save makes a table of memory. base is the table of memory at the time when
// its number of writes was since. Pages that were not written after that, or
// hold the same bytes, are shared with base.
func (s *pageStore) save(m *memory, base *pageTable, since uint64) (t pageTable) {
	for i := range m.regions {
		r := &m.regions[i]
		if r.data == nil {
			continue
		}
		t[i] = make([]*pageChunk, (len(r.written)+chunkPages-1)/chunkPages)
		for c := range t[i] {
			lo := c * chunkPages
			old := base.chunk(i, c)
			if !r.changed(lo, lo+chunkPages, since) {
				if old != nil {
					old.refs++
				}
				t[i][c] = old
				continue
			}
			t[i][c] = s.saveChunk(r, old, lo, since)
		}
	}
	s.bytes += t.size()
	return t
}

func (s *pageStore) saveChunk(r *region, old *pageChunk, lo int, since uint64) *pageChunk {
	c := &pageChunk{refs: 1}
	s.bytes += pageChunkBytes
	for k := range c.pages[:min(chunkPages, len(r.written)-lo)] {
		var p *savedPage
		if old != nil {
			p = old.pages[k]
		}
		if r.written[lo+k] > since {
			data := r.page(lo + k)
			switch {
			case bytes.Equal(data, contents(p)):
			case bytes.Equal(data, zeroPage[:]):
				p = nil
			default:
				p = &savedPage{}
				copy(p.data[:], data)
				s.bytes += savedPageBytes
			}
		}
		if p != nil {
			p.refs++
			c.pages[k] = p
		}
	}
	return c
}

// drop releases a table.
func (s *pageStore) drop(t *pageTable) {
	s.bytes -= t.size()
	for i := range t {
		for _, c := range t[i] {
			if c == nil {
				continue
			}
			if c.refs--; c.refs > 0 {
				continue
			}
			s.bytes -= pageChunkBytes
			for _, p := range c.pages {
				if p == nil {
					continue
				}
				if p.refs--; p.refs == 0 {
					s.bytes -= savedPageBytes
				}
			}
		}
	}
}

// restore writes the contents of a table to memory. base and since are as in
// save. Only pages with other contents count as written, so that caches of the
// others stay valid.
func (t *pageTable) restore(m *memory, base *pageTable, since uint64) {
	m.writes++
	for i := range m.regions {
		r := &m.regions[i]
		for lo := 0; lo < len(r.written); lo += chunkPages {
			c := lo / chunkPages
			if t.chunk(i, c) == base.chunk(i, c) && !r.changed(lo, lo+chunkPages, since) {
				continue
			}
			for p := lo; p < min(lo+chunkPages, len(r.written)); p++ {
				want := t.at(i, p)
				if r.written[p] <= since && want == base.at(i, p) {
					continue
				}
				if data := r.page(p); !bytes.Equal(data, contents(want)) {
					copy(data, contents(want))
					r.written[p] = m.writes
					r.know(uint32(p), unknown)
				}
			}
		}
	}
}

func contents(p *savedPage) []byte {
	if p == nil {
		return zeroPage[:]
	}
	return p.data[:]
}

func (r *region) page(p int) []byte { return r.data[p<<pageBits : (p+1)<<pageBits] }

// copyTables copies the colour tables of the screens.
func copyTables(t [2]*[256]rgba) (c [2]*[256]rgba) {
	for i := range t {
		if t[i] != nil {
			one := *t[i]
			c[i] = &one
		}
	}
	return c
}
