package scene

import (
	"pica200/assets/model"
	"pica200/assets/vertices"
)

// Make reads the vertices and makes a model of them; numbers is how many numbers that took.
func (v *Vertices) Make(s *Scene, name string) (m *model.Model, numbers int, err error) {
	data, err := s.Read(v.File, vertices.MaxBytes)
	if err != nil {
		return nil, 0, v.Errorf("vertices %s: %v", v.File, cause(err))
	}
	t, err := vertices.Parse(data, format(v.Format, v.File), v.Layout)
	if err != nil {
		return nil, 0, v.Errorf("vertices %s: %v", v.File, err)
	}
	indices := t.Indices
	if v.Indices != nil {
		if indices, err = v.Indices.read(s); err != nil {
			return nil, 0, err
		}
	}
	p, err := t.Part()
	if err != nil {
		return nil, 0, v.Errorf("vertices %s: %v", v.File, err)
	}
	normals := map[string]model.Normals{"flat": model.FlatNormals, "smooth": model.SmoothNormals}[v.Normals]
	if p.Normals != nil {
		normals = model.NoNormals
	}
	parts, err := model.NewParts(p, indices, normals)
	if err != nil {
		return nil, 0, v.Errorf("vertices %s: %v", v.File, err)
	}
	return &model.Model{Name: name, Meshes: []model.Mesh{{Name: name, Parts: parts}},
		Nodes: []model.Node{{Name: name, Parent: -1, TRS: model.Identity, Mesh: 0, Skin: -1, Shown: true}}}, t.Numbers() + len(indices), nil
}

func (i *Indices) read(s *Scene) ([]uint32, error) {
	if i.List != nil {
		return i.List, nil
	}
	data, err := s.Read(i.File, vertices.MaxBytes)
	if err != nil {
		return nil, i.Errorf("indices %s: %v", i.File, cause(err))
	}
	list, err := vertices.ParseIndices(data, format(i.Format, i.File), i.Type, i.Offset, i.Count)
	if err != nil {
		return nil, i.Errorf("indices %s: %v", i.File, err)
	}
	return list, nil
}

func format(said, file string) vertices.Format {
	if said != "" {
		return vertices.Format(said)
	}
	return vertices.FormatOf(file)
}
