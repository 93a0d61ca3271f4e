package geometry

import "encoding/binary"

// indexRange is the number of values an index can have.
const indexRange = 1 << 16

// reuse finds the vertices that an indexed draw uses more than once. The
// hardware has a small post-transform cache; here a vertex is shaded once per
// chunk, which gives the same result, as a vertex depends on nothing but its
// index and the state of the draw.
type reuse struct {
	// slot holds, for each index value, the generation in the upper half and
	// the number of the vertex in the chunk in the lower.
	slot       [indexRange]uint32
	generation uint32
}

// indexBuffer is a stretch of the index array.
type indexBuffer struct {
	data []byte
	wide bool // 16 bits each, else 8
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

// slice is the stretch from index lo to hi, exclusive.
func (b *indexBuffer) slice(lo, hi int) indexBuffer {
	if b.wide {
		return indexBuffer{b.data[2*lo : 2*hi], true}
	}
	return indexBuffer{b.data[lo:hi], false}
}

// begin forgets all vertices.
func (r *reuse) begin() {
	r.generation++
	if r.generation == 1<<16 {
		clear(r.slot[:])
		r.generation = 1
	}
}

// scan appends to idx the vertex number of every index, and to ids the index
// of every vertex that was not seen since begin, in the order of first use.
func (r *reuse) scan(b indexBuffer, idx, ids []uint32) ([]uint32, []uint32) {
	n := b.len()
	start := len(idx)
	grow(&idx, n)
	dst := idx[start:]
	generation := r.generation << 16
	next := uint32(len(ids))
	if b.wide {
		data := b.data[:2*n]
		for i := range dst {
			v := binary.LittleEndian.Uint16(data[2*i:])
			s := r.slot[v] ^ generation
			if s >= indexRange { // of another generation
				s = next
				next++
				r.slot[v] = generation | s
				ids = append(ids, uint32(v))
			}
			dst[i] = s
		}
		return idx, ids
	}
	for i, v := range b.data[:n] {
		s := r.slot[v] ^ generation
		if s >= indexRange {
			s = next
			next++
			r.slot[v] = generation | s
			ids = append(ids, uint32(v))
		}
		dst[i] = s
	}
	return idx, ids
}
