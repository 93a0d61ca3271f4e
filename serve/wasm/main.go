// Command wasm is the engine of the debugger for a Web Worker (page/worker.js). It
// defines two functions: one opens a recording, the other answers a request of the
// protocol (docs/PROTOCOL.md). It is built with GOOS=js and GOARCH=wasm; built for another
// system it prints that and exits.
//
// The package is internal to pica200 and may change at any time.
package main

import (
	"fmt"
	"os"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
