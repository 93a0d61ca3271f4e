package drawstate

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
)

// A uniform is listed once for a field, even if it sets several of its bits.
func TestFieldUniformsAreUnique(t *testing.T) {
	named := 0
	for reg := range pica.Reg(pica.NumRegs) {
		for _, f := range pica.Registers[reg].Fields {
			names := UniformsOf(f)
			named += len(names)
			sorted := slices.Sorted(slices.Values(names))
			require.Equal(t, len(names), len(slices.Compact(sorted)), "%v %s: %v", reg, f.Name, names)
		}
		// A field that spans the register lists each uniform that sets any part of it, once.
		whole := UniformsOf(pica.Field{Reg: reg, FieldBits: pica.FieldBits{Bits: 32}})
		require.Equal(t, len(whole), len(slices.Compact(slices.Sorted(slices.Values(whole)))), "%v: %v", reg, whole)
	}
	require.Greater(t, named, 100)
}
