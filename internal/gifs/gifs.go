// Package gifs writes animated GIF files picture by picture, each with its own
// palette; image/gif can only write all pictures at once.
package gifs

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/gif"
	"math/bits"
	"sort"
)

// Frames encodes the pictures of an animated GIF. Each picture after the first
// has only the rectangle that changed, with unchanged pixels transparent, and
// its own palette, made from the changed pixels.
type Frames struct {
	Size   image.Point
	before *image.RGBA
}

// header is the size of what image/gif writes before the blocks of a picture:
// the signature and the screen descriptor, without a global palette.
const header = 13

// Encode returns the index of the transparent colour and the blocks of a
// picture; nil if nothing changed.
func (g *Frames) Encode(f *image.RGBA) ([]byte, error) {
	first := g.before == nil
	if first {
		g.before = f
	}
	changed, pix := Difference(f, g.before, first)
	if changed.Empty() {
		return nil, nil
	}
	before := g.before
	g.before = f
	palette := makePalette(pix, 255)
	clear := uint8(len(palette)) // the one that is transparent
	m := image.NewPaletted(changed, append(palette[:len(palette):len(palette)], color.Black))
	// Colours that differ only in the lowest two bits share an entry.
	cache := map[[3]uint8]uint8{}
	for y := changed.Min.Y; y < changed.Max.Y; y++ {
		for x := changed.Min.X; x < changed.Max.X; x++ {
			at := m.PixOffset(x, y)
			c := f.RGBAAt(x, y)
			if !first && c == before.RGBAAt(x, y) {
				m.Pix[at] = clear
				continue
			}
			key := [3]uint8{c.R >> 2, c.G >> 2, c.B >> 2}
			index, ok := cache[key]
			if !ok {
				index = uint8(palette.Index(color.RGBA{c.R, c.G, c.B, 255}))
				cache[key] = index
			}
			m.Pix[at] = index
		}
	}
	// Without delay, disposal and transparency image/gif writes no graphic control
	// extension; Picture adds one.
	var b bytes.Buffer
	one := gif.GIF{Image: []*image.Paletted{m}, Delay: []int{0}, Config: image.Config{Width: g.Size.X, Height: g.Size.Y}}
	if err := gif.EncodeAll(&b, &one); err != nil {
		return nil, err
	}
	return append([]byte{clear}, b.Bytes()[header:b.Len()-1]...), nil // without the trailer
}

// Head returns the start of the file (GIF89a; the loop is Netscape's
// extension).
func (g *Frames) Head() []byte {
	head := append([]byte("GIF89a"), 0, 0, 0, 0, 0, 0, 0)
	binary.LittleEndian.PutUint16(head[6:], uint16(g.Size.X))
	binary.LittleEndian.PutUint16(head[8:], uint16(g.Size.Y))
	head = append(head, 0x21, 0xFF, 11)
	return append(append(head, "NETSCAPE2.0"...), 3, 1, 0, 0, 0)
}

// Picture returns a picture in file format, from the result of Encode, with its
// delay in hundredths of a second.
func (g *Frames) Picture(data []byte, delay int) []byte {
	control := binary.LittleEndian.AppendUint16([]byte{0x21, 0xF9, 4, gif.DisposalNone<<2 | 1}, uint16(min(delay, 0xFFFF)))
	return append(append(control, data[0], 0), data[1:]...)
}

// Tail returns the end of the file.
func (g *Frames) Tail() []byte { return []byte{0x3B} }

// Difference returns the rectangle in which two pictures differ, and its pixels
// in the first; everything if whole is set.
func Difference(f, before *image.RGBA, whole bool) (r image.Rectangle, pix []uint8) {
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

// histogramEntry is the pixels with the same six highest bits in each channel.
type histogramEntry struct {
	sum   [3]uint64
	count uint64
}

func (e *histogramEntry) mean(k int) uint64 { return e.sum[k] / e.count }

// histogram counts pixels of four bytes, in the order of their colours.
func histogram(pix []uint8) (used []histogramEntry) {
	counts := make([]histogramEntry, 1<<18)
	for i := 0; i+3 < len(pix); i += 4 {
		e := &counts[int(pix[i]>>2)<<12|int(pix[i+1]>>2)<<6|int(pix[i+2]>>2)]
		e.count++
		for k := range 3 {
			e.sum[k] += uint64(pix[i+k])
		}
	}
	for _, e := range counts {
		if e.count > 0 {
			used = append(used, e)
		}
	}
	return used
}

// colourBox is a set of colours that share an entry of a palette.
type colourBox []histogramEntry

// total is the sum of all pixels.
func (b colourBox) total() (all histogramEntry) {
	for _, e := range b {
		all.count += e.count
		for k := range 3 {
			all.sum[k] += e.sum[k]
		}
	}
	return all
}

// widest returns the channel in which a box is widest, and a score for cutting
// it: wide boxes with few pixels score less. 0 is a box with one colour.
func (b colourBox) widest() (channel int, score float64) {
	weight := float64(bits.Len64(b.total().count))
	for k := range 3 {
		lo, hi := uint64(255), uint64(0)
		for i := range b {
			lo, hi = min(lo, b[i].mean(k)), max(hi, b[i].mean(k))
		}
		if s := float64((hi-lo)*(hi-lo)) * weight; len(b) > 1 && s > score {
			channel, score = k, s
		}
	}
	return channel, score
}

// cut splits a box at the median of its pixels.
func (b colourBox) cut(channel int) (low, high colourBox) {
	sort.SliceStable(b, func(i, j int) bool { return b[i].mean(channel) < b[j].mean(channel) })
	half, at := b[0].count, 1
	for total := b.total().count; at < len(b)-1 && half < total/2; at++ {
		half += b[at].count
	}
	return b[:at], b[at:]
}

// makePalette chooses at most n colours by median cut (Heckbert, 1982) over pixels
// of four bytes.
func makePalette(pix []uint8, n int) color.Palette {
	boxes := []colourBox{histogram(pix)}
	for len(boxes) < n {
		best, channel, score := 0, 0, 0.0
		for i, b := range boxes {
			if k, s := b.widest(); s > score {
				best, channel, score = i, k, s
			}
		}
		if score == 0 {
			break
		}
		low, high := boxes[best].cut(channel)
		boxes[best] = low
		boxes = append(boxes, high)
	}
	p := make(color.Palette, 0, n)
	for _, b := range boxes {
		if all := b.total(); all.count > 0 {
			p = append(p, color.RGBA{uint8(all.mean(0)), uint8(all.mean(1)), uint8(all.mean(2)), 255})
		}
	}
	return p
}
