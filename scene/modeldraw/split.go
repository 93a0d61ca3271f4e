package modeldraw

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"pica200/assets/cgfx"
	"pica200/pica"
)

// A primitive set of the console's tools has at most 20 bones, but other
// writers use more. Such a set is drawn in pieces, each with the bones of its
// triangles.

// piece is a run of triangles with its bones.
type piece struct {
	bones []uint32
	list  []int // vertices
}

// split splits a set with more bones than the program has: every draw becomes a
// list of triangles with its own vertices.
func (p *primitives) split() error {
	if p.skin == cgfx.Unskinned {
		return nil // bone 0 moves them all
	}
	index := &p.streams[cgfx.BoneIndex]
	width := 1
	if p.skin == cgfx.Smooth {
		width = 4
		if index.data != nil {
			width = index.size
		}
	}
	// with adds the bones of a vertex to a list.
	with := func(list []uint32, v int) []uint32 {
		ids := index.at(v)
		w := p.streams[cgfx.BoneWeight].at(v)
		for k := range width {
			if p.skin == cgfx.Smooth && w[k] == 0 {
				continue
			}
			if b := p.bones[p.number(ids[k]*index.scale)]; !slices.Contains(list, b) {
				list = append(list, b)
			}
		}
		return list
	}
	var done []piece
	cur := piece{}
	for _, d := range p.draws {
		if d.mode != pica.PrimitiveTriangles {
			return fmt.Errorf("a strip or fan with %d bones; at most %d can be drawn", len(p.bones), maxBones)
		}
		for i := 0; i+2 < d.n; i += 3 {
			v := [3]int{int(d.at(i)), int(d.at(i + 1)), int(d.at(i + 2))}
			need := with(with(with(slices.Clone(cur.bones), v[0]), v[1]), v[2])
			if len(need) > maxBones {
				done = append(done, cur)
				cur, need = piece{}, with(with(with(nil, v[0]), v[1]), v[2])
			}
			cur.bones = need
			cur.list = append(cur.list, v[:]...)
		}
	}
	done = append(done, cur)
	p.pieces = nil
	for _, c := range done {
		if len(c.list) > 0 {
			p.pieces = append(p.pieces, p.piece(c, width))
		}
	}
	return nil
}

// piece copies the vertices of a piece, with bone numbers that count its own bones.
func (p *primitives) piece(c piece, width int) *primitives {
	out := &primitives{has: p.has, skin: p.skin, bones: c.bones}
	number := map[int]int{}
	var order []int
	var data []byte
	for _, v := range c.list {
		n, ok := number[v]
		if !ok {
			n = len(order)
			number[v] = n
			order = append(order, v)
		}
		data = binary.LittleEndian.AppendUint16(data, uint16(n))
	}
	out.count = len(order)
	out.draws = []indices{{pica.PrimitiveTriangles, pica.IndexShort, data, len(c.list)}}
	for i := range p.streams {
		t := p.streams[i]
		if t.data != nil {
			src := t
			t.data, t.typ, t.stride, t.offset = nil, pica.AttribFloat, 4*t.size, 0
			for _, v := range order {
				x := src.at(v)
				if cgfx.Usage(i) == cgfx.BoneIndex {
					for k := range width {
						x[k] = float32(max(slices.Index(c.bones, p.bones[p.number(x[k]*src.scale)]), 0))
					}
				}
				for k := range t.size {
					t.data = binary.LittleEndian.AppendUint32(t.data, math.Float32bits(x[k]))
				}
			}
			if cgfx.Usage(i) == cgfx.BoneIndex {
				t.scale = 1
			}
		}
		out.streams[i] = t
	}
	return out
}

// number converts a bone number of the set; invalid ones become 0.
func (p *primitives) number(x float32) int {
	if x >= 0 && x < float32(len(p.bones)) {
		return int(x)
	}
	return 0
}
