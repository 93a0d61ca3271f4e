// Package simd chooses the vector instructions of the hot loops. Every kernel
// has a plain Go form, which is its definition, and vector forms with the same
// bits: AVX2 in Go assembly, written by the generators in internal/gen/avo, and for the
// hottest kernels Go on vectors of 128 bits (portable*.go), for arm64 and
// WebAssembly in programs built with GOEXPERIMENT=simd.
package simd

import "os"

// What a build has: Assembly the AVX2 kernels, Vectors these or portable ones. A
// call of a kernel is behind one of these constants, Vectors for kernels with both
// forms, and behind the method of the same use:
//
//	if simd.Vectors && with.Vector() {
//
// So a build without a kernel does not refer to it, and needs no function in its
// place. The linker refuses a build that does.
const (
	Assembly = assembly
	Vectors  = assembly || portable
)

// Kernels selects the form of the kernels. It is a property of what uses them:
// a GPU, an engine, a test.
type Kernels uint8

const (
	Best  Kernels = iota // the fastest available
	Plain                // plain Go
)

// AVX2 reports whether kernels run as AVX2 code: the processor and the system
// support it, and PICA200_NOSIMD was not set when the program started.
func (k Kernels) AVX2() bool { return avx2 && k == Best }

// Vector reports whether kernels with a portable form run as AVX2 code or in
// that form.
func (k Kernels) Vector() bool { return (avx2 || portable && !off) && k == Best }

// String returns AVX2 and AVX-512, AVX2, portable or plain.
func (k Kernels) String() string {
	switch {
	case k.AVX2() && avx512:
		return "AVX2 and AVX-512"
	case k.AVX2():
		return "AVX2"
	case k.Vector():
		return "portable"
	}
	return "plain"
}

// AVX512 reports whether AVX2 kernels can use AVX-512 as well, and BMI2, which
// all processors with it have. It asks for byte permutations (VBMI) too, which no
// kernel uses: processors without them lower their clock for vectors of 512 bits.
func AVX512() bool { return avx512 }

var (
	off    = os.Getenv("PICA200_NOSIMD") != ""
	avx2   = assembly && haveAVX2() && !off
	avx512 = avx2 && haveAVX512()
)
