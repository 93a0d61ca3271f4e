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
		size += texture.Size(k.format, w, h)
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
		if err := texture.Decode(dst[:w*h], src, k.format, w, h); err != nil {
			delete(c.entries, k)
			return nil, err
		}
		dst, src = dst[w*h:], src[texture.Size(k.format, w, h):]
	}
	t.generation = gen
	return t, nil
}

// levelSize is the size of one side at a level of detail. Nothing is smaller
// than a tile of 8 texels.
func levelSize(size uint16, level int) int { return max(int(size)>>level, 8) }
