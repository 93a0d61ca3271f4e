package fragment

import (
	"cmp"
	"slices"
	"unsafe"
)

// programCache caches compiled programs by key. It holds at most
// maxProgramBytes.
type programCache struct {
	entries map[programKey]*program
	last    *program // program of the last draw
	bytes   int
	clock   uint64 // draws so far
	order   []*program
}

// maxProgramBytes bounds the cache. A full cache drops its least recently used
// half.
const maxProgramBytes = 64 << 20

// get returns the program of a key, or nil.
func (c *programCache) get(k *programKey) *program {
	p := c.last
	if p == nil || *p.key != *k {
		if p = c.entries[*k]; p == nil {
			return nil
		}
	}
	c.clock++
	touch(&p.used, c.clock)
	c.last = p
	return p
}

// touch notes a use at the given time, unless one was recorded a short time before:
// whoever draws has what was used in the cache of his processor, and would lose
// it.
func touch(used *uint64, now uint64) {
	const short = 1 << 12 // draws
	if now-*used >= short {
		*used = now
	}
}

// put adds the program of a key.
func (c *programCache) put(k *programKey, p *program) {
	p.key = new(*k)
	p.bytes += int(2*unsafe.Sizeof(*k)+unsafe.Sizeof(*p)) + len(p.ops)*opBytes
	if c.bytes+p.bytes > maxProgramBytes {
		c.shrink(maxProgramBytes / 2)
	}
	if c.entries == nil {
		c.entries = map[programKey]*program{}
	}
	c.clock++
	p.used = c.clock
	c.entries[*k] = p
	c.bytes += p.bytes
	c.last = p
}

// opBytes is the estimated size of an op with its parameters.
const opBytes = 200

// shrink drops least recently used programs until at most the given number of
// bytes is left.
func (c *programCache) shrink(bytes int) {
	for _, p := range c.entries {
		c.order = append(c.order, p)
	}
	slices.SortFunc(c.order, func(a, b *program) int { return cmp.Compare(a.used, b.used) })
	for _, p := range c.order {
		if c.bytes <= bytes {
			break
		}
		delete(c.entries, *p.key)
		c.bytes -= p.bytes
	}
	clear(c.order)
	c.order = c.order[:0]
}

// clear drops all programs.
func (c *programCache) clear() { *c = programCache{} }
