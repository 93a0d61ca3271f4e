//go:build !amd64

package simd

const assembly = false

func haveAVX2() bool   { return false }
func haveAVX512() bool { return false }
