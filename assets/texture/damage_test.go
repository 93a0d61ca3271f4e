package texture

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"testing"

	"pica200/pica"
	"pica200/tests/testkit"
)

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
