package fragment

import (
	"math"

	"pica200/internal/simd"
	"pica200/raster"
)

// The kernels of fragment lighting. Each is one loop over the first n lanes of
// its planes. Every product is rounded on its own (float32(x*y) + z), so that
// the AVX2 twin, without fused multiply-add, gives the same bits. n is a
// multiple of 16 from 16 to raster.Lanes.

// inverseLength is 1/sqrt(x) for a squared length x, and 0 for 0, so that a
// zero vector stays zero. It rounds twice, in the square root and the division,
// which every CPU rounds correctly.
func inverseLength(x float32) float32 {
	if x > 0 {
		return 1 / float32(math.Sqrt(float64(x)))
	}
	return 0
}

// quaternions are the lanes of a quaternion, (x, y, z) the vector part.
type quaternions = [4]raster.Plane

// vectors are the lanes of a vector.
type vectors = [3]raster.Plane

// unitQuaternion normalises n quaternions in place.
func unitQuaternion(with simd.Kernels, q *quaternions, n int) {
	if simd.Vectors && with.Vector() {
		unitQuaternionVector(&q[0][0], n)
		return
	}
	xs, ys, zs, ws := q[0][:n], q[1][:n], q[2][:n], q[3][:n]
	for i := range xs {
		a, b, c, d := xs[i], ys[i], zs[i], ws[i]
		r := inverseLength(float32(a*a) + float32(b*b) + float32(c*c) + float32(d*d))
		xs[i], ys[i], zs[i], ws[i] = a*r, b*r, c*r, d*r
	}
}

// rotateNormal rotates (0, 0, 1) by the unit quaternions into d.
func rotateNormal(with simd.Kernels, d *vectors, q *quaternions, n int) {
	if simd.Vectors && with.Vector() {
		rotateNormalVector(&d[0][0], &q[0][0], n)
		return
	}
	d0, d1, d2 := d[0][:n], d[1][:n], d[2][:n]
	xs, ys, zs, ws := q[0][:n], q[1][:n], q[2][:n], q[3][:n]
	for i := range d0 {
		a, b, c, s := xs[i], ys[i], zs[i], ws[i]
		d0[i] = 2 * (float32(b*s) + float32(c*a))
		d1[i] = 2 * (float32(c*b) - float32(a*s))
		d2[i] = 1 - 2*(float32(a*a)+float32(b*b))
	}
}

// rotateTangent rotates (1, 0, 0) by the unit quaternions into d.
func rotateTangent(with simd.Kernels, d *vectors, q *quaternions, n int) {
	if simd.Vectors && with.Vector() {
		rotateTangentVector(&d[0][0], &q[0][0], n)
		return
	}
	d0, d1, d2 := d[0][:n], d[1][:n], d[2][:n]
	xs, ys, zs, ws := q[0][:n], q[1][:n], q[2][:n], q[3][:n]
	for i := range d0 {
		a, b, c, s := xs[i], ys[i], zs[i], ws[i]
		d0[i] = 1 - 2*(float32(b*b)+float32(c*c))
		d1[i] = 2 * (float32(c*s) + float32(a*b))
		d2[i] = 2 * (float32(a*c) - float32(b*s))
	}
}

// rotate rotates the vectors v by the unit quaternions (q, s), in place:
// v + 2 q x (q x v + s v).
func rotate(with simd.Kernels, v *vectors, q *quaternions, n int) {
	if simd.Vectors && with.Vector() {
		rotateVector(&v[0][0], &q[0][0], n)
		return
	}
	v0, v1, v2 := v[0][:n], v[1][:n], v[2][:n]
	xs, ys, zs, ws := q[0][:n], q[1][:n], q[2][:n], q[3][:n]
	for i := range v0 {
		a, b, c, s := xs[i], ys[i], zs[i], ws[i]
		d, e, f := v0[i], v1[i], v2[i]
		t0 := float32(b*f) - float32(c*e) + float32(s*d)
		t1 := float32(c*d) - float32(a*f) + float32(s*e)
		t2 := float32(a*e) - float32(b*d) + float32(s*f)
		v0[i] = d + 2*(float32(b*t2)-float32(c*t1))
		v1[i] = e + 2*(float32(c*t0)-float32(a*t2))
		v2[i] = f + 2*(float32(a*t1)-float32(b*t0))
	}
}

