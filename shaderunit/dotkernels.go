package shaderunit

import "math"

// The dot products of the batch engine in plain Go, see rowkernels.go. If a sum
// is NaN it may contain inf * 0, which counts as 0; then the scalar function
// computes it again.

// dotSettle computes a dot product whose result is not a normal number.
func dotSettle(a, b vec4, sign uint32) float32 {
	s := float32(product(a[0], b[0])) + float32(product(a[1], b[1]))
	s = float32(s) + float32(product(a[2], b[2]))
	s = float32(s) + float32(product(a[3], b[3]))
	return round24(math.Float32frombits(math.Float32bits(s) ^ sign))
}

func goDot4VV(d, ax, ay, az, aw, bx, by, bz, bw *Row, n int, sign uint32) {
	ds := d[:n]
	a0, a1, a2, a3 := ax[:len(ds)], ay[:len(ds)], az[:len(ds)], aw[:len(ds)]
	b0, b1, b2, b3 := bx[:len(ds)], by[:len(ds)], bz[:len(ds)], bw[:len(ds)]
	for i := range ds {
		s := float32(a0[i]*b0[i]) + float32(a1[i]*b1[i])
		s = s + float32(a2[i]*b2[i])
		s = s + float32(a3[i]*b3[i])
		w := math.Float32bits(s) ^ sign
		if w&absMask-minNormalBits < normalSpan {
			ds[i] = math.Float32frombits(w &^ mantissaCut)
		} else {
			ds[i] = dotSettle(vec4{a0[i], a1[i], a2[i], a3[i]}, vec4{b0[i], b1[i], b2[i], b3[i]}, sign)
		}
	}
}

func goDot4VS(d, ax, ay, az, aw *Row, b *vec4, n int, sign uint32) {
	ds := d[:n]
	a0, a1, a2, a3 := ax[:len(ds)], ay[:len(ds)], az[:len(ds)], aw[:len(ds)]
	b0, b1, b2, b3 := b[0], b[1], b[2], b[3]
	for i := range ds {
		s := float32(a0[i]*b0) + float32(a1[i]*b1)
		s = s + float32(a2[i]*b2)
		s = s + float32(a3[i]*b3)
		w := math.Float32bits(s) ^ sign
		if w&absMask-minNormalBits < normalSpan {
			ds[i] = math.Float32frombits(w &^ mantissaCut)
		} else {
			ds[i] = dotSettle(vec4{a0[i], a1[i], a2[i], a3[i]}, *b, sign)
		}
	}
}

func goDot3VV(d, ax, ay, az, bx, by, bz *Row, n int, sign uint32) {
	ds := d[:n]
	a0, a1, a2 := ax[:len(ds)], ay[:len(ds)], az[:len(ds)]
	b0, b1, b2 := bx[:len(ds)], by[:len(ds)], bz[:len(ds)]
	for i := range ds {
		s := float32(a0[i]*b0[i]) + float32(a1[i]*b1[i])
		s = s + float32(a2[i]*b2[i])
		w := math.Float32bits(s) ^ sign
		if w&absMask-minNormalBits < normalSpan {
			ds[i] = math.Float32frombits(w &^ mantissaCut)
		} else {
			ds[i] = dotSettle(vec4{a0[i], a1[i], a2[i]}, vec4{b0[i], b1[i], b2[i]}, sign)
		}
	}
}

func goDot3VS(d, ax, ay, az *Row, b *vec4, n int, sign uint32) {
	ds := d[:n]
	a0, a1, a2 := ax[:len(ds)], ay[:len(ds)], az[:len(ds)]
	b0, b1, b2 := b[0], b[1], b[2]
	for i := range ds {
		s := float32(a0[i]*b0) + float32(a1[i]*b1)
		s = s + float32(a2[i]*b2)
		w := math.Float32bits(s) ^ sign
		if w&absMask-minNormalBits < normalSpan {
			ds[i] = math.Float32frombits(w &^ mantissaCut)
		} else {
			ds[i] = dotSettle(vec4{a0[i], a1[i], a2[i]}, vec4{b0, b1, b2}, sign)
		}
	}
}

