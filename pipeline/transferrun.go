package pipeline

import (
	"encoding/binary"
	"fmt"
	"time"

	"pica200/internal/simd"
	"pica200/pica"
	"pica200/pica/pixels"
)

// rgba is a colour with red in the lowest byte and alpha in the highest.
type rgba = uint32

// transferrer runs display transfers. It works on the output in bands of lines.
// For each band it decodes the input rows, whole tiles at once, scales them,
// and encodes the result, in buffers that fit the first-level cache. Bands
// share only the input, so they are spread over workers.
type transferrer struct {
	with    simd.Kernels
	workers *pool
	buffers []bandBuffers // one for each worker

	// The transfer that runs.
	t        Transfer
	src, dst []byte
	shape    bandShape
	columns  []uint32 // see columnOffsets
	left     []int32  // bands that are not known to have input of one colour
	doBand   func(i, worker int)
}

// bandShape says how a transfer is cut into bands.
type bandShape struct {
	width, height int  // of the output
	cols          int  // columns of the input that are read
	perLine       int  // input rows for an output line
	lines         int  // output lines of a band
	bytes         int  // of a pixel of the output
	wholeTiles    bool // a band is a row of tiles of the output
	tilesToRGB8   bool // whole tiles of RGBA8 to lines of RGB8, not scaled
}

// bandBuffers are the buffers of a worker.
type bandBuffers struct {
	tiles   []rgba // of the input or output, in memory order
	rows    []rgba // of the input
	lines   []rgba // of the output
	encoded []byte // a line in the output's format
}

// newTransferrer makes a transferrer that works on the goroutines of a pool.
func newTransferrer(with simd.Kernels, workers *pool) *transferrer {
	b := &transferrer{with: with, workers: workers, buffers: make([]bandBuffers, workers.workers)}
	b.doBand = func(i, worker int) { b.band(int(b.left[i]), worker) }
	return b
}

// resize sets the length of a slice to n. The contents are undefined.
func resize[T any](s *[]T, n int) []T {
	if cap(*s) < n {
		*s = make([]T, n)
	}
	*s = (*s)[:n]
	return *s
}

// costOfPixel is about what a pixel of the output takes, in picoseconds.
const costOfPixel = 100

// run runs the transfer. The caller has executed the queued draws that use the
// spans.
func (b *transferrer) run(t Transfer, mem *memory) error {
	from, to, err := t.spans()
	if err != nil {
		return err
	}
	src, err := mem.Slice(from.addr, from.bytes)
	if err != nil {
		return fmt.Errorf("%v: input: %w", t, err)
	}
	dst, err := mem.Slice(to.addr, to.bytes)
	if err != nil {
		return fmt.Errorf("%v: output: %w", t, err)
	}
	t.InWidth = t.InLine()
	b.t, b.src, b.dst = t, src, dst
	b.shape = t.bands(from.overlaps(to))
	if t.OutTiled {
		b.columns = b.columnOffsets()
	}
	// Bands share output if the two overlap, or if tiles share memory because the
	// width is no multiple of the tile size.
	apart := !from.overlaps(to) && (!t.OutTiled || b.shape.wholeTiles)
	if err := b.fill(mem, from, to, apart); err != nil {
		return err
	}
	b.doAll(apart)
	b.src, b.dst = nil, nil
	return nil
}

// fill fills the output of bands whose input is known to be of one colour, if
// bands are apart, and makes the list of the others.
func (b *transferrer) fill(mem *memory, from, to span, apart bool) error {
	s, t := &b.shape, &b.t
	b.left = b.left[:0]
	pixel, out := uint32(t.InFormat.Bytes()), s.width*s.bytes
	tiling := t.Tiling(t.InTiled)
	if !apart {
		for i := 0; i*s.lines < s.height; i++ {
			b.left = append(b.left, int32(i))
		}
		mem.Touch(to.addr, to.bytes)
		return nil
	}
	var run struct { // consecutive lines of the output that are filled or not
		known    bool
		colour   uint32
		from, to int
	}
	end := func() error {
		first, n := run.from, run.to-run.from
		if t.Flip {
			first = s.height - run.to
		}
		lines := span{to.addr + uint32(first*out), uint32(n * out)}
		if n > 0 && run.known {
			return mem.fill(b.with, lines, run.colour, uint32(s.bytes))
		}
		mem.Touch(lines.addr, lines.bytes)
		return nil
	}
	for y := 0; y < s.height; y += s.lines {
		n := min(s.lines, s.height-y)
		colour, known := uint32(0), false
		if !t.OutTiled || n == s.lines {
			first := uint32(y*s.perLine) * t.InWidth * pixel // the band begins with a whole tile
			bytes := tiling.Bytes(uint64(t.InWidth), uint64(s.cols), uint64(n*s.perLine), uint64(pixel))
			colour, known = mem.holds(from.addr+first, uint32(bytes), int(pixel))
		}
		if !known {
			b.left = append(b.left, int32(y/s.lines))
		} else {
			colour = recoded(t, colour)
		}
		if known != run.known || known && colour != run.colour {
			if err := end(); err != nil {
				return err
			}
			run.known, run.colour, run.from = known, colour, y
		}
		run.to = y + n
		if t.OutTiled {
			run.to = y + s.lines // whole tiles
		}
	}
	return end()
}

