package modeldraw

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"pica200/assets/cgfx"
	"pica200/pica"
)

// A primitive set of the console's tools has at most 20 bones; other writers put more into
// one. Such a set is drawn in pieces, each with the bones that its triangles need.

// piece is a run of triangles with its bones.
type piece struct {
	bones []uint32
	list  []int // vertices
}

// split makes pieces of a set with more bones than the program has: every draw becomes a
// list of triangles with vertices of its own.
func (p *part) split() error {
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
	boneOf := func(v int) (out []uint32) {
		ids := index.at(v)
		w := p.streams[cgfx.BoneWeight].at(v)
		for k := range width {
			if p.skin == cgfx.Smooth && w[k] == 0 {
				continue
			}
			out = append(out, p.bones[p.number(ids[k]*index.scale)])
		}
		return out
	}
	var done []piece
	cur := piece{}
	for _, d := range p.draws {
		if d.mode != pica.PrimitiveTriangles {
			return fmt.Errorf("a strip or fan with %d bones; at most %d can be drawn", len(p.bones), maxBones)
		}
		at := func(i int) int {
			if d.typ == pica.IndexShort {
				return int(binary.LittleEndian.Uint16(d.data[2*i:]))
			}
			return int(d.data[i])
		}
		for i := 0; i+2 < d.n; i += 3 {
			need := slices.Clone(cur.bones)
			for k := range 3 {
				for _, b := range boneOf(at(i + k)) {
					if !slices.Contains(need, b) {
						need = append(need, b)
					}
				}
			}
			if len(need) > maxBones {
				done = append(done, cur)
				cur, need = piece{}, nil
				for k := range 3 {
					for _, b := range boneOf(at(i + k)) {
						if !slices.Contains(need, b) {
							need = append(need, b)
						}
					}
				}
			}
			cur.bones = need
			cur.list = append(cur.list, at(i), at(i+1), at(i+2))
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
func (p *part) piece(c piece, width int) *part {
	out := &part{has: p.has, skin: p.skin, bones: c.bones}
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

// number is a bone number of the set, 0 for what is none.
func (p *part) number(x float32) int {
	if x >= 0 && x < float32(len(p.bones)) {
		return int(x)
	}
	return 0
}
