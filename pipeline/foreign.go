package pipeline

import (
	"context"
	"fmt"
	"hash/maphash"

	"pica200/assets/picatrace"
	"pica200/pica"
)

// Region is physical memory that the caller holds: an emulator's, which the
// GPU then reads and writes in place.
type Region struct {
	Addr uint32 // VRAMBase, FCRAMBase or another of the bases of package pica
	Data []byte // a multiple of 4096 bytes
}

// NewOn makes a GPU like New whose memory is the caller's where regions say so.
// All of it counts as changed at first. The caller may read and write it while
// nothing is queued, that is after Finish, and says with Changed what was written; or
// has it found out, with WatchMemory.
func NewOn(regions []Region, o Options) (*GPU, error) {
	g := New(o)
	for _, given := range regions {
		if err := g.mem.replace(given); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// replace puts the caller's memory in the place of a region.
func (m *memory) replace(given Region) error {
	const most = 2 * pica.FCRAMSize
	n := len(given.Data)
	if n == 0 || n%pageSize != 0 || n > most {
		return fmt.Errorf("memory of %d bytes at 0x%08X: want a multiple of %d, at most %d", n, given.Addr, pageSize, most)
	}
	for i := range m.regions {
		r := &m.regions[i]
		if r.base != given.Addr {
			continue
		}
		if r.foreign {
			return fmt.Errorf("memory at 0x%08X is given twice", given.Addr)
		}
		if i+1 < len(m.regions) && r.base != pica.FCRAMBase && n > int(r.size) {
			return fmt.Errorf("%s at 0x%08X has at most %d bytes, not %d", r.name, r.base, r.size, n)
		}
		m.writes++
		r.size, r.data, r.foreign = uint32(n), given.Data, true
		r.written = make([]uint64, n>>pageBits)
		for p := range r.written {
			r.written[p] = m.writes
		}
		return nil
	}
	return fmt.Errorf("there is no memory that begins at 0x%08X: %w", given.Addr, &AddressError{given.Addr, 1, m})
}

// Changed says that the caller wrote to memory that is its own, without Load.
// What is queued is drawn first, too late for draws that read what is gone: call
// Finish before writing. Bytes outside of memory do not count.
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

// Do does what an event of a recording says, a load among them.
func (g *GPU) Do(ctx context.Context, e *picatrace.Event) error { return g.do(ctx, e) }

// SetState loads blocks of a recording's state, as a recording begins with them.
// Blocks that are not given stay as they are.
func (g *GPU) SetState(ctx context.Context, s picatrace.State) error {
	if err := g.Finish(ctx); err != nil {
		return err
	}
	g.loadInitial(s)
	return nil
}

// watchedPages tells whether pages changed behind the GPU's back.
type watchedPages struct {
	sum  []uint64 // of each page when it was looked at last
	seen []uint64 // the look, 0 if there is no sum
}

// pageSeed is of this process alone, so that no file can hold two pages with one sum.
var pageSeed = maphash.MakeSeed()

// WatchMemory lets the GPU find out by itself what changed in the caller's
// memory since the last call of it: of the pages that it keeps anything of
// (textures; vertices, indices and lists are read anew anyway), those that a
// draw uses are hashed once. Call it before each command, with nothing queued.
func (g *GPU) WatchMemory(ctx context.Context) error {
	if err := g.Finish(ctx); err != nil {
		return err
	}
	g.mem.watch++
	return nil
}

// lookAt compares pages first to last of a region with their last sums. A page
// that was written through the GPU since has no sum (Touch) and counts once more
// as changed: its old sum may be that of what the caller puts there next.
func (m *memory) lookAt(r *region, first, last uint32) {
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
