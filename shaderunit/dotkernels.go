package shaderunit

import "math"

// The dot products of the batch engine in plain Go. See rowkernels.go. A sum
// that is NaN may hold inf * 0, which counts as 0: then the scalar function
// decides.

// dotSettle is the end of a dot product that is not a normal number.
func dotSettle(a, b vec4, sign uint32) float32 {
	s := float32(product(a[0], b[0])) + float32(product(a[1], b[1]))
	s = float32(s) + float32(product(a[2], b[2]))
	s = float32(s) + float32(product(a[3], b[3]))
	return round24(math.Float32frombits(math.Float32bits(s) ^ sign))
}

func goDot4VV(d *Row, a, b *[4]*Row, n int, sign uint32) {
	ds := d[:n]
	ax, ay, az, aw := a[0][:len(ds)], a[1][:len(ds)], a[2][:len(ds)], a[3][:len(ds)]
	bx, by, bz, bw := b[0][:len(ds)], b[1][:len(ds)], b[2][:len(ds)], b[3][:len(ds)]
	for i := range ds {
		s := float32(ax[i]*bx[i]) + float32(ay[i]*by[i])
		s = s + float32(az[i]*bz[i])
		s = s + float32(aw[i]*bw[i])
		w := math.Float32bits(s) ^ sign
		if w&absMask-minNormalBits < normalSpan {
			ds[i] = math.Float32frombits(w &^ mantissaCut)
		} else {
			ds[i] = dotSettle(vec4{ax[i], ay[i], az[i], aw[i]}, vec4{bx[i], by[i], bz[i], bw[i]}, sign)
		}
	}
}

func goDot4VS(d *Row, a *[4]*Row, b *vec4, n int, sign uint32) {
	ds := d[:n]
	ax, ay, az, aw := a[0][:len(ds)], a[1][:len(ds)], a[2][:len(ds)], a[3][:len(ds)]
	bx, by, bz, bw := b[0], b[1], b[2], b[3]
	for i := range ds {
		s := float32(ax[i]*bx) + float32(ay[i]*by)
		s = s + float32(az[i]*bz)
		s = s + float32(aw[i]*bw)
		w := math.Float32bits(s) ^ sign
		if w&absMask-minNormalBits < normalSpan {
			ds[i] = math.Float32frombits(w &^ mantissaCut)
		} else {
			ds[i] = dotSettle(vec4{ax[i], ay[i], az[i], aw[i]}, *b, sign)
		}
	}
}

func goDot3VV(d *Row, a, b *[4]*Row, n int, sign uint32) {
	ds := d[:n]
	ax, ay, az := a[0][:len(ds)], a[1][:len(ds)], a[2][:len(ds)]
	bx, by, bz := b[0][:len(ds)], b[1][:len(ds)], b[2][:len(ds)]
	for i := range ds {
		s := float32(ax[i]*bx[i]) + float32(ay[i]*by[i])
		s = s + float32(az[i]*bz[i])
		w := math.Float32bits(s) ^ sign
		if w&absMask-minNormalBits < normalSpan {
			ds[i] = math.Float32frombits(w &^ mantissaCut)
		} else {
			ds[i] = dotSettle(vec4{ax[i], ay[i], az[i]}, vec4{bx[i], by[i], bz[i]}, sign)
		}
	}
}

func goDot3VS(d *Row, a *[4]*Row, b *vec4, n int, sign uint32) {
	ds := d[:n]
	ax, ay, az := a[0][:len(ds)], a[1][:len(ds)], a[2][:len(ds)]
	bx, by, bz := b[0], b[1], b[2]
	for i := range ds {
		s := float32(ax[i]*bx) + float32(ay[i]*by)
		s = s + float32(az[i]*bz)
		w := math.Float32bits(s) ^ sign
		if w&absMask-minNormalBits < normalSpan {
			ds[i] = math.Float32frombits(w &^ mantissaCut)
		} else {
			ds[i] = dotSettle(vec4{ax[i], ay[i], az[i]}, vec4{bx, by, bz}, sign)
		}
	}
}

