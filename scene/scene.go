// Package scene reads and writes pica200's scene files: YAML that describes
// what a program on the console would do to draw one picture. A scene has
// targets, cameras, lights, shader programs, textures, models and, in order,
// draws with their dmp_* uniforms and raw register writes.
//
// Load or Parse reads a Scene, Scene.Write writes one, and Schema describes the
// format for editors. Package scenebuild draws a scene. docs/SCENES.md explains
// the format by example.
//
// This package checks the form of the file: keys, kinds, ranges, names that
// refer to others. Package scenebuild checks what needs the GPU's tables (the
// values of a dmp_* uniform, the symbols of a shader) and reports errors in the
// same way, with the Location of the value.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
package scene

import (
	"io/fs"
	"math"
	"path/filepath"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"pica200/assets/vertices"
	"pica200/internal/yamldoc"
)

// Location is the position of a thing in the file. The zero Location is no position,
// as in a scene made by a program.
type Location struct{ node yamldoc.Node }

// Errorf makes an error that quotes the line at the position.
func (p Location) Errorf(format string, args ...any) error { return p.node.ErrorAt(format, args...) }

// Line is the line in the file, or 0.
func (p Location) Line() int { return p.node.Line() }

func (p *Location) setLocation(n yamldoc.Node) { p.node = n }

// Scene is a whole file.
type Scene struct {
	// FS, if not nil, contains the files of the scene: names are relative to its
	// root, and nothing is read from disk. Of models only shapes work with it.
	FS   fs.FS
	File string // its name; messages use it
	Dir  string // paths in the file are relative to it
	// Roots are folders besides Dir that may contain the scene's files. The user sets them, because the scene may come from another
	// person.
	Roots []string
	// Inline are files in memory, by their names in the scene.
	Inline map[string][]byte
	Name   string
	About  string
	Time   float64 // the animation parameter t that is shown by default, seconds

	Target    Target // of the main pass
	Camera    Camera
	Lights    []Light
	Ambient   *Curve // dmp_FragmentLighting.ambient; nil is not set
	Tables    []Table
	Gradients []Gradient
	Programs  []Program
	Textures  []Texture
	Models    []Model
	State            // of every draw
	Passes    []Pass // drawn before the main pass, in order
	Draws     []Draw // of the main pass
}

// Target is the render target of a pass.
type Target struct {
	Location
	Name          string // "" for the main target
	Width, Height int    // pixels
	Viewport      [4]int // x, y, width, height; all 0 for the whole
	Color         string // a name of ColorFormats, or "none"
	Depth         string // a name of DepthFormats, or "none"
	ShareColor    string // draws into that target's colour buffer instead of its own
	ShareDepth    string // the same of depth
	Screen        string // shown on this screen, of Screens; "" is none
	Clear         Clear
}

// Clear is the contents of buffers before the pass. Nil values leave a buffer
// unchanged.
type Clear struct {
	Color   *mgl64.Vec4 // 0..1
	Depth   *float64    // 0..1
	Stencil *int        // 0..255
}

// Camera is the projection of a pass. Height is used if it is not nil,
// otherwise Fovy.
type Camera struct {
	Location
	Eye, At, Up *Curve
	Fovy        *Curve // degrees, vertical
	Height      *Curve // of a parallel projection, in units of the scene
	Near, Far   float64
	Turntable   float64 // degrees a second that the eye goes around At
	Projection  *Curve  // 16 numbers, row by row, instead of one from fovy, height, near and far
	Rotated     bool    // the picture is turned as on the console's screens
	Stereo      *Stereo // of the scene's camera: the main pass is drawn once for each eye
}

// Curves lists the camera's numbers that may change over time.
func (c *Camera) Curves() []*Curve {
	list := []*Curve{c.Eye, c.At, c.Up, c.Fovy, c.Height, c.Projection}
	if c.Stereo != nil {
		list = append(list, c.Stereo.Eyes, c.Stereo.Convergence)
	}
	return list
}

// Stereo is two eyes, left and right of the camera. Points at distance Convergence have the same position in both pictures; nearer
// points appear in front of the screen.
type Stereo struct {
	Location
	Eyes        *Curve // distance of the eyes, in units of the scene; 0 shows one picture to both
	Convergence *Curve // more than 0
}

// Light is a source of fragment lighting. Vectors are in world space;
// scenebuild transforms them to view space.
type Light struct {
	Location
	Position, Direction                    *Curve // one of both; Direction points to the light
	Ambient, Diffuse, Specular0, Specular1 *Curve
	Spot                                   *Curve // direction that the spot shines to
	Uniforms                               []Uniform
}

// Curves lists the light's numbers that may change over time.
func (l *Light) Curves() []*Curve {
	return []*Curve{l.Position, l.Direction, l.Ambient, l.Diffuse, l.Specular0, l.Specular1, l.Spot}
}

