//go:build !(goexperiment.simd && (arm64 || wasm))

package simd

const portable = false
