package cgfx

import "github.com/go-gl/mathgl/mgl32"

// Material flags.
const (
	MaterialFragmentLit        = 1 << 0
	MaterialVertexLit          = 1 << 1
	MaterialHemisphereLit      = 1 << 2
	materialHemisphereOccluded = 1 << 3
	MaterialFogged             = 1 << 4
	materialPolygonOffset      = 1 << 5
)

// Material is MTOB. Most of its state is stored twice: as values of the
// author's tool, and as commands for the console. Drawing uses the commands.
type Material struct {
	Object
	Flags          uint32
	TexCoordConfig uint32
	Translucency   uint32 // layer: 0 opaque, 1 translucent, 2 subtractive, 3 additive; drawn in this order
	Colors         MaterialColors
	polygonOffset  uint32
	Cull           uint32  // 0 front, 1 back, 2 always, 3 never; the command is used instead
	offsetUnits    float32 // of the polygon offset
	CullCommand    [2]uint32
	DepthFlags     uint32 // bit 0 test, bit 1 write; not in the command
	DepthCommand   [4]uint32
	BlendMode      uint32 // 0 off, 1 blending, 2 blending with alpha apart, 3 logic operation
	BlendColor     mgl32.Vec4
	BlendCommand   [6]uint32
	StencilCommand [4]uint32
	TexCoordsUsed  uint32
	TexCoords      [3]TexCoord
	Mappers        [3]*TextureMapper
	procedural     *opaque
	Shader         *Shader
	Fragment       *FragmentShader
	ShaderProgram  uint32
	Parameters     []*ShaderParameter
	LightSet       uint32
	Fog            uint32
	// Hashes let the console recognise state that two materials share: shading
	// parameters, shader parameters, texture coordinates, samplers, mappers,
	// colours, rasterization, lighting, tables, table parameters, combiners, alpha
	// test, fragment operations. Commands are additional commands that run after
	// the others. This format does not have them; materials converted from another
	// format do.
	Commands []uint32
	Hashes   [13]uint32
	id       uint32
}

func (*Material) signature() (int, string) { return 4, "MTOB" }

func (m *Material) fields(c *codec) {
	m.Object.header(c, "MTOB")
	word(c, "flags", &m.Flags)
	word(c, "texcoord config", &m.TexCoordConfig)
	word(c, "translucency", &m.Translucency)
	m.Colors.fields(c)
	word(c, "polygon offset", &m.polygonOffset)
	word(c, "cull", &m.Cull)
	c.float("offset units", &m.offsetUnits)
	c.words("cull command", m.CullCommand[:])
	word(c, "depth flags", &m.DepthFlags)
	c.words("depth commands", m.DepthCommand[:])
	word(c, "blend mode", &m.BlendMode)
	c.floats("blend color", m.BlendColor[:])
	c.words("blend commands", m.BlendCommand[:])
	c.words("stencil commands", m.StencilCommand[:])
	word(c, "texcoords used", &m.TexCoordsUsed)
	for i := range m.TexCoords {
		m.TexCoords[i].fields(c)
	}
	for i := range m.Mappers {
		ref(c, "texture mapper", &m.Mappers[i])
	}
	ref(c, "procedural texture mapper", &m.procedural)
	ref(c, "shader", &m.Shader)
	ref(c, "fragment shader", &m.Fragment)
	word(c, "shader program", &m.ShaderProgram)
	refs(c, "shader parameters", &m.Parameters)
	word(c, "light set", &m.LightSet)
	word(c, "fog", &m.Fog)
	c.words("hashes", m.Hashes[:])
	word(c, "id", &m.id)
}

// MaterialColors are the colours of a material, as floats and as bytes (RGBA). The alpha of
// Ambient is the scale of vertex colours.
type MaterialColors struct {
	Emission, Ambient, Diffuse mgl32.Vec4
	specular                   [2]mgl32.Vec4
	Constant                   [6]mgl32.Vec4
	Bytes                      [11]uint32 // the same in the same order, red lowest
	cache                      uint32
}

func (m *MaterialColors) fields(c *codec) {
	c.floats("emission", m.Emission[:])
	c.floats("ambient", m.Ambient[:])
	c.floats("diffuse", m.Diffuse[:])
	for i := range m.specular {
		c.floats("specular", m.specular[i][:])
	}
	for i := range m.Constant {
		c.floats("constant", m.Constant[i][:])
	}
	c.words("colors as bytes", m.Bytes[:])
	word(c, "command cache", &m.cache)
}

// At returns one of the eleven colours, in file order.
func (m *MaterialColors) At(i int) *mgl32.Vec4 {
	switch i {
	case 0:
		return &m.Emission
	case 1:
		return &m.Ambient
	case 2:
		return &m.Diffuse
	case 3, 4:
		return &m.specular[i-3]
	}
	return &m.Constant[i-5]
}

