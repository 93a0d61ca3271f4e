package session

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"io"
	"sort"
)

// gifFrames encodes the pictures of an animated GIF. Each but the first has only
// the rectangle that changed, in which pixels that stay are transparent, and a
// palette of its own, made of the pixels that change.
type gifFrames struct {
	size   image.Point
	before *image.RGBA
}

// gifHeader is what image/gif writes before the blocks of a picture: the
// signature and the description of the screen, without a palette for all.
const gifHeader = 13

// encode gives the blocks of a picture, with a delay to be put in by write; nil
// where nothing changed.
func (g *gifFrames) encode(f *image.RGBA) ([]byte, error) {
	first := g.before == nil
	if first {
		g.before = f
	}
	changed, pix := difference(f, g.before, first)
	if changed.Empty() {
		return nil, nil
	}
	before := g.before
	g.before = f
	palette := makePalette(pix, 255)
	clear := uint8(len(palette)) // the one that is transparent
	m := image.NewPaletted(changed, append(palette[:len(palette):len(palette)], color.RGBA{}))
	// Colours that differ in the lowest two bits share an entry.
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
	var b bytes.Buffer
	one := gif.GIF{
		Image: []*image.Paletted{m}, Delay: []int{gifDelay}, Disposal: []byte{gif.DisposalNone},
		Config: image.Config{Width: g.size.X, Height: g.size.Y},
	}
	if err := gif.EncodeAll(&b, &one); err != nil {
		return nil, err
	}
	blocks := b.Bytes()[gifHeader : b.Len()-1] // but for the trailer
	if blocks[0] != 0x21 || blocks[1] != 0xF9 || binary.LittleEndian.Uint16(blocks[4:]) != gifDelay {
		return nil, fmt.Errorf("the encoder of GIF files does not begin a picture with its graphic control extension (% X)", blocks[:6])
	}
	return blocks, nil
}

// gifDelay stands for the delay of a picture until it is known.
const gifDelay = 0x7654

// write puts the pictures together (GIF89a; the loop is Netscape's extension).
func (g *gifFrames) write(w io.Writer, frames [][]byte, delays []int) error {
	head := append([]byte("GIF89a"), 0, 0, 0, 0, 0, 0, 0)
	binary.LittleEndian.PutUint16(head[6:], uint16(g.size.X))
	binary.LittleEndian.PutUint16(head[8:], uint16(g.size.Y))
	head = append(head, 0x21, 0xFF, 11)
	head = append(append(head, "NETSCAPE2.0"...), 3, 1, 0, 0, 0)
	if _, err := w.Write(head); err != nil {
		return err
	}
	for i, f := range frames {
		binary.LittleEndian.PutUint16(f[4:], uint16(min(delays[i], 0xFFFF)))
		if _, err := w.Write(f); err != nil {
			return err
		}
	}
	_, err := w.Write([]byte{0x3B})
	return err
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
