package fragment

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/raster"
)

// Blending that replaces or keeps what is there, always or by the fragment's
// alpha, is left out: with the factors that do so, every equation gives what it
// gives when computed, for transparent, translucent and opaque fragments.
func TestEquationsOfFactorsThatKeepOrReplace(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 11))
	factors := []pica.BlendFactor{pica.FactorZero, pica.FactorOne, pica.FactorSrcAlpha, pica.FactorOneMinusSrcAlpha}
	alphas := []uint8{0, 128, 255} // of the blocks
	for eq := pica.BlendAdd; eq <= pica.BlendMax; eq++ {
		for _, src := range factors {
			for _, dst := range factors {
				t.Run(fmt.Sprintf("%v of %v and %v", eq, src, dst), func(t *testing.T) {
					var r pica.Regs
					pica.ColorOperationBlend.SetBool(&r, true)
					for _, f := range []pica.Field{pica.ColorMaskR, pica.ColorMaskG, pica.ColorMaskB, pica.ColorMaskA} {
						f.SetBool(&r, true)
					}
					pica.BlendRgbEquation.Set(&r, uint32(eq))
					pica.BlendAlphaEquation.Set(&r, uint32(eq))
					pica.BlendRgbSource.Set(&r, uint32(src))
					pica.BlendAlphaSource.Set(&r, uint32(src))
					pica.BlendRgbDest.Set(&r, uint32(dst))
					pica.BlendAlphaDest.Set(&r, uint32(dst))
					r[pica.RegColorbufferRead], r[pica.RegColorbufferWrite] = 0xF, 0xF
					target := &raster.Target{Width: 16, Height: 8, ColorFormat: pica.ColorFormatRGBA8, Color: randomBytes(rng, 16*8*4)}
					m := &machine{n: raster.Lanes, b: &raster.Batch{Blocks: len(alphas)}, v: targetValues(&r, target)}
					for ch := range 4 {
						copy(m.c[cStage0][ch][:], randomBytes(rng, raster.Lanes))
					}
					var want [][4]uint8
					var at [][2]int32
					for b, a := range alphas {
						m.b.Block[b], m.b.Mask[b] = raster.Block{X: int32(4 * b)}, 0xFFFF
						for j := range raster.BlockPixels {
							i := b*raster.BlockPixels + j
							m.c[cStage0][alpha][i] = a
							x, y := int32(4*b)+int32(raster.PixelX[j]), int32(raster.PixelY[j])
							source, there := [4]int{}, toInts(ReadPixel(target, x, y).Color)
							for ch := range source {
								source[ch] = int(m.c[cStage0][ch][i])
							}
							var mixed [4]uint8
							for ch, v := range refBlend(&r, source, there) {
								mixed[ch] = uint8(v)
							}
							want, at = append(want, mixed), append(at, [2]int32{x, y})
						}
					}
					compileOutput(&r, shapeOf(target), wholeRef(cStage0)).run(m)
					for i, p := range at {
						require.Equal(t, want[i], ReadPixel(target, p[0], p[1]).Color, "pixel %v, alpha %d", p, alphas[i/raster.BlockPixels])
					}
				})
			}
		}
	}
}
