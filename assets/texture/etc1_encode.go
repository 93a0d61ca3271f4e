package texture

// The encoder tries both ways to split the block and both encodings of the
// bases. For each half and modifier table it moves the base towards the texels
// until it no longer changes, and then tries the neighbours of the best bases.
// It keeps the block with the least squared error. Fully transparent texels do
// not count, so their hidden colour does not cost quality. A thorough search
// moves on from the best bases of several tables until no neighbour is better,
// and takes more pairs of bases that lie near each other; it takes several times
// as long.

// etc1HalfCode is the encoding of a half of a block, at most 8 texels.
type etc1HalfCode struct {
	base  [3]int32 // as stored: 4 or 5 bits a channel
	table int
	err   int64
}

// etc1Rounds bounds how often a base is moved, etc1Climbs how often to a
// neighbour.
const (
	etc1Rounds = 4
	etc1Climbs = 16
)

// encodeETC1Block encodes 16 texels in memory order; alpha only decides which
// texels count.
func encodeETC1Block(src *[16]uint32, thorough bool) uint64 {
	var texels [16][3]int32 // by bit 4x+y
	var weight [16]bool
	any := false
	for i, bit := range etc1Order {
		v := src[i]
		texels[bit] = [3]int32{int32(v & 255), int32(v >> 8 & 255), int32(v >> 16 & 255)}
		weight[bit] = v>>24 != 0
		any = any || weight[bit]
	}
	if !any {
		return 0
	}
	best, bestErr := uint64(0), int64(1)<<62
	for flip := range uint64(2) {
		var halves [2][]([3]int32)
		var store [2][8][3]int32
		for h := range halves {
			halves[h] = store[h][:0]
		}
		for bit := range texels {
			if weight[bit] {
				h := etc1Half[flip] >> bit & 1
				halves[h] = append(halves[h], texels[bit])
			}
		}
		for diff := range uint64(2) {
			for _, search := range []bool{false, thorough} { // bases that are better alone may be too far apart
				block, err := etc1Fit(halves, diff, bestErr, search)
				if err < bestErr {
					bestErr = err
					best = block | flip<<32
				}
				if !thorough {
					break
				}
			}
		}
	}
	return etc1Indices(best, &texels)
}

// etc1Fit finds bases and tables of both halves for one mode. It returns the
// upper half of the block, with flip 0, and the error.
func etc1Fit(halves [2][]([3]int32), diff uint64, limit int64, thorough bool) (uint64, int64) {
	bits := uint(4)
	if diff != 0 {
		bits = 5
	}
	a := etc1FitHalf(halves[0], bits, nil, thorough)
	b := etc1FitHalf(halves[1], bits, nil, thorough)
	if len(halves[0]) == 0 {
		a.base = b.base
	}
	if len(halves[1]) == 0 {
		b.base = a.base
	}
	if diff != 0 && !etc1Near(a.base, b.base) {
		if a.err+b.err >= limit {
			return 0, limit
		}
		// Too far apart: keep one half and fit the other within reach.
		b2 := etc1FitHalf(halves[1], bits, &a.base, thorough)
		a2 := etc1FitHalf(halves[0], bits, &b.base, thorough)
		var middle [3]int32
		for c := range middle {
			middle[c] = (a.base[c] + b.base[c]) / 2
		}
		if a.err+b2.err <= a2.err+b.err {
			b = b2
		} else {
			a = a2
		}
		if thorough {
			a, b = etc1Nearer(halves, a, b, etc1FitHalf(halves[0], bits, &middle, true))
		}
		if !etc1Near(a.base, b.base) {
			return 0, limit
		}
	}
	block := diff<<33 | uint64(a.table)<<37 | uint64(b.table)<<34
	for c := range 3 {
		v := uint64(a.base[c])<<4 | uint64(b.base[c])
		if diff != 0 {
			v = uint64(a.base[c])<<3 | uint64(b.base[c]-a.base[c])&7
		}
		block |= v << (56 - 8*c)
	}
	return block, a.err + b.err
}

// etc1Nearer looks for a better pair of bases that lie near each other than a
// and b: it fits each half in turn, beginning with the first at c.
func etc1Nearer(halves [2][]([3]int32), a, b, c etc1HalfCode) (etc1HalfCode, etc1HalfCode) {
	for _, first := range [2]etc1HalfCode{c, a} {
		x := first
		for range etc1Rounds {
			y := etc1FitHalf(halves[1], 5, &x.base, true)
			if etc1Near(x.base, y.base) && x.err+y.err < a.err+b.err {
				a, b = x, y
			}
			x = etc1FitHalf(halves[0], 5, &y.base, true)
			if etc1Near(x.base, y.base) && x.err+y.err < a.err+b.err {
				a, b = x, y
			}
		}
	}
	return a, b
}

// etc1Near reports whether b can be written as a difference from a.
func etc1Near(a, b [3]int32) bool {
	for c := range 3 {
		if d := b[c] - a[c]; d < -4 || d > 3 {
			return false
		}
	}
	return true
}

