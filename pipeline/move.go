package pipeline

import (
	"fmt"
	"image"
)

// Move is a memory fill, a display transfer, a texture copy or a load: the work
// of a frame besides draws.
type Move interface {
	fmt.Stringer
	// Writes returns the range of physical memory that it writes; 0 bytes if it
	// cannot run.
	Writes() (addr, bytes uint32)
}

// Writes returns the range that is filled.
func (f Fill) Writes() (addr, bytes uint32) { return f.Start, max(f.End, f.Start) - f.Start }

// Writes returns the range of the output.
func (t Transfer) Writes() (addr, bytes uint32) {
	_, dst, _ := t.spans()
	return dst.addr, dst.bytes
}

// Writes returns the range of the output, including the gaps between its lines.
func (c TextureCopy) Writes() (addr, bytes uint32) {
	_, dst, _ := c.spans()
	return dst.addr, dst.bytes
}

// Load is a write of memory by the CPU.
type Load struct {
	Addr  uint32
	Bytes int
}

func (Load) String() string { return "memory load" }

// Writes returns the range that is written.
func (l Load) Writes() (addr, bytes uint32) { return l.Addr, uint32(l.Bytes) }

// TransferImage returns the output of a transfer as an image, with rows as they
// lie in memory. The output for a screen therefore lies on its side.
func (g *GPU) TransferImage(t Transfer) (*image.NRGBA, error) {
	_, dst, err := t.spans()
	if err != nil {
		return nil, err
	}
	data, err := g.Read(dst.addr, dst.bytes)
	if err != nil {
		return nil, err
	}
	width, height := t.Size()
	img := image.NewNRGBA(image.Rect(0, 0, int(width), int(height)))
	format, pixel, tiling := t.OutFormat.Color(), uint32(t.OutFormat.Bytes()), t.Tiling(t.OutTiled)
	var one [1]uint32
	for y := range height {
		for x := range width {
			at := tiling.Index(width, x, y) * pixel
			format.Decode(one[:], data[at:at+pixel])
			i := img.PixOffset(int(x), int(y))
			img.Pix[i], img.Pix[i+1], img.Pix[i+2], img.Pix[i+3] = uint8(one[0]), uint8(one[0]>>8), uint8(one[0]>>16), uint8(one[0]>>24)
		}
	}
	return img, nil
}