// Program is a shader program.
type Program struct {
	Location
	Name       string
	Library    string            // a program of shaders, or
	Sources    []string          // .pica files, the vertex shader first, or
	File       string            // a .shbin with
	Vertex     string            // the executable's number or entry name; "" is the first vertex shader
	Geometry   string            // the same; "" is the first geometry shader if there is one, "none" is none
	Attributes map[string]string // input of the shader (its name, an alias in the source, v0 to v15) -> stream of the model
	// Guess, of Guesses, selects the inputs and uniforms whose meaning package shaderfit guesses: "unsaid" or "" for those without
	// a setting, "all" also for those with a telling name, "none" for no guesses (inputs by name and register, uniforms keep the
	// hardware's values).
	Guess  string
	PerRun int // vertices that a run of a geometry shader in point mode takes; 0: as many as it reads
}

// Texture is a two-dimensional texture or a cube.
type Texture struct {
	Location
	Name    string
	Image   Image   // or
	Faces   []Image // six: +x, -x, +y, -y, +z, -z; or
	From    string  // the colour buffer of a pass's target; or
	Levels  []Image // all levels given, the greatest first; or
	Raw     *Raw    // texels as the hardware has them
	Format  string  // a name of TextureFormats; "" is rgba8, or what a t3x file has
	Mipmaps bool    // makes the lower levels
	Wrap    [2]string
	Mag     string
	Min     string
	Mip     string // "", nearest or linear
	Bias    float64
	MaxLod  int // -1: as many as there are
	Border  mgl64.Vec4
	Shadow  bool // a depth comparison is read from it
}

// Raw is texels in a file as in the console's memory: the levels of the first
// face from the largest to the smallest, then those of the other faces of a
// cube.
type Raw struct {
	Location
	File          string
	Width, Height int   // powers of two, 8 to MaxSize
	Offset        int64 // of the first byte in the file
	Levels        int   // at least 1
	Cube          bool
}

// isT3X reports whether a texture's file is one of tex3ds (.t3x), which has its
// own format and levels.
func (im *Image) isT3X() bool { return strings.EqualFold(filepath.Ext(im.File), ".t3x") }

// Image is a picture from a file or from a pattern.
type Image struct {
	Location
	File    string
	Pattern *Pattern
}

// Pattern is a picture that is computed.
type Pattern struct {
	Location
	Kind          string // of Patterns
	Width, Height int
	Colors        []mgl64.Vec4 // 0..1
	Gradient      string       // colours instead of Colors, by name
	Scale         float64      // how often the pattern repeats, or how rough noise is
	Seed          int64
	Depth         float64 // of normal maps: how deep the relief is
}

// Model is a mesh from a file, from a shape or from a list of vertices.
type Model struct {
	Location
	Name     string
	File     string
	Shape    *Shape
	Vertices *Vertices
}

// Vertices is a mesh from files that are no models, as package vertices reads
// them.
type Vertices struct {
	Location
	File    string
	Format  string // of vertices.Formats; "" is what the file's name says
	Layout  vertices.Layout
	Indices *Indices // nil: the vertices in their order, or as a JSON file says
	Normals string   // of NormalKinds, made where the file has none; "" is none
}

// Indices are the indices of a mesh's triangles, or of another primitive.
type Indices struct {
	Location
	File   string // or
	List   []uint32
	Format string // as in Vertices
	Type   string // in binary files: ubyte, ushort or uint; "" is ushort
	Offset int64
	Count  int // 0: as many as there are
}

// Shape is a mesh that is computed.
type Shape struct {
	Location
	Kind   string    // of Shapes
	Size   []float64 // meaning depends on the kind
	Detail []int
	Count  int
	Seed   int64
	Color  mgl64.Vec4
	Spread []float64
}

// State is the state that a scene, a pass or a draw can set; inner settings override outer ones.
type State struct {
	Uniforms  []Uniform
	Registers []Register
	// ProceduralColors is the name of a gradient for the four colour tables of the
	// procedural texture, GasColors one for the three of gas; "" is none.
	ProceduralColors, GasColors string
}

// Uniform is a dmp_* uniform, or one of the shader's.
type Uniform struct {
	Location
	Name   string
	Value  Location
	Values []any  // bools, float64s and strings, one a component (or a table's name)
	Curve  *Curve // numbers that change over time, instead of Values
}

// Register is a raw register write.
type Register struct {
	Location
	Reg   uint16
	Value uint32
	Mask  uint8 // bit i: byte i is written
}

// Pass is a list of draws to their own target.
type Pass struct {
	Location
	Name   string
	Target Target
	Camera *Camera // nil: the scene's
	Mode   string  // color, shadow or gas (dmp_FragOperation.mode)
	State
	Draws []Draw
}

