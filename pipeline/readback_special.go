package pipeline

import (
	"context"
	"errors"
	"fmt"
	"image"

	"pica200/pica"
	"pica200/raster"
)

// Errors that LastGas and LastShadow return.
var (
	ErrNoGas    = errors.New("nothing was drawn in fragment operation mode gas, so there is no gas buffer")
	ErrNoShadow = errors.New("nothing was drawn in fragment operation mode shadow, so there is no shadow texture")
)

// LastGas returns the last render target of a draw in gas mode, whose colour
// buffer is the gas buffer, or ErrNoGas.
func (g *GPU) LastGas() (*raster.Target, error) { return g.special(&g.targets.gas, ErrNoGas) }

// LastShadow returns the last render target of a draw in shadow mode, whose
// colour buffer is the shadow texture, or ErrNoShadow.
func (g *GPU) LastShadow() (*raster.Target, error) { return g.special(&g.targets.shadow, ErrNoShadow) }

func (g *GPU) special(t **renderTarget, none error) (*raster.Target, error) {
	if err := g.Finish(context.Background()); err != nil {
		return nil, err
	}
	if *t == nil {
		return nil, none
	}
	return &(*t).Target, nil
}

// eachWord calls f for every pixel of a colour buffer with four bytes a pixel;
// p has the bytes in memory order.
func eachWord(t *raster.Target, f func(x, y int, p []byte)) error {
	if t.Color == nil || t.ColorFormat.Bytes() != 4 {
		return fmt.Errorf("the colour buffer is %v or not in memory; gas and shadow have 4 bytes a pixel", t.ColorFormat)
	}
	eachBlock(t, func(x, y int32, index int) {
		for i := range raster.BlockPixels {
			px, py := int(x)+int(raster.PixelX[i]), int(y)+int(raster.PixelY[i])
			if px < int(t.Width) && py < int(t.Height) {
				f(px, py, t.Color[(index+i)*4:][:4])
			}
		}
	})
	return nil
}

// GasImage returns the two densities of a gas buffer as 16-bit red (all gas)
// and green (weighted by depth), scaled so that the greatest density is 65535.
// It is oriented like ColorImage.
func GasImage(t *raster.Target) (*image.NRGBA64, error) {
	top, err := GasTop(t)
	if err != nil {
		return nil, err
	}
	img := image.NewNRGBA64(image.Rect(0, 0, int(t.Width), int(t.Height)))
	return img, eachWord(t, func(x, y int, p []byte) {
		q := img.Pix[img.PixOffset(x, y):][:8:8]
		q[6], q[7] = 0xFF, 0xFF
		if top > 0 {
			r, g := uint16(gasDensity(p[:2])/top*0xFFFF), uint16(gasDensity(p[2:])/top*0xFFFF)
			q[0], q[1], q[2], q[3] = byte(r>>8), byte(r), byte(g>>8), byte(g)
		}
	})
}

// GasTop returns the greatest density in a gas buffer.
func GasTop(t *raster.Target) (top float32, err error) {
	err = eachWord(t, func(x, y int, p []byte) { top = max(top, gasDensity(p[:2]), gasDensity(p[2:])) })
	return top, err
}

// gasDensity decodes a density, 0 to 65504.
func gasDensity(p []byte) float32 {
	d := pica.Float16.Decode(uint32(p[0])<<8 | uint32(p[1]))
	if !(d > 0) {
		return 0
	}
	return min(d, 65504) // clamp infinity
}

// ShadowImage returns a shadow texture with the highest 16 bits of the depth as
// red and the intensity as green. It is oriented like ColorImage.
func ShadowImage(t *raster.Target) (*image.NRGBA64, error) {
	img := image.NewNRGBA64(image.Rect(0, 0, max(int(t.Width), 0), max(int(t.Height), 0)))
	return img, eachWord(t, func(x, y int, p []byte) {
		q := img.Pix[img.PixOffset(x, y):][:8:8]
		q[0], q[1], q[2], q[3], q[6], q[7] = p[0], p[1], p[3], p[3], 0xFF, 0xFF
	})
}