// recoded converts one pixel of the input to the output's format.
func recoded(t *Transfer, pixel uint32) uint32 {
	var in, out [4]byte
	binary.LittleEndian.PutUint32(in[:], pixel)
	var one [1]rgba
	t.InFormat.Color().Decode(one[:], in[:t.InFormat.Bytes()])
	t.OutFormat.Color().Encode(out[:t.OutFormat.Bytes()], one[:])
	return binary.LittleEndian.Uint32(out[:])
}

// doAll runs the bands that are left, on several workers if bands are apart.
func (b *transferrer) doAll(apart bool) {
	pixels := len(b.left) * b.shape.lines * b.shape.width
	if apart && b.workers.pays(time.Duration(pixels)*costOfPixel/1000) {
		b.workers.run(len(b.left), b.doBand)
		return
	}
	for _, i := range b.left {
		b.band(int(i), 0)
	}
}

// bands cuts the transfer into bands. If input and output are the same memory,
// a band may overwrite what another reads; then the bands follow the tiles of
// the input, whatever the output is.
func (t Transfer) bands(inPlace bool) bandShape {
	width, height := t.Size()
	s := bandShape{width: int(width), height: int(height), cols: int(width), perLine: 1, bytes: t.OutFormat.Bytes()}
	if t.Scaling != pica.TransferScaleNone {
		s.cols *= 2
	}
	if t.Scaling == pica.TransferScale2x2 {
		s.perLine = 2
	}
	in, out := int(t.Tiling(t.InTiled)), int(t.Tiling(t.OutTiled))
	s.lines = max(in, s.perLine) / s.perLine
	if inPlace {
		return s
	}
	s.lines = max(s.lines, out, pica.TileSize)
	// With a flip, the tiles of the output begin with the last line.
	s.wholeTiles = t.OutTiled && s.width%out == 0 && (!t.Flip || s.height%out == 0)
	s.tilesToRGB8 = t.Tiling(t.InTiled) == pica.Tiled8 && !t.OutTiled && s.width%pica.TileSize == 0 && t.Scaling == pica.TransferScaleNone &&
		t.InFormat.Color() == pica.ColorFormatRGBA8 && t.OutFormat.Color() == pica.ColorFormatRGB8
	return s
}

// band runs band i.
func (b *transferrer) band(i, worker int) {
	t, s := &b.t, &b.shape
	buf := &b.buffers[worker]
	y := i * s.lines
	n := min(s.lines, s.height-y)
	if s.tilesToRGB8 && n == pica.TileSize {
		b.rgb8(buf, y)
		return
	}
	rows, stride := b.decode(buf, y*s.perLine, n*s.perLine)
	if t.Scaling != pica.TransferScaleNone {
		rows, stride = b.scale(buf, rows, stride, n)
	}
	if s.wholeTiles && n == s.lines {
		b.encodeTiles(buf, rows, stride, y)
		return
	}
	for k := range n {
		line, oy := rows[k*stride:][:s.width], y+k
		if t.Flip {
			oy = s.height - 1 - oy
		}
		if !t.OutTiled {
			pixels.Encode(b.with, t.OutFormat.Color(), b.dst[oy*s.width*s.bytes:], line)
			continue
		}
		encoded := resize(&buf.encoded, s.width*s.bytes)
		pixels.Encode(b.with, t.OutFormat.Color(), encoded, line)
		b.scatterLine(encoded, oy)
	}
}

// rgb8 converts the row of tiles from line y on to lines of RGB8 in one pass.
func (b *transferrer) rgb8(buf *bandBuffers, y int) {
	s := &b.shape
	tiles, step := s.width/pica.TileSize, s.width*s.bytes
	src, first := b.src[y*int(b.t.InWidth)*b.t.InFormat.Bytes():], y*step
	if b.t.Flip {
		first, step = (s.height-1-y)*step, -step
	}
	pixels.TilesToRGB8(b.with, b.dst, first, step, src, tiles, resize(&buf.rows, 2*tiles*pica.TilePixels))
}

