package ui

import (
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/font/gofont/gomono"
)

// A grid is sorted by its columns, numbers by their size, and each column has the width that its edge was dragged to.
func TestGrid(t *testing.T) {
	var chosen []string
	g := &Grid{Columns: []Column{{Name: "name", Width: 80}, {Name: "size", Width: 60, Number: true}}, OnSelect: func(key string) { chosen = append(chosen, key) }}
	for i, name := range []string{"pear", "apple", "fig", "apple"} {
		n := []float64{7, 100, 20, 3}[i]
		g.Rows = append(g.Rows, GridRow{Key: fmt.Sprint("k", i), Cells: []string{name, fmt.Sprint(n)}, Numbers: []float64{0, n}})
	}
	s, draw := shown(200, 100, g.Draw)
	press := func(tip string) {
		t.Helper()
		p, ok := s.Where(tip)
		require.True(t, ok, tip)
		click(t, s, draw, p)
	}
	order := func() string {
		var keys []string
		for _, i := range g.sorted() {
			keys = append(keys, g.Rows[i].Key)
		}
		return strings.Join(keys, " ")
	}
	for _, c := range []struct{ tip, order string }{
		{"sort by size", "k1 k2 k0 k3"}, {"sort by size", "k3 k0 k2 k1"}, {"sort by size", "k0 k1 k2 k3"},
		{"sort by size", "k1 k2 k0 k3"}, {"sort by name", "k1 k3 k2 k0"}, {"sort by name", "k0 k2 k1 k3"},
	} {
		press(c.tip)
		require.Equal(t, c.order, order(), c.tip)
	}
	press("fig  20")
	require.Equal(t, Keys(g), s.Focused())
	for _, k := range []Key{KeyDown, KeyUp, KeyUp, KeyUp, KeyEnd, KeyHome, KeyPageDown} {
		require.True(t, s.Key(k, 0))
	}
	require.Equal(t, "k2 k1 k2 k0 k0 k3 k0 k3", strings.Join(chosen, " "))
	require.False(t, s.Key(KeyUp, Shift))

	edge, ok := s.Where("drag the edge of name")
	require.True(t, ok)
	require.Equal(t, 80, edge.X)
	s.Press(ButtonLeft, 0, edge)
	for _, to := range []int{100, 110} {
		s.Move(image.Pt(to, edge.Y))
		draw()
	}
	require.Equal(t, Across, s.Shape())
	s.Release(image.Pt(110, edge.Y))
	require.Equal(t, 110, g.Columns[0].Width)
	edge, _ = s.Where("drag the edge of name")
	require.Equal(t, 110, edge.X)
	s.Press(ButtonLeft, 0, edge)
	s.Move(image.Pt(-500, edge.Y))
	s.Release(image.Pt(-500, edge.Y))
	require.Equal(t, 20, g.Columns[0].Width, "it stays visible")
	g.Rows = nil
	draw()
	require.False(t, s.Key(KeyDown, 0))
}

// Lines break at spaces, wide characters count as two columns, and continuation rows are indented if there is room.
func TestWrapping(t *testing.T) {
	for _, c := range []struct {
		text      string
		n, indent int
		want      []string
	}{
		{"abc", 3, 0, []string{"abc"}}, {"abcd", 3, 0, []string{"abc", "d"}}, {"ab cd ef", 5, 0, []string{"ab cd", "ef"}}, {"ab cd ef", 6, 0, []string{"ab cd", "ef"}},
		{"a bcdefgh", 6, 0, []string{"a bcde", "fgh"}}, {"one\ntwo\n\n", 9, 0, []string{"one", "two"}}, {"\tab", 6, 0, []string{"    ab"}}, {"äöü", 2, 0, []string{"äö", "ü"}}, {"漢字漢", 4, 0, []string{"漢字", "漢"}}, {"漢字漢", 5, 0, []string{"漢字", "漢"}},
		{"abc", 1, 0, []string{"ab", "c"}}, {"", 5, 0, []string{""}},
		{"abcdefghijklmnop", 12, 4, []string{"abcdefghijkl", "    mnop"}}, {"abcdefghijklmnop", 11, 4, []string{"abcdefghijk", "lmnop"}}, {"abcdefghijklmnopqrstuvwxyz", 12, 4, []string{"abcdefghijkl", "    mnopqrst", "    uvwxyz"}},
		{"abcdefghijkl", 12, 4, []string{"abcdefghijkl"}}, {"abcdefgh ijk  lm", 12, 4, []string{"abcdefgh ijk", "    lm"}}, {"abcdefghijklmnop", 12, 0, []string{"abcdefghijkl", "mnop"}},
	} {
		require.Equal(t, c.want, wrapIndented(c.text, c.n, c.indent), "%q in %d, %d", c.text, c.n, c.indent)
	}
}

