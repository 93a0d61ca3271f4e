package bch

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl32"

	"pica200/assets/cgfx"
	"pica200/pica"
)

// Resources converts the contents to CGFX structures, from which models are
// drawn, exported and checked. The notes say what was not converted.
func (f *File) Resources() (*cgfx.File, []string) {
	r := &resources{f: f, out: &cgfx.File{Revision: cgfx.Revision, Slots: cgfx.MaxSlots}, noted: map[string]bool{}}
	r.textures()
	r.tables()
	r.convertPlacements()
	r.scenes()
	for _, s := range f.Shaders {
		if s != nil {
			add(r, &r.out.Shaders, s.Name, &cgfx.Shader{Object: cgfx.Object{Kind: cgfx.KindShader, Name: s.Name}, Binary: s.Binary,
				Programs: []*cgfx.ShaderProgram{{Vertex: int32(s.vertex), Geometry: int32(s.Geometry)}}})
		}
	}
	for _, m := range f.Models {
		if m != nil {
			r.model(m)
		}
	}
	for _, k := range []struct {
		from []*Animation
		to   *cgfx.Dict[cgfx.Animation]
	}{{f.SkeletalAnimations, &r.out.SkeletalAnimations}, {f.materialAnimations, &r.out.MaterialAnimations}, {f.visibilityAnimations, &r.out.VisibilityAnimations},
		{f.lightAnimations, &r.out.LightAnimations}, {f.cameraAnimations, &r.out.CameraAnimations}, {f.fogAnimations, &r.out.FogAnimations}} {
		for _, a := range k.from {
			if a != nil {
				add(r, k.to, a.Name, r.animation(a))
			}
		}
	}
	if err := r.out.BuildTrees(); err != nil {
		r.note("%v", err)
	}
	return r.out, r.notes
}

// resources is the state of a conversion.
type resources struct {
	f     *File
	out   *cgfx.File
	notes []string
	noted map[string]bool
}

func (r *resources) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !r.noted[text] && len(r.notes) < 64 {
		r.noted[text] = true
		r.notes = append(r.notes, text)
	}
}

// add adds a structure to a dictionary; if the name exists, under another name.
func add[T any](r *resources, d *cgfx.Dict[T], name string, v *T) {
	if d.Get(name) != nil {
		r.note("two resources are named %.60q", name)
		name = fmt.Sprintf("%s_%d", name, len(d.Entries))
		if d.Get(name) != nil {
			return
		}
	}
	d.Add(name, v)
}

// color unpacks bytes, red lowest.
func color(v uint32) (out mgl32.Vec4) {
	for k := range out {
		out[k] = float32(v>>(8*k)&0xFF) / 255
	}
	return out
}

func (r *resources) textures() {
	for _, t := range cgfx.Each(r.f.Textures) {
		x := &cgfx.Texture{Object: cgfx.Object{Kind: cgfx.KindTextureImage, Name: t.Name}, Width: uint32(t.Width), Height: uint32(t.Height),
			Levels: uint32(max(t.Levels, 1)), Format: pica.TextureFormat(t.Format)}
		faces := t.Faces
		if len(faces) == 6 {
			x.Kind = cgfx.KindTextureCube
		} else if len(faces) > 1 {
			r.note("texture %q has %d faces; the first is taken", t.Name, len(faces))
			faces = faces[:1]
		}
		for _, b := range faces {
			x.Images = append(x.Images, &cgfx.Image{Width: x.Width, Height: x.Height, Data: b})
		}
		if len(faces) == 0 {
			x.Kind = cgfx.KindTextureShadow // it has no texels
		}
		add(r, &r.out.Textures, t.Name, x)
	}
}

func (r *resources) tables() {
	for _, l := range cgfx.Each(r.f.lookupTables) {
		x := &cgfx.LookupTable{Object: cgfx.Object{Kind: cgfx.KindLookupTable, Name: l.Name}}
		for i := range l.tables {
			t := &l.tables[i]
			y := &cgfx.Table{Name: t.Name, Absolute: uint32(t.flags & 1)}
			for _, w := range t.commands {
				y.Commands = binary.LittleEndian.AppendUint32(y.Commands, w)
			}
			add(r, &x.Tables, t.Name, y)
		}
		add(r, &r.out.LookupTables, l.Name, x)
	}
}

