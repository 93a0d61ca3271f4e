package fragment

import (
	"math"

	"pica200/internal/simd"
	"pica200/pica"
	"pica200/raster"
)

// procTexLOD computes the level of detail of each quad: log2(k * (du + dv)),
// clamped to lo..hi, or lo for k = 0. du and dv are the greater of a
// coordinate's differences across and down. The sum is OpenGL's upper limit of
// the scale factor; the bias is inside the logarithm (Azahar).
func procTexLOD(d *[quads]float32, u, v *raster.Plane, k, lo, hi float32, n int) {
	us, vs := u[:n], v[:n]
	for q := 0; q < n/4 && q < quads; q++ {
		a, b := us[q*4:q*4+4:q*4+4], vs[q*4:q*4+4:q*4+4]
		du := max(abs32(a[1]-a[0]), abs32(a[2]-a[0]))
		dv := max(abs32(b[1]-b[0]), abs32(b[2]-b[0]))
		var l float32
		if x := float32(k * (du + dv)); x > 0 {
			l = log2(x)
		} else if k != 0 {
			l = lo
		}
		d[q] = min(max(l, lo), max(lo, hi))
	}
}

func abs32(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }

// procTexShift writes step where the integer (x + add)/2 is odd, and 0
// elsewhere. x is not negative.
func procTexShift(d, x *raster.Plane, step float32, add int32, n int) {
	ds, xs := d[:n], x[:n]
	for i := range ds {
		var s float32
		if (fixed(xs[i])+add)&2 != 0 {
			s = step
		}
		ds[i] = s
	}
}

// add adds x to d.
func add(d, x *raster.Plane, n int) {
	ds, xs := d[:n], x[:n]
	for i := range ds {
		ds[i] += xs[i]
	}
}

// procTexNoise displaces the coordinates by gradient noise over cells, mixed
// with weights from the noise table, times the amplitudes. It makes the results
// positive.
func procTexNoise(with simd.Kernels, u, v *raster.Plane, s *procTexState, lut *lut128, n int) {
	fu, fv := float32(noiseCells*s.frequency[0]), float32(noiseCells*s.frequency[1])
	if simd.Assembly && with.AVX2() {
		p := [6]float32{fu, fv, s.phase[0], s.phase[1], s.amplitude[0], s.amplitude[1]}
		procTexNoiseVector(&u[0], &v[0], &p[0], &noise.ninth[0], &lut[0].value, n)
		return
	}
	us, vs := u[:n], v[:n]
	for i := range us {
		x := float32(fu * abs32(us[i]+s.phase[0]))
		y := float32(fv * abs32(vs[i]+s.phase[1]))
		xi, yi := fixed(x), fixed(y)
		xf, yf := x-float32(xi), y-float32(yi)

		x0, x1 := noiseRand1[uint32(xi)%noisePeriod]&15, noiseRand1[uint32(xi+1)%noisePeriod]&15
		y0, y1 := noiseRand1[uint32(yi)%noisePeriod]&15, noiseRand1[uint32(yi+1)%noisePeriod]&15
		sum := xf + yf
		g0 := float32(noiseRand2[x0][y0] * sum)
		g1 := float32(noiseRand2[x1][y0] * (sum - 1))
		g2 := float32(noiseRand2[x0][y1] * (sum - 1))
		g3 := float32(noiseRand2[x1][y1] * (sum - 2))
		wx, wy := lut128At(lut, xf), lut128At(lut, yf)
		top := g0 + float32((g1-g0)*wx)
		bottom := g2 + float32((g3-g2)*wx)
		noise := top + float32((bottom-top)*wy)

		us[i] = abs32(us[i] + float32(noise*s.amplitude[0]))
		vs[i] = abs32(vs[i] + float32(noise*s.amplitude[1]))
	}
}

// lut128At looks x up in a table of 128 entries: 0 is entry 0, 1 the end of the
// last interval. It clamps x and the result to 0..1.
func lut128At(t *lut128, x float32) float32 {
	x *= 128
	if !(x > 0) {
		x = 0
	}
	if !(x < 128) {
		x = 128
	}
	k := min(int32(x), 127)
	e := &t[k&127]
	r := e.value + float32(e.diff*(x-float32(k)))
	if !(r > 0) {
		r = 0
	}
	if !(r < 1) {
		r = 1
	}
	return r
}

