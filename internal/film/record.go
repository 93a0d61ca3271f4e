package film

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	xdraw "golang.org/x/image/draw"

	"pica200/internal/files"
	"pica200/internal/gifs"
)

// Format is the file format of a recording.
type Format uint8

const (
	GIF  Format = iota // 256 colours; plays everywhere
	APNG               // lossless
	PNGs               // a folder of numbered pictures
	numFormats
)

var formatNames = [numFormats]string{"gif", "apng", "png"}

func (f Format) String() string { return formatNames[f] }

// Next returns the format after f.
func (f Format) Next() Format { return (f + 1) % numFormats }

// ParseFormat finds a format by its name.
func ParseFormat(s string) (Format, error) {
	for f, name := range formatNames {
		if s == name {
			return Format(f), nil
		}
	}
	return 0, fmt.Errorf("no format of recordings is named %q; there are gif, apng, png", s)
}

// Ext returns the ending of a recording's name; a slash means a folder.
func (f Format) Ext() string { return [...]string{".gif", ".png", "/"}[f] }

// Limits of what a recording keeps in memory, in bytes.
const (
	maxWaiting = 256 << 20 // pictures not encoded yet
	maxOffered = 96 << 20  // pictures not encoded yet, of all recordings of what happens now
)

// offered is the number of bytes of pictures not encoded yet, of all recordings: those that were stopped are still encoded.
var offered atomic.Int64

// Recorder encodes pictures on its own goroutine as they come, and writes them as one
// animated file or as a folder. It scales pictures to the size of the first one. Start
// one with NewRecorder and end it with Finish, which writes the file at the end; or
// start it with Record, which writes while pictures come, and end it with Stop.
type Recorder struct {
	format Format
	units  int   // of delays, a second
	room   int   // bytes of pictures that may wait to be encoded
	film   *film // where pictures are written as they come

	mu      sync.Mutex
	changed *sync.Cond
	waiting []taken
	bytes   int // bytes of the pictures that wait
	taken   int
	encoded int
	ended   bool
	err     error
	done    chan struct{} // closed when the goroutine has ended; nil before it starts

	// Used by the goroutine only, until done.
	size  image.Point
	coder coder
}

// coder encodes pictures in order. It returns nil for a picture equal to the
// last one.
type coder interface {
	encode(f *image.RGBA) ([]byte, error)
}

// taken is a picture with the time from which it is shown.
type taken struct {
	img *image.RGBA
	at  time.Time
}

// hundredths are the units of delays in GIF files.
const hundredths = 100

// NewRecorder starts a recording of an animated file, in memory.
func NewRecorder(f Format) *Recorder {
	return newRecorder(f, &film{f: &memory{}, units: hundredths})
}

func newRecorder(f Format, to *film) *Recorder {
	r := &Recorder{format: f, units: hundredths, room: maxWaiting, film: to}
	r.changed = sync.NewCond(&r.mu)
	return r
}

// Record starts a recording that is written while it runs, to a new file or
// folder (WriteFree). After each encoded picture the file is complete. rate, if
// not 0, is the pictures a second of a film that keeps exactly to it, where the
// format can.
func Record(f Format, base string, rate int) (r *Recorder, path string, err error) {
	r = newRecorder(f, nil)
	if rate > 0 && f == APNG {
		r.units = rate
	}
	path, err = files.WriteFree(base, f.Ext(), func(path string) error {
		r.film, err = newFilm(f, path, r.units)
		return err
	})
	return r, path, err
}

// Stop waits until all pictures are encoded and ends a recording started by
// Record; the last picture is shown until end. If an error ended the recording
// before, Stop returns it; the file keeps the pictures written so far, and
// pictures is their number.
func (r *Recorder) Stop(end time.Time) (pictures int, err error) {
	if !r.wait() {
		return 0, errors.Join(errors.New("nothing was recorded"), r.film.close(nil, end))
	}
	err = r.film.close(r.coder, end)
	return r.film.n, errors.Join(r.err, err)
}

// Discard ends a recording started by Record and removes what it has written.
func (r *Recorder) Discard() error {
	r.mu.Lock()
	r.drop()
	r.mu.Unlock()
	r.wait()
	var err error
	if r.film.f != nil {
		err = r.film.f.Close()
	}
	return errors.Join(err, os.RemoveAll(r.film.path))
}

// drop forgets the pictures that wait. It is called with the lock held.
func (r *Recorder) drop() {
	for _, t := range r.waiting {
		r.free(t)
	}
	r.waiting, r.ended = nil, true
}

