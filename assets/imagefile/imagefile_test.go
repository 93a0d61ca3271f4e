package imagefile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/bmp"

	"pica200/tests/testkit"
)

func picture() *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, 5, 3))
	for i := range m.Pix {
		m.Pix[i] = uint8(i * 17)
		if i%4 == 3 {
			m.Pix[i] = 255
		}
	}
	return m
}

// lyingPNG is a PNG whose header claims w x h pixels, with hardly any data.
func lyingPNG(w, h uint32) []byte {
	var b bytes.Buffer
	_ = png.Encode(&b, image.NewNRGBA(image.Rect(0, 0, 1, 1)))
	data := b.Bytes()
	binary.BigEndian.PutUint32(data[16:], w)
	binary.BigEndian.PutUint32(data[20:], h)
	binary.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(data[12:29]))
	return data
}

func TestImagesWithHugeStatedSize(t *testing.T) {
	var jpg bytes.Buffer
	require.NoError(t, jpeg.Encode(&jpg, image.NewGray(image.Rect(0, 0, 8, 8)), nil))
	big := jpg.Bytes()
	i := bytes.Index(big, []byte{0xFF, 0xC0})
	binary.BigEndian.PutUint16(big[i+5:], 4000)
	binary.BigEndian.PutUint16(big[i+7:], 4000)
	tga := make([]byte, 18, 30)
	tga[2], tga[16] = 2, 24
	binary.LittleEndian.PutUint16(tga[12:], 4000)
	binary.LittleEndian.PutUint16(tga[14:], 4000)
	of := func(from, to int, encode func(io.Writer) error) []byte { // a picture of 8x8 pixels with another size in its header
		var b bytes.Buffer
		require.NoError(t, encode(&b))
		data := b.Bytes()
		binary.LittleEndian.PutUint16(data[from:], 4000)
		binary.LittleEndian.PutUint16(data[to:], 4000)
		return data
	}
	grey := image.NewPaletted(image.Rect(0, 0, 8, 8), color.Palette{color.Black, color.White})
	bitmap := of(18, 22, func(w io.Writer) error { return bmp.Encode(w, grey) })
	anim := of(6, 8, func(w io.Writer) error { return gif.Encode(w, grey, nil) })
	for name, data := range map[string][]byte{"png": lyingPNG(4000, 4000), "huge png": lyingPNG(60000, 60000), "jpeg": big, "tga": tga, "bmp": bitmap, "gif": anim} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := Decode(data, 16<<20)
			runtime.ReadMemStats(&after)
			require.Error(t, err)
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20))
		})
	}
}

// Each format gives the pixels that were written, cut ones an error.
func TestFormats(t *testing.T) {
	m := image.NewPaletted(image.Rect(0, 0, 5, 3), color.Palette{color.NRGBA{}, color.NRGBA{10, 200, 30, 255}, color.NRGBA{255, 0, 99, 255}})
	for i := range m.Pix {
		m.Pix[i] = uint8(i % 3)
	}
	deep := image.NewNRGBA64(m.Rect)
	deep.SetNRGBA64(2, 1, color.NRGBA64{0x1234, 0x5678, 0x9ABC, 0xFFFF})
	for _, c := range []struct {
		name   string
		of     image.Image
		encode func(io.Writer) error
		alpha  bool
	}{
		{"PNG", m, func(w io.Writer) error { return png.Encode(w, m) }, true},
		{"PNG of 16 bits", deep, func(w io.Writer) error { return png.Encode(w, deep) }, true},
		{"GIF", m, func(w io.Writer) error { return gif.Encode(w, m, nil) }, true},
		{"BMP", m, func(w io.Writer) error { return bmp.Encode(w, m) }, false},
	} {
		var b bytes.Buffer
		require.NoError(t, c.encode(&b))
		require.True(t, Known(b.Bytes()))
		got := testkit.Must(Decode(b.Bytes(), 15))(t, c.name)
		for i := range 15 {
			want := color.NRGBA64Model.Convert(c.of.At(i%5, i/5)).(color.NRGBA64)
			if !c.alpha {
				want.A = 0xFFFF
			}
			require.Equal(t, want, color.NRGBA64Model.Convert(got.At(i%5, i/5)), "%s, pixel %d", c.name, i)
		}
		for _, n := range []int{3, 12, 30, b.Len() / 2} {
			_, err := Decode(b.Bytes()[:n], 15)
			require.Error(t, err, "%s cut at %d", c.name, n)
		}
		_, err := Decode(b.Bytes(), 14)
		require.ErrorContains(t, err, "5x3 pixels; at most 14 are read")
	}
	// A GIF's first picture may be smaller than the whole, the rest is transparent; later ones are not read.
	part := image.NewPaletted(image.Rect(1, 2, 3, 3), m.Palette)
	part.Pix[1] = 2
	var b bytes.Buffer
	require.NoError(t, gif.EncodeAll(&b, &gif.GIF{Image: []*image.Paletted{part, m}, Delay: []int{1, 1}, Config: image.Config{ColorModel: m.Palette, Width: 5, Height: 3}}))
	got := NRGBA(testkit.Must(Decode(b.Bytes(), 15))(t))
	for i := range 15 {
		want := color.NRGBA{}
		if i == 12 {
			want = color.NRGBA{255, 0, 99, 255}
		}
		require.Equal(t, want, got.NRGBAAt(i%5, i/5), "%d", i)
	}
	_, err := Decode([]byte("neither of them, though long enough"), 1<<20)
	require.ErrorContains(t, err, "not a PNG, JPEG, BMP, GIF or TGA picture")
	require.False(t, Known([]byte("neither")))
}

