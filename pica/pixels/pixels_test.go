package pixels

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
	"pica200/pica"
)

var formats = []pica.ColorFormat{
	pica.ColorFormatRGBA8, pica.ColorFormatRGB8, pica.ColorFormatRGB5A1, pica.ColorFormatRGB565, pica.ColorFormatRGBA4,
}

func randomBytes(rng *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = []byte{0, 255, byte(rng.Uint32()), byte(rng.Uint32())}[rng.IntN(4)]
	}
	return b
}

func randomWords(rng *rand.Rand, n int) []uint32 {
	w := make([]uint32, n)
	for i := range w {
		w[i] = []uint32{0, 1<<32 - 1, rng.Uint32(), rng.Uint32()}[rng.IntN(4)]
	}
	return w
}

// both requires the same result of f with the AVX2 kernels and with the plain ones.
func both(t *testing.T, f func(k simd.Kernels) any) {
	t.Helper()
	if !simd.Best.Vector() {
		t.Skip("no AVX2 here: there is one form of the kernels only")
	}
	require.Equal(t, f(simd.Plain), f(simd.Best))
}

// guard is the length of the part behind a slice that must not be written.
const guard = 64

// Decode and Encode convert lines of any length; the slices end with the last pixel, so that reads behind them fail.
func TestPixelsOfLines(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	for _, f := range append(formats, pica.ColorFormat(5), pica.ColorFormat(7)) {
		for n := range 60 {
			memory, words := randomBytes(rng, n*f.Bytes()), randomWords(rng, n)
			both(t, func(k simd.Kernels) any {
				got, out := make([]uint32, n+guard), make([]byte, n*f.Bytes()+guard)
				Decode(k, f, got[:n], memory)
				Encode(k, f, out[:n*f.Bytes()], words)
				return []any{got, out}
			})
		}
	}
}

// Fill starts at any byte and fills any number of bytes, also less than one value.
func TestFillAnyRange(t *testing.T) {
	const value = 0xA1B2C3D4
	for _, size := range []int{0, 1, 2, 3, 5, 31, 95, 96, 97, 191, 192, 193, 12287, 12288, 12290, 40001} {
		for n := 2; n <= 4; n++ {
			first := size % 7
			want := bytes.Repeat([]byte{9}, first+size+guard)
			for i := range size {
				want[first+i] = byte(uint32(value) >> (8 * (i % n)))
			}
			for _, k := range []simd.Kernels{simd.Plain, simd.Best} {
				got := bytes.Repeat([]byte{9}, first+size+guard)
				Fill(k, got[first:][:size], value, n)
				require.True(t, bytes.Equal(want, got), "%d bytes of %d, %v", size, n, k)
			}
		}
	}
}

// Every 16-bit pixel is decoded correctly and encoded back.
func TestEveryPixelOf16Bits(t *testing.T) {
	memory := make([]byte, 1<<17)
	for i := range 1 << 16 {
		memory[2*i], memory[2*i+1] = byte(i), byte(i>>8)
	}
	for _, f := range formats[2:] {
		for _, k := range []simd.Kernels{simd.Best, simd.Plain} {
			words, back, want := make([]uint32, 1<<16), make([]byte, 1<<17), make([]uint32, 1<<16)
			Decode(k, f, words, memory)
			f.Decode(want, memory)
			require.Equal(t, want, words, "%v", f)
			Encode(k, f, back, words)
			require.Equal(t, memory, back, "%v", f)
		}
	}
}

