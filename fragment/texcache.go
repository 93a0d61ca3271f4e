package fragment

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"pica200/assets/texture"
	"pica200/internal/simd"
	"pica200/pica"
)

// textureKey identifies the texels that a texture unit reads.
type textureKey struct {
	addr          uint32
	width, height uint16
	levels        uint8
	format        pica.TextureFormat
}

// texels is a decoded texture: all levels in sequence, the largest first; each
// row by row from t = 0, one word for each texel, red in the low byte.
type texels struct {
	data       []uint32
	generation uint64
	bytes      uint32 // bytes of memory from addr on that were read
	key        textureKey
	used       uint64 // see touch

	// cells is nil until a sampler reads them, see makeCells. Helpers may draw with
	// the texture when it is set.
	cells atomic.Pointer[[]uint32]
}

// size returns the size of the texture in bytes.
func (t *texels) size() int { return 4*(len(t.data)+len(t.getCells())) + texelsRecord }

func (t *texels) getCells() []uint32 {
	if p := t.cells.Load(); p != nil {
		return *p
	}
	return nil
}

// texelsRecord is the estimated size of a texture besides its texels.
const texelsRecord = 160

// textureCache caches decoded textures until their memory changes. It holds at
// most maxTextureBytes.
type textureCache struct {
	entries map[textureKey]*texels
	bytes   int
	// retired counts the bytes that were dropped but may still be held by queued
	// draws.
	retired int
	clock   uint64 // draws so far
	decoded uint64 // number of decoded textures
	order   []*texels
}

const (
	// maxTextureBytes bounds the cache. A full cache drops its least recently used
	// half.
	maxTextureBytes = 128 << 20
	// maxRetired is the number of dropped bytes from which Full asks to run the
	// draws.
	maxRetired = 32 << 20
)

// decoder has the parameters of decoding.
type decoder struct {
	with simd.Kernels
	// spread runs f for every i below n on all workers; nil if there is only one.
	spread func(n int, f func(i, worker int))
}

// get returns a texture from the cache, or decodes it. Call it between batches,
// never while a program runs.
func (c *textureCache) get(k textureKey, mem Memory, d decoder) (*texels, error) {
	size, count := k.size()
	gen := mem.Generation(k.addr, uint32(size))
	t := c.entries[k]
	c.clock++
	if t != nil && t.generation == gen {
		touch(&t.used, c.clock)
		return t, nil
	}
	src, err := mem.Slice(k.addr, uint32(size))
	if err != nil {
		return nil, fmt.Errorf("texture of %dx%d %v with %d levels: %w", k.width, k.height, k.format, k.levels, err)
	}
	if t == nil {
		t = &texels{data: make([]uint32, count), bytes: uint32(size), key: k}
		if c.bytes+t.size() > maxTextureBytes {
			c.shrink(maxTextureBytes / 2)
		}
		if c.entries == nil {
			c.entries = map[textureKey]*texels{}
		}
		c.entries[k] = t
		c.bytes += t.size()
	}
	c.decoded++
	dst := t.data
	for l := range int(k.levels) {
		w, h := levelSize(k.width, l), levelSize(k.height, l)
		if err := d.level(dst[:w*h], src, k.format, w, h); err != nil {
			c.drop(t)
			return nil, err
		}
		dst, src = dst[w*h:], src[levelBytes(k.format, w, h):]
	}
	if cells := t.getCells(); cells != nil {
		t.makeCells(cells)
	}
	t.generation, t.used = gen, c.clock
	return t, nil
}

// withCells gives a texture cells if it has none.
func (c *textureCache) withCells(t *texels) {
	if t.getCells() != nil {
		return
	}
	more := 4 * len(t.data)
	if c.bytes+more > maxTextureBytes {
		c.shrink(maxTextureBytes / 2)
	}
	if c.entries[t.key] == t {
		c.bytes += more
	}
	cells := make([]uint32, len(t.data))
	t.makeCells(cells)
	t.cells.Store(&cells)
}

