package texture

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/tests/testkit"
)

func TestPackRoundTrip(t *testing.T) {
	noise := randomTexels(5000, 3)
	runs := make([]byte, 70000)
	for i := range runs {
		if i%1000 < 30 {
			runs[i] = byte(i)
		}
	}
	huge := make([]byte, 1<<24)
	for name, data := range map[string][]byte{
		"empty": {}, "one byte": {7}, "noise": noise, "runs": runs, "zeros": make([]byte, 200000),
		"repeats": bytes.Repeat(noise[:300], 20), "extended header": huge,
	} {
		for _, c := range []Compression{Stored, LZ10, LZ11, Huffman8, RunLength, Best} {
			if len(data) == len(huge) && (c == LZ10 || c == Best) {
				continue // like LZ11, but slow on 16 MiB
			}
			packed := testkit.Must(Pack(data, c))(t)
			require.Zero(t, len(packed)%4)
			got, used, err := Unpack(packed, len(data))
			require.NoError(t, err, "%s %v", name, c)
			require.True(t, bytes.Equal(data, got), "%s %v", name, c)
			require.LessOrEqual(t, len(packed)-used, 4)
		}
	}
	_, err := Pack(nil, 0x24)
	require.ErrorContains(t, err, "there is no packer for Huffman, 4-bit")
}

func TestUnpackHuffman(t *testing.T) {
	// Tree: root (1) with the symbols a and b; codes 0 1 1 0.
	data := []byte{0x28, 4, 0, 0, 1, 0xC0, 'a', 'b', 0, 0, 0, 0x60}
	got, used, err := Unpack(data, 4)
	require.NoError(t, err)
	require.Equal(t, "abba", string(got))
	require.Equal(t, len(data), used)

	// 4-bit symbols are the low bits of their bytes; the high bits are ignored.
	data[0], data[6], data[7] = 0x24, 0xA3, 0x5C
	got, _, err = Unpack(data, 4)
	require.NoError(t, err)
	require.Equal(t, []byte{3, 0xC, 0xC, 3}, got)
}

// Sizes of 16 MiB and more are stored in an additional word.
func TestPackedSizes(t *testing.T) {
	for n, want := range map[int][]byte{1<<24 - 1: {0, 0xFF, 0xFF, 0xFF}, 1 << 24: {0x80, 0, 0, 0, 1, 0, 0, 0}, 1<<24 + 0x10203: {0x80, 3, 2, 1, 1, 0, 0, 0}} {
		data := make([]byte, n)
		data[n-1] = 7
		packed := testkit.Must(Pack(data, Stored))(t)
		require.Equal(t, want, packed[:len(want)])
		require.Equal(t, (len(want)+n+3)&^3, len(packed))
		back, used, err := Unpack(packed, len(data))
		require.NoError(t, err)
		require.True(t, bytes.Equal(data, back))
		require.Equal(t, len(want)+n, used)
	}
}

func TestUnpackBad(t *testing.T) {
	for _, c := range []struct {
		data []byte
		want string
	}{
		{nil, "ends early"},
		{[]byte{0x91, 0, 0, 0, 1}, "want a header of 8"},
		{[]byte{0x42, 1, 0, 0}, "does not exist"},
		{[]byte{0x11, 0, 0, 1}, "the limit is 100"},
		{[]byte{0x00, 9, 0, 0, 1}, "ends early"},
		{[]byte{0x10, 9, 0, 0, 0x80, 0x10, 0x05}, "6 bytes back, but only 0"},
		{[]byte{0x11, 9, 0, 0, 0x80, 0x10}, "ends early"},
		{[]byte{0x30, 9, 0, 0, 0x05, 1, 2}, "ends early"},
		{[]byte{0x28, 9, 0, 0, 0, 0x3F, 0, 0, 0, 0}, "leads to node"},
	} {
		_, _, err := Unpack(c.data, 100)
		require.ErrorContains(t, err, c.want, "%x", c.data)
	}
}

func testImage(w, h int) *Image { return &Image{w, h, picture(w, h)} }

func TestT3XRoundTrip(t *testing.T) {
	for _, f := range formats() {
		for _, n := range []int{1, 6} {
			faces := make([]*Image, n)
			for i := range faces {
				faces[i] = testImage(32, 64)
				faces[i].Pix[0] = uint32(i)
			}
			x := testkit.Must(NewT3X(f, 3, faces...))(t)
			file := testkit.Must(x.Encode())(t)
			require.True(t, IsT3X(file))
			back := testkit.Must(ParseT3X(file))(t)
			require.Empty(t, back.Findings)
			require.Equal(t, x.Data, back.Data)
			require.Equal(t, n == 6, back.Cube)
			require.Equal(t, 3, back.Levels)
			again := testkit.Must(back.Encode())(t)
			require.Equal(t, file, again)
			im := testkit.Must(back.Image(n-1, 2))(t)
			require.Equal(t, [2]int{8, 16}, [2]int{im.Width, im.Height})
		}
	}
}