func (p *placement) transform() cgfx.Transform {
	return cgfx.Transform{Flags: 1, BranchVisible: 1, Scale: p.Scale, Rotation: p.Rotation, Translation: p.Translation, Local: cgfx.Identity, World: cgfx.Identity}
}

func (r *resources) table(set, name string) *cgfx.TableRef {
	if set == "" && name == "" {
		return nil
	}
	return &cgfx.TableRef{Set: set, Name: name}
}

// convertPlacements converts lights, cameras and fogs.
func (r *resources) convertPlacements() {
	for _, l := range cgfx.Each(r.f.Lights) {
		x := &cgfx.Light{Object: cgfx.Object{Name: l.Name}, Transform: l.transform(), Enabled: uint32(l.Enabled), Type: uint32(max(l.Type&3, 1) - 1),
			Direction: l.Direction}
		switch {
		case l.Type&8 != 0:
			x.Kind = cgfx.KindFragmentLight
			x.Ambient, x.Diffuse, x.Specular = color(l.Colors[0]), color(l.Colors[1]), [2]mgl32.Vec4{color(l.Colors[2]), color(l.Colors[3])}
			x.LastFlags = uint32(l.flags&3) << 1
			x.Start, x.End = l.numbers[0], l.numbers[1]
			if finite(x.Start, x.End) && x.End != x.Start {
				x.Scale20, x.Bias20 = cgfx.Attenuation(x.Start, x.End)
			}
			x.Distance = r.table(l.tables[0], l.tables[1])
			if t := r.table(l.tables[2], l.tables[3]); t != nil {
				x.Angle = &cgfx.LightTable{Input: uint32(l.table & 15), Scale: uint32(l.table >> 4), Table: t}
			}
		case l.Type&4 != 0:
			x.Kind = cgfx.KindVertexLight
			x.Ambient, x.Diffuse = l.vectors[0], l.vectors[1]
			x.Constant, x.Linear, x.Quadratic, x.SpotExponent, x.SpotCutoff = l.numbers[0], l.numbers[1], l.numbers[2], l.numbers[3], l.numbers[4]
		case l.Type == 2:
			x.Kind, x.Color = cgfx.KindAmbientLight, color(l.Color)
		case l.Type == 1:
			x.Kind, x.Ground, x.Sky, x.Lerp = cgfx.KindHemisphereLight, l.vectors[0], l.vectors[1], l.numbers[0]
		default:
			r.note("light %q is of the unknown type %d", l.Name, l.Type)
			continue
		}
		add(r, &r.out.Lights, l.Name, x)
	}
	for _, a := range cgfx.Each(r.f.cameras) {
		x := &cgfx.Camera{Object: cgfx.Object{Kind: cgfx.KindCamera, Name: a.Name}, Transform: a.transform(), WScale: a.wScale,
			View: &cgfx.View{Target: a.target, Up: a.up, Twist: a.twist}, Projection: &cgfx.Projection{Near: a.lens[0], Far: a.lens[1], Aspect: a.lens[2]}}
		kinds := [...]uint32{cgfx.ViewAim, cgfx.ViewLookAt, cgfx.ViewRotation}
		if int(a.view) < len(kinds) {
			x.View.Kind = kinds[a.view]
		}
		x.Projection.Kind, x.Projection.Fovy = cgfx.ProjectionPerspective, a.lens[3]
		if a.projection == 1 {
			x.Projection.Kind, x.Projection.Height = cgfx.ProjectionParallel, a.lens[3]
		}
		add(r, &r.out.Cameras, a.Name, x)
	}
	for _, g := range r.f.fogs {
		if g != nil {
			add(r, &r.out.Fogs, g.Name, &cgfx.Fog{Object: cgfx.Object{Kind: cgfx.KindFog, Name: g.Name}, Transform: g.transform(), Color: color(g.color),
				Updater: &cgfx.FogUpdater{Type: uint32(g.kind), Near: g.near, Far: g.far, Density: g.density}})
		}
	}
}

