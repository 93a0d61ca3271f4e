// Package simd chooses the vector instructions of the hot loops. Every kernel has a
// plain Go form, which is its definition; the AVX2 twins, in Go assembly written by the
// generators in gen/avo, give the same bits.
package simd

import "os"

// Kernels is a choice between the forms of the kernels. It belongs to what uses
// them: a GPU, an engine, a test.
type Kernels uint8

const (
	Best  Kernels = iota // the fastest that there are
	Plain                // plain Go
)

// AVX2 reports whether kernels run as AVX2 code: the processor and the system
// have it, and PICA200_NOSIMD was not set to anything when the program started.
func (k Kernels) AVX2() bool { return avx2 && k == Best }

var avx2 = haveAVX2() && os.Getenv("PICA200_NOSIMD") == ""
