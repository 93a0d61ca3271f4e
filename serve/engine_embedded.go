//go:build browserengine

package serve

import _ "embed"

//go:embed bundle/engine.wasm.gz
var bundledWasm []byte

//go:embed bundle/wasm_exec.js
var bundledExec []byte

// BrowserEngine is the engine for browsers that the program carries, nil for none.
// The Makefile builds it into the folder bundle, and the program with the tag
// browserengine.
func BrowserEngine() *Engine { return &Engine{Wasm: bundledWasm, Exec: bundledExec} }
