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
			if f.Enum != nil {
				for _, v := range f.Enum.Values {
					require.Contains(t, r.decode(f.Put(0, v.Value)), "="+v.Name)
				}
			}
		}
		got, ok := LookupExternal(r.Addr)
		require.True(t, ok)
		require.Same(t, r, got)
	}
}

func TestDecodeExternal(t *testing.T) {
	for _, c := range []struct {
		addr, word uint32
		want       string
	}{
		{0x1040002C, 0x201, "MEMFILL1_CONTROL busy=true finished=false width=32"},
		{0x10400C08, 400<<16 | 240, "TRANSFER_OUTPUT_DIM width=240 height=400"},
		{0x10400568, 0x18300000, "PDC_BOTTOM_ADDR_A0 address=0x18300000"},
		{0x10401100, 1, "GPUREG_FACECULLING_CONFIG mode=front"},
		{0x10202204, 0x01FF0000, "LCD_TOP_FILL red=0 green=0 blue=1 enable=true"},
		{0x10400D00, 5, "0x10400D00 0x00000005"},
	} {
		require.Equal(t, c.want, decodeExternal(c.addr, c.word))
	}
	require.Equal(t, uint32(0x18000000), MemfillStart.AddrOf(0x03000000))
}
