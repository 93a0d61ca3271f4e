package pica

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestExternalTable(t *testing.T) {
	var last uint32
	names := map[string]bool{}
	for _, r := range ExternalRegisters {
		require.Greater(t, r.Addr, last, r.Name)
		last = r.Addr
		require.False(t, names[r.Name], r.Name)
		names[r.Name] = true
		require.NotEmpty(t, r.Doc)
		var used uint32
		for _, f := range r.Fields {
			require.LessOrEqual(t, f.Lo+f.Bits, uint8(32), f.Name)
			require.Zero(t, used&f.Mask(), "%s %s overlaps", r.Name, f.Name)
			require.EqualValues(t, r.Addr&0xFFFF, f.Reg)
			used |= f.Mask()
			require.Equal(t, f.Type == TypeEnum, f.Enum != nil)
		}
		got, ok := LookupExternal(r.Addr)
		require.True(t, ok)
		require.Same(t, r, got)
	}
}

// Address fields hold units of 8 bytes.
func TestFillAddresses(t *testing.T) {
	require.Equal(t, uint32(0x18000000), MemfillStart.AddrOf(0x03000000))
}
