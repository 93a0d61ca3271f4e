package texture

import (
	"errors"
	"fmt"
)

// Compression is how the texels of a t3x file are compressed. The values are
// the type byte of the header before compressed data: type, 24 bits of unpacked
// size; if bit 7 of the type is set, 8 more bits of size and 3 bytes of padding
// follow. The scheme is that of the BIOS of Nintendo's handhelds; libctru's
// decompress.c reads it.
type Compression uint8

const (
	Stored    Compression = 0x00
	LZ10      Compression = 0x10 // matches of 3-18 bytes, 4096 back
	LZ11      Compression = 0x11 // matches of 3-65808 bytes, 4096 back
	Huffman8  Compression = 0x28 // 0x21-0x27 have symbols of fewer bits
	RunLength Compression = 0x30
	Best      Compression = 0xFF // for Pack and Encode: whichever makes the fewest bytes, Stored if none makes fewer
)

// String returns the usual name of the scheme.
func (c Compression) String() string {
	switch {
	case c == Stored:
		return "stored"
	case c == LZ10:
		return "LZ10"
	case c == LZ11:
		return "LZ11"
	case c == RunLength:
		return "run-length"
	case c > 0x20 && c <= Huffman8:
		return fmt.Sprintf("Huffman, %d-bit", c&15)
	}
	return fmt.Sprintf("compression type 0x%02x", uint8(c))
}

// known reports whether the type exists.
func (c Compression) known() bool {
	return c == Stored || c == LZ10 || c == LZ11 || c == RunLength || c > 0x20 && c <= Huffman8
}

var errPackedEnd = errors.New("packed data ends early")

// PackedHeader reads the header before compressed data: the scheme, the
// unpacked size and the size of the header itself (4 or 8 bytes).
func PackedHeader(data []byte) (c Compression, unpacked, header int, err error) {
	if len(data) < 4 {
		return 0, 0, 0, fmt.Errorf("%w: %d bytes, want a header of 4", errPackedEnd, len(data))
	}
	c = Compression(data[0] &^ 0x80)
	unpacked, header = int(data[1])|int(data[2])<<8|int(data[3])<<16, 4
	if data[0]&0x80 != 0 {
		if len(data) < 8 {
			return 0, 0, 0, fmt.Errorf("%w: %d bytes, want a header of 8", errPackedEnd, len(data))
		}
		unpacked, header = unpacked|int(data[4])<<24, 8
	}
	if !c.known() {
		return c, unpacked, header, fmt.Errorf("%v does not exist", c)
	}
	return c, unpacked, header, nil
}

// Unpack decompresses data, which starts with its header. The unpacked size
// must not exceed limit. used is the number of bytes of data that were read.
func Unpack(data []byte, limit int) (out []byte, used int, err error) {
	c, size, header, err := PackedHeader(data)
	if err != nil {
		return nil, 0, err
	}
	if size > limit {
		return nil, 0, fmt.Errorf("packed data says it unpacks to %d bytes, the limit is %d", size, limit)
	}
	out = make([]byte, size)
	src := data[header:]
	switch {
	case c == Stored:
		if len(src) < size {
			return nil, 0, fmt.Errorf("%w: %d bytes, want %d", errPackedEnd, len(src), size)
		}
		used = copy(out, src)
	case c == LZ10, c == LZ11:
		used, err = unpackLZ(out, src, c)
	case c == RunLength:
		used, err = unpackRuns(out, src)
	default:
		used, err = unpackHuffman(out, src, uint(c&15))
	}
	if err != nil {
		return nil, 0, fmt.Errorf("%v data, offset 0x%x: %w", c, header+used, err)
	}
	return out, header + used, nil
}

// unpackLZ: a flag byte says for each of the next 8 items, highest bit first,
// whether it is a byte (0) or a match (1), a length and a distance back.
func unpackLZ(out, src []byte, c Compression) (used int, err error) {
	at, n := 0, 0
	for n < len(out) {
		if at >= len(src) {
			return at, errPackedEnd
		}
		flags := src[at]
		at++
		for bit := 7; bit >= 0 && n < len(out); bit-- {
			if flags>>bit&1 == 0 {
				if at >= len(src) {
					return at, errPackedEnd
				}
				out[n] = src[at]
				n, at = n+1, at+1
				continue
			}
			if len(src)-at < 2 {
				return at, errPackedEnd
			}
			length := int(src[at] >> 4)
			switch {
			case c == LZ10:
				length += 3
			case length > 1:
				length++
			default:
				// 0: 8-bit length from 0x11; 1: 16-bit length from 0x111.
				more := 1 + length
				if len(src)-at < more+2 {
					return at, errPackedEnd
				}
				if length == 0 {
					length = int(src[at]&15)<<4 + int(src[at+1]>>4) + 0x11
				} else {
					length = int(src[at]&15)<<12 + int(src[at+1])<<4 + int(src[at+2]>>4) + 0x111
				}
				at += more
			}
			distance := int(src[at]&15)<<8 + int(src[at+1]) + 1
			if distance > n {
				return at, fmt.Errorf("a match reaches %d bytes back, but only %d are unpacked", distance, n)
			}
			at += 2
			for end := min(n+length, len(out)); n < end; n++ {
				out[n] = out[n-distance]
			}
		}
	}
	return at, nil
}

// unpackRuns: bit 7 of a byte says whether a byte repeated 3-130 times follows
// or 1-128 plain bytes.
func unpackRuns(out, src []byte) (used int, err error) {
	at, n := 0, 0
	for n < len(out) {
		if len(src)-at < 2 {
			return at, errPackedEnd
		}
		head := int(src[at])
		at++
		if head&0x80 != 0 {
			for end := min(n+head&0x7F+3, len(out)); n < end; n++ {
				out[n] = src[at]
			}
			at++
			continue
		}
		length := min(head+1, len(out)-n)
		if len(src)-at < length {
			return at, errPackedEnd
		}
		n += copy(out[n:], src[at:at+length])
		at += length
	}
	return at, nil
}

// unpackHuffman: a size byte s, a tree of 2s+1 bytes, and the codes in 32-bit
// words, highest bit first. A node's low 6 bits lead to its pair of children,
// bits 7 and 6 say that the left (0) and right (1) child is a symbol. With
// fewer than 8 bits a symbol still makes a byte, as in libctru.
func unpackHuffman(out, src []byte, bits uint) (used int, err error) {
	if len(src) == 0 {
		return 0, errPackedEnd
	}
	size := (int(src[0]) + 1) * 2
	if len(src) < size {
		return 0, errPackedEnd
	}
	tree, at := src[:size], size
	mask := byte(1<<bits - 1)
	var word, left uint32
	node := 1
	for n := 0; n < len(out); {
		if left == 0 {
			if len(src)-at < 4 {
				return at, errPackedEnd
			}
			word = uint32(src[at]) | uint32(src[at+1])<<8 | uint32(src[at+2])<<16 | uint32(src[at+3])<<24
			left, at = 32, at+4
		}
		left--
		right := int(word >> left & 1)
		child := node&^1 + int(tree[node]&0x3F)*2 + 2 + right
		if child >= size {
			return at, fmt.Errorf("the tree leads to node %d, it has %d", child, size)
		}
		if tree[node]>>(7-right)&1 == 0 {
			node = child
			continue
		}
		out[n] = tree[child] & mask
		n, node = n+1, 1
	}
	return at, nil
}
