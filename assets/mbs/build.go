package mbs

import (
	"encoding/binary"
	"math"
)

// Chunk builds the chunk of the shader from its fields, in the order ARM's
// compiler writes: FINS or FSTA FDIS FBUU, SUNI, SATT, SVAR, DBIN.
func (s *Shader) chunk() *Chunk {
	if s.Vertex {
		return leaf(vertexShader, s, leaf(instructions, s),
			s.Uniforms.chunk("SUNI"), s.Attributes.chunk("SATT"), s.Varyings.chunk("SVAR"), s.codeChunk())
	}
	return leaf(fragmentShader, s, leaf(stack, s), leaf(discards, s), leaf(frameBuffer, &s.FrameBuffer),
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
	head := tableHead{uint32(len(t.Symbols)), t.Space}
	c := node(id, varyings.Append(nil, &head))
	if id == "SUNI" && !t.NoSpace {
		c = leaf(uniforms, &head)
	}
	for i := range t.Symbols {
		c.Items = append(c.Items, Item{Chunk: t.Symbols[i].chunk("V" + id[1:])})
	}
	return c
}

func (s *Symbol) chunk(id Ident) *Chunk {
	name := append([]byte(s.Name), 0)
	for len(name)%4 != 0 {
		name = append(name, 0)
	}
	fields := symbol
	if id == "VATT" && !s.Plain {
		fields = attribute
	}
	c := &Chunk{Ident: id, Items: []Item{{Chunk: node("STRI", name)}, {Data: fields.Append(nil, s)}}}
	if x := s.Index; x != nil {
		c.Items = append(c.Items, Item{Chunk: node("VIDX", nil, leaf(itdr, &x.ITDR), leaf(iyuv, &x.IYUV), leaf(igrd, &x.IGRD))})
	}
	if s.Init != nil {
		v := values.Append(nil, &tableHead{count: uint32(len(s.Init))})
		for _, x := range s.Init {
			v = binary.LittleEndian.AppendUint32(v, math.Float32bits(x))
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
