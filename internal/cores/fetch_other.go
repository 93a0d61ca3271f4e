//go:build !amd64

package cores

import "unsafe"

const canOwn = false

func fetch(unsafe.Pointer, int) {}

func own(unsafe.Pointer, int) {}