// decode decodes n rows of the input from row y on; for tiled input y is a
// multiple of the tile size. It returns the rows and their stride.
func (b *transferrer) decode(buf *bandBuffers, y, n int) ([]rgba, int) {
	t, cols := &b.t, b.shape.cols
	f, pixel := t.InFormat.Color(), t.InFormat.Bytes()
	line := int(t.InWidth) * pixel
	if !t.InTiled {
		rows := resize(&buf.rows, cols*n)
		for i := range n {
			pixels.Decode(b.with, f, rows[i*cols:(i+1)*cols], b.src[(y+i)*line:])
		}
		return rows, cols
	}
	side := int(t.Tiling(true))
	tiles := (cols + side - 1) / side // tiles in a row
	stride := tiles * side
	bands := (n + side - 1) / side
	rows := resize(&buf.rows, bands*side*stride)
	for k := range bands {
		src, first := b.src[(y+k*side)*line:], k*side*stride
		if side == pica.TileSize {
			pixels.DecodeTiles(b.with, f, rows, first, stride, src, tiles, resize(&buf.tiles, tiles*pica.TilePixels))
			continue
		}
		for i := range tiles * subTiles {
			at := first + subTileAt(i, stride)
			pixels.DecodeTiles(b.with, f, rows, at, stride, src[i*pica.TilePixels*pixel:], 1, resize(&buf.tiles, pica.TilePixels))
		}
	}
	return rows, stride
}

// subTiles is the number of tiles of 8x8 in one of 32x32.
const subTiles = 16

// subTileAt returns the offset of 8x8 tile i, in memory order, in a row of
// 32x32 tiles that is decoded to rows with the given stride.
func subTileAt(i, stride int) int {
	sub := i % subTiles
	x, y := sub&1|sub>>1&2, sub>>1&1|sub>>2&2
	return y*pica.TileSize*stride + i/subTiles*32 + x*pica.TileSize
}

// scale makes n output lines from rows of the input.
func (b *transferrer) scale(buf *bandBuffers, rows []rgba, stride, n int) ([]rgba, int) {
	width := b.shape.width
	lines := resize(&buf.lines, n*width)
	for k := range n {
		line, upper := lines[k*width:(k+1)*width], rows[k*b.shape.perLine*stride:]
		if b.t.Scaling == pica.TransferScale2x1 {
			pixels.Mean2(b.with, line, upper)
		} else {
			pixels.Mean4(b.with, line, upper, upper[stride:])
		}
	}
	return lines, width
}

// encodeTiles encodes a row of output tiles. rows are its lines from line y on.
func (b *transferrer) encodeTiles(buf *bandBuffers, rows []rgba, stride, y int) {
	t, s := &b.t, &b.shape
	f, side := t.OutFormat.Color(), int(t.Tiling(true))
	first := 0
	if t.Flip {
		y, first, stride = s.height-y-s.lines, (s.lines-1)*stride, -stride
	}
	tiles := s.width / side
	for k := 0; k < s.lines; k += side {
		dst, first := b.dst[(y+k)*s.width*s.bytes:], first+k*stride
		if side == pica.TileSize {
			pixels.EncodeTiles(b.with, f, dst, rows, first, stride, tiles, resize(&buf.tiles, tiles*pica.TilePixels))
			continue
		}
		for i := range tiles * subTiles {
			at := first + subTileAt(i, stride)
			pixels.EncodeTiles(b.with, f, dst[i*pica.TilePixels*s.bytes:], rows, at, stride, 1, resize(&buf.tiles, pica.TilePixels))
		}
	}
}

// columnOffsets returns the offset in pixels of each column of a tiled image in
// row 0.
func (b *transferrer) columnOffsets() []uint32 {
	offsets := resize(&b.columns, b.shape.width)
	tiling := b.t.Tiling(true)
	for x := range offsets {
		offsets[x] = tiling.Index(0, uint32(x), 0)
	}
	return offsets
}

// scatterLine writes the encoded pixels of a line to a tiled image.
func (b *transferrer) scatterLine(line []byte, y int) {
	pixel := b.shape.bytes
	dst := b.dst[int(b.t.Tiling(true).Index(uint32(b.shape.width), 0, uint32(y)))*pixel:]
	for x, off := range b.columns {
		copy(dst[pixel*int(off):][:pixel], line[pixel*x:][:pixel])
	}
}
