package pipeline

import (
	"fmt"
	"image/color"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
	"pica200/pica"
	"pica200/raster"
	"pica200/tests/testkit"
)

// ColorImage has the buffer's pixels at their positions, in each format and tiling, for complete and partial tiles.
func TestColorImage(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for f := pica.ColorFormat(0); f.Bytes() > 0; f++ {
		for _, size := range [][2]int32{{8, 8}, {24, 16}, {40, 8}, {20, 12}, {12, 8}, {8, 12}, {64, 32}} {
			for _, block32 := range []bool{false, true} {
				if tile := int32(32); block32 && (size[0]%tile != 0 || size[1]%tile != 0) {
					continue
				}
				for _, k := range []simd.Kernels{simd.Best, simd.Plain} {
					target := &raster.Target{Width: size[0], Height: size[1], ColorFormat: f, Block32: block32, Kernels: k}
					target.Color = make([]byte, target.Bytes(f.Bytes()))
					for i := range target.Color {
						target.Color[i] = byte(random.Uint32())
					}
					require.NoError(t, target.Check())
					img := testkit.Must(ColorImage(target))(t)
					require.Equal(t, [2]int{int(size[0]), int(size[1])}, [2]int{img.Rect.Dx(), img.Rect.Dy()})
					for y := range size[1] {
						for x := range size[0] {
							var v [1]uint32
							f.Decode(v[:], target.Color[target.PixelIndex(x, y)*f.Bytes():])
							want := color.NRGBA{uint8(v[0]), uint8(v[0] >> 8), uint8(v[0] >> 16), uint8(v[0] >> 24)}
							require.Equal(t, want, img.NRGBAAt(int(x), int(y)), fmt.Sprint(f, size, block32, k, x, y))
						}
					}
				}
			}
		}
	}
}
