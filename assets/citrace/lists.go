package citrace

import (
	"fmt"
	"slices"

	"pica200/pica"
)

// list is a command list found in a trace, in pieces: one for each jump, in
// order.
type list struct {
	pieces  []piece
	problem string // why it is not complete
	note    string // an oddity
}

type piece struct {
	addr  uint32
	words []uint32
}

// maxPieces bounds the jumps of a list; a list can jump to itself.
const maxPieces = 256

// listFinder follows the command list registers of a trace and finds the lists
// in memory loads before their start.
type listFinder struct {
	t          *Trace
	addr, size [2]uint32 // as written, by list; each start has its own registers
	budget     int       // words that may still be decoded
	words      []uint32  // of the piece being read
	have       []bool    // bytes of it that were loaded
}

func newListFinder(t *Trace) *listFinder {
	return &listFinder{t: t, budget: maxListWords + len(t.data)}
}

// write processes element i and returns the list that it starts, if any.
func (l *listFinder) write(i int) (list, bool) {
	e := &l.t.Elements[i]
	if e.Type != RegisterWrite || e.Width < 4 {
		return list{}, false
	}
	v := uint32(e.Value)
	if e.Address%4 != 0 || e.Address < pica.ExtInternal || e.Address >= pica.ExtInternal+4*pica.NumRegs {
		return list{}, false
	}
	if k, jump := l.register(pica.Reg((e.Address-pica.ExtInternal)/4), v, 0xFFFFFFFF); jump {
		return l.follow(i, k), true
	}
	return list{}, false
}

// register processes a write to a register. If it starts list k, jump is true.
func (l *listFinder) register(r pica.Reg, v, mask uint32) (k int, jump bool) {
	switch r {
	case pica.RegCmdbufSize0, pica.RegCmdbufSize0 + 1:
		k = int(r - pica.RegCmdbufSize0)
		l.size[k] = l.size[k]&^mask | v&mask
	case pica.RegCmdbufAddr0, pica.RegCmdbufAddr0 + 1:
		k = int(r - pica.RegCmdbufAddr0)
		l.addr[k] = l.addr[k]&^mask | v&mask
	case pica.RegCmdbufJump0, pica.RegCmdbufJump0 + 1:
		return int(r - pica.RegCmdbufJump0), true
	}
	return k, false
}

// follow reads list k and its jumps, from memory before element i.
func (l *listFinder) follow(i, k int) (out list) {
	for len(out.pieces) < maxPieces {
		p := piece{addr: pica.CommandListAddr.AddrOf(l.addr[k])}
		size := pica.CommandListSize.Of(l.size[k]) * 16
		switch {
		case size == 0:
			out.problem = fmt.Sprintf("the list at 0x%08x has size 0", p.addr)
			return out
		case int64(size) > int64(max(len(l.t.data), 64)):
			out.problem = fmt.Sprintf("the list at 0x%08x is longer than the whole recording", p.addr)
			return out
		case int(size/4) > l.budget:
			out.problem = "not decoded: the recording's lists are too long altogether"
			return out
		}
		l.budget -= int(size / 4)
		missing := l.memory(i, p.addr, size)
		if missing > 0 {
			// Recorders leave out memory that is zero, for example a table of zeros in the
			// list.
			out.note = fmt.Sprintf("0x%x bytes of the list at 0x%08x were never loaded, and read as 0", missing, p.addr)
		}
		next, used := -1, len(l.words)
		r := pica.ReadCommands(l.words)
		for c, ok := r.Next(); ok && next < 0; c, ok = r.Next() {
			for j := range c.Len() {
				if n, jump := l.register(c.Reg(j), c.Param(j), c.Header.BitMask()); jump {
					next = n
					used = min(c.Offset+c.Size(), len(l.words)) // what follows is not read
				}
			}
		}
		p.words = slices.Clone(l.words[:used])
		out.pieces = append(out.pieces, p)
		if next < 0 {
			return out
		}
		k = next
	}
	out.problem = fmt.Sprintf("more than %d jumps; the rest is not shown", maxPieces)
	return out
}

// memory reads the bytes from addr on, as the loads before element i left them,
// into l.words, and returns how many were never loaded.
func (l *listFinder) memory(i int, addr, size uint32) (missing int) {
	if cap(l.have) < int(size) {
		l.have, l.words = make([]bool, size), make([]uint32, size/4)
	}
	l.have, l.words = l.have[:size], l.words[:size/4]
	clear(l.have)
	clear(l.words)
	missing = int(size)
	for j := i - 1; j >= 0 && missing > 0; j-- {
		e := &l.t.Elements[j]
		if e.Type != MemoryLoad {
			continue
		}
		from := max(uint64(e.Address), uint64(addr))
		to := min(uint64(e.Address)+uint64(e.Size), uint64(addr)+uint64(size))
		if from >= to {
			continue
		}
		l.budget -= int(to-from) / 64 // searching costs time too
		if l.budget < 0 {
			return missing
		}
		src := l.t.Payload(*e)[from-uint64(e.Address):]
		for k := from - uint64(addr); k < to-uint64(addr); k++ {
			if !l.have[k] {
				l.have[k] = true
				l.words[k/4] |= uint32(src[k-(from-uint64(addr))]) << (8 * (k % 4))
				missing--
			}
		}
	}
	return missing
}
