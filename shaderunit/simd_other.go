//go:build !amd64 && !(goexperiment.simd && (arm64 || wasm))

package shaderunit

import "pica200/internal/simd"

// kernelsFor gives the set of a choice: there is one only.
func kernelsFor(simd.Kernels) *kernelSet { return &goKernels }
