//go:build !amd64 && !(goexperiment.simd && (arm64 || wasm))

package shaderunit

import "pica200/internal/simd"

// kernelsFor returns the only kernels of this platform.
func kernelsFor(simd.Kernels) *kernelSet { return &goKernels }
