package cores

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Prefetching changes neither the memory nor its surroundings. An empty range and memory that does not exist can be prefetched.
func TestPrefetchChangesNothing(t *testing.T) {
	list := make([]uint16, 1<<12)
	for i := range list {
		list[i] = uint16(i)
	}
	for _, ask := range []func([]uint16){Prefetch[uint16], PrefetchWrite[uint16]} {
		for from := 0; from < len(list); from += 511 {
			ask(list[from:])
			ask(list[from : from+1])
			ask(list[from:from])
		}
		ask(nil)
	}
	for i, x := range list {
		require.Equal(t, uint16(i), x)
	}
}