// A picture of 8 bits at the origin is the same one; others are copied, with the colours of transparent pixels.
func TestNRGBA(t *testing.T) {
	m := picture()
	require.Same(t, m, NRGBA(m))
	m.SetNRGBA(3, 2, color.NRGBA{1, 2, 3, 0})
	got := NRGBA(m.SubImage(image.Rect(2, 1, 4, 3)))
	require.Equal(t, image.Rect(0, 0, 2, 2), got.Rect)
	require.Equal(t, append(append([]uint8(nil), m.Pix[m.PixOffset(2, 1):m.PixOffset(4, 1)]...), m.Pix[m.PixOffset(2, 2):m.PixOffset(4, 2)]...), got.Pix)
}

func TestTGA(t *testing.T) {
	m := picture()
	head := func(kind, bits, desc byte) []byte {
		h := make([]byte, 18)
		h[2], h[12], h[14], h[16], h[17] = kind, 5, 3, bits, desc
		return h
	}
	raw := head(2, 24, 0x20)
	rle := head(10, 32, 0x20|8)
	bottom := head(2, 24, 0x0F)
	for y := range 3 {
		for x := range 5 {
			c := m.NRGBAAt(x, y)
			raw = append(raw, c.B, c.G, c.R)
			rle = append(rle, 0x80, c.B, c.G, c.R, c.A)
			u := m.NRGBAAt(x, 2-y)
			bottom = append(bottom, u.B, u.G, u.R)
		}
	}
	mapped := head(1, 8, 0x20)
	mapped[1], mapped[5], mapped[7] = 1, 15, 24
	for y := range 3 {
		for x := range 5 {
			c := m.NRGBAAt(x, y)
			mapped = append(mapped, c.B, c.G, c.R)
		}
	}
	for i := range 15 {
		mapped = append(mapped, byte(i))
	}
	mapped[3] = 7 // the first colour of the map
	for i := range 15 {
		mapped[len(mapped)-15+i] += 7
	}
	right := head(2, 32, 0x30) // from the right; without alpha bits
	for y := range 3 {
		for x := range 5 {
			c := m.NRGBAAt(4-x, y)
			right = append(right, c.B, c.G, c.R, 99)
		}
	}
	for name, data := range map[string][]byte{"raw": raw, "rle": rle, "bottom up": bottom, "mapped": mapped, "from the right": right} {
		got := testkit.Must(Decode(data, 16<<20))(t, name)
		require.Equal(t, m.Pix, NRGBA(got).Pix, name)
		for n := range len(data) {
			_, err := Decode(data[:n], 16<<20)
			require.Error(t, err, "%s cut at %d", name, n)
		}
	}
	// A run of three and two single ones, grey with alpha; 15-bit colours.
	for _, c := range []struct {
		kind, bits byte
		data       []byte
		want       []uint8
	}{
		{11, 16, []byte{0x82, 9, 8, 1, 7, 6, 5, 4}, []uint8{9, 9, 9, 8, 9, 9, 9, 8, 9, 9, 9, 8, 7, 7, 7, 6, 5, 5, 5, 4}},
		{2, 15, []byte{0x1F, 0, 0xE0, 3, 0, 0x7C, 0x21, 0x84, 0, 0}, []uint8{0, 0, 255, 255, 0, 255, 0, 255, 255, 0, 0, 255, 8, 8, 8, 255, 0, 0, 0, 255}},
	} {
		h := head(c.kind, c.bits, 0x20)
		h[14] = 1
		got := testkit.Must(Decode(append(h, c.data...), 16<<20))(t)
		require.Equal(t, c.want, NRGBA(got).Pix)
	}
}

