package model

import (
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"pica200/internal/mgl"
)

// maxPartVertices is the greatest number of vertices of a part: 65536 with
// 16-bit indices, minus one that is reserved for strip restart.
const maxPartVertices = 65535

// big is a part before splitting, with 32-bit indices.
type big struct {
	Part
	indices []uint32
}

// flatNormals gives each triangle its own vertices with its face's normal, as
// glTF 2.0 (3.7.2.1) requires for primitives without normals.
func (b *big) flatNormals() {
	src := b.Part
	n := len(b.indices)
	b.gather(&src, b.indices)
	b.Normals = make([]mgl32.Vec3, n)
	for i := 0; i+2 < n; i += 3 {
		f := faceNormal(b.Positions[i], b.Positions[i+1], b.Positions[i+2])
		b.Normals[i], b.Normals[i+1], b.Normals[i+2] = f, f, f
	}
	b.indices = make([]uint32, n) // the given ones belong to the caller
	for i := range b.indices {
		b.indices[i] = uint32(i)
	}
}

func faceNormal(a, b, c mgl32.Vec3) mgl32.Vec3 {
	d := func(p mgl32.Vec3) mgl64.Vec3 { return mgl.Wide3(p).Sub(mgl.Wide3(a)) }
	return mgl.Narrow3(mgl.Unit(d(b).Cross(d(c))))
}

// split returns the part as parts of at most maxPartVertices vertices.
func (b *big) split() []Part {
	if len(b.Positions) <= maxPartVertices {
		p := b.Part
		p.Indices = make([]uint16, len(b.indices))
		for i, v := range b.indices {
			p.Indices[i] = uint16(v)
		}
		return []Part{p}
	}
	return b.splitBy(func([]uint32) bool { return true })
}

// splitBy goes through the triangles and starts a new part if the current one
// is full or accept rejects the triangle's vertices.
func (b *big) splitBy(accept func(tri []uint32) bool) []Part {
	var parts []Part
	local := map[uint32]uint16{}
	var order []uint32
	var indices []uint16
	flush := func() {
		if len(indices) == 0 {
			return
		}
		p := Part{Material: b.Material, Bump: b.Bump}
		p.gather(&b.Part, order)
		p.Indices = indices
		parts = append(parts, p)
		local, order, indices = map[uint32]uint16{}, nil, nil
	}
	for i := 0; i+2 < len(b.indices); i += 3 {
		tri := b.indices[i : i+3]
		ok := accept(tri)
		if len(order)+3 > maxPartVertices || !ok {
			flush()
			if !ok {
				accept(tri) // counts for the new part
			}
		}
		for _, v := range tri {
			k, seen := local[v]
			if !seen {
				k = uint16(len(order))
				local[v] = k
				order = append(order, v)
			}
			indices = append(indices, k)
		}
	}
	flush()
	return parts
}

// gather fills p's streams with those of src at the vertices in order.
func (p *Part) gather(src *Part, order []uint32) {
	p.Positions = pickAll(src.Positions, order)
	p.Normals = pickAll(src.Normals, order)
	p.Tangents = pickAll(src.Tangents, order)
	for k := range p.UV {
		p.UV[k] = pickAll(src.UV[k], order)
	}
	p.Colors = pickAll(src.Colors, order)
	p.Joints = pickAll(src.Joints, order)
	p.Weights = pickAll(src.Weights, order)
	p.Sizes = pickAll(src.Sizes, order)
	for k := range p.Generic {
		p.Generic[k] = pickAll(src.Generic[k], order)
	}
	morphs := src.Morphs
	p.Morphs = nil
	for _, m := range morphs {
		p.Morphs = append(p.Morphs, Morph{pickAll(m.Positions, order), pickAll(m.Normals, order)})
	}
}

func pickAll[T any](src []T, order []uint32) []T {
	if src == nil {
		return nil
	}
	out := make([]T, len(order))
	for i, v := range order {
		out[i] = src[v]
	}
	return out
}

// Bones is a part with joints renumbered for a matrix palette: palette entry i
// is joint Palette[i] of the skin.
type Bones struct {
	Part
	Palette []int
}

