package session

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
	"io"
	"os"
	"path/filepath"
	"sort"
	"time"

	"pica200/internal/files"
)

// Format is a kind of recording.
type Format uint8

const (
	GIF  Format = iota // 256 colours, plays everywhere
	APNG               // exact
	PNGs               // a folder of numbered pictures
)

// ParseFormat finds a format by its name.
func ParseFormat(s string) (Format, error) {
	switch s {
	case "gif":
		return GIF, nil
	case "apng":
		return APNG, nil
	case "png":
		return PNGs, nil
	}
	return 0, fmt.Errorf("no format of recordings is named %q; there are gif, apng, png", s)
}

// Ext is what the name of a recording ends in.
// A slash is a folder.
func (f Format) Ext() string { return [...]string{".gif", ".png", "/"}[f] }

// Recorder keeps pictures and writes them as one animated file, or as a folder.
type Recorder struct {
	format Format
	frames []*image.RGBA
	times  []time.Time
}

// NewRecorder begins a recording.
func NewRecorder(f Format) *Recorder { return &Recorder{format: f} }

// Add takes a picture that must not change any more, shown from the time now
// on.
func (r *Recorder) Add(img *image.RGBA, now time.Time) {
	r.frames = append(r.frames, img)
	r.times = append(r.times, now)
}

// delays are how long each picture is shown, in hundredths of a second; what is
// lost by rounding is made up for by the next.
func (r *Recorder) delays(end time.Time) []int {
	d := make([]int, len(r.frames))
	sum := 0
	for i := range d {
		until := end
		if i+1 < len(d) {
			until = r.times[i+1]
		}
		d[i] = max(int(until.Sub(r.times[0])/(10*time.Millisecond))-sum, 2)
		sum += d[i]
	}
	return d
}

// Finish writes the recording to a file, or a folder of PNG files; the last
// picture is shown until end.
func (r *Recorder) Finish(path string, end time.Time) error {
	if len(r.frames) == 0 {
		return fmt.Errorf("nothing was recorded")
	}
	r.pad()
	if r.format == PNGs {
		if err := os.MkdirAll(path, 0o777); err != nil {
			return err
		}
		for i, f := range r.frames {
			err := files.Write(filepath.Join(path, fmt.Sprintf("frame-%05d.png", i)), func(w io.Writer) error { return png.Encode(w, f) })
			if err != nil {
				return err
			}
		}
		return nil
	}
	return files.Write(path, func(w io.Writer) error {
		if r.format == APNG {
			return encodeAPNG(w, r.frames, r.delays(end))
		}
		return encodeGIF(w, r.frames, r.delays(end))
	})
}

// pad gives all pictures the size of the greatest.
func (r *Recorder) pad() {
	var w, h int
	for _, f := range r.frames {
		w, h = max(w, f.Rect.Dx()), max(h, f.Rect.Dy())
	}
	for i, f := range r.frames {
		if f.Rect.Dx() == w && f.Rect.Dy() == h {
			continue
		}
		m := image.NewRGBA(image.Rect(0, 0, w, h))
		draw.Draw(m, m.Rect, image.Black, image.Point{}, draw.Src)
		draw.Draw(m, f.Rect.Add(image.Pt((w-f.Rect.Dx())/2, (h-f.Rect.Dy())/2)), f, f.Rect.Min, draw.Src)
		r.frames[i] = m
	}
}

// encodeGIF writes an animation. Each picture but the first has only the
// rectangle that changed, in which pixels that stay are transparent, and a
// palette of its own, made of the pixels that change.
func encodeGIF(w io.Writer, frames []*image.RGBA, delays []int) error {
	size := frames[0].Rect.Size()
	out := gif.GIF{Config: image.Config{Width: size.X, Height: size.Y}}
	for n, f := range frames {
		changed, pix := difference(f, frames[max(n-1, 0)], n == 0)
		if changed.Empty() {
			// Nothing changed: the picture before stays longer.
			out.Delay[len(out.Delay)-1] += delays[n]
			continue
		}
		palette := makePalette(pix, 255)
		clear := uint8(len(palette)) // the one that is transparent
		m := image.NewPaletted(changed, append(palette[:len(palette):len(palette)], color.RGBA{}))
		// Colours that differ in the lowest two bits share an entry.
		cache := map[[3]uint8]uint8{}
		for y := changed.Min.Y; y < changed.Max.Y; y++ {
			for x := changed.Min.X; x < changed.Max.X; x++ {
				at := m.PixOffset(x, y)
				if n > 0 && f.RGBAAt(x, y) == frames[n-1].RGBAAt(x, y) {
					m.Pix[at] = clear
					continue
				}
				c := f.RGBAAt(x, y)
				key := [3]uint8{c.R >> 2, c.G >> 2, c.B >> 2}
				index, ok := cache[key]
				if !ok {
					index = uint8(palette.Index(color.RGBA{c.R, c.G, c.B, 255}))
					cache[key] = index
				}
				m.Pix[at] = index
			}
		}
		out.Image = append(out.Image, m)
		out.Delay = append(out.Delay, delays[n])
		out.Disposal = append(out.Disposal, gif.DisposalNone)
	}
	return gif.EncodeAll(w, &out)
}

