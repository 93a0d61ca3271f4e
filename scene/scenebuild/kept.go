package scenebuild

import (
	"encoding/binary"
	"math"

	"pica200/assets/model"
)

// kept is what drawings of a stage share: the bytes of vertex and index
// buffers, and parts that were split for the bone palette. They depend only on
// a part, which does not change, and the rest of the key. What a drawing does
// not use is dropped after it, so that no more is kept than fits the console's
// memory; morphing makes a new part each time.
type kept struct {
	buffers map[bufferKey]*keptBuffer
	bones   map[*model.Part]*keptBones
	turn    uint64 // of drawings
}

type keptBuffer struct {
	data []byte
	turn uint64 // in which it was used last
}

type keptBones struct {
	pieces []model.Bones
	turn   uint64
}

// buffer returns the bytes of a buffer, which must not be changed.
func (k *kept) buffer(key bufferKey, pack func() []byte) []byte {
	b := k.buffers[key]
	if b == nil {
		b = &keptBuffer{data: pack()}
		k.buffers[key] = b
	}
	b.turn = k.turn
	return b.data
}

// split cuts a part up so that each piece has as many bones as a palette.
func (k *kept) split(part *model.Part) []model.Bones {
	b := k.bones[part]
	if b == nil {
		b = &keptBones{pieces: part.SplitBones(maxBones)}
		k.bones[part] = b
	}
	b.turn = k.turn
	return b.pieces
}

// begin begins a drawing.
func (k *kept) begin() {
	if k.buffers == nil {
		k.buffers, k.bones = map[bufferKey]*keptBuffer{}, map[*model.Part]*keptBones{}
	}
	k.turn++
}

// end drops what the drawing did not use.
func (k *kept) end() {
	for key, b := range k.buffers {
		if b.turn != k.turn {
			delete(k.buffers, key)
		}
	}
	for part, b := range k.bones {
		if b.turn != k.turn {
			delete(k.bones, part)
		}
	}
}

// pack puts a stream's values behind each other, as 32-bit floats.
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

// packIndices puts 16-bit indices behind each other.
func packIndices(indices []uint16) []byte {
	data := make([]byte, 0, 2*len(indices))
	for _, v := range indices {
		data = binary.LittleEndian.AppendUint16(data, v)
	}
	return data
}
