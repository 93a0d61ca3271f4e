// Package film writes moving pictures: GIF, APNG and folders of PNG files.
package film

import (
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"path/filepath"
	"time"

	"pica200/internal/files"
	"pica200/internal/gifs"
)

// animated is the layout of an animation file: a head, the pictures and a tail.
// Lengths do not depend on counts and delays.
type animated interface {
	coder
	// head returns the start of the file for count pictures; first is the first
	// one, from encode.
	head(first []byte, pictures int) []byte
	// picture returns picture n as stored in the file, shown for a time in
	// units of the film. sequence counts the parts of all pictures; picture
	// advances it.
	picture(n int, data []byte, delay int, sequence *uint32) []byte
	tail() []byte
}

// gifFrames are the pictures of an animated GIF.
type gifFrames struct{ gifs.Frames }

func (g *gifFrames) encode(f *image.RGBA) ([]byte, error) { return g.Encode(f) }
func (g *gifFrames) head([]byte, int) []byte              { return g.Head() }
func (g *gifFrames) picture(_ int, data []byte, delay int, _ *uint32) []byte {
	return g.Picture(data, delay)
}
func (g *gifFrames) tail() []byte { return g.Tail() }

// film is a recording that is written while it runs. After each picture the
// file is complete, so that a crash of the program loses nothing.
type film struct {
	path  string   // of the file, or of the folder
	f     filmFile // nil for a folder
	units int      // of delays, a second
	n     int      // number of pictures
	first []byte   // from encode
	times []time.Time

	last       []byte // the last picture, from encode
	lastAt     int64  // its offset in the file
	lastBefore uint32 // sequence before it
	sequence   uint32
	end        int64 // offset of the tail, after the last picture
}

// filmFile is the file of a film.
type filmFile interface {
	io.WriterAt
	io.Closer
	Truncate(size int64) error
}

// memory is a file in memory.
type memory struct{ data []byte }

// maxMemory bounds the bytes of a file in memory.
const maxMemory = 512 << 20

func (m *memory) WriteAt(p []byte, at int64) (int, error) {
	end := at + int64(len(p))
	if end > maxMemory {
		return 0, fmt.Errorf("the recording has more than %d bytes", maxMemory)
	}
	m.data = append(m.data, make([]byte, max(end-int64(len(m.data)), 0))...)
	return copy(m.data[at:], p), nil
}

func (m *memory) Truncate(size int64) error {
	m.data = m.data[:size]
	return nil
}

func (m *memory) Close() error { return nil }

// newFilm starts a film in an empty file or folder.
func newFilm(f Format, path string, units int) (*film, error) {
	m := &film{path: path, units: units}
	if f == PNGs {
		return m, nil
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	m.f = file
	return m, err
}

// delay returns how long picture i is shown if the next one follows at a given
// time; rounding errors do not add up.
func (m *film) delay(i int, until time.Time) int {
	at := func(t time.Time) int { return int(t.Sub(m.times[0]) * time.Duration(m.units) / time.Second) }
	return max(at(until)-at(m.times[i]), leastDelay(m.units))
}

// leastDelay is the least delay that players keep to: they show a hundredth of
// a second as a tenth.
func leastDelay(units int) int {
	if units == hundredths {
		return 2
	}
	return 1
}

// add writes a picture that is shown from a given time on. After an error the
// file is unchanged.
func (m *film) add(c coder, data []byte, at time.Time) error {
	a, ok := c.(animated)
	if !ok {
		path := filepath.Join(m.path, fmt.Sprintf("frame-%05d.png", m.n))
		err := files.Write(path, func(w io.Writer) error { _, err := w.Write(data); return err })
		if err == nil {
			m.n++
		}
		return err
	}
	if m.n == 0 {
		m.first = data
		m.end = int64(len(a.head(data, 1)))
	}
	start, sequence := m.end, m.sequence
	m.times = append(m.times, at)
	body := a.picture(m.n, data, 2, &sequence)
	_, err := m.f.WriteAt(append(body, a.tail()...), start)
	if err == nil && m.n > 0 {
		err = m.show(a, at)
	}
	if err == nil {
		_, err = m.f.WriteAt(a.head(m.first, m.n+1), 0)
	}
	if err != nil {
		m.times = m.times[:m.n]
		if m.n > 0 { // keep what is in the file
			_, e := m.f.WriteAt(a.tail(), start)
			err = errors.Join(err, e, m.f.Truncate(start+int64(len(a.tail()))))
		}
		return err
	}
	m.last, m.lastAt, m.lastBefore = data, start, m.sequence
	m.sequence, m.end = sequence, start+int64(len(body))
	m.n++
	return nil
}

// show extends the time of the last picture.
func (m *film) show(a animated, until time.Time) error {
	sequence := m.lastBefore
	_, err := m.f.WriteAt(a.picture(m.n-1, m.last, m.delay(m.n-1, until), &sequence), m.lastAt)
	return err
}

// close ends the film; the last picture is shown until end. A film without
// pictures is deleted.
func (m *film) close(c coder, end time.Time) error {
	if m.f == nil {
		if m.n == 0 {
			os.Remove(m.path)
		}
		return nil
	}
	var err error
	if a, ok := c.(animated); ok && m.n > 0 {
		err = m.show(a, end)
	}
	err = errors.Join(err, m.f.Close())
	if m.n == 0 && m.path != "" {
		err = errors.Join(err, os.Remove(m.path))
	}
	return err
}