// ColorNames are the names of the eleven colours in animations.
var ColorNames = [11]string{"Emission", "Ambient", "Diffuse", "Specular0", "Specular1", "Constant0", "Constant1", "Constant2", "Constant3", "Constant4", "Constant5"}

// Mapping is the source of a texture coordinate.
type Mapping uint32

// The mappings.
const (
	MapUV Mapping = iota
	MapCube
	MapSphere
	MapProjection
	MapShadow
	MapShadowCube
)

// String names the mapping.
func (m Mapping) String() string {
	return enumText(uint32(m), "uv", "camera cube", "camera sphere", "projection", "shadow", "shadow cube")
}

// TexCoord describes a unit's texture coordinates.
type TexCoord struct {
	Source      uint32 // which of the vertices' coordinates
	Mapping     Mapping
	Camera      int32  // of projections: number in the scene, -1 the one drawn with
	Convention  uint32 // of Scale, Rotation, Translation: 0 Maya, 1 Softimage, 2 3ds Max
	Scale       mgl32.Vec2
	Rotation    float32
	Translation mgl32.Vec2
	flags       uint32
	Matrix      Matrix
}

func (t *TexCoord) fields(c *codec) {
	word(c, "source", &t.Source)
	word(c, "mapping", &t.Mapping)
	word(c, "camera", &t.Camera)
	word(c, "convention", &t.Convention)
	c.floats("scale", t.Scale[:])
	c.float("rotation", &t.Rotation)
	c.floats("translation", t.Translation[:])
	word(c, "flags", &t.flags)
	c.floats("matrix", t.Matrix[:])
}

// TextureMapper is a texture unit: which texture, and how it is sampled.
type TextureMapper struct {
	Kind      uint32
	allocator uint32
	Texture   *Texture
	Sampler   *Sampler
	Commands  [14]uint32 // size and address are filled in by the console
	Send      uint32     // bytes of them that are sent
}

func (t *TextureMapper) fields(c *codec) {
	word(c, "kind", &t.Kind)
	word(c, "allocator", &t.allocator)
	ref(c, "texture", &t.Texture)
	ref(c, "sampler", &t.Sampler)
	c.words("commands", t.Commands[:])
	word(c, "bytes to send", &t.Send)
}

// Sampler is the state of a texture unit in the author's tool.
type Sampler struct {
	Kind      uint32
	Owner     *TextureMapper
	MinFilter uint32
	Border    mgl32.Vec4
	bias      float32
}

func (s *Sampler) fields(c *codec) {
	word(c, "kind", &s.Kind)
	back(c, "owner", &s.Owner)
	word(c, "min filter", &s.MinFilter)
	c.floats("border", s.Border[:])
	c.optional(4, func(c *codec) { c.float("lod bias", &s.bias) })
}

// Shader is SHDR: the name of a shader elsewhere, or its binary.
type Shader struct {
	Object
	Path   string // of KindShaderRef
	target uint32 // filled in by the console

	// Of KindShader.
	Binary   []byte   // DVLB
	Load     []uint32 // commands that upload the code
	Programs []*ShaderProgram
	descs    []uint32  // commands that upload the descriptors
	runtime  [4]uint32 // room for the console
}

func (*Shader) signature() (int, string) { return 4, "SHDR" }

// Source of the fields after the binary: KillzXGaming's SPICA, GfxShader, which
// does not say what the commands are. No known file has any.
func (s *Shader) fields(c *codec) {
	s.Object.header(c, "SHDR")
	switch s.Kind {
	case KindShaderRef, kindOldShaderRef:
		c.text("path", &s.Path)
		word(c, "target", &s.target)
	case KindShader:
		c.blob("binary", &s.Binary, false)
		c.optional(24, func(c *codec) {
			c.numbers("commands", &s.Load)
			refs(c, "programs", &s.Programs)
			c.numbers("more commands", &s.descs)
			c.optional(16, func(c *codec) { c.words("runtime", s.runtime[:]) })
		})
	}
}

// kindOldShaderRef is how some files number KindShaderRef. Source: KillzXGaming's SPICA.
const kindOldShaderRef Kind = 0x00000101

// ShaderProgram is an executable of the binary. A material's ShaderProgram is
// an index of these.
type ShaderProgram struct {
	kind     uint32
	Vertex   int32 // number of the executable
	Geometry int32 // -1 without one
	rest     [31]uint32
}

func (p *ShaderProgram) fields(c *codec) {
	word(c, "kind", &p.kind)
	word(c, "vertex program", &p.Vertex)
	word(c, "geometry program", &p.Geometry)
	c.words("rest", p.rest[:])
}

