package session

import (
	"cmp"

	"pica200/scene"
)

// scenePart is a draw of a scene, of the passes in order and then of the main one, as
// Edit.Draw numbers them.
type scenePart struct {
	name string // the pass, where there are several, and the draw
	path []any  // of the draw in the scene's file
	draw *scene.Draw
}

// partsOf lists the draws of a scene, and says which of the list each is.
func partsOf(sc *scene.Scene) (list []scenePart, number map[*scene.Draw]int) {
	number = map[*scene.Draw]int{}
	add := func(draws []scene.Draw, pass string, path ...any) {
		for i := range draws {
			w := &draws[i]
			number[w] = len(list)
			name := cmp.Or(w.Name, w.Model)
			if pass != "" {
				name = pass + "/" + name
			}
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
