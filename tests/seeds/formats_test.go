package seeds

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/shaderunit"
)

// Each field of each instruction format lies where the document has it, for every
// operation of the format, and the fields of a format fill the word.
func TestInstructionFormats(t *testing.T) {
	rng := rand.New(rand.NewSource(4))
	covered := map[string]uint32{}
	for _, f := range Formats {
		mask := uint32(1<<f.Bits-1) << f.Lo
		require.Zero(t, covered[f.Format]&mask, "format %s, bit %d", f.Format, f.Lo)
		covered[f.Format] |= mask
		for _, row := range shaderunit.Instructions() {
			if row.Format.String() != f.Format {
				continue
			}
			for range 200 {
				w := uint32(row.Op)<<26 | rng.Uint32()>>6
				in := shaderunit.Decode(w)
				if f.Get == nil {
					require.Equal(t, w&mask, in.Unused&mask, "%s: %08X", row.Op, w)
					continue
				}
				require.Equal(t, w&mask>>f.Lo, f.Get(in), "%s, %s: %08X", row.Op, f.Name, w)
			}
		}
	}
	for name, mask := range covered {
		require.Equal(t, uint32(0xFFFFFFFF), mask, "format %s", name)
	}
	require.Len(t, covered, 9)
}

// Each field of an operand descriptor lies where the document has it.
func TestOperandDescriptors(t *testing.T) {
	rng := rand.New(rand.NewSource(5))
	var covered uint32
	for _, f := range Descriptor {
		mask := uint32(1<<f.Bits-1) << f.Lo
		require.Zero(t, covered&mask)
		covered |= mask
		for range 200 {
			w := rng.Uint32()
			if f.Get != nil {
				require.Equal(t, w>>f.Lo&(1<<f.Bits-1), f.Get(shaderunit.OpDesc(w)), "%s: %08X", f.Name, w)
			}
		}
	}
	require.Equal(t, uint32(0xFFFFFFFF), covered)
}
