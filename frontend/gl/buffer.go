package gl

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
)

// Buffer is memory for vertices or indices. Contexts make them (NewBuffer).
type Buffer struct {
	c   *Context
	mem block
	len int
}

// NewBuffer makes a buffer with the given contents.
func (c *Context) NewBuffer(ctx context.Context, data []byte) (*Buffer, error) {
	if len(data) > math.MaxInt32 {
		return nil, fmt.Errorf("buffer of %d bytes: there is not that much memory", len(data))
	}
	mem, err := c.main.alloc(uint32(len(data)), "buffer")
	if err != nil {
		return nil, err
	}
	b := &Buffer{c, mem, len(data)}
	return b, c.dev.Load(ctx, mem.addr, data)
}

// NewFloatBuffer makes a buffer of 32-bit floats.
func (c *Context) NewFloatBuffer(ctx context.Context, data []float32) (*Buffer, error) {
	bytes := make([]byte, 0, 4*len(data))
	for _, v := range data {
		bytes = binary.LittleEndian.AppendUint32(bytes, math.Float32bits(v))
	}
	return c.NewBuffer(ctx, bytes)
}

// NewIndexBuffer makes a buffer of 16-bit indices.
func (c *Context) NewIndexBuffer(ctx context.Context, indices []uint16) (*Buffer, error) {
	bytes := make([]byte, 0, 2*len(indices))
	for _, v := range indices {
		bytes = binary.LittleEndian.AppendUint16(bytes, v)
	}
	return c.NewBuffer(ctx, bytes)
}

// Len is the size of the buffer in bytes.
func (b *Buffer) Len() int { return b.len }

// Update replaces bytes from offset on. Draws that were made before keep what
// they had.
func (b *Buffer) Update(ctx context.Context, offset int, data []byte) error {
	if offset < 0 || offset > b.len || len(data) > b.len-offset {
		return fmt.Errorf("update of bytes %d to %d of a buffer of %d bytes", offset, offset+len(data), b.len)
	}
	if err := b.c.Flush(ctx); err != nil {
		return err
	}
	return b.c.dev.Load(ctx, b.mem.addr+uint32(offset), data)
}

// Delete frees the memory. The buffer must not be used afterwards.
func (b *Buffer) Delete(ctx context.Context) error {
	if err := b.c.Flush(ctx); err != nil {
		return err
	}
	b.c.main.release(b.mem)
	b.mem, b.len = block{}, 0
	return nil
}
