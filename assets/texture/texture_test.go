package texture

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
	"pica200/pica"
)

// texelAt decodes one texel by the documentation's wording: the reference for the tile decoders.
func texelAt(src []byte, f Format, w, x, y int) uint32 {
	tile := src[(y/8*(w/8)+x/8)*Size(f, 8, 8):]
	n := 0
	for i := range 3 {
		n |= (x>>i&1)<<(2*i) | (y>>i&1)<<(2*i+1)
	}
	le16 := func() uint32 { return uint32(tile[2*n]) | uint32(tile[2*n+1])<<8 }
	rgba := func(r, g, b, a uint32) uint32 { return r | g<<8 | b<<16 | a<<24 }
	five := func(v uint32) uint32 { v &= 31; return v<<3 | v>>2 }
	four := func(v uint32) uint32 { v &= 15; return v<<4 | v }
	nibble := func() uint32 { return four(uint32(tile[n/2]) >> (4 * (n & 1))) }
	switch f {
	case pica.TextureFormatRGBA8:
		return rgba(uint32(tile[4*n+3]), uint32(tile[4*n+2]), uint32(tile[4*n+1]), uint32(tile[4*n]))
	case pica.TextureFormatRGB8:
		return rgba(uint32(tile[3*n+2]), uint32(tile[3*n+1]), uint32(tile[3*n]), 255)
	case pica.TextureFormatRGB5A1:
		v := le16()
		return rgba(five(v>>11), five(v>>6), five(v>>1), v&1*255)
	case pica.TextureFormatRGB565:
		v := le16()
		g := v >> 5 & 63
		return rgba(five(v>>11), g<<2|g>>4, five(v), 255)
	case pica.TextureFormatRGBA4:
		v := le16()
		return rgba(four(v>>12), four(v>>8), four(v>>4), four(v))
	case pica.TextureFormatIA8:
		i := uint32(tile[2*n+1])
		return rgba(i, i, i, uint32(tile[2*n]))
	case pica.TextureFormatRG8:
		return rgba(uint32(tile[2*n+1]), uint32(tile[2*n]), 0, 255)
	case pica.TextureFormatI8:
		i := uint32(tile[n])
		return rgba(i, i, i, 255)
	case pica.TextureFormatA8:
		return rgba(0, 0, 0, uint32(tile[n]))
	case pica.TextureFormatIA4:
		i := four(uint32(tile[n]) >> 4)
		return rgba(i, i, i, four(uint32(tile[n])))
	case pica.TextureFormatI4:
		return rgba(nibble(), nibble(), nibble(), 255)
	case pica.TextureFormatA4:
		return rgba(0, 0, 0, nibble())
	}
	if f != pica.TextureFormatETC1 && f != pica.TextureFormatETC1A4 {
		panic(f.String() + " is not described here")
	}
	// By the specification's formulas.
	x, y = x&7, y&7
	size := 8
	if f == pica.TextureFormatETC1A4 {
		size = 16
	}
	blk := tile[(x/4+y/4*2)*size:]
	x, y = x&3, y&3
	u64 := func(b []byte) (v uint64) {
		for i := range 8 {
			v |= uint64(b[i]) << (8 * i)
		}
		return v
	}
	alpha := uint32(255)
	if size == 16 {
		alpha = four(uint32(u64(blk) >> (4 * (4*x + y))))
		blk = blk[8:]
	}
	v := u64(blk)
	second := x >= 2
	if v>>32&1 != 0 {
		second = y >= 2
	}
	table := v >> 37 & 7
	if second {
		table = v >> 34 & 7
	}
	mod := []int32{2, 8, 5, 17, 9, 29, 13, 42, 18, 60, 24, 80, 33, 106, 47, 183}[2*table+v>>(4*x+y)&1]
	if v>>(16+4*x+y)&1 != 0 {
		mod = -mod
	}
	var rgb [3]uint32
	for c := range rgb {
		b := int32(v >> (56 - 8*c) & 255)
		var base uint32
		switch {
		case v>>33&1 == 0 && second:
			base = four(uint32(b))
		case v>>33&1 == 0:
			base = four(uint32(b) >> 4)
		case second:
			d := b & 7
			if d > 3 {
				d -= 8
			}
			base = five(uint32(b>>3 + d))
		default:
			base = five(uint32(b) >> 3)
		}
		rgb[c] = uint32(min(max(int32(base)+mod, 0), 255))
	}
	return rgba(rgb[0], rgb[1], rgb[2], alpha)
}

