package modeldraw

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"pica200/assets/cgfx"
	"pica200/assets/model"
	"pica200/internal/mgl"
	"pica200/pica"
)

// Export converts a model to the neutral form for glTF: bones as nodes in the
// file's pose, and meshes with the first texture of their materials. The notes
// say what glTF cannot represent, or what is not written.
func (s *Set) Export(m *cgfx.Model) (*model.Model, []string) {
	out := &model.Model{Name: m.Name}
	e := &exporter{s: s, m: m, out: out, pose: newPose(m.Skeleton, nil, 0), images: map[*cgfx.Texture]int{}, plain: map[int]bool{}}
	root := srt(&m.Transform)
	if !mgl.Finite(root) {
		root = mgl64.Ident4()
	}
	out.Nodes = append(out.Nodes, model.Node{Name: m.Name, Parent: -1, TRS: model.TRS{Matrix: &root}, Mesh: -1, Skin: -1, Shown: true})
	for i, b := range e.pose.bones {
		parent, local := 0, e.pose.world[i]
		if k := e.pose.nodes[i].Parent; k >= 0 && k < i {
			if up, ok := mgl.Inverse(e.pose.world[k]); ok {
				parent, local = k+1, mgl.Mul(up, local)
			}
		}
		out.Nodes = append(out.Nodes, model.Node{Name: b.Name, Parent: parent, TRS: model.TRS{Matrix: &local}, Mesh: -1, Skin: -1, Shown: true})
		if b.Billboard != cgfx.BillboardOff {
			e.note("bone %s is a billboard (%v), which glTF does not have", b.Name, b.Billboard)
		}
	}
	for i := range m.Materials.Entries {
		e.material(m.Materials.Entries[i].Name, m.Materials.Entries[i].Value)
	}
	for it := range itemsOf(m, "") {
		if s.exported > maxExported {
			e.note("%d meshes are left out: the models have more than %d vertices and indices", len(m.Meshes)-it.number, maxExported)
			break
		}
		e.mesh(it)
	}
	if n := len(s.Animations()); n > 0 {
		e.note("%d animations are not written", n)
	}
	return out, e.notes
}

// maxExported bounds the total number of vertices and indices of a set's
// exports, because models can share those of the file any number of times.
const maxExported = 1 << 22

type exporter struct {
	s      *Set
	m      *cgfx.Model
	out    *model.Model
	pose   *pose
	images map[*cgfx.Texture]int
	texels int          // of images so far
	plain  map[int]bool // materials for which vertex colours do not count
	notes  []string
}

func (e *exporter) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(e.notes, text) {
		e.notes = append(e.notes, text)
	}
}

// material converts what glTF can represent: the first texture, the alpha mode,
// whether both sides are drawn, and whether it is lit.
func (e *exporter) material(name string, m *cgfx.Material) {
	out := model.DefaultMaterial()
	out.Name = name
	if m == nil {
		e.out.Materials = append(e.out.Materials, out)
		return
	}
	out.Unlit = m.Flags&cgfx.MaterialFragmentLit == 0
	out.DoubleSided = m.CullCommand[0]&3 == uint32(pica.CullNone)
	if m.Fragment != nil && m.Fragment.AlphaTest[0]&1 != 0 {
		out.Alpha, out.Cutoff = model.Mask, float32(m.Fragment.AlphaTest[0]>>8&0xFF)/255
	}
	if m.BlendMode != 0 && m.BlendCommand[2]>>16 != 0x0101 {
		out.Alpha = model.Blend
	}
	if t := m.Mappers[0]; t != nil {
		if tex := e.s.texture(t.Texture, name); tex != nil && len(tex.Images) > 0 {
			if n, ok := e.image(tex); ok {
				param := t.Commands[5]
				out.Base = model.Texture{Image: n, Sampler: model.Sampler{MagLinear: param>>1&1 != 0, MinLinear: param>>2&1 != 0, WrapU: wrapOf(param >> 12 & 7), WrapV: wrapOf(param >> 8 & 7)}}
				if m.TexCoords[0].Source < 3 {
					out.Base.UV = int(m.TexCoords[0].Source)
				}
			}
		}
	}
	for i := 1; i < 3; i++ {
		if m.Mappers[i] != nil {
			e.note("material %s: texture unit %d and what the combiners do with it are not written", name, i)
		}
	}
	if !e.bake(name, m, &out) {
		e.plain[len(e.out.Materials)] = true
	}
	e.out.Materials = append(e.out.Materials, out)
}

func wrapOf(v uint32) model.Wrap {
	switch pica.Wrap(v) {
	case pica.WrapRepeat:
		return model.Repeat
	case pica.WrapMirror:
		return model.MirroredRepeat
	}
	return model.ClampToEdge
}

// image adds a texture's picture, once.
func (e *exporter) image(t *cgfx.Texture) (int, bool) {
	if n, ok := e.images[t]; ok {
		return n, n >= 0
	}
	if !e.s.takeTexels(&e.texels, t) {
		e.note("texture %s is left out: it shares its texels with others", t.Name)
		e.images[t] = -1
		return 0, false
	}
	im, err := t.Decode(0)
	if err != nil {
		e.note("%v", err)
		e.images[t] = -1
		return 0, false
	}
	n := len(e.out.Images)
	e.images[t] = n
	e.out.Images = append(e.out.Images, model.Image{Name: t.Name, Pix: im.NRGBA()})
	return n, true
}

