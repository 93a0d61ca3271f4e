package pica

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// LoadPlanes and StorePlanes agree with the conversion of single pixels for every 16-bit format; pixels outside the mask are kept.
func TestPlanesEqualSinglePixels(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	for _, f := range []ColorFormat{ColorFormatRGB5A1, ColorFormatRGB565, ColorFormatRGBA4} {
		for range 200 {
			src := make([]byte, 32)
			for i := range src {
				src[i] = byte(rng.Uint32())
			}
			var r, g, b, a [16]uint8
			f.LoadPlanes(src, &r, &g, &b, &a)
			want := make([]uint32, 16)
			f.Decode(want, src)
			for i, c := range want {
				require.Equal(t, c, uint32(r[i])|uint32(g[i])<<8|uint32(b[i])<<16|uint32(a[i])<<24, "%v, pixel %d", f, i)
			}
			mask := uint16(rng.Uint32())
			dst, kept := make([]byte, 32), make([]byte, 32)
			for i := range dst {
				dst[i] = byte(rng.Uint32())
			}
			copy(kept, dst)
			f.StorePlanes(dst, mask, &r, &g, &b, &a)
			for i := range 16 {
				want := kept
				if mask>>i&1 != 0 {
					want = src
				}
				require.Equal(t, binary.LittleEndian.Uint16(want[2*i:]), binary.LittleEndian.Uint16(dst[2*i:]), "%v, pixel %d", f, i)
			}
		}
	}
}

// A layout has positions for the added components, in order, and for no others.
func TestVertexLayoutPlaces(t *testing.T) {
	var l VertexLayout
	for _, s := range []Semantic{SemColorG, SemTexCoord0U, SemColorG, NumSemantics, 255} {
		l.Add(s)
	}
	require.Equal(t, 2, l.N)
	require.Equal(t, []int{0, 1, -1, -1, -1}, []int{l.Index(SemColorG), l.Index(SemTexCoord0U), l.Index(SemColorR), l.Index(NumSemantics), l.Index(255)})
}

// Each pixel size has its own name.
func TestPixelSizeNames(t *testing.T) {
	names := map[string]bool{}
	for _, s := range []PixelSize{0, 1, 2} {
		names[s.String()] = true
	}
	require.Len(t, names, 3)
	require.NotContains(t, names, "")
}
