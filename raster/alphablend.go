package raster

import (
	"pica200/pica"

	"pica200/internal/simd"
)

// AlphaBlend is blending that adds source and target, each times 0, 1, the source's alpha, or 1 minus that alpha.
type AlphaBlend struct {
	// The kernels depend on the order of these fields. Channels are in the order of RGBA8 in memory.
	and, xor     [4]uint8 // the source's factors are alpha & and ^ xor
	andOld, xOld [4]uint8
}

// AlphaFactor is the factor alpha & And ^ Xor.
type AlphaFactor struct{ And, Xor uint8 }

// Set sets the factors of a channel, 0 for red to 3 for alpha.
func (b *AlphaBlend) Set(ch int, source, old AlphaFactor) {
	i := 3 - ch
	b.and[i], b.xor[i] = source.And, source.Xor
	b.andOld[i], b.xOld[i] = old.And, old.Xor
}

// BlendColors blends the colours of the pixels in mask, for the positions from to to-1, if
// there is a kernel for that. It returns false otherwise.
func (t *Target) BlendColors(at *BlockIndices, masks *[BatchBlocks]uint16, from, to int, c *Planes, b *AlphaBlend) bool {
	if !simd.Assembly || !t.Kernels.AVX2() || t.ColorFormat != pica.ColorFormatRGBA8 {
		return false
	}
	first := from * BlockPixels
	p := t.Color[:at.end*t.ColorFormat.Bytes()]
	blendRGBA8Vector(&p[0], &at.index[from], &masks[from], &c[0][first], &c[1][first], &c[2][first], &c[3][first], &b.and[0], to-from)
	return true
}
