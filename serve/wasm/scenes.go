//go:build js && wasm && !playground

package main

import "pica200/serve/engine"

// scenes draws the scenes of the playground; the engine of exported pages does without.
var scenes engine.Scenes
