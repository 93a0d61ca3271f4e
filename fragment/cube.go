package fragment

import (
	"fmt"

	"pica200/assets/texture"
	"pica200/internal/simd"
	"pica200/pica"
	"pica200/raster"
)

// The types of texture unit 0 besides plain 2D (GPUREG_TEXUNIT0_PARAM bits
// 28-30): projection, cube, and shadow textures of both kinds.

// cubeFaces is the number of faces of a cube, in the order +x, -x, +y, -y, +z,
// -z of the address registers.
const cubeFaces = 6

// specialTexture adds the ops that compute cTex0 for those types.
func (c *compiler) specialTexture(kind pica.TextureType) error {
	c.interpolate(fTex0U, 2)
	c.interpolate(fTex0W, 1)
	switch kind {
	case pica.TextureProjection:
		slot := c.slot(0, 0)
		c.emit(op{name: "projection texture", run: func(m *machine) {
			u, v := &m.f[fScratch0], &m.f[fScratch0+1]
			project(m.with, u, v, &m.f[fTex0U], &m.f[fTex0V], &m.f[fTex0W], m.n)
			m.bound(0, slot).sample(m, u, v, &m.c[cTex0])
		}, record: recordSampled(kind, 0, slot, fScratch0, fScratch0+1)})
	case pica.TextureShadow2D:
		slot := c.slot(0, 0)
		perspective := !pica.TexunitShadowOrthographic.Bool(c.regs)
		c.emit(op{name: "shadow texture", run: func(m *machine) {
			u, v := &m.f[fTex0U], &m.f[fTex0V]
			if perspective {
				u, v = &m.f[fScratch0], &m.f[fScratch0+1]
				project(m.with, u, v, &m.f[fTex0U], &m.f[fTex0V], &m.f[fTex0W], m.n)
			}
			shadowReference(m.with, &m.shadowZ, &m.f[fTex0W], m.v.shadow, m.n)
			m.bound(0, slot).sampleShadow(m.with, m.n, u, v, &m.shadowZ, &m.c[cTex0][red])
			spreadRed(&m.c[cTex0])
		}, record: recordShadowTexture(perspective)})
	case pica.TextureCube, pica.TextureShadowCube:
		first := c.slot(0, 0)
		for face := 1; face < cubeFaces; face++ {
			c.slot(0, face)
		}
		name, sample, record := "cube texture", sampleCube, recordCube
		if kind == pica.TextureShadowCube {
			name, sample, record = "shadow cube texture", sampleShadowCube, recordShadowCube
		}
		c.emit(op{name: name, run: func(m *machine) { sample(m, first) }, record: record})
	default:
		return fmt.Errorf("texture unit 0: type %d (GPUREG_TEXUNIT0_PARAM bits 28-30) does not exist", kind)
	}
	return nil
}

func faceError(face int, err error) error {
	return fmt.Errorf("cube face %s: %w", texture.CubeFaces[face], err)
}

// project divides u and v by w.
func project(with simd.Kernels, du, dv, u, v, w *raster.Plane, n int) {
	if simd.Vectors && with.Vector() {
		projectVector(&du[0], &dv[0], &u[0], &v[0], &w[0], n)
		return
	}
	dus, dvs, us, vs, ws := du[:n], dv[:n], u[:n], v[:n], w[:n]
	for i := range dus {
		dus[i], dvs[i] = us[i]/ws[i], vs[i]/ws[i]
	}
}

// cubeFace chooses the face of every lane, by the axis of the greatest
// component; among equals z before y before x. It returns the set of chosen
// faces.
func cubeFace(with simd.Kernels, d *Bytes, x, y, z *raster.Plane, n int) (seen uint8) {
	if simd.Vectors && with.Vector() {
		return uint8(cubeFaceVector(&d[0], &x[0], &y[0], &z[0], n))
	}
	ds, xs, ys, zs := d[:n], x[:n], y[:n], z[:n]
	for i := range ds {
		a, b, c := abs32(xs[i]), abs32(ys[i]), abs32(zs[i])
		f, s := uint8(4), zs[i]
		if a > b && a > c {
			f, s = 0, xs[i]
		} else if b > c {
			f, s = 2, ys[i]
		}
		if !(s > 0) {
			f++
		}
		ds[i] = f
		seen |= 1 << (f & 7)
	}
	return seen
}

