package geometry

import (
	"fmt"

	"pica200/pica"
)

// Vertices are the input vertices of a draw for the vertex shader.
type Vertices struct {
	// Inputs holds, for each input register with an attribute, the vector of each
	// vertex; nil for the others.
	Inputs [inputRegisters][][4]float32
	// Order lists the vertices that the draw submits, as indices into Inputs. In
	// the geometry stage's variable mode it is structured like the index array:
	// each primitive is its number of vertices, followed by the vertices.
	Order []uint32
	// Count is the number of vertices.
	Count int
}

// ReadVertices loads the vertices of a draw without shading them.
func ReadVertices(in *Input) (*Vertices, error) {
	var l layout
	if err := l.read(in.Regs, in.Fixed, in.Kind); err != nil {
		return nil, err
	}
	v := &Vertices{}
	n := pica.Numvertices.Get(in.Regs)
	perVertex := int(pica.VshNumAttr.Get(in.Regs)) + 1
	var ids []uint32
	switch in.Kind {
	case Immediate:
		n = uint32(len(in.Immediate) / perVertex)
		ids = identity(int(n))
		v.Order = ids
	case Arrays:
		if n > maxVertices {
			return nil, fmt.Errorf("GPUREG_NUMVERTICES is %d; the limit is %d", n, maxVertices)
		}
		v.Order = identity(int(n))
		ids = make([]uint32, n)
		for i := range ids {
			ids[i] = pica.VertexOffset.Get(in.Regs) + uint32(i)
		}
	default:
		var err error
		if ids, v.Order, err = readOrder(in, int(n)); err != nil {
			return nil, err
		}
	}
	v.Count = len(ids)
	if len(ids) == 0 {
		return v, nil
	}
	first, last := ids[0], ids[0]
	for _, id := range ids {
		first, last = min(first, id), max(last, id)
	}
	if in.Kind != Immediate {
		if err := l.open(in.Memory, first, last); err != nil {
			return nil, err
		}
	}
	for i := range l.attributes[:l.n] {
		a := &l.attributes[i]
		var rows lanes
		for c := range rows {
			rows[c] = make([]float32, len(ids))
		}
		switch {
		case in.Kind != Immediate:
			l.fetch(a, &rows, ids, first)
		case i >= perVertex:
			for c := range rows {
				fill(rows[c], a.fixed[c])
			}
		default:
			for k := range ids {
				for c := range rows {
					rows[c][k] = in.Immediate[k*perVertex+i][c]
				}
			}
		}
		out := make([][4]float32, len(ids))
		for k := range out {
			out[k] = [4]float32{rows[0][k], rows[1][k], rows[2][k], rows[3][k]}
		}
		v.Inputs[a.register] = out
	}
	return v, nil
}

func identity(n int) []uint32 {
	ids := make([]uint32, n)
	for i := range ids {
		ids[i] = uint32(i)
	}
	return ids
}

// readOrder reads the index array. ids are the vertices in it, each once, in
// the order of first use; order is the array as indices into ids.
func readOrder(in *Input, n int) (ids, order []uint32, err error) {
	s := Stage{memory: in.Memory}
	b, err := s.indices(in.Regs, n)
	if err != nil {
		return nil, nil, err
	}
	variable := pica.GeoStage(pica.GeostageMode.Get(in.Regs)) == pica.GeoStageOn &&
		pica.GeometryMode(pica.GshMode.Get(in.Regs)) == pica.GeometryModeVariable
	slot := map[uint32]uint32{}
	left := uint32(0) // vertices left of the current primitive
	for i := range b.len() {
		id := b.at(i)
		if variable && left == 0 {
			left = id
			order = append(order, id)
			continue
		}
		if left > 0 {
			left--
		}
		k, ok := slot[id]
		if !ok {
			k = uint32(len(ids))
			slot[id] = k
			ids = append(ids, id)
		}
		order = append(order, k)
	}
	return ids, order, nil
}
