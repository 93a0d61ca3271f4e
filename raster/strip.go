package raster

import (
	"pica200/pica"
)

// Triangles that are not small are drawn a strip, a row of blocks, at a time. By
// the AVX2 kernels that takes two calls for a strip, and one more for each batch
// that is full: the first makes the masks of all its blocks, the second takes the
// blocks to the batch: depth, early test, weights. The plain form of the first is
// spans and blockMask, of the second worker.add.

// strip is what the kernels read of a triangle and its strip at hand.
type strip struct {
	// The kernels know the order of all these.

	// Of the edge to the left, the one to the right, and the third: in a row
	// they have floor((stepY*row + c) / div) pixels to one side of column 0.
	c, stepY, div [3]float64
	// The first and the last pixel by the third edge are factor*that + offset.
	factorFirst, offsetFirst float64
	factorLast, offsetLast   float64
	low, high                float64 // columns that are drawn
	y0, y1                   int32   // rows that are drawn
	row                      int32   // first of the strip
	from, count              int32   // first column and number of the strip's blocks, from the kernel

	next     int32 // block to go on with
	n        int32 // blocks in the batch
	v        [3]uint32
	triangle uint32
	rule     [3]uint32 // a row of compareRules

	masks [maxWidth/blockSide + 2]uint16 // two at a time are written
}

const (
	// maxWidth is the greatest width of a target that GPUREG_FRAMEBUFFER_DIM
	// can say.
	maxWidth = 2048

	nowhere = 1 << 30 // left and right of all pixels
)

// start prepares for the rows y0 to y1 and the columns x0 to x1 of a triangle,
// or returns false if it cannot be drawn by the kernels.
func (s *strip) start(t *triangle, x0, x1, y0, y1, width int32) bool {
	if !exact(t.minX, t.maxX, t.minY, t.maxY) || width > maxWidth {
		return false
	}
	const left, right, third = 0, 1, 2
	var have [3]bool
	s.factorFirst, s.offsetFirst = 0, -nowhere
	s.factorLast, s.offsetLast = 0, nowhere
	s.c[third], s.stepY[third], s.div[third] = 0, 0, 1
	for i := range t.e {
		e := &t.e[i]
		if e.stepX == 0 {
			// It bounds the rows instead.
			for y0 <= y1 && e.stepY*int64(y0)+e.owned() < 0 {
				y0++
			}
			for y0 <= y1 && e.stepY*int64(y1)+e.owned() < 0 {
				y1--
			}
			continue
		}
		side, div := left, e.stepX
		if div < 0 {
			side, div = right, -div
		}
		if have[side] {
			if side == left {
				s.factorFirst, s.offsetFirst = -1, 0
			} else {
				s.factorLast, s.offsetLast = 1, 0
			}
			side = third
		}
		have[side] = true
		s.c[side], s.stepY[side], s.div[side] = float64(e.owned()), float64(e.stepY), float64(div)
	}
	s.low, s.high, s.y0, s.y1 = float64(x0), float64(x1), y0, y1
	return have[left] && have[right]
}

// drawStrips is draw by the kernels.
func (w *worker) drawStrips(q *Queue, d *Draw, id uint32, worker int) {
	s := &w.strip
	runs := !d.WBuffer && !d.HasAlone && !d.Target.Block32
	if runs {
		s.v, s.triangle = w.tri.id, id
		r := &compareRules[d.EarlyFunc&7]
		s.rule = [3]uint32{r.less, r.equal, r.invert}
	}
	for by := s.y0 &^ 3; by <= s.y1; by += blockSide {
		if w.ticks--; w.ticks < 0 && w.interrupted(q, worker) {
			return
		}
		s.row = by
		stripVector(&s.c[0], &s.masks[0])
		if s.count <= 0 {
			continue
		}
		if d.HasExclude {
			for i := range s.count {
				s.masks[i] &^= rectMask(&d.Exclude, s.from+i*blockSide, by)
			}
		}
		s.next = 0
		for runs && s.next < s.count && !w.batch.Packed {
			w.addRun(d, by)
			if w.batch.Blocks == BatchBlocks {
				w.shade(d, worker)
			}
		}
		for ; s.next < s.count; s.next++ {
			if mask := s.masks[s.next]; mask != 0 {
				w.add(d, s.from+s.next*blockSide, by, mask, id, worker)
			}
		}
	}
}

// addRun is add for the blocks of a strip, until there are no more or the batch
// is full.
func (w *worker) addRun(d *Draw, y int32) {
	s, b, t := &w.strip, &w.batch, d.Target
	s.n = int32(b.Blocks)
	if !d.Early {
		blocksVector(&s.c[0], &w.grad.c[0], &b.Block[0].X, &b.Mask[0], &b.W0[0])
	} else {
		// The strip's blocks follow each other in memory, but for what lies
		// between two tiles.
		first := t.PixelIndex(0, y)
		end := t.PixelIndex(s.from+(s.count-1)*blockSide, y) + BlockPixels
		switch n := t.DepthFormat.Bytes(); t.DepthFormat {
		case pica.DepthFormatD16:
			p := t.Depth[first*n : end*n]
			blocksD16Vector(&s.c[0], &w.grad.c[0], &b.Block[0].X, &b.Mask[0], &b.W0[0], &p[0])
		case pica.DepthFormatD24:
			p := t.Depth[first*n : end*n]
			blocksD24Vector(&s.c[0], &w.grad.c[0], &b.Block[0].X, &b.Mask[0], &b.W0[0], &p[0])
		default:
			p := t.Depth[first*n : end*n]
			blocksD24S8Vector(&s.c[0], &w.grad.c[0], &b.Block[0].X, &b.Mask[0], &b.W0[0], &p[0])
		}
	}
	b.Blocks = int(s.n)
}
