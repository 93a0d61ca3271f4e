package session

import (
	"cmp"
	"fmt"
	"slices"

	"pica200/scene"
	"pica200/scene/scenebuild"
)

// Part is a row of the tree of a scene's parts: a draw, and below it the
// meshes of its model, their materials and the textures of these.
type Part struct {
	Name string
	// Target is the value of Request.Target and Edit.Draw for the part; a
	// material has the same below every mesh of the draw. "" for a texture.
	Target string
	// Here is the target of a material on its mesh only.
	Here  string
	Parts []Part
}

// scenePart is a draw of a scene, or a part of its model, that can be edited.
type scenePart struct {
	name string // the name of the draw, after that of its pass if there are several; no two are alike
	path []any  // in the scene's file
	draw *scene.Draw
	id   scene.PartID
}

type partKey struct {
	draw *scene.Draw
	id   scene.PartID
}

// rank orders what a draw's keys are said of: the later override the earlier.
func rank(id scene.PartID) int {
	switch {
	case id == scene.PartID{}:
		return 0
	case id.Mesh == "":
		return 1
	case id.Material == "":
		return 2
	}
	return 3
}

// covers reports whether a part is drawn, wholly or partly, by what draws another.
func (p *scenePart) covers(draw *scene.Draw, id scene.PartID) bool {
	return p.draw == draw && (p.id.Mesh == "" || p.id.Mesh == id.Mesh) && (p.id.Material == "" || p.id.Material == id.Material)
}

// pathOf returns the path of a part of a draw in the scene's file.
func pathOf(draw []any, id scene.PartID) []any {
	path := slices.Clone(draw)
	if id.Mesh != "" {
		path = append(path, "meshes", id.Mesh)
	}
	if id.Material != "" {
		path = append(path, "materials", id.Material)
	}
	return path
}

// findParts lists the draws of the scene, and the parts of their models as a tree.
func (s *sceneSource) findParts() {
	s.parts, s.number, s.targets = nil, map[*scene.Draw]int{}, map[string]*scenePart{}
	s.restyles, s.styles = nil, nil
	s.tree, s.said, s.names = nil, map[*scene.Style]*scenePart{}, map[partKey]string{}
	taken := map[string]int{}
	unique := func(name string) string {
		for base := name; taken[name] > 0; name = fmt.Sprintf("%s (%d)", base, taken[base]) {
			taken[base]++
		}
		taken[name]++
		return name
	}
	add := func(draws []scene.Draw, pass string, path ...any) {
		for i := range draws {
			w := &draws[i]
			s.number[w] = len(s.parts)
			name := cmp.Or(w.Name, w.Model)
			if pass != "" {
				name = pass + "/" + name
			}
			s.parts = append(s.parts, scenePart{unique(name), append(path[:len(path):len(path)], "draws", i), w, scene.PartID{}})
		}
	}
	sc := s.Stage.Scene
	main := ""
	for k := range sc.Passes {
		add(sc.Passes[k].Draws, sc.Passes[k].Name, "passes", k)
		main = "main"
	}
	add(sc.Draws, main)
	for i := range s.parts {
		d := &s.parts[i]
		s.targets[d.name] = d
		s.names[partKey{d.draw, d.id}] = d.name
		target := func(id scene.PartID, what string) string {
			key := partKey{d.draw, id}
			if s.names[key] == "" {
				name := unique(d.name + ": " + what)
				s.names[key], s.targets[name] = name, &scenePart{name, pathOf(d.path, id), d.draw, id}
			}
			return s.names[key]
		}
		row := Part{Name: d.name, Target: d.name}
		for _, mesh := range s.Stage.Parts(d.draw) {
			m := Part{Name: mesh.Name, Target: target(mesh.ID, "mesh "+mesh.Name)}
			for _, material := range mesh.Parts {
				m.Parts = append(m.Parts, Part{Name: material.Name, Target: target(scene.PartID{Material: material.Name}, "material "+material.Name),
					Here: target(material.ID, "mesh "+mesh.Name+", material "+material.Name), Parts: textures(material.Parts)})
			}
			row.Parts = append(row.Parts, m)
		}
		s.tree = append(s.tree, row)
		s.say(d)
	}
}

func textures(list []scenebuild.Part) (out []Part) {
	for i := range list {
		out = append(out, Part{Name: list[i].Name})
	}
	return out
}

// say remembers where the scene's file has settings of a draw and its parts.
func (s *sceneSource) say(d *scenePart) {
	add := func(l *scene.Style, id scene.PartID) { s.said[l] = &scenePart{d.name, pathOf(d.path, id), d.draw, id} }
	add(&d.draw.Style, d.id)
	for i := range d.draw.Materials {
		add(&d.draw.Materials[i].Style, scene.PartID{Material: d.draw.Materials[i].Name})
	}
	for i := range d.draw.Meshes {
		m := &d.draw.Meshes[i]
		add(&m.Style, scene.PartID{Mesh: m.Name})
		for k := range m.Materials {
			add(&m.Materials[k].Style, scene.PartID{Mesh: m.Name, Material: m.Materials[k].Name})
		}
	}
}

// partsOf returns the targets of a draw's part: on its mesh, the mesh, the material, the draw.
func (s *sceneSource) partsOf(ds *scenebuild.DrawState) (list []string) {
	for _, id := range []scene.PartID{ds.Part, {Mesh: ds.Part.Mesh}, {Material: ds.Part.Material}, {}} {
		list = append(list, s.names[partKey{ds.Draw, id}])
	}
	return list
}

// isFor reports whether an edit or the panel is for what a draw draws: "" is for all draws.
func (s *sceneSource) isFor(target string, ds *scenebuild.DrawState) bool {
	if target == "" {
		return true
	}
	p := s.targets[target]
	return p != nil && p.covers(ds.Draw, ds.Part)
}
