//go:build goexperiment.simd && (arm64 || wasm)

package fragment

import (
	"pica200/internal/simd"
	"pica200/raster"
)

// The portable forms of the kernels of lighting, see portable.go and light_kernels.go.

// lanes3 holds four lanes of a vector.
type lanes3 struct{ x, y, z simd.Floats }

func loadLanes3(p *float32, i int) lanes3 {
	return lanes3{simd.LoadFloats(p, i), simd.LoadFloats(p, i+raster.Lanes), simd.LoadFloats(p, i+2*raster.Lanes)}
}

func storeLanes3(p *float32, i int, v lanes3) {
	simd.StoreFloats(p, i, v.x)
	simd.StoreFloats(p, i+raster.Lanes, v.y)
	simd.StoreFloats(p, i+2*raster.Lanes, v.z)
}

func constLanes3(x, y, z float32) lanes3 { return lanes3{simd.Float(x), simd.Float(y), simd.Float(z)} }

func (a lanes3) dot(b lanes3) simd.Floats { return a.x.Mul(b.x).Add(a.y.Mul(b.y)).Add(a.z.Mul(b.z)) }
func (a lanes3) add(b lanes3) lanes3      { return lanes3{a.x.Add(b.x), a.y.Add(b.y), a.z.Add(b.z)} }
func (a lanes3) times(r simd.Floats) lanes3 {
	return lanes3{a.x.Mul(r), a.y.Mul(r), a.z.Mul(r)}
}

// inverseRoot is 1/root where square is greater than 0, and 0 elsewhere.
func inverseRoot(square, root simd.Floats) simd.Floats {
	zero := simd.Float(0)
	return simd.Choose(square.Greater(zero), simd.Float(1).Div(root), zero)
}

func inverseLengths(square simd.Floats) simd.Floats { return inverseRoot(square, square.Sqrt()) }

func unitQuaternionVector(q *float32, n int) {
	for i := 0; i < n; i += 4 {
		v, w := loadLanes3(q, i), simd.LoadFloats(q, i+3*raster.Lanes)
		r := inverseLengths(v.dot(v).Add(w.Mul(w)))
		storeLanes3(q, i, v.times(r))
		simd.StoreFloats(q, i+3*raster.Lanes, w.Mul(r))
	}
}

func rotateNormalVector(d, q *float32, n int) {
	one, two := simd.Float(1), simd.Float(2)
	for i := 0; i < n; i += 4 {
		v, s := loadLanes3(q, i), simd.LoadFloats(q, i+3*raster.Lanes)
		storeLanes3(d, i, lanes3{
			two.Mul(v.y.Mul(s).Add(v.z.Mul(v.x))),
			two.Mul(v.z.Mul(v.y).Sub(v.x.Mul(s))),
			one.Sub(two.Mul(v.x.Mul(v.x).Add(v.y.Mul(v.y)))),
		})
	}
}

func rotateTangentVector(d, q *float32, n int) {
	one, two := simd.Float(1), simd.Float(2)
	for i := 0; i < n; i += 4 {
		v, s := loadLanes3(q, i), simd.LoadFloats(q, i+3*raster.Lanes)
		storeLanes3(d, i, lanes3{
			one.Sub(two.Mul(v.y.Mul(v.y).Add(v.z.Mul(v.z)))),
			two.Mul(v.z.Mul(s).Add(v.x.Mul(v.y))),
			two.Mul(v.x.Mul(v.z).Sub(v.y.Mul(s))),
		})
	}
}

func rotateVector(v, q *float32, n int) {
	two := simd.Float(2)
	for i := 0; i < n; i += 4 {
		a, s, d := loadLanes3(q, i), simd.LoadFloats(q, i+3*raster.Lanes), loadLanes3(v, i)
		t := lanes3{
			a.y.Mul(d.z).Sub(a.z.Mul(d.y)).Add(s.Mul(d.x)),
			a.z.Mul(d.x).Sub(a.x.Mul(d.z)).Add(s.Mul(d.y)),
			a.x.Mul(d.y).Sub(a.y.Mul(d.x)).Add(s.Mul(d.z)),
		}
		storeLanes3(v, i, lanes3{
			d.x.Add(two.Mul(a.y.Mul(t.z).Sub(a.z.Mul(t.y)))),
			d.y.Add(two.Mul(a.z.Mul(t.x).Sub(a.x.Mul(t.z)))),
			d.z.Add(two.Mul(a.x.Mul(t.y).Sub(a.y.Mul(t.x)))),
		})
	}
}

func perturbVector(d *float32, c *uint8, n int) {
	scale, one := simd.Float(1/127.5), simd.Float(1)
	for k := range 3 {
		for i := 0; i < n; i += 16 {
			x, y, z, w := simd.WidenInts(simd.LoadBytes(c, k*raster.Lanes+i))
			simd.StoreFloats(d, k*raster.Lanes+i, x.ConvertToFloat32().Mul(scale).Sub(one))
			simd.StoreFloats(d, k*raster.Lanes+i+4, y.ConvertToFloat32().Mul(scale).Sub(one))
			simd.StoreFloats(d, k*raster.Lanes+i+8, z.ConvertToFloat32().Mul(scale).Sub(one))
			simd.StoreFloats(d, k*raster.Lanes+i+12, w.ConvertToFloat32().Mul(scale).Sub(one))
		}
	}
}

