// Command capi is libpica200: the GPU as a C library, built with
// -buildmode=c-shared ("make lib"). pica200.h is its interface and
// docs/LIBRARY.md explains its use. Without cgo it is empty.
//
// shim.c has the functions of the header and the structures that C sees. Each
// calls the Go function with its name, which finds the GPU by its handle and
// returns an error as a C string, or NULL.
//
// The package is internal to pica200 and may change at any time; programs
// include pica200.h.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "this is libpica200, a C library; build it with make lib")
	os.Exit(2)
}
