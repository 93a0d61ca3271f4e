package testkit

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// HandsOn requires that what is opened many times takes the memory of a console from
// what was closed before: a GPU's is 128 MiB, of which each opening may allocate a quarter
// on the average. Systems that cannot make memory zero do not hand it on.
func HandsOn(t testing.TB, times int, open func(i int)) {
	t.Helper()
	if runtime.GOOS != "linux" || Race {
		t.Skip("memory is handed on under Linux")
	}
	open(0) // nobody has closed anything yet
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range times {
		open(i + 1)
	}
	runtime.ReadMemStats(&after)
	require.Less(t, (after.TotalAlloc-before.TotalAlloc)/uint64(times), uint64(32<<20))
}
