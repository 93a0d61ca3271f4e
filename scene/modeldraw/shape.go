package modeldraw

import (
	"encoding/binary"
	"fmt"
	"iter"
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"pica200/assets/cgfx"
	"pica200/assets/model"
	"pica200/pica"
)

// stream is a vertex attribute as the hardware takes it.
type stream struct {
	data     []byte // nil: the value is the same for all vertices
	typ      pica.AttribType
	size     int
	stride   int
	offset   int
	scale    float32
	constant mgl32.Vec4
}

// usages is the number of meanings of vertex attributes. The first librarySize
// are inputs of the library's program, the others are for shaders of files.
const (
	usages      = int(cgfx.UserAttribute0) + 12
	librarySize = int(cgfx.UserAttribute0)
)

// inputs names the vertex streams by usage, as the library's program does.
var inputs = [usages]string{cgfx.Position: "position", cgfx.Normal: "normal", cgfx.Tangent: "tangent", cgfx.Color: "color", cgfx.TexCoord0: "texcoord0",
	cgfx.TexCoord1: "texcoord1", cgfx.TexCoord2: "texcoord2", cgfx.BoneIndex: "joints", cgfx.BoneWeight: "weights",
	9: "user0", "user1", "user2", "user3", "user4", "user5", "user6", "user7", "user8", "user9", "user10", "user11"}

// absent are the values of inputs that a shape does not have: white, and the
// whole weight on the first bone.
var absent = [usages]mgl32.Vec4{cgfx.Color: {1, 1, 1, 1}, cgfx.BoneWeight: {1, 0, 0, 0}}

// primitives is a primitive set of a shape, prepared for drawing: streams, indices,
// and its bones.
type primitives struct {
	streams [usages]stream
	has     [usages]bool
	bones   []uint32
	skin    cgfx.Skinning
	draws   []indices
	count   int // vertices
	parts   map[streamKey]*model.Part
	pieces  []*primitives // instead of all above, of a set with too many bones
}

type indices struct {
	mode pica.PrimitiveMode
	typ  pica.IndexType
	data []byte
	n    int
}

// at is index i.
func (d *indices) at(i int) uint16 {
	if d.typ == pica.IndexShort {
		return binary.LittleEndian.Uint16(d.data[2*i:])
	}
	return uint16(d.data[i])
}

type partKey struct {
	shape *cgfx.Shape
	set   int
}

// maxBones is how many bones the program has.
const maxBones = 20

// part prepares a primitive set, once. Invalid parts are skipped with a note.
func (s *Set) part(sh *cgfx.Shape, name string, set int) (*primitives, error) {
	key := partKey{sh, set}
	if p, ok := s.parts[key]; ok {
		return p, nil
	}
	n, err := sh.Vertices()
	if err != nil {
		return nil, err
	}
	p := &primitives{count: n}
	for i := range p.streams {
		p.streams[i] = stream{scale: 1, constant: absent[i]}
	}
	for _, a := range cgfx.Each(sh.Attributes) {
		if a.Kind == cgfx.AttributeInterleaved {
			for _, e := range a.Streams {
				if e != nil {
					p.take(s, name, e, a.Data, int(a.Stride), int(e.Offset))
				}
			}
			continue
		}
		p.take(s, name, a, a.Data, a.Format.Size()*int(a.Components), 0)
	}
	ps := sh.Sets[set]
	p.bones, p.skin = ps.Bones, ps.Skinning
	for _, pr := range cgfx.Each(ps.Primitives) {
		for _, st := range cgfx.Each(pr.Streams) {
			d, err := s.indices(st, n, name)
			if err != nil {
				return nil, err
			}
			if d.n > 0 {
				p.draws = append(p.draws, d)
			}
		}
	}
	if len(p.bones) > maxBones {
		if err := p.split(); err != nil {
			return nil, err
		}
	}
	s.parts[key] = p
	return p, nil
}

// sets yields the primitive sets of a shape as they are drawn, or why one is left out.
func (s *Set) sets(sh *cgfx.Shape, name string) iter.Seq2[*primitives, error] {
	return func(yield func(*primitives, error) bool) {
		for k := range cgfx.Each(sh.Sets) {
			pieces := []*primitives{nil}
			p, err := s.part(sh, name, k)
			if pieces[0] = p; err == nil && p.pieces != nil {
				pieces = p.pieces
			}
			for _, p := range pieces {
				if !yield(p, err) {
					return
				}
			}
		}
	}
}