func randomTexels(n int, seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 7))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func formats() (fs []Format) {
	for _, v := range pica.TextureFormats.Values {
		fs = append(fs, Format(v.Value))
	}
	return fs
}

// Every texture format has its own row, and a decoder.
func TestEveryFormatHasARow(t *testing.T) {
	require.Len(t, layouts, pica.TextureFormats.Len())
	for _, f := range formats() {
		require.NotZero(t, layouts[f].bits, "%v has no row in layouts", f)
		require.NotNil(t, layouts[f].encode, "%v has no encoder", f)
		for _, k := range []simd.Kernels{simd.Best, simd.Plain} {
			tile := make([]uint32, 64)
			for i := range tile {
				tile[i] = 0x01020304
			}
			require.NoError(t, DecodeRows(k, tile, make([]byte, Size(f, 8, 8)), f, 8, 8, 0, 8))
			require.NotContains(t, tile, uint32(0x01020304), "there is no decoder of %v", f)
		}
	}
	require.Zero(t, Bits(Format(len(layouts))))
}

func TestDecodeFollowsDocuments(t *testing.T) {
	for _, f := range formats() {
		for _, size := range [][2]int{{8, 8}, {32, 16}, {8, 64}} {
			w, h := size[0], size[1]
			src := randomTexels(Size(f, w, h), uint64(f))
			dst := make([]uint32, w*h)
			require.NoError(t, Decode(dst, src, f, w, h))
			for y := range h {
				for x := range w {
					require.Equal(t, texelAt(src, f, w, x, h-1-y), dst[y*w+x], "%v %dx%d texel %d,%d", f, w, h, x, y)
				}
			}
		}
	}
}

// Encode restores the bytes that Decode read, in every lossless format.
func TestEncodeInvertsDecode(t *testing.T) {
	const w, h = 32, 16
	for _, f := range formats() {
		src := randomTexels(Size(f, w, h), uint64(f))
		texels := make([]uint32, w*h)
		require.NoError(t, Decode(texels, src, f, w, h))
		again := make([]byte, len(src))
		require.NoError(t, Encode(again, texels, f, w, h))
		if f == pica.TextureFormatETC1 || f == pica.TextureFormatETC1A4 {
			continue // lossy: TestETC1Quality
		}
		require.Equal(t, src, again, "%v", f)
	}
}

func picture(w, h int) []uint32 {
	p := make([]uint32, w*h)
	for y := range h {
		for x := range w {
			r, g, b := uint32(x*255/(w-1)), uint32(y*255/(h-1)), uint32((x*y/3)%256)
			if (x/8+y/8)%2 == 0 {
				b = uint32(255 - x*2%256)
			}
			p[y*w+x] = r | g<<8 | b<<16 | uint32(255-x%64)<<24
		}
	}
	return p
}

func meanSquare(a, b []uint32) float64 {
	sum := 0.0
	for i := range a {
		for c := 0; c < 24; c += 8 {
			d := float64(int(a[i]>>c&255) - int(b[i]>>c&255))
			sum += float64(d * d)
		}
	}
	return sum / float64(3*len(a))
}

func TestETC1Quality(t *testing.T) {
	const w, h = 64, 64
	for name, src := range map[string][]uint32{
		"picture": picture(w, h),
		"smooth": func() []uint32 {
			p := make([]uint32, w*h)
			for i := range p {
				x, y := uint32(i%w), uint32(i/w)
				p[i] = opaque | 2*x | (x+y)<<8 | (3*y/2)<<16
			}
			return p
		}(),
		"flat": func() []uint32 {
			p := make([]uint32, w*h)
			for i := range p {
				p[i] = 0xFF4080C0
			}
			return p
		}(),
	} {
		limit := map[string]float64{"picture": 160, "smooth": 4, "flat": 6}[name]
		for _, f := range []Format{pica.TextureFormatETC1, pica.TextureFormatETC1A4} {
			enc := make([]byte, Size(f, w, h))
			require.NoError(t, Encode(enc, src, f, w, h))
			dec := make([]uint32, w*h)
			require.NoError(t, Decode(dec, enc, f, w, h))
			mse := meanSquare(src, dec)
			t.Logf("%s %v: mean squared error %.2f", name, f, mse)
			require.Less(t, mse, limit, "%s %v", name, f)
		}
	}
}

