//go:build js && wasm && playground

package main

import (
	"pica200/serve/engine"
	"pica200/serve/play"
)

// scenes draws the scenes of the playground.
var scenes engine.Scenes = play.Scenes{Workers: 1}
