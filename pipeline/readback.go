package pipeline

import (
	"context"
	"encoding/binary"
	"errors"
	"image"

	"pica200/pica"
	"pica200/pica/pixels"
	"pica200/raster"
)

// ErrNoTarget is returned if nothing was drawn yet.
var ErrNoTarget = errors.New("nothing was drawn yet, so there is no render target")

// LastTarget returns the last render target, with all draws executed, or
// ErrNoTarget.
func (g *GPU) LastTarget() (*raster.Target, error) {
	if err := g.Finish(context.Background()); err != nil {
		return nil, err
	}
	if g.targets.last == nil {
		return nil, ErrNoTarget
	}
	return &g.targets.last.Target, nil
}

// DrawTarget returns the render target of the draw that a BeforeDraw hook was
// called for, with all draws before it executed. It is the GPU's own memory,
// which the draw will write. An error says why the draw will be left out.
func (g *GPU) DrawTarget() (*raster.Target, error) {
	if err := g.flush(context.Background()); err != nil { // cannot be cancelled
		return nil, err
	}
	t, err := g.target()
	if err != nil {
		return nil, err
	}
	return &t.Target, nil
}

// LastTargetMemory returns the memory of the last target's colour buffer; 0
// bytes if there is none.
func (g *GPU) LastTargetMemory() (addr, n uint32) {
	if g.targets.last == nil {
		return 0, 0
	}
	return g.targets.last.color.addr, g.targets.last.color.bytes
}

// ColorImage returns the colour buffer of a render target as an image. Its
// first row is the top row of the window.
func ColorImage(t *raster.Target) (*image.NRGBA, error) {
	if t.Color == nil {
		return nil, errors.New("the render target has no colour buffer in memory")
	}
	img := image.NewNRGBA(image.Rect(0, 0, int(t.Width), int(t.Height)))
	if !t.Block32 && t.Width%pica.TileSize == 0 && t.Height%pica.TileSize == 0 {
		colorTiles(img, t)
		return img, nil
	}
	var r, g, b, a raster.Channel
	eachBlock(t, func(x, y int32, index int) {
		t.LoadColor(index, &r, &g, &b, &a)
		for i := range r {
			px, py := int(x)+int(raster.PixelX[i]), int(y)+int(raster.PixelY[i])
			if px < int(t.Width) && py < int(t.Height) {
				p := img.Pix[py*img.Stride+4*px:][:4:4]
				p[0], p[1], p[2], p[3] = r[i], g[i], b[i], a[i]
			}
		}
	})
	return img, nil
}

// colorTiles is ColorImage for a target of whole tiles, one row of tiles at a
// time.
func colorTiles(img *image.NRGBA, t *raster.Target) {
	n := int(t.Width) * pica.TileSize // pixels of a row of tiles
	bytes := n * t.ColorFormat.Bytes()
	rows, scratch := make([]uint32, n), make([]uint32, n)
	for i := range int(t.Height) / pica.TileSize {
		pixels.DecodeTiles(t.Kernels, t.ColorFormat, rows, 0, int(t.Width), t.Color[i*bytes:][:bytes], n/pica.TilePixels, scratch)
		out := img.Pix[4*i*n:][:4*n]
		for k, v := range rows {
			binary.LittleEndian.PutUint32(out[4*k:], v)
		}
	}
}

// DepthImage returns the highest 16 bits of a render target's depth buffer as
// grey, oriented like ColorImage.
func DepthImage(t *raster.Target) (*image.Gray16, error) {
	if t.Depth == nil {
		return nil, errors.New("the render target has no depth buffer in memory")
	}
	shift := 0
	if t.DepthFormat.Max() > 0xFFFF {
		shift = 8
	}
	img := image.NewGray16(image.Rect(0, 0, int(t.Width), int(t.Height)))
	var z [raster.BlockPixels]uint32
	eachBlock(t, func(x, y int32, index int) {
		t.LoadDepth(index, &z)
		for i, d := range z {
			px, py := int(x)+int(raster.PixelX[i]), int(y)+int(raster.PixelY[i])
			if px < int(t.Width) && py < int(t.Height) {
				d >>= shift
				at := py*img.Stride + 2*px
				img.Pix[at], img.Pix[at+1] = byte(d>>8), byte(d)
			}
		}
	})
	return img, nil
}

// StencilImage returns the stencil buffer of a D24S8 render target as grey,
// oriented like ColorImage.
func StencilImage(t *raster.Target) (*image.Gray, error) {
	if t.Depth == nil || t.DepthFormat.Bytes() != 4 {
		return nil, errors.New("the render target has no stencil buffer in memory; only D24S8 has one")
	}
	img := image.NewGray(image.Rect(0, 0, int(t.Width), int(t.Height)))
	var s raster.Channel
	eachBlock(t, func(x, y int32, index int) {
		t.LoadStencil(index, &s)
		for i, v := range s {
			px, py := int(x)+int(raster.PixelX[i]), int(y)+int(raster.PixelY[i])
			if px < int(t.Width) && py < int(t.Height) {
				img.Pix[py*img.Stride+px] = v
			}
		}
	})
	return img, nil
}

// eachBlock calls f for every block of 4x4 pixels of a target.
func eachBlock(t *raster.Target, f func(x, y int32, index int)) {
	for y := int32(0); y < t.Height; y += 4 {
		for x := int32(0); x < t.Width; x += 4 {
			f(x, y, t.PixelIndex(x, y))
		}
	}
}