// difference is the rectangle in which two pictures differ, and the pixels of
// the first that do; all of them if it is to be whole.
func difference(f, before *image.RGBA, whole bool) (r image.Rectangle, pix []uint8) {
	width := f.Rect.Dx()
	for i := 0; i+3 < len(f.Pix); i += 4 {
		if !whole && [4]uint8(f.Pix[i:]) == [4]uint8(before.Pix[i:]) {
			continue
		}
		x, y := i/4%width, i/4/width
		r = r.Union(image.Rect(x, y, x+1, y+1))
		pix = append(pix, f.Pix[i:i+4]...)
	}
	return r, pix
}

// makePalette chooses colours by median cut (Heckbert, 1982) over pixels of
// four bytes, counted with six bits a channel.
func makePalette(pix []uint8, n int) color.Palette {
	type entry struct {
		sum   [3]uint64
		count uint64
	}
	counts := make([]entry, 1<<18)
	for i := 0; i+3 < len(pix); i += 4 {
		e := &counts[int(pix[i]>>2)<<12|int(pix[i+1]>>2)<<6|int(pix[i+2]>>2)]
		e.count++
		for k := range 3 {
			e.sum[k] += uint64(pix[i+k])
		}
	}
	var used []entry
	for _, e := range counts {
		if e.count > 0 {
			used = append(used, e)
		}
	}
	mean := func(e *entry, k int) uint64 { return e.sum[k] / e.count }
	boxes := [][]entry{used}
	for len(boxes) < n {
		// The box with the widest channel is cut at the median of its
		// pixels; wide boxes of few pixels count less.
		best, channel, score := -1, 0, 0.0
		for i, b := range boxes {
			if len(b) < 2 {
				continue
			}
			total := uint64(0)
			lo, hi := [3]uint64{255, 255, 255}, [3]uint64{}
			for j := range b {
				total += b[j].count
				for k := range 3 {
					lo[k], hi[k] = min(lo[k], mean(&b[j], k)), max(hi[k], mean(&b[j], k))
				}
			}
			for k := range 3 {
				width := float64(hi[k] - lo[k])
				weight := 1.0
				for t := total; t > 1; t >>= 1 {
					weight++
				}
				if s := width * width * weight; s > score {
					best, channel, score = i, k, s
				}
			}
		}
		if best < 0 {
			break
		}
		b := boxes[best]
		sort.SliceStable(b, func(i, j int) bool { return mean(&b[i], channel) < mean(&b[j], channel) })
		total, half, at := uint64(0), uint64(0), 0
		for j := range b {
			total += b[j].count
		}
		for at < len(b)-1 && (half < total/2 || at == 0) {
			half += b[at].count
			at++
		}
		boxes[best] = b[:at]
		boxes = append(boxes, b[at:])
	}
	p := make(color.Palette, 0, n)
	for _, b := range boxes {
		var all entry
		for j := range b {
			all.count += b[j].count
			for k := range 3 {
				all.sum[k] += b[j].sum[k]
			}
		}
		if all.count > 0 {
			p = append(p, color.RGBA{uint8(mean(&all, 0)), uint8(mean(&all, 1)), uint8(mean(&all, 2)), 255})
		}
	}
	return p
}

// encodeAPNG writes an animated PNG (PNG specification, third edition, 11.3.6):
// the chunks of one PNG file a picture, with acTL before the first and fcTL
// before each; the data of all but the first are in fdAT chunks.
func encodeAPNG(w io.Writer, frames []*image.RGBA, delays []int) error {
	chunk := func(kind string, data []byte) error {
		var b bytes.Buffer
		binary.Write(&b, binary.BigEndian, uint32(len(data)))
		b.WriteString(kind)
		b.Write(data)
		binary.Write(&b, binary.BigEndian, crc32.ChecksumIEEE(b.Bytes()[4:]))
		_, err := w.Write(b.Bytes())
		return err
	}
	sequence := uint32(0)
	for n, f := range frames {
		var file bytes.Buffer
		if err := png.Encode(&file, opaqueImage{f}); err != nil {
			return err
		}
		data := file.Bytes()
		if n == 0 {
			if _, err := w.Write(data[:8]); err != nil {
				return err
			}
		}
		control := binary.BigEndian.AppendUint32(nil, sequence)
		for _, v := range []int{f.Rect.Dx(), f.Rect.Dy(), 0, 0} {
			control = binary.BigEndian.AppendUint32(control, uint32(v))
		}
		control = binary.BigEndian.AppendUint16(control, uint16(min(delays[n], 0xFFFF)))
		control = append(binary.BigEndian.AppendUint16(control, 100), 0, 0)
		begun := false
		for data = data[8:]; len(data) >= 12; {
			size := binary.BigEndian.Uint32(data)
			kind, body := string(data[4:8]), data[8:8+size]
			data = data[12+size:]
			switch {
			case kind == "IHDR" && n == 0:
				if err := chunk(kind, body); err != nil {
					return err
				}
				all := binary.BigEndian.AppendUint32(nil, uint32(len(frames)))
				if err := chunk("acTL", binary.BigEndian.AppendUint32(all, 0)); err != nil {
					return err
				}
			case kind == "IDAT":
				if !begun {
					begun = true
					if err := chunk("fcTL", control); err != nil {
						return err
					}
					sequence++
				}
				if n > 0 {
					kind, body = "fdAT", append(binary.BigEndian.AppendUint32(nil, sequence), body...)
					sequence++
				}
				if err := chunk(kind, body); err != nil {
					return err
				}
			}
		}
	}
	return chunk("IEND", nil)
}

// opaqueImage makes the encoder choose the same kind of pixels for every
// picture: without alpha.
type opaqueImage struct{ *image.RGBA }

func (opaqueImage) Opaque() bool { return true }
