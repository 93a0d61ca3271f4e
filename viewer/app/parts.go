package app

import (
	"context"
	"image"
	"slices"
	"strings"

	"pica200/viewer/session"
	"pica200/viewer/ui"
)

// partsPanel is the tree of a scene's parts: draws, meshes, materials, textures. The chosen part is the one whose uniforms are
// edited, and outlined in the picture; a click into the picture chooses the part that wrote the pixel.
type partsPanel struct {
	tree ui.Tree
	of   int // version of the source whose parts are listed
}

// Keys of rows below a mesh are its target, that of the material, and the texture, since a material is below each of its meshes.
const below = "\x00"

// targetOf returns the target of a row.
func targetOf(key string) string {
	list := strings.Split(key, below)
	return list[min(len(list)-1, 1)]
}

// toggleParts opens or closes the tree.
func (a *App) toggleParts() {
	a.toggle(dockParts, len(a.info.Parts) > 0, "only scenes, models and shaders have parts")
}

// follow implements side.
func (p *partsPanel) follow(a *App) {
	p.tree.OnSelect = func(key string) {
		if t := targetOf(key); t != a.target {
			a.target = t
			a.render()
		}
	}
	p.tree.OnOpen = func(string) { a.openPanel() }
	if p.of != a.reloads+1 {
		p.of, p.tree.Roots = a.reloads+1, partRows(a.info.Parts)
	}
	if targetOf(p.tree.Selected) != a.target {
		p.choose(a.target)
	}
}

// partRows makes the rows of the tree.
func partRows(parts []session.Part) []ui.Node {
	list := []ui.Node{{Text: allDraws}}
	for _, draw := range parts {
		uses := map[string]int{} // of materials by meshes
		for _, mesh := range draw.Parts {
			for _, material := range mesh.Parts {
				uses[material.Target]++
			}
		}
		row := ui.Node{Key: draw.Target, Text: draw.Name, Note: "draw", Color: ui.Accent}
		for _, mesh := range draw.Parts {
			m := ui.Node{Key: mesh.Target, Text: mesh.Name, Note: "mesh"}
			for _, material := range mesh.Parts {
				key := mesh.Target + below + material.Target
				of := ui.Node{Key: key, Text: material.Name, Note: "material"}
				if uses[material.Target] > 1 {
					of.Children = append(of.Children, ui.Node{Key: material.Here, Text: "on this mesh only", Color: ui.Dim})
				}
				for _, texture := range material.Parts {
					of.Children = append(of.Children, ui.Node{Key: key + below + texture.Name, Text: texture.Name, Note: "texture", Color: ui.Dim})
				}
				m.Children = append(m.Children, of)
			}
			row.Children = append(row.Children, m)
		}
		list = append(list, row)
	}
	return list
}

// choose selects the first row with a target, below a mesh if that is given.
func (p *partsPanel) choose(target string, mesh ...string) {
	key, found := "", false
	var walk func(list []ui.Node)
	walk = func(list []ui.Node) {
		for i := range list {
			k := list[i].Key
			if !found && targetOf(k) == target && (len(mesh) == 0 || strings.HasPrefix(k, mesh[0]+below)) {
				key, found = k, true
			}
			walk(list[i].Children)
		}
	}
	if walk(p.tree.Roots); found {
		p.tree.Select(key)
	}
}

// knows reports whether a target is a draw of the picture, or a part of the scene.
func (a *App) knows(target string) bool {
	var has func(list []session.Part) bool
	has = func(list []session.Part) bool {
		return slices.ContainsFunc(list, func(p session.Part) bool { return p.Target == target || p.Here == target || has(p.Parts) })
	}
	return slices.Contains(a.picture.Names, target) || has(a.info.Parts)
}

// pick chooses the material that wrote a pixel of the picture, or its mesh or draw if it has none.
func (a *App) pick(p image.Point) {
	pic := a.picture
	a.worker.do(func(ctx context.Context, s session.Source) func() {
		e, err := s.ExplainPixel(ctx, pic, p.X, p.Y)
		return func() {
			a.dirty = true
			if err != nil {
				a.say("%v", err)
				return
			}
			won := e.Won()
			if won < 0 || e.Events[won].Draw < 0 || e.Events[won].Draw >= len(pic.Parts) {
				a.say("no draw wrote this pixel")
				return
			}
			a.choosePart(pic.Parts[e.Events[won].Draw])
		}
	})
}

// choosePart chooses what a draw draws: its material, or its mesh or draw if it has none. list is of session.Picture.Parts.
func (a *App) choosePart(list []string) {
	for _, k := range []int{2, 1, 3} {
		if k >= len(list) || list[k] == "" {
			continue
		}
		if a.target = list[k]; k == 2 {
			a.parts.choose(list[k], list[1])
		} else {
			a.parts.choose(list[k])
		}
		a.render()
		return
	}
}

// along makes the panels go along with a step to another draw, and back to all draws.
func (a *App) along(was *session.Picture) {
	p := a.picture
	parts := func(of *session.Picture) []string {
		if of == nil || of.Request.Draw < 0 || of.Request.Draw >= len(of.Parts) {
			return nil
		}
		return of.Parts[of.Request.Draw]
	}
	switch now := parts(p); {
	case was == nil || was.Request.Draw == p.Request.Draw || slices.Contains(now, a.target):
	case now == nil && slices.Contains(parts(was), a.target):
		a.target = ""
		a.render()
	case now == nil:
	case a.shows(dockParts):
		a.choosePart(now)
	default:
		a.target = now[len(now)-1]
		a.render()
	}
}

// keys implements side.
func (p *partsPanel) keys() ui.Keys { return &p.tree }

// draw implements side.
func (p *partsPanel) draw(a *App, r image.Rectangle) {
	a.screen.Cover(r)
	p.tree.Draw(a.screen, a.title(dockParts, r, "Parts"))
}
