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

// refCompare is a comparison as the register page defines it.
func refCompare(f pica.CompareFunc, a, b int) bool {
	return [8]bool{false, true, a == b, a != b, a < b, a <= b, a > b, a >= b}[f]
}

// refFactor is a blend factor for one channel.
func refFactor(f pica.BlendFactor, ch int, src, dst, k [4]int) int {
	switch f {
	case pica.FactorZero:
		return 0
	case pica.FactorOne:
		return 255
	case pica.FactorSrcColor, 15:
		return src[ch]
	case pica.FactorOneMinusSrcColor:
		return 255 - src[ch]
	case pica.FactorDstColor:
		return dst[ch]
	case pica.FactorOneMinusDstColor:
		return 255 - dst[ch]
	case pica.FactorSrcAlpha:
		return src[3]
	case pica.FactorOneMinusSrcAlpha:
		return 255 - src[3]
	case pica.FactorDstAlpha:
		return dst[3]
	case pica.FactorOneMinusDstAlpha:
		return 255 - dst[3]
	case pica.FactorConstColor:
		return k[ch]
	case pica.FactorOneMinusConstColor:
		return 255 - k[ch]
	case pica.FactorConstAlpha:
		return k[3]
	case pica.FactorOneMinusConstAlpha:
		return 255 - k[3]
	}
	if ch == 3 {
		return 255
	}
	return min(src[3], 255-dst[3])
}

func refBlend(r *pica.Regs, src, dst [4]int) (out [4]int) {
	k := toInts(unpackColor(r[pica.RegBlendColor]))
	for ch := range out {
		if pica.ColorOperationBlend.Get(r) == 0 {
			s, d := src[ch], dst[ch]
			out[ch] = [16]int{0, s & d, s &^ d, s, 255, ^s, d, ^d, ^(s & d), s | d, ^(s | d), s ^ d, ^(s ^ d), ^s & d, s | ^d, ^s | d}[pica.LogicOpFunc.Get(r)] & 255
			continue
		}
		eq, fs, fd := pica.BlendRgbEquation.Get(r), pica.BlendRgbSource.Get(r), pica.BlendRgbDest.Get(r)
		if ch == 3 {
			eq, fs, fd = pica.BlendAlphaEquation.Get(r), pica.BlendAlphaSource.Get(r), pica.BlendAlphaDest.Get(r)
		}
		a := src[ch] * refFactor(pica.BlendFactor(fs), ch, src, dst, k)
		b := dst[ch] * refFactor(pica.BlendFactor(fd), ch, src, dst, k)
		v := a + b
		switch pica.BlendEquation(eq) {
		case pica.BlendSubtract:
			v = a - b
		case pica.BlendReverseSubtract:
			v = b - a
		case pica.BlendMin:
			v = min(a, b)
		case pica.BlendMax:
			v = max(a, b)
		}
		out[ch] = min(byte255(max(v, 0)), 255)
	}
	return out
}

func refStencilOp(op pica.StencilOp, v, ref int) int {
	switch op {
	case pica.StencilZero:
		return 0
	case pica.StencilReplace:
		return ref
	case pica.StencilIncrement:
		return min(v+1, 255)
	case pica.StencilDecrement:
		return max(v-1, 0)
	case pica.StencilInvert:
		return 255 - v
	case pica.StencilIncrementWrap:
		return (v + 1) & 255
	case pica.StencilDecrementWrap:
		return (v - 1) & 255
	}
	return v
}

// storedBits is the number of bits per channel in each colour format.
var storedBits = map[pica.ColorFormat][4]int{
	pica.ColorFormatRGBA8: {8, 8, 8, 8}, pica.ColorFormatRGB8: {8, 8, 8, 0}, pica.ColorFormatRGB5A1: {5, 5, 5, 1},
	pica.ColorFormatRGB565: {5, 6, 5, 0}, pica.ColorFormatRGBA4: {4, 4, 4, 4},
}

// stored is a channel's value after a write and a read.
func stored(v, bits int) int {
	switch bits {
	case 0:
		return 255
	case 1:
		return v >> 7 * 255
	}
	q := v >> (8 - bits)
	w := q << (8 - bits)
	return w | w>>bits
}

