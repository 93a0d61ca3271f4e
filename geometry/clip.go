package geometry

import (
	"math"

	"pica200/pica"
)

// Bits of an outcode: the vertex is outside of that plane. Polygons are clipped
// in this order, so it decides at which vertex the resulting fan starts; it is
// Azahar's order.
const (
	outRight  uint32 = 1 << iota // x > w
	outLeft                      // x < -w
	outTop                       // y > w
	outBottom                    // y < -w
	outFar                       // z > 0
	outNear                      // z < -w
	outEye                       // w < minW
	outUser                      // behind the plane of GPUREG_FRAGOP_CLIP_DATAi

	clipPlanes = 8

	// outInvalid marks a position with a NaN or an infinity. Triangles with such a
	// vertex are dropped. (Unmeasured: clipping such values gives NaN, which is
	// outside of every plane.)
	outInvalid uint32 = 1 << clipPlanes
)

// depthTolerance is how far z may be outside of the planes z = 0 and z = -w and
// still count as inside. 2D content is often drawn exactly at z = 0, where the
// last bits of a matrix product decide. Azahar has the same value, at all
// planes, for its float32 arithmetic; whether the console's float24 arithmetic
// needs any tolerance is unknown.
const depthTolerance = 1e-8

// minW is the smallest w that survives clipping: the smallest normal float24,
// so that 1/w is finite. (Azahar tests w >= -0.00001, which together with z <=
// 0 and z >= -w means w >= 0.)
const minW = 1.0 / (1 << 62)

// userPlane is the clip plane of GPUREG_FRAGOP_CLIP.
type userPlane struct {
	enabled bool
	coef    [4]float32
}

func (p *userPlane) distance(v *[4]float32) float32 {
	return float32(p.coef[0]*v[0]) + float32(p.coef[1]*v[1]) + float32(p.coef[2]*v[2]) + float32(p.coef[3]*v[3])
}

// positionOf is x, y, z and w of a vertex.
func positionOf(v *pica.Vertex) *[4]float32 { return (*[4]float32)(v[pica.SemPositionX:]) }

// outcode returns the planes that the position v is outside of; 0 means inside
// the view volume.
func (p *userPlane) outcode(v *[4]float32) uint32 {
	x, y, z, w := v[0], v[1], v[2], v[3]
	if (x-x)+(y-y)+(z-z)+(w-w) != 0 {
		return outInvalid
	}
	var code uint32
	if w-x < 0 {
		code |= outRight
	}
	if w+x < 0 {
		code |= outLeft
	}
	if w-y < 0 {
		code |= outTop
	}
	if w+y < 0 {
		code |= outBottom
	}
	if z > depthTolerance {
		code |= outFar
	}
	if z+w < -depthTolerance {
		code |= outNear
	}
	if w < minW {
		code |= outEye
	}
	if p.enabled && !(p.distance(v) >= 0) {
		code |= outUser
	}
	return code
}

// planeDistance is the signed distance of v from plane i (a bit number of the
// outcode): 0 on it, positive inside.
func (p *userPlane) planeDistance(i int, v *pica.Vertex) float32 {
	w := v[pica.SemPositionW]
	switch i {
	case 0:
		return w - v[pica.SemPositionX]
	case 1:
		return w + v[pica.SemPositionX]
	case 2:
		return w - v[pica.SemPositionY]
	case 3:
		return w + v[pica.SemPositionY]
	case 4:
		return -v[pica.SemPositionZ]
	case 5:
		return w + v[pica.SemPositionZ]
	case 6:
		return w - minW
	default:
		return p.distance(positionOf(v))
	}
}

// clipVertex is a corner of a polygon that is being clipped.
type clipVertex struct {
	pica.Vertex
	index uint32 // index in the draw's vertices, or newVertex
}

const newVertex = math.MaxUint32

// maxCorners is the greatest number of corners after clipping: each plane adds
// at most one.
const maxCorners = 3 + clipPlanes

// clipper clips one triangle at a time. Corners are indices into pool, so that
// clipping at a plane moves bytes, not vertices.
type clipper struct {
	pool    [3 + 2*clipPlanes]clipVertex
	used    int
	polygon [2][maxCorners + 1]uint8
}

// clip clips the triangle at the planes in codes and returns the corners of the
// remaining polygon, or none.
//
// Sutherland-Hodgman in clip space: homogeneous coordinates and attributes are
// interpolated linearly, in float32 (the precision of the console's clipper is
// unknown). A new vertex is always computed from the inside corner to the
// outside one, so that two triangles with a common edge get the same vertex.
func (c *clipper) clip(user *userPlane, codes uint32) []uint8 {
	cur, next := 0, 1
	c.polygon[cur][0], c.polygon[cur][1], c.polygon[cur][2] = 0, 1, 2
	c.used = 3
	n := 3
	for plane := range clipPlanes {
		if codes>>plane&1 == 0 {
			continue
		}
		tolerance := float32(0)
		if 1<<plane&(outFar|outNear) != 0 {
			tolerance = depthTolerance
		}
		m := 0
		prev := c.polygon[cur][n-1]
		dPrev := user.planeDistance(plane, &c.pool[prev].Vertex)
		for _, corner := range c.polygon[cur][:n] {
			d := user.planeDistance(plane, &c.pool[corner].Vertex)
			inside, prevInside := d >= -tolerance, dPrev >= -tolerance
			if inside != prevInside {
				if m == maxCorners || c.used == len(c.pool) {
					return nil // impossible for a convex polygon, but rounding could make it concave
				}
				if inside {
					c.cut(corner, prev, d, dPrev)
				} else {
					c.cut(prev, corner, dPrev, d)
				}
				c.polygon[next][m] = uint8(c.used - 1)
				m++
			}
			if inside {
				if m == maxCorners {
					return nil
				}
				c.polygon[next][m] = corner
				m++
			}
			prev, dPrev = corner, d
		}
		cur, next = next, cur
		n = m
		if n < 3 {
			return nil
		}
	}
	return c.polygon[cur][:n]
}

// cut adds the intersection of the edge from corner in to corner out with a
// plane. Their distances from it are dIn >= 0 and dOut < 0.
func (c *clipper) cut(in, out uint8, dIn, dOut float32) {
	f := dOut / (dOut - dIn)
	g := 1 - f
	a, b := &c.pool[in].Vertex, &c.pool[out].Vertex
	v := &c.pool[c.used]
	v.index = newVertex
	for i := range v.Vertex {
		v.Vertex[i] = float32(a[i]*f) + float32(b[i]*g)
	}
	c.used++
}