// ShaderParameter is a uniform of the shader. Source: KillzXGaming's SPICA, GfxShaderParam.
type ShaderParameter struct {
	Name   string
	index  uint32
	Type   uint32 // 0 bool, 1 to 4 floats
	Values mgl32.Vec4
	Bool   uint32
}

func (p *ShaderParameter) fields(c *codec) {
	c.text("name", &p.Name)
	word(c, "index", &p.index)
	word(c, "type", &p.Type)
	switch {
	case p.Type == 0:
		word(c, "value", &p.Bool)
	case p.Type <= 4:
		c.floats("value", p.Values[:p.Type])
	default:
		if c.mode == reading {
			c.note(c.at-4, "shader parameter %q is of the unknown type %d", p.Name, p.Type)
		}
	}
}

// FragmentShader is lighting and texture combiners.
type FragmentShader struct {
	bufferColor     mgl32.Vec4
	LightFlags      uint32 // bit 0 clamps highlights, 1 and 2 distributions, 3 and 4 geometry factors, 5 reflection
	Layer           uint32 // lighting configuration, GPUREG_LIGHTING_CONFIG0 bits 4-7
	Fresnel         uint32 // 0 none, 1 primary alpha, 2 secondary alpha, 3 both
	BumpTexture     uint32
	BumpMode        uint32 // 0 none, 1 normals, 2 tangents
	BumpRenormalize uint32
	Tables          *FragmentTables
	Combiners       [6]Combiner
	AlphaTest       [2]uint32
	BufferCommand   [6]uint32
}

func (f *FragmentShader) fields(c *codec) {
	c.floats("buffer color", f.bufferColor[:])
	word(c, "light flags", &f.LightFlags)
	word(c, "layer config", &f.Layer)
	word(c, "fresnel", &f.Fresnel)
	word(c, "bump texture", &f.BumpTexture)
	word(c, "bump mode", &f.BumpMode)
	word(c, "bump renormalize", &f.BumpRenormalize)
	ref(c, "tables", &f.Tables)
	for i := range f.Combiners {
		word(c, "constant", &f.Combiners[i].Constant)
		c.words("combiner commands", f.Combiners[i].Command[:])
	}
	c.words("alpha test command", f.AlphaTest[:])
	c.words("buffer commands", f.BufferCommand[:])
}

// Combiner is a stage of the texture combiner.
type Combiner struct {
	Constant uint32 // which colour is the constant: 0-5 Constant, 6 emission, 7 ambient, 8 diffuse, 9 and 10 specular
	Command  [6]uint32
}

// FragmentTables are the tables of fragment lighting: reflection red, green, blue,
// distribution 0 and 1, Fresnel.
type FragmentTables struct{ Tables [6]*LightTable }

func (f *FragmentTables) fields(c *codec) {
	for i, name := range [6]string{"reflection r", "reflection g", "reflection b", "distribution 0", "distribution 1", "fresnel"} {
		ref(c, name, &f.Tables[i])
	}
}

// LightTable is a lighting table with its input and scale.
type LightTable struct {
	Input uint32 // GPUREG_LIGHTING_LUTINPUT_SELECT: 0 N.H, 1 V.H, 2 N.V, 3 L.N, 4 -L.P, 5 cos phi
	Scale uint32 // GPUREG_LIGHTING_LUTINPUT_SCALE
	Table *TableRef
}

func (t *LightTable) fields(c *codec) {
	word(c, "input", &t.Input)
	word(c, "scale", &t.Scale)
	ref(c, "table", &t.Table)
}

// TableRef names a table of a set.
type TableRef struct {
	Kind uint32
	Set  string // name of a LookupTable of the file
	Name string // of the table in it
	Into *LookupTable
}

func (t *TableRef) fields(c *codec) {
	word(c, "kind", &t.Kind)
	c.text("set", &t.Set)
	c.text("name", &t.Name)
	back(c, "lookup table", &t.Into)
}

// LookupTable is LUTS, a set of tables.
type LookupTable struct {
	Object
	Tables Dict[Table]
}

func (*LookupTable) signature() (int, string) { return 4, "LUTS" }

func (l *LookupTable) fields(c *codec) {
	l.Object.header(c, "LUTS")
	dict(c, "tables", &l.Tables)
}

// Table is the commands that upload a table.
type Table struct {
	Kind     uint32
	Name     string
	Absolute uint32 // the input runs from 0 to 1, not from -1
	Commands []byte
}

func (t *Table) fields(c *codec) {
	word(c, "kind", &t.Kind)
	c.text("name", &t.Name)
	word(c, "absolute", &t.Absolute)
	c.blob("commands", &t.Commands, false)
}
