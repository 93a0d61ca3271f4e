package model

import (
	"fmt"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/qmuntal/gltf"

	"pica200/internal/mgl"
)

func (d *document) readMeshes() error {
	for i, gm := range d.Meshes {
		mesh := Mesh{Name: gm.Name}
		for _, w := range gm.Weights {
			mesh.Weights = append(mesh.Weights, float32(w))
		}
		for k, p := range gm.Primitives {
			parts, err := d.readPrimitive(p)
			if err != nil {
				return fmt.Errorf("mesh %d (%s), primitive %d: %w", i, gm.Name, k, err)
			}
			mesh.Parts = append(mesh.Parts, parts...)
		}
		d.m.Meshes = append(d.m.Meshes, mesh)
	}
	return nil
}

// readPrimitive reads a primitive. The PICA200 has no points and lines; they
// are left out with a note.
func (d *document) readPrimitive(p *gltf.Primitive) ([]Part, error) {
	if err := d.from.spend(costParts, 1); err != nil {
		return nil, err
	}
	switch p.Mode {
	case gltf.PrimitiveTriangles, gltf.PrimitiveTriangleStrip, gltf.PrimitiveTriangleFan:
	case gltf.PrimitivePoints:
		if hasGeneric(p) {
			break // a list of vertices for a shader; see Part.Loose
		}
		fallthrough
	default:
		d.note("points and lines are left out")
		return nil, nil
	}
	pos, ok := p.Attributes[gltf.POSITION]
	if !ok {
		d.note("a primitive without positions is left out")
		return nil, nil
	}
	var out big
	out.Material = -1
	if p.Material != nil {
		if *p.Material < 0 || *p.Material >= len(d.Materials) {
			return nil, fmt.Errorf("material %d of %d", *p.Material, len(d.Materials))
		}
		out.Material = *p.Material
	}
	if _, ok := p.Extensions[draco]; ok && pos >= 0 && pos < len(d.Accessors) && d.Accessors[pos].BufferView == nil {
		return nil, errDraco
	}
	v, n, err := d.floats(pos, gltf.AccessorVec3)
	if err != nil {
		return nil, fmt.Errorf("POSITION: %w", err)
	}
	if err := d.from.spend(costVertices, n); err != nil {
		return nil, err
	}
	out.Positions = vec3s(v)
	if err := d.readAttributes(p, &out.Part, n); err != nil {
		return nil, err
	}
	list, err := d.readIndices(p, n)
	if err != nil {
		return nil, err
	}
	out.indices = list
	for i, t := range p.Targets {
		m, err := d.readMorph(t, n)
		if err != nil {
			return nil, fmt.Errorf("morph target %d: %w", i, err)
		}
		out.Morphs = append(out.Morphs, m)
	}
	if p.Mode == gltf.PrimitivePoints {
		if n > maxPartVertices {
			return nil, fmt.Errorf("points of %d vertices; at most %d are drawn at once", n, maxPartVertices)
		}
		out.Loose = true
		return out.split(), nil
	}
	// Streams for a shader's inputs need no normals.
	if out.Normals == nil && !hasGeneric(p) {
		out.flatNormals()
	}
	return out.split(), nil
}

// hasGeneric reports whether a primitive has streams _V0 to _V15.
func hasGeneric(p *gltf.Primitive) bool {
	for i := range len(Part{}.Generic) {
		if _, ok := p.Attributes[fmt.Sprintf("_V%d", i)]; ok {
			return true
		}
	}
	return false
}

func (d *document) readAttributes(p *gltf.Primitive, out *Part, n int) error {
	type attr struct {
		name  string
		use   func([]float32, int)
		types []gltf.AccessorType
	}
	vec2, vec3, vec4 := gltf.AccessorVec2, gltf.AccessorVec3, gltf.AccessorVec4
	sets := [3]int{0, 1, 2}
	if p.Material != nil {
		sets = d.sets[*p.Material]
	}
	uv := func(k int) func([]float32, int) {
		return func(v []float32, _ int) {
			out.UV[k] = make([]mgl32.Vec2, n)
			for i := range out.UV[k] {
				out.UV[k][i] = mgl32.Vec2{v[2*i], 1 - v[2*i+1]}
			}
		}
	}
	list := []attr{
		{gltf.NORMAL, func(v []float32, _ int) { out.Normals = unit(vec3s(v)) }, []gltf.AccessorType{vec3}},
		{gltf.TANGENT, func(v []float32, _ int) { out.Tangents = vec4s(v) }, []gltf.AccessorType{vec4}},
		{gltf.COLOR_0, func(v []float32, c int) {
			out.Colors = make([]mgl32.Vec4, n)
			for i := range out.Colors {
				out.Colors[i] = mgl32.Vec4{toDisplay(float64(v[c*i])), toDisplay(float64(v[c*i+1])), toDisplay(float64(v[c*i+2])), 1}
				if c == 4 {
					out.Colors[i][3] = v[c*i+3]
				}
			}
		}, []gltf.AccessorType{vec3, vec4}},
		{gltf.WEIGHTS_0, func(v []float32, _ int) { out.Weights = vec4s(v) }, []gltf.AccessorType{vec4}},
	}
	for k, set := range sets {
		list = append(list, attr{fmt.Sprintf("TEXCOORD_%d", set), uv(k), []gltf.AccessorType{vec2}})
	}
	for k := range out.Generic {
		list = append(list, attr{fmt.Sprintf("_V%d", k), func(v []float32, _ int) { out.Generic[k] = vec4s(v) }, []gltf.AccessorType{vec4}})
	}
	for _, a := range list {
		v, err := d.attribute(p.Attributes, a.name, n, a.types...)
		if err != nil {
			return err
		}
		if len(v) > 0 {
			a.use(v, len(v)/n)
		}
	}
	if i, ok := p.Attributes[gltf.JOINTS_0]; ok {
		v, err := d.ints(i, MaxVertices, vec4)
		if err != nil {
			return fmt.Errorf("JOINTS_0: %w", err)
		}
		if len(v) != 4*n {
			return fmt.Errorf("JOINTS_0: %d elements for %d vertices", len(v)/4, n)
		}
		out.Joints = make([][4]uint16, n)
		for i := range out.Joints {
			for k := range 4 {
				if v[4*i+k] > 0xFFFF {
					return fmt.Errorf("JOINTS_0: joint %d", v[4*i+k])
				}
				out.Joints[i][k] = uint16(v[4*i+k])
			}
		}
	}
	if (out.Joints == nil) != (out.Weights == nil) {
		out.Joints, out.Weights = nil, nil
		d.m.Notes = append(d.m.Notes, "joints without weights, or weights without joints, are left out")
	}
	normalizeWeights(out.Weights)
	return nil
}

