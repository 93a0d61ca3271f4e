package scenebuild

import (
	"slices"
	"strings"

	"pica200/assets/model"
	"pica200/scene"
)

// Part is a part of a model, as a tree: meshes, their materials, and the textures
// of these. What has the same name is one part.
type Part struct {
	Kind  PartKind
	Name  string
	ID    scene.PartID // by which draws address it; of a material, on its mesh
	Parts []Part
}

// PartKind is the kind of a Part.
type PartKind uint8

// The kinds of parts.
const (
	PartMesh PartKind = iota
	PartMaterial
	PartTexture
)

// Parts lists the parts of a draw's model that it can show.
func (st *Stage) Parts(w *scene.Draw) (list []Part) {
	at := map[scene.PartID]int{} // of a mesh in list, of a material in the mesh
	st.eachPart(w, func(textures []string, material string, mesh ...string) {
		id := scene.PartID{Mesh: mesh[0]}
		i, ok := at[id]
		if !ok {
			i = len(list)
			at[id] = i
			list = append(list, Part{Kind: PartMesh, Name: id.Mesh, ID: id})
		}
		id.Material = material
		if _, ok := at[id]; ok {
			return
		}
		at[id] = 0
		one := Part{Kind: PartMaterial, Name: material, ID: id}
		for _, name := range textures {
			one.Parts = append(one.Parts, Part{Kind: PartTexture, Name: name})
		}
		list[i].Parts = append(list[i].Parts, one)
	})
	return list
}

// eachPart calls f with each material on a mesh that a draw can show.
func (st *Stage) eachPart(w *scene.Draw, f func(textures []string, material string, mesh ...string)) {
	if set := st.sets[w.Model]; set != nil {
		for _, m := range set.Meshes(w.Mesh) {
			f(m.Textures, m.Material, m.Names...)
		}
		return
	}
	m := st.models[w.Model]
	for i := range m.Nodes {
		n := &m.Nodes[i]
		if !n.Shown || n.Mesh < 0 || w.Mesh != "" && !slices.Contains(m.MeshNames(i), w.Mesh) {
			continue
		}
		for _, p := range m.Meshes[n.Mesh].Parts {
			f(imagesOf(m, p.Material), m.MaterialName(p.Material), m.MeshNames(i)...)
		}
	}
}

// imagesOf names the images of a material, each once.
func imagesOf(m *model.Model, material int) (names []string) {
	if material < 0 || material >= len(m.Materials) {
		return nil
	}
	for _, t := range m.Materials[material].Textures() {
		if t.Image >= 0 && !slices.Contains(names, m.Images[t.Image].Name) {
			names = append(names, m.Images[t.Image].Name)
		}
	}
	return names
}

// checkParts checks that the model of a draw has the parts that it addresses.
func (st *Stage) checkParts(w *scene.Draw) error {
	if len(w.Meshes)+len(w.Materials) == 0 {
		return nil
	}
	var meshes, materials []string
	st.eachPart(w, func(_ []string, material string, mesh ...string) {
		meshes, materials = append(meshes, mesh...), append(materials, material)
	})
	check := func(what string, p *scene.Part, known []string) error {
		if slices.Contains(known, p.Name) {
			return nil
		}
		slices.Sort(known)
		return p.Errorf("model %s has no %s %q; it has [%s]", w.Model, what, p.Name, strings.Join(slices.Compact(known), ", "))
	}
	for i := range w.Materials {
		if err := check("material", &w.Materials[i], materials); err != nil {
			return err
		}
	}
	for i := range w.Meshes {
		if err := check("mesh", &w.Meshes[i].Part, meshes); err != nil {
			return err
		}
		for k := range w.Meshes[i].Materials {
			if err := check("material", &w.Meshes[i].Materials[k], materials); err != nil {
				return err
			}
		}
	}
	return nil
}
