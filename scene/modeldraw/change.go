package modeldraw

import (
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"pica200/assets/cgfx"
	"pica200/assets/model"
	"pica200/internal/mgl"
)

// changed draws with the program of a change.
func (d *Drawing) changed(name string, of *Change, sh *cgfx.Shape, l *materialState, p *primitives, ix indices, ps *pose, toView mgl64.Mat4) error {
	fromView, _ := mgl.Inverse(d.view.ToView)
	if p.skin == cgfx.Unskinned || !p.has[cgfx.BoneIndex] {
		if len(p.bones) > 0 {
			toView = d.bone(p.bones[0], p.skin, ps, toView)
		}
		return of.Draw(name, p.numbers(sh, l, ix), mgl.Mul(fromView, toView), nil)
	}
	fromModel, _ := mgl.Inverse(toView)
	bones := make([]mgl64.Mat4, len(p.bones))
	for i, b := range p.bones {
		bones[i] = mgl.Mul(fromModel, d.bone(b, p.skin, ps, toView))
	}
	return of.Draw(name, p.numbers(sh, l, ix), mgl.Mul(fromView, toView), bones)
}

// streamKey is what the streams of a part depend on besides its vertices.
type streamKey struct {
	data   *byte // of the indices
	coords [3][3]mgl32.Vec4
	color  float32
}

// numbers returns the vertices and triangles of a draw as numbers: without scales
// and offsets of the file, with the texture coordinates of the units and the
// material's scale of colours. It caches what it returns.
func (p *primitives) numbers(sh *cgfx.Shape, l *materialState, ix indices) *model.Part {
	key := streamKey{data: &ix.data[0], color: 1}
	streams := l.streams(p)
	for i := range key.coords {
		if c := &l.coords[i]; c.Mapping == cgfx.MapUV {
			key.coords[i] = coordMatrix(c, l.moved[i])
		}
	}
	if scale := l.colors[1][3]; scale > 0 {
		key.color = scale
	}
	if part := p.parts[key]; part != nil {
		return part
	}
	part := &model.Part{Material: -1, Indices: triangles(ix)}
	identity := mgl64.Ident4()
	for v := range p.count {
		part.Positions = append(part.Positions, streams[cgfx.Position].position(v, sh))
		p.vertex(v, &identity, part)
		if p.has[cgfx.Tangent] {
			t := &streams[cgfx.Tangent]
			part.Tangents = append(part.Tangents, mgl.Narrow3(mgl.Unit(mgl.Wide3(t.at(v).Vec3()))).Vec4(1))
		}
		if p.skin == cgfx.Unskinned || !p.has[cgfx.BoneIndex] {
			continue
		}
		ids, weights := streams[cgfx.BoneIndex].at(v).Mul(streams[cgfx.BoneIndex].scale), mgl32.Vec4{1}
		if p.skin == cgfx.Smooth {
			weights = streams[cgfx.BoneWeight].at(v).Mul(streams[cgfx.BoneWeight].scale)
		}
		var joints [4]uint16
		for k, w := range weights {
			if w != 0 {
				joints[k] = uint16(p.number(ids[k]))
			}
		}
		part.Joints, part.Weights = append(part.Joints, joints), append(part.Weights, weights)
	}
	for i, m := range key.coords {
		t := &streams[cgfx.TexCoord0+cgfx.Usage(i)]
		if part.UV[i] = nil; m == [3]mgl32.Vec4{} || t.data == nil {
			continue
		}
		for v := range p.count {
			at := t.at(v).Mul(t.scale)
			at[2], at[3] = 0, 1
			part.UV[i] = append(part.UV[i], mgl32.Vec2{dot(m[0], at), dot(m[1], at)})
		}
	}
	for i := range part.Colors {
		for k := range 3 {
			part.Colors[i][k] = min(part.Colors[i][k]*key.color, 1)
		}
	}
	if p.parts == nil || len(p.parts) >= maxParts {
		p.parts = map[streamKey]*model.Part{}
	}
	p.parts[key] = part
	return part
}

// maxParts bounds the cached parts of animated coordinates and colours.
const maxParts = 4

// dot is rounded after each product, like the library's program computes it.
func dot(a, b mgl32.Vec4) (sum float32) {
	for k := range a {
		sum += float32(a[k] * b[k])
	}
	return sum
}
