package pica

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCommandHeader(t *testing.T) {
	h := MakeCommandHeader(0x11C, 5, 2, true)
	require.Equal(t, CommandHeader(0x8025011C), h)
	require.Equal(t, Reg(0x11C), h.Reg())
	require.Equal(t, uint32(5), h.Mask())
	require.Equal(t, uint32(0x00FF00FF), h.BitMask())
	require.Equal(t, 2, h.extra())
	require.True(t, h.Consecutive())
	require.Equal(t, uint32(0xFFFFFFFF), MakeCommandHeader(0, 15, 0, false).BitMask())
	require.Zero(t, MakeCommandHeader(0, 0, 0, false).BitMask())
	require.Equal(t, uint32(0xFF00FF00), MakeCommandHeader(0, 10, 0, false).BitMask())
}

// The example of the register documentation: three parameters with one header; the next command is aligned to 8 bytes.
func TestReadCommands(t *testing.T) {
	list := []uint32{
		0xAAAAAAAA, 0x802F011C, 0xBBBBBBBB, 0xCCCCCCCC,
		1, 0x001F02C0, 2, 0xDEAD, // one extra parameter and padding
		3, 0x00010010,
	}
	r := ReadCommands(list)
	type write struct {
		reg    Reg
		value  uint32
		offset int
	}
	var got []write
	for c, ok := r.Next(); ok; c, ok = r.Next() {
		for i := range c.Len() {
			got = append(got, write{c.Reg(i), c.Param(i), c.ParamOffset(i)})
		}
	}
	require.NoError(t, r.Err())
	require.Equal(t, []write{
		{0x11C, 0xAAAAAAAA, 0}, {0x11D, 0xBBBBBBBB, 2}, {0x11E, 0xCCCCCCCC, 3},
		{0x2C0, 1, 4}, {0x2C0, 2, 6}, {0x010, 3, 8},
	}, got)
	require.Equal(t, len(list), r.Pos())

	var again []uint32
	r = ReadCommands(list)
	for c, ok := r.Next(); ok; c, ok = r.Next() {
		again = c.Append(again)
	}
	list[7] = 0 // padding
	require.Equal(t, list, again)
}

func TestReadTruncatedCommands(t *testing.T) {
	r := ReadCommands([]uint32{1, 0x000F0010, 2, 0x002F0041, 3})
	_, ok := r.Next()
	require.True(t, ok)
	require.NoError(t, r.Err())
	_, ok = r.Next()
	require.False(t, ok)
	require.ErrorContains(t, r.Err(), "word 0x2")
	require.ErrorContains(t, r.Err(), "2 further parameters, but the list ends after 1")

	r = ReadCommands([]uint32{1})
	_, ok = r.Next()
	require.False(t, ok)
	require.ErrorContains(t, r.Err(), "without a header")
}

func FuzzCommandReader(f *testing.F) {
	f.Add([]byte{1, 0, 0, 0, 0x1C, 1, 0x2F, 0x80, 2, 0, 0, 0, 3, 0, 0, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		words := make([]uint32, len(data)/4)
		for i := range words {
			words[i] = binary.LittleEndian.Uint32(data[4*i:])
		}
		r := ReadCommands(words)
		end := 0
		for c, ok := r.Next(); ok; c, ok = r.Next() {
			require.Equal(t, end, c.Offset)
			require.Greater(t, r.Pos(), end)
			end = r.Pos()
			require.LessOrEqual(t, c.ParamOffset(c.Len()-1), len(words)-1)
		}
		if r.Err() == nil {
			require.Equal(t, len(words), r.Pos())
		}
	})
}

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
