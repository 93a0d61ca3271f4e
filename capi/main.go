// Command capi is libpica200: the GPU as a C library, built with
// -buildmode=c-shared ("make lib"); pica200.h says what it offers and
// docs/LIBRARY.md how it is used. Without cgo there is nothing in it.
//
// shim.c holds the functions of the header and the records that C sees. Each calls
// the Go function of its name, which finds the GPU by its handle and returns an
// error as a C string, or NULL.
//
// The package is our own and may change at any time; programs include pica200.h.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "this is libpica200, a C library; build it with make lib")
	os.Exit(2)
}
