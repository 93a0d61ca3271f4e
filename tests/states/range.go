package states

import (
	"flag"
	"fmt"
	"strconv"
	"strings"

	"pica200/tests/testkit"
)

// seeds is the value of -states.
type seeds struct {
	first, end uint64
	requested  bool // by -state or -states: all are drawn in every way
}

func (s *seeds) String() string { return fmt.Sprintf("%d-%d", s.first, s.end) }

// Set implements flag.Value.
func (s *seeds) Set(text string) (err error) {
	first, end, both := strings.Cut(text, "-")
	if !both {
		first, end = "0", text
	}
	if s.first, err = strconv.ParseUint(first, 10, 64); err == nil {
		s.end, err = strconv.ParseUint(end, 10, 64)
	}
	if err == nil && s.end < s.first {
		err = fmt.Errorf("want an end behind %d", s.first)
	}
	s.requested = true
	return err
}

var (
	asked = seeds{end: 2000}
	one   = flag.Int64("state", -1, "the seed that tests of random states draw, in place of all")
)

func init() {
	flag.Var(&asked, "states", "how many seeds tests of random states draw, or which: 2000-4000, the end left out; the first quarter with -short")
}

// Range returns the seeds that a test draws: first included, end excluded.
func Range() (first, end uint64) {
	switch {
	case *one >= 0:
		return uint64(*one), uint64(*one) + 1
	case testkit.Short():
		return asked.first, asked.first + (asked.end-asked.first)/4
	}
	return asked.first, asked.end
}

// Every reports whether a test draws a seed in the n-th slow way: one in four, one in sixteen with -short, and all seeds given by
// -states or -state.
func Every(seed uint64, n int) bool {
	step := uint64(4)
	if testkit.Short() {
		step = 16
	}
	return *one >= 0 || asked.requested || (seed/4+uint64(n))%step == 0
}
