package raster

// draw splits the triangle that is set up in w into blocks inside area and
// shades them whenever a batch is full.
func (w *worker) draw(q *Queue, d *Draw, area Rect, id uint32, worker int) {
	t := &w.tri
	x0, x1 := max(t.minX, area.X0), min(t.maxX, area.X1)
	y0, y1 := max(t.minY, area.Y0), min(t.maxY, area.Y1)
	if x0 > x1 || y0 > y1 {
		return
	}
	w.grad.setup(t, d)
	w.spans.start(t, y0)

	for by := y0 &^ 3; by <= y1; by += 4 {
		if w.ticks--; w.ticks < 0 && w.interrupted(q, worker) {
			return
		}
		// The spans of the four rows of this row of blocks.
		var first, last [4]int32
		from, to := x1+1, x0-1
		for r := int32(0); r < 4; r++ {
			row := by + r
			if row < y0 || row > y1 {
				first[r], last[r] = 1, 0
				continue
			}
			f, l := w.spans.next(row, x0, x1)
			first[r], last[r] = f, l
			if f <= l {
				from, to = min(from, f), max(to, l)
			}
		}
		for bx := from &^ 3; bx <= to; bx += 4 {
			mask := blockMask(&first, &last, bx)
			if d.HasExclude {
				mask &^= rectMask(&d.Exclude, bx, by)
			}
			if mask != 0 {
				w.add(d, bx, by, mask, id, worker)
			}
		}
	}
}

// rectMask gives the pixels of the block at (x, y) that lie in r.
func rectMask(r *Rect, x, y int32) uint16 {
	var first, last [4]int32
	for i := range first {
		first[i], last[i] = 1, 0
		if row := y + int32(i); row >= r.Y0 && row <= r.Y1 {
			first[i], last[i] = r.X0, r.X1
		}
	}
	return blockMask(&first, &last, x)
}

// add puts a block into the batch, unless all its pixels are hidden already.
func (w *worker) add(d *Draw, x, y int32, mask uint16, id uint32, worker int) {
	b := &w.batch
	alone := d.alone(x, y)
	if alone {
		w.shade(d, worker)
	}
	n := b.Blocks
	depth := (*[BlockPixels]float32)(b.Depth[n*BlockPixels:])
	w.grad.depths(x, y, d.WBuffer, depth)
	if d.Early && !alone {
		mask &= d.Target.TestDepth(d.Target.PixelIndex(x, y), depth, d.EarlyFunc)
		if mask == 0 {
			return
		}
	}
	w.grad.weights(x, y, (*[BlockPixels]float32)(b.W1[n*BlockPixels:]), (*[BlockPixels]float32)(b.W2[n*BlockPixels:]))
	b.Block[n] = Block{X: x, Y: y, V: w.tri.v, Triangle: id}
	b.Mask[n] = mask
	b.Blocks = n + 1
	if b.Blocks == BatchBlocks || alone {
		w.shade(d, worker)
	}
}

// shade runs the fragment stage over what is in the batch.
func (w *worker) shade(d *Draw, worker int) {
	if w.batch.Blocks > 0 {
		d.Shader.Shade(&w.batch, worker)
		w.batch.Blocks = 0
	}
}
