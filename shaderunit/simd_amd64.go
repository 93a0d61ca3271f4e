package shaderunit

import "pica200/internal/simd"

// kernelsFor returns the kernels of a choice.
func kernelsFor(k simd.Kernels) *kernelSet {
	if k.AVX2() {
		return &avx2Kernels
	}
	return &goKernels
}

// avx2Kernels are the AVX2 twins. Flushing, which only programs with subnormal
// uniforms need, uses plain Go.
var avx2Kernels = kernelSet{
	copy: goCopy, neg: negVector, flush: goFlush, fill: fillVector,
	addVV: addVVVector, mulVV: mulVVVector, subVV: subVVVector,
	maxVV: maxVVVector, minVV: minVVVector, sgeVV: sgeVVVector, sltVV: sltVVVector,
	addVS: addVSVector, mulVS: mulVSVector,
	madVVV: madVVVVector, madVSV: madVSVVector, madVVS: madVVSVector,
	flr: flrVector, rcp: rcpVector, rsq: rsqVector, ex2: ex2Vector, lg2: lg2Vector, maxZero: maxZeroVector, clampLit: clampLitVector,
	dot4VV: dot4VVVector, dot3VV: dot3VVVector, dot4VS: dot4VSVector, dot3VS: dot3VSVector, dphVV: dphVVVector, dphVS: dphVSVector,
	gather: gatherVector, dot4G: dot4GVector, dot3G: dot3GVector, trunc: truncVector,
	cmpEQ: cmpEQVector, cmpNE: cmpNEVector, cmpLT: cmpLTVector, cmpLE: cmpLEVector, sel: selectVector,
}