// free counts a picture as gone. It is called with the lock held.
func (r *Recorder) free(t taken) {
	r.bytes -= len(t.img.Pix)
	offered.Add(-int64(len(t.img.Pix)))
}

// wait waits until all pictures are encoded; false if there were none.
func (r *Recorder) wait() bool {
	r.mu.Lock()
	r.ended = true
	r.changed.Broadcast()
	done := r.done
	r.mu.Unlock()
	if done != nil {
		<-done
	}
	return done != nil
}

// Add adds a picture that is shown from the time now; the caller must not
// change it any more. It waits while too many pictures are not encoded yet.
func (r *Recorder) Add(img *image.RGBA, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.bytes > r.room && r.err == nil {
		r.changed.Wait()
	}
	r.put(img, now)
}

// Offer is like Add but does not wait: it reports whether it took the picture.
// If not, the picture before is shown longer.
func (r *Recorder) Offer(img *image.RGBA, now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := len(img.Pix); r.bytes+n > r.room || offered.Load()+int64(n) > maxOffered || r.err != nil || r.ended {
		return false
	}
	r.put(img, now)
	return true
}

func (r *Recorder) put(img *image.RGBA, now time.Time) {
	if r.err != nil || r.ended {
		return // Finish returns the error
	}
	if r.done == nil {
		r.done = make(chan struct{})
		r.size = img.Rect.Size()
		go r.run()
	}
	r.waiting = append(r.waiting, taken{img, now})
	r.bytes += len(img.Pix)
	offered.Add(int64(len(img.Pix)))
	r.taken++
	r.changed.Broadcast()
}

// Progress returns the number of pictures taken and of those encoded. Full
// reports that no more are accepted.
func (r *Recorder) Progress() (taken, encoded int, full bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.taken, r.encoded, r.err != nil
}

// run encodes pictures as they come.
func (r *Recorder) run() {
	defer close(r.done)
	switch {
	case r.coder != nil: // of a test
	case r.format == GIF:
		r.coder = &gifFrames{gifs.Frames{Size: r.size}}
	case r.format == APNG:
		r.coder = &apngFrames{size: r.size, units: r.units}
	default:
		r.coder = pngFrames{}
	}
	for {
		r.mu.Lock()
		for len(r.waiting) == 0 && !r.ended {
			r.changed.Wait()
		}
		if len(r.waiting) == 0 {
			r.mu.Unlock()
			return
		}
		t := r.waiting[0]
		r.waiting[0] = taken{}
		r.waiting = r.waiting[1:]
		r.mu.Unlock()
		data, err := r.coder.encode(fitted(t.img, r.size))
		if data != nil && err == nil {
			err = r.film.add(r.coder, data, t.at)
		}
		r.mu.Lock()
		r.encoded++
		r.free(t)
		if err != nil {
			r.err = err
			r.drop()
		}
		r.changed.Broadcast()
		r.mu.Unlock()
	}
}

// Finish waits until all pictures are encoded and writes the recording of NewRecorder to a
// file; the last picture is shown until end.
func (r *Recorder) Finish(path string, end time.Time) error {
	if _, err := r.Stop(end); err != nil {
		return err
	}
	return files.Write(path, func(w io.Writer) error {
		_, err := w.Write(r.film.f.(*memory).data)
		return err
	})
}

// pngFrames encodes each picture as a PNG file.
type pngFrames struct{}

func (pngFrames) encode(f *image.RGBA) ([]byte, error) {
	var b bytes.Buffer
	err := png.Encode(&b, f)
	return b.Bytes(), err
}

// fitted returns a picture in the given size: unchanged, scaled if it is of the
// same shape, or centred on black and, if larger, made smaller.
func fitted(f *image.RGBA, size image.Point) *image.RGBA {
	s := f.Rect.Size()
	if s == size && f.Rect.Min == (image.Point{}) && f.Stride == 4*s.X {
		return f
	}
	out := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(out, out.Rect, image.Black, image.Point{}, draw.Src)
	to := s
	if wide, high := s.X*size.Y, s.Y*size.X; max(wide-high, high-wide)*50 < wide {
		to = size
	} else if s.X > size.X || s.Y > size.Y {
		if to = image.Pt(size.X, s.Y*size.X/s.X); to.Y > size.Y {
			to = image.Pt(s.X*size.Y/s.Y, size.Y)
		}
	}
	r := image.Rectangle{Max: to}.Add(size.Sub(to).Div(2))
	if to == s {
		draw.Draw(out, r, f, f.Rect.Min, draw.Src)
	} else {
		xdraw.BiLinear.Scale(out, r, f, f.Rect, draw.Src, nil)
	}
	return out
}