// SplitBones splits a skinned part into parts with at most limit joints each,
// so that their matrices fit a shader's uniforms. Joints with weight 0 do not
// count. limit must be at least 12 (three vertices of four joints), so that
// every triangle fits.
func (p *Part) SplitBones(limit int) []Bones {
	limit = max(limit, 12)
	b := big{Part: *p}
	b.indices = make([]uint32, len(p.Indices))
	for i, v := range p.Indices {
		b.indices[i] = uint32(v)
	}
	used := map[uint16]bool{}
	var palettes [][]int
	cur := []int{}
	accept := func(tri []uint32) bool {
		var fresh []uint16
		for _, v := range tri {
			for k, j := range p.Joints[v] {
				if p.Weights[v][k] != 0 && !used[j] && !slices.Contains(fresh, j) {
					fresh = append(fresh, j)
				}
			}
		}
		if len(cur)+len(fresh) > limit {
			palettes = append(palettes, cur)
			used, cur = map[uint16]bool{}, []int{}
			return false
		}
		for _, j := range fresh {
			used[j] = true
			cur = append(cur, int(j))
		}
		return true
	}
	parts := b.splitBy(accept)
	palettes = append(palettes, cur)
	out := make([]Bones, len(parts))
	for i := range parts {
		out[i] = Bones{parts[i], palettes[i]}
		remap := map[uint16]uint16{}
		for k, j := range palettes[i] {
			remap[uint16(j)] = uint16(k)
		}
		for v := range parts[i].Joints {
			for k, j := range parts[i].Joints[v] {
				parts[i].Joints[v][k] = remap[j] // weightless joints become 0
			}
		}
	}
	return out
}

// Normals says how NewParts makes missing normals.
type Normals uint8

// The ways.
const (
	NoNormals     Normals = iota
	FlatNormals           // each triangle has its own; vertices are not shared
	SmoothNormals         // of a vertex the mean of its triangles, by their areas
)

// NewParts makes parts from vertices and indices. If there are more vertices
// than a part can have, the indices must be triangles. nil indices are the
// vertices in order.
func NewParts(p Part, indices []uint32, normals Normals) ([]Part, error) {
	n := len(p.Positions)
	if indices == nil {
		indices = make([]uint32, n)
		for i := range indices {
			indices[i] = uint32(i)
		}
	}
	for i, v := range indices {
		if int(v) >= n {
			return nil, fmt.Errorf("index %d is %d; there are %d vertices", i, v, n)
		}
	}
	if len(indices) > limits[costIndices].most || n > MaxVertices {
		return nil, fmt.Errorf("%d vertices and %d indices; at most %d and %d are drawn", n, len(indices), MaxVertices, limits[costIndices].most)
	}
	b := big{Part: p, indices: indices}
	if wide := n > maxPartVertices; (wide || normals != NoNormals) && len(indices)%3 != 0 {
		return nil, fmt.Errorf("%d indices are not whole triangles (normals, and more than %d vertices, are for triangles)", len(indices), maxPartVertices)
	}
	switch normals {
	case FlatNormals:
		b.flatNormals()
	case SmoothNormals:
		b.smoothNormals()
	}
	return b.split(), nil
}

// smoothNormals gives each vertex the mean normal of its triangles, weighted by
// area. A vertex without triangles, or whose triangles cancel out, faces the
// front.
func (b *big) smoothNormals() {
	sum := make([]mgl64.Vec3, len(b.Positions))
	for i := 0; i+2 < len(b.indices); i += 3 {
		tri := b.indices[i : i+3]
		a := mgl.Wide3(b.Positions[tri[0]])
		n := mgl.Wide3(b.Positions[tri[1]]).Sub(a).Cross(mgl.Wide3(b.Positions[tri[2]]).Sub(a)) // as long as twice the area
		for _, v := range tri {
			sum[v] = sum[v].Add(n)
		}
	}
	b.Normals = make([]mgl32.Vec3, len(sum))
	for i, s := range sum {
		n := mgl.Unit(s)
		if n == (mgl64.Vec3{}) {
			n[2] = 1
		}
		b.Normals[i] = mgl.Narrow3(n)
	}
}
