package session

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"image"
	"image/draw"
	"image/gif"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// checkRecording reads a recording back and compares it with its pictures.
func checkRecording(t *testing.T, f Format, path string, frames []*image.RGBA) {
	switch f {
	case GIF:
		file, err := os.Open(path)
		require.NoError(t, err)
		defer file.Close()
		g, err := gif.DecodeAll(file)
		require.NoError(t, err)
		require.Len(t, g.Image, len(frames)-1, "a picture like the one before is not written again")
		total := 0
		shown := image.NewRGBA(frames[0].Rect)
		for i, m := range g.Image {
			draw.Draw(shown, m.Rect, m, m.Rect.Min, draw.Over)
			total += g.Delay[i]
			require.Less(t, meanDifference(shown, frames[i]), 4.0, "picture %d", i)
		}
		require.Equal(t, 27, total, "hundredths of a second")
	case APNG:
		same(t, frames[0].Pix, toRGBA(readPNG(t, path)).Pix)
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		checkAPNG(t, data, frames)
	case PNGs:
		for i, want := range frames {
			same(t, want.Pix, toRGBA(readPNG(t, filepath.Join(path, fmt.Sprintf("frame-%05d.png", i)))).Pix)
		}
	}
}

func toRGBA(m image.Image) *image.RGBA {
	out := image.NewRGBA(m.Bounds())
	draw.Draw(out, out.Rect, m, m.Bounds().Min, draw.Src)
	return out
}

func meanDifference(a, b *image.RGBA) float64 {
	sum := 0
	for i := range a.Pix {
		d := int(a.Pix[i]) - int(b.Pix[i])
		sum += max(d, -d)
	}
	return float64(sum) / float64(len(a.Pix))
}

// checkAPNG reads the chunks: sequence numbers count through, and the size of
// the data of each picture is that of the picture.
func checkAPNG(t *testing.T, data []byte, frames []*image.RGBA) {
	var stream bytes.Buffer
	sequence, pictures, delay := uint32(0), 0, 0
	finish := func() {
		if pictures == 0 {
			return
		}
		z, err := zlib.NewReader(&stream)
		require.NoError(t, err)
		raw, err := io.ReadAll(z)
		require.NoError(t, err)
		s := frames[0].Rect.Size()
		require.Len(t, raw, s.Y*(1+3*s.X))
		stream.Reset()
	}
	for data = data[8:]; len(data) > 0; {
		n := binary.BigEndian.Uint32(data)
		kind, body := string(data[4:8]), data[8:8+n]
		data = data[12+n:]
		switch kind {
		case "acTL":
			require.Equal(t, uint32(len(frames)), binary.BigEndian.Uint32(body))
		case "fcTL":
			finish()
			require.Equal(t, sequence, binary.BigEndian.Uint32(body))
			sequence++
			pictures++
			delay += int(binary.BigEndian.Uint16(body[20:]))
		case "IDAT":
			stream.Write(body)
		case "fdAT":
			require.Equal(t, sequence, binary.BigEndian.Uint32(body))
			sequence++
			stream.Write(body[4:])
		}
	}
	finish()
	require.Equal(t, len(frames), pictures)
	require.Equal(t, 27, delay)
}
