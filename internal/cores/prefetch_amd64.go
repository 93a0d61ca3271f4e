package cores

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// Processors with AVX2 have PREFETCHW, or do nothing for it.
var canPrefetchWrite = cpu.X86.HasAVX2

//go:noescape
func prefetch(p unsafe.Pointer, bytes int)

//go:noescape
func prefetchWrite(p unsafe.Pointer, bytes int)
