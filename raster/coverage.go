package raster

import "pica200/pica"

// spans iterates over the rows of a triangle and returns the first and last
// pixel inside of each. It steps edges with an exact quotient and remainder, so
// that a row costs only additions and the result is the same on every CPU.
type spans struct {
	n    int // number of edges that are not horizontal
	side [3]spanEdge

	// Horizontal edges limit the rows instead: owned + stepY*row >= 0.
	flat  [3]edge
	nFlat int
}

// spanEdge holds floor((stepY*row + owned) / |stepX|) as quotient and
// remainder.
type spanEdge struct {
	left       bool // the inside is to the right: x >= -quot
	quot, rem  int64
	dQuot, dRm int64
	div        int64
}

// start starts at the given row.
func (s *spans) start(t *triangle, row int32) {
	s.n, s.nFlat = 0, 0
	for i := range t.e {
		e := &t.e[i]
		if e.stepX == 0 {
			s.flat[s.nFlat] = *e
			s.nFlat++
			continue
		}
		d := &s.side[s.n]
		s.n++
		d.left = e.stepX > 0
		d.div = e.stepX
		if !d.left {
			d.div = -e.stepX
		}
		d.quot, d.rem = floorDiv(e.stepY*int64(row)+e.owned(), d.div)
		d.dQuot, d.dRm = floorDiv(e.stepY, d.div)
	}
}

// floorDiv divides a by the positive b, rounding down.
func floorDiv(a, b int64) (quot, rem int64) {
	quot = a / b
	rem = a - quot*b
	if rem < 0 {
		quot--
		rem += b
	}
	return quot, rem
}

// next returns the first and last pixel of the row within lo and hi, and goes
// to the next row. An empty row has first > last.
func (s *spans) next(row, lo, hi int32) (first, last int32) {
	first, last = lo, hi
	for i := range s.side[:s.n] {
		d := &s.side[i]
		if d.left {
			if q := -d.quot; q > int64(first) {
				first = int32(min(q, 1<<30))
			}
		} else if d.quot < int64(last) {
			last = int32(max(d.quot, -1<<30))
		}
		d.quot += d.dQuot
		d.rem += d.dRm
		if d.rem >= d.div {
			d.rem -= d.div
			d.quot++
		}
	}
	for i := range s.flat[:s.nFlat] {
		if e := &s.flat[i]; e.stepY*int64(row)+e.owned() < 0 {
			return 1, 0
		}
	}
	return first, last
}

// rowMask maps the four pixels of a block's row to bits in Morton order; rows 1
// to 3 are shifted by rowShift.
var rowMask, rowShift = func() (mask [16]uint16, shift [4]uint8) {
	for x := range uint32(4) {
		shift[x] = uint8(pica.Morton(0, x))
		for pixels := range mask {
			if pixels>>x&1 != 0 {
				mask[pixels] |= 1 << pica.Morton(x, 0)
			}
		}
	}
	return mask, shift
}()

// blockMask returns the Morton mask of the block at column x, from the spans of
// its four rows.
func blockMask(first, last *[4]int32, x int32) uint16 {
	var m uint16
	for r := range first {
		lo := max(first[r]-x, 0)
		hi := min(last[r]-x, 3)
		if lo > hi {
			continue
		}
		bits := (uint8(0xF) << uint(lo&3)) & (0xF >> uint((3-hi)&3))
		m |= rowMask[bits&15] << (rowShift[r] & 15)
	}
	return m
}
