//go:build browserengine

package serve

import _ "embed"

//go:embed bundle/engine.wasm.gz
var bundledWasm []byte

//go:embed bundle/wasm_exec.js
var bundledExec []byte

// BrowserEngine returns the engine for browsers that is embedded in the
// program, nil if there is none. The Makefile builds it into the folder bundle,
// and the program with the tag browserengine.
func BrowserEngine() *Engine { return &Engine{Wasm: bundledWasm, Exec: bundledExec} }