func recalculateZVector(d *float32, n int) {
	one, zero := simd.Float(1), simd.Float(0)
	for i := 0; i < n; i += 4 {
		x, y := simd.LoadFloats(d, i), simd.LoadFloats(d, i+raster.Lanes)
		s := one.Sub(x.Mul(x).Add(y.Mul(y)))
		simd.StoreFloats(d, i+2*raster.Lanes, simd.Choose(s.Greater(zero), s, zero).Sqrt())
	}
}

func unitVector(d, v *float32, n int) {
	for i := 0; i < n; i += 4 {
		a := loadLanes3(v, i)
		storeLanes3(d, i, a.times(inverseLengths(a.dot(a))))
	}
}

func towardsVector(d, dist *float32, px, py, pz float32, v *float32, n int) {
	p := constLanes3(px, py, pz)
	for i := 0; i < n; i += 4 {
		a := p.add(loadLanes3(v, i))
		square := a.dot(a)
		root := square.Sqrt()
		storeLanes3(d, i, a.times(inverseRoot(square, root)))
		simd.StoreFloats(dist, i, root)
	}
}

func halfVectorVector(d, sq, light, view *float32, n int) {
	for i := 0; i < n; i += 4 {
		half(d, sq, i, loadLanes3(light, i).add(loadLanes3(view, i)))
	}
}

func halfVectorToVector(d, sq *float32, lx, ly, lz float32, view *float32, n int) {
	l := constLanes3(lx, ly, lz)
	for i := 0; i < n; i += 4 {
		half(d, sq, i, l.add(loadLanes3(view, i)))
	}
}

func half(d, sq *float32, i int, a lanes3) {
	square := a.dot(a)
	storeLanes3(d, i, a.times(inverseLengths(square)))
	simd.StoreFloats(sq, i, square)
}

func dotVector(d, a, b *float32, n int) {
	for i := 0; i < n; i += 4 {
		simd.StoreFloats(d, i, loadLanes3(a, i).dot(loadLanes3(b, i)))
	}
}

func dotConstVector(d, a *float32, x, y, z float32, n int) {
	b := constLanes3(x, y, z)
	for i := 0; i < n; i += 4 {
		simd.StoreFloats(d, i, loadLanes3(a, i).dot(b))
	}
}

func dotProjectedVector(d, h, nrm, t *float32, n int) {
	for i := 0; i < n; i += 4 {
		a, b := loadLanes3(h, i), loadLanes3(nrm, i)
		k := b.dot(a)
		p := lanes3{a.x.Sub(b.x.Mul(k)), a.y.Sub(b.y.Mul(k)), a.z.Sub(b.z.Mul(k))}
		simd.StoreFloats(d, i, p.dot(loadLanes3(t, i)))
	}
}

func oneSidedVector(d, x *float32, n int) {
	zero := simd.Float(0)
	for i := 0; i < n; i += 4 {
		v := simd.LoadFloats(x, i)
		simd.StoreFloats(d, i, simd.Choose(v.Greater(zero), v, zero))
	}
}

func twoSidedVector(d, x *float32, n int) {
	for i := 0; i < n; i += 4 {
		simd.StoreFloats(d, i, simd.LoadFloats(x, i).ToBits().AndNot(simd.Dword(1<<31)).BitsToFloat32())
	}
}

func entriesUnsignedVector(k *int32, rest, x *float32, n int) {
	zero, top := simd.Float(0), simd.Float(256)
	for i := 0; i < n; i += 4 {
		v := simd.LoadFloats(x, i).Mul(top)
		v = simd.Choose(v.Greater(zero), v, zero)
		v = simd.Choose(top.Greater(v), v, top)
		e := v.ConvertToInt32().Min(simd.Int(255))
		simd.StoreInts(k, i, e)
		simd.StoreFloats(rest, i, v.Sub(e.ConvertToFloat32()))
	}
}

func entriesSignedVector(k *int32, rest, x *float32, n int) {
	top, low := simd.Float(128), simd.Float(-128)
	for i := 0; i < n; i += 4 {
		v := simd.LoadFloats(x, i).Mul(top)
		v = simd.Choose(v.Greater(low), v, low)
		v = simd.Choose(top.Greater(v), v, top)
		e := v.Floor().ConvertToInt32().Min(simd.Int(127))
		simd.StoreInts(k, i, e.And(simd.Int(255)))
		simd.StoreFloats(rest, i, v.Sub(e.ConvertToFloat32()))
	}
}

func lookupVector(d *float32, k *int32, rest, t *float32, scale float32, n int) {
	s := simd.Float(scale)
	for i := 0; i < n; i += 4 {
		value, diff := simd.Pairs(t, simd.LoadInts(k, i).And(simd.Int(255)))
		simd.StoreFloats(d, i, s.Mul(value.Add(diff.Mul(simd.LoadFloats(rest, i)))))
	}
}

