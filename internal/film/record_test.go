package film

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// checkRecording reads a recording and compares it with its pictures.
func checkRecording(t *testing.T, f Format, path string, frames []*image.RGBA) {
	switch f {
	case GIF:
		file := testkit.Must(os.Open(path))(t)
		defer file.Close()
		g := testkit.Must(gif.DecodeAll(file))(t)
		require.Len(t, g.Image, len(frames)-1, "an unchanged picture adds no frame")
		total := 0
		shown := image.NewRGBA(frames[0].Rect)
		for i, m := range g.Image {
			draw.Draw(shown, m.Rect, m, m.Rect.Min, draw.Over)
			total += g.Delay[i]
			require.Less(t, meanDifference(shown, frames[i]), 4.0, "picture %d", i)
		}
		require.Equal(t, 27, total, "total duration in hundredths of a second")
	case APNG:
		same(t, frames[0].Pix, readPNG(t, path).Pix)
		checkAPNG(t, testkit.Read(t, path), frames[:len(frames)-1])
	case PNGs:
		for i, want := range frames {
			same(t, want.Pix, readPNG(t, filepath.Join(path, fmt.Sprintf("frame-%05d.png", i))).Pix)
		}
	}
}

func meanDifference(a, b *image.RGBA) float64 {
	sum := 0
	for i := range a.Pix {
		d := int(a.Pix[i]) - int(b.Pix[i])
		sum += max(d, -d)
	}
	return float64(sum) / float64(len(a.Pix))
}

// checkAPNG parses the chunks: sequence numbers are consecutive, and each frame, a rectangle over the previous one, is exact.
func checkAPNG(t *testing.T, data []byte, frames []*image.RGBA) {
	chunk := func(kind string, body []byte) []byte {
		out := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
		out = append(append(out, kind...), body...)
		return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[4:]))
	}
	signature, header := data[:8], []byte(nil)
	var stream []byte
	var rect image.Rectangle
	sequence, pictures, delay := uint32(0), 0, 0
	shown := image.NewRGBA(frames[0].Rect)
	finish := func() {
		if pictures == 0 {
			return
		}
		head := append([]byte(nil), header...)
		binary.BigEndian.PutUint32(head, uint32(rect.Dx()))
		binary.BigEndian.PutUint32(head[4:], uint32(rect.Dy()))
		file := append(append([]byte(nil), signature...), chunk("IHDR", head)...)
		file = append(append(file, chunk("IDAT", stream)...), chunk("IEND", nil)...)
		m := testkit.Must(png.Decode(bytes.NewReader(file)))(t)
		require.Equal(t, rect.Size(), m.Bounds().Size())
		draw.Draw(shown, rect, m, image.Point{}, draw.Src)
		same(t, frames[pictures-1].Pix, shown.Pix)
		stream = nil
	}
	for data = data[8:]; len(data) > 0; {
		n := binary.BigEndian.Uint32(data)
		kind, body := string(data[4:8]), data[8:8+n]
		require.Equal(t, chunk(kind, body), data[:12+n], "check sum of %s", kind)
		data = data[12+n:]
		switch kind {
		case "IHDR":
			header = body
		case "acTL":
			require.Equal(t, uint32(len(frames)), binary.BigEndian.Uint32(body))
		case "fcTL":
			finish()
			require.Equal(t, sequence, binary.BigEndian.Uint32(body))
			at := func(i int) int { return int(binary.BigEndian.Uint32(body[4*i:])) }
			rect = image.Rect(at(3), at(4), at(3)+at(1), at(4)+at(2))
			sequence++
			pictures++
			delay += int(binary.BigEndian.Uint16(body[20:]))
		case "IDAT":
			stream = append(stream, body...)
		case "fdAT":
			require.Equal(t, sequence, binary.BigEndian.Uint32(body))
			sequence++
			stream = append(stream, body[4:]...)
		}
	}
	finish()
	require.Equal(t, len(frames), pictures)
	require.Equal(t, 27, delay)
}

// slow is an encoder that waits for permission for each picture.
type slow struct {
	pngFrames
	pass chan struct{}
}

func (s slow) encode(f *image.RGBA) ([]byte, error) {
	<-s.pass
	return s.pngFrames.encode(f)
}

