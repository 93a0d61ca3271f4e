package pipeline

import (
	"context"
	"fmt"
	"hash/maphash"

	"pica200/assets/picatrace"
	"pica200/pica"
)

// Region is physical memory that the caller owns, such as an emulator's. The
// GPU reads and writes it in place.
type Region struct {
	Addr uint32 // VRAMBase, FCRAMBase or another base address of package pica
	Data []byte // its length is a multiple of 4096 bytes
}

// NewOn makes a GPU like New, but with the caller's memory for the given
// regions. All of it counts as changed at first. The caller may read and write
// it while nothing is queued, that is after Finish. It must report its writes
// with Changed, or call WatchMemory to let the GPU find them.
func NewOn(regions []Region, o Options) (*GPU, error) {
	g := New(o)
	for _, by := range regions {
		if err := g.mem.replace(by); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// replace makes a region use the caller's memory.
func (m *memory) replace(by Region) error {
	const most = 2 * pica.FCRAMSize
	n := len(by.Data)
	if n == 0 || n%pageSize != 0 || n > most {
		return fmt.Errorf("memory of %d bytes at 0x%08X: want a multiple of %d, at most %d", n, by.Addr, pageSize, most)
	}
	for i := range m.regions {
		r := &m.regions[i]
		if r.base != by.Addr {
			continue
		}
		if r.borrowed {
			return fmt.Errorf("memory at 0x%08X is given twice", by.Addr)
		}
		if i+1 < len(m.regions) && r.base != pica.FCRAMBase && n > int(r.size) {
			return fmt.Errorf("%s at 0x%08X has at most %d bytes, not %d", r.name, r.base, r.size, n)
		}
		m.writes++
		r.size, r.data, r.known, r.borrowed = uint32(n), by.Data, nil, true
		r.written = make([]uint64, n>>pageBits)
		for p := range r.written {
			r.written[p] = m.writes
		}
		return nil
	}
	return fmt.Errorf("there is no memory that begins at 0x%08X: %w", by.Addr, &AddressError{by.Addr, 1, m})
}

// Changed tells the GPU that the caller wrote to its own memory without Load.
// It executes queued draws first; for draws that need the old contents that is
// too late, so call Finish before writing. Bytes outside of memory are ignored.
func (g *GPU) Changed(ctx context.Context, addr, n uint32) error {
	if err := g.Finish(ctx); err != nil {
		return err
	}
	s := clipSpan(uint64(addr), uint64(n))
	for i := range g.mem.regions {
		r := &g.mem.regions[i]
		from := max(uint64(s.addr), uint64(r.base))
		to := min(uint64(s.addr)+uint64(s.bytes), uint64(r.base)+uint64(r.size))
		if from < to {
			g.mem.Touch(uint32(from), uint32(to-from))
		}
	}
	return nil
}

// Do runs one event of a recording.
func (g *GPU) Do(ctx context.Context, e *picatrace.Event) error { return g.do(ctx, e) }

// SetState loads blocks of a recording's initial state. Parts of the GPU
// without a block stay as they are.
func (g *GPU) SetState(ctx context.Context, s picatrace.State) error {
	if err := g.Finish(ctx); err != nil {
		return err
	}
	g.loadInitial(s)
	return nil
}

// watchedPages tells which pages the caller changed.
type watchedPages struct {
	sum  []uint64 // hash of each page at the last look
	seen []uint64 // number of the last look at each page, 0 if it has no hash
}

// pageSeed is random for each process, so that no file can be made to hold two
// pages with the same hash.
var pageSeed = maphash.MakeSeed()

// WatchMemory lets the GPU find what the caller changed in its memory since the
// last call. Call it before each command, with nothing queued. The GPU hashes
// only pages that it caches something of (textures) and that a draw uses, each
// once. Vertices, indices and lists are always read anew.
func (g *GPU) WatchMemory(ctx context.Context) error {
	if err := g.Finish(ctx); err != nil {
		return err
	}
	g.mem.watch++
	return nil
}

// rehash compares the hashes of pages first to last of a region with those of
// the last look. A page that the GPU wrote since then has no hash (Touch) and
// counts as changed once more: the old hash could be that of what the caller
// writes there next.
func (m *memory) rehash(r *region, first, last uint32) {
	w := &r.watched
	if w.sum == nil {
		w.sum, w.seen = make([]uint64, len(r.written)), make([]uint64, len(r.written))
	}
	for p := first; p <= last; p++ {
		if w.seen[p] == m.watch {
			continue
		}
		sum := maphash.Bytes(pageSeed, r.data[p<<pageBits:(p+1)<<pageBits])
		if w.seen[p] == 0 || w.sum[p] != sum {
			m.writes++
			r.written[p] = m.writes
		}
		w.sum[p], w.seen[p] = sum, m.watch
	}
}
