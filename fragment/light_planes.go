package fragment

import "pica200/raster"

// lightPlanes are the lane registers of fragment lighting. All vectors are in
// eye space; "unit" means normalised (a zero vector stays zero).
type lightPlanes struct {
	normal  [3]raster.Plane // surface normal, rotated by the quaternion
	tangent [3]raster.Plane // surface tangent, only where CP reads it
	view    [3]raster.Plane // surface tangent, only if CP reads it

	light  [3]raster.Plane // unit vector to the current light
	half   [3]raster.Plane // unit half vector of light and view
	dist   raster.Plane    // distance to the light, before normalising
	halfSq raster.Plane    // squared length of light + view, before normalising

	dotNV raster.Plane    // N.V, the same for every light
	dotLN raster.Plane    // L.N
	lit   raster.Plane    // L.N after one- or two-sided clamping
	in    raster.Plane    // current table input
	tmp   raster.Plane    // scratch within one micro-op
	atten raster.Plane    // distance times spot attenuation
	high  raster.Plane    // factor of both specular terms: attenuation and clamped highlight
	geo   raster.Plane    // geometric factor
	d0    raster.Plane    // factor of specular term 0
	d1    raster.Plane    // factor of specular term 1
	refl  [3]raster.Plane // factors of specular term 1: RR, RG, RB
	fr    raster.Plane    // Fresnel factor

	entries [numEntries]entries // places in tables, see lightCompiler.entries

	shadow    [4]raster.Plane // shadow attenuation, 0 to 1
	primary   [4]raster.Plane // sums before clamping
	secondary [4]raster.Plane
}

// onePlane is 1 in every lane, for lights without attenuation.
var onePlane = func() (p raster.Plane) {
	for i := range p {
		p[i] = 1
	}
	return p
}()
