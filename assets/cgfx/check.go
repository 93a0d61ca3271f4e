package cgfx

import (
	"fmt"

	"pica200/assets/texture"
	"pica200/assets/tree"
)

// Check runs all consistency checks: the findings of reading, dictionaries that
// the console's search fails on, indices past the end of a list, too small
// textures and buffers, bytes outside of all structures.
func (f *File) Check() tree.Findings {
	out := append(tree.Findings(nil), f.Findings...)
	f.checkSections(&out)
	checkDict(f, &out, "models", &f.Models)
	checkDict(f, &out, "textures", &f.Textures)
	checkDict(f, &out, "lookup tables", &f.LookupTables)
	checkDict(f, &out, "skeletal animations", &f.SkeletalAnimations)
	checkDict(f, &out, "material animations", &f.MaterialAnimations)
	checkDict(f, &out, "visibility animations", &f.VisibilityAnimations)
	for _, t := range f.Textures.Values() {
		f.checkTexture(&out, t)
	}
	for _, m := range f.Models.Values() {
		f.checkModel(&out, m)
	}
	for _, g := range f.gaps {
		if !g.zero {
			out.Notef(int64(g.offset), "%d bytes after %s belong to no structure and are not 0", len(g.data), g.after)
		}
	}
	out.Sort()
	return out
}

// checkSections notes a last section that exceeds the file although the
// header's file size is right: a converter that homebrew uses writes 0x40 too
// many for files with textures.
func (f *File) checkSections(out *tree.Findings) {
	if len(f.sections) == 0 || int64(f.stated) != int64(len(f.data)) {
		return
	}
	s := f.sections[len(f.sections)-1]
	if over := int64(s.offset) + int64(s.size) - int64(len(f.data)); over > 0 {
		out.Notef(int64(s.offset+4), "section %q ends 0x%x bytes beyond the end of the file, which has the size of its header", s.magic, over)
	}
}

// placeOf returns the offset from which a structure was read, or NoOffset.
func placeOf[T any](f *File, v *T) int64 {
	if f.layout == nil {
		return tree.NoOffset
	}
	if f.layout.offsets == nil {
		f.layout.offsets = map[any]int{}
		for n, v := range f.layout.index {
			f.layout.offsets[v] = n.at
		}
	}
	if at, ok := f.layout.offsets[v]; ok {
		return int64(at)
	}
	return tree.NoOffset
}

// OffsetOf returns the offset in the file from which a texture, model, material or
// any other structure was read, or -1.
func OffsetOf[T any](f *File, v *T) int { return int(placeOf(f, v)) }

func checkDict[T any](f *File, out *tree.Findings, name string, d *Dict[T]) {
	lost := 0
	for i := range d.Entries {
		if d.Entries[i].Value == nil {
			out.Problemf(tree.NoOffset, "%s: entry %d (%.60q) has no value", name, i, d.Entries[i].Name)
			continue
		}
		if d.Find(d.Entries[i].Name) != i {
			lost++
		}
	}
	if lost > 0 {
		out.Notef(placeOf(f, d.Entries[0].Value), "%s: %d of %d names are not found by the tree that the console searches", name, lost, len(d.Entries))
	}
}

func (f *File) checkTexture(out *tree.Findings, t *Texture) {
	at := placeOf(f, t)
	if t.Kind == KindTextureRef {
		if t.Target == nil && f.Textures.Get(t.Path) == nil {
			out.Notef(at, "texture %q refers to %q, which is not in the file", t.Name, t.Path)
		}
		return
	}
	for i, im := range t.Images {
		if im == nil {
			out.Problemf(at, "texture %q has no image %d", t.Name, i)
			continue
		}
		if texture.Bits(t.Format) == 0 {
			out.Problemf(at, "texture %q has the unknown format %d", t.Name, uint32(t.Format))
			continue
		}
		if t.Width > texture.MaxSize || t.Height > texture.MaxSize || t.Width < 8 || t.Height < 8 || t.Width&(t.Width-1) != 0 || t.Height&(t.Height-1) != 0 {
			out.Problemf(at, "texture %q has %dx%d texels; the sides must be powers of two from 8 to %d", t.Name, t.Width, t.Height, texture.MaxSize)
			continue
		}
		if n := t.MipLevels(); n < int(max(t.Levels, 1)) {
			out.Problemf(at, "texture %q says %d levels, its %d bytes hold %d", t.Name, t.Levels, len(im.Data), n)
		}
		if im.Width != t.Width || im.Height != t.Height {
			out.Notef(at, "texture %q has %dx%d texels, its image says %dx%d", t.Name, t.Width, t.Height, im.Width, im.Height)
		}
	}
}

