package texture

import (
	"encoding/binary"

	"pica200/pica"
)

// An ETC1 block is 64 bits for 4x4 texels. By bit, from the lowest:
//
//	0-15   magnitude of each texel's modifier (0 small, 1 large)
//	16-31  sign of each texel's modifier (1 negative)
//	32     flip: 0 halves beside each other, 1 one above the other
//	33     differential: 1 5-bit base and 3-bit difference, 0 two 4-bit bases
//	34-36  modifier table of half 1
//	37-39  modifier table of half 0
//	40-63  the bases, 8 bits each for B, G, R (lowest first)
//
// Texel x, y is bit 4x+y: columns, counted from the first in memory, so that
// y = 0 is the top row of the picture.

// etc1Modifiers is the table of the specification: small and large.
var etc1Modifiers = [8][2]int32{{2, 8}, {5, 17}, {9, 29}, {13, 42}, {18, 60}, {24, 80}, {33, 106}, {47, 183}}

// etc1Order maps a texel's index in memory order (Morton) in a block to its bit
// 4x+y.
var etc1Order = func() (order [16]uint8) {
	for i := range uint32(16) {
		order[pica.Morton(i>>2, i&3)] = uint8(i)
	}
	return order
}()

// etc1Half says for flip 0 and 1 which texels (bits 4x+y) are in half 1.
var etc1Half = [2]uint16{0xFF00, 0xCCCC}

// etc1Wrap returns a 5-bit base plus its difference if the sum leaves 0..31.
// The specification leaves it undefined; the sum wraps here (a guess; no
// encoder writes it, and Citra gives the same except for the lowest bits).
func etc1Wrap(v int32) uint32 { return uint32(v) & 31 }

// etc1Bases returns the base colours of both halves, 8 bits a channel, R first.
func etc1Bases(block uint64) (base [2][3]int32) {
	for c := range 3 {
		v := uint32(block >> (56 - 8*c) & 0xFF)
		if block>>33&1 != 0 {
			d := int32(v<<29) >> 29
			base[0][c] = int32(widen5(v >> 3))
			base[1][c] = int32(widen5(etc1Wrap(int32(v>>3) + d)))
		} else {
			base[0][c] = int32(widen4(v >> 4))
			base[1][c] = int32(widen4(v & 15))
		}
	}
	return base
}

// etc1Palette returns the four colours of both halves; the index is half*4 +
// sign*2 + magnitude. Alpha is 0.
func etc1Palette(block uint64) (pal [8]uint32) {
	base := etc1Bases(block)
	for half := range 2 {
		mod := &etc1Modifiers[block>>(37-3*half)&7]
		for i := range 4 {
			m := mod[i&1]
			if i&2 != 0 {
				m = -m
			}
			b := &base[half]
			pal[half*4+i] = clamp8(b[0]+m) | clamp8(b[1]+m)<<8 | clamp8(b[2]+m)<<16
		}
	}
	return pal
}

func clamp8(v int32) uint32 { return uint32(min(max(v, 0), 255)) }

// etc1Index is the inverse of etc1Order: the index of the texel with bit 4x+y.
var etc1Index = func() (index [16]uint8) {
	for i, bit := range etc1Order {
		index[bit] = uint8(i)
	}
	return index
}()

func decodeETC1Block(dst *[16]uint32, block uint64) {
	pal := etc1Palette(block)
	half := uint32(etc1Half[block>>32&1]) << 2
	sign, mag := uint32(block>>16)<<1, uint32(block)
	for _, index := range etc1Index {
		dst[index&15] = pal[half&4|sign&2|mag&1]
		half, sign, mag = half>>1, sign>>1, mag>>1
	}
}

func decodeETC1(dst *[64]uint32, src []byte) {
	s := (*[32]byte)(src)
	for b := range 4 {
		block := (*[16]uint32)(dst[16*b:])
		decodeETC1Block(block, binary.LittleEndian.Uint64(s[8*b:8*b+8]))
		for i := range block {
			block[i] |= opaque
		}
	}
}

// ETC1A4 has 64 bits of alpha before each block: 4 bits a texel, numbered like
// the bits of the block.
func decodeETC1A4(dst *[64]uint32, src []byte) {
	s := (*[64]byte)(src)
	for b := range 4 {
		alpha := binary.LittleEndian.Uint64(s[16*b : 16*b+8])
		block := (*[16]uint32)(dst[16*b:])
		decodeETC1Block(block, binary.LittleEndian.Uint64(s[16*b+8:16*b+16]))
		for i, bit := range etc1Order {
			block[i] |= widen4(uint32(alpha>>(4*(bit&15))&15)) << 24
		}
	}
}