func scaleBiasVector(d, x *float32, scale, bias float32, n int) {
	s, b := simd.Float(scale), simd.Float(bias)
	for i := 0; i < n; i += 4 {
		simd.StoreFloats(d, i, simd.LoadFloats(x, i).Mul(s).Add(b))
	}
}

func mulVector(d, a, b *float32, n int) {
	for i := 0; i < n; i += 4 {
		simd.StoreFloats(d, i, simd.LoadFloats(a, i).Mul(simd.LoadFloats(b, i)))
	}
}

func geometricFactorVector(d, lit, sq *float32, n int) {
	zero, one := simd.Float(0), simd.Float(1)
	for i := 0; i < n; i += 4 {
		s := simd.LoadFloats(sq, i)
		g := simd.LoadFloats(lit, i).Div(s)
		g = simd.Choose(one.Greater(g), g, one)
		simd.StoreFloats(d, i, simd.Choose(simd.Differ(s, zero), g, zero))
	}
}

func clampHighlightVector(d, x, lit *float32, n int) {
	zero := simd.Float(0)
	for i := 0; i < n; i += 4 {
		simd.StoreFloats(d, i, simd.Choose(simd.LoadFloats(lit, i).Equal(zero), zero, simd.LoadFloats(x, i)))
	}
}

func fillVector(d *float32, v float32, n int) {
	for i := 0; i < n; i += 4 {
		simd.StoreFloats(d, i, simd.Float(v))
	}
}

// plus adds to four lanes of a sum.
func plus(sum *float32, i int, x simd.Floats) {
	simd.StoreFloats(sum, i, simd.LoadFloats(sum, i).Add(x))
}

func addDiffuseVector(sum, lit, atten *float32, dr, dg, db, ar, ag, ab float32, n int) {
	kd, ka := constLanes3(dr, dg, db), constLanes3(ar, ag, ab)
	for i := 0; i < n; i += 4 {
		l, a := simd.LoadFloats(lit, i), simd.LoadFloats(atten, i)
		v := kd.times(l).add(ka).times(a)
		plus(sum, i, v.x)
		plus(sum, i+raster.Lanes, v.y)
		plus(sum, i+2*raster.Lanes, v.z)
	}
}

func addDiffuseShadowedVector(sum, lit, atten, shadow *float32, dr, dg, db, ar, ag, ab float32, n int) {
	kd, ka := constLanes3(dr, dg, db), constLanes3(ar, ag, ab)
	for i := 0; i < n; i += 4 {
		l, a, s := simd.LoadFloats(lit, i), simd.LoadFloats(atten, i), loadLanes3(shadow, i)
		v := kd.times(l)
		v = lanes3{v.x.Mul(s.x), v.y.Mul(s.y), v.z.Mul(s.z)}.add(ka).times(a)
		plus(sum, i, v.x)
		plus(sum, i+raster.Lanes, v.y)
		plus(sum, i+2*raster.Lanes, v.z)
	}
}

func addSpecular0Vector(sum, d0, f *float32, kr, kg, kb float32, n int) {
	k := constLanes3(kr, kg, kb)
	for i := 0; i < n; i += 4 {
		v := k.times(simd.LoadFloats(d0, i).Mul(simd.LoadFloats(f, i)))
		plus(sum, i, v.x)
		plus(sum, i+raster.Lanes, v.y)
		plus(sum, i+2*raster.Lanes, v.z)
	}
}

func addSpecularVector(sum, d0, d1, f, refl, shadow *float32, k0, k1 float32, n int) {
	a, b := simd.Float(k0), simd.Float(k1)
	for i := 0; i < n; i += 4 {
		v := a.Mul(simd.LoadFloats(d0, i)).Add(b.Mul(simd.LoadFloats(d1, i).Mul(simd.LoadFloats(refl, i))))
		plus(sum, i, v.Mul(simd.LoadFloats(f, i)).Mul(simd.LoadFloats(shadow, i)))
	}
}

func shadowFactorVector(d *float32, c *uint8, flip uint32, n int) {
	x, full := simd.Byte(uint8(flip)), simd.Float(255)
	for i := 0; i < n; i += 16 {
		a, b, e, f := simd.WidenInts(simd.LoadBytes(c, i).Xor(x))
		simd.StoreFloats(d, i, a.ConvertToFloat32().Div(full))
		simd.StoreFloats(d, i+4, b.ConvertToFloat32().Div(full))
		simd.StoreFloats(d, i+8, e.ConvertToFloat32().Div(full))
		simd.StoreFloats(d, i+12, f.ConvertToFloat32().Div(full))
	}
}

func byteOf(x simd.Floats) simd.Ints { return clampUnit(x).Mul(simd.Float(255)).ConvertToInt32() }

func toByteVector(d *uint8, x *float32, n int) {
	for i := 0; i < n; i += 16 {
		simd.StoreBytes(d, i, simd.JoinBytes(byteOf(simd.LoadFloats(x, i)), byteOf(simd.LoadFloats(x, i+4)),
			byteOf(simd.LoadFloats(x, i+8)), byteOf(simd.LoadFloats(x, i+12))))
	}
}
