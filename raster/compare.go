package raster

import "pica200/pica"

// Compare returns the mask of the pixels for which "a f b" holds. Values must
// be below 2^31.
func Compare(f pica.CompareFunc, a, b *[BlockPixels]uint32) uint16 {
	return decide(f, less(a, b), equal(a, b))
}

// Decide is Compare, given the pixels with a < b and those with a == b.
func Decide(f pica.CompareFunc, less, equal uint16) uint16 { return decide(f, less, equal) }

// decide is the plain form of Decide.
func decide(f pica.CompareFunc, less, equal uint16) uint16 {
	switch f {
	case pica.CompareNever:
		return 0
	case pica.CompareEqual:
		return equal
	case pica.CompareNotEqual:
		return ^equal
	case pica.CompareLess:
		return less
	case pica.CompareLessEqual:
		return less | equal
	case pica.CompareGreater:
		return ^(less | equal)
	case pica.CompareGreaterEqual:
		return ^less
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

// compareRules is decide as words for the AVX2 kernels: a pixel passes if it is
// less and less is set, or equal and equal is set; invert inverts the result.
var compareRules = [8]struct{ less, equal, invert uint32 }{
	pica.CompareNever:        {0, 0, 0},
	pica.CompareAlways:       {0, 0, all},
	pica.CompareEqual:        {0, all, 0},
	pica.CompareNotEqual:     {0, all, all},
	pica.CompareLess:         {all, 0, 0},
	pica.CompareLessEqual:    {all, all, 0},
	pica.CompareGreater:      {all, all, all},
	pica.CompareGreaterEqual: {all, 0, all},
}

const all = 1<<32 - 1
