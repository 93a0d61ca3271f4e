package testkit

import (
	"encoding/binary"
	"math/bits"
)

// MurmurTwin returns other contents of the length of data, at least 32 bytes,
// whose MurmurHash3 (x64, 128 bits, seed 0) is that of data. The hash takes
// 16 bytes at a time, and each step can be undone: what other bytes did to the
// first, the second puts right.
func MurmurTwin(data []byte) []byte {
	const c1, c2 = 0x87C37B91114253D5, 0x4CF5AD432745937F
	le := binary.LittleEndian
	// mixed is what the halves of a step's 16 bytes become before they meet the
	// state, and unmixed its inverse.
	mixed := func(b []byte) (k1, k2 uint64) {
		return bits.RotateLeft64(le.Uint64(b)*c1, 31) * c2, bits.RotateLeft64(le.Uint64(b[8:])*c2, 33) * c1
	}
	unmixed := func(b []byte, k1, k2 uint64) {
		le.PutUint64(b, bits.RotateLeft64(k1*inverse(c2), -31)*inverse(c1))
		le.PutUint64(b[8:], bits.RotateLeft64(k2*inverse(c1), -33)*inverse(c2))
	}
	// first is the state after the first 16 bytes: the seed is 0.
	first := func(b []byte) (h1, h2 uint64) {
		k1, k2 := mixed(b)
		h1 = bits.RotateLeft64(k1, 27)*5 + 0x52DCE729
		return h1, (bits.RotateLeft64(k2, 31)+h1)*5 + 0x38495AB5
	}
	twin := append([]byte(nil), data...)
	twin[0] ^= 1
	// The second step begins with h ^ k, so it ends in the same state if that is
	// the same; then the first half has h2 added to it, which must go out again.
	h1, h2 := first(data)
	t1, t2 := first(twin)
	k1, k2 := mixed(data[16:])
	k1 = bits.RotateLeft64(bits.RotateLeft64(h1^k1, 27)+h2-t2, -27) ^ t1
	k2 = h2 ^ k2 ^ t2
	unmixed(twin[16:], k1, k2)
	return twin
}

// inverse returns the number by which c, an odd one, gives 1 modulo 2^64.
func inverse(c uint64) uint64 {
	x := c
	for range 5 { // each step doubles the bits that are right, of which there are 3
		x *= 2 - c*x
	}
	return x
}