// etc1FitHalf finds the base and table for a half. With anchor, the base stays
// within reach of a difference from (or to) the anchor: -3..3, which is valid
// in both directions.
func etc1FitHalf(texels [][3]int32, bits uint, anchor *[3]int32, thorough bool) etc1HalfCode {
	if len(texels) == 0 {
		return etc1HalfCode{}
	}
	top := int32(1)<<bits - 1
	lo, hi := [3]int32{}, [3]int32{top, top, top}
	if anchor != nil {
		for c, v := range anchor {
			lo[c], hi[c] = max(v-3, 0), min(v+3, top)
		}
	}
	n := int32(len(texels))
	var sum [3]int32
	for i := range texels {
		for c, v := range texels[i] {
			sum[c] += v
		}
	}
	round := func(c int, s int32) int32 { // a sum of n channel values to a stored base
		return min(max((s*top*2/n+255)/510, lo[c]), hi[c])
	}
	best := etc1HalfCode{err: 1 << 61}
	var byTable [len(etc1Modifiers)]etc1HalfCode
	for table := range etc1Modifiers {
		var base [3]int32
		byTable[table].err = 1 << 61
		for c := range base {
			base[c] = round(c, sum[c])
		}
		for range etc1Rounds {
			err, mods := etc1TryBase(texels, base, bits, table, 1<<61)
			if err < byTable[table].err {
				byTable[table] = etc1HalfCode{base: base, table: table, err: err}
			}
			if err < best.err {
				best = byTable[table]
			}
			var next [3]int32
			for c := range next {
				next[c] = round(c, max(sum[c]-mods, 0))
			}
			if next == base {
				break
			}
			base = next
		}
	}
	climb := func(centre etc1HalfCode, tables int) etc1HalfCode { // the best of the neighbours
		best := centre
		for d := range int32(27) {
			base := centre.base
			for c, step := range [3]int32{d%3 - 1, d/3%3 - 1, d/9 - 1} {
				base[c] = min(max(base[c]+step, lo[c]), hi[c])
			}
			for table := max(centre.table-tables, 0); table <= min(centre.table+tables, 7); table++ {
				if err, _ := etc1TryBase(texels, base, bits, table, best.err); err < best.err {
					best = etc1HalfCode{base: base, table: table, err: err}
				}
			}
		}
		return best
	}
	if !thorough {
		return climb(best, 1)
	}
	for _, from := range byTable {
		for range etc1Climbs {
			to := climb(from, 0)
			if to.err < best.err {
				best = to
			}
			if to.err == from.err {
				break
			}
			from = to
		}
	}
	return best
}

// etc1TryBase returns the squared error of the texels with a stored base and a
// table, and the sum of the modifiers that they choose. It stops if the error
// reaches limit.
func etc1TryBase(texels [][3]int32, stored [3]int32, bits uint, table int, limit int64) (err int64, mods int32) {
	var base [3]int32
	for c := range 3 {
		if bits == 5 {
			base[c] = int32(widen5(uint32(stored[c])))
		} else {
			base[c] = int32(widen4(uint32(stored[c])))
		}
	}
	small, large := etc1Modifiers[table&7][0], etc1Modifiers[table&7][1]
	if min(base[0], base[1], base[2]) < large || max(base[0], base[1], base[2]) > 255-large {
		return etc1TryClamped(texels, &base, table, limit)
	}
	// If no colour is clamped, the error of a texel at distances d from the base is
	// that to the line of greys through the base: sum(d*d) - 2*m*sum(d) + 3*m*m,
	// least for the m nearest to sum(d)/3.
	for i := range texels {
		d0, d1, d2 := texels[i][0]-base[0], texels[i][1]-base[1], texels[i][2]-base[2]
		sum := d0 + d1 + d2
		m := small
		if 2*max(sum, -sum) > 3*(small+large) {
			m = large
		}
		if sum < 0 {
			m = -m
		}
		mods += m
		err += int64(d0*d0 + d1*d1 + d2*d2 - 2*m*sum + 3*m*m)
		if err >= limit {
			break
		}
	}
	return err, mods
}

// etc1TryClamped is etc1TryBase for the case that some colours leave 0..255.
func etc1TryClamped(texels [][3]int32, base *[3]int32, table int, limit int64) (err int64, mods int32) {
	for i := range texels {
		index, e := etc1Nearest(&texels[i], base, table)
		m := etc1Modifiers[table&7][index&1]
		if index&2 != 0 {
			m = -m
		}
		mods += m
		if err += int64(e); err >= limit {
			break
		}
	}
	return err, mods
}

// etc1Nearest returns the index (sign*2 + magnitude) of the colour nearest to
// the texel, and its squared distance.
func etc1Nearest(texel, base *[3]int32, table int) (index int, err int32) {
	err = 1 << 30
	for i := range 4 {
		m := etc1Modifiers[table&7][i&1]
		if i&2 != 0 {
			m = -m
		}
		e := int32(0)
		for c := range 3 {
			d := min(max(base[c]+m, 0), 255) - texel[c]
			e += d * d
		}
		if e < err {
			index, err = i, e
		}
	}
	return index, err
}

// etc1Indices adds the texels' indices to a block that has everything else.
func etc1Indices(block uint64, texels *[16][3]int32) uint64 {
	bases := etc1Bases(block)
	half := etc1Half[block>>32&1]
	for bit := range texels {
		h := half >> bit & 1
		i, _ := etc1Nearest(&texels[bit], &bases[h], int(block>>(37-3*h)&7))
		block |= uint64(i&1)<<bit | uint64(i>>1)<<(16+bit)
	}
	return block
}
