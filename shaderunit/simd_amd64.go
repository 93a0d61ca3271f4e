package shaderunit

import "pica200/internal/simd"

// kernelsFor gives the set of a choice.
func kernelsFor(k simd.Kernels) *kernelSet {
	if k.AVX2() {
		return &avx2Kernels
	}
	return &goKernels
}

// avx2Kernels is the set with AVX2 twins. Flushing, which only programs with
// subnormal uniforms need, stays in plain Go.
var avx2Kernels = kernelSet{
	copy: goCopy, neg: negAVX2, flush: goFlush, fill: fillAVX2,
	addVV: addVVAVX2, mulVV: mulVVAVX2, subVV: subVVAVX2,
	maxVV: maxVVAVX2, minVV: minVVAVX2, sgeVV: sgeVVAVX2, sltVV: sltVVAVX2,
	addVS: addVSAVX2, mulVS: mulVSAVX2,
	madVVV: madVVVAVX2, madVSV: madVSVAVX2, madVVS: madVVSAVX2,
	flr: flrAVX2, rcp: rcpAVX2, rsq: rsqAVX2, ex2: ex2AVX2, lg2: lg2AVX2, maxZero: maxZeroAVX2, clampLit: clampLitAVX2,
	dot4VV: dot4VVAVX2, dot3VV: dot3VVAVX2, dot4VS: dot4VSAVX2, dot3VS: dot3VSAVX2, dphVV: dphVVAVX2, dphVS: dphVSAVX2,
	gather: gatherAVX2, dot4G: dot4GAVX2, dot3G: dot3GAVX2, trunc: truncAVX2,
	cmpEQ: cmpEQAVX2, cmpNE: cmpNEAVX2, cmpLT: cmpLTAVX2, cmpLE: cmpLEAVX2, sel: selectAVX2,
}
