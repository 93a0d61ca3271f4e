//go:build js && wasm && !playground

package main

import "pica200/serve/engine"

// scenes returns nil: the engine of exported pages draws no scenes.
func scenes(func(done, total int)) engine.Scenes { return nil }
