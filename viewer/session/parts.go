package session

import (
	"cmp"
	"fmt"

	"pica200/scene"
)

// scenePart is a draw of a scene. Draws are in the order of the passes, then of
// the main pass.
type scenePart struct {
	name string // the name of the draw, after that of its pass if there are several; no two are alike
	path []any  // path of the draw in the scene's file
	draw *scene.Draw
}

// partsOf lists the draws of a scene, and returns the index of each in the
// list.
func partsOf(sc *scene.Scene) (list []scenePart, number map[*scene.Draw]int) {
	number = map[*scene.Draw]int{}
	taken := map[string]int{}
	add := func(draws []scene.Draw, pass string, path ...any) {
		for i := range draws {
			w := &draws[i]
			number[w] = len(list)
			name := cmp.Or(w.Name, w.Model)
			if pass != "" {
				name = pass + "/" + name
			}
			for base := name; taken[name] > 0; name = fmt.Sprintf("%s (%d)", base, taken[base]) {
				taken[base]++
			}
			taken[name]++
			list = append(list, scenePart{name, append(path[:len(path):len(path)], "draws", i), w})
		}
	}
	main := ""
	for k := range sc.Passes {
		add(sc.Passes[k].Draws, sc.Passes[k].Name, "passes", k)
		main = "main"
	}
	add(sc.Draws, main)
	return list, number
}

// part returns the draw with a name; nil if there is none.
func (s *sceneSource) part(name string) *scenePart {
	for i := range s.parts {
		if s.parts[i].name == name && name != "" {
			return &s.parts[i]
		}
	}
	return nil
}