// perturb turns a texture's red, green and blue (0..255) into the vector
// 2*colour - 1 of a bump or tangent map.
func perturb(with simd.Kernels, d *vectors, c *Color, n int) {
	if simd.Vectors && with.Vector() {
		perturbVector(&d[0][0], &c[0][0], n)
		return
	}
	for k := range d {
		dst := d[k][:n]
		src := c[k][:n]
		for i := range dst {
			dst[i] = float32(float32(src[i])*(1/127.5)) - 1
		}
	}
}

// recalculateZ sets z = sqrt(1 - x*x - y*y), or 0 where that is negative.
func recalculateZ(with simd.Kernels, d *vectors, n int) {
	if simd.Vectors && with.Vector() {
		recalculateZVector(&d[0][0], n)
		return
	}
	xs, ys, zs := d[0][:n], d[1][:n], d[2][:n]
	for i := range xs {
		a, b := xs[i], ys[i]
		s := 1 - (float32(a*a) + float32(b*b))
		if !(s > 0) {
			s = 0
		}
		zs[i] = float32(math.Sqrt(float64(s)))
	}
}

// unit normalises v into d.
func unit(with simd.Kernels, d, v *vectors, n int) {
	if simd.Vectors && with.Vector() {
		unitVector(&d[0][0], &v[0][0], n)
		return
	}
	d0, d1, d2 := d[0][:n], d[1][:n], d[2][:n]
	xs, ys, zs := v[0][:n], v[1][:n], v[2][:n]
	for i := range d0 {
		a, b, c := xs[i], ys[i], zs[i]
		r := inverseLength(float32(a*a) + float32(b*b) + float32(c*c))
		d0[i], d1[i], d2[i] = a*r, b*r, c*r
	}
}

// towards computes the unit vectors from the fragments to a light at p, and the
// distances. The view vector points from the fragment to the eye, which is the
// origin, so the vector to the light is p + view.
func towards(with simd.Kernels, d *vectors, dist *raster.Plane, p [3]float32, v *vectors, n int) {
	if simd.Vectors && with.Vector() {
		towardsVector(&d[0][0], &dist[0], p[0], p[1], p[2], &v[0][0], n)
		return
	}
	d0, d1, d2, ds := d[0][:n], d[1][:n], d[2][:n], dist[:n]
	xs, ys, zs := v[0][:n], v[1][:n], v[2][:n]
	for i := range d0 {
		a, b, c := p[0]+xs[i], p[1]+ys[i], p[2]+zs[i]
		sq := float32(a*a) + float32(b*b) + float32(c*c)
		l := float32(math.Sqrt(float64(sq)))
		var r float32
		if sq > 0 {
			r = 1 / l
		}
		d0[i], d1[i], d2[i], ds[i] = a*r, b*r, c*r, l
	}
}

// halfVector computes the unit vectors along light + view, and their squared
// lengths before normalising.
func halfVector(with simd.Kernels, d *vectors, sq *raster.Plane, light, view *vectors, n int) {
	if simd.Vectors && with.Vector() {
		halfVectorVector(&d[0][0], &sq[0], &light[0][0], &view[0][0], n)
		return
	}
	d0, d1, d2, ss := d[0][:n], d[1][:n], d[2][:n], sq[:n]
	l0, l1, l2 := light[0][:n], light[1][:n], light[2][:n]
	v0, v1, v2 := view[0][:n], view[1][:n], view[2][:n]
	for i := range d0 {
		a, b, c := l0[i]+v0[i], l1[i]+v1[i], l2[i]+v2[i]
		s := float32(a*a) + float32(b*b) + float32(c*c)
		r := inverseLength(s)
		d0[i], d1[i], d2[i], ss[i] = a*r, b*r, c*r, s
	}
}

// halfVectorTo is halfVector for a light with the same direction l everywhere.
func halfVectorTo(with simd.Kernels, d *vectors, sq *raster.Plane, l [3]float32, view *vectors, n int) {
	if simd.Vectors && with.Vector() {
		halfVectorToVector(&d[0][0], &sq[0], l[0], l[1], l[2], &view[0][0], n)
		return
	}
	d0, d1, d2, ss := d[0][:n], d[1][:n], d[2][:n], sq[:n]
	v0, v1, v2 := view[0][:n], view[1][:n], view[2][:n]
	for i := range d0 {
		a, b, c := l[0]+v0[i], l[1]+v1[i], l[2]+v2[i]
		s := float32(a*a) + float32(b*b) + float32(c*c)
		r := inverseLength(s)
		d0[i], d1[i], d2[i], ss[i] = a*r, b*r, c*r, s
	}
}

