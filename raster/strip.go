package raster

import (
	"pica200/pica"
)

// Triangles that are not small are drawn in strips, which are rows of blocks.
// With the AVX2 kernels a strip takes two calls, and one more for each full
// batch. The first computes the masks of all blocks; its plain form is spans
// and blockMask. The second adds the blocks to the batch: depth, early test,
// weights; its plain form is worker.add.

// strip is the input of the kernels: a triangle and its current strip.
type strip struct {
	// The kernels depend on the order of these fields.

	// Of the left edge, the right edge, and the third: in a row there are
	// floor((stepY*row + c) / div) pixels on one side of column 0.
	c, stepY, div [3]float64
	// The first and last pixel by the third edge are factor times that value, plus
	// offset.
	factorFirst, offsetFirst float64
	factorLast, offsetLast   float64
	low, high                float64 // columns that are drawn
	y0, y1                   int32   // rows that are drawn
	row                      int32   // first row of the strip
	from, count              int32   // first column and number of blocks of the strip; written by the kernel

	next     int32 // next block
	n        int32 // blocks in the batch
	v        [3]uint32
	triangle uint32
	rule     [3]uint32 // a row of compareRules

	masks [maxWidth/blockSide + 2]uint16 // the kernel writes two at a time
}

const (
	// maxWidth is the greatest width of a target in GPUREG_FRAMEBUFFER_DIM.
	maxWidth = 2048

	nowhere = 1 << 30 // left and right of all pixels
)

// start prepares the rows y0 to y1 and columns x0 to x1 of a triangle. It
// returns false if the kernels cannot draw it.
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
			// A horizontal edge limits the rows.
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

// drawStrips is drawFrom with the kernels.
func (w *worker) drawStrips(q *Queue, d *Draw, id uint32, worker int, x, y int32) {
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
		if by == y {
			s.next = max(0, (x-s.from)/blockSide)
		}
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

// addRun is add for the blocks of a strip, until none are left or the batch is
// full.
func (w *worker) addRun(d *Draw, y int32) {
	s, b, t := &w.strip, &w.batch, d.Target
	s.n = int32(b.Blocks)
	if !d.Early {
		blocksVector(&s.c[0], &w.grad.c[0], &b.Block[0].X, &b.Mask[0], &b.W0[0])
	} else {
		// The blocks of a strip are contiguous in memory within a tile.
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