// A picture is scaled to fit, centred, with sharp pixels, on a checkerboard where transparent. A panel is as large as its lines; a
// dialog is at most as large as the window.
func TestPictureAndPanelLayout(t *testing.T) {
	img := image.NewNRGBA(image.Rect(5, 6, 9, 8)) // 4 by 2
	for i := range 8 {
		img.SetNRGBA(5+i%4, 6+i/4, color.NRGBA{uint8(30 * i), 100, 200, 255})
	}
	img.SetNRGBA(5, 6, color.NRGBA{})
	for r, want := range map[image.Rectangle]image.Rectangle{
		image.Rect(10, 20, 50, 100): image.Rect(10, 50, 50, 70), image.Rect(10, 20, 110, 30): image.Rect(50, 20, 70, 30), image.Rect(0, 0, 41, 31): image.Rect(0, 5, 41, 25),
		image.Rect(0, 0, 1, 9): image.Rect(0, 4, 1, 5), image.Rect(3, 3, 3, 9): {},
	} {
		shown(120, 110, func(s *Screen, _ image.Rectangle) {
			got := s.Picture(r, img)
			require.Equal(t, want, got, "%v", r)
			if got.Dx() == 40 {
				at := func(x, y int) color.RGBA { return s.dst.RGBAAt(got.Min.X+x, got.Min.Y+y) }
				require.Equal(t, color.RGBA{30, 100, 200, 255}, at(10, 0))
				require.Equal(t, color.RGBA{30, 100, 200, 255}, at(19, 9))
				require.Equal(t, color.RGBA{60, 100, 200, 255}, at(20, 9))
				require.Equal(t, color.RGBA{150, 100, 200, 255}, at(10, 10))
				require.Equal(t, color.RGBA{0x50, 0x50, 0x50, 255}, at(0, 0))
				require.Equal(t, color.RGBA{0x30, 0x30, 0x30, 255}, at(6, 0))
				require.Equal(t, color.RGBA{0x30, 0x30, 0x30, 255}, at(0, 6))
				require.Equal(t, color.RGBA{0x50, 0x50, 0x50, 255}, at(6, 6))
			}
		})
	}
	shown(200, 150, func(s *Screen, _ image.Rectangle) {
		require.Equal(t, image.Rectangle{}, s.Picture(image.Rect(0, 0, 9, 9), image.NewNRGBA(image.Rect(0, 0, 0, 3))))
		pad := s.Units(6)
		r := s.Box(7, 9, []string{"a", "longest", ""}, Accent)
		require.Equal(t, image.Rect(7, 9, 7+s.Width("longest")+2*pad, 9+3*s.Line()+2*pad), r)
		require.Equal(t, 200, s.Box(150, 9, []string{"a line that is far longer"}, Accent).Max.X, "the box ends at the picture's edge")
		edge := s.Units(8)
		d := s.Dialog(100, 60)
		require.Equal(t, image.Rect(50, 30, 150, 90).Inset(edge), d)
		require.Equal(t, image.Pt(200-4*edge, 150-4*edge), s.Dialog(9999, 9999).Size())
	})
}

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
