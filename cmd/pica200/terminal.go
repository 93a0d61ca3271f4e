package main

import (
	"os"

	"golang.org/x/term"
)

// isTerminal reports whether f is a terminal rather than a file or a pipe.
func isTerminal(f *os.File) bool {
	return term.IsTerminal(int(f.Fd()))
}
