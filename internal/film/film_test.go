package film

import (
	"bytes"
	"fmt"
	"image"
	"image/gif"
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
