package pica

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCommandWriterReadsBack(t *testing.T) {
	long := make([]uint32, 300)
	for i := range long {
		long[i] = uint32(i)
	}
	var w CommandWriter
	w.Write(0x40, 2)
	w.WriteMasked(0x41, 5, 0xAABBCCDD)
	w.WriteRun(0x50, 1, 2, 3)
	w.WriteAll(0xB0, long...)
	w.WriteRun(0x60, 7, 8)
	w.Finish()
	require.Zero(t, len(w.Words)%4)
	require.Len(t, w.Bytes(), 4*len(w.Words))
	require.Equal(t, []byte{2, 0, 0, 0, 0x40, 0, 15, 0}, w.Bytes()[:8])

	type write struct {
		reg         Reg
		mask, value uint32
	}
	want := []write{{0x40, 15, 2}, {0x41, 5, 0xAABBCCDD}, {0x50, 15, 1}, {0x51, 15, 2}, {0x52, 15, 3}}
	for _, v := range long {
		want = append(want, write{0xB0, 15, v})
	}
	want = append(want, write{0x60, 15, 7}, write{0x61, 15, 8}, write{RegFinalize, 15, 0x12345678})
	var got []write
	r := ReadCommands(w.Words)
	for c, ok := r.Next(); ok; c, ok = r.Next() {
		for i := range c.Len() {
			got = append(got, write{c.Reg(i), c.Header.Mask(), c.Param(i)})
		}
	}
	require.NoError(t, r.Err())
	require.Equal(t, want, got[:len(want)])
	for _, extra := range got[len(want):] {
		require.Equal(t, RegFinalize, extra.reg)
	}
}

// The window of I/O registers is mapped to its physical address; addresses outside are unchanged.
func TestPhysicalAddress(t *testing.T) {
	for from, to := range map[uint32]uint32{
		0: 0, 0x10400000: 0x10400000, 0x1EBFFFFF: 0x1EBFFFFF, 0x1EC00000: 0x10100000, 0x1EF02000: 0x10402000,
		0x1EFFFFFF: 0x104FFFFF, 0x1F000000: 0x1F000000, 0x20000000: 0x20000000,
	} {
		require.Equal(t, to, PhysicalAddress(from), "%#x", from)
	}
}
