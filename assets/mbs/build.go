package mbs

import (
	"encoding/binary"
	"math"
)

// Chunk builds the chunk of the shader from its fields, in the order ARM's
// compiler writes: FINS or FSTA FDIS FBUU, SUNI, SATT, SVAR, DBIN.
func (s *Shader) chunk() *Chunk {
	if s.Vertex {
		return node("CVER", words(uint32(s.Version)),
			node("FINS", words(s.Unknown0, s.Instructions, s.AttributePrefetch)),
			s.Uniforms.chunk("SUNI"), s.Attributes.chunk("SATT"), s.Varyings.chunk("SVAR"), s.codeChunk())
	}
	fb := s.FrameBuffer
	return node("CFRA", words(uint32(s.Version)),
		node("FSTA", words(s.StackSize, s.StackOffset)),
		node("FDIS", words(s.Discards)),
		node("FBUU", []byte{fb.ReadsColor, fb.WritesColor, fb.ReadsDepth, fb.WritesDepth, fb.ReadsStencil, fb.WritesStencil, fb.Unknown[0], fb.Unknown[1]}),
		s.Uniforms.chunk("SUNI"), s.Varyings.chunk("SVAR"), s.codeChunk())
}

// NewFile makes a file of shaders.
func NewFile(shaders ...*Shader) *File {
	root := &Chunk{Ident: Magic}
	for _, s := range shaders {
		root.Items = append(root.Items, Item{Chunk: s.chunk()})
	}
	return &File{Root: root, Shaders: shaders}
}

func (s *Shader) codeChunk() *Chunk {
	if s.Code == nil && !s.hasCode {
		return nil
	}
	return node("DBIN", s.Code)
}

func (t *Table) chunk(id Ident) *Chunk {
	if t == nil {
		return nil
	}
	c := node(id, words(uint32(len(t.Symbols))))
	if id == "SUNI" && !t.NoSpace {
		c = node(id, words(uint32(len(t.Symbols)), t.Space))
	}
	for i := range t.Symbols {
		c.Items = append(c.Items, Item{Chunk: t.Symbols[i].chunk("V" + id[1:])})
	}
	return c
}

func (s *Symbol) chunk(id Ident) *Chunk {
	le := binary.LittleEndian
	name := append([]byte(s.Name), 0)
	for len(name)%4 != 0 {
		name = append(name, 0)
	}
	b := []byte{s.Unknown0, byte(s.Type)}
	for _, v := range [...]uint16{s.ComponentCount, s.ComponentSize, s.EntryCount, s.SrcStride} {
		b = le.AppendUint16(b, v)
	}
	b = append(b, s.DstStride, byte(s.Precision))
	if id == "VATT" && !s.Plain {
		b = le.AppendUint16(b, uint16(s.Invariant))
		b = le.AppendUint16(b, s.Place)
	} else {
		b = le.AppendUint32(b, s.Invariant)
		b = le.AppendUint16(b, s.Place)
		b = le.AppendUint16(b, s.Parent)
	}
	c := &Chunk{Ident: id, Items: []Item{{Chunk: node("STRI", name)}, {Data: b}}}
	if x := s.Index; x != nil {
		c.Items = append(c.Items, Item{Chunk: node("VIDX", nil,
			node("ITDR", words(uint32(x.ITDR))), node("IYUV", words(uint32(x.IYUV))), node("IGRD", words(uint32(x.IGRD))))})
	}
	if s.Init != nil {
		v := words(uint32(len(s.Init)))
		for _, x := range s.Init {
			v = le.AppendUint32(v, math.Float32bits(x))
		}
		c.Items = append(c.Items, Item{Chunk: node("VINI", v)})
	}
	return c
}

// node makes a chunk of bytes and of the chunks that are not nil.
func node(id Ident, data []byte, chunks ...*Chunk) *Chunk {
	c := &Chunk{Ident: id}
	c.bytes(data, 0)
	for _, k := range chunks {
		if k != nil {
			c.Items = append(c.Items, Item{Chunk: k})
		}
	}
	return c
}

func words(ws ...uint32) (b []byte) {
	for _, w := range ws {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return b
}
