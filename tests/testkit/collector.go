package testkit

import (
	"os"
	"runtime/debug"
)

// Tests make much that is soon garbage. By itself the collector runs after every few
// megabytes where nothing else is alive, which doubles the time of some packages, and after
// hundreds where GPUs are, whose main memory counts though nearly none of it is used:
// memory that is new to the process takes time to get. So it runs after a quarter more than
// is alive, and there are always 256 MiB, which nobody touches and so take no memory.
var ballast = collectLess()

var _ = ballast // staticcheck: it is there to be held

func collectLess() []byte {
	if os.Getenv("GOGC") != "" {
		return nil
	}
	debug.SetGCPercent(25)
	return make([]byte, 256<<20)
}
