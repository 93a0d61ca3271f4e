package modeldraw

import (
	"pica200/assets/cgfx"
	"pica200/assets/model"
)

// uniforms sets the program's. It returns the matrix of the part's first bone.
func (d *Drawing) uniforms(pr *program, sh *cgfx.Shape, l *look, p *part, t *[usages]stream, ps *pose, toView model.Mat4, lights *set) (model.Mat4, error) {
	first := toView
	var palette [][4]float32
	for i, b := range p.bones {
		m := d.bone(b, p.skin, ps, toView)
		if i == 0 {
			first = m
		}
		if i < maxBones {
			palette = append(palette, rows(m, 3)...)
		}
	}
	if palette == nil {
		palette = rows(toView, 3)
	}
	v := &values{floats: map[string][][4]float32{}, bools: map[string]bool{}}
	sky := d.lightVertices(l, lights, v)
	one := func(v ...float32) [][4]float32 {
		var out [4]float32
		copy(out[:], v)
		return [][4]float32{out}
	}
	scale := l.colors[1][3] // of vertex colours
	if !p.has[cgfx.Color] || !(scale > 0) {
		scale = 1
	}
	d.coords(l, p, v)
	v.floats["projection"], v.floats["bones"] = rows(d.view.Projection, 4), palette
	v.floats["scaleA"] = one(t[cgfx.Position].scale, t[cgfx.Normal].scale, t[cgfx.Color].scale, t[cgfx.BoneIndex].scale)
	v.floats["scaleB"] = one(t[cgfx.BoneWeight].scale, t[cgfx.TexCoord0].scale, t[cgfx.TexCoord1].scale, t[cgfx.TexCoord2].scale)
	v.floats["positionOffset"] = one(sh.Offset[0], sh.Offset[1], sh.Offset[2], 0)
	v.floats["colorScale"] = one(scale, scale, scale, 1)
	v.bools["smooth"], v.bools["perVertex"] = p.skin == cgfx.Smooth, p.skin != cgfx.Unskinned && p.has[cgfx.BoneIndex]
	v.bools["hasNormal"], v.bools["tangents"] = p.has[cgfx.Normal], p.has[cgfx.Normal] && p.has[cgfx.Tangent]
	v.bools["sky"] = sky && p.has[cgfx.Normal]
	if !pr.own {
		v.extend(d, l, p, first)
		return first, d.foreign(pr, l, v)
	}
	for name, x := range v.floats {
		if err := pr.SetFloat(name, numbers(x)...); err != nil {
			return first, err
		}
	}
	for name, x := range v.bools {
		if err := pr.SetBool(name, x); err != nil {
			return first, err
		}
	}
	return first, nil
}

// coords gives the texture coordinates of the units: of the vertex's own, of the normal, of
// the reflected view, or of the place as a camera sees it.
func (d *Drawing) coords(l *look, p *part, v *values) {
	coords := [3][3][4]float32{}
	var last [2][4]float32 // what s and t of units 1 and 2 are divided by
	for i := range coords {
		c := &l.coords[i]
		coords[i] = coordMatrix(c, l.moved[i])
		sphere, cube, place := false, false, false
		switch c.Mapping {
		case cgfx.MapSphere:
			sphere = p.has[cgfx.Normal]
		case cgfx.MapCube:
			cube = i == 0 && p.has[cgfx.Normal]
		case cgfx.MapProjection, cgfx.MapShadow, cgfx.MapShadowCube:
			place = true
			coords[i] = d.projected(l, c, coords[i])
			if c.Mapping != cgfx.MapProjection && l.textures[i] != nil {
				d.set.note("material %s: texture coordinate %d is a %v: what it holds is drawn by the program that shows the model, so a picture of the file stands for it, or white", l.Name, i, c.Mapping)
			}
			if i > 0 {
				last[i-1] = coords[i][2]
			}
		}
		if cube {
			// The reflection is in view space; the faces are the world's.
			inverse, _ := d.view.ToView.Inverse()
			for r := range 3 {
				coords[0][r] = [4]float32{float32(inverse[4*r]), float32(inverse[4*r+1]), float32(inverse[4*r+2]), 0}
			}
		}
		n := string(rune('0' + i))
		v.bools["sphere"+n], v.bools["projected"+n] = sphere, place
		if i == 0 {
			v.bools["cube0"] = cube
		}
	}
	v.floats["texture0"], v.floats["texture1"], v.floats["texture2"] = coords[0][:3], coords[1][:2], coords[2][:2]
	v.floats["textureW"] = last[:]
}

// projected is the rows s, t and q of a projected coordinate, from view space: what the
// camera sees, 0 to 1 over its picture, through the coordinate's own matrix. The camera is
// the one of the scene that the coordinate names, or the one drawn with.
func (d *Drawing) projected(l *look, c *cgfx.TexCoord, own [3][4]float32) (out [3][4]float32) {
	m := d.view.Projection
	if c.Camera >= 0 {
		if v, ok := d.set.camera(uint32(c.Camera), d.motion, d.frames); ok {
			inverse, _ := d.view.ToView.Inverse()
			m = v.projection().Mul(model.LookAt(v.Eye, v.At, v.Up)).Mul(inverse)
		} else {
			d.set.note("material %s: camera %d, through which a texture is projected, is not in the file; the one drawn with stands for it", l.Name, c.Camera)
		}
	}
	var s, t, q [4]float64
	for k := range 4 {
		q[k] = m[12+k]
		s[k] = float64(0.5*m[k]) + float64(0.5*q[k])
		t[k] = float64(0.5*m[4+k]) + float64(0.5*q[k])
	}
	for r := range 2 {
		for k := range 4 {
			out[r][k] = float32(float64(float64(own[r][0])*s[k]) + float64(float64(own[r][1])*t[k]) + float64(float64(own[r][3])*q[k]))
		}
	}
	for k := range 4 {
		out[2][k] = float32(q[k])
	}
	return out
}