// makeCells computes the cells of a texture with one level whose texels have one value: for each texel its value, that of the next
// column, and of both in the next row, in bytes from the lowest. The last column and row have no next ones and repeat.
func (t *texels) makeCells(cells []uint32) {
	w, h, shift := int(t.key.width), int(t.key.height), 0
	if alphaOnly(t.key.format) {
		shift = 24
	}
	for y := range h {
		row, below, out := t.data[y*w:][:w], t.data[min(y+1, h-1)*w:][:w], cells[y*w:][:w]
		x := 0
		if simd.Assembly && wide && w > 16 {
			x = (w - 1) &^ 15
			cellsVector(&out[0], &row[0], &below[0], uint64(shift), x)
		}
		here := row[x]>>shift&0xFF | below[x]>>shift&0xFF<<16
		for ; x < w-1; x++ {
			next := row[x+1]>>shift&0xFF | below[x+1]>>shift&0xFF<<16
			out[x] = here | next<<8
			here = next
		}
		out[w-1] = here | here<<8
	}
}

// oneValue reports whether the texels of a format have one value, grey or alpha.
func oneValue(f pica.TextureFormat) bool {
	return f == pica.TextureFormatI8 || f == pica.TextureFormatI4 || alphaOnly(f)
}

// alphaOnly reports whether it is alpha.
func alphaOnly(f pica.TextureFormat) bool {
	return f == pica.TextureFormatA8 || f == pica.TextureFormatA4
}

// size returns the bytes of the texture in memory, and the number of its
// texels.
func (k *textureKey) size() (bytes, texels int) {
	for l := range int(k.levels) {
		w, h := levelSize(k.width, l), levelSize(k.height, l)
		bytes += levelBytes(k.format, w, h)
		texels += w * h
	}
	return bytes, texels
}

// shrink drops least recently used textures until at most the given number of
// bytes is left.
func (c *textureCache) shrink(bytes int) {
	for _, t := range c.entries {
		c.order = append(c.order, t)
	}
	slices.SortFunc(c.order, func(a, b *texels) int { return cmp.Compare(a.used, b.used) })
	for _, t := range c.order {
		if c.bytes <= bytes {
			break
		}
		c.drop(t)
	}
	clear(c.order)
	c.order = c.order[:0]
}

// drop removes a texture from the cache.
func (c *textureCache) drop(t *texels) {
	delete(c.entries, t.key)
	c.bytes -= t.size()
	c.retired += t.size()
}

// levelSize is the size of one side at a level of detail.
func levelSize(size uint16, level int) int { return max(int(size)>>level, 1) }

// tiled rounds a side up to whole tiles of 8 texels.
func tiled(size int) int { return (size + 7) &^ 7 }

// levelBytes is the size of a level in memory, in whole tiles.
func levelBytes(f pica.TextureFormat, w, h int) int { return texture.Size(f, tiled(w), tiled(h)) }

// spreadTexels is the number of texels that a worker decodes at a time; fewer
// do not pay.
const spreadTexels = 1 << 14

// level decodes a level of detail.
//
// SmallTextures: a level with a side of less than 8 texels is in the top left
// corner of its tile; the rest of the tile is not read. That a level takes
// whole tiles is a guess.
func (d *decoder) level(dst []uint32, src []byte, f pica.TextureFormat, w, h int) error {
	tw, th := tiled(w), tiled(h)
	if tw == w && th == h {
		return d.tiles(dst, src, f, w, h)
	}
	whole := make([]uint32, tw*th)
	if err := d.tiles(whole, src, f, tw, th); err != nil {
		return err
	}
	for y := range h {
		copy(dst[y*w:(y+1)*w], whole[(th-h+y)*tw:])
	}
	return nil
}

// tiles decodes a level of whole tiles; all workers share a large one.
func (d *decoder) tiles(dst []uint32, src []byte, f pica.TextureFormat, w, h int) error {
	if d.spread == nil || w*h < 2*spreadTexels {
		return texture.DecodeRows(d.with, dst, src, f, w, h, 0, h)
	}
	rows := tiled(spreadTexels / w)
	parts := make([]error, (h+rows-1)/rows)
	with := d.with
	d.spread(len(parts), func(i, _ int) {
		parts[i] = texture.DecodeRows(with, dst, src, f, w, h, i*rows, min((i+1)*rows, h))
	})
	return errors.Join(parts...)
}
