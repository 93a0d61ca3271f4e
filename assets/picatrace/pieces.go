package picatrace

import (
	"encoding/binary"
	"fmt"
)

// cacheBytes bounds the unpacked memory contents that a Trace caches between
// frames, not counting the last chunk that was read.
const cacheBytes = 32 << 20

type piece = []byte

// decodePieces splits a chunk into pieces and verifies each: hash (16 bytes),
// length (4), 0 (4), contents.
func decodePieces(data []byte, off int64) ([]piece, error) {
	le := binary.LittleEndian
	var list []piece
	for at := 0; at < len(data); {
		here := off + int64(at)
		if len(data)-at < pieceSize {
			return nil, fmt.Errorf("%w: offset 0x%x: %d bytes after the last piece of memory", ErrFormat, here, len(data)-at)
		}
		h := hash{le.Uint64(data[at:]), le.Uint64(data[at+8:])}
		n := int(le.Uint32(data[at+16:]))
		at += pieceSize
		if n == 0 || n > PageSize || n > len(data)-at {
			return nil, fmt.Errorf("%w: offset 0x%x: piece %d of memory has %d bytes; 1 to %d, inside the chunk, are possible", ErrFormat, here, len(list), uint32(n), PageSize)
		}
		if len(list) == maxPieces {
			return nil, fmt.Errorf("%w: offset 0x%x: more than %d pieces of memory in a chunk", ErrFormat, here, maxPieces)
		}
		p := data[at : at+n : at+n]
		if hashOf(p) != h {
			return nil, fmt.Errorf("%w: offset 0x%x: piece %d of memory is not what its hash says", ErrFormat, here, len(list))
		}
		list = append(list, p)
		at += n
	}
	return list, nil
}

// pieceCache caches the chunks of pieces that were read last.
type pieceCache struct {
	entries []cachedPieces // the most recently used is last
	bytes   int
}

type cachedPieces struct {
	at    int64
	list  []piece
	bytes int
}

func (c *pieceCache) get(at int64) ([]piece, bool) {
	for i := range c.entries {
		if e := c.entries[i]; e.at == at {
			copy(c.entries[i:], c.entries[i+1:])
			c.entries[len(c.entries)-1] = e
			return e.list, true
		}
	}
	return nil, false
}

func (c *pieceCache) put(at int64, list []piece, bytes int) {
	c.entries = append(c.entries, cachedPieces{at, list, bytes})
	c.bytes += bytes
	drop := 0
	for c.bytes > cacheBytes && drop < len(c.entries)-1 {
		c.bytes -= c.entries[drop].bytes
		drop++
	}
	c.entries = append(c.entries[:0], c.entries[drop:]...)
	clear(c.entries[len(c.entries):cap(c.entries)])
}
