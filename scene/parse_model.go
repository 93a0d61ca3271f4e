package scene

import (
	"pica200/assets/vertices"
	"pica200/internal/yamldoc"
)

func (p *parser) model(f yamldoc.Field) Model {
	g := Model{Place: Place{f.Pos}, Name: f.Key}
	if f.Value.IsText() {
		g.File = f.Value.Str()
		return g
	}
	m := f.Value.Keys("a model", "file", "shape", "size", "detail", "count", "seed", "color", "spread", "vertices", "indices", "normals")
	g.File = m["file"].Str()
	if m["shape"].Present() {
		s := &Shape{Place: Place{m["shape"]}, Kind: m["shape"].Enum("shape", Shapes...), Color: [4]float64{1, 1, 1, 1}, Seed: m["seed"].Int(1, 0, 1<<31), Count: int(m["count"].Int(100, 1, 10000))}
		if n := m["size"]; n.IsNumber() {
			s.Size = []float64{n.Float(1, 1e-6, 1e6)}
		} else {
			for _, v := range n.List() {
				s.Size = append(s.Size, v.Float(1, 0, 1e6))
			}
		}
		if n := m["detail"]; n.IsNumber() {
			s.Detail = []int{int(n.Int(16, 1, 256))}
		} else {
			for _, v := range n.List() {
				s.Detail = append(s.Detail, int(v.Int(16, 1, 256)))
			}
		}
		if m["spread"].Present() {
			s.Spread = m["spread"].Floats(3)
		}
		if m["color"].Present() {
			s.Color = rgba(m["color"])
		}
		g.Shape = s
	}
	g.Vertices = p.vertices(m)
	given := 0
	for _, b := range []bool{g.File != "", g.Shape != nil, g.Vertices != nil} {
		if b {
			given++
		}
	}
	if given != 1 {
		f.Pos.Errorf("a model has exactly one of file, shape and vertices")
	}
	return g
}

// vertices are the keys vertices, indices and normals of a model.
func (p *parser) vertices(m map[string]yamldoc.Node) *Vertices {
	n := m["vertices"]
	if !n.Present() {
		for _, k := range []string{"indices", "normals"} {
			if m[k].Present() {
				m[k].Errorf("%s goes with vertices", k)
			}
		}
		return nil
	}
	v := &Vertices{Place: Place{n}, Normals: m["normals"].Enum("way of making normals", NormalKinds...), Indices: p.indices(m["indices"])}
	if n.IsText() {
		v.File = n.Str()
		return v
	}
	k := n.Keys("a list of vertices", "file", "format", "layout", "offset", "stride", "count")
	v.File, v.Format = k["file"].Str(), k["format"].Enum("format", vertices.Formats...)
	if v.File == "" {
		n.Errorf("a list of vertices has a file")
	}
	v.Layout.Offset = k["offset"].Int(0, 0, vertices.MaxBytes)
	v.Layout.Stride = int(k["stride"].Int(0, 1, vertices.MaxStride))
	v.Layout.Count = int(k["count"].Int(0, 1, vertices.MaxVertices))
	for _, item := range k["layout"].List() {
		v.Layout.Elements = append(v.Layout.Elements, element(item))
	}
	format := vertices.Format(v.Format)
	if format == "" {
		format = vertices.FormatOf(v.File)
	}
	for _, key := range []string{"offset", "stride"} {
		if format != vertices.Binary && k[key].Present() {
			k[key].Errorf("%s is for bytes, and the file is %s", key, format)
		}
	}
	if format == vertices.Binary && len(v.Layout.Elements) == 0 {
		n.Errorf("bytes say nothing of themselves; a layout lists what a vertex is made of")
		return v
	}
	if err := v.Layout.Check(); err != nil {
		k["layout"].Errorf("%v", err)
	}
	return v
}

// element is the name of a stream, or a mapping.
func element(n yamldoc.Node) vertices.Element {
	if n.IsText() {
		return vertices.Element{Stream: n.Enum("stream", vertices.Streams...)}
	}
	k := n.Keys("an element of a layout", "stream", "type", "size", "scale", "skip")
	if k["skip"].Present() == k["stream"].Present() {
		n.Errorf("an element of a layout has a stream, or it skips some bytes or columns")
	}
	e := vertices.Element{Stream: k["stream"].Enum("stream", vertices.Streams...), Type: k["type"].Enum("type", vertices.Types...),
		Size: int(k["size"].Int(0, 1, 4)), Scale: k["scale"].Float(1, -1e30, 1e30)}
	if s := k["scale"]; s.Present() && e.Scale == 0 {
		s.Errorf("a scale of 0 leaves nothing")
	}
	if s := k["skip"]; s.Present() {
		e = vertices.Element{Size: int(s.Int(1, 1, vertices.MaxStride))}
	}
	return e
}

// indices are a list of numbers, a file's name, or a mapping.
func (p *parser) indices(n yamldoc.Node) *Indices {
	switch {
	case !n.Present():
		return nil
	case n.IsText():
		return &Indices{Place: Place{n}, File: n.Str()}
	case n.IsList():
		i := &Indices{Place: Place{n}}
		for _, item := range n.List() {
			i.List = append(i.List, uint32(item.Int(0, 0, vertices.MaxVertices-1)))
		}
		if len(i.List) == 0 {
			n.Errorf("the list is empty")
		}
		return i
	}
	k := n.Keys("a list of indices", "file", "format", "type", "offset", "count")
	i := &Indices{Place: Place{n}, File: k["file"].Str(), Format: k["format"].Enum("format", vertices.Formats...),
		Type: k["type"].Enum("type of indices", "ubyte", "ushort", "uint"), Offset: k["offset"].Int(0, 0, vertices.MaxBytes), Count: int(k["count"].Int(0, 1, vertices.MaxIndices))}
	if i.File == "" {
		n.Errorf("a list of indices has a file, or is a list of numbers")
	}
	return i
}
