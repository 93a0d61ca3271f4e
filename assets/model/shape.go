package model

import (
	"cmp"
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"pica200/internal/mgl"
)

// Computed meshes, for scenes and tests without a model file. All are centred
// on the origin and wound counter-clockwise seen from outside, with normals,
// texture coordinates and tangents.

// grid makes a surface from a function over (u, v) in 0..1, with nu by nv
// cells. Normals come from central differences, tangents point along +u.
func grid(nu, nv int, at func(u, v float64) mgl64.Vec3) (Part, error) {
	if nu < 1 || nv < 1 || (nu+1)*(nv+1) > maxPartVertices {
		return Part{}, fmt.Errorf("a grid of %dx%d cells; at most %d vertices", nu, nv, maxPartVertices)
	}
	var p Part
	p.Material = -1
	const h = 1.0 / 1024
	for j := 0; j <= nv; j++ {
		for i := 0; i <= nu; i++ {
			u, v := float64(i)/float64(nu), float64(j)/float64(nv)
			du := at(u+h, v).Sub(at(u-h, v))
			dv := at(u, v+h).Sub(at(u, v-h))
			n := mgl.Unit(du.Cross(dv))
			if n == (mgl64.Vec3{}) { // a pole: use a point beside it
				e := h * 4
				if v > 0.5 {
					e = -e
				}
				n = mgl.Unit(at(u+h, v+e).Sub(at(u-h, v+e)).Cross(at(u, v+e+h).Sub(at(u, v+e-h))))
			}
			t := mgl.Unit(du)
			if t == (mgl64.Vec3{}) {
				t = mgl.Unit(mgl64.Vec3{0, 1, 0}.Cross(n))
			}
			p.Positions = append(p.Positions, mgl.Narrow3(at(u, v)))
			p.Normals = append(p.Normals, mgl.Narrow3(n))
			p.Tangents = append(p.Tangents, mgl.Narrow4(t.Vec4(1)))
			p.UV[0] = append(p.UV[0], mgl32.Vec2{float32(u), float32(v)})
		}
	}
	for j := range nv {
		for i := range nu {
			a := uint16(j*(nu+1) + i)
			b, c, d := a+1, a+uint16(nu)+2, a+uint16(nu)+1
			p.Indices = append(p.Indices, a, b, c, a, c, d)
		}
	}
	return p, nil
}

// sincos returns the sine and cosine of a fraction of a full turn.
func sincos(f float64) (s, c float64) { return mgl.Sincos(f * 360) }

// Sphere is a sphere of radius r.
func Sphere(r float64, nu, nv int) (Part, error) {
	return grid(nu, nv, func(u, v float64) mgl64.Vec3 {
		su, cu := sincos(u)
		sv, cv := sincos((v - 0.5) / 2)
		return mgl64.Vec3{float64(r * cv * su), float64(r * sv), float64(r * cv * cu)}
	})
}

// Torus lies in the xz plane: radius r from the centre to the tube's middle,
// tube radius q.
func Torus(r, q float64, nu, nv int) (Part, error) {
	return grid(nu, nv, func(u, v float64) mgl64.Vec3 {
		su, cu := sincos(u)
		sv, cv := sincos(v)
		d := r + float64(q*cv)
		return mgl64.Vec3{float64(d * su), float64(q * sv), float64(d * cu)}
	})
}

// Knot is a (2,3) torus knot as a tube of radius q around a curve of radius r.
func Knot(r, q float64, nu, nv int) (Part, error) {
	curve := func(u float64) mgl64.Vec3 {
		s2, c2 := sincos(2 * u)
		s3, c3 := sincos(3 * u)
		d := float64(r * (1 + float64(0.5*c3)))
		return mgl64.Vec3{float64(d * c2), float64(r * 0.6 * s3), float64(d * s2)}
	}
	return grid(nu, nv, func(u, v float64) mgl64.Vec3 {
		const h = 1.0 / 4096
		p := curve(u)
		t := mgl.Unit(curve(u + h).Sub(curve(u - h)))
		up := mgl.Unit(t.Cross(p.Cross(t)))
		side := t.Cross(up)
		sv, cv := sincos(v)
		var o mgl64.Vec3
		for k := range o {
			o[k] = p[k] + float64(q*(float64(cv*side[k])+float64(sv*up[k])))
		}
		return o
	})
}