// take makes a stream from an attribute. Formats that the hardware cannot fetch
// become floats.
func (p *primitives) take(s *Set, name string, a *cgfx.Attribute, data []byte, stride, offset int) {
	if int(a.Usage) >= len(inputs) {
		return // the list of several, or one that does not exist
	}
	t := &p.streams[a.Usage]
	if a.Kind == cgfx.AttributeFixed {
		t.data, t.scale = nil, 1
		for k := range min(len(a.Values), 4) {
			t.constant[k] = a.Values[k] * scaleOf(a)
		}
		// Its count of components may be 0; a public banner has an alpha of 0 then.
		if len(a.Values) > 0 && (len(a.Values) < 4 || a.Components < 4) && a.Usage == cgfx.Color {
			t.constant[3] = 1
		}
		p.has[a.Usage] = len(a.Values) > 0
		return
	}
	size := int(a.Components)
	*t = stream{data: data, size: size, stride: stride, offset: offset, scale: scaleOf(a)}
	p.has[a.Usage] = p.count > 0
	part := a.Format.Size()
	ok := true
	switch a.Format {
	case cgfx.Byte:
		t.typ = pica.AttribByte
	case cgfx.UnsignedByte:
		t.typ = pica.AttribUByte
	case cgfx.Short:
		t.typ = pica.AttribShort
	case cgfx.Float:
		t.typ = pica.AttribFloat
	default:
		s.note("%s: %v of type %v, which the hardware does not have; it is read as floats", name, a.Usage, a.Format)
		ok = false
	}
	if a.Usage == cgfx.Color && size < 4 {
		ok = false // its alpha is 1, which the hardware would scale too
	}
	padded := (part*size + 3) &^ 3
	if ok && (stride == part*size || stride > padded && (stride-padded)%4 == 0 || stride == padded) && offset%part == 0 && stride%part == 0 {
		return
	}
	t.floats(a, p.count)
}

func scaleOf(a *cgfx.Attribute) float32 {
	if a.Scale == 0 || a.Scale != a.Scale {
		return 1
	}
	return a.Scale
}

// floats unpacks the stream; a colour gets four components.
func (t *stream) floats(a *cgfx.Attribute, n int) {
	part := a.Format.Size()
	wide := t.size
	if a.Usage == cgfx.Color {
		wide = 4
	}
	out := make([]byte, 0, 4*n*wide)
	for v := range n {
		for k := range wide {
			x := 1 / t.scale // 1 when it is scaled: alpha that is not there
			if k < t.size {
				x = component(a.Format, t.data[t.offset+v*t.stride+k*part:])
			} else if k < 3 {
				x = 0
			}
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
		}
	}
	t.data, t.typ, t.size, t.stride, t.offset = out, pica.AttribFloat, wide, 4*wide, 0
}

func component(f cgfx.DataType, b []byte) float32 {
	switch f {
	case cgfx.Byte:
		return float32(int8(b[0]))
	case cgfx.UnsignedByte:
		return float32(b[0])
	case cgfx.Short:
		return float32(int16(binary.LittleEndian.Uint16(b)))
	case cgfx.UnsignedShort:
		return float32(binary.LittleEndian.Uint16(b))
	case cgfx.Fixed:
		return float32(int32(binary.LittleEndian.Uint32(b))) / 65536
	}
	return math.Float32frombits(binary.LittleEndian.Uint32(b))
}

// at returns a stream's values at a vertex, scale not applied.
func (t *stream) at(v int) mgl32.Vec4 {
	out := t.constant
	if t.data == nil {
		return out
	}
	f := [...]cgfx.DataType{pica.AttribByte: cgfx.Byte, pica.AttribUByte: cgfx.UnsignedByte, pica.AttribShort: cgfx.Short, pica.AttribFloat: cgfx.Float}[t.typ]
	for k := range t.size {
		out[k] = component(f, t.data[t.offset+v*t.stride+k*f.Size():])
	}
	return out
}

// indices reads an index stream. It drops triangles with vertices that do not
// exist.
func (s *Set) indices(st *cgfx.IndexStream, vertices int, name string) (d indices, err error) {
	switch st.Format {
	case cgfx.UnsignedByte:
		d.typ = pica.IndexByte
	case cgfx.UnsignedShort:
		d.typ = pica.IndexShort
	default:
		return d, fmt.Errorf("indices of type %v; expected bytes or shorts without sign", st.Format)
	}
	switch st.Mode {
	case 0:
		d.mode = pica.PrimitiveTriangles
	case 1:
		d.mode = pica.PrimitiveTriangleStrip
	case 2:
		d.mode = pica.PrimitiveTriangleFan
	default:
		s.note("%s: primitives of mode %d are for a geometry shader that is not in the file", name, st.Mode)
		return d, nil
	}
	d.data, d.n = st.Data, st.Len()
	whole := true
	for i := range d.n {
		whole = whole && st.Index(i) < vertices
	}
	if d.mode == pica.PrimitiveTriangles && d.n%3 != 0 {
		d.n -= d.n % 3
		s.note("%s: %d indices are not a whole number of triangles", name, st.Len())
	}
	if whole {
		return d, nil
	}
	if d.mode != pica.PrimitiveTriangles {
		return d, fmt.Errorf("a strip or fan has indices of vertices that do not exist; there are %d", vertices)
	}
	var data []byte
	lost := 0
	for i := 0; i < d.n; i += 3 {
		a, b, c := st.Index(i), st.Index(i+1), st.Index(i+2)
		if a >= vertices || b >= vertices || c >= vertices {
			lost++
			continue
		}
		for _, v := range [3]int{a, b, c} {
			data = binary.LittleEndian.AppendUint16(data, uint16(v))
		}
	}
	s.note("%s: %d triangles with vertices that do not exist are left out; there are %d vertices", name, lost, vertices)
	return indices{d.mode, pica.IndexShort, data, len(data) / 2}, nil
}

// position is a vertex's position in the space of its bone.
func (t *stream) position(v int, sh *cgfx.Shape) mgl32.Vec3 {
	p := t.at(v)
	for k := range sh.Offset {
		p[k] = float32(p[k]*t.scale) + sh.Offset[k]
	}
	return p.Vec3()
}
