package pipeline

import (
	"context"
	"image/color"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/raster"
	"pica200/tests/testkit"
)

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
	img, err := GasImage(target)
	require.NoError(t, err)
	require.Equal(t, color.NRGBA64{0xFFFF, 0, 0, 0xFFFF}, img.NRGBA64At(0, 0))
	require.Equal(t, color.NRGBA64{0x7FFF, 0x3FFF, 0, 0xFFFF}, img.NRGBA64At(1, 0))
	require.Equal(t, color.NRGBA64{0, 0, 0, 0xFFFF}, img.NRGBA64At(7, 7))

	// Data that no gas draw makes: infinity, NaN, negative numbers.
	img, err = GasImage(specialTarget(func(i int, p []byte) { p[0], p[1], p[2], p[3] = 0x7C, byte(i), 0xC0, byte(i) }))
	require.NoError(t, err)
	require.Equal(t, color.NRGBA64{0xFFFF, 0, 0, 0xFFFF}, img.NRGBA64At(0, 0))

	target.ColorFormat = pica.ColorFormatRGB565
	_, err = GasImage(target)
	require.ErrorContains(t, err, "4 bytes")
}

func TestShadowImage(t *testing.T) {
	img, err := ShadowImage(specialTarget(func(i int, p []byte) { p[0], p[1], p[2], p[3] = 0x12, 0x34, 0x56, byte(i) }))
	require.NoError(t, err)
	require.Equal(t, color.NRGBA64{0x1234, 0x0303, 0, 0xFFFF}, img.NRGBA64At(1, 1))
	_, err = ShadowImage(&raster.Target{Width: 8, Height: 8})
	require.Error(t, err)
}

// The gas and shadow targets of the traces that have them.
func TestSpecialTargetsOfTraces(t *testing.T) {
	load := func(name string) *GPU {
		g, err := Replay(context.Background(), readTrace(t, testkit.Named(t, name)[0]), Options{Workers: 1}, func(*GPU, Frame) error { return nil })
		require.NoError(t, err)
		return g
	}
	g := load("gas")
	gas, err := g.LastGas()
	require.NoError(t, err)
	require.Equal(t, [2]int32{128, 64}, [2]int32{gas.Width, gas.Height})
	require.Positive(t, pica.GasFeedback.Float(&g.regs), "gas draws leave the greatest density")
	_, err = g.LastShadow()
	require.ErrorIs(t, err, ErrNoShadow)

	g = load("shadow")
	shadow, err := g.LastShadow()
	require.NoError(t, err)
	img, err := ShadowImage(shadow)
	require.NoError(t, err)
	require.NotEqual(t, img.NRGBA64At(0, 0), img.NRGBA64At(22, 32))
	_, err = g.LastGas()
	require.ErrorIs(t, err, ErrNoGas)
}
