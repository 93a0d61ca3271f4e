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
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/internal/gifs"
	"pica200/tests/testkit"
)

// small is a disk with limited room; a write beyond it is partial.
type small struct {
	filmFile
	room int64
}

func (s small) WriteAt(p []byte, at int64) (int, error) {
	if over := at + int64(len(p)) - s.room; over > 0 {
		n, err := s.filmFile.WriteAt(p[:max(int64(len(p))-over, 0)], at)
		if err == nil {
			err = syscall.ENOSPC
		}
		return n, err
	}
	return s.filmFile.WriteAt(p, at)
}

// A picture that could not be written leaves no time: the next one is shown for its own.
func TestTimesAfterAFailedWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.gif")
	require.NoError(t, os.WriteFile(path, nil, 0o666))
	m := testkit.Must(newFilm(GIF, path, hundredths))(t)
	c := &gifFrames{gifs.Frames{Size: image.Pt(8, 8)}}
	start, file := time.Now(), m.f
	for i, room := range []int64{1 << 20, 0, 1 << 20} {
		m.f = small{file, room}
		picture := image.NewRGBA(image.Rect(0, 0, 8, 8))
		picture.Pix[4*i], picture.Pix[4*i+3] = 255, 255
		data := testkit.Must(c.encode(picture))(t)
		require.Equal(t, room == 0, m.add(c, data, start.Add(time.Duration(i*i)*100*time.Millisecond)) != nil)
	}
	m.f = file
	require.NoError(t, m.close(c, start.Add(time.Second)))
	g := testkit.Must(gif.DecodeAll(bytes.NewReader(testkit.Read(t, path))))(t)
	require.Equal(t, []int{40, 60}, g.Delay)
}

// A recording is a complete file after each picture. If the disk is full, the pictures recorded so far stay, and an error is
// returned.
func TestRecordingIsCompleteAfterEachPicture(t *testing.T) {
	frame := func(v uint8) *image.RGBA {
		m := image.NewRGBA(image.Rect(0, 0, 24, 16))
		for i := range m.Pix {
			m.Pix[i] = v*16 | 3
			if i%4 == 3 {
				m.Pix[i] = 255
			}
		}
		for i := range 64 { // incompressible
			m.Pix[4*i] = uint8(i*int(v)*37 + i*i)
		}
		return m
	}
	start := time.Now()
	at := func(i int) time.Time { return start.Add(time.Duration(i) * 45 * time.Millisecond) }
	// pictures counts the pictures of a recording and compares them with the originals.
	pictures := func(f Format, path string, end int) int {
		switch f {
		case GIF:
			g := testkit.Must(gif.DecodeAll(bytes.NewReader(testkit.Read(t, path))))(t)
			if end > 0 {
				sum := 0
				for _, d := range g.Delay {
					sum += d
				}
				require.Equal(t, end, sum)
			}
			return len(g.Image)
		case APNG:
			data := testkit.Read(t, path)
			n := bytes.Count(data, []byte("fcTL"))
			require.Equal(t, byte(n), data[8+25+8+3], "acTL")
			require.True(t, bytes.HasSuffix(data, pngChunk("IEND", nil)))
			readPNG(t, path)
			return n
		}
		list := testkit.Must(filepath.Glob(filepath.Join(path, "frame-*.png")))(t)
		for i, p := range list {
			same(t, frame(uint8(i)).Pix, readPNG(t, p).Pix)
		}
		return len(list)
	}
	for _, f := range []Format{GIF, APNG, PNGs} {
		r, path, err := Record(f, filepath.Join(t.TempDir(), "r"), 0)
		require.NoError(t, err)
		var all []*image.RGBA
		for i := range 6 {
			all = append(all, frame(uint8(i)))
			r.Add(all[i], at(i))
			require.Eventually(t, func() bool { _, n, _ := r.Progress(); return n == i+1 }, 20*time.Second, time.Millisecond)
			require.Equal(t, i+1, pictures(f, path, 0), "%v", f)
		}
		n := testkit.Must(r.Stop(at(6)))(t)
		require.Equal(t, 6, n)
		require.Equal(t, 6, pictures(f, path, 27))
		if f == APNG {
			checkAPNG(t, testkit.Read(t, path), all)
		}

		// Writing during the recording or at the end gives the same bytes.
		if f != PNGs {
			whole := NewRecorder(f)
			for i := range 6 {
				whole.Add(all[i], at(i))
			}
			other := filepath.Join(t.TempDir(), "whole")
			require.NoError(t, whole.Finish(other, at(6)))
			require.Equal(t, testkit.Read(t, other), testkit.Read(t, path))
		}

		size := int64(0)
		if f != PNGs {
			size = int64(len(testkit.Read(t, path)))
		}

		// A recording without pictures leaves no file.
		none, path, err := Record(f, filepath.Join(t.TempDir(), "r"), 0)
		require.NoError(t, err)
		_, err = none.Stop(start)
		require.ErrorContains(t, err, "nothing was recorded")
		_, err = os.Stat(path)
		require.ErrorIs(t, err, os.ErrNotExist)
		if f == PNGs {
			continue
		}
		for _, room := range []int64{0, 40, size / 3, size / 2, size - 20, size - 1} {
			r, path, err := Record(f, filepath.Join(t.TempDir(), fmt.Sprint("full", room)), 0)
			require.NoError(t, err)
			r.film.f = small{r.film.f, room}
			for i := range 6 {
				r.Add(all[i], at(i))
			}
			n, err := r.Stop(at(6))
			require.ErrorIs(t, err, syscall.ENOSPC)
			require.Less(t, n, 6)
			if n == 0 {
				_, err = os.Stat(path)
				require.ErrorIs(t, err, os.ErrNotExist)
				continue
			}
			require.Equal(t, n, pictures(f, path, 0), "%v with room for %d bytes", f, room)
		}
	}
}

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
