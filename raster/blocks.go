package raster

import "pica200/internal/simd"

// draw splits the triangle that is set up in w into blocks inside area, and
// shades a batch whenever it is full. The triangle and area must overlap.
func (w *worker) draw(q *Queue, d *Draw, area Rect, id uint32, worker int) {
	w.drawFrom(q, d, area, id, worker, area.X0&^3, area.Y0&^3)
}

// drawFrom is draw without the blocks before the one at (x, y), in the order of drawing.
func (w *worker) drawFrom(q *Queue, d *Draw, area Rect, id uint32, worker int, x, y int32) {
	t := &w.tri
	x0, x1 := max(t.minX, area.X0), min(t.maxX, area.X1)
	y0, y1 := max(t.minY, area.Y0, y), min(t.maxY, area.Y1)
	w.face, w.goesOn = noFace, false
	if t.small() {
		if w.ticks--; w.ticks < 0 && w.interrupted(q, worker) {
			return
		}
		w.drawSmall(d, &Rect{x0, y0, x1, y1}, &area, id, worker)
		return
	}
	if simd.Vectors && q.Kernels.Vector() && w.strip.start(t, x0, x1, y0, y1, d.Target.Width) {
		w.drawStrips(q, d, id, worker, x, y)
		return
	}
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
		if by == y {
			from = max(from, x)
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

// drawSmall is draw for small triangles, whose pixels in area are inside r. It
// tests each pixel.
func (w *worker) drawSmall(d *Draw, r, area *Rect, id uint32, worker int) {
	for by := r.Y0 &^ 3; by <= r.Y1; by += 4 {
		for bx := r.X0 &^ 3; bx <= r.X1; bx += 4 {
			mask := w.tri.cover(bx, by, w.batch.Kernels)
			if mask == 0 {
				continue
			}
			if bx < area.X0 || by < area.Y0 || bx+3 > area.X1 || by+3 > area.Y1 {
				mask &= rectMask(area, bx, by)
			}
			if d.HasExclude {
				mask &^= rectMask(&d.Exclude, bx, by)
			}
			if mask != 0 {
				w.add(d, bx, by, mask, id, worker)
			}
		}
	}
}

// rectMask returns the pixels of the block at (x, y) that are in r.
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

// add adds a block to the batch, unless the depth test hides all of its pixels.
func (w *worker) add(d *Draw, x, y int32, mask uint16, id uint32, worker int) {
	b := &w.batch
	if b.Blocks == 0 && b.Quads == 0 {
		b.Packed = d.Pack && (w.tri.small() || w.goesOn)
	}
	if b.Packed {
		w.addQuads(d, x, y, mask, worker)
		return
	}
	alone := d.alone(x, y)
	if alone {
		w.shade(d, worker)
	}
	n := b.Blocks
	depth := (*[BlockPixels]float32)(b.Depth[n*BlockPixels:])
	w.grad.depths(&w.tri, x, y, d.WBuffer, depth)
	if d.Early && !alone {
		mask &= d.Target.TestDepth(d.Target.PixelIndex(x, y), depth, d.EarlyFunc)
		if mask == 0 {
			return
		}
	}
	w.grad.weights(b, n*BlockPixels)
	b.Block[n] = Block{X: x, Y: y, V: w.tri.id, Triangle: id}
	b.Mask[n] = mask
	b.Blocks = n + 1
	if b.Blocks == BatchBlocks || alone {
		w.shade(d, worker)
	}
}

// noFace means that the current triangle is not among the batch's faces yet.
const noFace = -1

// addQuads is add for a packed batch: it adds the quads of the block that have
// pixels.
func (w *worker) addQuads(d *Draw, x, y int32, mask uint16, worker int) {
	b := &w.batch
	if b.Quads > BatchQuads-BlockPixels/QuadPixels {
		w.shade(d, worker)
		b.Packed, w.goesOn = true, true
	}
	lane := b.Quads * QuadPixels
	depth := (*[BlockPixels]float32)(b.Depth[lane:])
	w.grad.depths(&w.tri, x, y, d.WBuffer, depth)
	if d.Early {
		mask &= d.Target.TestDepth(d.Target.PixelIndex(x, y), depth, d.EarlyFunc)
		if mask == 0 {
			return
		}
	}
	w.goesOn = false
	w.grad.weights(b, lane)
	if w.face == noFace {
		w.face = b.used
		b.faces[b.used] = w.tri.id
		b.used++
	}
	to := 0
	for from := 0; from < BlockPixels; from += QuadPixels {
		pixels := uint8(mask >> from & 0xF)
		if pixels == 0 {
			continue
		}
		if from != to {
			for _, p := range [...]*Plane{&b.W0, &b.W1, &b.W2, &b.Depth} {
				*(*[QuadPixels]float32)(p[lane+to:]) = *(*[QuadPixels]float32)(p[lane+from:])
			}
		}
		to += QuadPixels
		n := b.Quads % BatchQuads
		b.Quad[n] = Quad{x + int32(from>>1&2), y + int32(from>>2&2)}
		b.face[n] = uint8(w.face)
		w.pixels[n] = pixels
		b.Quads++
	}
	if b.Quads == BatchQuads {
		w.shade(d, worker)
	}
}

// shade runs the fragment stage over the batch and empties it.
func (w *worker) shade(d *Draw, worker int) {
	b := &w.batch
	if b.Packed {
		w.closeQuads()
	}
	if b.Blocks > 0 {
		d.Shader.Shade(b, worker)
	}
	w.drop()
}

// drop empties the batch.
func (w *worker) drop() {
	b := &w.batch
	b.Blocks, b.Quads, b.used, b.nRuns, b.Packed = 0, 0, 0, 0, false
	w.face = noFace
}

// closeQuads computes the masks of a packed batch.
func (w *worker) closeQuads() {
	b := &w.batch
	const each = BlockPixels / QuadPixels
	for n := b.Quads; n%each != 0; n++ {
		w.pixels[n], b.face[n] = 0, 0
	}
	b.Blocks = (b.Quads + each - 1) / each
	for i := range b.Mask[:b.Blocks] {
		p := w.pixels[i*each:][:each]
		b.Mask[i] = uint16(p[0]) | uint16(p[1])<<4 | uint16(p[2])<<8 | uint16(p[3])<<12
	}
}