// TestTiles converts tiles to rows, upwards and downwards, and back.
func TestTiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 34))
	for _, f := range formats {
		for n := range 6 {
			width := n*pica.TileSize + rng.IntN(5)
			memory, rows := randomBytes(rng, n*pica.TilePixels*f.Bytes()), randomWords(rng, 8*width+guard)
			for _, up := range []bool{false, true} {
				first, step := 0, width
				if up {
					first, step = 7*width, -width
				}
				both(t, func(k simd.Kernels) any {
					got, out := make([]uint32, len(rows)), make([]byte, len(memory)+guard)
					scratch := make([]uint32, n*pica.TilePixels)
					DecodeTiles(k, f, got, first, step, memory, n, scratch)
					EncodeTiles(k, f, out, rows, first, step, n, scratch)
					// The expected layout, pixel by pixel.
					for i := range n * pica.TilePixels {
						tile, at := i/64, i%64
						x, y := 0, 0
						for b := range 3 {
							x, y = x|at>>(2*b)&1<<b, y|at>>(2*b+1)&1<<b
						}
						var pixel [1]uint32
						f.Decode(pixel[:], memory[i*f.Bytes():])
						require.Equal(t, pixel[0], got[first+y*step+tile*8+x])
						var encoded [4]byte
						f.Encode(encoded[:], rows[first+y*step+tile*8+x:][:1])
						require.Equal(t, encoded[:f.Bytes()], out[i*f.Bytes():][:f.Bytes()])
					}
					return []any{got, out}
				})
			}
		}
	}
}

// TilesToRGB8 converts tiles to rows, upwards and downwards, and writes nothing between or after them.
func TestTilesToRGB8(t *testing.T) {
	rng := rand.New(rand.NewPCG(37, 38))
	for n := range 6 {
		memory, gap := randomBytes(rng, n*tileBytes), rng.IntN(5)
		step, words := 3*n*pica.TileSize+gap, make([]uint32, 2*n*pica.TilePixels)
		want := bytes.Repeat([]byte{0x5A}, 8*step+guard)
		for _, first := range []int{0, 7 * step} {
			for i := range n * pica.TilePixels {
				x, y, at := i/64*8, 0, i%64
				for b := range 3 {
					x, y = x+at>>(2*b)&1<<b, y|at>>(2*b+1)&1<<b
				}
				if first != 0 {
					y = 7 - y
				}
				for c := range 3 {
					want[y*step+3*x+c] = memory[4*i+1+c]
				}
			}
			for _, k := range []simd.Kernels{simd.Best, simd.Plain} {
				got, step := bytes.Repeat([]byte{0x5A}, len(want)), step
				if first != 0 {
					step = -step
				}
				TilesToRGB8(k, got, first, step, memory, n, words)
				require.Equal(t, want, got)
			}
		}
	}
}

// A tile that does not fit its rows panics and writes nothing.
func TestTilesTooLargePanic(t *testing.T) {
	for _, k := range []simd.Kernels{simd.Best, simd.Plain} {
		tiles, rows := make([]uint32, 128), make([]uint32, 127)
		require.Panics(t, func() { Untile(k, rows, 0, 16, tiles, 2) })
		require.Panics(t, func() { Untile(k, rows[:100], 96, -16, tiles[:64], 1) })
		require.Panics(t, func() { TilesToRGB8(k, make([]byte, 383), 0, 48, make([]byte, 512), 2, make([]uint32, 256)) })
		require.Panics(t, func() { TilesToRGB8(k, make([]byte, 384), 336, -48, make([]byte, 511), 2, make([]uint32, 256)) })
		require.Panics(t, func() {
			EncodeTiles(k, pica.ColorFormatRGBA8, make([]byte, 512), rows, 0, 16, 2, tiles)
		})
	}
}

func TestMeans(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 36))
	for n := range 40 {
		a, b := randomWords(rng, 2*n), randomWords(rng, 2*n)
		both(t, func(k simd.Kernels) any {
			two, four := make([]uint32, n+guard), make([]uint32, n+guard)
			Mean2(k, two[:n], a)
			Mean4(k, four[:n], a, b)
			for i := range n {
				for shift := 0; shift < 32; shift += 8 {
					sum := a[2*i]>>shift&255 + a[2*i+1]>>shift&255
					require.Equal(t, sum/2, two[i]>>shift&255)
					sum += b[2*i]>>shift&255 + b[2*i+1]>>shift&255
					require.Equal(t, sum/4, four[i]>>shift&255)
				}
			}
			return [][]uint32{two, slices.Clone(four)}
		})
	}
}