func (d *document) readMorph(t gltf.PrimitiveAttributes, n int) (m Morph, err error) {
	for _, a := range []struct {
		name string
		to   *[]mgl32.Vec3
	}{{gltf.POSITION, &m.Positions}, {gltf.NORMAL, &m.Normals}} {
		v, err := d.attribute(t, a.name, n, gltf.AccessorVec3)
		if err != nil {
			return m, err
		}
		if v != nil {
			*a.to = vec3s(v)
		}
	}
	return m, nil
}

// attribute reads an attribute of n vertices, nil if there is none.
func (d *document) attribute(of gltf.PrimitiveAttributes, name string, n int, types ...gltf.AccessorType) ([]float32, error) {
	i, ok := of[name]
	if !ok {
		return nil, nil
	}
	v, count, err := d.floats(i, types...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if count != n {
		return nil, fmt.Errorf("%s: %d elements for %d vertices", name, count, n)
	}
	return v, nil
}

// readIndices returns triangles as triples, whatever the primitive's mode is.
func (d *document) readIndices(p *gltf.Primitive, n int) ([]uint32, error) {
	var list []uint32
	if p.Indices != nil {
		var err error
		if list, err = d.ints(*p.Indices, limits[costIndices].most, gltf.AccessorScalar); err != nil {
			return nil, fmt.Errorf("indices: %w", err)
		}
		for i, v := range list {
			if int64(v) >= int64(n) {
				return nil, fmt.Errorf("index %d is vertex %d of %d", i, v, n)
			}
		}
	} else {
		list = make([]uint32, n)
		for i := range list {
			list[i] = uint32(i)
		}
	}
	switch p.Mode {
	case gltf.PrimitiveTriangleStrip:
		list = strip(list)
	case gltf.PrimitiveTriangleFan:
		list = fan(list)
	case gltf.PrimitivePoints:
	default:
		list = list[:len(list)/3*3]
	}
	return list, d.from.spend(costIndices, len(list))
}

func strip(v []uint32) []uint32 {
	var out []uint32
	for i := 0; i+2 < len(v); i++ {
		a, b, c := v[i], v[i+1], v[i+2]
		if i&1 == 1 {
			a, b = b, a
		}
		if a != b && b != c && a != c {
			out = append(out, a, b, c)
		}
	}
	return out
}

func fan(v []uint32) []uint32 {
	var out []uint32
	for i := 1; i+1 < len(v); i++ {
		out = append(out, v[0], v[i], v[i+1])
	}
	return out
}

func vec3s(v []float32) []mgl32.Vec3 {
	out := make([]mgl32.Vec3, len(v)/3)
	for i := range out {
		out[i] = mgl32.Vec3{v[3*i], v[3*i+1], v[3*i+2]}
	}
	return out
}

func vec4s(v []float32) []mgl32.Vec4 {
	out := make([]mgl32.Vec4, len(v)/4)
	for i := range out {
		out[i] = mgl32.Vec4{v[4*i], v[4*i+1], v[4*i+2], v[4*i+3]}
	}
	return out
}

func unit(v []mgl32.Vec3) []mgl32.Vec3 {
	for i, a := range v {
		v[i] = mgl.Narrow3(mgl.Unit(mgl.Wide3(a)))
	}
	return v
}

// normalizeWeights makes the weights of each vertex sum to 1.
func normalizeWeights(w []mgl32.Vec4) {
	for i, v := range w {
		s := float64(v[0]) + float64(v[1]) + float64(v[2]) + float64(v[3])
		if s <= 0 {
			w[i] = mgl32.Vec4{1, 0, 0, 0}
			continue
		}
		for k := range v {
			w[i][k] = float32(float64(v[k]) / s)
		}
	}
}
