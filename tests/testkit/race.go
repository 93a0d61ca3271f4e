//go:build race

package testkit

// Race reports whether the race detector is on: single-goroutine tests, and tests that count bytes or allocations, skip then.
const Race = true
