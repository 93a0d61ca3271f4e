package session

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/png"
	"io"
)

// apngFrames encodes the pictures of an animated PNG (PNG specification, third
// edition, 11.3.6): each but the first has only the rectangle that changed.
type apngFrames struct {
	size   image.Point
	before *image.RGBA
}

// encode gives a picture as a rectangle (four numbers of 32 bits: width, height,
// left, top) and the chunks of a PNG file from IHDR on; nil where nothing changed.
func (a *apngFrames) encode(f *image.RGBA) ([]byte, error) {
	r := f.Rect
	if a.before != nil {
		r, _ = difference(f, a.before, false)
	}
	a.before = f
	if r.Empty() {
		return nil, nil
	}
	var b bytes.Buffer
	for _, v := range []int{r.Dx(), r.Dy(), r.Min.X, r.Min.Y} {
		b.Write(binary.BigEndian.AppendUint32(nil, uint32(v)))
	}
	if err := png.Encode(&b, opaqueImage{f.SubImage(r).(*image.RGBA)}); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// write puts the chunks together: acTL before the first picture and fcTL before
// each; the data of all but the first are in fdAT chunks.
func (a *apngFrames) write(w io.Writer, frames [][]byte, delays []int) error {
	chunk := func(kind string, data []byte) error {
		var b bytes.Buffer
		b.Write(binary.BigEndian.AppendUint32(nil, uint32(len(data))))
		b.WriteString(kind)
		b.Write(data)
		b.Write(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(b.Bytes()[4:])))
		_, err := w.Write(b.Bytes())
		return err
	}
	sequence := uint32(0)
	for n, f := range frames {
		rect, data := f[:16], f[16:]
		if n == 0 {
			if _, err := w.Write(data[:8]); err != nil {
				return err
			}
		}
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
					control := append(binary.BigEndian.AppendUint32(nil, sequence), rect...)
					control = binary.BigEndian.AppendUint16(control, uint16(min(delays[n], 0xFFFF)))
					control = append(binary.BigEndian.AppendUint16(control, 100), 0, 0)
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