func (r *resources) scenes() {
	items := func(list []sceneItem) (out []*cgfx.SceneItem) {
		for _, i := range list {
			out = append(out, &cgfx.SceneItem{ID: i.id, Name: i.Name})
		}
		return out
	}
	for _, s := range cgfx.Each(r.f.Scenes) {
		x := &cgfx.Scene{Object: cgfx.Object{Kind: cgfx.KindScene, Name: s.Name}, Cameras: items(s.cameras), Fogs: items(s.fogs)}
		for _, l := range s.LightSets {
			set := &cgfx.LightSet{ID: l.ID}
			for _, n := range l.Names {
				set.Lights = append(set.Lights, &cgfx.SceneItem{Name: n})
			}
			x.LightSets = append(x.LightSets, set)
		}
		add(r, &r.out.Scenes, s.Name, x)
	}
}

func (r *resources) model(m *Model) {
	x := &cgfx.Model{Object: cgfx.Object{Kind: cgfx.KindSkeletalModel, Name: m.Name}, Visible: uint32(m.Flags & 1)}
	x.Transform = cgfx.Transform{Flags: 1, BranchVisible: 1, Scale: mgl32.Vec3{1, 1, 1}, Local: m.World, World: m.World}
	sk := &cgfx.Skeleton{Object: cgfx.Object{Kind: cgfx.KindSkeleton, Name: m.Name}, Scaling: cgfx.Scaling(m.scaling)}
	for i := range m.Bones {
		b := &m.Bones[i]
		y := &cgfx.Bone{Name: b.Name, ID: uint32(i), ParentID: int32(b.Parent), Scale: b.Scale, Rotation: b.Rotation, Translation: b.Translation,
			InverseBind: b.Inverse, Flags: cgfx.BoneSkinned | cgfx.BoneRendered}
		if b.Flags&boneCompensates != 0 {
			y.Flags |= cgfx.BoneCompensates
		}
		if way := b.Flags >> 16 & 7; way > 1 {
			y.Billboard = cgfx.Billboard(way - 1)
		}
		add(r, &sk.Bones, b.Name, y)
	}
	if len(m.Bones) > 0 {
		x.Skeleton = sk
	}
	for i := range m.Materials {
		add(r, &x.Materials, m.Materials[i].Name, r.material(&m.Materials[i]))
	}
	for i, n := range m.Nodes {
		v := &cgfx.NodeVisibility{Name: n, Visible: 1}
		if i < len(m.NodesVisible) && !m.NodesVisible[i] {
			v.Visible = 0
		}
		add(r, &x.NodeVisibilities, n, v)
	}
	for i := range m.Meshes {
		h := &m.Meshes[i]
		if h.flags&3 == 1 {
			r.note("model %q, mesh %d is a silhouette, which is left out", m.Name, i)
			continue
		}
		mesh := &cgfx.Mesh{Shape: uint32(len(x.Shapes)), Material: uint32(h.Material), Owner: x, Visible: 1, Priority: uint8(h.Key), Node: h.Node}
		if int(h.Node) < len(m.Nodes) {
			mesh.NodeName = m.Nodes[h.Node]
		}
		x.Meshes, x.Shapes = append(x.Meshes, mesh), append(x.Shapes, r.shape(h))
	}
	add(r, &r.out.Models, m.Name, x)
}

