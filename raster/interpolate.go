package raster

import (
	"math"
	"unsafe"

	"pica200/internal/simd"
	"pica200/pica"
)

// Interpolate fills dst with the perspective-correct value of component s for
// every lane in use: v + W0*(v0-v) + W1*(v1-v) + W2*(v2-v), with v from slopes.
// A component that is equal at two vertices is exact on the edge between them;
// one that is equal at all three is exact everywhere.
func (b *Batch) Interpolate(s pica.Semantic, dst *Plane) {
	b.slopesOfFaces(b.layout.Index(s), 1, b.triangles())
	b.interpolate(unsafe.Slice(dst, 1))
}

// InterpolateAll is Interpolate of one to four components, dst[i] of s[i].
func (b *Batch) InterpolateAll(s []pica.Semantic, dst []Plane) {
	offset := b.layout.Index(s[0])
	for i, x := range s {
		if at := b.layout.Index(x); at < 0 || at != offset+i {
			for i := range s {
				b.Interpolate(s[i], &dst[i])
			}
			return
		}
	}
	b.slopesOfFaces(offset, len(s), b.triangles())
	b.interpolate(dst[:len(s)])
}

// InterpolateUnlessSame is Interpolate, but if the component is the same at all
// vertices of the batch it returns that number and writes nothing.
func (b *Batch) InterpolateUnlessSame(s pica.Semantic, dst *Plane) (x float32, same bool) {
	n := b.triangles()
	b.slopesOfFaces(b.layout.Index(s), 1, n)
	planes := b.planes[0][:n]
	x = planes[0][0]
	for i := range planes {
		if planes[i] != [4]float32{x} || math.IsInf(float64(x), 0) {
			b.interpolate(unsafe.Slice(dst, 1))
			return 0, false
		}
	}
	return x + 0, true // interpolation never gives -0
}

// SameAtAll returns the four components from s on, if they are next to each other in the
// rows and finite, and no vertex of the batch has other bits.
func (b *Batch) SameAtAll(s pica.Semantic) (x [4]float32, same bool) {
	offset := b.layout.Index(s)
	if offset < 0 || b.layout.Index(s+1) != offset+1 || b.layout.Index(s+2) != offset+2 || b.layout.Index(s+3) != offset+3 {
		return x, false
	}
	at := func(i uint32) *[4]float32 { return (*[4]float32)(b.attributes[b.first+offset+int(i)*b.layout.N:]) }
	bits := func(i uint32) *[2]uint64 { return (*[2]uint64)(unsafe.Pointer(at(i))) } // faster to compare
	n := b.triangles()
	x = *at(b.faces[0][0])
	want := *bits(b.faces[0][0])
	for i := range b.faces[:n] {
		f := &b.faces[i]
		v0, v1, v2 := bits(f[0]), bits(f[1]), bits(f[2])
		if (v0[0]^want[0])|(v1[0]^want[0])|(v2[0]^want[0])|(v0[1]^want[1])|(v1[1]^want[1])|(v2[1]^want[1]) != 0 {
			return x, false
		}
	}
	for _, v := range x {
		if v*0 != 0 { // infinite, or no number
			return x, false
		}
	}
	return x, true
}

// triangles returns the number of triangles with planes: runs of blocks, or
// faces of quads.
func (b *Batch) triangles() int {
	if b.Packed {
		return b.used
	}
	return len(b.Runs())
}

// interpolate is Interpolate of the components whose slopes are in planes.
func (b *Batch) interpolate(dst []Plane) {
	if b.Packed {
		b.interpolateQuads(dst)
		return
	}
	runs := b.Runs()
	if simd.Vectors && b.Kernels.Vector() {
		for c := range dst {
			interpolateVector(&b.planes[c][0][0], &runs[0], &b.W0[0], &dst[c][0], len(runs))
		}
		return
	}
	at := 0
	for i, n := range runs {
		lanes := int(n) * BlockPixels
		w0, w1, w2 := b.W0[at:][:lanes], b.W1[at:][:lanes], b.W2[at:][:lanes]
		for c := range dst {
			v, d := &b.planes[c][i], dst[c][at:][:lanes]
			for j := range d {
				d[j] = v[0] + float32(w0[j]*v[1]) + float32(w1[j]*v[2]) + float32(w2[j]*v[3])
			}
		}
		at += lanes
	}
}

// slopesOfFaces sets planes to the slopes of one to four components, from index
// place in the rows on, for the first n faces.
func (b *Batch) slopesOfFaces(offset, components, n int) {
	if simd.Vectors && b.Kernels.Vector() && offset >= 0 && n > 0 {
		slopesVector(&b.attributes[0], b.first+offset, b.layout.N, &b.faces[0][0], &b.planes[0][0][0], n, components)
		return
	}
	for c := range b.planes[:components] {
		for i := range b.faces[:n] {
			b.planes[c][i] = b.slopes(&b.faces[i], offset+c)
		}
	}
}

// Flat returns the value of a component in each run of blocks (the first of the
// four numbers), if it is the same at all vertices of each triangle.
func (b *Batch) Flat(s pica.Semantic) (x [][4]float32, flat bool) {
	n := len(b.Runs())
	b.slopesOfFaces(b.layout.Index(s), 1, n)
	x = b.planes[0][:n]
	for i := range x {
		if p := &x[i]; p[1] != 0 || p[2] != 0 || p[3] != 0 {
			return nil, false
		}
	}
	return x, true
}

// interpolateQuads is interpolate for a packed batch.
func (b *Batch) interpolateQuads(dst []Plane) {
	quads := b.Blocks * (BlockPixels / QuadPixels)
	if simd.Vectors && b.Kernels.Vector() {
		interpolateQuadsVector(&b.planes[0][0][0], &b.face[0], &b.W0[0], &dst[0][0], quads, len(dst))
		return
	}
	for i, f := range b.face[:quads] {
		w0 := (*[QuadPixels]float32)(b.W0[i*QuadPixels:])
		w1 := (*[QuadPixels]float32)(b.W1[i*QuadPixels:])
		w2 := (*[QuadPixels]float32)(b.W2[i*QuadPixels:])
		for c := range dst {
			v, d := &b.planes[c][f%BatchQuads], (*[QuadPixels]float32)(dst[c][i*QuadPixels:])
			for j := range d {
				d[j] = v[0] + float32(w0[j]*v[1]) + float32(w1[j]*v[2]) + float32(w2[j]*v[3])
			}
		}
	}
}
