package cores

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// Processors with AVX2 have PREFETCHW, or do nothing for it.
var canOwn = cpu.X86.HasAVX2

//go:noescape
func fetch(p unsafe.Pointer, bytes int)

//go:noescape
func own(p unsafe.Pointer, bytes int)
