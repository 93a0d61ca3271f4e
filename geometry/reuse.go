package geometry

import (
	"encoding/binary"

	"pica200/internal/cores"
)

// indexRange is the number of values an index can have.
const indexRange = 1 << 16

// reuse finds the vertices that an indexed draw uses more than once. The
// console has a small post-transform cache. Here a vertex is shaded once for
// each chunk, with the same result, because a vertex depends only on its index
// and the state of the draw.
type reuse struct {
	// slot holds for each index value a generation in the upper half and the
	// vertex's number in the chunk in the lower half.
	slot       [indexRange]uint32
	generation uint32
}

// indexBuffer is a part of the index array.
type indexBuffer struct {
	data []byte
	wide bool // 16 bits each, otherwise 8
}

func (b *indexBuffer) len() int {
	if b.wide {
		return len(b.data) / 2
	}
	return len(b.data)
}

func (b *indexBuffer) at(i int) uint32 {
	if b.wide {
		return uint32(binary.LittleEndian.Uint16(b.data[2*i:]))
	}
	return uint32(b.data[i])
}

// slice returns the indices lo to hi-1.
func (b *indexBuffer) slice(lo, hi int) indexBuffer {
	if b.wide {
		return indexBuffer{b.data[2*lo : 2*hi], true}
	}
	return indexBuffer{b.data[lo:hi], false}
}

// scanned is the number of indices that are scanned at a time.
const scanned = 256

// begin forgets all vertices.
func (r *reuse) begin() {
	r.generation++
	if r.generation == 1<<16 {
		clear(r.slot[:])
		r.generation = 1
	}
}

// scan appends the vertex number of every index to idx, and every index that
// was not seen since begin to ids, in the order of first use.
func (r *reuse) scan(b indexBuffer, idx, ids []uint32) ([]uint32, []uint32) {
	n, known := b.len(), uint32(len(ids))
	start := len(idx)
	grow(&idx, n)
	grow(&ids, n)
	next := known
	for dst := idx[start:]; len(dst) > 0; {
		m := min(len(dst), scanned)
		// Other workers have read these lists.
		cores.PrefetchWrite(dst[m:min(2*m, len(dst))])
		cores.PrefetchWrite(ids[min(int(next)+m, len(ids)):min(int(next)+2*m, len(ids))])
		part := b.slice(len(idx)-start-len(dst), len(idx)-start-len(dst)+m)
		if b.wide {
			next = r.scanShorts(part.data, dst[:m], ids, next)
		} else {
			next = r.scanBytes(part.data, dst[:m], ids, next)
		}
		dst = dst[m:]
	}
	return idx, ids[:next]
}

// scanShorts is scan for 16-bit indices. next is the number of known vertices
// at the start of ids, which has room for all indices. Whether a vertex is new
// cannot be predicted, so there is no branch: every index is written to the
// place of the next new vertex.
func (r *reuse) scanShorts(data []byte, dst, ids []uint32, next uint32) uint32 {
	generation := r.generation << 16
	for i := range dst {
		v := binary.LittleEndian.Uint16(data[2*i:])
		s := r.slot[v] ^ generation
		fresh := uint32(0)
		if s >= indexRange { // of another generation
			fresh = 1
		}
		if fresh != 0 {
			s = next
		}
		ids[next] = uint32(v)
		next += fresh
		r.slot[v] = generation | s
		dst[i] = s
	}
	return next
}

// scanBytes is scanShorts for indices of 8 bits.
func (r *reuse) scanBytes(data []byte, dst, ids []uint32, next uint32) uint32 {
	generation := r.generation << 16
	for i, v := range data[:len(dst)] {
		s := r.slot[v] ^ generation
		fresh := uint32(0)
		if s >= indexRange {
			fresh = 1
		}
		if fresh != 0 {
			s = next
		}
		ids[next] = uint32(v)
		next += fresh
		r.slot[v] = generation | s
		dst[i] = s
	}
	return next
}
