package drawstate

import (
	"bytes"
	"image"

	"pica200/raster"
)

// Changed is the set of pixels of a render target whose colour, depth or
// stencil a draw changed. Pixels that it wrote without changing them are not
// included.
type Changed struct {
	Box    image.Rectangle // bounding box, rows from the top; may be empty
	Pixels int
	// Bits has one for each pixel of the box, row by row, the first in the highest bit.
	Bits []byte
}

// changedIn compares a render target with its old contents, nil if there are
// none.
func changedIn(old, is *raster.Target) *Changed {
	c := &Changed{}
	if old == nil || old.Width != is.Width || old.Height != is.Height {
		return c
	}
	differ := func(index, n, size int, a, b []byte) bool {
		from, to := index*size, (index+n)*size
		return len(a) == len(b) && len(a) >= to && !bytes.Equal(a[from:to], b[from:to])
	}
	differs := func(index, n int) bool {
		return differ(index, n, is.ColorFormat.Bytes(), old.Color, is.Color) || differ(index, n, is.DepthFormat.Bytes(), old.Depth, is.Depth)
	}
	w, h := int(is.Width), int(is.Height)
	all := make([]bool, w*h)
	for by := 0; by < h; by += 4 {
		for bx := 0; bx < w; bx += 4 {
			index := is.PixelIndex(int32(bx), int32(by)) // of a block, whose pixels are contiguous
			if !differs(index, raster.BlockPixels) {
				continue
			}
			for i := range raster.BlockPixels {
				x, y := bx+int(raster.PixelX[i]), by+int(raster.PixelY[i])
				if x < w && y < h && differs(index+i, 1) {
					all[y*w+x] = true
					c.Pixels++
					c.Box = c.Box.Union(image.Rect(x, y, x+1, y+1))
				}
			}
		}
	}
	size := c.Box.Size()
	c.Bits = make([]byte, (size.X*size.Y+7)/8)
	for i := range size.X * size.Y {
		if all[(c.Box.Min.Y+i/size.X)*w+c.Box.Min.X+i%size.X] {
			c.Bits[i/8] |= 0x80 >> (i % 8)
		}
	}
	return c
}
