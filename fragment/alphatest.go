package fragment

import (
	"pica200/internal/simd"
	"pica200/pica"
	"pica200/raster"
)

// alphaTest is the state of GPUREG_FRAGOP_ALPHA_TEST (0x104), without the
// reference value.
type alphaTest struct {
	fn    pica.CompareFunc
	alpha planeRef
}

// compileAlphaTest returns nil if every fragment passes.
func compileAlphaTest(r *pica.Regs, alpha planeRef) *alphaTest {
	if !pica.AlphaTestEnable.Bool(r) {
		return nil
	}
	t := &alphaTest{fn: pica.CompareFunc(pica.AlphaTestFunc.Get(r)), alpha: alpha}
	if t.fn == pica.CompareAlways {
		return nil
	}
	return t
}

// run drops the fragments that fail.
func (t *alphaTest) run(m *machine) {
	p := m.plane(t.alpha)
	if simd.Vectors && m.with.Vector() {
		t.runVector(m, p)
		return
	}
	for i := range m.b.Mask[:m.b.Blocks] {
		if m.b.Mask[i] == 0 {
			continue
		}
		var a [raster.BlockPixels]uint32
		for j, v := range block(p, i) {
			a[j] = uint32(v)
		}
		m.b.Mask[i] &= raster.Compare(t.fn, &a, &m.v.alpha)
	}
}

// runVector is run by the AVX2 kernels.
func (t *alphaTest) runVector(m *machine, p *Bytes) {
	ref := uint64(m.v.alpha[0])
	var masks [raster.BatchBlocks]uint16
	var flip uint16
	switch t.fn {
	case pica.CompareNotEqual, pica.CompareLess, pica.CompareGreater:
		flip = 0xFFFF // inverts equal, at least and at most
	}
	switch t.fn {
	case pica.CompareEqual, pica.CompareNotEqual:
		masksEqualVector(&p[0], ref, &masks[0], m.n)
	case pica.CompareGreaterEqual, pica.CompareLess:
		masksAtLeastVector(&p[0], ref, &masks[0], m.n)
	case pica.CompareLessEqual, pica.CompareGreater:
		masksAtMostVector(&p[0], ref, &masks[0], m.n)
	}
	for i := range m.b.Mask[:m.b.Blocks] {
		m.b.Mask[i] &= masks[i] ^ flip
	}
}