// Random output states agree with the reference over random buffers, with some pixels hit several times in a batch.
func TestOutputMatchesReference(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	depthFormats := []pica.DepthFormat{pica.DepthFormatD16, pica.DepthFormatD24, pica.DepthFormatD24S8}
	for range 1500 {
		var r pica.Regs
		for reg := pica.RegColorOperation; reg <= pica.RegDepthColorMask; reg++ {
			r[reg] = rng.Uint32()
		}
		pica.ColorOperationMode.Set(&r, 0)
		r[pica.RegColorbufferWrite] = []uint32{0xF, 1, 2, 8, 0}[rng.IntN(5)] // any bit enables the buffer
		r[pica.RegDepthbufferWrite] = []uint32{3, 1, 2, 0}[rng.IntN(4)]
		r[pica.RegColorbufferRead] = []uint32{0xF, 0xF, 1, 0}[rng.IntN(4)]
		r[pica.RegDepthbufferRead] = []uint32{3, 2, 1, 0}[rng.IntN(4)]
		// depthRead is the value read for a stored one.
		depthRead := func(v int) int {
			if r[pica.RegDepthbufferRead] == 0 {
				return 0
			}
			return v
		}
		target := &raster.Target{Width: 16, Height: 16, ColorFormat: pica.ColorFormat(rng.IntN(5)), DepthFormat: depthFormats[rng.IntN(3)], Block32: false}
		target.Color = randomBytes(rng, 16*16*4)
		target.Depth = randomBytes(rng, 16*16*4)

		m := &machine{n: raster.Lanes, b: &raster.Batch{Blocks: raster.BatchBlocks}}
		for ch, v := range unpackColor(r[pica.RegBlendColor]) {
			m.c[cBlendColor][ch] = sameBytes[v]
		}
		for ch := range 4 {
			copy(m.c[cStage0][ch][:], randomBytes(rng, raster.Lanes))
		}
		// Opaque or transparent blocks with common blend factors, which need no read or write.
		if rng.IntN(2) == 0 {
			factors := []pica.BlendFactor{pica.FactorZero, pica.FactorOne, pica.FactorSrcAlpha, pica.FactorOneMinusSrcAlpha}
			for _, f := range []pica.Field{pica.BlendRgbSource, pica.BlendRgbDest, pica.BlendAlphaSource, pica.BlendAlphaDest} {
				f.Set(&r, uint32(factors[rng.IntN(4)]))
			}
			pica.ColorOperationBlend.SetBool(&r, true)
			if rng.IntN(4) != 0 {
				pica.BlendRgbEquation.Set(&r, uint32(pica.BlendAdd))
				pica.BlendAlphaEquation.Set(&r, uint32(pica.BlendAdd))
			}
			kinds := []Bytes{sameBytes[255], sameBytes[0], sameBytes[128]}[:1+rng.IntN(3)]
			for b := range raster.BatchBlocks {
				*block(&m.c[cStage0][alpha], b) = *block(&kinds[rng.IntN(len(kinds))], b)
			}
		}
		readback := func() (p [16][16][6]int) {
			for y := range int32(16) {
				for x := range int32(16) {
					var rr, gg, bb, aa raster.Channel
					var z [16]uint32
					i, j := target.PixelIndex(x&^3, y&^3), target.PixelIndex(x, y)&15
					target.LoadColor(i, &rr, &gg, &bb, &aa)
					target.LoadDepth(i, &z)
					p[y][x] = [6]int{int(rr[j]), int(gg[j]), int(bb[j]), int(aa[j]), int(z[j])}
					if target.DepthFormat == pica.DepthFormatD24S8 {
						var s raster.Channel
						target.LoadStencil(i, &s)
						p[y][x][5] = int(s[j])
					}
				}
			}
			return p
		}
		want := readback()
		top := float32(target.DepthFormat.Max())
		m.b.Packed, m.b.Quads = rng.IntN(2) == 0, raster.BatchQuads-rng.IntN(4)
		for q := range m.b.Quads {
			m.b.Quad[q] = raster.Quad{X: rng.Int32N(8) * 2, Y: rng.Int32N(8) * 2}
		}
		for b := range m.b.Blocks {
			m.b.Block[b] = raster.Block{X: rng.Int32N(4) * 4, Y: rng.Int32N(4) * 4, Triangle: uint32(b)}
			m.b.Mask[b] = uint16(rng.Uint32())
			if m.b.Packed && b == m.b.Blocks-1 {
				m.b.Mask[b] &= 0xFFFF >> (4 * (raster.BatchQuads - m.b.Quads)) // lanes without a quad
			}
			for j := range 16 {
				i := b*16 + j
				m.b.Depth[i] = rng.Float32()
				x, y := m.b.Block[b].X+int32(raster.PixelX[j]), m.b.Block[b].Y+int32(raster.PixelY[j])
				if m.b.Packed {
					q := m.b.Quad[i/raster.QuadPixels]
					x, y = q.X+int32(j&1), q.Y+int32(j>>1&1)
				}
				p := &want[y][x]
				if rng.IntN(4) == 0 { // equal values now and then
					m.b.Depth[i] = float32(p[4]) / top
				}
				if m.b.Mask[b]>>j&1 == 0 {
					continue
				}
				z := int(float32(m.b.Depth[i] * top))
				update := func(op uint32) {
					if r[pica.RegDepthbufferWrite] != 0 && pica.StencilOp(op) != pica.StencilKeep {
						wm := int(pica.StencilTestWriteMask.Get(&r))
						p[5] = refStencilOp(pica.StencilOp(op), depthRead(p[5]), int(pica.StencilTestRef.Get(&r)))&wm | p[5]&^wm
					}
				}
				stencil := pica.StencilTestEnable.Bool(&r) && target.DepthFormat == pica.DepthFormatD24S8
				if stencil {
					mask := int(pica.StencilTestMask.Get(&r))
					if !refCompare(pica.CompareFunc(pica.StencilTestFunc.Get(&r)), int(pica.StencilTestRef.Get(&r))&mask, depthRead(p[5])&mask) {
						update(pica.StencilOpFail.Get(&r))
						continue
					}
				}
				if pica.DepthTestEnable.Bool(&r) && !refCompare(pica.CompareFunc(pica.DepthTestFunc.Get(&r)), z, depthRead(p[4])) {
					if stencil {
						update(pica.StencilOpZFail.Get(&r))
					}
					continue
				}
				if pica.DepthWriteEnable.Bool(&r) && r[pica.RegDepthbufferWrite] != 0 {
					p[4] = z
				}
				if stencil {
					update(pica.StencilOpZPass.Get(&r))
				}
				if r[pica.RegColorbufferWrite] == 0 {
					continue
				}
				src := [4]int{}
				for ch := range src {
					src[ch] = int(m.c[cStage0][ch][i])
				}
				dst := [4]int(p[:4])
				if r[pica.RegColorbufferRead] == 0 {
					dst = [4]int{}
				}
				mixed := refBlend(&r, src, dst)
				masks := [4]bool{pica.ColorMaskR.Bool(&r), pica.ColorMaskG.Bool(&r), pica.ColorMaskB.Bool(&r), pica.ColorMaskA.Bool(&r)}
				for ch := range mixed {
					if masks[ch] {
						p[ch] = stored(mixed[ch], storedBits[target.ColorFormat][ch])
					}
				}
			}
		}
		o := compileOutput(&r, shapeOf(target), wholeRef(cStage0))
		m.v = targetValues(&r, target)
		o.run(m)
		require.Equal(t, want, readback(), "registers %x, %v %v", r[pica.RegColorOperation:pica.RegDepthColorMask+1], target.ColorFormat, target.DepthFormat)
	}
}

func randomBytes(rng *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = uint8(rng.Uint32())
	}
	return b
}

func TestAlphaTest(t *testing.T) {
	for f := range pica.CompareFunc(8) {
		var r pica.Regs
		pica.AlphaTestEnable.SetBool(&r, true)
		pica.AlphaTestFunc.Set(&r, uint32(f))
		pica.AlphaTestRef.Set(&r, 100)
		m := &machine{n: 16, b: &raster.Batch{Blocks: 1}, v: targetValues(&r, new(raster.Target))}
		m.b.Mask[0] = 0xFFFF
		for i := range 16 {
			m.c[cTex0][green][i] = uint8(92 + i)
		}
		if a := compileAlphaTest(&r, planeRef{cTex0, green}); a != nil {
			a.run(m)
		} else {
			require.Equal(t, pica.CompareAlways, f)
		}
		for i := range 16 {
			require.Equal(t, refCompare(f, 92+i, 100), m.b.Mask[0]>>i&1 == 1, "%v, alpha %d", f, 92+i)
		}
	}
}

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
