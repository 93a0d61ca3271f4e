package fragment

import (
	"pica200/internal/simd"
	"pica200/pica"
)

// blendKernel returns the kernel of a blend equation. Codes 5 to 7 behave as
// add (3dbrew, GPUREG_BLEND_FUNC).
func blendKernel(eq pica.BlendEquation) func(with simd.Kernels, d, s, sf, t, tf []uint8, sx, tx uint32) {
	switch eq {
	case pica.BlendSubtract:
		return blendSubtract
	case pica.BlendReverseSubtract:
		return blendReverseSubtract
	case pica.BlendMin:
		return blendMin
	case pica.BlendMax:
		return blendMax
	}
	return blendAdd
}

// The kernels compute d from source s with factor sf^sx and destination t with
// factor tf^tx. All slices have the same length.

func blendAdd(with simd.Kernels, d, s, sf, t, tf []uint8, sx, tx uint32) {
	s, sf, t, tf = s[:len(d)], sf[:len(d)], t[:len(d)], tf[:len(d)]
	if simd.Vectors && with.Vector() {
		blendAddVector(&d[0], &s[0], &sf[0], &t[0], &tf[0], uint64(sx), uint64(tx), len(d))
		return
	}
	for i := range d {
		v := (uint32(s[i])*(uint32(sf[i])^sx) + uint32(t[i])*(uint32(tf[i])^tx) + blendRounding) / 255
		d[i] = uint8(min(v, 255))
	}
}

func blendSubtract(with simd.Kernels, d, s, sf, t, tf []uint8, sx, tx uint32) {
	s, sf, t, tf = s[:len(d)], sf[:len(d)], t[:len(d)], tf[:len(d)]
	if simd.Vectors && with.Vector() {
		blendSubtractVector(&d[0], &s[0], &sf[0], &t[0], &tf[0], uint64(sx), uint64(tx), len(d))
		return
	}
	for i := range d {
		a, b := uint32(s[i])*(uint32(sf[i])^sx), uint32(t[i])*(uint32(tf[i])^tx)
		d[i] = uint8((max(int32(a)-int32(b), 0) + blendRounding) / 255)
	}
}

func blendReverseSubtract(with simd.Kernels, d, s, sf, t, tf []uint8, sx, tx uint32) {
	blendSubtract(with, d, t, tf, s, sf, tx, sx)
}

func blendMin(with simd.Kernels, d, s, sf, t, tf []uint8, sx, tx uint32) {
	s, sf, t, tf = s[:len(d)], sf[:len(d)], t[:len(d)], tf[:len(d)]
	if simd.Vectors && with.Vector() {
		blendMinVector(&d[0], &s[0], &sf[0], &t[0], &tf[0], uint64(sx), uint64(tx), len(d))
		return
	}
	for i := range d {
		a, b := uint32(s[i])*(uint32(sf[i])^sx), uint32(t[i])*(uint32(tf[i])^tx)
		d[i] = uint8((min(a, b) + blendRounding) / 255)
	}
}

func blendMax(with simd.Kernels, d, s, sf, t, tf []uint8, sx, tx uint32) {
	s, sf, t, tf = s[:len(d)], sf[:len(d)], t[:len(d)], tf[:len(d)]
	if simd.Vectors && with.Vector() {
		blendMaxVector(&d[0], &s[0], &sf[0], &t[0], &tf[0], uint64(sx), uint64(tx), len(d))
		return
	}
	for i := range d {
		a, b := uint32(s[i])*(uint32(sf[i])^sx), uint32(t[i])*(uint32(tf[i])^tx)
		d[i] = uint8((max(a, b) + blendRounding) / 255)
	}
}

// logicOp is one of the 16 bitwise operations of GPUREG_LOGIC_OP.
type logicOp struct {
	kernel                 func(with simd.Kernels, d, s, t []uint8)
	readsSource, readsDest bool
}

// logicKernel makes the kernel of an operation f on single bits. As an
// expression the operation is s&t&both ^ s&source ^ t&dest ^ always; the four
// results of f give the masks.
func logicKernel(f func(s, t uint8) uint8) func(with simd.Kernels, d, s, t []uint8) {
	always := f(0, 0)
	source, dest := f(0xFF, 0)^always, f(0, 0xFF)^always
	both := f(0xFF, 0xFF) ^ source ^ dest ^ always
	return func(with simd.Kernels, d, s, t []uint8) {
		s, t = s[:len(d)], t[:len(d)]
		if simd.Vectors && with.Vector() {
			logicVector(&d[0], &s[0], &t[0], uint64(both), uint64(source), uint64(dest), uint64(always), len(d))
			return
		}
		for i := range d {
			d[i] = f(s[i], t[i])
		}
	}
}

// logicOps holds all 16, s the fragment's colour and t the render target's.
var logicOps = [16]logicOp{
	pica.LogicOpClear:        {logicKernel(func(s, t uint8) uint8 { return 0 }), false, false},
	pica.LogicOpAnd:          {logicKernel(func(s, t uint8) uint8 { return s & t }), true, true},
	pica.LogicOpAndReverse:   {logicKernel(func(s, t uint8) uint8 { return s &^ t }), true, true},
	pica.LogicOpCopy:         {logicKernel(func(s, t uint8) uint8 { return s }), true, false},
	pica.LogicOpSet:          {logicKernel(func(s, t uint8) uint8 { return 255 }), false, false},
	pica.LogicOpCopyInverted: {logicKernel(func(s, t uint8) uint8 { return ^s }), true, false},
	pica.LogicOpNoop:         {logicKernel(func(s, t uint8) uint8 { return t }), false, true},
	pica.LogicOpInvert:       {logicKernel(func(s, t uint8) uint8 { return ^t }), false, true},
	pica.LogicOpNand:         {logicKernel(func(s, t uint8) uint8 { return ^(s & t) }), true, true},
	pica.LogicOpOr:           {logicKernel(func(s, t uint8) uint8 { return s | t }), true, true},
	pica.LogicOpNor:          {logicKernel(func(s, t uint8) uint8 { return ^(s | t) }), true, true},
	pica.LogicOpXor:          {logicKernel(func(s, t uint8) uint8 { return s ^ t }), true, true},
	pica.LogicOpEquiv:        {logicKernel(func(s, t uint8) uint8 { return ^(s ^ t) }), true, true},
	pica.LogicOpAndInverted:  {logicKernel(func(s, t uint8) uint8 { return ^s & t }), true, true},
	pica.LogicOpOrReverse:    {logicKernel(func(s, t uint8) uint8 { return s | ^t }), true, true},
	pica.LogicOpOrInverted:   {logicKernel(func(s, t uint8) uint8 { return ^s | t }), true, true},
}