// The encoder finds colours that an ETC1 block can hold exactly.
func TestETC1FindsExactBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	worst := int64(0)
	for range 200 {
		block := r.Uint64() &^ (1 << 33) // individual mode: always valid
		var texels, back [16]uint32
		decodeETC1Block(&texels, block)
		for i := range texels {
			texels[i] |= opaque
		}
		decodeETC1Block(&back, encodeETC1Block(&texels, false))
		err := int64(0)
		for i := range texels {
			for c := 0; c < 24; c += 8 {
				d := int64(texels[i]>>c&255) - int64(back[i]>>c&255)
				err += d * d
			}
		}
		worst = max(worst, err/48)
	}
	t.Logf("worst mean squared error of a block %d", worst)
	require.Less(t, worst, int64(900))
}

// Texels count if their alpha is not 0.
func TestETC1WeightsByAlpha(t *testing.T) {
	for alpha, counts := range map[uint32]bool{0: false, 1: true, 2: true, 255: true} {
		var texels, back [16]uint32
		for i := range texels {
			texels[i] = 0x0000FF // red, transparent
		}
		texels[5], texels[11] = alpha<<24|0xFF0000, alpha<<24|0xFF0000
		decodeETC1Block(&back, encodeETC1Block(&texels, false))
		require.Equal(t, counts, back[5]>>16&255 > 200, "alpha %d: %06x", alpha, back[5])
	}
}

// A half with one counting texel, or none, leaves the other half exact.
func TestETC1WithFewOpaqueTexels(t *testing.T) {
	for n := range 4 {
		half, few := uint16(n&1), n>>1
		var texels, back [16]uint32
		for i, bit := range etc1Order {
			switch [2]uint16{etc1Half[0] >> bit & 1, etc1Half[1] >> bit & 1} { // in both divisions of the block
			case [2]uint16{half, half}:
				texels[i] = opaque | 0xE77B21 // exact in five bits per channel
			case [2]uint16{half ^ 1, half ^ 1}:
				if few > 0 {
					texels[i] = opaque | 0x10C6C6
					few--
				}
			}
		}
		decodeETC1Block(&back, encodeETC1Block(&texels, false))
		for i, v := range texels {
			for c := 0; c < 24 && v>>24 != 0; c += 8 {
				require.InDelta(t, v>>c&255, back[i]>>c&255, 12, "texel %d: %06x for %06x", i, back[i]&0xFFFFFF, v&0xFFFFFF)
			}
		}
	}
}

func TestBadArguments(t *testing.T) {
	dst := make([]uint32, 64)
	src := make([]byte, 256)
	require.ErrorContains(t, Decode(dst, src, Format(len(layouts)), 8, 8), "does not exist")
	require.ErrorContains(t, Decode(dst, src, 0, 12, 8), "multiples of 8")
	require.ErrorContains(t, Decode(dst, src, 0, 8, 2048), "multiples of 8")
	require.ErrorContains(t, Decode(dst, src[:255], 0, 8, 8), "255 bytes")
	require.ErrorContains(t, Decode(dst[:63], src, 0, 8, 8), "room for 63")
	require.ErrorContains(t, Encode(src[:255], dst, 0, 8, 8), "room for 255")
	require.ErrorContains(t, Encode(src, dst[:63], 0, 8, 8), "63 texels")
}

func TestDecodeAllocatesNothing(t *testing.T) {
	dst := make([]uint32, 64*64)
	for _, f := range formats() {
		src := randomTexels(Size(f, 64, 64), 1)
		require.Zero(t, testing.AllocsPerRun(10, func() { _ = Decode(dst, src, f, 64, 64) }), "%v", f)
	}
}

// The AVX2 kernels decode random texels to the same bits as plain Go, whole or in parts, and write nothing around them.
func TestKernelsAreTheSameBits(t *testing.T) {
	if !simd.Best.Vector() {
		t.Skip("no AVX2 here: there is one form of the kernels only")
	}
	rng := rand.New(rand.NewPCG(41, 42))
	for _, f := range formats() {
		for range 60 {
			w, h := 8*(1+rng.IntN(40)), 8*(1+rng.IntN(3))
			src := make([]byte, Size(f, w, h))
			for i := range src {
				src[i] = []byte{0, 255, byte(rng.Uint32()), byte(rng.Uint32())}[rng.IntN(4)]
			}
			from := 8 * rng.IntN(h/8)
			to := from + 8*(1+rng.IntN((h-from)/8))
			decode := func(k simd.Kernels) []uint32 {
				dst := make([]uint32, w*h+16)
				require.NoError(t, DecodeRows(k, dst[8:8+w*h:8+w*h], src, f, w, h, from, to))
				return dst
			}
			require.Equal(t, decode(simd.Plain), decode(simd.Best), "%v %dx%d rows %d to %d", f, w, h, from, to)
		}
	}
}