// goDphVV and goDphVS are a.x*b.x + a.y*b.y + a.z*b.z + h*b.w with h = 1 or -1.
func goDphVV(d *Row, a, b *[4]*Row, h float32, n int, sign uint32) {
	ds := d[:n]
	ax, ay, az := a[0][:len(ds)], a[1][:len(ds)], a[2][:len(ds)]
	bx, by, bz, bw := b[0][:len(ds)], b[1][:len(ds)], b[2][:len(ds)], b[3][:len(ds)]
	for i := range ds {
		s := float32(ax[i]*bx[i]) + float32(ay[i]*by[i])
		s = s + float32(az[i]*bz[i])
		s = s + float32(h*bw[i])
		w := math.Float32bits(s) ^ sign
		if w&absMask-minNormalBits < normalSpan {
			ds[i] = math.Float32frombits(w &^ mantissaCut)
		} else {
			ds[i] = dotSettle(vec4{ax[i], ay[i], az[i], h}, vec4{bx[i], by[i], bz[i], bw[i]}, sign)
		}
	}
}

func goDphVS(d *Row, a *[4]*Row, b *vec4, h float32, n int, sign uint32) {
	ds := d[:n]
	ax, ay, az := a[0][:len(ds)], a[1][:len(ds)], a[2][:len(ds)]
	bx, by, bz, bw := b[0], b[1], b[2], float32(h*b[3])
	for i := range ds {
		s := float32(ax[i]*bx) + float32(ay[i]*by)
		s = s + float32(az[i]*bz)
		s = s + bw
		w := math.Float32bits(s) ^ sign
		if w&absMask-minNormalBits < normalSpan {
			ds[i] = math.Float32frombits(w &^ mantissaCut)
		} else {
			ds[i] = dotSettle(vec4{ax[i], ay[i], az[i], h}, *b, sign)
		}
	}
}

var ones = vec4{1, 1, 1, 1}

// uniformAt gives the float uniform c(base) with an address offset.
func uniformAt(f *[96]vec4, base int, offset int32) *vec4 {
	if i, ok := uniformIndex(base, offset); ok {
		return &f[i]
	}
	return &ones
}

// goGather gives rows the components comps (bit j = component j) of c(base+a0).
func goGather(rows *[4]*Row, f *[96]vec4, a0 *[Lanes]int32, base, n int, comps uint8) {
	as := a0[:n]
	for i := range as {
		u := uniformAt(f, base, as[i])
		for j := range u {
			if comps>>j&1 != 0 {
				rows[j][i] = u[j] + 0 // -0 becomes +0
			}
		}
	}
}

// goDot4G and goDot3G are dot products with gathered uniforms: the case of
// matrix palettes. sel orders the uniform's components.
func goDot4G(d *Row, a *[4]*Row, f *[96]vec4, a0 *[Lanes]int32, base int, sel *[4]uint8, n int, sign uint32) {
	ds := d[:n]
	ax, ay, az, aw := a[0][:len(ds)], a[1][:len(ds)], a[2][:len(ds)], a[3][:len(ds)]
	off := a0[:len(ds)]
	sx, sy, sz, sw := sel[0]&3, sel[1]&3, sel[2]&3, sel[3]&3
	for i := range ds {
		u := uniformAt(f, base, off[i])
		s := float32(ax[i]*u[sx]) + float32(ay[i]*u[sy])
		s = s + float32(az[i]*u[sz])
		s = s + float32(aw[i]*u[sw])
		w := math.Float32bits(s) ^ sign
		if w&absMask-minNormalBits < normalSpan {
			ds[i] = math.Float32frombits(w &^ mantissaCut)
		} else {
			ds[i] = dotSettle(vec4{ax[i], ay[i], az[i], aw[i]}, vec4{u[sx], u[sy], u[sz], u[sw]}, sign)
		}
	}
}

func goDot3G(d *Row, a *[4]*Row, f *[96]vec4, a0 *[Lanes]int32, base int, sel *[4]uint8, n int, sign uint32) {
	ds := d[:n]
	ax, ay, az := a[0][:len(ds)], a[1][:len(ds)], a[2][:len(ds)]
	off := a0[:len(ds)]
	sx, sy, sz := sel[0]&3, sel[1]&3, sel[2]&3
	for i := range ds {
		u := uniformAt(f, base, off[i])
		s := float32(ax[i]*u[sx]) + float32(ay[i]*u[sy])
		s = s + float32(az[i]*u[sz])
		w := math.Float32bits(s) ^ sign
		if w&absMask-minNormalBits < normalSpan {
			ds[i] = math.Float32frombits(w &^ mantissaCut)
		} else {
			ds[i] = dotSettle(vec4{ax[i], ay[i], az[i]}, vec4{u[sx], u[sy], u[sz]}, sign)
		}
	}
}
