package pica

// Vertex is a vertex after output mapping: the results of the vertex or
// geometry shader by semantic. Its index is a Semantic. Unmapped components are
// 1 (hardware-tested: docs/accuracy/geometry.md, "unmapped outputs").
type Vertex [24]float32

// Semantic identifies a component of a Vertex. The numbers are those of the
// GPUREG_SH_OUTMAP_Oi registers (0x050-0x056).
type Semantic uint8

const (
	SemPositionX  Semantic = 0x00 // clip space
	SemPositionY  Semantic = 0x01
	SemPositionZ  Semantic = 0x02
	SemPositionW  Semantic = 0x03
	SemQuatX      Semantic = 0x04 // rotation from tangent space to eye space
	SemQuatY      Semantic = 0x05
	SemQuatZ      Semantic = 0x06
	SemQuatW      Semantic = 0x07
	SemColorR     Semantic = 0x08 // vertex colour, 0..1
	SemColorG     Semantic = 0x09
	SemColorB     Semantic = 0x0A
	SemColorA     Semantic = 0x0B
	SemTexCoord0U Semantic = 0x0C
	SemTexCoord0V Semantic = 0x0D
	SemTexCoord1U Semantic = 0x0E
	SemTexCoord1V Semantic = 0x0F
	SemTexCoord0W Semantic = 0x10
	SemViewX      Semantic = 0x12 // from the fragment to the eye
	SemViewY      Semantic = 0x13
	SemViewZ      Semantic = 0x14
	SemTexCoord2U Semantic = 0x16
	SemTexCoord2V Semantic = 0x17
	SemUnused     Semantic = 0x1F
)

// ScreenVertex is a Vertex after clipping, perspective division and viewport,
// the input of the rasterizer. The attributes are not divided by w.
type ScreenVertex struct {
	Vertex
	X, Y int32   // window position, 12.4 fixed point, +y up
	Z    float32 // z/w before depth scale and offset, -1 (near) to 0 (far)
	InvW float32 // 1/w, greater than 0
}

// ScreenPosition is a ScreenVertex without its attributes.
type ScreenPosition struct {
	X, Y    int32
	Z, InvW float32
}

// NumSemantics is the number of components of a Vertex.
const NumSemantics = Semantic(len(Vertex{}))

// VertexLayout says which components of vertices are stored, in rows of N
// numbers. All others are 1, like unmapped components.
type VertexLayout struct {
	N  int
	at [NumSemantics]uint8 // place in the row, plus one
}

// WholeVertex stores every component, at the index of its semantic.
var WholeVertex = func() (l VertexLayout) {
	for s := range NumSemantics {
		l.Add(s)
	}
	return l
}()

// Add adds a component to the end of the row, unless it exists already.
func (l *VertexLayout) Add(s Semantic) {
	if s < NumSemantics && l.at[s] == 0 {
		l.N++
		l.at[s] = uint8(l.N)
	}
}

// Index returns the index of a component in the row, or -1.
func (l *VertexLayout) Index(s Semantic) int {
	if s >= NumSemantics {
		return -1
	}
	return int(l.at[s]) - 1
}

// Unpack converts a row to a whole vertex.
func (l *VertexLayout) Unpack(row []float32, v *Vertex) {
	for s := range v {
		v[s] = 1
		if p := l.at[s]; p != 0 {
			v[s] = row[p-1]
		}
	}
}

// Pack converts a vertex to a row.
func (l *VertexLayout) Pack(v *Vertex, row []float32) {
	for s, x := range v {
		if p := l.at[s]; p != 0 {
			row[p-1] = x
		}
	}
}

// Semantics names the values of Semantic.
var Semantics = newEnum("Semantic",
	ev(SemPositionX, "position.x", ""), ev(SemPositionY, "position.y", ""),
	ev(SemPositionZ, "position.z", ""), ev(SemPositionW, "position.w", ""),
	ev(SemQuatX, "normquat.x", ""), ev(SemQuatY, "normquat.y", ""),
	ev(SemQuatZ, "normquat.z", ""), ev(SemQuatW, "normquat.w", ""),
	ev(SemColorR, "color.r", ""), ev(SemColorG, "color.g", ""),
	ev(SemColorB, "color.b", ""), ev(SemColorA, "color.a", ""),
	ev(SemTexCoord0U, "texcoord0.u", ""), ev(SemTexCoord0V, "texcoord0.v", ""),
	ev(SemTexCoord1U, "texcoord1.u", ""), ev(SemTexCoord1V, "texcoord1.v", ""),
	ev(SemTexCoord0W, "texcoord0.w", ""),
	ev(SemViewX, "view.x", ""), ev(SemViewY, "view.y", ""), ev(SemViewZ, "view.z", ""),
	ev(SemTexCoord2U, "texcoord2.u", ""), ev(SemTexCoord2V, "texcoord2.v", ""),
	ev(SemUnused, "unused", "the component goes nowhere"),
)

func (s Semantic) String() string { return Semantics.Format(uint32(s)) }
