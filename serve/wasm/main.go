// Command wasm is the engine of the debugger for a Web Worker (page/worker.js):
// it defines two functions, one that opens a recording and one that answers a
// request of the protocol. docs/SERVE.md describes it. It is built with GOOS=js
// and GOARCH=wasm; anywhere else it only says so.
//
// The package is our own and may change at any time.
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
