package pixels

import "pica200/internal/simd"

// fillStep is the bytes that the kernel stores at a time: a whole number of values of every width.
const fillStep = 96

// Fill fills dst with the lowest n bytes of value, 2, 3 or 4, lowest first. The
// last value is cut off where dst ends.
func Fill(with simd.Kernels, dst []byte, value uint32, n int) {
	// 12 KiB hold a whole number of values of every width and stay in the
	// first-level cache while they are copied on.
	seed := 12 << 10
	if simd.Assembly && with.AVX2() {
		seed = fillStep
	}
	head := dst[:min(len(dst), seed)]
	for i := range min(n, len(head)) {
		head[i] = byte(value >> (8 * i))
	}
	for done := n; done < len(head); done *= 2 {
		copy(head[done:], head[:done])
	}
	rest := dst[len(head):]
	if whole := len(rest) / fillStep * fillStep; whole > 0 && simd.Assembly && with.AVX2() {
		fillVector(&rest[0], &head[0], whole)
		rest = rest[whole:]
	}
	for len(rest) > 0 {
		rest = rest[copy(rest, head):]
	}
}
