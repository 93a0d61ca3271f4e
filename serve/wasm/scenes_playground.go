//go:build js && wasm && playground

package main

import (
	"pica200/serve/engine"
	"pica200/serve/play"
)

// scenes returns what draws the scenes of the playground, and reports the
// progress of a film.
func scenes(tell func(done, total int)) engine.Scenes {
	return play.Scenes{Workers: 1, Progress: tell}
}
