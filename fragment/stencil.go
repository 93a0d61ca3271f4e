package fragment

import (
	"pica200/pica"
	"pica200/raster"
)

// stencilTest is the stencil state (GPUREG_STENCIL_TEST and _OP, 0x105, 0x106).
type stencilTest struct {
	fn                    pica.CompareFunc
	ref, read, write      uint8
	fail, depthFail, pass pica.StencilOp
	unread                bool // the value that is read is 0
}

func compileStencil(r *pica.Regs, readable, writable bool) *stencilTest {
	s := &stencilTest{
		fn:        pica.CompareFunc(pica.StencilTestFunc.Get(r)),
		ref:       uint8(pica.StencilTestRef.Get(r)),
		read:      uint8(pica.StencilTestMask.Get(r)),
		write:     uint8(pica.StencilTestWriteMask.Get(r)),
		fail:      pica.StencilOp(pica.StencilOpFail.Get(r)),
		depthFail: pica.StencilOp(pica.StencilOpZFail.Get(r)),
		pass:      pica.StencilOp(pica.StencilOpZPass.Get(r)),
	}
	s.unread = !readable
	if !writable {
		s.write = 0
	}
	return s
}

// test compares the reference value with the buffer's, both under the mask.
func (s *stencilTest) test(old *raster.Channel) uint16 {
	var a, b [raster.BlockPixels]uint32
	for i, v := range old {
		if s.unread {
			v = 0
		}
		a[i] = uint32(s.ref & s.read)
		b[i] = uint32(v & s.read)
	}
	return raster.Compare(s.fn, &a, &b)
}

// update applies op to the pixels in mask and writes the bits that the buffer
// mask allows.
func (s *stencilTest) update(t *raster.Target, index int, mask uint16, op pica.StencilOp, old *raster.Channel) {
	if op == pica.StencilKeep || s.write == 0 {
		return
	}
	var v raster.Channel
	for i, o := range old {
		value := o
		if s.unread {
			value = 0
		}
		v[i] = stencilOp(op, value, s.ref)&s.write | o&^s.write
	}
	t.StoreStencil(index, mask, &v)
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
