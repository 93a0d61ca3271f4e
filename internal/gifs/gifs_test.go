package gifs

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// film encodes pictures and decodes the file. none are the pictures equal to their predecessors, which are left out.
func film(t *testing.T, size image.Point, delays []int, pictures ...*image.RGBA) (all *gif.GIF, none []int) {
	g := Frames{Size: size}
	file := g.Head()
	for i, p := range pictures {
		data := testkit.Must(g.Encode(p))(t)
		if data == nil {
			none = append(none, i)
			continue
		}
		file = append(file, g.Picture(data, delays[i])...)
	}
	all = testkit.Must(gif.DecodeAll(bytes.NewReader(append(file, g.Tail()...))))(t)
	return all, none
}

// Pictures of few colours decode exactly; each frame contains only the changed area.
func TestPicturesRoundTrip(t *testing.T) {
	size := image.Pt(24, 17)
	first := image.NewRGBA(image.Rectangle{Max: size})
	for i := range size.X * size.Y {
		first.Set(i%size.X, i/size.X, color.RGBA{uint8(i % size.X / 3 * 30), uint8(i / size.X / 3 * 40), uint8(i % 3 * 100), 255})
	}
	second, fourth := image.NewRGBA(first.Rect), image.NewRGBA(first.Rect)
	copy(second.Pix, first.Pix)
	second.Set(5, 3, color.RGBA{1, 2, 3, 255})
	second.Set(9, 11, color.RGBA{200, 100, 0, 255})
	copy(fourth.Pix, second.Pix)
	fourth.Set(23, 16, color.RGBA{7, 255, 9, 255})
	pictures := []*image.RGBA{first, second, second, fourth}
	all, none := film(t, size, []int{3, 70000, 1, 258}, pictures...)
	require.Equal(t, []int{2}, none)
	require.Equal(t, []int{3, 0xFFFF, 258}, all.Delay)
	require.Equal(t, []byte{gif.DisposalNone, gif.DisposalNone, gif.DisposalNone}, all.Disposal)
	require.Equal(t, [3]int{0, 24, 17}, [3]int{all.LoopCount, all.Config.Width, all.Config.Height})
	require.Equal(t, []image.Rectangle{first.Rect, image.Rect(5, 3, 10, 12), image.Rect(23, 16, 24, 17)},
		[]image.Rectangle{all.Image[0].Rect, all.Image[1].Rect, all.Image[2].Rect})
	screen := image.NewRGBA(first.Rect)
	for i, p := range []*image.RGBA{first, second, fourth} {
		draw.Draw(screen, all.Image[i].Rect, all.Image[i], all.Image[i].Rect.Min, draw.Over)
		require.Equal(t, p.Pix, screen.Pix, "picture %d", i)
	}
	require.Equal(t, 2+2, 1+len(slices.Compact(slices.Sorted(slices.Values(all.Image[1].Pix)))), "two colours, and transparent for unchanged pixels")
}

// Head has the size, no palette, square pixels and endless repetition.
func TestHead(t *testing.T) {
	want := append([]byte("GIF89a"), 0x34, 0x12, 0x67, 0x05, 0, 0, 0)
	want = append(append(append(want, 0x21, 0xFF, 11), "NETSCAPE2.0"...), 3, 1, 0, 0, 0)
	require.Equal(t, want, (&Frames{Size: image.Pt(0x1234, 0x567)}).Head())
}

// With more colours than palette entries, every colour is near to an entry.
func TestPalette(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	sums := ""
	for n, spread := range []int{256, 40, 2} {
		pix := make([]uint8, 4*64*64)
		for i := range pix {
			pix[i] = uint8(10*n + rng.IntN(spread)*(1+i%4)/4)
		}
		p := makePalette(pix, 255)
		worst, entries := 0, []byte{}
		for i := 0; i < len(pix); i += 4 {
			c := p.Convert(color.RGBA{pix[i], pix[i+1], pix[i+2], 255}).(color.RGBA)
			for k, v := range []uint8{c.R, c.G, c.B} {
				worst = max(worst, int(v)-int(pix[i+k]), int(pix[i+k])-int(v))
			}
		}
		for _, c := range p {
			c := c.(color.RGBA)
			entries = append(entries, c.R, c.G, c.B, c.A)
		}
		sums += fmt.Sprintf("%d colours, %d at most beside, CRC-32 %08x\n", len(p), worst, crc32.ChecksumIEEE(entries))
	}
	require.Equal(t, "255 colours, 16 at most beside, CRC-32 b30259a5\n144 colours, 3 at most beside, CRC-32 9a161de3\n"+
		"1 colours, 0 at most beside, CRC-32 e6bc2ca0\n", sums)
}
