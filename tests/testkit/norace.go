//go:build !race

package testkit

// Race says whether the race detector looks on.
const Race = false
