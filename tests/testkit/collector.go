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

// Ballast is the number of bytes that the collector takes for used, which count towards a memory limit.
func Ballast() int64 { return int64(len(ballast)) }

func collectLess() []byte {
	if os.Getenv("GOGC") != "" {
		return nil
	}
	debug.SetGCPercent(25)
	return make([]byte, 256<<20)
}