func TestDecodeInvalidRows(t *testing.T) {
	dst, src := make([]uint32, 16*16), make([]byte, 16*16*4)
	for _, rows := range [][2]int{{-8, 8}, {4, 8}, {0, 12}, {8, 0}, {0, 24}} {
		require.ErrorContains(t, DecodeRows(simd.Best, dst, src, pica.TextureFormatRGBA8, 16, 16, rows[0], rows[1]), "no rows of tiles")
	}
}

// A format without an AVX2 kernel is decoded by the plain one.
func TestMissingTwins(t *testing.T) {
	for _, f := range formats() {
		src := randomTexels(Size(f, 24, 16), uint64(f))
		want, got := make([]uint32, 24*16), make([]uint32, 24*16)
		require.NoError(t, DecodeRows(simd.Best, want, src, f, 24, 16, 0, 16))
		kept := layouts[f]
		layouts[f].twin, layouts[f].rows = nil, nil
		err := DecodeRows(simd.Best, got, src, f, 24, 16, 0, 16)
		layouts[f] = kept
		require.NoError(t, err)
		require.Equal(t, want, got, "%v", f)
	}
}

// Subtextures must lie in the texture, be oriented correctly and have the size of their coordinates, within rounding.
func TestT3XSubtextures(t *testing.T) {
	for _, c := range []struct {
		s    SubTexture
		want string
	}{
		{SubTexture{Width: 64, Height: 32, Left: 0, Right: 1024, Top: 1024, Bottom: 0}, ""},
		{SubTexture{Width: 32, Height: 16, Left: 512, Right: 1024, Top: 512, Bottom: 0}, ""},
		{SubTexture{Width: 31, Height: 17, Left: 512, Right: 1024, Top: 512, Bottom: 0}, ""},
		{SubTexture{Width: 33, Height: 15, Left: 512, Right: 1024, Top: 512, Bottom: 0}, ""},
		{SubTexture{Width: 64, Height: 32, Left: 0, Right: 1025, Top: 1024, Bottom: 0}, "subtexture 3 reaches outside the texture"},
		{SubTexture{Width: 64, Height: 32, Left: 1025, Right: 1024, Top: 1024, Bottom: 0}, "subtexture 3 reaches outside the texture"},
		{SubTexture{Width: 64, Height: 32, Left: 0, Right: 1024, Top: 1025, Bottom: 0}, "subtexture 3 reaches outside the texture"},
		{SubTexture{Width: 64, Height: 32, Left: 0, Right: 1024, Top: 1024, Bottom: 1025}, "subtexture 3 reaches outside the texture"},
		{SubTexture{Width: 64, Height: 32, Left: 512, Right: 511, Top: 1024, Bottom: 0}, "subtexture 3 has its left edge right of its right edge"},
		{SubTexture{Width: 30, Height: 16, Left: 512, Right: 1024, Top: 512, Bottom: 0}, "subtexture 3 is 30 wide, but its coordinates span 32 texels"},
		{SubTexture{Width: 34, Height: 16, Left: 512, Right: 1024, Top: 512, Bottom: 0}, "subtexture 3 is 34 wide, but its coordinates span 32 texels"},
		{SubTexture{Width: 32, Height: 14, Left: 512, Right: 1024, Top: 512, Bottom: 0}, "14 high, but its coordinates span 16 texels"},
		{SubTexture{Width: 32, Height: 18, Left: 512, Right: 1024, Top: 512, Bottom: 0}, "18 high, but its coordinates span 16 texels"},
		{SubTexture{Width: 32, Height: 64, Left: 0, Right: 1024, Top: 0, Bottom: 1024}, ""}, // rotated
		{SubTexture{Width: 64, Height: 32, Left: 0, Right: 1024, Top: 0, Bottom: 1024}, "subtexture 3 is 64 wide, but its coordinates span 32 texels"},
	} {
		x := &T3X{Width: 64, Height: 32}
		x.checkSubTexture(77, 3, c.s)
		if c.want == "" {
			require.Empty(t, x.Findings, "%+v", c.s)
			continue
		}
		require.NotEmpty(t, x.Findings, "%+v", c.s)
		require.Contains(t, x.Findings[0].Message, c.want, "%+v", c.s)
		require.EqualValues(t, 77, x.Findings[0].Offset)
	}
}
