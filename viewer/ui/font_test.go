package ui

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/font/gofont/gomono"
)

// cjkFont is the program's font with a character map that shows U+4E00 to U+4E0F as its letters from A on.
func cjkFont() []byte {
	font := append([]byte(nil), gomono.TTF...)
	b := binary.BigEndian
	at := len(font)
	// A format 12 map with one group (OpenType specification, "cmap").
	m := b.AppendUint16(nil, 0)
	m = b.AppendUint16(m, 1)
	m = b.AppendUint16(m, 3)  // Windows,
	m = b.AppendUint16(m, 10) // all of Unicode
	m = b.AppendUint32(m, 12)
	m = b.AppendUint16(m, 12)
	m = b.AppendUint16(m, 0)
	for _, v := range []uint32{16 + 12, 0, 1, 0x4E00, 0x4E0F, 36} {
		m = b.AppendUint32(m, v)
	}
	font = append(font, m...)
	for i := range int(b.Uint16(font[4:])) {
		if r := font[12+16*i:]; string(r[:4]) == "cmap" {
			b.PutUint32(r[8:], uint32(at))
			b.PutUint32(r[12:], uint32(len(m)))
		}
	}
	return font
}

func TestSystemFonts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cjk.ttf")
	require.NoError(t, os.WriteFile(path, cjkFont(), 0o644))
	asked := 0
	fonts.Lock()
	old, sizes := system, fonts.byPx
	system, fonts.byPx = systemFonts{ask: func(r rune) (string, int, error) {
		asked++
		if r >= 0xAC00 {
			return "", 0, errors.New("no fontconfig")
		}
		return path, 0, nil
	}}, nil
	fonts.Unlock()
	defer func() {
		fonts.Lock()
		system, fonts.byPx = old, sizes
		fonts.Unlock()
	}()
	c := newCanvas(200, 40, 1)
	require.Equal(t, 2*c.Width("A"), c.Width("一"), "a wide character has the width of two")
	c.Text(0, 0, "一丁A", Text)
	lit := 0
	for _, v := range c.Img.Pix {
		if v != 0 {
			lit++
		}
	}
	require.Positive(t, lit)
	require.Equal(t, 1, asked, "one search suffices for two characters of a font")
	c.Text(0, 0, "龘龘", Text) // no font has this character
	c.Text(0, 0, "가", Text)  // no font is found
	require.Equal(t, 3, asked)
	require.Nil(t, system.asked['龘'])
	system.find('가')
	system.find('龘')
	require.Equal(t, 3, asked, "the answer is kept, also that there is none")
	c.Text(0, 0, "각갂갃", Text)
	require.Equal(t, 4, asked, "after repeated failures fonts are no longer searched")
	system.failed = 0
	for r := rune(0x5000); r < 0x5000+2*maxAsked; r++ {
		c.Text(0, 0, string(r), Text)
	}
	require.LessOrEqual(t, asked, maxAsked+2, "the number of font searches is limited")
	require.Equal(t, []string{"一丁一", "丁"}, Wrap("一丁一丁", 6))
	require.Equal(t, "一…", fit("一丁一", 4))
}
