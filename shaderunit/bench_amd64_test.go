package shaderunit

import (
	"math/rand"
	"testing"

	"pica200/internal/simd"
)

// BenchmarkKernels measures one row of 64 lanes in plain Go and with AVX2.
func BenchmarkKernels(b *testing.B) {
	rng := rand.New(rand.NewSource(3))
	var r [9]Row
	for i := range r {
		for l := range r[i] {
			r[i][l] = round24(float32(rng.Float64()*8 + 0.25))
		}
	}
	var d Row
	s := vec4{1.5, -2, 0.25, 3}
	var f [96]vec4
	for i := range f {
		f[i] = s
	}
	var off [Lanes]int32
	for i := range off {
		off[i] = int32(i)
	}
	sets := map[string]*kernelSet{"go": &goKernels}
	if simd.Best.Vector() {
		sets["avx2"] = &avx2Kernels
	}
	for _, c := range []struct {
		name string
		run  func(k *kernelSet)
	}{
		{"add", func(k *kernelSet) { k.addVV(&d, &r[0], &r[1], Lanes, 0) }},
		{"mul", func(k *kernelSet) { k.mulVV(&d, &r[0], &r[1], Lanes, 0) }},
		{"mad", func(k *kernelSet) { k.madVVV(&d, &r[0], &r[1], &r[2], Lanes, 0) }},
		{"dp4-uniform", func(k *kernelSet) { k.dot4VS(&d, &r[0], &r[1], &r[2], &r[3], &s, Lanes, 0) }},
		{"dp4-palette", func(k *kernelSet) { k.dot4G(&d, &r[0], &r[1], &r[2], &r[3], &f, &off, 20, Lanes, 0) }},
		{"max", func(k *kernelSet) { k.maxVV(&d, &r[0], &r[1], Lanes) }},
		{"rsq", func(k *kernelSet) { k.rsq(&d, &r[0], Lanes) }},
		{"ex2", func(k *kernelSet) { k.ex2(&d, &r[0], Lanes) }},
		{"lg2", func(k *kernelSet) { k.lg2(&d, &r[0], Lanes) }},
	} {
		for _, set := range []string{"go", "avx2"} {
			k, ok := sets[set]
			if !ok {
				continue
			}
			b.Run(c.name+"/"+set, func(b *testing.B) {
				for range b.N {
					c.run(k)
				}
			})
		}
	}
}
