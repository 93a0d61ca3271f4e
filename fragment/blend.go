package fragment

import (
	"pica200/internal/simd"
	"pica200/pica"
	"pica200/raster"
)

// blend is the state of blending or of the logic op
// (GPUREG_COLOR_OPERATION bit 8, GPUREG_BLEND_FUNC, GPUREG_LOGIC_OP).
//
// (source*factor + dest*factor) is divided by 255 and rounded once
// (rounding.go). MIN and MAX apply the factors too, unlike OpenGL's.
type blend struct {
	readsDest, readsSource, readsSourceAlpha bool
	channel                                  [4]blendChannel
	saturate                                 bool
	logic                                    *logicOp

	// opaque is true if a fragment with alpha 1 replaces the old colour,
	// transparent if one with alpha 0 leaves it.
	opaque, transparent bool

	// simple is true if byAlpha is the same.
	simple  bool
	byAlpha raster.AlphaBlend
}

// blendChannel is the equation of one channel: a kernel and two factors.
type blendChannel struct {
	kernel   func(with simd.Kernels, d, s, sf, t, tf []uint8, sx, tx uint32)
	src, dst factor
}

// factor is a plane, inverted if xor is 0xFF.
type factor struct {
	kind factorKind
	// channel of the plane; -1 is the channel that is computed.
	channel int8
	xor     uint8
}

type factorKind uint8

const (
	factorZero     factorKind = iota // constant 0, or 1 with xor
	factorSource                     // fragment's colour
	factorDest                       // render target's colour
	factorConstant                   // GPUREG_BLEND_COLOR
	factorSaturate                   // min(source alpha, 1 - dest alpha)
)

// blendFactors maps the codes of GPUREG_BLEND_FUNC to factors.
var blendFactors = [16]factor{
	pica.FactorZero:               {factorZero, -1, 0},
	pica.FactorOne:                {factorZero, -1, 0xFF},
	pica.FactorSrcColor:           {factorSource, -1, 0},
	pica.FactorOneMinusSrcColor:   {factorSource, -1, 0xFF},
	pica.FactorDstColor:           {factorDest, -1, 0},
	pica.FactorOneMinusDstColor:   {factorDest, -1, 0xFF},
	pica.FactorSrcAlpha:           {factorSource, alpha, 0},
	pica.FactorOneMinusSrcAlpha:   {factorSource, alpha, 0xFF},
	pica.FactorDstAlpha:           {factorDest, alpha, 0},
	pica.FactorOneMinusDstAlpha:   {factorDest, alpha, 0xFF},
	pica.FactorConstColor:         {factorConstant, -1, 0},
	pica.FactorOneMinusConstColor: {factorConstant, -1, 0xFF},
	pica.FactorConstAlpha:         {factorConstant, alpha, 0},
	pica.FactorOneMinusConstAlpha: {factorConstant, alpha, 0xFF},
	pica.FactorSrcAlphaSaturate:   {factorSaturate, -1, 0},
	// 15 is not documented; another implementation takes the source colour.
	15: {factorSource, -1, 0},
}

// blendCode holds the codes of GPUREG_BLEND_FUNC for RGB or for alpha.
type blendCode struct{ eq, src, dst uint32 }

// blendCodes reads the codes, RGB first.
func blendCodes(r *pica.Regs) [2]blendCode {
	return [2]blendCode{
		{pica.BlendRgbEquation.Get(r), pica.BlendRgbSource.Get(r), pica.BlendRgbDest.Get(r)},
		{pica.BlendAlphaEquation.Get(r), pica.BlendAlphaSource.Get(r), pica.BlendAlphaDest.Get(r)},
	}
}

// compileBlend reads the state. It returns nil if the fragment's colour is
// written unchanged.
func compileBlend(r *pica.Regs) *blend {
	if pica.ColorOperationBlend.Get(r) == 0 {
		op := pica.LogicOp(pica.LogicOpFunc.Get(r))
		if op == pica.LogicOpCopy {
			return nil
		}
		l := &logicOps[op]
		return &blend{logic: l, readsDest: l.readsDest, readsSource: l.readsSource, readsSourceAlpha: l.readsSource}
	}
	code := blendCodes(r)
	plain := true
	b := &blend{readsSource: true, opaque: true, transparent: true, simple: true}
	for ch := range b.channel {
		k := code[ch/alpha]
		src, dst := k.factors(ch)
		b.channel[ch] = blendChannel{blendKernel(pica.BlendEquation(k.eq)), src, dst}
		b.reads(k, src, dst)
		plain = plain && k.sum() && src == blendOne && dst == blendZero
		b.bounds(k, ch, src, dst)
		sf, ok := src.ofAlpha(ch)
		df, okToo := dst.ofAlpha(ch)
		b.simple = b.simple && k.adds() && ok && okToo
		b.byAlpha.Set(ch, sf, df)
	}
	if plain {
		return nil
	}
	return b
}

