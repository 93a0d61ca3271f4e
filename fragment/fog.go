package fragment

import (
	"fmt"

	"pica200/internal/simd"
	"pica200/pica"
	"pica200/raster"
)

// fogging is what happens to the combiner's result: fog after the alpha test,
// gas shading before it, or nothing.
//
// FogOrder: fog does not change alpha, so it may come before or after the alpha
// test. Gas shading computes a new alpha, which the alpha test uses (the study
// of gas, in ../shared/reference/gas.md).
type fogging struct {
	out           colorRef // the fragment's colour after fog or gas
	alpha         planeRef // alpha for the alpha test
	before, after *op      // ops that run before and after the alpha test, or nil
	inputs        planeSet // planes that these ops read
}

func (f *fogging) reads(set *planeSet) { set.union(&f.inputs) }

// compileFog reads the fog mode (GPUREG_TEXENV_UPDATE_BUFFER bits 0-2). Values
// other than 5 and 7 mean no fog; only 0 is documented for that.
func (c *compiler) compileFog(stages *combiner) (*fogging, error) {
	f := &fogging{out: stages.out, alpha: stages.out[alpha]}
	r := c.regs
	switch pica.FogMode(pica.TexenvUpdateFogMode.Get(r)) {
	case pica.FogModeFog:
		src := stages.out
		for ch := red; ch <= blue; ch++ {
			f.inputs.add(src[ch])
			f.out[ch] = planeRef{cFog, uint8(ch)}
		}
		c.program.wants.fog = true
		factor := fogFactor
		if pica.TexenvUpdateZFlip.Bool(r) {
			factor = fogFactorFlipped
		}
		f.after = &op{name: "fog", run: func(m *machine) {
			t := &m.f[fScratch0]
			factor(m.with, t, &m.b.Depth, m.v.fogTable, m.n)
			for ch := red; ch <= blue; ch++ {
				fogMix(m.with, &m.c[cFog][ch], m.plane(src[ch]), t, m.v.fog[ch], m.n)
			}
		}, record: recordFog(src, f.out, pica.TexenvUpdateZFlip.Bool(r))}
	case pica.FogModeGas:
		if err := c.gasShading(f, stages); err != nil {
			return nil, fmt.Errorf("gas: %w", err)
		}
	}
	return f, nil
}

// fogFactor looks the depths up in the fog table. The result is the share of
// the fragment's own colour. Depth 0 is entry 0, depth 1 the end of the last
// interval.
func fogFactor(with simd.Kernels, d, depth *raster.Plane, t *lut128, n int) {
	lookup128(with, d, depth, t, n)
}

// fogFactorFlipped looks up 1 - depth.
func fogFactorFlipped(with simd.Kernels, d, depth *raster.Plane, t *lut128, n int) {
	scaleBias(with, d, depth, -1, 1, n) // 1 - depth; exact, because the product needs no rounding
	lookup128(with, d, d, t, n)
}

// lookup128 looks every lane up in a table of 128 entries.
func lookup128(with simd.Kernels, d, x *raster.Plane, t *lut128, n int) {
	if simd.Vectors && with.Vector() {
		lookup128Vector(&d[0], &x[0], &t[0].value, n)
		return
	}
	ds, xs := d[:n], x[:n]
	for i := range ds {
		ds[i] = lut128At(t, xs[i])
	}
}

// fogMix computes t*src + (1-t)*fog, rounded as in rounding.go.
func fogMix(with simd.Kernels, d, src *Bytes, t *raster.Plane, fog float32, n int) {
	if simd.Vectors && with.Vector() {
		fogMixVector(&d[0], &src[0], &t[0], fog, n)
		return
	}
	ds, ss, ts := d[:n], src[:n], t[:n]
	for i := range ds {
		f := ts[i]
		ds[i] = uint8(int32(float32(f*float32(ss[i])) + float32((1-f)*fog) + fogRounding))
	}
}
