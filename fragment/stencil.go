package fragment

import (
	"pica200/internal/simd"
	"pica200/pica"
	"pica200/raster"
)

// stencilTest is the stencil state (GPUREG_STENCIL_TEST and _OP, 0x105, 0x106)
// without the values, which are stencilValues.
type stencilTest struct {
	fn                    pica.CompareFunc
	fail, depthFail, pass pica.StencilOp
	unread                bool // the stencil buffer reads as 0
	unwritten             bool // nothing is written
}

func compileStencil(r *pica.Regs, readable, writable bool) *stencilTest {
	s := &stencilTest{
		fn:        pica.CompareFunc(pica.StencilTestFunc.Get(r)),
		fail:      pica.StencilOp(pica.StencilOpFail.Get(r)),
		depthFail: pica.StencilOp(pica.StencilOpZFail.Get(r)),
		pass:      pica.StencilOp(pica.StencilOpZPass.Get(r)),
	}
	s.unread, s.unwritten = !readable, !writable
	return s
}

// test compares the reference value with the buffer's, both masked.
func (s *stencilTest) test(with simd.Kernels, v *stencilValues, old *raster.Channel) uint16 {
	if simd.Vectors && with.Vector() {
		if s.unread {
			old = (*raster.Channel)(sameBytes[0][:])
		}
		m := stencilTestVector(&old[0], uint64(v.ref), uint64(v.read))
		return raster.Decide(s.fn, uint16(m), uint16(m>>16))
	}
	var a, b [raster.BlockPixels]uint32
	for i, value := range old {
		if s.unread {
			value = 0
		}
		a[i] = uint32(v.ref & v.read)
		b[i] = uint32(value & v.read)
	}
	return raster.Compare(s.fn, &a, &b)
}

// update applies op to the pixels in mask and writes the bits that the buffer
// mask allows.
func (s *stencilTest) update(with simd.Kernels, v *values, index int, mask uint16, op pica.StencilOp, old *raster.Channel) {
	k := &v.stencil
	if op == pica.StencilKeep || s.unwritten || k.write == 0 {
		return
	}
	var now raster.Channel
	if simd.Vectors && with.Vector() {
		steps := stencilSteps[op&7]
		if op == pica.StencilReplace {
			steps.xor = k.ref
		}
		if s.unread {
			steps.keep = 0
		}
		stencilUpdateVector(&old[0], &now[0], &steps.keep, uint64(k.write))
		v.target.StoreStencil(index, mask, &now)
		return
	}
	for i, o := range old {
		value := o
		if s.unread {
			value = 0
		}
		now[i] = stencilOp(op, value, k.ref)&k.write | o&^k.write
	}
	v.target.StoreStencil(index, mask, &now)
}

// stencilSteps describes each operation as steps of the AVX2 kernel, one byte
// each: the bits of the old value that are kept, what is added and subtracted
// with saturation, what is added with wrapping, and what is xored.
var stencilSteps = [8]struct{ keep, add, sub, wrap, xor uint8 }{
	pica.StencilKeep:          {keep: 255},
	pica.StencilZero:          {},
	pica.StencilReplace:       {}, // xor is the reference value
	pica.StencilIncrement:     {keep: 255, add: 1},
	pica.StencilDecrement:     {keep: 255, sub: 1},
	pica.StencilInvert:        {keep: 255, xor: 255},
	pica.StencilIncrementWrap: {keep: 255, wrap: 1},
	pica.StencilDecrementWrap: {keep: 255, wrap: 255},
}

func stencilOp(op pica.StencilOp, old, ref uint8) uint8 {
	switch op {
	case pica.StencilZero:
		return 0
	case pica.StencilReplace:
		return ref
	case pica.StencilIncrement:
		return max(old, old+1) // stays at 255
	case pica.StencilDecrement:
		return min(old, old-1) // stays at 0
	case pica.StencilInvert:
		return ^old
	case pica.StencilIncrementWrap:
		return old + 1
	case pica.StencilDecrementWrap:
		return old - 1
	}
	return old
}