// Limits of picture sizes.
func TestPictureSizeLimits(t *testing.T) {
	for _, c := range []struct {
		w, h, most, bytes int
		want              string
	}{
		{1, 1, 1, 1, ""}, {0, 1, 1, 1, "X: the header has a size of 0x1"}, {1, 0, 1, 1, "X: the header has a size of 1x0"}, {3, 4, 12, 3, ""}, {3, 4, 11, 3, "X: the header says 3x4 pixels; at most 11 are read"},
		{1 << 33, 1 << 33, 1 << 20, 1 << 20, "at most 1048576 are read"}, {3, 4, 12, 2, "X: 2 bytes cannot hold the 3x4 pixels that the header claims"},
	} {
		counted := 0
		err := checkSize("X", image.Config{Width: c.w, Height: c.h}, c.most, c.bytes, 4, func(n int) error { counted = n; return nil })
		if c.want == "" {
			require.Equal(t, c.w*c.h, counted)
			require.NoError(t, err, "%+v", c)
		} else {
			require.ErrorContains(t, err, c.want)
		}
	}
}

// Damaged TGA pictures give errors or other pictures, always the same.
func TestDamagedTGA(t *testing.T) {
	text := ""
	for _, c := range [][3]byte{{1, 8, 24}, {2, 24, 0}, {3, 8, 0}, {9, 8, 32}, {10, 32, 0}, {11, 16, 0}, {2, 16, 0}, {1, 16, 15}} {
		for _, desc := range []byte{0, 0x28, 0x10} {
			tga := tgaOf(c[0], c[1], c[2], desc)
			text += fmt.Sprintf("TGA %d, %d bits, map of %d, 0x%x\n", c[0], c[1], c[2], desc)
			text += testkit.Damage(tga, 0, 40, 3, func(data []byte) ([]string, string) {
				im, err := Decode(data, 1<<16)
				if err != nil {
					return []string{err.Error()}, ""
				}
				return nil, fmt.Sprintf("%v %x", im.Bounds(), NRGBA(im).Pix)
			})
		}
	}
	testkit.Golden(t, "testdata/damage.txt", []byte(text))
}

// tgaOf is a TGA picture of 4x3 pixels with the given kind, bits per pixel and colour map.
func tgaOf(kind, bits, mapped, desc byte) []byte {
	out := []byte{2, 0, kind, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 3, 0, bits, desc, 'i', 'd'}
	if mapped > 0 {
		out[1], out[7] = 1, mapped
		out = binary.LittleEndian.AppendUint16(out[:5:5], 4)
		out = append(out, mapped)
		out = append(out, []byte{0, 0, 0, 0, 4, 0, 3, 0, bits, desc, 'i', 'd'}...)
		for i := range 4 * (int(mapped) + 7) / 8 {
			out = append(out, byte(40*i))
		}
	}
	each := (int(bits) + 7) / 8
	v := byte(0)
	pixel := func() {
		for range each {
			if v += 53; mapped > 0 {
				v &= 3
			}
			out = append(out, v)
		}
	}
	if kind > 8 {
		for _, n := range []byte{0x82, 4, 0x83} { // 3 equal, 5 different, 4 equal
			out = append(out, n)
			for range map[bool]int{true: 1, false: int(n) + 1}[n&0x80 != 0] {
				pixel()
			}
		}
		return out
	}
	for range 12 {
		pixel()
	}
	return out
}

func FuzzImage(f *testing.F) {
	var b bytes.Buffer
	_ = png.Encode(&b, picture())
	f.Add(b.Bytes())
	f.Add([]byte("\x00\x00\x0a\x00\x00\x00\x00\x00\x00\x00\x00\x00\x05\x00\x03\x00\x18\x20\x85\x01\x02\x03"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Decode(data, 1<<16)
		if err == nil {
			require.LessOrEqual(t, m.Bounds().Dx()*m.Bounds().Dy(), 1<<16)
		}
	})
}