func TestT3XBad(t *testing.T) {
	x := testkit.Must(NewT3X(pica.TextureFormatRGB565, 1, testImage(16, 8)))(t)
	file := testkit.Must(x.Encode())(t)
	for _, c := range []struct {
		harm func([]byte) []byte
		want string
	}{
		{func(d []byte) []byte { return d[:4] }, "header"},
		{func(d []byte) []byte { d[3] = byte(len(layouts)); return d }, fmt.Sprint("offset 0x3: texture format ", len(layouts))},
		{func(d []byte) []byte { d[4] = 1; return d }, "offset 0x4: 2 levels"},
		{func(d []byte) []byte { d[1] = 1; return d }, "subtextures"},
		{func(d []byte) []byte { d[2] = 0x3F; return d }, "takes 2097152"},
		{func(d []byte) []byte { d[19] = 0; return d }, "takes 256"},
		{func(d []byte) []byte { return d[:30] }, "ends early"},
	} {
		_, err := ParseT3X(c.harm(bytes.Clone(file)))
		require.ErrorIs(t, err, ErrT3X)
		require.ErrorContains(t, err, c.want)
	}
	harmed := bytes.Clone(file)
	harmed[5] = 99 // width of the subtexture
	x = testkit.Must(ParseT3X(harmed))(t)
	require.Equal(t, 1, x.Findings.Problems())
	harmed = bytes.Clone(file)
	harmed[2] |= 0x80
	x = testkit.Must(ParseT3X(harmed))(t)
	require.Equal(t, "0x2: problem: bit 7 of the size byte is set; its meaning is not known", x.Findings[0].String())
	require.Len(t, x.Findings, 1)
}

// Headers of packed data, and errors for truncated ones.
func TestPackedHeaders(t *testing.T) {
	for _, c := range []struct {
		data             []byte
		c                Compression
		unpacked, header int
		want             string
	}{
		{[]byte{0x10, 1, 2, 3}, LZ10, 0x030201, 4, ""}, {[]byte{0x91, 1, 2, 3, 4, 9, 9, 9}, LZ11, 0x04030201, 8, ""}, {[]byte{0x91, 1, 2, 3, 4, 9, 9}, 0, 0, 0, "7 bytes, want a header of 8"},
		{[]byte{0x10, 1, 2}, 0, 0, 0, "3 bytes, want a header of 4"}, {nil, 0, 0, 0, "0 bytes, want a header of 4"},
	} {
		got, unpacked, header, err := PackedHeader(c.data)
		if c.want != "" {
			require.ErrorIs(t, err, errPackedEnd)
			require.ErrorContains(t, err, c.want)
		} else {
			require.NoError(t, err)
		}
		require.Equal(t, []int{int(c.c), c.unpacked, c.header}, []int{int(got), unpacked, header}, "%x", c.data)
	}
}

func TestPNGRoundTrip(t *testing.T) {
	im := testImage(16, 8)
	var buf bytes.Buffer
	require.NoError(t, im.WritePNG(&buf))
	back := FromImage(testkit.Must(png.Decode(bytes.NewReader(buf.Bytes())))(t))
	require.Equal(t, im, back)
	require.Equal(t, byte(im.Pix[7*16]), im.NRGBA().Pix[0], "row order: the last row in memory is the top one")
}

func TestHalfWeightsByAlpha(t *testing.T) {
	im := NewImage(16, 16)
	for i := range im.Pix {
		im.Pix[i] = 0x00FFFFFF // transparent white
	}
	im.Pix[0] = 0xFF0000FF // one opaque red texel
	half := im.half()
	require.Equal(t, uint32(0x400000FF), half.Pix[0])
	require.Equal(t, uint32(0x00FFFFFF), half.Pix[1])
	require.Equal(t, 8, half.half().Width, "no level is smaller than a tile")
}

// Every t3x file of the corpus is written back unchanged, and our packer gives the same bytes as tex3ds.
func TestCorpusT3X(t *testing.T) {
	for _, name := range testkit.Corpus(t, "t3x/*.t3x") {
		data := testkit.Read(t, name)
		require.True(t, IsT3X(data), name)
		x := testkit.Must(ParseT3X(data))(t, name)
		require.Empty(t, x.Findings, name)
		out := testkit.Must(x.Encode())(t)
		require.Equal(t, data, out, name)
		if x.Compression == Huffman8 {
			continue // we only unpack it
		}
		x.Packed = nil
		out = testkit.Must(x.Encode())(t)
		require.True(t, bytes.Equal(data, out), "%s has %d bytes when packed again, had %d", name, len(out), len(data))
	}
}

func FuzzT3X(f *testing.F) {
	x := testkit.Must(NewT3X(pica.TextureFormatA4, 1, testImage(8, 8)))(f)
	for _, c := range []Compression{Stored, LZ10, LZ11, Huffman8, RunLength, Best} {
		x.Compression = c
		file := testkit.Must(x.Encode())(f)
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		x, err := ParseT3X(data)
		if err != nil {
			require.ErrorIs(t, err, ErrT3X)
			return
		}
		_, err = x.Image(x.Faces()-1, x.Levels-1)
		require.NoError(t, err)
		_, err = x.Encode()
		require.NoError(t, err)
	})
}

