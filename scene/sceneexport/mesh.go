package sceneexport

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"

	"github.com/go-gl/mathgl/mgl32"

	"pica200/assets/model"
	"pica200/geometry"
	"pica200/internal/files"
	"pica200/pica"
)

// meshes are the different meshes of the frame.
type meshes struct {
	list  []*mesh
	known map[string]int // by contents

	vertices int // of all
}

// mesh is the vertices and indices of a draw.
type mesh struct {
	part model.Part
	fed  uint16 // input registers
}

// name is what the mesh is called in the model file.
func (m *meshes) name(i int) string { return fmt.Sprintf("mesh%d", i) }

// maxMeshVertices is the greatest number of vertices of a model: 16-bit
// indices, less the one that models do not use.
const maxMeshVertices = 65535

// add returns the number of the mesh of a draw.
func (m *meshes) add(d *draw, v *geometry.Vertices, geo bool) int {
	ms := &mesh{part: model.Part{Material: -1}}
	order := v.Order
	mode := pica.PrimitiveMode(pica.PrimitiveConfigMode.Get(&d.regs))
	switch {
	case geo:
		ms.part.Loose = true
	case mode == pica.PrimitiveTriangleStrip:
		order = stripTriangles(order)
	case mode == pica.PrimitiveTriangleFan:
		order = fanTriangles(order)
	default:
		order = order[:len(order)/3*3]
	}
	count := v.Count
	if geo {
		for _, i := range order {
			count = max(count, int(i)+1) // counts of vertices are in the list too
		}
	}
	var renamed map[uint32]uint32
	if count > maxMeshVertices {
		// An array draw of more vertices than indices can name.
		order = order[:min(len(order), maxMeshVertices/3*3)]
		renamed = map[uint32]uint32{}
		for _, i := range order {
			if _, ok := renamed[i]; !ok {
				renamed[i] = uint32(len(renamed))
			}
		}
		d.note("only the first %d of %d vertices are in the scene: one draw of a scene has no more", len(order), v.Count)
		count = len(renamed)
	}
	h := sha256.New()
	odd := false
	for reg, in := range v.Inputs {
		if in == nil {
			continue
		}
		ms.fed |= 1 << reg
		stream := make([]mgl32.Vec4, count)
		for i, x := range in {
			at := uint32(i)
			if renamed != nil {
				to, ok := renamed[at]
				if !ok {
					continue
				}
				at = to
			}
			for k := range x {
				if f := float64(x[k]); math.IsNaN(f) || math.IsInf(f, 0) {
					odd = true
					x[k] = 0
				}
			}
			stream[at] = x
		}
		ms.part.Generic[reg] = stream
		binary.Write(h, binary.LittleEndian, uint32(reg))
		binary.Write(h, binary.LittleEndian, stream)
	}
	if odd {
		d.note("some of its vertices have infinite or undefined attributes, which a model file cannot hold; they are 0 in the scene")
	}
	for _, i := range order {
		if renamed != nil {
			i = renamed[i]
		}
		ms.part.Indices = append(ms.part.Indices, uint16(i))
	}
	binary.Write(h, binary.LittleEndian, ms.part.Indices)
	fmt.Fprint(h, ms.part.Loose, ms.fed, count) // which say where each of the above ends
	// Other viewers show the first register as the position.
	for _, x := range ms.part.Generic[bits.TrailingZeros16(ms.fed)] {
		ms.part.Positions = append(ms.part.Positions, mgl32.Vec3{x[0], x[1], x[2]})
	}
	key := string(h.Sum(nil))
	if i, ok := m.known[key]; ok {
		return i
	}
	m.known[key] = len(m.list)
	m.vertices += count
	m.list = append(m.list, ms)
	return len(m.list) - 1
}

// stripTriangles lists the triangles of a strip with their vertices in the order
// in which the hardware assembles them.
func stripTriangles(v []uint32) (out []uint32) {
	for i := 2; i < len(v); i++ {
		if i%2 == 0 {
			out = append(out, v[i-2], v[i-1], v[i])
		} else {
			out = append(out, v[i-1], v[i-2], v[i])
		}
	}
	return out
}

func fanTriangles(v []uint32) (out []uint32) {
	for i := 2; i < len(v); i++ {
		out = append(out, v[0], v[i-1], v[i])
	}
	return out
}

// write writes all meshes into one model file.
func (m *meshes) write(out *files.Folder, path string) error {
	md := &model.Model{}
	for i, ms := range m.list {
		md.Meshes = append(md.Meshes, model.Mesh{Name: m.name(i), Parts: []model.Part{ms.part}})
		md.Nodes = append(md.Nodes, model.Node{Name: m.name(i), Parent: -1, TRS: model.Identity, Mesh: i, Skin: -1, Shown: true})
	}
	data, err := model.EncodeGLB(md)
	if err != nil {
		return err
	}
	return out.Write(path, data)
}
