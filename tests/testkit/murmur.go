package testkit

import (
	"encoding/binary"
	"math/bits"
)

// MurmurTwin returns other data of the same length, at least 32 bytes, with the same MurmurHash3 (x64, 128 bits, seed 0). The hash
// processes 16 bytes at a time with invertible steps: the second block corrects the change of the first.
func MurmurTwin(data []byte) []byte {
	const c1, c2 = 0x87C37B91114253D5, 0x4CF5AD432745937F
	le := binary.LittleEndian
	// mixed is the mixing of a block's 16 bytes before they enter the state; unmixed is its inverse.
	mixed := func(b []byte) (k1, k2 uint64) {
		return bits.RotateLeft64(le.Uint64(b)*c1, 31) * c2, bits.RotateLeft64(le.Uint64(b[8:])*c2, 33) * c1
	}
	unmixed := func(b []byte, k1, k2 uint64) {
		le.PutUint64(b, bits.RotateLeft64(k1*inverse(c2), -31)*inverse(c1))
		le.PutUint64(b[8:], bits.RotateLeft64(k2*inverse(c1), -33)*inverse(c2))
	}
	// first returns the state after the first 16 bytes, with seed 0.
	first := func(b []byte) (h1, h2 uint64) {
		k1, k2 := mixed(b)
		h1 = bits.RotateLeft64(k1, 27)*5 + 0x52DCE729
		return h1, (bits.RotateLeft64(k2, 31)+h1)*5 + 0x38495AB5
	}
	twin := append([]byte(nil), data...)
	twin[0] ^= 1
	// The second step begins with h ^ k, so it ends in the same state if that is equal; then h2 is added to the first half and must
	// be compensated.
	h1, h2 := first(data)
	t1, t2 := first(twin)
	k1, k2 := mixed(data[16:])
	k1 = bits.RotateLeft64(bits.RotateLeft64(h1^k1, 27)+h2-t2, -27) ^ t1
	k2 = h2 ^ k2 ^ t2
	unmixed(twin[16:], k1, k2)
	return twin
}

// inverse returns the inverse of the odd number c modulo 2^64.
func inverse(c uint64) uint64 {
	x := c
	for range 5 { // each step doubles the number of correct bits, initially 3
		x *= 2 - c*x
	}
	return x
}
