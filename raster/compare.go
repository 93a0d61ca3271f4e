package raster

import "pica200/pica"

// Compare gives the mask of the pixels for which "a func b" holds.
func Compare(f pica.CompareFunc, a, b *[BlockPixels]uint32) uint16 {
	switch f {
	case pica.CompareNever:
		return 0
	case pica.CompareEqual:
		return equal(a, b)
	case pica.CompareNotEqual:
		return ^equal(a, b)
	case pica.CompareLess:
		return less(a, b)
	case pica.CompareLessEqual:
		return ^less(b, a)
	case pica.CompareGreater:
		return less(b, a)
	case pica.CompareGreaterEqual:
		return ^less(a, b)
	}
	return 0xFFFF
}

// less compares values below 2^31.
func less(a, b *[BlockPixels]uint32) uint16 {
	var m uint32
	for i := range a {
		m |= (a[i] - b[i]) >> 31 << i
	}
	return uint16(m)
}

// equal compares values below 2^31.
func equal(a, b *[BlockPixels]uint32) uint16 {
	var m uint32
	for i := range a {
		m |= ((a[i] ^ b[i]) - 1) >> 31 << i
	}
	return uint16(m)
}
