package modeldraw

import (
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"pica200/assets/cgfx"
	"pica200/internal/mgl"
)

// uniforms sets the program's. It returns the matrix of the part's first bone.
func (d *Drawing) uniforms(pr *vertexProgram, sh *cgfx.Shape, l *materialState, p *primitives, t *[usages]stream, ps *pose, toView mgl64.Mat4, lights *set) (mgl64.Mat4, error) {
	first := toView
	var palette []mgl32.Vec4
	for i, b := range p.bones {
		m := d.bone(b, p.skin, ps, toView)
		if i == 0 {
			first = m
		}
		if i < maxBones {
			palette = append(palette, mgl.Rows(m, 3)...)
		}
	}
	if palette == nil {
		palette = mgl.Rows(toView, 3)
	}
	v := &values{floats: map[string][]mgl32.Vec4{}, bools: map[string]bool{}}
	sky := d.lightVertices(l, lights, v)
	one := func(v ...float32) []mgl32.Vec4 {
		var out mgl32.Vec4
		copy(out[:], v)
		return []mgl32.Vec4{out}
	}
	scale := l.colors[1][3] // of vertex colours
	if !p.has[cgfx.Color] || !(scale > 0) {
		scale = 1
	}
	d.coords(l, p, v)
	v.floats["projection"], v.floats["bones"] = mgl.Rows(d.view.Projection, 4), palette
	v.floats["scaleA"] = one(t[cgfx.Position].scale, t[cgfx.Normal].scale, t[cgfx.Color].scale, t[cgfx.BoneIndex].scale)
	v.floats["scaleB"] = one(t[cgfx.BoneWeight].scale, t[cgfx.TexCoord0].scale, t[cgfx.TexCoord1].scale, t[cgfx.TexCoord2].scale)
	v.floats["positionOffset"] = one(sh.Offset[0], sh.Offset[1], sh.Offset[2], 0)
	v.floats["colorScale"] = one(scale, scale, scale, 1)
	v.bools["smooth"], v.bools["perVertex"] = p.skin == cgfx.Smooth, p.skin != cgfx.Unskinned && p.has[cgfx.BoneIndex]
	v.bools["hasNormal"], v.bools["tangents"] = p.has[cgfx.Normal], p.has[cgfx.Normal] && p.has[cgfx.Tangent]
	v.bools["sky"] = sky && p.has[cgfx.Normal]
	if !pr.own {
		v.extend(d, l, p, first)
		return first, d.fileUniforms(pr, l, v)
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

// coords computes the texture coordinates of the units: from the vertex's own,
// the normal, the reflected view, or a projection by a camera.
func (d *Drawing) coords(l *materialState, p *primitives, v *values) {
	coords := [3][3]mgl32.Vec4{}
	var last [2]mgl32.Vec4 // what s and t of units 1 and 2 are divided by
	for i := range coords {
		c := &l.coords[i]
		coords[i] = coordMatrix(c, l.moved[i])
		sphere, cube, translate := false, false, false
		switch c.Mapping {
		case cgfx.MapSphere:
			sphere = p.has[cgfx.Normal]
		case cgfx.MapCube:
			cube = i == 0 && p.has[cgfx.Normal]
		case cgfx.MapProjection, cgfx.MapShadow, cgfx.MapShadowCube:
			translate = true
			coords[i] = d.projected(l, c, coords[i])
			if c.Mapping != cgfx.MapProjection && l.textures[i] != nil {
				d.set.note("material %s: texture coordinate %d is a %v: what it holds is drawn by the program that shows the model, so a picture of the file is drawn instead, or white", l.Name, i, c.Mapping)
			}
			if i > 0 {
				last[i-1] = coords[i][2]
			}
		}
		if cube {
			// The reflection is in view space; the faces are the world's.
			inverse, _ := mgl.Inverse(d.view.ToView)
			copy(coords[0][:], mgl.Rows(inverse.Mat3().Mat4(), 3))
		}
		n := string(rune('0' + i))
		v.bools["sphere"+n], v.bools["projected"+n] = sphere, translate
		if i == 0 {
			v.bools["cube0"] = cube
		}
	}
	v.floats["texture0"], v.floats["texture1"], v.floats["texture2"] = coords[0][:3], coords[1][:2], coords[2][:2]
	v.floats["textureW"] = last[:]
}

// projected returns the rows s, t and q of a projected coordinate, from view
// space: the camera's picture as 0 to 1, then the coordinate's own matrix. The
// camera is that of the scene with the coordinate's number, or the current one.
func (d *Drawing) projected(l *materialState, c *cgfx.TexCoord, own [3]mgl32.Vec4) (out [3]mgl32.Vec4) {
	m := d.view.Projection
	if c.Camera >= 0 {
		if v, ok := d.set.camera(uint32(c.Camera), d.motion, d.frames); ok {
			inverse, _ := mgl.Inverse(d.view.ToView)
			m = mgl.Mul(v.projection(), mgl.LookAt(v.Eye, v.At, v.Up), inverse)
		} else {
			d.set.note("material %s: camera %d, through which a texture is projected, is not in the file; the camera of the picture is used instead", l.Name, c.Camera)
		}
	}
	x, y, _, q := m.Rows()
	half := mgl64.Mat4FromRows(x.Add(q).Mul(0.5), y.Add(q).Mul(0.5), mgl64.Vec4{}, q).Transpose()
	for r := range 2 {
		out[r] = mgl.Narrow4(mgl.Apply(half, mgl.Wide3(own[r].Vec3()).Vec4(float64(own[r][3]))))
	}
	out[2] = mgl.Narrow4(q)
	return out
}