// procClampKernel returns the kernel of a clamp mode. It takes coordinates that
// are not negative.
func procClampKernel(c pica.ProcClamp) func(with simd.Kernels, d *raster.Plane, n int) {
	switch c {
	case pica.ProcClampToZero:
		return procClampZero
	case pica.ProcClampSymmetricalRepeat:
		return procClampRepeat
	case pica.ProcClampMirroredRepeat:
		return procClampMirror
	case pica.ProcClampPulse:
		return procClampPulse
	}
	return procClampEdge
}

func procClampZero(with simd.Kernels, d *raster.Plane, n int) {
	if simd.Assembly && with.AVX2() {
		procClampZeroVector(&d[0], n)
		return
	}
	ds := d[:n]
	for i, x := range ds {
		if x > 1 {
			ds[i] = 0
		}
	}
}

func procClampEdge(with simd.Kernels, d *raster.Plane, n int) {
	if simd.Assembly && with.AVX2() {
		procClampEdgeVector(&d[0], n)
		return
	}
	ds := d[:n]
	for i, x := range ds {
		if !(x < 1) {
			ds[i] = 1
		}
	}
}

func procClampRepeat(with simd.Kernels, d *raster.Plane, n int) {
	if simd.Assembly && with.AVX2() {
		procClampRepeatVector(&d[0], n)
		return
	}
	ds := d[:n]
	for i, x := range ds {
		ds[i] = x - float32(fixed(x))
	}
}

func procClampMirror(with simd.Kernels, d *raster.Plane, n int) {
	if simd.Assembly && with.AVX2() {
		procClampMirrorVector(&d[0], n)
		return
	}
	ds := d[:n]
	for i, x := range ds {
		k := fixed(x)
		f := x - float32(k)
		if k&1 != 0 {
			f = 1 - f
		}
		ds[i] = f
	}
}

func procClampPulse(with simd.Kernels, d *raster.Plane, n int) {
	if simd.Assembly && with.AVX2() {
		procClampPulseVector(&d[0], n)
		return
	}
	ds := d[:n]
	for i, x := range ds {
		var p float32
		if x > 0.5 {
			p = 1
		}
		ds[i] = p
	}
}

// procCombineKernel returns the kernel of a combiner.
func procCombineKernel(c pica.ProcMap) func(with simd.Kernels, d, u, v *raster.Plane, n int) {
	var f func(u, v float32) float32
	switch c {
	case pica.ProcMapU:
		return func(_ simd.Kernels, d, u, v *raster.Plane, n int) { copy(d[:n], u[:n]) }
	case pica.ProcMapU2:
		f = func(u, v float32) float32 { return float32(u * u) }
	case pica.ProcMapV:
		return func(_ simd.Kernels, d, u, v *raster.Plane, n int) { copy(d[:n], v[:n]) }
	case pica.ProcMapV2:
		f = func(u, v float32) float32 { return float32(v * v) }
	case pica.ProcMapAdd:
		f = func(u, v float32) float32 { return (u + v) * 0.5 }
	case pica.ProcMapAdd2:
		f = func(u, v float32) float32 { return (float32(u*u) + float32(v*v)) * 0.5 }
	case pica.ProcMapSqrt2:
		return procRadius
	case pica.ProcMapMin:
		f = func(u, v float32) float32 { return min(u, v) }
	case pica.ProcMapMax:
		f = func(u, v float32) float32 { return max(u, v) }
	case pica.ProcMapRMax:
		f = func(u, v float32) float32 {
			r := float32(math.Sqrt(float64(float32(u*u) + float32(v*v))))
			return min((float32((u+v)*0.5)+r)*0.5, 1)
		}
	default:
		f = func(u, v float32) float32 { return 0 }
	}
	return func(_ simd.Kernels, d, u, v *raster.Plane, n int) {
		ds, us, vs := d[:n], u[:n], v[:n]
		for i := range ds {
			ds[i] = f(us[i], vs[i])
		}
	}
}