func (r *resources) shape(h *Mesh) *cgfx.Shape {
	s := &cgfx.Shape{Object: cgfx.Object{Kind: cgfx.KindShape}, Offset: mgl32.Vec3{h.Offset[0], h.Offset[1], h.Offset[2]}}
	in := &cgfx.Attribute{Kind: cgfx.AttributeInterleaved, Usage: cgfx.Interleaved, Data: h.Data, Stride: uint32(h.Stride)}
	types := [...]cgfx.DataType{pica.AttribByte: cgfx.Byte, pica.AttribUByte: cgfx.UnsignedByte, pica.AttribShort: cgfx.Short, pica.AttribFloat: cgfx.Float}
	at := 0
	for _, a := range h.Attributes {
		if a.Fixed != nil {
			s.Attributes = append(s.Attributes, &cgfx.Attribute{Kind: cgfx.AttributeFixed, Usage: cgfx.Usage(a.Usage), Format: cgfx.Float, Components: 4,
				Scale: a.Scale, Values: a.Fixed[:]})
			continue
		}
		index := attribBytes[a.Type&3]
		at = (at + index - 1) / index * index // the hardware aligns each to its own size
		in.Streams = append(in.Streams, &cgfx.Attribute{Kind: cgfx.AttributeStream, Usage: cgfx.Usage(a.Usage), Format: types[a.Type&3],
			Components: uint32(a.Components), Scale: a.Scale, Offset: uint32(at)})
		at += index * a.Components
	}
	s.Attributes = append([]*cgfx.Attribute{in}, s.Attributes...)
	for i := range h.Parts {
		p := &h.Parts[i]
		set := &cgfx.PrimitiveSet{Skinning: [4]cgfx.Skinning{cgfx.Unskinned, cgfx.Smooth, cgfx.Rigid, cgfx.Unskinned}[p.Skinning&3]}
		for _, b := range p.Bones {
			set.Bones = append(set.Bones, uint32(b))
		}
		st := &cgfx.IndexStream{Format: cgfx.UnsignedByte, Mode: p.Mode, Visible: 1, Data: p.Indices}
		if p.Mode == 3 {
			st.Mode = 0 // mode 3 (geometry stage) without a geometry shader draws triangles
		}
		if p.Wide {
			st.Format = cgfx.UnsignedShort
		}
		set.Primitives = []*cgfx.Primitive{{Streams: []*cgfx.IndexStream{st}}}
		s.Sets = append(s.Sets, set)
	}
	return s
}

func (r *resources) material(m *Material) *cgfx.Material {
	x := &cgfx.Material{Object: cgfx.Object{Kind: cgfx.KindMaterial, Name: m.Name}, Fragment: &cgfx.FragmentShader{}, DepthFlags: 3}
	p := m.Params
	if p == nil {
		r.note("material %q has no parameters", m.Name)
		p = &Params{}
	}
	x.Flags, x.Translucency, x.TexCoordConfig = uint32(p.Flags&0x3F), uint32(p.Layer&15), uint32(p.Layer>>4)
	for i, v := range p.Colors {
		*x.Colors.At(i) = color(v)
	}
	x.Colors.Ambient[3] = p.ColorScale
	x.BlendColor = color(p.BlendColor)
	for i := range p.TexCoords {
		t := &p.TexCoords[i]
		x.TexCoords[i] = cgfx.TexCoord{Source: uint32(i), Mapping: cgfx.Mapping(t.Mapping), Camera: int32(t.Camera), Convention: uint32(t.Convention),
			Scale: t.Scale, Rotation: t.Rotation, Translation: t.Translation}
	}
	x.LightSet, x.Fog = uint32(p.LightSet), uint32(p.Fog)
	r.units(m, x)
	r.fragment(p, x)
	if n, name, ok := strings.Cut(p.Shader, "@"); ok {
		number, _ := strconv.ParseUint(n, 10, 16)
		x.ShaderProgram = uint32(number)
		x.Shader = &cgfx.Shader{Object: cgfx.Object{Kind: cgfx.KindShaderRef}, Path: name}
	}
	return x
}

// units makes the commands of the texture units.
func (r *resources) units(m *Material, x *cgfx.Material) {
	on := read(m.commands)
	for i, name := range m.Textures {
		if name == "" || on.set[pica.RegTexunitConfig] && on.regs[pica.RegTexunitConfig]>>i&1 == 0 {
			continue
		}
		s := &m.Mappers[i]
		param := uint32(s.WrapV&7)<<8 | uint32(s.WrapU&7)<<12 | uint32(s.Mag&1)<<1
		if s.Min >= 3 {
			param |= 1 << 2
		}
		if s.Min == 2 || s.Min == 5 {
			param |= 1 << 24
		}
		bias := uint32(int32(min(max(s.bias, -16), 15.99)*256)) & 0x1FFF
		lod := bias | uint32(s.minLevel&15)<<24
		t := &cgfx.TextureMapper{Kind: 0x80000000, Texture: &cgfx.Texture{Object: cgfx.Object{Kind: cgfx.KindTextureRef}, Path: name}, Send: 0x38}
		t.Sampler = &cgfx.Sampler{Kind: 0x80000000, Owner: t, Border: color(s.Border)}
		border := [3]pica.Reg{0x081, 0x091, 0x099}[i]
		t.Commands = [14]uint32{2: s.Border, 3: uint32(pica.MakeCommandHeader(border, 0xF, 3, true)), 4: 0, 5: param, 6: lod}
		x.Mappers[i] = t
	}
}

