package pica

// TileSize is the side of a tile in pixels.
const TileSize = 8

// TilePixels is the number of pixels of a tile.
const TilePixels = TileSize * TileSize

// Tiling is the layout of an image in memory; its value is the side of a tile
// in pixels. Tiled images are stored in tiles of 8x8 pixels, one row of tiles
// after the other; the pixels of a tile are in Morton order. In block mode 32
// the tiles have 32x32 pixels. If the width is no multiple of the tile, a row
// of tiles begins before the last tile of the row above ends: the step is width
// * tile, as in other implementations.
type Tiling uint8

// The layouts of images. Textures are always Tiled8.
const (
	Linear  Tiling = 0
	Tiled8  Tiling = TileSize
	Tiled32 Tiling = 32 // GPUREG_FRAMEBUFFER_BLOCK32
)

func (t Tiling) String() string {
	switch t {
	case Linear:
		return "linear"
	case Tiled8:
		return "tiled"
	}
	return "tiled in blocks of 32"
}

// Bytes returns the size of the part of an image that contains its first cols
// columns and rows rows (each 1 or more). The image is width pixels wide; pixel
// is the size of a pixel.
func (t Tiling) Bytes(width, cols, rows, pixel uint64) uint64 {
	if t == Linear {
		return ((rows-1)*width + cols) * pixel
	}
	s := uint64(t)
	return ((rows-1)/s*s*width + (cols+s-1)/s*s*s) * pixel
}

// Index returns the index, in memory order, of the pixel at column x and row y
// of an image width pixels wide.
func (t Tiling) Index(width, x, y uint32) uint32 {
	switch t {
	case Linear:
		return y*width + x
	case Tiled8:
		return y&^7*width + x&^7*8 + Morton(x&7, y&7)
	}
	return y&^31*width + x&^31*32 + Morton(x&31, y&31)
}

// Morton returns the index of the pixel at column x and row y in a tile: the
// bits of x and y, each below 32, interleaved, x lowest.
func Morton(x, y uint32) uint32 { return spread[x&31] | spread[y&31]<<1 }

// spread has a 0 above each bit of its index.
var spread = func() (s [32]uint32) {
	for i := range s {
		for b := range 5 {
			s[i] |= uint32(i) >> b & 1 << (2 * b)
		}
	}
	return s
}()

// Untile copies the pixels of a tile, in memory order, to rows of an image: row
// y begins at dst[first+y*step]. A negative step reverses the rows.
func Untile(dst []uint32, first, step int, tile *[TilePixels]uint32) {
	for y := range uint32(TileSize) {
		row := (*[TileSize]uint32)(dst[first:])
		at := spread[y] << 1
		// The masks remove bounds checks.
		row[0], row[1] = tile[at&63], tile[(at+1)&63]
		row[2], row[3] = tile[(at+4)&63], tile[(at+5)&63]
		row[4], row[5] = tile[(at+16)&63], tile[(at+17)&63]
		row[6], row[7] = tile[(at+20)&63], tile[(at+21)&63]
		first += step
	}
}

// Tile is the inverse of Untile.
func Tile(tile *[TilePixels]uint32, src []uint32, first, step int) {
	for y := range uint32(TileSize) {
		row := (*[TileSize]uint32)(src[first:])
		at := spread[y] << 1
		tile[at&63], tile[(at+1)&63] = row[0], row[1]
		tile[(at+4)&63], tile[(at+5)&63] = row[2], row[3]
		tile[(at+16)&63], tile[(at+17)&63] = row[4], row[5]
		tile[(at+20)&63], tile[(at+21)&63] = row[6], row[7]
		first += step
	}
}
