package pica

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// definedDecode is Decode for one pixel, channel by channel.
func definedDecode(l PixelLayout, p []byte) (c uint32) {
	pixel := uint32(0)
	for i := range l.Bytes {
		pixel |= uint32(p[i]) << (8 * i)
	}
	for i, v := range l.Unpack(pixel) {
		switch n := l.Bits[i]; n {
		case 0:
			v = 255
		case 1:
			v *= 255
		default:
			v <<= 8 - n
			v |= v >> n
		}
		c |= v << (8 * i)
	}
	return c
}

func definedEncode(l PixelLayout, c uint32) (p []byte) {
	var channels [4]uint32
	for i := range channels {
		channels[i] = c >> (8 * i) & 255 >> (8 - l.Bits[i])
	}
	pixel := l.Pack(channels)
	for i := range l.Bytes {
		p = append(p, byte(pixel>>(8*i)))
	}
	return p
}

func TestPixelsFollowTheirLayout(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, row := range ColorFormats.Values {
		f := ColorFormat(row.Value)
		l := f.Layout()
		require.NotZero(t, l.Bytes, "%v has no layout", f)
		all := uint8(0)
		for _, n := range l.Bits {
			all += n
		}
		require.LessOrEqual(t, int(all), 8*l.Bytes)

		// Every value of the 16-bit formats, and runs of every short length.
		src := make([]byte, 2<<16)
		for i := range src {
			src[i] = byte(rng.Uint32())
			if l.Bytes == 2 {
				src[i] = byte(i >> 1 >> (i & 1 * 8))
			}
		}
		dst := make([]uint32, len(src)/l.Bytes)
		f.Decode(dst, src)
		for i, c := range dst {
			if want := definedDecode(l, src[i*l.Bytes:]); c != want {
				t.Fatalf("%v pixel %d decodes to %08x, expected %08x", f, i, c, want)
			}
		}
		for i := range dst {
			dst[i] = rng.Uint32()
		}
		again := make([]byte, len(src))
		f.Encode(again, dst)
		for i, c := range dst {
			if want := definedEncode(l, c); string(want) != string(again[i*l.Bytes:][:l.Bytes]) {
				t.Fatalf("%v %08x encodes to %x, expected %x", f, c, again[i*l.Bytes:][:l.Bytes], want)
			}
		}
		for n := range 9 {
			short := make([]uint32, n+1)
			f.Decode(short[:n], src[:n*l.Bytes])
			require.Zero(t, short[n], "%v writes more than %d pixels", f, n)
			for i, c := range short[:n] {
				require.Equal(t, definedDecode(l, src[i*l.Bytes:]), c, "%v run of %d, pixel %d", f, n, i)
			}
			bytes := make([]byte, n*l.Bytes+1)
			f.Encode(bytes, dst[:n])
			require.Equal(t, again[:n*l.Bytes], bytes[:n*l.Bytes])
			require.Zero(t, bytes[n*l.Bytes])
		}
	}
	none := ColorFormat(ColorFormats.Len())
	require.Zero(t, none.Bytes())
	require.Zero(t, none.Layout())
	none.Decode(make([]uint32, 1), nil)
	none.Encode(nil, make([]uint32, 1))
}

// Formats that screens and textures share with render targets have the same names, so that a new one cannot be mapped wrongly.
func TestSharedLayoutsHaveTheSameName(t *testing.T) {
	for _, v := range ColorFormats.Values {
		c := ColorFormat(v.Value)
		require.Equal(t, v.Name, c.Screen().String())
		require.Equal(t, v.Name, c.Texture().String())
		require.Equal(t, c, c.Screen().Color())
		back, ok := c.Texture().Color()
		require.True(t, ok)
		require.Equal(t, c, back)
	}
	for _, v := range ScreenFormats.Values {
		require.Equal(t, v.Name, ScreenFormat(v.Value).Color().String())
		require.Equal(t, ScreenFormat(v.Value).Color().Bytes(), ScreenFormat(v.Value).Bytes())
	}
	require.Zero(t, ScreenFormat(5).Bytes())
	_, ok := TextureFormatIA8.Color()
	require.False(t, ok)
}

func TestDepthFormats(t *testing.T) {
	for f, want := range map[DepthFormat][2]uint32{
		DepthFormatD16: {2, 0xFFFF}, DepthFormatInvalid1: {0, 0xFFFFFF}, DepthFormatD24: {3, 0xFFFFFF}, DepthFormatD24S8: {4, 0xFFFFFF},
	} {
		require.Equal(t, want, [2]uint32{uint32(f.Bytes()), f.Max()}, "%v", f)
	}
}

// definedIndex interleaves the bits of x and y within a tile.
func definedIndex(t Tiling, width, x, y uint32) uint32 {
	if t == Linear {
		return y*width + x
	}
	s := uint32(t)
	m := uint32(0)
	for b := range 5 {
		m |= x%s>>b&1<<(2*b) | y%s>>b&1<<(2*b+1)
	}
	return y/s*s*width + x/s*s*s + m
}

func TestTiling(t *testing.T) {
	for _, tiling := range []Tiling{Linear, Tiled8, Tiled32} {
		for _, width := range []uint32{8, 32, 40, 64} {
			last := uint32(0)
			for y := range uint32(64) {
				for x := range width {
					i := tiling.Index(width, x, y)
					if want := definedIndex(tiling, width, x, y); i != want {
						t.Fatalf("%v %d wide: %d, %d is pixel %d, expected %d", tiling, width, x, y, i, want)
					}
					last = max(last, i)
				}
			}
			size := tiling.Bytes(uint64(width), uint64(width), 64, 4)
			require.GreaterOrEqual(t, size, uint64(last+1)*4)
			if width%max(uint32(tiling), 1) == 0 { // no tile crosses the right edge
				require.Equal(t, uint64(last+1)*4, size, "%v %d wide", tiling, width)
			}
		}
	}
	require.Equal(t, uint64((2*5-1)*3), Linear.Bytes(5, 4, 2, 3))
}

func TestUntile(t *testing.T) {
	var tile, back [TilePixels]uint32
	for i := range tile {
		tile[i] = uint32(i) + 100
	}
	for _, way := range []struct{ first, step int }{{3, 11}, {3 + 7*11, -11}} {
		image := make([]uint32, 8*11)
		Untile(image, way.first, way.step, &tile)
		set := 0
		for i, v := range image {
			if v != 0 {
				set++
				x, y := i%11-3, i/11
				if way.step < 0 {
					y = 7 - y
				}
				require.Equal(t, 100+Morton(uint32(x), uint32(y)), v)
			}
		}
		require.Equal(t, TilePixels, set)
		Tile(&back, image, way.first, way.step)
		require.Equal(t, tile, back)
	}
}
