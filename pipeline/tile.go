package pipeline

// Tiled images are stored in tiles of 8x8 pixels, one row of tiles after the
// other, the pixels of a tile in Morton order. In block mode 32 the tiles have
// 32x32 pixels. An image whose width is no multiple of the tile has rows of
// tiles that begin before the last tile of the row above has ended: the step
// is width * tile, as in other implementations.

const tileSize = 8

// tiling is the layout of an image.
type tiling uint8

const (
	linear  tiling = 0
	tiled8  tiling = tileSize
	tiled32 tiling = 32
)

func (t tiling) String() string {
	switch t {
	case linear:
		return "linear"
	case tiled8:
		return "tiled"
	}
	return "tiled in blocks of 32"
}

// bytes is the size of the part of an image that its first cols columns and
// rows rows lie in, for an image width pixels wide.
func (t tiling) bytes(width, cols, rows, pixel uint64) uint64 {
	if t == linear {
		return ((rows-1)*width + cols) * pixel
	}
	s := uint64(t)
	return ((rows-1)/s*s*width + (cols+s-1)/s*s*s) * pixel
}

// morton interleaves the bits of x and y below 32, x lowest.
func morton(x, y uint32) uint32 { return spread[x&31] | spread[y&31]<<1 }

var spread = func() (s [32]uint32) {
	for i := range s {
		for b := range 5 {
			s[i] |= uint32(i) >> b & 1 << (2 * b)
		}
	}
	return s
}()

// untile8 copies a tile of 64 pixels to rows of an image stride pixels wide.
func untile8(src *[64]rgba, dst []rgba, stride int) {
	for y := range tileSize {
		m := spread[y] << 1
		d := dst[y*stride : y*stride+8 : y*stride+8]
		s := src[m : m+22 : m+22]
		d[0], d[1], d[2], d[3] = s[0], s[1], s[4], s[5]
		d[4], d[5], d[6], d[7] = s[16], s[17], s[20], s[21]
	}
}
