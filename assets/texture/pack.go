package texture

import (
	"encoding/binary"
	"fmt"
)

// Pack compresses data and puts the header before it. The result is padded with
// zeros to a multiple of 4 bytes; except for the padding it is what tex3ds
// writes. Best tries all.
func Pack(data []byte, c Compression) ([]byte, error) {
	if c == Best {
		best, err := Pack(data, Stored)
		for _, c := range []Compression{LZ10, LZ11, Huffman8, RunLength} {
			if packed, _ := Pack(data, c); err == nil && len(packed) < len(best) {
				best = packed
			}
		}
		return best, err
	}
	if uint64(len(data)) >= 1<<32 {
		return nil, fmt.Errorf("cannot pack %d bytes, the header has room for 32 bits of size", len(data))
	}
	n := len(data)
	out := []byte{byte(c), byte(n), byte(n >> 8), byte(n >> 16)}
	if n >= 1<<24 {
		out[0] |= 0x80
		out = append(out, byte(n>>24), 0, 0, 0)
	}
	switch c {
	case Stored:
		out = append(out, data...)
	case LZ10, LZ11:
		out = packLZ(out, data, c)
	case RunLength:
		out = packRuns(out, data)
	case Huffman8:
		out = packHuffman(out, data)
	default:
		return nil, fmt.Errorf("there is no packer for %v", c)
	}
	for len(out)%4 != 0 {
		out = append(out, 0)
	}
	return out, nil
}

const (
	lzDistance = 4096
	lzMinMatch = 3
)

// lzMatcher finds matches through chains of positions with equal first 3 bytes.
type lzMatcher struct {
	data    []byte
	head    []int32 // by hash: the last position seen, or -1
	prev    []int32 // by position & (lzDistance-1): the one before
	upTo    int     // positions before this are in the chains
	longest int
}

func newLZMatcher(data []byte, longest int) *lzMatcher {
	m := &lzMatcher{data: data, head: make([]int32, 1<<15), prev: make([]int32, lzDistance), longest: longest}
	for i := range m.head {
		m.head[i] = -1
	}
	return m
}

func (m *lzMatcher) hash(at int) uint32 {
	d := m.data[at : at+3]
	return (uint32(d[0]) | uint32(d[1])<<8 | uint32(d[2])<<16) * 0x9E3779B1 >> 17
}

// find returns the longest match for the bytes at at: the farthest among
// equals, but the nearest if it already has the greatest length. A length below
// lzMinMatch means that there is none.
func (m *lzMatcher) find(at int) (length, distance int) {
	limit := min(len(m.data)-at, m.longest)
	if limit < lzMinMatch {
		return 0, 0
	}
	// Chains may contain positions at or after at, because of looking ahead; they
	// are skipped below.
	for ; m.upTo < at; m.upTo++ {
		if m.upTo+3 > len(m.data) {
			break
		}
		h := m.hash(m.upTo)
		m.prev[m.upTo&(lzDistance-1)] = m.head[h]
		m.head[h] = int32(m.upTo)
	}
	cur := m.data[at:]
	oldest := at - lzDistance
	if seen := m.upTo - lzDistance; seen > oldest {
		oldest = seen // older links are overwritten
	}
	for p := int(m.head[m.hash(at)]); p >= oldest && p >= 0; {
		if p < at {
			old := m.data[p:]
			if length == 0 || old[length-1] == cur[length-1] {
				n := 0
				for n+8 <= limit && binary.LittleEndian.Uint64(old[n:]) == binary.LittleEndian.Uint64(cur[n:]) {
					n += 8
				}
				for n < limit && old[n] == cur[n] {
					n++
				}
				if n >= lzMinMatch && n >= length {
					length, distance = n, at-p
				}
				if length == limit {
					break
				}
			}
		}
		next := int(m.prev[p&(lzDistance-1)])
		if next >= p {
			break // overwritten
		}
		p = next
	}
	return length, distance
}

// packLZ takes the longest match everywhere. It leaves a byte plain if the
// match at the next byte is worth as much as this match and the one after it.
func packLZ(out, data []byte, c Compression) []byte {
	longest := 18
	if c == LZ11 {
		longest = 65808
	}
	here, ahead := newLZMatcher(data, longest), newLZMatcher(data, longest)
	after := newLZMatcher(data, longest)
	flags, bit := len(out), 7
	out = append(out, 0)
	for at := 0; at < len(data); {
		length, distance := 1, 0
		if at > 0 {
			length, distance = here.find(at)
		}
		if length >= lzMinMatch && length < len(data)-at {
			skip, _ := ahead.find(at + 1)
			next, _ := after.find(at + length)
			if length+max(next, 1) <= max(skip, 1)+1 {
				length = 1
			}
		}
		d := distance - 1
		switch {
		case length < lzMinMatch:
			out = append(out, data[at])
			length = 1
		case c == LZ10:
			out = append(out, byte((length-3)<<4|d>>8), byte(d))
		case length <= 0x10:
			out = append(out, byte((length-1)<<4|d>>8), byte(d))
		case length <= 0x110:
			n := length - 0x11
			out = append(out, byte(n>>4), byte(n<<4|d>>8), byte(d))
		default:
			n := length - 0x111
			out = append(out, byte(0x10|n>>12), byte(n>>4), byte(n<<4|d>>8), byte(d))
		}
		if length > 1 {
			out[flags] |= 1 << bit
		}
		at += length
		if bit--; bit < 0 && at < len(data) {
			flags, bit = len(out), 7
			out = append(out, 0)
		}
	}
	return out
}

func packRuns(out, data []byte) []byte {
	plain := 0 // start of the bytes not yet written
	flush := func(end int) {
		for plain < end {
			n := min(end-plain, 128)
			out = append(append(out, byte(n-1)), data[plain:plain+n]...)
			plain += n
		}
	}
	for at := 0; at < len(data); {
		run := 1
		for at+run < len(data) && run < 130 && data[at+run] == data[at] {
			run++
		}
		if run < 3 {
			at++
			continue
		}
		flush(at)
		out = append(out, byte(0x80|(run-3)), data[at])
		at += run
		plain = at
	}
	flush(len(data))
	return out
}
