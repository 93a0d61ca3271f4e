package pipeline

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// plainMemory is the reference for memory: its bytes and the written pages.
type plainMemory struct {
	bytes [2][]byte
	used  [2][]bool // since the last Reset
}

func (p *plainMemory) clone() (c plainMemory) {
	for i := range p.bytes {
		c.bytes[i], c.used[i] = slices.Clone(p.bytes[i]), slices.Clone(p.used[i])
	}
	return c
}

// Memory and its saved tables equal plain arrays through writes, resets, and tables saved, restored and dropped in any order. Only
// written pages have a newer generation; tables share equal pages, use the counted bytes, and at most the estimate.
func TestMemoryAgainstPlainArrays(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 8))
	m := &memory{regions: [5]region{{base: 0x1000000, size: (2*chunkPages + 1) * pageSize}, {base: 0x2000000, size: 3 * pageSize}}}
	var plain plainMemory
	for i := range plain.bytes {
		plain.bytes[i], plain.used[i] = make([]byte, m.regions[i].size), make([]bool, m.regions[i].size>>pageBits)
	}
	type saved struct {
		table pageTable
		plain plainMemory
	}
	var store pageStore
	base, since := &saved{plain: plain.clone()}, uint64(0)
	tables := []*saved{base}
	generations := func() (list [2][]uint64) {
		for i := range list {
			for p := range plain.used[i] {
				list[i] = append(list[i], m.Generation(m.regions[i].base+uint32(p)<<pageBits, pageSize))
			}
		}
		return list
	}
	for step := range 600 {
		before, changed := generations(), [2][]bool{make([]bool, len(plain.used[0])), make([]bool, len(plain.used[1]))}
		switch what := rng.IntN(10); {
		case what < 5:
			i := rng.IntN(7) / 6
			r := &m.regions[i]
			n := 1 + rng.IntN(2*pageSize)
			if rng.IntN(3) == 0 {
				n = pageSize
			}
			at := rng.IntN(int(r.size) - n)
			if n == pageSize {
				at &^= pageSize - 1
			}
			if n, at = min(n, int(r.size)), max(at, 0); rng.IntN(12) == 0 {
				at = int(r.size) - n
			}
			data := bytes.Repeat([]byte{byte(rng.IntN(4))}, n) // often zeros, often unchanged
			copy(plain.bytes[i][at:], data)
			for p := at >> pageBits; p <= (at+n-1)>>pageBits; p++ {
				changed[i][p], plain.used[i][p] = true, true
			}
			require.NoError(t, m.Write(r.base+uint32(at), data))
		case what == 5 && step%4 == 0:
			for i := range plain.bytes {
				clear(plain.bytes[i])
				changed[i] = slices.Clone(plain.used[i])
				clear(plain.used[i])
			}
			m.Reset()
		case what < 7:
			var most int64
			for i := range plain.bytes {
				written := m.regions[i].written
				for lo := 0; lo < len(written); lo += chunkPages {
					most += int64(unsafe.Sizeof((*pageChunk)(nil)))
					pages := int64(0)
					for _, g := range written[lo:min(lo+chunkPages, len(written))] {
						if g > since {
							pages++
						}
					}
					if most += pages * savedPageBytes; pages > 0 {
						most += pageChunkBytes
					}
				}
			}
			require.Equal(t, most, store.estimate(m, since))
			held := store.bytes
			one := &saved{store.save(m, &base.table, since), plain.clone()}
			require.LessOrEqual(t, store.bytes-held, most)
			tables = append(tables, one)
			base, since = one, m.writes
		case what < 9:
			one := tables[rng.IntN(len(tables))]
			for i := range plain.bytes {
				for p := range changed[i] {
					lo, hi := p<<pageBits, (p+1)<<pageBits
					changed[i][p] = !bytes.Equal(plain.bytes[i][lo:hi], one.plain.bytes[i][lo:hi])
					plain.used[i][p] = plain.used[i][p] || changed[i][p]
				}
				copy(plain.bytes[i], one.plain.bytes[i])
			}
			one.table.restore(m, &base.table, since)
			base, since = one, m.writes
		case len(tables) > 4:
			k := 1 + rng.IntN(len(tables)-1) // the first one stays
			if tables[k] == base {
				base, since = tables[0], 0
			}
			store.drop(&tables[k].table)
			tables = slices.Delete(tables, k, k+1)
		}
		after := generations()
		for i := range plain.bytes {
			r := &m.regions[i]
			require.True(t, bytes.Equal(plain.bytes[i], r.data), "step %d", step)
			for p := range changed[i] {
				require.Equal(t, changed[i][p], after[i][p] > before[i][p], "step %d, page %d", step, p)
				require.GreaterOrEqual(t, after[i][p], before[i][p])
			}
			from := rng.IntN(len(after[i]))
			to := from + rng.IntN(len(after[i])-from)
			require.Equal(t, slices.Max(after[i][from:to+1]), m.Generation(r.base+uint32(from)<<pageBits+9, uint32(to-from)<<pageBits+1))
		}
		// Contents of all tables, each chunk and page once.
		chunks, pages, bytes := map[*pageChunk]bool{}, map[*savedPage]bool{}, int64(0)
		for _, one := range tables {
			for _, list := range one.table {
				bytes += int64(len(list)) * int64(unsafe.Sizeof((*pageChunk)(nil)))
				for _, c := range list {
					if c != nil && !chunks[c] {
						chunks[c] = true
						for _, p := range c.pages {
							if p != nil {
								pages[p] = true
							}
						}
					}
				}
			}
		}
		require.Equal(t, bytes+int64(len(chunks))*pageChunkBytes+int64(len(pages))*savedPageBytes, store.bytes, "step %d", step)
	}
	for len(tables) > 1 {
		store.drop(&tables[1].table)
		tables = tables[1:]
	}
	require.Zero(t, store.bytes)
}

// A snapshot uses at most its stated bytes, and shares equal tables with the previous one, however often they were uploaded.
func TestSnapshotBytes(t *testing.T) {
	g := GPUFor(t, Options{})
	one := g.snapshot(nil)
	start := one.bytes()
	require.EqualValues(t, unsafe.Sizeof(*one)+unsafe.Sizeof(*one.tables)+unsafe.Sizeof(*one.vs)+unsafe.Sizeof(*one.gs)+unsafe.Sizeof([len(one.targets)]targetKey{})+64*unsafe.Sizeof(one.vertices[0]), start)
	for want, change := range map[int64]func(s *snapshot){
		16 * 7:                            func(s *snapshot) { s.vertices = make([][4]float32, 7) },
		16 * 9:                            func(s *snapshot) { s.partial = make([][4]float32, 9) },
		int64(unsafe.Sizeof([256]rgba{})): func(s *snapshot) { s.colors[1] = new([256]rgba) },
		2 * (3 + 38 + 128): func(s *snapshot) {
			s.warnings = []Warning{{Text: "abc"}, {Text: "0123456789" + "0123456789" + "0123456789" + "01234567"}}
		},
	} {
		s := *one
		change(&s)
		require.Equal(t, want, s.bytes()-start)
	}
	g.tables.Version++
	require.Same(t, one.tables, g.snapshot(one).tables)
	g.tables.Fog[5]++
	require.NotSame(t, one.tables, g.snapshot(one).tables)
}