// FromImage converts pictures of Go with any origin.
func TestFromImage(t *testing.T) {
	for _, corner := range []image.Point{{}, {3, 5}} {
		r := image.Rect(0, 0, 8, 16).Add(corner)
		nrgba, rgba := image.NewNRGBA(r), image.NewRGBA(r)
		for y := range 16 {
			for x := range 8 {
				c := color.NRGBA{uint8(x), uint8(y), uint8(x * y), 255}
				nrgba.Set(corner.X+x, corner.Y+y, c)
				rgba.Set(corner.X+x, corner.Y+y, c)
			}
		}
		want := FromImage(nrgba)
		require.Equal(t, want, FromImage(rgba))
		require.NotEqual(t, want.Pix[0], want.Pix[1])
		require.Equal(t, []int{8, 16, 128}, []int{want.Width, want.Height, len(want.Pix)})
	}
}

// A t3x file has the faces and levels that it states, and at most the levels that fit its size.
func TestT3XFacesAndLevels(t *testing.T) {
	x := &T3X{Format: pica.TextureFormatI8, Width: 32, Height: 16, Levels: 2, Data: make([]byte, 32*16+16*8)}
	for _, c := range []struct{ face, level, bytes, w, h int }{{0, 0, 512, 32, 16}, {0, 1, 128, 16, 8}, {0, 2, 0, 0, 0}, {1, 0, 0, 0, 0}, {-1, 0, 0, 0, 0}, {0, -1, 0, 0, 0}} {
		texels, w, h := x.Level(c.face, c.level)
		require.Equal(t, []int{c.bytes, c.w, c.h}, []int{len(texels), w, h}, "face %d, level %d", c.face, c.level)
	}
	_, err := x.Encode()
	require.NoError(t, err)
	cube := &T3X{Format: pica.TextureFormatI8, Width: 16, Height: 16, Levels: 2, Cube: true, Data: make([]byte, 6*(256+64))}
	for face := range 6 {
		for level, at := range []int{0, 256} {
			texels, _, _ := cube.Level(face, level)
			texels[0] = byte(1 + 2*face + level)
			require.Equal(t, texels[0], cube.Data[face*320+at])
		}
	}
	for _, at := range [][2]int{{6, 0}, {0, 2}} {
		texels, w, h := cube.Level(at[0], at[1])
		require.Nil(t, texels)
		require.Zero(t, w+h)
	}
	for _, levels := range []int{-1, 0, 3} {
		x.Levels = levels
		_, err := x.Encode()
		require.ErrorContains(t, err, "has 1 to 2")
	}
}

// Golden file: errors and contents of t3x files of every compression with one damaged position, packed runs and repetitions, and ETC1
// encodings of colours.
func TestDamagedFileFindings(t *testing.T) {
	look := testkit.Look(ParseT3X, func(x *T3X) (_ []string, found string) {
		for face := range x.Faces() {
			for level := range x.Levels {
				im, err := x.Image(face, level)
				found += fmt.Sprintln(testkit.Dump(im), err)
			}
		}
		out, err := x.Encode()
		return nil, fmt.Sprintf("%s %x %v", found, out, err)
	})
	x := testkit.Must(NewT3X(pica.TextureFormatA4, 2, testImage(16, 16)))(t)
	text := ""
	for _, c := range []Compression{Stored, LZ10, LZ11, RunLength, Huffman8} {
		x.Compression = c
		file, err := x.Encode()
		text += fmt.Sprintf("%v: %d bytes %08x %v\n", c, len(file), crc32.ChecksumIEEE(file), err)
		text += testkit.Damage(file, 0, len(file), 3, look)
	}
	for _, data := range [][]byte{{7}, bytes.Repeat([]byte{1}, 5000), bytes.Repeat([]byte{1, 2, 3}, 700), append(bytes.Repeat([]byte{9}, 3), bytes.Repeat([]byte{0, 1, 2, 3, 4, 5, 6, 7}, 40)...), numbers(5000)} {
		for _, c := range []Compression{LZ10, LZ11, RunLength} {
			packed, err := Pack(data, c)
			text += fmt.Sprintf("%v of %d bytes: %d, %08x %v\n", c, len(data), len(packed), crc32.ChecksumIEEE(packed), err)
		}
	}
	for _, size := range []int{8, 32} {
		for _, f := range []Format{pica.TextureFormatETC1, pica.TextureFormatETC1A4, pica.TextureFormatRGB565, pica.TextureFormatRG8, pica.TextureFormatIA4} {
			im := testImage(size, size)
			out := make([]byte, Size(f, size, size))
			err := Encode(out, im.Pix, f, size, size)
			text += fmt.Sprintf("%v of %d: %08x %v\n", f, size, crc32.ChecksumIEEE(out), err)
		}
	}
	testkit.Golden(t, "testdata/damage.txt", []byte(text))
}

// numbers returns bytes with repetitions.
func numbers(n int) []byte {
	out := make([]byte, n)
	v := uint32(1)
	for i := range out {
		v = v*1664525 + 1013904223
		out[i] = byte(v >> 24 & 7)
	}
	return out
}
