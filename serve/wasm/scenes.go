//go:build js && wasm && !playground

package main

import "pica200/serve/engine"

// scenes draws the scenes of the playground; the engine of exported pages does without.
func scenes(func(done, total int)) engine.Scenes { return nil }
