package banner

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"

	"pica200/assets/cgfx"
	"pica200/assets/model"
	"pica200/internal/mgl"
	"pica200/pica"
)

// maxBones is the greatest number of bones of a primitive set: the console's
// shader has registers for 20 (SPICA).
const maxBones = 20

// mesh converts the parts of a node to meshes.
func (b *builder) mesh(node int) error {
	n := &b.m.Nodes[node]
	src := &b.m.Meshes[n.Mesh]
	weights := n.Weights
	if weights == nil {
		weights = src.Weights
	}
	for i := range src.Parts {
		p := src.Parts[i].Morphed(weights)
		switch {
		case p.Loose || p.Sizes != nil:
			b.note("mesh %s: points are left out", src.Name)
			continue
		case len(p.Indices) == 0:
			continue
		}
		if len(p.Morphs) > 0 {
			b.note("mesh %s: morph targets stay as they are at the start", src.Name)
		}
		if p.Joints != nil && n.Skin >= 0 {
			if err := b.rigid(node, p, n.Skin); err != nil {
				return err
			}
			continue
		}
		if err := b.sides(node, p, b.turns[node], func(p *model.Part, cull pica.CullMode) error {
			return b.shape(node, p, cull, []uint32{b.bones[node].ID}, nil)
		}); err != nil {
			return err
		}
	}
	return nil
}

// turn says whether a node mirrors what it moves, so that fronts are clockwise.
type turn uint8

const (
	never turn = iota
	always
	sometimes
)

// mirrored finds the turns of the nodes over the animation.
func (b *builder) mirrored() error {
	b.turns = make([]turn, len(b.m.Nodes))
	moments, length := 1, 0.0
	if b.Animation >= 0 {
		a := &b.m.Animations[b.Animation]
		if slices.ContainsFunc(a.Channels, func(c model.Channel) bool { return c.Path == model.Scaling && slices.Min(c.Values) < 0 }) {
			length = float64(a.Duration)
			moments = min(int(length*frameRate)+1, 600)
		}
	}
	for k := range moments {
		pose, err := b.m.Pose(b.Animation, length*float64(k)/float64(moments))
		if err != nil {
			return fmt.Errorf("banner: %w", err)
		}
		for i, m := range pose.World {
			now := never
			if mgl.Mirrors(m) {
				now = always
			}
			if k == 0 {
				b.turns[i] = now
			} else if b.turns[i] != now {
				b.turns[i] = sometimes
			}
		}
	}
	return nil
}

// sides makes the shapes of a part for the way it is turned: its front, and its
// back if the material has one that is lit.
func (b *builder) sides(node int, p *model.Part, t turn, make func(*model.Part, pica.CullMode) error) error {
	m := model.DefaultMaterial()
	if p.Material >= 0 && p.Material < len(b.m.Materials) {
		m = b.m.Materials[p.Material]
	}
	list, cull := []model.Side{{Part: p}}, pica.CullBack
	switch {
	case m.DoubleSided && (p.Normals != nil && !m.Unlit && !b.Unlit || p.Coincides()):
		list = p.Sides(true, false)
	case m.DoubleSided:
		cull = pica.CullNone
	}
	if t == sometimes && cull == pica.CullBack {
		cull = pica.CullNone
		b.note("mesh of %s: the animation mirrors it at times, so both sides of its triangles are shown", b.bones[node].Name)
	}
	for _, s := range list {
		one := s.Part
		if t == always {
			one = one.Reversed()
		}
		if err := make(one, cull); err != nil {
			return err
		}
	}
	return nil
}

// rigid attaches each vertex of a skinned part to the joint with the greatest
// weight. It makes pieces of at most maxBones bones.
func (b *builder) rigid(node int, p *model.Part, skin int) error {
	b.note("skin of %s: each vertex follows the joint of its greatest weight; the menu takes no smooth skinning", b.bones[node].Name)
	s := &b.m.Skins[skin]
	moved := *p
	moved.Positions, moved.Normals = slices.Clone(p.Positions), slices.Clone(p.Normals)
	moved.Joints, moved.Weights = make([][4]uint16, len(p.Positions)), make([]mgl32.Vec4, len(p.Positions))
	mirrors := make([]turn, len(s.Joints))
	for j, node := range s.Joints {
		mirrors[j] = b.turns[node]
		if mgl.Mirrors(s.InverseBind[j]) && mirrors[j] != sometimes {
			mirrors[j] = always - mirrors[j]
		}
	}
	for v := range moved.Positions {
		best := 0
		for k := 1; k < 4; k++ {
			if p.Weights[v][k] > p.Weights[v][best] {
				best = k
			}
		}
		joint := p.Joints[v][best]
		moved.Joints[v], moved.Weights[v] = [4]uint16{joint}, mgl32.Vec4{1}
		m := s.InverseBind[joint]
		moved.Positions[v] = mgl.Point(m, p.Positions[v])
		if moved.Normals != nil {
			moved.Normals[v] = mgl.Narrow3(mgl.Direction(m, mgl.Wide3(p.Normals[v])))
		}
	}
	// Triangles of each turn, by the joint of their first corner.
	for t := never; t <= sometimes; t++ {
		some := moved
		some.Indices = nil
		for i := 0; i+2 < len(moved.Indices); i += 3 {
			if tri := moved.Indices[i : i+3]; mirrors[moved.Joints[tri[0]][0]] == t {
				some.Indices = append(some.Indices, tri...)
			}
		}
		if some.Indices == nil {
			continue
		}
		if err := b.sides(node, &some, t, func(p *model.Part, cull pica.CullMode) error { return b.pieces(node, p, cull, s) }); err != nil {
			return err
		}
	}
	return nil
}

