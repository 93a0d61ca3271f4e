// Package model reads three-dimensional models as meshes of float32 vertex
// streams with 16-bit indices (the widest that the PICA200 can draw),
// materials, images, nodes, skins and animations.
//
// Load reads a Model from glTF 2.0 (.gltf and .glb, Khronos specification
// 2.0.1) or Wavefront OBJ with MTL, with images that assets/imagefile reads; EncodeGLB
// writes glTF. Model.Pose computes the nodes at a moment of an animation.
// Materials are described as files do; package scene/shading makes settings of
// the fragment stage of them. Files are untrusted: counts and sizes are checked against the available bytes
// before memory is allocated, and errors name the file and the object.
//
// Coordinates are right-handed with +y up, as in glTF. Texture coordinates have
// their origin at the bottom left, as on the PICA200. (glTF's origin is at the
// top left: v is flipped when read and written.)
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
package model

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"pica200/internal/files"
	"pica200/internal/mgl"
	"pica200/internal/quote"
)

// Limits of what is read from one model; source.go has more.
const (
	maxFile     = 256 << 20 // bytes of a file
	MaxVertices = 4 << 20   // of all meshes together
	maxNodes    = 1 << 16
	MaxPixels   = 16 << 20 // of an image
)

// Model is everything in a file. References are indices; -1 is none.
type Model struct {
	Name       string
	Nodes      []Node // in the order of the file
	Meshes     []Mesh
	Materials  []Material
	Images     []Image
	Skins      []Skin
	Animations []Animation
	Cameras    []Camera
	Lights     []Light
	// Notes says which contents of the file are not in the model, one sentence
	// each.
	Notes []string
	Files []string // that Load read or missed, by path
}

// Node places a mesh in its parent's space.
type Node struct {
	Name    string
	Parent  int // -1 for a root
	TRS     TRS
	Mesh    int
	Skin    int
	Weights []float32 // of morph targets; nil for the mesh's own
	Shown   bool      // part of the scene that the file shows by default
}

// TRS is a translation, a rotation and a scale, applied in the order scale,
// rotation, translation. If Matrix is not nil it replaces them.
type TRS struct {
	T      mgl32.Vec3
	R      mgl32.Quat
	S      mgl32.Vec3
	Matrix *mgl64.Mat4
}

// Identity is the identity transformation.
var Identity = TRS{R: mgl32.QuatIdent(), S: mgl32.Vec3{1, 1, 1}}

// Mat4 returns the transformation as a matrix.
func (t TRS) Mat4() mgl64.Mat4 {
	if t.Matrix != nil {
		return *t.Matrix
	}
	m := mgl.WideQuat(t.R).Normalize().Mat4()
	for c, s := range t.S {
		m.SetCol(c, m.Col(c).Mul(float64(s)))
	}
	m.SetCol(3, mgl.Wide3(t.T).Vec4(1))
	return m
}

// Mesh is one or more parts that move together.
type Mesh struct {
	Name    string
	Parts   []Part
	Weights []float32 // of morph targets, by default
}

// Part is a list of triangles with one material. Streams are nil or have one
// entry for each vertex; Positions is never nil. A part has at most 65535
// vertices (index 65535 restarts strips on some hardware and stays unused).
type Part struct {
	Material  int
	Positions []mgl32.Vec3
	Normals   []mgl32.Vec3    // unit length
	Tangents  []mgl32.Vec4    // unit length, w is the sign of the bitangent
	UV        [3][]mgl32.Vec2 // origin at the bottom left
	Bump      int             // which of UV the tangents follow
	Colors    []mgl32.Vec4    // 0..1
	Joints    [][4]uint16     // into the skin's joints
	Weights   []mgl32.Vec4    // sum 1
	Sizes     []mgl32.Vec4    // of points: width, height, cosine and sine of the turn
	Indices   []uint16        // triples, counter-clockwise in front
	// Generic holds streams without a fixed meaning, the application-specific
	// attributes _V0 to _V15 of glTF. They are the contents of a shader's input
	// registers v0 to v15.
	Generic [16][]mgl32.Vec4
	// Loose means that Indices are not triples but any list for a geometry shader:
	// points of glTF with generic streams.
	Loose  bool
	Morphs []Morph
}

// Morph is a morph target: what is added to each vertex at weight 1. Tangents
// are unchanged.
type Morph struct {
	Positions, Normals []mgl32.Vec3 // nil or one a vertex
}

// Skin binds vertices to nodes.
type Skin struct {
	Name        string
	Joints      []int        // nodes
	InverseBind []mgl64.Mat4 // one a joint
}

// Wrap is how texture coordinates outside 0..1 are read.
type Wrap uint8

// The wrap modes of models.
const (
	Repeat Wrap = iota
	ClampToEdge
	MirroredRepeat
)

// Texture is a material's use of an image.
type Texture struct {
	Image     int        // -1 is none
	UV        int        // which of Part.UV
	Transform *Transform // of the coordinates; nil is none
	Sampler
}

// Sampler is how an image is read.
type Sampler struct {
	WrapU     Wrap
	WrapV     Wrap
	MagLinear bool
	MinLinear bool
	Mipmaps   bool
	MipLinear bool
}

// Transform is a transformation of texture coordinates (KHR_texture_transform),
// in glTF's direction of v: scale, counter-clockwise rotation by radians,
// offset.
type Transform struct {
	Offset, Scale [2]float64
	Rotation      float64
}

// defaultSampler is that of files that do not name one.
var defaultSampler = Sampler{MagLinear: true, MinLinear: true, Mipmaps: true}

// NoTexture is a Texture that uses no image.
var NoTexture = Texture{Image: -1}

// AlphaMode is how alpha is used.
type AlphaMode uint8