// dot computes the dot products of a and b.
func dot(with simd.Kernels, d *raster.Plane, a, b *vectors, n int) {
	if simd.Vectors && with.Vector() {
		dotVector(&d[0], &a[0][0], &b[0][0], n)
		return
	}
	ds := d[:n]
	a0, a1, a2 := a[0][:n], a[1][:n], a[2][:n]
	b0, b1, b2 := b[0][:n], b[1][:n], b[2][:n]
	for i := range ds {
		ds[i] = float32(a0[i]*b0[i]) + float32(a1[i]*b1[i]) + float32(a2[i]*b2[i])
	}
}

// dotConst writes the dot products of a and the constant b.
func dotConst(with simd.Kernels, d *raster.Plane, a *vectors, b [3]float32, n int) {
	if simd.Vectors && with.Vector() {
		dotConstVector(&d[0], &a[0][0], b[0], b[1], b[2], n)
		return
	}
	ds := d[:n]
	a0, a1, a2 := a[0][:n], a[1][:n], a[2][:n]
	x, y, z := b[0], b[1], b[2]
	for i := range ds {
		ds[i] = float32(a0[i]*x) + float32(a1[i]*y) + float32(a2[i]*z)
	}
}

// dotProjected computes (h - nrm*(nrm.h)) . t, the input CP: the half vector is
// projected into the plane of the normal but not normalised again.
func dotProjected(with simd.Kernels, d *raster.Plane, h, nrm, t *vectors, n int) {
	if simd.Vectors && with.Vector() {
		dotProjectedVector(&d[0], &h[0][0], &nrm[0][0], &t[0][0], n)
		return
	}
	ds := d[:n]
	h0, h1, h2 := h[0][:n], h[1][:n], h[2][:n]
	n0, n1, n2 := nrm[0][:n], nrm[1][:n], nrm[2][:n]
	t0, t1, t2 := t[0][:n], t[1][:n], t[2][:n]
	for i := range ds {
		k := float32(n0[i]*h0[i]) + float32(n1[i]*h1[i]) + float32(n2[i]*h2[i])
		a := h0[i] - float32(n0[i]*k)
		b := h1[i] - float32(n1[i]*k)
		c := h2[i] - float32(n2[i]*k)
		ds[i] = float32(a*t0[i]) + float32(b*t1[i]) + float32(c*t2[i])
	}
}

// oneSided computes max(x, 0), twoSided abs(x). A NaN gives 0 and NaN.
func oneSided(with simd.Kernels, d, x *raster.Plane, n int) {
	if simd.Vectors && with.Vector() {
		oneSidedVector(&d[0], &x[0], n)
		return
	}
	ds, xs := d[:n], x[:n]
	for i := range ds {
		v := xs[i]
		if !(v > 0) {
			v = 0
		}
		ds[i] = v
	}
}

func twoSided(with simd.Kernels, d, x *raster.Plane, n int) {
	if simd.Vectors && with.Vector() {
		twoSidedVector(&d[0], &x[0], n)
		return
	}
	ds, xs := d[:n], x[:n]
	for i := range ds {
		ds[i] = math.Float32frombits(math.Float32bits(xs[i]) &^ (1 << 31))
	}
}

// entries are the positions at which lanes read a table: the index of an entry,
// and the fraction after it.
type entries struct {
	k    [raster.Lanes]int32
	rest raster.Plane
}

// entriesUnsigned computes the positions for inputs 0..1; it clamps others.
func entriesUnsigned(with simd.Kernels, e *entries, x *raster.Plane, n int) {
	if simd.Vectors && with.Vector() {
		entriesUnsignedVector(&e.k[0], &e.rest[0], &x[0], n)
		return
	}
	ks, rs, xs := e.k[:n], e.rest[:n], x[:n]
	for i := range ks {
		v := xs[i] * 256
		if !(v > 0) {
			v = 0
		}
		if !(v < 256) {
			v = 256
		}
		k := min(int32(v), 255)
		ks[i], rs[i] = k, v-float32(k)
	}
}

