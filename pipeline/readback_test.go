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
	"pica200/tests/states"
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

func specialTarget(set func(i int, p []byte)) *raster.Target {
	t := &raster.Target{Width: 8, Height: 8, ColorFormat: pica.ColorFormatRGBA8, Color: make([]byte, 256)}
	for i := range 64 {
		set(i, t.Color[i*4:][:4])
	}
	return t
}

func TestGasImage(t *testing.T) {
	// d1 and d2 of pixel (x, y): 2 at (0,0), 1 and 0.5 at (1,0).
	target := specialTarget(func(i int, p []byte) {
		switch i {
		case 0:
			p[0] = 0x40 // 2.0
		case 1:
			p[0], p[2] = 0x3C, 0x38 // 1.0, 0.5
		}
	})
	img := testkit.Must(GasImage(target))(t)
	require.Equal(t, color.NRGBA64{0xFFFF, 0, 0, 0xFFFF}, img.NRGBA64At(0, 0))
	require.Equal(t, color.NRGBA64{0x7FFF, 0x3FFF, 0, 0xFFFF}, img.NRGBA64At(1, 0))
	require.Equal(t, color.NRGBA64{0, 0, 0, 0xFFFF}, img.NRGBA64At(7, 7))

	// Values that no gas draw writes: infinity, NaN, negative numbers.
	img = testkit.Must(GasImage(specialTarget(func(i int, p []byte) { p[0], p[1], p[2], p[3] = 0x7C, byte(i), 0xC0, byte(i) })))(t)
	require.Equal(t, color.NRGBA64{0xFFFF, 0, 0, 0xFFFF}, img.NRGBA64At(0, 0))

	target.ColorFormat = pica.ColorFormatRGB565
	_, err := GasImage(target)
	require.ErrorContains(t, err, "4 bytes")
}

func TestShadowImage(t *testing.T) {
	img := testkit.Must(ShadowImage(specialTarget(func(i int, p []byte) { p[0], p[1], p[2], p[3] = 0x12, 0x34, 0x56, byte(i) })))(t)
	require.Equal(t, color.NRGBA64{0x1234, 0x0303, 0, 0xFFFF}, img.NRGBA64At(1, 1))
	_, err := ShadowImage(&raster.Target{Width: 8, Height: 8})
	require.Error(t, err)
}

// The gas and shadow targets of the traces that have them.
func TestGasAndShadowTargetsOfTraces(t *testing.T) {
	load := func(name string) *GPU {
		g, err := ReplayFor(t, states.Parse(t, testkit.Named(t, name)[0].Read(t)), Options{Workers: 1}, func(*GPU, Frame) error { return nil })
		require.NoError(t, err)
		return g
	}
	g := load("gas")
	gas := testkit.Must(g.LastGas())(t)
	require.Equal(t, [2]int32{128, 64}, [2]int32{gas.Width, gas.Height})
	require.Positive(t, pica.GasFeedback.Float(&g.regs), "gas draws write the greatest density to the feedback register")
	_, err := g.LastShadow()
	require.ErrorIs(t, err, ErrNoShadow)

	g = load("shadow")
	shadow := testkit.Must(g.LastShadow())(t)
	img := testkit.Must(ShadowImage(shadow))(t)
	require.NotEqual(t, img.NRGBA64At(0, 0), img.NRGBA64At(22, 32))
	_, err = g.LastGas()
	require.ErrorIs(t, err, ErrNoGas)
}

// Images have each pixel at its position in the buffer, also for targets that end inside a block.
func TestDepthAndStencilImages(t *testing.T) {
	for _, depth := range []pica.DepthFormat{pica.DepthFormatD16, pica.DepthFormatD24, pica.DepthFormatD24S8} {
		for _, size := range [][2]int{{8, 14}, {10, 13}} {
			w, h, n := size[0], size[1], depth.Bytes()
			target := &raster.Target{Width: int32(w), Height: int32(h), ColorFormat: pica.ColorFormatRGBA8, DepthFormat: depth,
				Color: make([]byte, 4*16*16), Depth: make([]byte, n*16*16)}
			randomBytes(target.Color, 1)
			randomBytes(target.Depth, 2)
			colors := testkit.Must(ColorImage(target))(t)
			depths := testkit.Must(DepthImage(target))(t)
			stencils, err := StencilImage(target)
			if depth == pica.DepthFormatD24S8 {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, "only D24S8 has one")
			}
			for y := range h {
				for x := range w {
					i := int(pica.Tiled8.Index(uint32(w), uint32(x), uint32(y)))
					c, d := target.Color[4*i:], target.Depth[n*i:]
					require.Equal(t, color.NRGBA{c[3], c[2], c[1], c[0]}, colors.NRGBAAt(x, y), "%v of %v: %d,%d", size, depth, x, y)
					high := min(n, 3) // excludes the stencil byte
					require.Equal(t, uint16(d[high-1])<<8|uint16(d[high-2]), depths.Gray16At(x, y).Y, "%v of %v: %d,%d", size, depth, x, y)
					if stencils != nil {
						require.Equal(t, d[3], stencils.GrayAt(x, y).Y)
					}
				}
			}
		}
	}
	none := &raster.Target{Width: 8, Height: 8, DepthFormat: pica.DepthFormatD24S8}
	_, err := ColorImage(none)
	require.ErrorContains(t, err, "no colour buffer")
	_, err = DepthImage(none)
	require.ErrorContains(t, err, "no depth buffer")
	_, err = StencilImage(none)
	require.ErrorContains(t, err, "no stencil buffer")
}
