package cores

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What is asked for stays as it is, and so does what lies around it. Nothing at all, and memory that does not exist, can be asked for.
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
