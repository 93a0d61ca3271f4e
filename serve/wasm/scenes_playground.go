//go:build js && wasm && playground

package main

import (
	"pica200/serve/engine"
	"pica200/serve/play"
)

// scenes draws the scenes of the playground, and tells how far a film is.
func scenes(tell func(done, total int)) engine.Scenes {
	return play.Scenes{Workers: 1, Progress: tell}
}
