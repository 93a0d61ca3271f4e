package fragment

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
	"pica200/pica"
	"pica200/raster"
)

// Blending that keeps or replaces the destination, always or depending on alpha, is skipped. For these factors every equation gives
// the computed result, for transparent, translucent and opaque fragments.
func TestBlendThatKeepsOrReplacesDestination(t *testing.T) {
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

// Sums with constant factors or factors of the source alpha have their own kernel. Covers all such factors, masks and partial
// blocks.
func TestBlendBySourceAlpha(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 17))
	own := 0
	for round := range 2000 {
		var r pica.Regs
		pica.ColorOperationBlend.SetBool(&r, true)
		for _, f := range []pica.Field{pica.ColorMaskR, pica.ColorMaskG, pica.ColorMaskB, pica.ColorMaskA} {
			f.SetBool(&r, rng.IntN(30) > 0)
		}
		for _, f := range []pica.Field{pica.BlendRgbEquation, pica.BlendAlphaEquation} {
			f.Set(&r, []uint32{0, 5, 6, 7, 0, rng.Uint32N(8)}[rng.IntN(6)])
		}
		for _, f := range []pica.Field{pica.BlendRgbSource, pica.BlendRgbDest, pica.BlendAlphaSource, pica.BlendAlphaDest} {
			simple := []pica.BlendFactor{pica.FactorZero, pica.FactorOne, pica.FactorSrcAlpha, pica.FactorOneMinusSrcAlpha}
			f.Set(&r, uint32(simple[rng.IntN(4)]))
			if rng.IntN(8) == 0 {
				f.Set(&r, rng.Uint32N(16))
			}
		}
		r[pica.RegBlendColor] = rng.Uint32()
		r[pica.RegColorbufferRead], r[pica.RegColorbufferWrite] = 0xF, 0xF
		const width = 32
		target := &raster.Target{
			Width: width, Height: 8, ColorFormat: pica.ColorFormatRGBA8, Color: randomBytes(rng, width*8*4), Kernels: simd.Best,
		}
		blocks := 1 + rng.IntN(raster.BatchBlocks)
		m := &machine{n: blocks * raster.BlockPixels, b: &raster.Batch{Blocks: blocks}, v: targetValues(&r, target), with: simd.Best}
		for ch := range 4 {
			copy(m.c[cStage0][ch][:], randomBytes(rng, raster.Lanes))
		}
		for ch, v := range unpackColor(r[pica.RegBlendColor]) {
			m.c[cBlendColor][ch] = sameBytes[v]
		}
		var want [width * 8][4]uint8
		at := func(x, y int32) *[4]uint8 { return &want[y*width+x] }
		for y := range int32(8) {
			for x := range int32(width) {
				*at(x, y) = ReadPixel(target, x, y).Color
			}
		}
		for b, place := range rng.Perm(width / 4 * 2)[:blocks] {
			x0, y0 := int32(place%8*4), int32(place/8*4)
			m.b.Block[b] = raster.Block{X: x0, Y: y0, Triangle: uint32(b)}
			m.b.Mask[b] = []uint16{0, 0xFFFF, uint16(rng.Uint32()), 1 << rng.IntN(16)}[rng.IntN(4)]
			edge := []uint8{0, 255, 1, 254}[rng.IntN(4)]
			for j := range raster.BlockPixels {
				i := b*raster.BlockPixels + j
				if rng.IntN(2) == 0 {
					m.c[cStage0][alpha][i] = edge
				}
				if m.b.Mask[b]>>j&1 == 0 {
					continue
				}
				p := at(x0+int32(raster.PixelX[j]), y0+int32(raster.PixelY[j]))
				var source [4]int
				for ch := range source {
					source[ch] = int(m.c[cStage0][ch][i])
				}
				for ch, v := range refBlend(&r, source, toInts(*p)) {
					if []pica.Field{pica.ColorMaskR, pica.ColorMaskG, pica.ColorMaskB, pica.ColorMaskA}[ch].Bool(&r) {
						p[ch] = uint8(v)
					}
				}
			}
		}
		o := compileOutput(&r, shapeOf(target), wholeRef(cStage0))
		if o.byAlpha {
			own++
		}
		o.run(m)
		for y := range int32(8) {
			for x := range int32(width) {
				require.Equal(t, *at(x, y), ReadPixel(target, x, y).Color, "round %d, pixel %d,%d, BLEND_FUNC %08X", round, x, y, r[pica.RegBlendFunc])
			}
		}
	}
	require.Greater(t, own, 300)
	require.Less(t, own, 1700)
}