// copied reports whether a register of a material's command list is copied; the
// others are those of the combiners or set elsewhere.
func copied(r pica.Reg) bool {
	return r == pica.RegFacecullingConfig || r == pica.RegTexenvBufferColor || r >= pica.RegColorOperation && r <= pica.RegColorOperation+7 ||
		r >= 0x112 && r <= 0x115
}

// fragment splits the command list into the combiners, whose constants
// animations may change, and the rest, which is copied.
func (r *resources) fragment(p *Params, x *cgfx.Material) {
	f := x.Fragment
	var rest commands
	w := read(p.Commands)
	for i := range f.Combiners {
		base := pica.RegTexenv0Source + pica.Reg(i)*8
		if i >= 4 {
			base += 0x10
		}
		f.Combiners[i].Constant = p.Constants >> (4 * i) & 15
		if w.set[base] {
			f.Combiners[i].Command = [6]uint32{w.regs[base], uint32(pica.MakeCommandHeader(base, 0xF, 4, true)), w.regs[base+1], w.regs[base+2], w.regs[base+3], w.regs[base+4]}
		}
	}
	list := pica.ReadCommands(p.Commands)
	for cmd, ok := list.Next(); ok; cmd, ok = list.Next() {
		for i := range cmd.Len() {
			if reg := cmd.Reg(i); copied(reg) || reg == pica.RegTexenvUpdateBuffer && cmd.Header.Mask()&2 != 0 {
				rest = rest.add(reg, uint32(cmd.Header.Mask()), false, cmd.Param(i))
			}
		}
	}
	x.Commands = rest
	if w.set[pica.RegDepthColorMask] && w.regs[pica.RegDepthColorMask]>>12&1 == 0 {
		x.DepthFlags = 1
	}
	bit := func(n int) uint32 { return uint32(p.fragment >> n & 1) }
	f.LightFlags = bit(1) | bit(2)<<1 | bit(3)<<2 | bit(5)<<3 | bit(6)<<4 | bit(4)<<5
	f.Fresnel, f.BumpMode, f.BumpTexture, f.BumpRenormalize = uint32(p.fresnel), uint32(p.bumpMode), uint32(p.bumpTexture), bit(0)
	t := read(p.tableConfig[:])
	f.Tables = &cgfx.FragmentTables{}
	// The order of the file, in that of cgfx.FragmentTables, with the bits of the registers.
	for i, v := range [6]struct{ to, shift int }{{3, 0}, {4, 4}, {5, 12}, {0, 24}, {1, 20}, {2, 16}} {
		if ref := r.table(p.tableSets[i], p.tableNames[i]); ref != nil {
			f.Tables.Tables[v.to] = &cgfx.LightTable{Input: t.regs[pica.RegLightingLutinputSelect] >> v.shift & 7,
				Scale: t.regs[pica.RegLightingLutinputScale] >> v.shift & 7, Table: ref}
		}
	}
	f.Layer = layer(f.Tables)
}

// layer returns the first lighting configuration that has the tables; the file
// does not store it.
func layer(t *cgfx.FragmentTables) uint32 {
	const r, g, b, d0, d1, fr = 1, 2, 4, 8, 16, 32
	used := 0
	for i, x := range t.Tables {
		if x != nil {
			used |= 1 << i
		}
	}
	for _, c := range []struct {
		number uint32
		reads  int
	}{{0, d0 | r}, {1, fr | r}, {2, d0 | d1 | r}, {3, d0 | d1 | fr}, {4, d0 | d1 | r | g | b}, {5, d0 | fr | r | g | b}, {6, d0 | d1 | fr | r}} {
		if used&^c.reads == 0 {
			return c.number
		}
	}
	return 8
}
