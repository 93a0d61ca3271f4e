package film

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/png"

	"pica200/internal/gifs"
)

// apngFrames encodes the pictures of an animated PNG (PNG specification, third
// edition, 11.3.6). All but the first store only the changed rectangle.
type apngFrames struct {
	size   image.Point
	units  int // of delays, a second
	before *image.RGBA
}

// encode returns a picture as a rectangle (four 32-bit numbers: width, height,
// left, top) and the chunks of a PNG file from IHDR on; nil if nothing changed.
func (a *apngFrames) encode(f *image.RGBA) ([]byte, error) {
	r := f.Rect
	if a.before != nil {
		r, _ = gifs.Difference(f, a.before, false)
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

// pngChunk is a chunk of a PNG file.
func pngChunk(kind string, data []byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	b = append(append(b, kind...), data...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
}

// pngChunks calls f with each chunk of a picture from encode.
func pngChunks(data []byte, f func(kind string, body []byte)) {
	for data = data[16+8:]; len(data) >= 12; {
		size := binary.BigEndian.Uint32(data)
		f(string(data[4:8]), data[8:8+size])
		data = data[12+size:]
	}
}

// head implements animated: the signature, IHDR and acTL.
func (a *apngFrames) head(first []byte, pictures int) (out []byte) {
	out = append(out, first[16:16+8]...)
	pngChunks(first, func(kind string, body []byte) {
		if kind == "IHDR" {
			out = append(out, pngChunk(kind, body)...)
		}
	})
	all := binary.BigEndian.AppendUint32(nil, uint32(pictures))
	return append(out, pngChunk("acTL", binary.BigEndian.AppendUint32(all, 0))...)
}

// picture implements animated: an fcTL chunk before each picture; all but the
// first have fdAT chunks.
func (a *apngFrames) picture(n int, data []byte, delay int, sequence *uint32) []byte {
	control := append(binary.BigEndian.AppendUint32(nil, *sequence), data[:16]...)
	control = binary.BigEndian.AppendUint16(control, uint16(min(delay, 0xFFFF)))
	control = append(binary.BigEndian.AppendUint16(control, uint16(a.units)), 0, 0)
	out := pngChunk("fcTL", control)
	*sequence++
	pngChunks(data, func(kind string, body []byte) {
		switch {
		case kind != "IDAT":
		case n > 0:
			out = append(out, pngChunk("fdAT", append(binary.BigEndian.AppendUint32(nil, *sequence), body...))...)
			*sequence++
		default:
			out = append(out, pngChunk(kind, body)...)
		}
	})
	return out
}

// tail implements animated.
func (a *apngFrames) tail() []byte { return pngChunk("IEND", nil) }

// opaqueImage makes the encoder use the same pixel format for all pictures:
// without alpha.
type opaqueImage struct{ *image.RGBA }

func (opaqueImage) Opaque() bool { return true }
