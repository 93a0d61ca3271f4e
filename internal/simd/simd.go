// Package simd says which vector instructions the hot loops may use. Every
// kernel has a plain Go form, which is its definition; the AVX2 twins, in Go
// assembly written by the generators in gen/avo, give the same bits.
package simd

import "os"

// AVX2 reports whether kernels run as AVX2 code: the processor and the system
// have it, and PICA200_NOSIMD is not set to anything. It is read when the
// program starts. Tests may change it to compare the two forms; nothing else
// does.
var AVX2 = haveAVX2() && os.Getenv("PICA200_NOSIMD") == ""