// procRadius is the combiner sqrt(u*u + v*v), which 2D drawing of circles uses.
func procRadius(with simd.Kernels, d, u, v *raster.Plane, n int) {
	if simd.Assembly && with.AVX2() {
		procRadiusVector(&d[0], &u[0], &v[0], n)
		return
	}
	ds, us, vs := d[:n], u[:n], v[:n]
	for i := range ds {
		a, b := us[i], vs[i]
		r := float32(math.Sqrt(float64(float32(a*a) + float32(b*b))))
		if !(r < 1) {
			r = 1
		}
		ds[i] = r
	}
}

// procTexNearest reads the nearest entry of a level; halves round away from 0.
func procTexNearest(with simd.Kernels, d *Color, at *raster.Plane, t *procColors, l procLevel, n int) {
	if simd.Assembly && with.AVX2() {
		procTexNearestVector(&d[0][0], &at[0], &t.raw[0], l.span, uint32(l.offset), n)
		return
	}
	xs := at[:n]
	r, g, b, a := d[red][:n], d[green][:n], d[blue][:n], d[alpha][:n]
	for i := range xs {
		w := t.raw[l.offset+uint8(int32(float32(xs[i]*l.span)+0.5))]
		r[i], g[i], b[i], a[i] = uint8(w), uint8(w>>8), uint8(w>>16), uint8(w>>24)
	}
}

// procTexLinear interpolates between the entries of a level and truncates the
// 8-bit colour. Entries past the end of the table wrap to 0.
func procTexLinear(with simd.Kernels, d *Color, at *raster.Plane, t *procColors, l procLevel, n int) {
	if simd.Assembly && with.AVX2() {
		procTexLinearVector(&d[0][0], &at[0], &t.both[0][0], l.span, uint32(l.offset), n)
		return
	}
	xs := at[:n]
	r, g, b, a := d[red][:n], d[green][:n], d[blue][:n], d[alpha][:n]
	for i := range xs {
		x := float32(xs[i] * l.span)
		k := int32(x)
		f := x - float32(k)
		e := uint8(k) + l.offset
		v, w := &t.value[e], &t.diff[e]
		r[i] = truncate8(v[0] + float32(w[0]*f))
		g[i] = truncate8(v[1] + float32(w[1]*f))
		b[i] = truncate8(v[2] + float32(w[2]*f))
		a[i] = truncate8(v[3] + float32(w[3]*f))
	}
}

// truncate8 clamps a colour to 0..255 and drops the fraction.
func truncate8(x float32) uint8 {
	if !(x > 0) {
		x = 0
	}
	if !(x < 255) {
		x = 255
	}
	return uint8(int32(x))
}

// procTexMipmapped reads the level of each quad, or mixes the two around its
// level of detail.
func procTexMipmapped(d *Color, at *raster.Plane, lod *[quads]float32, t *procColors, lv *[procTexLevels]procLevel, linear, mix bool, n int) {
	for i, x := range at[:n] {
		l := lod[i/4]
		var c [4]float32
		if !mix {
			c = procTexFetch(x, t, lv[int32(l+0.5)&(procTexLevels-1)], linear)
		} else {
			k := int32(l)
			f := l - float32(k)
			c = procTexFetch(x, t, lv[k&(procTexLevels-1)], linear)
			if f > 0 {
				e := procTexFetch(x, t, lv[min(k+1, procTexLevels-1)&(procTexLevels-1)], linear)
				for ch := range c {
					c[ch] += float32((e[ch] - c[ch]) * f)
				}
			}
		}
		for ch := range c {
			d[ch][i] = truncate8(c[ch])
		}
	}
}

// procTexFetch reads one colour of a level, as 0..255 with its fraction.
func procTexFetch(x float32, t *procColors, l procLevel, linear bool) (c [4]float32) {
	x = float32(x * l.span)
	if !linear {
		return t.value[l.offset+uint8(int32(x+0.5))]
	}
	k := int32(x)
	f := x - float32(k)
	e := uint8(k) + l.offset
	for ch := range c {
		c[ch] = min(max(t.value[e][ch]+float32(t.diff[e][ch]*f), 0), 255)
	}
	return c
}