// mesh adds a mesh's parts: a part with a single bone below that bone, others
// in the model's space.
func (e *exporter) mesh(it item) {
	sh := e.m.Shapes[it.m.Shape]
	name := meshName(e.m, it)
	for p, err := range e.s.sets(sh, name) {
		if err != nil {
			e.note("%s: %v; it is left out", name, err)
			continue
		}
		e.s.exported += p.count
		for _, d := range p.draws {
			e.s.exported += d.n
		}
		e.part(name, it.m, sh, p)
	}
}

// part adds a part of a shape as a mesh of its own.
func (e *exporter) part(name string, mesh *cgfx.Mesh, sh *cgfx.Shape, p *primitives) {
	out := model.Part{Material: -1}
	if int64(mesh.Material) < int64(len(e.out.Materials)) {
		out.Material = int(mesh.Material)
	}
	for _, d := range p.draws {
		out.Indices = append(out.Indices, triangles(d)...)
	}
	each := p.skin != cgfx.Unskinned && p.has[cgfx.BoneIndex]
	parent, bones := e.placement(p, each)
	if p.skin == cgfx.Smooth {
		e.note("%s: its smooth skin is written in the bind pose", name)
	}
	for v := range p.count {
		m := &bones[0]
		if each && p.skin == cgfx.Rigid {
			t := &p.streams[cgfx.BoneIndex]
			m = &bones[p.number(t.at(v)[0]*t.scale)]
		}
		at := mgl.Point(*m, p.streams[cgfx.Position].position(v, sh))
		if finite(at[:]) {
			e.note("%s has vertices without a finite position, which are put at the origin", name)
		}
		out.Positions = append(out.Positions, at)
		p.vertex(v, m, &out)
	}
	if len(out.Indices) == 0 || p.count == 0 {
		return
	}
	if e.plain[out.Material] {
		out.Colors = nil
	}
	if p.count > 1<<16-1 {
		e.note("%s has %d vertices, more than indices of 16 bits name; it is left out", name, p.count)
		return
	}
	e.out.Meshes = append(e.out.Meshes, model.Mesh{Name: name, Parts: []model.Part{out}})
	e.out.Nodes = append(e.out.Nodes, model.Node{Name: name, Parent: parent, TRS: model.Identity, Mesh: len(e.out.Meshes) - 1, Skin: -1, Shown: true})
}

// placement returns the node above a part, and, if each vertex has its own bone,
// the transformations of the bones.
func (e *exporter) placement(p *primitives, each bool) (parent int, bones []mgl64.Mat4) {
	bones = make([]mgl64.Mat4, max(len(p.bones), 1))
	for i := range bones {
		bones[i] = mgl64.Ident4()
	}
	if p.skin == cgfx.Smooth {
		return 0, bones // in the pose of the file the skin is where it was bound
	}
	for i, b := range p.bones {
		k := -1
		if b < 1<<31 {
			k = e.pose.numbered(int32(b))
		}
		switch {
		case k < 0:
		case each:
			bones[i] = e.pose.world[k]
		case i == 0:
			parent = k + 1
		}
	}
	return parent, bones
}

// vertex adds what vertex v has besides its position, with normals moved by m.
func (p *primitives) vertex(v int, m *mgl64.Mat4, out *model.Part) {
	if p.has[cgfx.Normal] {
		d := mgl.Unit(mgl.Direction(*m, mgl.Wide3(p.streams[cgfx.Normal].at(v).Vec3())))
		if d == (mgl64.Vec3{}) {
			d = mgl64.Vec3{0, 0, 1}
		}
		out.Normals = append(out.Normals, mgl.Narrow3(d))
	}
	if c := &p.streams[cgfx.Color]; p.has[cgfx.Color] {
		w := c.at(v)
		for k := range w {
			if w[k] *= c.scale; !(w[k] >= 0) {
				w[k] = 0
			}
			w[k] = min(w[k], 1)
		}
		out.Colors = append(out.Colors, w)
	}
	for k := range 3 {
		if t := &p.streams[cgfx.TexCoord0+cgfx.Usage(k)]; p.has[cgfx.TexCoord0+cgfx.Usage(k)] {
			w := t.at(v)
			uv := mgl32.Vec2{w[0] * t.scale, w[1] * t.scale}
			finite(uv[:])
			out.UV[k] = append(out.UV[k], uv)
		}
	}
}

// finite replaces numbers that are not finite by 0, and reports whether there were any.
func finite(v []float32) (changed bool) {
	for k := range v {
		if math.IsNaN(float64(v[k])) || math.IsInf(float64(v[k]), 0) {
			v[k], changed = 0, true
		}
	}
	return changed
}

// triangles makes a list of any primitive.
func triangles(d indices) (out []uint16) {
	switch d.mode {
	case pica.PrimitiveTriangleStrip:
		for i := 2; i < d.n; i++ {
			a, b := i-2, i-1
			if i%2 != 0 {
				a, b = b, a
			}
			out = append(out, d.at(a), d.at(b), d.at(i))
		}
	case pica.PrimitiveTriangleFan:
		for i := 2; i < d.n; i++ {
			out = append(out, d.at(0), d.at(i-1), d.at(i))
		}
	default:
		for i := 0; i+2 < d.n; i += 3 {
			out = append(out, d.at(i), d.at(i+1), d.at(i+2))
		}
	}
	return out
}
