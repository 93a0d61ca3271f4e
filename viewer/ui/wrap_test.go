package ui

import (
	"image"
	"image/color"
	"testing"

	"github.com/stretchr/testify/require"
)

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
		r := s.Box(7, 9, []string{"a", "longest", ""}, []color.RGBA{Accent})
		require.Equal(t, image.Rect(7, 9, 7+s.Width("longest")+2*pad, 9+3*s.Line()+2*pad), r)
		require.Equal(t, 200, s.Box(150, 9, []string{"a line that is far longer"}, nil).Max.X, "the box ends at the picture's edge")
		edge := s.Units(8)
		d := s.Dialog(100, 60)
		require.Equal(t, image.Rect(50, 30, 150, 90).Inset(edge), d)
		require.Equal(t, image.Pt(200-4*edge, 150-4*edge), s.Dialog(9999, 9999).Size())
	})
}
