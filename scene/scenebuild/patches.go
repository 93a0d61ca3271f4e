package scenebuild

import (
	"fmt"

	"github.com/go-gl/mathgl/mgl32"

	"pica200/assets/model"
	"pica200/assets/patches"
	"pica200/assets/shbin"
	"pica200/internal/mgl"
	"pica200/scene"
)

// patchKey is a part and the draw's settings for it.
type patchKey struct {
	part   *model.Part
	kind   string
	refine int
}

// maxPatchFaces bounds the faces of a mesh that is refined once more.
const maxPatchFaces = 1 << 18

// patches converts a part to parts whose indices are the stream for the draw's
// program. Without a kind of patches it returns the part itself.
func (d *drawing) patches(w *scene.Draw, part *model.Part) ([]*model.Part, error) {
	if w.Patches == "" {
		return []*model.Part{part}, nil
	}
	key := patchKey{part, w.Patches, w.Refine}
	if p, ok := d.patched[key]; ok {
		return p, nil
	}
	p, err := makePatches(w, part)
	if err != nil {
		return nil, fmt.Errorf("patches %s: %w", w.Patches, err)
	}
	d.patched[key] = p
	return p, nil
}

func makePatches(w *scene.Draw, part *model.Part) ([]*model.Part, error) {
	m, err := meshOf(part)
	if err != nil {
		return nil, err
	}
	stream, refine := patches.Loop, patches.RefineLoop
	switch w.Patches {
	case "silhouette", "edges":
		return edgeParts(w.Patches, part, m)
	case "arcs":
		return arcPart(part, m)
	case "catmull_clark":
		m, stream, refine = patches.Quads(m), patches.CatmullClark, patches.RefineCatmullClark
	}
	// Each step splits a quad into one face per corner, and a triangle into four.
	for faces, i := len(m.Faces), 0; i < w.Refine; faces, i = 4*faces, i+1 {
		if faces > maxPatchFaces {
			return nil, fmt.Errorf("refined %d times, the mesh has %d faces, more than %d", i, faces, maxPatchFaces)
		}
	}
	for range w.Refine {
		if m, err = refine(m); err != nil {
			return nil, err
		}
	}
	streams, err := stream(m)
	if err != nil {
		return nil, err
	}
	normals := m.Normals()
	var parts []*model.Part
	for _, s := range streams {
		p := &model.Part{Material: part.Material, Indices: s.Indices}
		for i, v := range s.Vertices {
			p.Positions = append(p.Positions, mgl.Narrow3(m.Positions[v]))
			p.Normals = append(p.Normals, mgl.Narrow3(normals[v]))
			x := &m.Values[v]
			p.UV[0] = append(p.UV[0], mgl32.Vec2{float32(x[0]), float32(x[1])})
			p.Colors = append(p.Colors, mgl32.Vec4{float32(x[2]), float32(x[3]), float32(x[4]), float32(x[5])})
			// These programs expect the valence in place of sizes.
			p.Sizes = append(p.Sizes, mgl32.Vec4{float32(s.Valence[i])})
		}
		parts = append(parts, p)
	}
	return parts, nil
}

// checkStream returns an error with advice if indices are no valid stream for a
// geometry shader in variable mode: primitives that each begin with their
// number of vertices.
func (p *loadedProgram) checkStream(indices []uint16) error {
	if p.geometry < 0 || p.file.Executables[p.geometry].Geometry.Mode != shbin.GeometryVariable {
		return nil
	}
	least := max(1, int(p.file.Executables[p.geometry].Geometry.VariableNum))
	for at := 0; at < len(indices); {
		n := int(indices[at])
		if n < least || n > len(indices)-at-1 {
			return fmt.Errorf("the geometry shader is in variable mode: its indices are primitives that each begin with their number of vertices, at least %d here, and index %d is %d; patches: loop and patches: catmull_clark make such of a mesh (docs/GEOMETRY.md)", least, at, n)
		}
		at += 1 + n
	}
	return nil
}

// meshOf converts a part to a mesh, with texture coordinates and colours as values.
func meshOf(part *model.Part) (*patches.Mesh, error) {
	indices := make([]uint32, len(part.Indices))
	for i, v := range part.Indices {
		indices[i] = uint32(v)
	}
	m, err := patches.Triangles(part.Positions, indices)
	if err != nil {
		return nil, err
	}
	m.Values = make([]patches.Values, len(m.Positions))
	for i := range m.Values {
		x := &m.Values[i]
		x[2], x[3], x[4], x[5] = 1, 1, 1, 1
		if part.UV[0] != nil {
			x[0], x[1] = float64(part.UV[0][i][0]), float64(part.UV[0][i][1])
		}
		if part.Colors != nil {
			for k, c := range part.Colors[i] {
				x[2+k] = float64(c)
			}
		}
	}
	return m, nil
}

// edgeParts returns the part with its edges as indices, alone or with the
// vertices on both sides. Diagonals of quads are not edges. Normals are those
// of the surface, without seams.
func edgeParts(kind string, part *model.Part, m *patches.Mesh) ([]*model.Part, error) {
	list := patches.Silhouette
	if kind == "edges" {
		m, list = patches.Quads(m), patches.Edges
	}
	indices, err := list(m)
	if err != nil {
		return nil, err
	}
	p := *part
	p.Indices, p.Sizes = indices, nil
	p.Normals = nil
	for _, n := range m.Normals() {
		p.Normals = append(p.Normals, mgl.Narrow3(n))
	}
	return []*model.Part{&p}, nil
}

// The arcs of a mesh, in fractions of the edge's length: height, half sizes of particles, and their distance from the path.
const (
	arcHeight = 0.6
	arcSize   = 0.06
	arcSpread = 0.08
)

// arcPart returns paths over the edges of the part.
func arcPart(part *model.Part, m *patches.Mesh) ([]*model.Part, error) {
	points, edges, err := patches.Arcs(m, arcHeight)
	if err != nil {
		return nil, err
	}
	if len(points) > patches.MaxVertices-1 {
		return nil, fmt.Errorf("%d edges make more control points than 16-bit indices can name", len(edges))
	}
	p := &model.Part{Material: part.Material}
	for i, x := range points {
		p.Positions = append(p.Positions, mgl.Narrow3(x))
		p.Indices = append(p.Indices, uint16(i))
		e := edges[i/4]
		a, b := m.Positions[e[0]], m.Positions[e[1]]
		l := float32(patches.Length(a, b))
		p.Sizes = append(p.Sizes, mgl32.Vec4{arcSize * l, arcSize * l, arcSpread * l})
		v := &m.Values[e[i%4/2]]
		p.Colors = append(p.Colors, mgl32.Vec4{float32(v[2]), float32(v[3]), float32(v[4]), float32(v[5])})
	}
	return []*model.Part{p}, nil
}
