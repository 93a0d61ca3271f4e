// Package simd chooses the vector instructions of the hot loops. Every kernel has a
// plain Go form, which is its definition; its vector forms give the same bits: AVX2 in Go
// assembly written by the generators in gen/avo, and for the hottest ones Go on vectors of
// 128 bits (the rooms' portable*.go), which a program for arm64 or WebAssembly has that was
// built with GOEXPERIMENT=simd.
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

// Vector reports whether the kernels that have a portable form run as AVX2 code or in
// that form.
func (k Kernels) Vector() bool { return (avx2 || portable && !off) && k == Best }

// String names the form: AVX2, portable or plain.
func (k Kernels) String() string {
	switch {
	case k.AVX2():
		return "AVX2"
	case k.Vector():
		return "portable"
	}
	return "plain"
}

var (
	off  = os.Getenv("PICA200_NOSIMD") != ""
	avx2 = haveAVX2() && !off
)