// entriesSigned computes the positions for inputs -1..1; it clamps others. Entry 0
// is input 0, entries 128-255 are the inputs -1 to 0.
func entriesSigned(with simd.Kernels, e *entries, x *raster.Plane, n int) {
	if simd.Vectors && with.Vector() {
		entriesSignedVector(&e.k[0], &e.rest[0], &x[0], n)
		return
	}
	ks, rs, xs := e.k[:n], e.rest[:n], x[:n]
	for i := range ks {
		v := xs[i] * 128
		if !(v > -128) {
			v = -128
		}
		if !(v < 128) {
			v = 128
		}
		k := int32(v)
		if float32(k) > v {
			k--
		}
		k = min(k, 127)
		ks[i], rs[i] = k&255, v-float32(k)
	}
}

// lookup reads a table and multiplies by scale.
func lookup(with simd.Kernels, d *raster.Plane, at *entries, t *lut256, scale float32, n int) {
	if simd.Vectors && with.Vector() {
		lookupVector(&d[0], &at.k[0], &at.rest[0], &t[0].value, scale, n)
		return
	}
	ds, ks, rs := d[:n], at.k[:n], at.rest[:n]
	for i := range ds {
		e := &t[uint8(ks[i])]
		ds[i] = scale * (e.value + float32(e.diff*rs[i]))
	}
}

// scaleBias writes x*scale + bias.
func scaleBias(with simd.Kernels, d, x *raster.Plane, scale, bias float32, n int) {
	if simd.Vectors && with.Vector() {
		scaleBiasVector(&d[0], &x[0], scale, bias, n)
		return
	}
	ds, xs := d[:n], x[:n]
	for i := range ds {
		ds[i] = float32(xs[i]*scale) + bias
	}
}

// mul writes a*b.
func mul(with simd.Kernels, d, a, b *raster.Plane, n int) {
	if simd.Vectors && with.Vector() {
		mulVector(&d[0], &a[0], &b[0], n)
		return
	}
	ds, as, bs := d[:n], a[:n], b[:n]
	for i := range ds {
		ds[i] = as[i] * bs[i]
	}
}

// geometricFactor computes min(lit/sq, 1), and 0 where sq is 0.
func geometricFactor(with simd.Kernels, d, lit, sq *raster.Plane, n int) {
	if simd.Vectors && with.Vector() {
		geometricFactorVector(&d[0], &lit[0], &sq[0], n)
		return
	}
	ds, ls, ss := d[:n], lit[:n], sq[:n]
	for i := range ds {
		var g float32
		if ss[i] != 0 {
			g = ls[i] / ss[i]
			if !(g < 1) {
				g = 1
			}
		}
		ds[i] = g
	}
}

// clampHighlight copies x where lit is not 0, and writes 0 elsewhere.
func clampHighlight(with simd.Kernels, d, x, lit *raster.Plane, n int) {
	if simd.Vectors && with.Vector() {
		clampHighlightVector(&d[0], &x[0], &lit[0], n)
		return
	}
	ds, xs, ls := d[:n], x[:n], lit[:n]
	for i := range ds {
		v := xs[i]
		if ls[i] == 0 {
			v = 0
		}
		ds[i] = v
	}
}

// fill writes v to all lanes.
func fill(with simd.Kernels, d *raster.Plane, v float32, n int) {
	if simd.Vectors && with.Vector() {
		fillVector(&d[0], v, n)
		return
	}
	ds := d[:n]
	for i := range ds {
		ds[i] = v
	}
}

// addDiffuse adds (kd*lit + ka) * atten to the three sums.
func addDiffuse(with simd.Kernels, sum *[4]raster.Plane, lit, atten *raster.Plane, kd, ka [3]float32, n int) {
	if simd.Vectors && with.Vector() {
		addDiffuseVector(&sum[0][0], &lit[0], &atten[0], kd[0], kd[1], kd[2], ka[0], ka[1], ka[2], n)
		return
	}
	ls, as := lit[:n], atten[:n]
	r, g, b := sum[0][:n], sum[1][:n], sum[2][:n]
	for i := range ls {
		l, a := ls[i], as[i]
		r[i] += float32((float32(kd[0]*l) + ka[0]) * a)
		g[i] += float32((float32(kd[1]*l) + ka[1]) * a)
		b[i] += float32((float32(kd[2]*l) + ka[2]) * a)
	}
}