// Add accepts pictures while others are encoded. If too many wait, it drops one instead of blocking; Finish encodes all accepted
// ones.
func TestRecorderDoesNotBlock(t *testing.T) {
	picture := func(v uint8) *image.RGBA {
		m := image.NewRGBA(image.Rect(0, 0, 16, 16))
		for i := range m.Pix {
			m.Pix[i] = v | 0xC0
		}
		return m
	}
	dir := t.TempDir()
	r := newRecorder(PNGs, &film{path: dir})
	r.room = 3 * 4 * 16 * 16
	s := slow{pass: make(chan struct{})}
	r.coder = s
	start := time.Now()
	for i := range 3 {
		require.True(t, r.Offer(picture(uint8(i)), start))
	}
	require.False(t, r.Offer(picture(9), start), "a fourth picture is dropped while three wait")
	taken, encoded, full := r.Progress()
	require.Equal(t, [2]int{3, 0}, [2]int{taken, encoded})
	require.False(t, full)
	s.pass <- struct{}{}
	require.Eventually(t, func() bool { _, n, _ := r.Progress(); return n == 1 }, 10*time.Second, time.Millisecond)
	offered.Add(maxOffered)
	require.False(t, r.Offer(picture(9), start), "all recordings share the room")
	offered.Add(-maxOffered)
	require.True(t, r.Offer(picture(3), start), "a picture is accepted once one is encoded")
	close(s.pass)
	require.Equal(t, 4, testkit.Must(r.Stop(start))(t))
	for i := range 4 {
		same(t, picture(uint8(i)).Pix, readPNG(t, filepath.Join(dir, fmt.Sprintf("frame-%05d.png", i))).Pix)
	}
	require.False(t, r.Offer(picture(4), start), "pictures after Stop are refused")
	require.Zero(t, offered.Load())
	_, err := os.Stat(filepath.Join(dir, "frame-00004.png"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

// Pictures of another size are scaled into the size of the first.
func TestRecordedPicturesAreScaled(t *testing.T) {
	plain := func(w, h int, v uint8) *image.RGBA {
		m := image.NewRGBA(image.Rect(0, 0, w, h))
		for i := range m.Pix {
			m.Pix[i] = v | 0xC0
		}
		return m
	}
	for _, c := range []struct {
		w, h int
		in   image.Rectangle // where the picture is placed
	}{{40, 30, image.Rect(0, 0, 40, 30)}, {20, 15, image.Rect(0, 0, 40, 30)}, {81, 60, image.Rect(0, 0, 40, 30)}, {20, 10, image.Rect(10, 10, 30, 20)}, {80, 30, image.Rect(0, 7, 40, 22)}, {40, 60, image.Rect(10, 0, 30, 30)}, {1, 400, image.Rect(20, 0, 20, 30)}} {
		got := fitted(plain(c.w, c.h, 7), image.Pt(40, 30))
		require.Equal(t, image.Rect(0, 0, 40, 30), got.Rect)
		for y := range 30 {
			for x := range 40 {
				want := uint8(0)
				if image.Pt(x, y).In(c.in) {
					want = 7 | 0xC0
				}
				require.Equal(t, want, got.RGBAAt(x, y).R, "%dx%d at %d,%d", c.w, c.h, x, y)
			}
		}
	}
	path := filepath.Join(t.TempDir(), "sizes.gif")
	r, start := NewRecorder(GIF), time.Now()
	for i, m := range []*image.RGBA{plain(40, 30, 1), plain(20, 60, 2), plain(41, 31, 3)} {
		r.Add(m, start.Add(time.Duration(i)*time.Second))
	}
	require.NoError(t, r.Finish(path, start.Add(3*time.Second)))
	f := testkit.Must(os.Open(path))(t)
	defer f.Close()
	g := testkit.Must(gif.DecodeAll(f))(t)
	require.Equal(t, []int{100, 100, 100}, g.Delay)
	require.Equal(t, [2]int{40, 30}, [2]int{g.Config.Width, g.Config.Height})
	require.Zero(t, g.LoopCount, "the animation repeats forever")
}

// A recording holds the pictures, in every format.
func TestRecordings(t *testing.T) {
	var frames []*image.RGBA
	for i := range 5 { // a shaded disc that moves over a gradient
		m := image.NewRGBA(image.Rect(0, 0, 200, 120))
		for y := range 120 {
			for x := range 200 {
				c := color.RGBA{uint8(y), uint8(y / 2), uint8(x / 2), 255}
				if dx, dy := x-60-10*i, y-60; dx*dx+dy*dy < 1600 {
					c = color.RGBA{uint8(200 - dx), uint8(100 + dy), 60, 255}
				}
				m.SetRGBA(x, y, c)
			}
		}
		frames = append(frames, m)
	}
	frames = append(frames, frames[4]) // no change
	for _, name := range []string{"gif", "apng", "png"} {
		t.Run(name, func(t *testing.T) {
			f := testkit.Must(ParseFormat(name))(t)
			path := filepath.Join(t.TempDir(), "r"+f.Ext())
			rec := NewRecorder(f)
			if f == PNGs {
				path = t.TempDir()
				rec = newRecorder(f, &film{path: path})
			}
			start := time.Now()
			for i, m := range frames {
				rec.Add(m, start.Add(time.Duration(i)*45*time.Millisecond))
			}
			if end := start.Add(6 * 45 * time.Millisecond); f == PNGs {
				testkit.Must(rec.Stop(end))(t)
			} else {
				require.NoError(t, rec.Finish(path, end))
			}
			checkRecording(t, f, path, frames)
		})
	}
	_, err := ParseFormat("mp4")
	require.Error(t, err)
	require.Error(t, NewRecorder(GIF).Finish("x", time.Now()))
}

func readPNG(t *testing.T, path string) *image.RGBA {
	f := testkit.Must(os.Open(path))(t)
	defer f.Close()
	m := testkit.Must(png.Decode(f))(t)
	out := image.NewRGBA(m.Bounds())
	draw.Draw(out, out.Rect, m, m.Bounds().Min, draw.Src)
	return out
}

// Formats wrap around when cycled, and each is found by its name.
func TestFormatsCycle(t *testing.T) {
	seen := ""
	for f, i := GIF, 0; i < 4; f, i = f.Next(), i+1 {
		seen += f.String() + f.Ext() + " "
		back := testkit.Must(ParseFormat(f.String()))(t)
		require.Equal(t, f, back)
	}
	require.Equal(t, "gif.gif apng.png png/ gif.gif ", seen)
	_, err := ParseFormat("bmp")
	require.EqualError(t, err, `no format of recordings is named "bmp"; there are gif, apng, png`)
}

func same(t *testing.T, want, got []byte) {
	t.Helper()
	require.True(t, bytes.Equal(want, got), "the pictures differ")
}
