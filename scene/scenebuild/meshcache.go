package scenebuild

import (
	"encoding/binary"
	"math"

	"pica200/assets/model"
)

// meshCache is a cache shared by a stage's drawings: bytes of vertex and index buffers, and parts split by sides and for the bone palette. Entries
// depend only on an immutable part and the rest of the key. Entries that a drawing does not use are dropped after it, so that the
// cache fits the console's memory; morphing makes a new part each time.
type meshCache struct {
	buffers map[bufferKey]*cachedBuffer
	bones   map[*model.Part]*cachedBones
	sides   map[sidesKey]*cachedSides
	drawing uint64 // number of the drawing
}

type cachedBuffer struct {
	data    []byte
	drawing uint64 // drawing that used it last
}

type cachedBones struct {
	pieces  []model.Bones
	drawing uint64
}

// sidesKey is a part and how Part.Sides splits it.
type sidesKey struct {
	part                  *model.Part
	back, unlit, tangents bool
}

type cachedSides struct {
	list    []model.Side
	back    bool
	drawing uint64
}

// splitSides returns a part's sides. Without lighting it needs a back only where
// triangles coincide; back reports whether it has one.
func (k *meshCache) splitSides(key sidesKey) (list []model.Side, back bool) {
	s := k.sides[key]
	if s == nil {
		s = &cachedSides{back: key.back && (!key.unlit || key.part.Coincides())}
		s.list = key.part.Sides(s.back, key.tangents)
		k.sides[key] = s
	}
	s.drawing = k.drawing
	return s.list, s.back
}

// buffer returns the bytes of a buffer, which must not be changed.
func (k *meshCache) buffer(key bufferKey, pack func() []byte) []byte {
	b := k.buffers[key]
	if b == nil {
		b = &cachedBuffer{data: pack()}
		k.buffers[key] = b
	}
	b.drawing = k.drawing
	return b.data
}

// split splits a part into pieces with at most as many bones as a palette.
func (k *meshCache) split(part *model.Part) []model.Bones {
	b := k.bones[part]
	if b == nil {
		b = &cachedBones{pieces: part.SplitBones(maxBones)}
		k.bones[part] = b
	}
	b.drawing = k.drawing
	return b.pieces
}

// begin starts a drawing.
func (k *meshCache) begin() {
	if k.buffers == nil {
		k.buffers, k.bones, k.sides = map[bufferKey]*cachedBuffer{}, map[*model.Part]*cachedBones{}, map[sidesKey]*cachedSides{}
	}
	k.drawing++
}

// end drops entries that the drawing did not use.
func (k *meshCache) end() {
	for key, b := range k.buffers {
		if b.drawing != k.drawing {
			delete(k.buffers, key)
		}
	}
	for part, b := range k.bones {
		if b.drawing != k.drawing {
			delete(k.bones, part)
		}
	}
	for key, s := range k.sides {
		if s.drawing != k.drawing {
			delete(k.sides, key)
		}
	}
}

// pack packs a stream's values as 32-bit floats.
func (s *stream) pack(n int) []byte {
	data := make([]byte, 0, 4*n*s.size)
	for i := range n {
		v := s.at(i)
		for _, x := range v[:s.size] {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
		}
	}
	return data
}

// packIndices packs 16-bit indices.
func packIndices(indices []uint16) []byte {
	data := make([]byte, 0, 2*len(indices))
	for _, v := range indices {
		data = binary.LittleEndian.AppendUint16(data, v)
	}
	return data
}
