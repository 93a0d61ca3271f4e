package model

import (
	"slices"

	"github.com/go-gl/mathgl/mgl32"
)

// Side is a part for drawing with back faces culled.
type Side struct {
	*Part
	// LeftHanded means that tangents, bitangents and normals are left-handed, as
	// where texture coordinates are mirrored. A quaternion holds right-handed ones
	// only, so green of a normal map has to be reversed.
	LeftHanded bool
}

// Sides returns what a part is drawn as. back adds to it each triangle the other
// way round and with reversed normals, unless another triangle lies there
// already; the back comes first. hands separates triangles by handedness, and
// makes tangents where there are none.
func (p *Part) Sides(back, hands bool) (list []Side) {
	parts := []*Part{p}
	if hands {
		parts = slices.DeleteFunc(p.hands(), func(p *Part) bool { return p == nil })
	}
	if back {
		there := p.places()
		var both []*Part
		for _, p := range parts {
			both = append(both, p.withBack(there)...)
		}
		parts = both
	}
	for _, p := range parts {
		if !hands {
			list = append(list, Side{Part: p})
			continue
		}
		for k, one := range p.hands() {
			if one != nil {
				list = append(list, Side{one, k == 1})
			}
		}
	}
	return list
}

// corners are the positions of a triangle, from the least on.
type corners [3]mgl32.Vec3

func (p *Part) corners(a, b, c uint16) corners {
	t := corners{p.Positions[a], p.Positions[b], p.Positions[c]}
	for slices.Compare(t[1][:], t[0][:]) < 0 || slices.Compare(t[2][:], t[0][:]) < 0 {
		t = corners{t[1], t[2], t[0]}
	}
	return t
}

// places are where the part has triangles.
func (p *Part) places() map[corners]bool {
	there := make(map[corners]bool, len(p.Indices)/3)
	for i := 0; i+2 < len(p.Indices); i += 3 {
		there[p.corners(p.Indices[i], p.Indices[i+1], p.Indices[i+2])] = true
	}
	return there
}

// Coincides reports whether two triangles lie at the same position, one the other
// way round.
func (p *Part) Coincides() bool {
	there := p.places()
	for t := range there {
		if back := (corners{t[0], t[2], t[1]}); back != t && there[back] {
			return true
		}
	}
	return false
}

// withBack returns the part with a back.
func (p *Part) withBack(there map[corners]bool) (parts []*Part) {
	n := uint32(len(p.Positions))
	both := big{Part: Part{Material: p.Material, Bump: p.Bump}}
	for i := 0; i+2 < len(p.Indices); i += 3 {
		a, b, c := p.Indices[i], p.Indices[i+1], p.Indices[i+2]
		if !there[p.corners(c, b, a)] {
			both.indices = append(both.indices, n+uint32(c), n+uint32(b), n+uint32(a))
		}
	}
	if both.indices == nil {
		return []*Part{p}
	}
	order := make([]uint32, 2*n)
	for i := range n {
		order[i], order[n+i] = i, i
	}
	both.gather(p, order)
	for i := n; i < 2*n; i++ {
		if p.Normals != nil {
			both.Normals[i] = both.Normals[i].Mul(-1)
		}
		if p.Tangents != nil {
			both.Tangents[i] = both.Tangents[i].Mul(-1) // with its sign
		}
		for _, m := range both.Morphs {
			if m.Normals != nil {
				m.Normals[i] = m.Normals[i].Mul(-1)
			}
		}
	}
	for _, v := range p.Indices[:len(p.Indices)/3*3] {
		both.indices = append(both.indices, uint32(v))
	}
	for _, p := range both.split() {
		parts = append(parts, &p)
	}
	return parts
}

// Reversed returns the part with its triangles the other way round.
func (p *Part) Reversed() *Part {
	out := *p
	out.Indices = slices.Clone(p.Indices)
	for i := 0; i+2 < len(out.Indices); i += 3 {
		out.Indices[i], out.Indices[i+2] = out.Indices[i+2], out.Indices[i]
	}
	return &out
}

// hands splits the part into right-handed triangles and left-handed ones, nil if
// there are none, with tangents.
func (p *Part) hands() []*Part {
	var list [2][]uint32
	for i := 0; i+2 < len(p.Indices); i += 3 {
		a, b, c := p.Indices[i], p.Indices[i+1], p.Indices[i+2]
		sign := 0.0
		switch {
		case p.Tangents != nil:
			sign = float64(p.Tangents[a][3]) + float64(p.Tangents[b][3]) + float64(p.Tangents[c][3])
		case p.UV[p.Bump] != nil:
			sign = turning(p.UV[p.Bump][a], p.UV[p.Bump][b], p.UV[p.Bump][c])
		}
		k := 0
		if sign < 0 {
			k = 1
		}
		list[k] = append(list[k], uint32(a), uint32(b), uint32(c))
	}
	out := make([]*Part, 2)
	for k := range out {
		switch {
		case list[k] == nil:
			continue
		case list[1-k] == nil:
			out[k] = p
		default:
			some := big{Part: *p, indices: list[k]}
			out[k] = &some.splitBy(func([]uint32) bool { return true })[0]
		}
		out[k].MakeTangents()
	}
	return out
}

// turning is the double area of a triangle of texture coordinates, less than 0
// if it is clockwise.
func turning(a, b, c mgl32.Vec2) float64 {
	du1, dv1 := float64(b[0])-float64(a[0]), float64(b[1])-float64(a[1])
	du2, dv2 := float64(c[0])-float64(a[0]), float64(c[1])-float64(a[1])
	return float64(du1*dv2) - float64(du2*dv1)
}