// goDphVV and goDphVS are a.x*b.x + a.y*b.y + a.z*b.z + h*b.w with h = 1 or -1.
func goDphVV(d, ax, ay, az, bx, by, bz, bw *Row, h float32, n int, sign uint32) {
	ds := d[:n]
	a0, a1, a2 := ax[:len(ds)], ay[:len(ds)], az[:len(ds)]
	b0, b1, b2, b3 := bx[:len(ds)], by[:len(ds)], bz[:len(ds)], bw[:len(ds)]
	for i := range ds {
		s := float32(a0[i]*b0[i]) + float32(a1[i]*b1[i])
		s = s + float32(a2[i]*b2[i])
		s = s + float32(h*b3[i])
		w := math.Float32bits(s) ^ sign
		if w&absMask-minNormalBits < normalSpan {
			ds[i] = math.Float32frombits(w &^ mantissaCut)
		} else {
			ds[i] = dotSettle(vec4{a0[i], a1[i], a2[i], h}, vec4{b0[i], b1[i], b2[i], b3[i]}, sign)
		}
	}
}

func goDphVS(d, ax, ay, az *Row, b *vec4, h float32, n int, sign uint32) {
	ds := d[:n]
	a0, a1, a2 := ax[:len(ds)], ay[:len(ds)], az[:len(ds)]
	b0, b1, b2, b3 := b[0], b[1], b[2], float32(h*b[3])
	for i := range ds {
		s := float32(a0[i]*b0) + float32(a1[i]*b1)
		s = s + float32(a2[i]*b2)
		s = s + b3
		w := math.Float32bits(s) ^ sign
		if w&absMask-minNormalBits < normalSpan {
			ds[i] = math.Float32frombits(w &^ mantissaCut)
		} else {
			ds[i] = dotSettle(vec4{a0[i], a1[i], a2[i], h}, *b, sign)
		}
	}
}

var ones = vec4{1, 1, 1, 1}

// uniformAt returns the float uniform c(base) with an address offset.
func uniformAt(f *[96]vec4, base int, offset int32) *vec4 {
	if i, ok := uniformIndex(base, offset); ok {
		return &f[i]
	}
	return &ones
}

// goGather copies the components of c(base+off) to rows. Like goDot4G and
// goDot3G it always returns true; the AVX2 twins return false for cases that
// they cannot do.
func goGather(x, y, z, w *Row, f *[96]vec4, off *[Lanes]int32, base, n int) bool {
	os := off[:n]
	xs, ys, zs, ws := x[:len(os)], y[:len(os)], z[:len(os)], w[:len(os)]
	for i := range os {
		u := uniformAt(f, base, os[i])
		xs[i], ys[i], zs[i], ws[i] = u[0]+0, u[1]+0, u[2]+0, u[3]+0 // -0 becomes +0
	}
	return true
}

// goDot4G and goDot3G are dot products with gathered uniforms, as for matrix
// palettes.
func goDot4G(d, ax, ay, az, aw *Row, f *[96]vec4, off *[Lanes]int32, base, n int, sign uint32) bool {
	ds := d[:n]
	a0, a1, a2, a3 := ax[:len(ds)], ay[:len(ds)], az[:len(ds)], aw[:len(ds)]
	os := off[:len(ds)]
	for i := range ds {
		u := uniformAt(f, base, os[i])
		s := float32(a0[i]*u[0]) + float32(a1[i]*u[1])
		s = s + float32(a2[i]*u[2])
		s = s + float32(a3[i]*u[3])
		w := math.Float32bits(s) ^ sign
		if w&absMask-minNormalBits < normalSpan {
			ds[i] = math.Float32frombits(w &^ mantissaCut)
		} else {
			ds[i] = dotSettle(vec4{a0[i], a1[i], a2[i], a3[i]}, *u, sign)
		}
	}
	return true
}

func goDot3G(d, ax, ay, az *Row, f *[96]vec4, off *[Lanes]int32, base, n int, sign uint32) bool {
	ds := d[:n]
	a0, a1, a2 := ax[:len(ds)], ay[:len(ds)], az[:len(ds)]
	os := off[:len(ds)]
	for i := range ds {
		u := uniformAt(f, base, os[i])
		s := float32(a0[i]*u[0]) + float32(a1[i]*u[1])
		s = s + float32(a2[i]*u[2])
		w := math.Float32bits(s) ^ sign
		if w&absMask-minNormalBits < normalSpan {
			ds[i] = math.Float32frombits(w &^ mantissaCut)
		} else {
			ds[i] = dotSettle(vec4{a0[i], a1[i], a2[i]}, vec4{u[0], u[1], u[2]}, sign)
		}
	}
	return true
}
