package pipeline

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/tests/testkit"
)

func TestMemorySlice(t *testing.T) {
	m := newMemory(pica.FCRAMSize)
	for _, c := range []struct {
		name    string
		addr, n uint32
		ok      bool
	}{
		{"first byte of VRAM", 0x18000000, 1, true},
		{"all of VRAM", 0x18000000, 6 << 20, true},
		{"nothing at the end of VRAM", 0x185FFFFF, 0, true},
		{"across the end of VRAM", 0x185FFFFF, 2, false},
		{"last byte of FCRAM", 0x27FFFFFF, 1, true},
		{"behind FCRAM", 0x28000000, 1, false},
		{"below VRAM", 0x17FFFFFF, 1, false},
		{"address 0", 0, 1, false},
		{"a size that wraps around", 0x20000000, 0xFFFFFFFF, false},
		{"New 3DS memory", 0x1F3FFFFC, 4, true},
		{"DSP memory", 0x1FF00000, 0x80000, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, err := m.Slice(c.addr, c.n)
			if !c.ok {
				var e *AddressError
				require.ErrorAs(t, err, &e)
				require.Equal(t, c.addr, e.Addr)
				require.Nil(t, b)
				return
			}
			require.NoError(t, err)
			require.Len(t, b, int(c.n))
			require.Equal(t, len(b), cap(b), "a slice's capacity ends with the slice")
		})
	}
	const there = " (there is VRAM at 0x18000000-0x185FFFFF, FCRAM at 0x20000000-0x27FFFFFF, New 3DS memory at 0x1F000000-0x1F3FFFFF, DSP memory at 0x1FF00000-0x1FF7FFFF, AXI memory at 0x1FF80000-0x1FFFFFFF)"
	for n, want := range map[uint32]string{1: "no memory at 0x28000000", 2: "no memory at 0x28000000-0x28000001", 0x20: "no memory at 0x28000000-0x2800001F"} {
		_, err := m.Slice(0x28000000, n)
		require.EqualError(t, err, want+there)
	}
}

func TestMemoryGenerations(t *testing.T) {
	m := newMemory(pica.FCRAMSize)
	require.Zero(t, m.Generation(pica.VRAMBase, 1))
	require.NoError(t, m.Write(pica.VRAMBase+pageSize-1, []byte{1, 2}))
	g := m.Generation(pica.VRAMBase, 1)
	require.NotZero(t, g)
	require.Equal(t, g, m.Generation(pica.VRAMBase+pageSize, pageSize), "a write over two pages changes the second page's generation")
	require.Zero(t, m.Generation(pica.VRAMBase+2*pageSize, pageSize))
	m.Touch(pica.VRAMBase+2*pageSize, 1)
	require.Greater(t, m.Generation(pica.VRAMBase, 3*pageSize), g)
	require.Equal(t, g, m.Generation(pica.VRAMBase, 2*pageSize))
	require.Error(t, m.Write(0x1000, []byte{1}))
}

func TestMemoryReset(t *testing.T) {
	m := newMemory(pica.FCRAMSize)
	for range 3 {
		require.NoError(t, m.Write(pica.FCRAMBase+12345, []byte{7}))
		g := m.Generation(pica.FCRAMBase+12345, 1)
		m.Reset()
		b := testkit.Must(m.Slice(pica.FCRAMBase+12345, 1))(t)
		require.Zero(t, b[0])
		require.Greater(t, m.Generation(pica.FCRAMBase+12345, 1), g, "a reset changes the generation")
	}
}