// addDiffuseShadowed is addDiffuse with the diffuse part times the shadow's
// colour.
func addDiffuseShadowed(with simd.Kernels, sum *[4]raster.Plane, lit, atten *raster.Plane, shadow *[4]raster.Plane, kd, ka [3]float32, n int) {
	if simd.Vectors && with.Vector() {
		addDiffuseShadowedVector(&sum[0][0], &lit[0], &atten[0], &shadow[0][0], kd[0], kd[1], kd[2], ka[0], ka[1], ka[2], n)
		return
	}
	ls, as := lit[:n], atten[:n]
	r, g, b := sum[0][:n], sum[1][:n], sum[2][:n]
	sr, sg, sb := shadow[0][:n], shadow[1][:n], shadow[2][:n]
	for i := range ls {
		l, a := ls[i], as[i]
		r[i] += float32((float32(kd[0]*l*sr[i]) + ka[0]) * a)
		g[i] += float32((float32(kd[1]*l*sg[i]) + ka[1]) * a)
		b[i] += float32((float32(kd[2]*l*sb[i]) + ka[2]) * a)
	}
}

// addSpecular0 adds k*d0*f to the three sums.
func addSpecular0(with simd.Kernels, sum *[4]raster.Plane, d0, f *raster.Plane, k [3]float32, n int) {
	if simd.Vectors && with.Vector() {
		addSpecular0Vector(&sum[0][0], &d0[0], &f[0], k[0], k[1], k[2], n)
		return
	}
	ds, fs := d0[:n], f[:n]
	r, g, b := sum[0][:n], sum[1][:n], sum[2][:n]
	for i := range ds {
		v := ds[i] * fs[i]
		r[i] += float32(k[0] * v)
		g[i] += float32(k[1] * v)
		b[i] += float32(k[2] * v)
	}
}

// addSpecular adds (k0*d0 + k1*d1*refl) * f, times the shadow's colour.
func addSpecular(with simd.Kernels, sum *[4]raster.Plane, d0, d1, f *raster.Plane, refl, shadow [3]*raster.Plane, k0, k1 [3]float32, n int) {
	for c := range k0 {
		if simd.Vectors && with.Vector() {
			addSpecularVector(&sum[c][0], &d0[0], &d1[0], &f[0], &refl[c][0], &shadow[c][0], k0[c], k1[c], n)
		} else {
			addSpecularChannel(&sum[c], d0, d1, f, refl[c], shadow[c], k0[c], k1[c], n)
		}
	}
}

// addSpecularChannel is addSpecular for one channel.
func addSpecularChannel(sum, d0, d1, f, refl, shadow *raster.Plane, k0, k1 float32, n int) {
	s, ds, es, fs, rs, ss := sum[:n], d0[:n], d1[:n], f[:n], refl[:n], shadow[:n]
	for i := range s {
		v := float32(k0*ds[i]) + float32(k1*float32(es[i]*rs[i]))
		s[i] += float32(float32(v*fs[i]) * ss[i])
	}
}

// shadowFactor turns a texture's colour into shadow attenuation, 0 to 1.
func shadowFactor(with simd.Kernels, d *raster.Plane, c *[raster.Lanes]uint8, invert bool, n int) {
	var flip uint8
	if invert {
		flip = 255 // 1 - c/255 = (255-c)/255
	}
	if simd.Vectors && with.Vector() {
		shadowFactorVector(&d[0], &c[0], uint32(flip), n)
		return
	}
	ds, cs := d[:n], c[:n]
	for i := range ds {
		ds[i] = float32(cs[i]^flip) / 255
	}
}

// toByte writes 255*x truncated, x clamped to 0..1; a NaN gives 0.
func toByte(with simd.Kernels, d *[raster.Lanes]uint8, x *raster.Plane, n int) {
	if simd.Vectors && with.Vector() {
		toByteVector(&d[0], &x[0], n)
		return
	}
	ds, xs := d[:n], x[:n]
	for i := range ds {
		v := xs[i]
		if !(v > 0) {
			v = 0
		}
		if !(v < 1) {
			v = 1
		}
		ds[i] = uint8(int32(v * 255))
	}
}