func (f *File) checkModel(out *tree.Findings, m *Model) {
	bones := 0
	if m.Skeleton != nil {
		bones = len(m.Skeleton.Bones.Entries)
	}
	for i, s := range Each(m.Meshes) {
		at := placeOf(f, s)
		if int64(s.Shape) >= int64(len(m.Shapes)) {
			out.Problemf(at, "model %q, mesh %d: shape %d of %d", m.Name, i, s.Shape, len(m.Shapes))
		}
		if int64(s.Material) >= int64(len(m.Materials.Entries)) {
			out.Problemf(at, "model %q, mesh %d: material %d of %d", m.Name, i, s.Material, len(m.Materials.Entries))
		}
	}
	for i, s := range Each(m.Shapes) {
		n, err := s.Vertices()
		if err != nil {
			out.Problemf(placeOf(f, s), "model %q, shape %d: %v", m.Name, i, err)
			continue
		}
		for k, set := range Each(s.Sets) {
			for _, b := range set.Bones {
				if m.Skeleton != nil && int64(b) >= int64(bones) {
					out.Problemf(placeOf(f, set), "model %q, shape %d, set %d: bone %d of %d", m.Name, i, k, b, bones)
				}
			}
			for _, p := range Each(set.Primitives) {
				for _, st := range p.Streams {
					f.checkStream(out, m, i, k, st, n)
				}
			}
		}
	}
}

func (f *File) checkStream(out *tree.Findings, m *Model, shape, set int, st *IndexStream, vertices int) {
	if st == nil {
		return
	}
	if st.Format != UnsignedByte && st.Format != UnsignedShort {
		out.Problemf(placeOf(f, st), "model %q, shape %d, set %d: indices of type %v", m.Name, shape, set, st.Format)
		return
	}
	for i := range st.Len() {
		if x := st.Index(i); x >= vertices {
			out.Problemf(placeOf(f, st), "model %q, shape %d, set %d: index %d is vertex %d of %d", m.Name, shape, set, i, x, vertices)
			return
		}
	}
}

// Vertices returns the number of vertices in the shape's buffers. The error
// names an invalid attribute.
func (s *Shape) Vertices() (int, error) {
	n := -1
	for _, a := range Each(s.Attributes) {
		v := -1
		switch a.Kind {
		case AttributeInterleaved:
			if a.Stride == 0 || a.Stride > maxStride {
				return 0, fmt.Errorf("a stride of %d bytes; expected 1 to %d", a.Stride, maxStride)
			}
			v = len(a.Data) / int(a.Stride)
			for _, e := range Each(a.Streams) {
				if err := e.valid(); err != nil {
					return 0, err
				}
				if int64(e.Offset)+int64(e.Format.Size())*int64(e.Components) > int64(a.Stride) {
					return 0, fmt.Errorf("%v: %d components at %d of a stride of %d bytes", e.Usage, e.Components, e.Offset, a.Stride)
				}
			}
		case AttributeStream:
			if err := a.valid(); err != nil {
				return 0, err
			}
			v = len(a.Data) / (a.Format.Size() * int(a.Components))
		default:
			continue
		}
		if n < 0 || v < n {
			n = v
		}
	}
	return max(n, 0), nil
}

// maxStride is the greatest value of the attribute buffer's register.
const maxStride = 255

func (a *Attribute) valid() error {
	if a.Format.Size() == 0 {
		return fmt.Errorf("%v of type %v", a.Usage, a.Format)
	}
	if a.Components < 1 || a.Components > 4 {
		return fmt.Errorf("%v of %d components; expected 1 to 4", a.Usage, a.Components)
	}
	return nil
}

// NamesNode reports whether a mesh that was read has a pointer to a node name,
// even an empty one.
func (f *File) NamesNode(m *Mesh) bool {
	const nodeName = 0x70 // the pointer's position in a mesh
	at := OffsetOf(f, m)
	if at < 0 {
		return m.NodeName != ""
	}
	_, ok := f.layout.target[at+nodeName]
	return ok
}
