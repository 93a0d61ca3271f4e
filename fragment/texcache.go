package fragment

import (
	"fmt"

	"pica200/assets/texture"
	"pica200/pica"
)

// textureKey says which texels a texture unit reads.
type textureKey struct {
	addr          uint32
	width, height uint16
	levels        uint8
	format        pica.TextureFormat
}

// texels is a decoded texture: all levels, one after the other, the largest
// first; each row by row from t = 0, a word a texel, red in the low byte.
type texels struct {
	data       []uint32
	generation uint64
	bytes      uint32 // memory read from addr on
}

// textureCache keeps decoded textures until the memory that they were read
// from changes.
type textureCache struct {
	entries map[textureKey]*texels
	total   int // texels held
}

// maxCachedTexels bounds the cache; when it is full it is emptied, since what
// a frame needs comes back at once.
const maxCachedTexels = 32 << 20

// get decodes the texture of the key or returns it from the cache. It is
// called between batches, never while a program runs.
func (c *textureCache) get(k textureKey, mem Memory) (*texels, error) {
	size, count := 0, 0
	for l := range int(k.levels) {
		w, h := levelSize(k.width, l), levelSize(k.height, l)
		size += levelBytes(k.format, w, h)
		count += w * h
	}
	gen := mem.Generation(k.addr, uint32(size))
	t := c.entries[k]
	if t != nil && t.generation == gen {
		return t, nil
	}
	src, err := mem.Slice(k.addr, uint32(size))
	if err != nil {
		return nil, fmt.Errorf("texture of %dx%d %v with %d levels: %w", k.width, k.height, k.format, k.levels, err)
	}
	if t == nil {
		if c.total+count > maxCachedTexels || c.entries == nil {
			c.entries, c.total = map[textureKey]*texels{}, 0
		}
		t = &texels{data: make([]uint32, count), bytes: uint32(size)}
		c.entries[k] = t
		c.total += count
	}
	dst := t.data
	for l := range int(k.levels) {
		w, h := levelSize(k.width, l), levelSize(k.height, l)
		if err := decodeLevel(dst[:w*h], src, k.format, w, h); err != nil {
			delete(c.entries, k)
			return nil, err
		}
		dst, src = dst[w*h:], src[levelBytes(k.format, w, h):]
	}
	t.generation = gen
	return t, nil
}

// levelSize is the size of one side at a level of detail.
func levelSize(size uint16, level int) int { return max(int(size)>>level, 1) }

// tiled rounds a side up to whole tiles of 8 texels.
func tiled(size int) int { return (size + 7) &^ 7 }

// levelBytes is what a level takes in memory: whole tiles.
func levelBytes(f pica.TextureFormat, w, h int) int { return texture.Size(f, tiled(w), tiled(h)) }

// decodeLevel decodes a level of detail.
//
// SmallTextures: a level with a side of less than 8 texels lies in the corner of
// its tiles where they begin, which is their top left; the rest of a tile is not
// read. That a level takes its tiles whole is a guess.
func decodeLevel(dst []uint32, src []byte, f pica.TextureFormat, w, h int) error {
	tw, th := tiled(w), tiled(h)
	if tw == w && th == h {
		return texture.Decode(dst, src, f, w, h)
	}
	whole := make([]uint32, tw*th)
	if err := texture.Decode(whole, src, f, tw, th); err != nil {
		return err
	}
	for y := range h {
		copy(dst[y*w:(y+1)*w], whole[(th-h+y)*tw:])
	}
	return nil
}