// pieces makes the shapes of a part of rigid skinning.
func (b *builder) pieces(node int, p *model.Part, cull pica.CullMode, s *model.Skin) error {
	for _, piece := range p.SplitBones(maxBones) {
		var bones []uint32
		for _, j := range piece.Palette {
			bones = append(bones, b.bones[s.Joints[j]].ID)
		}
		var index []float32
		for _, j := range piece.Joints {
			index = append(index, float32(j[0]))
		}
		if err := b.shape(node, &piece.Part, cull, bones, index); err != nil {
			return err
		}
	}
	return nil
}

// shape makes the shape and mesh of a part. index, if not nil, is the index
// into bones for each vertex.
func (b *builder) shape(node int, p *model.Part, cull pica.CullMode, bones []uint32, index []float32) error {
	material, err := b.material(p.Material, p.Colors != nil, p.Normals != nil, cull)
	if err != nil {
		return err
	}
	sh := &cgfx.Shape{Object: cgfx.Object{Kind: cgfx.KindShape}, Bounds: bounds(p.Positions)}
	stride := uint32(0)
	in := &cgfx.Attribute{Kind: cgfx.AttributeInterleaved, Usage: cgfx.Interleaved, Flags: 2}
	add := func(u cgfx.Usage, f cgfx.DataType, n uint32, scale float32) {
		in.Streams = append(in.Streams, &cgfx.Attribute{Kind: cgfx.AttributeStream, Usage: u, Format: f, Components: n, Scale: scale, Offset: stride})
		stride += (uint32(f.Size())*n + 3) &^ 3
	}
	add(cgfx.Position, cgfx.Float, 3, 1)
	if p.Normals != nil {
		add(cgfx.Normal, cgfx.Float, 3, 1)
	}
	if p.Colors != nil {
		add(cgfx.Color, cgfx.UnsignedByte, 4, 1.0/255)
	}
	for i := range p.UV {
		if p.UV[i] != nil {
			add(cgfx.TexCoord0+cgfx.Usage(i), cgfx.Float, 2, 1)
		}
	}
	if index != nil {
		add(cgfx.BoneIndex, cgfx.Float, 1, 1)
	}
	var data []byte
	float := func(v ...float32) {
		for _, x := range v {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
		}
	}
	for v := range p.Positions {
		float(p.Positions[v][:]...)
		if p.Normals != nil {
			float(p.Normals[v][:]...)
		}
		if p.Colors != nil {
			data = binary.LittleEndian.AppendUint32(data, rgba(p.Colors[v]))
		}
		for i := range p.UV {
			if p.UV[i] != nil {
				float(p.UV[i][v][:]...)
			}
		}
		if index != nil {
			float(index[v])
		}
	}
	in.Stride, in.Data = stride, data
	sh.Attributes = []*cgfx.Attribute{in}
	if p.Colors == nil {
		// Without a colour the console's shader shows nothing.
		sh.Attributes = append(sh.Attributes, &cgfx.Attribute{Kind: cgfx.AttributeFixed, Usage: cgfx.Color, Flags: 1, Format: cgfx.Float, Components: 4, Scale: 1, Values: []float32{1, 1, 1, 1}})
	}
	set := &cgfx.PrimitiveSet{Bones: bones}
	if index != nil {
		set.Skinning = cgfx.Rigid
	}
	set.Primitives = []*cgfx.Primitive{{Streams: []*cgfx.IndexStream{indexStream(p.Indices)}, Objects: []uint32{0}}}
	sh.Sets = []*cgfx.PrimitiveSet{set}
	name := fmt.Sprintf("%s_%d", b.bones[node].Name, len(b.out.Meshes))
	sh.Name = name
	k := uint16(len(b.out.NodeVisibilities.Entries))
	b.out.NodeVisibilities.Add(name, &cgfx.NodeVisibility{Name: name, Visible: 1})
	b.out.Shapes = append(b.out.Shapes, sh)
	b.out.Meshes = append(b.out.Meshes, &cgfx.Mesh{Object: cgfx.Object{Kind: cgfx.KindMesh}, Shape: uint32(len(b.out.Shapes) - 1), Material: material,
		Owner: b.out, Visible: 1, Node: k, NodeName: name})
	return nil
}

func indexStream(list []uint16) *cgfx.IndexStream {
	s := &cgfx.IndexStream{Format: cgfx.UnsignedByte, Visible: 1}
	if slices.Max(list) > 255 {
		s.Format = cgfx.UnsignedShort
	}
	for _, v := range list {
		if s.Format == cgfx.UnsignedByte {
			s.Data = append(s.Data, byte(v))
		} else {
			s.Data = binary.LittleEndian.AppendUint16(s.Data, v)
		}
	}
	return s
}

func bounds(v []mgl32.Vec3) *cgfx.Bounds {
	lo, hi := v[0], v[0]
	for _, p := range v {
		for k := range 3 {
			lo[k], hi[k] = min(lo[k], p[k]), max(hi[k], p[k])
		}
	}
	b := &cgfx.Bounds{Kind: 0x80000000, Axes: [9]float32{1, 0, 0, 0, 1, 0, 0, 0, 1}}
	for k := range 3 {
		b.Center[k], b.Size[k] = (lo[k]+hi[k])/2, hi[k]-lo[k]
	}
	return b
}
