//go:build race

package testkit

// Race says whether the race detector looks on: tests of what one goroutine
// does, of bytes held or allocated, have nothing to show it.
const Race = true