// cubeAxes says, for each face, which components of (x, y, z) give u and v,
// with which sign, and which is the divisor: u = 0.5 +
// 0.5*su*p[cu]/abs(p[axis]).
var cubeAxes = [cubeFaces]struct {
	axis, cu, cv int
	su, sv       float32
}{
	{0, 2, 1, -1, -1},
	{0, 2, 1, 1, -1},
	{1, 0, 2, 1, 1},
	{1, 0, 2, 1, -1},
	{2, 0, 1, 1, -1},
	{2, 0, 1, -1, -1},
}

// cubeCoordinates projects all lanes onto one face, including those of other
// faces. So the differences inside a quad are those of one face, and the level
// of detail does not jump where a quad crosses an edge.
func cubeCoordinates(with simd.Kernels, du, dv *raster.Plane, face int, x, y, z *raster.Plane, n int) {
	k := &cubeAxes[face]
	p := [3]*raster.Plane{x, y, z}
	if simd.Vectors && with.Vector() {
		cubeCoordinatesVector(&du[0], &dv[0], &p[k.axis][0], &p[k.cu][0], &p[k.cv][0], k.su, k.sv, n)
		return
	}
	dus, dvs := du[:n], dv[:n]
	as, us, vs := p[k.axis][:n], p[k.cu][:n], p[k.cv][:n]
	for i := range dus {
		a := abs32(as[i])
		dus[i] = float32(0.5*float32(k.su*us[i])/a) + 0.5
		dvs[i] = float32(0.5*float32(k.sv*vs[i])/a) + 0.5
	}
}

// sampleCube samples a cube texture, face by face, of the slots from first on.
// Filtering stays inside a face; beyond its edge the wrap modes apply.
func sampleCube(m *machine, first int) {
	x, y, z := &m.f[fTex0U], &m.f[fTex0V], &m.f[fTex0W]
	u, v := &m.f[fScratch0], &m.f[fScratch0+1]
	face := &m.c[cScratch0][0]
	seen := cubeFace(m.with, face, x, y, z, m.n)
	for f := range cubeFaces {
		if seen>>f&1 == 0 {
			continue
		}
		s := m.bound(0, first+f)
		cubeCoordinates(m.with, u, v, f, x, y, z, m.n)
		if seen == 1<<f {
			s.sample(m, u, v, &m.c[cTex0])
			return
		}
		colors := &m.c[cScratch0+1]
		s.sample(m, u, v, colors)
		for ch := range colors {
			choose(m.with, &m.c[cTex0][ch], &colors[ch], face, uint8(f), m.n)
		}
	}
}

// sampleShadowCube samples a shadow cube. It compares the component along the
// face's axis as the depth.
func sampleShadowCube(m *machine, first int) {
	x, y, z := &m.f[fTex0U], &m.f[fTex0V], &m.f[fTex0W]
	u, v := &m.f[fScratch0], &m.f[fScratch0+1]
	face, values := &m.c[cScratch0][0], &m.c[cScratch0][1]
	seen := cubeFace(m.with, face, x, y, z, m.n)
	for f := range cubeFaces {
		if seen>>f&1 == 0 {
			continue
		}
		cubeCoordinates(m.with, u, v, f, x, y, z, m.n)
		shadowReference(m.with, &m.shadowZ, [3]*raster.Plane{x, y, z}[cubeAxes[f].axis], m.v.shadow, m.n)
		m.bound(0, first+f).sampleShadow(m.with, m.n, u, v, &m.shadowZ, values)
		choose(m.with, &m.c[cTex0][red], values, face, uint8(f), m.n)
	}
	spreadRed(&m.c[cTex0])
}

// choose copies the lanes of src whose key is k.
func choose(with simd.Kernels, d, src, key *Bytes, k uint8, n int) {
	if simd.Vectors && with.Vector() {
		chooseVector(&d[0], &src[0], &key[0], uint32(k), n)
		return
	}
	ds, ss, ks := d[:n], src[:n], key[:n]
	for i := range ds {
		if ks[i] == k {
			ds[i] = ss[i]
		}
	}
}

// spreadRed copies red to the other channels.
func spreadRed(c *Color) { c[green], c[blue], c[alpha] = c[red], c[red], c[red] }
