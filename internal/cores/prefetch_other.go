//go:build !amd64

package cores

import "unsafe"

const canPrefetchWrite = false

func prefetch(unsafe.Pointer, int) {}

func prefetchWrite(unsafe.Pointer, int) {}
