package mbs

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A discard is one exact bit pattern of the branch field; any other bit makes it another branch.
func TestDiscardBitPattern(t *testing.T) {
	p := ppInstruction{raw: append([]byte{0, 0, 0, 0, 3, 0, 0x7F, 0}, make([]byte, 8)...)}
	for i := range p.fields {
		p.fields[i] = -1
	}
	require.False(t, p.discards(), "without its bit the branch unit is off")
	p.fields[ppBranch] = 0
	require.True(t, p.discards())
	for bit := range 73 {
		p.raw[4+bit/8] ^= 1 << (bit % 8)
		require.False(t, p.discards(), "bit %d", bit)
		p.raw[4+bit/8] ^= 1 << (bit % 8)
	}
	p.raw[4+73/8] ^= 1 << (73 % 8) // after the field
	require.True(t, p.discards())
}
