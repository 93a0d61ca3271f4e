package testkit

import (
	"os"
	"runtime/debug"
)

// Tests produce much garbage. By default the collector runs after every few megabytes if little is alive, which doubles the time of
// some packages, and after hundreds of megabytes if GPUs are alive, because their main memory counts although nearly all of it is
// unused; getting new memory takes time. So it runs after a growth of a quarter, on top of 256 MiB that are allocated, never
// touched, and need no memory.
var ballast = collectLess()

var _ = ballast // keeps the variable used for staticcheck

func collectLess() []byte {
	if os.Getenv("GOGC") != "" {
		return nil
	}
	debug.SetGCPercent(25)
	return make([]byte, 256<<20)
}
