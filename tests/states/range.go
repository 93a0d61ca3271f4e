package states

import (
	"flag"
	"testing"
)

var (
	count = flag.Int("states", 2000, "seeds that tests of random states draw, from 0 on; a quarter with -short")
	one   = flag.Int64("state", -1, "the seed that tests of random states draw, in place of all")
)

// Range gives the seeds that a test draws: from first on, end left out.
func Range() (first, end uint64) {
	switch {
	case *one >= 0:
		return uint64(*one), uint64(*one) + 1
	case testing.Short():
		return 0, uint64(*count) / 4
	}
	return 0, uint64(*count)
}

// Every reports whether a test draws a seed in a way that takes long, the n-th of its
// table: with -short, one in sixteen.
func Every(seed uint64, n int) bool {
	return *one >= 0 || !testing.Short() || (seed/4+uint64(n))%16 == 0
}
