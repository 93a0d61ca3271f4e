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