// The alpha modes of glTF.
const (
	Opaque AlphaMode = iota
	Mask             // drawn where alpha is not below the cutoff
	Blend            // source over destination
)

// Material is the appearance of a surface as the file says it, in terms that
// glTF and MTL share. Colours are sRGB, as textures are.
type Material struct {
	Name        string
	Unlit       bool
	DoubleSided bool
	Alpha       AlphaMode
	Cutoff      float32
	BaseColor   mgl32.Vec4 // multiplied by the base texture and vertex colours
	Emissive    mgl32.Vec3 // multiplied by the emissive map
	Specular    mgl32.Vec3 // of highlights, for a surface that is not metallic
	Metallic    float32    // multiplied by blue of the metal map
	Roughness   float32    // multiplied by green of the metal map
	NormalScale float32    // of x and y of the normal map
	Occlusion   float32    // strength of the occlusion map

	Base, Normal, EmissiveMap, MetalMap Texture
	OcclusionMap                        Texture // red: how much ambient light comes in
}

// DefaultMaterial is the material of parts without one.
func DefaultMaterial() Material {
	return Material{Name: "default", BaseColor: mgl32.Vec4{1, 1, 1, 1}, Cutoff: 0.5, Specular: mgl32.Vec3{0.04, 0.04, 0.04}, Roughness: 1, NormalScale: 1, Occlusion: 1,
		Base: NoTexture, Normal: NoTexture, EmissiveMap: NoTexture, MetalMap: NoTexture, OcclusionMap: NoTexture}
}

// Textures are the material's textures, in the order of their importance.
func (m *Material) Textures() [5]*Texture {
	return [5]*Texture{&m.Base, &m.Normal, &m.EmissiveMap, &m.MetalMap, &m.OcclusionMap}
}

// Load reads a model from a file. Files that it refers to must be in its folder
// or below, or in roots.
func Load(name string, roots ...string) (*Model, error) {
	data, err := files.ReadRegular(name, maxFile)
	if err != nil {
		return nil, err
	}
	from := &source{Named: files.Named{Dir: filepath.Dir(name), Roots: roots}}
	m, err := parse(Kind(name, data), data, from, name)
	if err != nil {
		return nil, err
	}
	m.named(name)
	m.Files = append([]string{name}, from.paths...)
	return m, nil
}

// Parse reads a model from memory, for example from standard input; shown is
// its name in messages. Files that it refers to must be in dir or below, or in
// roots.
func Parse(shown string, data []byte, dir string, roots ...string) (*Model, error) {
	if len(data) > maxFile {
		return nil, fmt.Errorf("%s has %d bytes; at most %d are read", shown, len(data), maxFile)
	}
	kind := Kind("", data)
	if kind == "" && IsOBJ(data) {
		kind = "obj"
	}
	from := &source{Named: files.Named{Dir: dir, Roots: roots}}
	m, err := parse(kind, data, from, shown)
	if err != nil {
		return nil, err
	}
	m.Files = from.paths
	return m, nil
}

// Read reads the model base from fsys; shown is its name in messages.
func Read(fsys fs.FS, base, shown string) (*Model, error) {
	data, err := (&files.Named{FS: fsys}).Read(base, maxFile)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", shown, err)
	}
	m, err := parse(Kind(base, data), data, &source{Named: files.Named{FS: fsys, Dir: path.Dir(base)}}, shown)
	if err == nil {
		m.named(base)
	}
	return m, err
}

// named gives a model without a name that of its file.
func (m *Model) named(file string) {
	if m.Name == "" {
		base := filepath.Base(file)
		m.Name = strings.TrimSuffix(base, path.Ext(base))
	}
}

func parse(kind string, data []byte, from *source, shown string) (m *Model, err error) {
	switch kind {
	case "gltf":
		m, err = readGLTF(data, from)
	case "obj":
		m, err = readOBJ(data, from)
	default:
		return nil, fmt.Errorf("%s: neither glTF (.gltf, .glb) nor Wavefront OBJ (.obj); %s", shown, quote.Start(data))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", shown, err)
	}
	return m, nil
}

// Kind returns the kind of a file by its content and, if that is not enough,
// its name: "gltf", "obj" or "".
func Kind(name string, data []byte) string {
	ext := strings.ToLower(path.Ext(name))
	switch {
	case bytes.HasPrefix(data, []byte("glTF")):
		return "gltf"
	case ext == ".gltf" || ext == ".glb":
		return "gltf"
	case ext == ".obj":
		return "obj"
	case bytes.HasPrefix(bytes.TrimLeft(data[:min(len(data), 512)], " \t\r\n\ufeff"), []byte("{")) && bytes.Contains(data, []byte(`"asset"`)):
		return "gltf"
	}
	return ""
}

// Triangles is the number of triangles of all parts of all meshes.
func (m *Model) Triangles() int {
	n := 0
	for i := range m.Meshes {
		for k := range m.Meshes[i].Parts {
			n += len(m.Meshes[i].Parts[k].Indices) / 3
		}
	}
	return n
}

// MeshNames returns the names of a node's mesh: the node's, then the mesh's. One
// without a name has its number.
func (m *Model) MeshNames(node int) (names []string) {
	n := &m.Nodes[node]
	for _, name := range []string{n.Name, m.Meshes[n.Mesh].Name} {
		if name != "" {
			names = append(names, name)
		}
	}
	if names == nil {
		names = []string{fmt.Sprintf("mesh %d", n.Mesh)}
	}
	return names
}

// MaterialName returns the name of a material, or its number if it has none.
func (m *Model) MaterialName(i int) string {
	switch {
	case i < 0 || i >= len(m.Materials):
		return DefaultMaterial().Name
	case m.Materials[i].Name != "":
		return m.Materials[i].Name
	}
	return fmt.Sprintf("material %d", i)
}