// Factors that blending has short cuts for.
var (
	blendOne     = blendFactors[pica.FactorOne]
	blendZero    = blendFactors[pica.FactorZero]
	blendByAlpha = blendFactors[pica.FactorSrcAlpha]
	blendRest    = blendFactors[pica.FactorOneMinusSrcAlpha]
)

// factors returns the factors of a channel. For alpha, Saturate is 1.
func (k blendCode) factors(ch int) (src, dst factor) {
	src, dst = blendFactors[k.src&15], blendFactors[k.dst&15]
	for _, f := range []*factor{&src, &dst} {
		if ch == alpha && f.kind == factorSaturate {
			*f = blendOne
		}
	}
	return src, dst
}

// compares reports whether the equation is a minimum or maximum of both
// colours, whatever the factors are.
func (k blendCode) compares() bool {
	return k.eq == uint32(pica.BlendMin) || k.eq == uint32(pica.BlendMax)
}

// ofAlpha returns a factor of channel ch that is made from the source's alpha, or constant.
func (f factor) ofAlpha(ch int) (a raster.AlphaFactor, ok bool) {
	switch {
	case f.kind == factorZero:
		return raster.AlphaFactor{Xor: f.xor}, true
	case f.kind == factorSource && (f.channel == alpha || ch == alpha):
		return raster.AlphaFactor{And: 255, Xor: f.xor}, true
	}
	return a, false
}

// adds reports whether the equation is a sum.
func (k blendCode) adds() bool { return k.sum() && k.eq != uint32(pica.BlendSubtract) }

// sum reports whether the equation gives the source unchanged when the other
// term is 0.
func (k blendCode) sum() bool {
	return !k.compares() && k.eq != uint32(pica.BlendReverseSubtract)
}

// reads records what a channel needs besides the source colour.
func (b *blend) reads(k blendCode, src, dst factor) {
	for _, f := range [2]factor{src, dst} {
		b.saturate = b.saturate || f.kind == factorSaturate
		b.readsSourceAlpha = b.readsSourceAlpha || f.kind == factorSaturate || f.kind == factorSource && f.channel == alpha
		b.readsDest = b.readsDest || f.kind == factorDest || f.kind == factorSaturate
	}
	b.readsDest = b.readsDest || dst != blendZero || k.compares()
}

// bounds clears opaque and transparent if a channel rules them out. The alpha
// of a transparent fragment is 0 with any factor.
func (b *blend) bounds(k blendCode, ch int, src, dst factor) {
	add := k.adds()
	b.opaque = b.opaque && add && (src == blendOne || src == blendByAlpha) && (dst == blendZero || dst == blendRest)
	b.transparent = b.transparent && add && (ch == alpha || src == blendByAlpha) && (dst == blendOne || dst == blendRest)
}

// run blends src with old into dst, for the lanes from to to-1.
func (b *blend) run(m *machine, src [4]*Bytes, old, dst *Color, from, to int) {
	if b.logic != nil {
		for ch := range dst {
			b.logic.kernel(m.with, dst[ch][from:to], src[ch][from:to], old[ch][from:to])
		}
		return
	}
	sat := &m.c[cScratch0+2][0]
	if b.saturate {
		s, d := src[alpha][from:to], old[alpha][from:to]
		for i := range sat[from:to] {
			sat[from+i] = min(s[i], 255-d[i])
		}
	}
	for ch := range dst {
		c := &b.channel[ch]
		sf := factorPlane(m, &c.src, ch, src, old, sat)[from:to]
		df := factorPlane(m, &c.dst, ch, src, old, sat)[from:to]
		c.kernel(m.with, dst[ch][from:to], src[ch][from:to], sf, old[ch][from:to], df, uint32(c.src.xor), uint32(c.dst.xor))
	}
}

// factorPlane returns the plane of a factor for channel ch.
func factorPlane(m *machine, f *factor, ch int, src [4]*Bytes, old *Color, sat *Bytes) *Bytes {
	if f.channel >= 0 {
		ch = int(f.channel)
	}
	switch f.kind {
	case factorSource:
		return src[ch]
	case factorDest:
		return &old[ch]
	case factorConstant:
		return &m.c[cBlendColor][ch]
	case factorSaturate:
		return sat
	}
	return &m.c[cZero][0]
}