// Cylinder has its axis along y, height h, radius r0 at the bottom and r1 at
// the top, with lids.
func Cylinder(r0, r1, h float64, nu int) (Part, error) {
	p, err := grid(nu, 1, func(u, v float64) mgl64.Vec3 {
		s, c := sincos(u)
		r := r0 + float64(v*(r1-r0))
		return mgl64.Vec3{float64(r * s), float64(h * (v - 0.5)), float64(r * c)}
	})
	if err != nil {
		return p, err
	}
	for _, lid := range []struct{ r, y, n float64 }{{r0, -h / 2, -1}, {r1, h / 2, 1}} {
		if lid.r == 0 {
			continue
		}
		q, err := grid(nu, 1, func(u, v float64) mgl64.Vec3 {
			s, c := sincos(u)
			if lid.n < 0 {
				s = -s
			}
			return mgl64.Vec3{float64(lid.r * (1 - v) * s), lid.y, float64(lid.r * (1 - v) * c)}
		})
		if err != nil {
			return p, err
		}
		for i := range q.Normals {
			q.Normals[i] = mgl32.Vec3{0, float32(lid.n), 0}
			q.Tangents[i] = mgl32.Vec4{1, 0, 0, 1}
			pos := q.Positions[i]
			q.UV[0][i] = mgl32.Vec2{0.5 + pos[0]/float32(2*lid.r), 0.5 + pos[2]/float32(2*lid.r)}
		}
		p.join(&q)
	}
	return p, nil
}

// Plane is in the xz plane, w by d, and faces up.
func Plane(w, d float64, nu, nv int) (Part, error) {
	return grid(nu, nv, func(u, v float64) mgl64.Vec3 {
		return mgl64.Vec3{float64(w * (u - 0.5)), 0, float64(d * (0.5 - v))}
	})
}

// Quad is w by h in the xy plane and faces +z.
func Quad(w, h float64, nu, nv int) (Part, error) {
	return grid(nu, nv, func(u, v float64) mgl64.Vec3 {
		return mgl64.Vec3{float64(w * (u - 0.5)), float64(h * (v - 0.5)), 0}
	})
}

// Terrain is a plane with hills of value noise, height high.
func Terrain(w, d, height float64, nu, nv int, seed uint32) (Part, error) {
	return grid(nu, nv, func(u, v float64) mgl64.Vec3 {
		n := Fractal(float64(u*6), float64(v*6), 4, 0, seed)
		return mgl64.Vec3{float64(w * (u - 0.5)), float64(height * (n - 0.5)), float64(d * (0.5 - v))}
	})
}

// Box has sides w, h and d, each cut into n by n cells.
func Box(w, h, d float64, n int) (Part, error) {
	var p Part
	for face := range 6 {
		q, err := Quad(1, 1, n, n)
		if err != nil {
			return p, err
		}
		var m mgl64.Mat4
		switch face {
		case 0, 1, 2, 3:
			m = mgl.Rotate(float64(90*face), mgl64.Vec3{0, 1, 0})
		case 4:
			m = mgl.Rotate(-90, mgl64.Vec3{1, 0, 0})
		default:
			m = mgl.Rotate(90, mgl64.Vec3{1, 0, 0})
		}
		for i := range q.Positions {
			pos := mgl.Point(m, q.Positions[i].Vec2().Vec3(0.5))
			q.Positions[i] = mgl32.Vec3{pos[0] * float32(w), pos[1] * float32(h), pos[2] * float32(d)}
			q.Normals[i] = mgl.Point(m, q.Normals[i])
			q.Tangents[i] = mgl.Point(m, q.Tangents[i].Vec3()).Vec4(1)
		}
		p.join(&q)
	}
	return p, nil
}

// join appends the triangles of q, which has the same streams.
func (p *Part) join(q *Part) {
	base := uint16(len(p.Positions))
	p.Material = q.Material
	p.Positions = append(p.Positions, q.Positions...)
	p.Normals = append(p.Normals, q.Normals...)
	p.Tangents = append(p.Tangents, q.Tangents...)
	for k := range p.UV {
		p.UV[k] = append(p.UV[k], q.UV[k]...)
	}
	p.Colors = append(p.Colors, q.Colors...)
	p.Sizes = append(p.Sizes, q.Sizes...)
	for _, i := range q.Indices {
		p.Indices = append(p.Indices, base+i)
	}
}

