package testkit

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// HandsOn requires that memory of a closed source is reused: open is called many times and may allocate on average a quarter of a
// GPU's 128 MiB. Systems that cannot clear memory cheaply do not reuse it.
func HandsOn(t testing.TB, times int, open func(i int)) {
	t.Helper()
	if runtime.GOOS != "linux" || Race {
		t.Skip("memory is handed on under Linux")
	}
	if Short() {
		times = times * 2 / 5
	}
	open(0) // nothing to reuse yet
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range times {
		open(i + 1)
	}
	runtime.ReadMemStats(&after)
	require.Less(t, (after.TotalAlloc-before.TotalAlloc)/uint64(times), uint64(32<<20))
}
