package bcfnt

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/gofont/gosmallcaps"
)

// made reads what the console reads of a font.
type made struct {
	t    *testing.T
	data []byte
}

func (f made) u16(at int) int { return int(binary.LittleEndian.Uint16(f.data[at:])) }
func (f made) u32(at int) int { return int(binary.LittleEndian.Uint32(f.data[at:])) }

// number returns the number of a character, and -1 if the font has no such.
func (f made) number(c int) int {
	for at := f.u32(0x2C); at != 0; at = f.u32(at + 8) {
		require.Equal(f.t, "CMAP", string(f.data[at-8:at-4]))
		switch first, last := f.u16(at), f.u16(at+2); {
		case c < first || c > last:
		case f.u16(at+4) == 0:
			return c - first + f.u16(at+12)
		default:
			for i := range f.u16(at + 12) {
				if f.u16(at+14+4*i) == c {
					return f.u16(at + 16 + 4*i)
				}
			}
		}
	}
	return -1
}

// ink returns the sum of the alpha in the cell of a letter, and that of its last row above the baseline.
func (f made) ink(n int) (all, base int) {
	w, h, baseline, perRow, perCol := int(f.data[0x3C])+1, int(f.data[0x3D])+1, int(f.data[0x3E]), f.u16(0x48), f.u16(0x4A)
	sheet, cell := n/(perRow*perCol), n%(perRow*perCol)
	for y := range h {
		for x := range w {
			u, v, z := cell%perRow*w+x, cell/perRow*h+y, 0
			for b := range 3 {
				z |= (u>>b&1)<<(2*b) | (v>>b&1)<<(2*b+1)
			}
			at := (v/8*128+u/8)*64 + z
			a := int(f.data[f.u32(0x50)+sheet*sheetSize+at/2]>>(4*(at%2))) & 15
			all += a
			if y == baseline {
				base += a
			}
		}
	}
	return all, base
}

func TestMake(t *testing.T) {
	data, err := Make([][]byte{goregular.TTF}, Options{})
	require.NoError(t, err)
	f := made{t, data}
	require.Equal(t, len(data), f.u32(12))
	// mkbcfnt's lines, sheets and columns of the same file, and heights within a pixel of its.
	require.Equal(t, []int{0x22, 1, 0x1E}, []int{int(data[0x1D]), f.u16(0x44), f.u16(0x48)})
	require.InDelta(t, 0x29, data[0x3D], 1)
	require.InDelta(t, 0x21, data[0x3E], 1)
	require.Equal(t, -1, f.number(0xFFFE))
	for c, want := range map[int]bool{' ': false, 'A': true, '.': true, 0xE9: true} {
		n := f.number(c)
		require.GreaterOrEqual(t, n, 0, "%c", c)
		all, base := f.ink(n)
		require.Equal(t, want, all > 0, "%c", c)
		require.Equal(t, want, base > 0, "%c stands on the baseline", c)
		widths := f.u32(0x28) + 8
		require.Equal(t, want, data[widths+3*n+1] > 0, "the width of %c", c)
		require.Positive(t, data[widths+3*n+2], "the advance of %c", c)
	}
	require.Equal(t, f.number(0xFFFD), f.u16(0x1E))
	p, _ := f.ink(f.number('.'))
	m, _ := f.ink(f.number('M'))
	require.Greater(t, m, 5*p)
}

func TestMakeOfSome(t *testing.T) {
	few := func(c rune) bool { return c >= 'A' && c <= 'G' || c == '?' || c == 'z' || c == 'y' }
	data, err := Make([][]byte{goregular.TTF, gosmallcaps.TTF}, Options{Size: 10, Allows: few})
	require.NoError(t, err)
	f := made{t, data}
	require.Equal(t, 1, f.u16(0x44), "sheets")
	require.Equal(t, f.number('?'), f.u16(0x1E), "in place of others")
	for i, c := range "?ABCDEFGyz" {
		require.Equal(t, i, f.number(int(c)), "%c", c)
	}
	require.Equal(t, -1, f.number('H'))
	regular, err := Make([][]byte{goregular.TTF}, Options{Size: 10, Allows: few})
	require.NoError(t, err)
	a, _ := f.ink(f.number('y'))
	b, _ := made{t, regular}.ink(9 - 1)
	require.Equal(t, b, a, "the first file's letter")
	caps, err := Make([][]byte{gosmallcaps.TTF, goregular.TTF}, Options{Size: 10, Allows: few})
	require.NoError(t, err)
	require.NotEqual(t, data, caps)

	for _, c := range []struct {
		fonts [][]byte
		o     Options
		want  string
	}{
		{[][]byte{goregular.TTF}, Options{Size: 200}, "the size 200 is not from 1 to 150 points"},
		{[][]byte{goregular.TTF, []byte("no font")}, Options{}, "font 2: "},
		{[][]byte{goregular.TTF}, Options{Allows: func(rune) bool { return false }}, "no font has a character that is asked for"},
		{[][]byte{goregular.TTF}, Options{Size: 150}, "choose a smaller size"},
		{[][]byte{goregular.TTF[:5000]}, Options{}, "font 1: "},
	} {
		_, err := Make(c.fonts, c.o)
		require.ErrorContains(t, err, c.want)
	}
}
