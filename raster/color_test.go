package raster

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
	"pica200/pica"
)

// Blocks are decoded and encoded as by package pica, with and without vector kernels; a store writes only the pixels of the mask.
func TestBlockColorDecodeAndEncode(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, kernels := range []simd.Kernels{simd.Plain, simd.Best} {
		for _, v := range pica.ColorFormats.Values {
			f := pica.ColorFormat(v.Value)
			n := f.Bytes()
			target := &Target{Kernels: kernels, Width: 8, Height: 8, ColorFormat: f, Color: make([]byte, 64*n)}
			for range 200 {
				for i := range target.Color {
					target.Color[i] = byte(rng.Uint32())
				}
				index := 16 * rng.IntN(4)
				block := target.Color[index*n:][:16*n]
				var want [BlockPixels]uint32
				f.Decode(want[:], block)
				var c [4]Channel
				target.LoadColor(index, &c[0], &c[1], &c[2], &c[3])
				for i, w := range want {
					if got := uint32(c[0][i]) | uint32(c[1][i])<<8 | uint32(c[2][i])<<16 | uint32(c[3][i])<<24; got != w {
						t.Fatalf("%v pixel %d reads %08x, expected %08x", f, i, got, w)
					}
				}

				after := append([]byte(nil), target.Color...)
				mask := uint16(rng.Uint32())
				for i := range want {
					want[i] = rng.Uint32()
					for ch := range c {
						c[ch][i] = byte(want[i] >> (8 * ch))
					}
					if mask>>i&1 != 0 {
						f.Encode(after[(index+i)*n:][:n], want[i:i+1])
					}
				}
				target.StoreColor(index, mask, &c[0], &c[1], &c[2], &c[3])
				require.Equal(t, after, target.Color, "%v mask %016b", f, mask)
			}
		}
	}
}