// Points makes count points, spread evenly over the box of the given half
// sizes, for programs whose geometry shader makes a figure of each. Sizes are
// between size and 1.5 size; indices are 0, 1, 2...
func Points(count int, spread mgl64.Vec3, size float64, color mgl32.Vec4, seed uint32) (Part, error) {
	if count < 1 || count > maxPartVertices {
		return Part{}, fmt.Errorf("%d points; expected 1 to %d", count, maxPartVertices)
	}
	p := Part{Material: -1}
	r := func(i, k int) float64 { return float64(float64(hash(uint32(i), uint32(k), seed)>>8) / (1 << 24)) }
	for i := range count {
		var pos mgl32.Vec3
		for k := range pos {
			pos[k] = float32(spread[k] * (float64(2*r(i, k)) - 1))
		}
		s, c := sincos(r(i, 4))
		edge := float32(size * (1 + float64(0.5*r(i, 3))))
		col := color
		shade := float32(0.7 + float64(0.3*r(i, 5)))
		for k := range 3 {
			col[k] = float32(col[k] * shade)
		}
		p.Positions = append(p.Positions, pos)
		p.Colors = append(p.Colors, col)
		p.Sizes = append(p.Sizes, mgl32.Vec4{edge, edge, float32(c), float32(s)})
		p.Indices = append(p.Indices, uint16(i))
	}
	return p, nil
}

// hash mixes three numbers (the finalizer of MurmurHash3).
func hash(a, b, seed uint32) uint32 {
	h := a*0x9E3779B1 ^ b*0x85EBCA6B ^ seed*0xC2B2AE35
	h ^= h >> 16
	h *= 0x85EBCA6B
	h ^= h >> 13
	h *= 0xC2B2AE35
	return h ^ h>>16
}

// Noise is value noise, 0..1, smooth between the points of a unit grid. If wrap
// is greater than 0 it repeats after wrap cells.
func Noise(x, y float64, wrap int, seed uint32) float64 {
	fx, fy := math.Floor(x), math.Floor(y)
	ix, iy := int(fx), int(fy)
	u, v := x-fx, y-fy
	u = float64(u*u) * (3 - float64(2*u))
	v = float64(v*v) * (3 - float64(2*v))
	at := func(i, j int) float64 {
		if wrap > 0 {
			i, j = (i%wrap+wrap)%wrap, (j%wrap+wrap)%wrap
		}
		return float64(float64(hash(uint32(i), uint32(j), seed)>>8) / (1 << 24))
	}
	lerp := func(a, b, t float64) float64 { return a + float64(t*(b-a)) }
	return lerp(lerp(at(ix, iy), at(ix+1, iy), u), lerp(at(ix, iy+1), at(ix+1, iy+1), u), v)
}

// Fractal adds octaves of Noise, each twice as fine and half as strong; 0..1.
func Fractal(x, y float64, octaves, wrap int, seed uint32) float64 {
	sum, amp, total := 0.0, 1.0, 0.0
	for o := range octaves {
		sum += float64(amp * Noise(x, y, wrap<<o, seed+uint32(o)))
		total += amp
		x, y, amp = x*2, y*2, amp/2
	}
	return sum / total
}

// MakeTangents gives the part tangents along +u of its texture coordinates
// Bump, orthogonal to the normals (Lengyel, "Computing tangent space
// basis vectors", 2001). Without texture coordinates any tangent does.
func (p *Part) MakeTangents() {
	if p.Tangents != nil || p.Normals == nil {
		return
	}
	sum, hand := make([]mgl64.Vec3, len(p.Positions)), make([]int, len(p.Positions))
	if uv := p.UV[p.Bump]; uv != nil {
		for i := 0; i+2 < len(p.Indices); i += 3 {
			a, b, c := p.Indices[i], p.Indices[i+1], p.Indices[i+2]
			at := mgl.Wide3(p.Positions[a])
			e1, e2 := mgl.Wide3(p.Positions[b]).Sub(at), mgl.Wide3(p.Positions[c]).Sub(at)
			dv1, dv2 := float64(uv[b][1])-float64(uv[a][1]), float64(uv[c][1])-float64(uv[a][1])
			det := turning(uv[a], uv[b], uv[c])
			if det == 0 {
				continue
			}
			for _, v := range []uint16{a, b, c} {
				hand[v] += cmp.Compare(det, 0)
				for k := range 3 {
					sum[v][k] += (float64(e1[k]*dv2) - float64(e2[k]*dv1)) / det
				}
			}
		}
	}
	p.Tangents = make([]mgl32.Vec4, len(p.Positions))
	for i, s := range sum {
		n := mgl.Wide3(p.Normals[i])
		t := mgl.Unit(s.Sub(n.Mul(n.Dot(s))))
		if t == (mgl64.Vec3{}) {
			if t = mgl.Unit(mgl64.Vec3{0, 1, 0}.Cross(n)); t == (mgl64.Vec3{}) {
				t = mgl64.Vec3{1, 0, 0}
			}
		}
		p.Tangents[i] = mgl.Narrow4(t.Vec4(1))
		if hand[i] < 0 {
			p.Tangents[i][3] = -1
		}
	}
}
