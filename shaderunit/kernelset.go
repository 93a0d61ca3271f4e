package shaderunit

// kernelSet is a set of row kernels: plain Go, or AVX2 where the CPU has it.
type kernelSet struct {
	copy, neg, flush                  func(d, a *Row, n int)
	fill                              func(d *Row, x float32, n int)
	addVV, mulVV                      func(d, a, b *Row, n int, sign uint32)
	subVV, maxVV, minVV, sgeVV, sltVV func(d, a, b *Row, n int)
	addVS, mulVS                      func(d, a *Row, s float32, n int, sign uint32)
	madVVV                            func(d, a, b, c *Row, n int, signs uint32)
	madVSV                            func(d, a *Row, s float32, c *Row, n int, signs uint32)
	madVVS                            func(d, a, b *Row, s float32, n int, sign uint32)
	flr, rcp, rsq, ex2, lg2, maxZero  func(d, a *Row, n int)
	clampLit                          func(d, a *Row, n int)
	dot4VV                            func(d, ax, ay, az, aw, bx, by, bz, bw *Row, n int, sign uint32)
	dot3VV                            func(d, ax, ay, az, bx, by, bz *Row, n int, sign uint32)
	dot4VS                            func(d, ax, ay, az, aw *Row, b *vec4, n int, sign uint32)
	dot3VS                            func(d, ax, ay, az *Row, b *vec4, n int, sign uint32)
	dphVV                             func(d, ax, ay, az, bx, by, bz, bw *Row, h float32, n int, sign uint32)
	dphVS                             func(d, ax, ay, az *Row, b *vec4, h float32, n int, sign uint32)
	gather                            func(x, y, z, w *Row, f *[96]vec4, off *[Lanes]int32, base, n int) bool
	dot4G                             func(d, ax, ay, az, aw *Row, f *[96]vec4, off *[Lanes]int32, base, n int, sign uint32) bool
	dot3G                             func(d, ax, ay, az *Row, f *[96]vec4, off *[Lanes]int32, base, n int, sign uint32) bool
	trunc                             func(d *[Lanes]int32, a *Row, n int)
	cmpEQ, cmpNE, cmpLT, cmpLE        func(a, b *Row, n int) uint64
	sel                               func(d, a *Row, n int, mask uint64)
}

// goKernels is the plain Go set, the definition.
var goKernels = kernelSet{
	copy: goCopy, neg: goNeg, flush: goFlush, fill: goFill,
	addVV: goAddVV, mulVV: goMulVV, subVV: goSubVV,
	maxVV: goMaxVV, minVV: goMinVV, sgeVV: goSgeVV, sltVV: goSltVV,
	addVS: goAddVS, mulVS: goMulVS,
	madVVV: goMadVVV, madVSV: goMadVSV, madVVS: goMadVVS,
	flr: goFlr, rcp: goRcp, rsq: goRsq, ex2: goEx2, lg2: goLg2, maxZero: goMaxZero, clampLit: goClampLit,
	dot4VV: goDot4VV, dot3VV: goDot3VV, dot4VS: goDot4VS, dot3VS: goDot3VS, dphVV: goDphVV, dphVS: goDphVS,
	gather: goGather, dot4G: goDot4G, dot3G: goDot3G,
	trunc: goTrunc, cmpEQ: goCmpEQ, cmpNE: goCmpNE, cmpLT: goCmpLT, cmpLE: goCmpLE, sel: goSelect,
}