// Draw draws a model.
type Draw struct {
	Location
	Name  string
	Model string
	Mesh  string // only the mesh of this name
	Style
	Meshes    []MeshPart // that look otherwise
	Materials []Part     // that look otherwise
}

// Part is a material of a draw's model, by its name, with a style of its own.
type Part struct {
	Location
	Name string
	Style
}

// MeshPart is a mesh of a draw's model, by its own name or that of its node,
// with a style of its own.
type MeshPart struct {
	Part
	Materials []Part // those on this mesh only
}

// Style is how a draw, or a part of its model, is drawn. In a part, the zero value
// leaves a setting as it is.
type Style struct {
	Show     *bool  // nil: yes
	Program  string // "" is chosen by what the model has
	Textures []*string
	At       *Curve
	Rotate   *Curve // degrees and axis
	Scale    *Curve // one or three numbers
	Spin     *mgl64.Vec4
	Matrix   *Curve // 16 numbers, row by row, before the others
	// Transform, if not nil, replaces the five fields above: steps that are
	// multiplied in order, like matrix calls of programs, so that the last one is
	// applied to the vertices first.
	Transform []Transform
	Animation string // number or name; "" is the first, "none" is none
	Material  *bool  // the model's material sets uniforms, textures and culling; nil: yes
	Lit       *bool  // nil: if there are lights
	Color     *Curve // replaces vertex colours, rgba
	Flat      *bool  // a triangle has the colour of its last vertex; nil: no
	Bump      *bool  // generate tangents for the program; nil: no
	Cull      string // "", back, front or none
	Depth     *DepthTest
	Blend     *Blend
	Stencil   *Stencil
	Write     string // channels of colour that are written, of "rgba"; "-" is none
	Logic     string // logic operation instead of blending
	Scissor   *[4]int
	Primitive string // triangles, strip, fan, geometry or elements
	// Patches converts the mesh to the index stream for a program of the library:
	// "loop", "catmull_clark", "silhouette"; "edges" is for "line", "arcs" for
	// "particles". Before that the mesh is subdivided Refine times.
	Patches string
	Refine  int
	State
}

// Curves lists the style's numbers that may change over time, but those of Transform and Uniforms.
func (l *Style) Curves() []*Curve { return []*Curve{l.At, l.Rotate, l.Scale, l.Matrix, l.Color} }

// Transform is a step of a list of transforms: one of TransformKinds with its
// numbers, as in the key of a draw with the same name.
type Transform struct {
	Location
	Kind  string
	Value *Curve
}

// DepthTest is the depth test and the writing of depth.
type DepthTest struct {
	Test  bool
	Func  string
	Write bool
	Range *[2]float64 // depth of the near plane (z = -w) and of the far plane (z = 0); nil: 0 and 1
}

// Blend is the blending state, with names of BlendFactors and BlendEquations.
type Blend struct {
	EquationRgb, EquationAlpha         string
	SrcRgb, DstRgb, SrcAlpha, DstAlpha string
	Color                              mgl64.Vec4
}

// Stencil is the stencil test.
type Stencil struct {
	Func               string
	Ref, Mask, Write   int
	Fail, ZFail, ZPass string
}

// Curve is numbers over time: linear between keys, constant outside.
type Curve struct {
	Location
	Keys []Key
	Loop bool // time wraps at the last key
}

// Key is a curve's value at a time.
type Key struct {
	T float64
	V []float64
}

// Const returns a constant curve.
func Const(v ...float64) *Curve { return &Curve{Keys: []Key{{0, v}}} }

// At returns the curve's value at time t, nil for a nil curve.
func (c *Curve) At(t float64) []float64 {
	if c == nil || len(c.Keys) == 0 {
		return nil
	}
	k := c.Keys
	if c.Loop && len(k) > 1 {
		span := k[len(k)-1].T - k[0].T
		t = k[0].T + math.Mod(math.Mod(t-k[0].T, span)+span, span)
	}
	if t <= k[0].T {
		return k[0].V
	}
	for i := 1; i < len(k); i++ {
		if t >= k[i].T {
			continue
		}
		a, b := k[i-1], k[i]
		u := (t - a.T) / (b.T - a.T)
		out := make([]float64, len(a.V))
		for j := range out {
			out[j] = a.V[j] + float64(u*(b.V[j]-a.V[j]))
		}
		return out
	}
	return k[len(k)-1].V
}

// Scalar returns the curve's first number at time t, or def without a curve.
func (c *Curve) Scalar(t, def float64) float64 {
	if v := c.At(t); len(v) > 0 {
		return v[0]
	}
	return def
}

// Vec3 returns the curve's first three numbers at time t, or def without.
func (c *Curve) Vec3(t float64, def mgl64.Vec3) mgl64.Vec3 {
	if v := c.At(t); len(v) >= 3 {
		return mgl64.Vec3{v[0], v[1], v[2]}
	}
	return def
}
