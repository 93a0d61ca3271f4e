package shbin

import (
	"fmt"
	"slices"

	"pica200/assets/tree"
)

// Limits of the hardware. The code memory of a shader unit has 4096 words of
// address space (12-bit destinations; 512 are known to exist for vertex
// shaders) and the descriptor memory 128 entries.
const (
	MaxCode        = 4096
	maxDescriptors = 128
	// MaxExecutables bounds what Parse accepts; no known file has more than a
	// few dozen.
	MaxExecutables = 1024
)

// Versions that picasso writes.
const (
	picassoProgramVersion    = 0
	picassoExecutableVersion = 0x1002
)

// executableVersions are the versions of a DVLE and a DVOJ that are known: of early files, in the documents, from picasso.
var executableVersions = [...]uint16{0, 0x0C02, picassoExecutableVersion}

// Beside each structure stands its record: the stored fields in their order, as
// they are read, written, checked and shown. Names are found in the symbols
// afterwards.

// File is a DVLB.
type File struct {
	Program     Program
	Executables []Executable
	// Unusual is what Parse noticed without failing: bytes outside of tables, and
	// tables that overlap.
	Unusual []Error

	size int   // of the parsed file in bytes, 0 without a layout
	gaps []gap // bytes of the parsed file outside of tables
}

var dvlbHeader = tree.NewRecord("DVLB", func(executables *uint32, f *tree.Fields) {
	f.Magic(MagicDVLB)
	tree.Number(f, "executables", executables, "%d")
})

// One for each executable, from the start of the DVLB; the DVLP follows.
var offsets = tree.NewRecord("executable", func(at *uint32, f *tree.Fields) { tree.Number(f, "executable offset", at) })

type gap struct {
	offset int
	data   []byte
}

// Program is the DVLP: what all executables share.
type Program struct {
	Version     uint32
	Code        []uint32     // instruction words
	Descriptors []Descriptor // operand descriptors
	// Lines is the table at 0x18; according to GBATEK it has the line number of
	// each instruction (the files known to 3dbrew have none). It is empty or has
	// one for each.
	Lines   []Line
	Symbols []byte // source file names, each ended by a NUL

	offset int  // of the DVLP in the file
	short  bool // as Short says
	// Tables of the DVLP. Where there are no lines, files have the position of the names for theirs.
	code, descriptors, lines, names table
}

var dvlpHeader = tree.NewRecord("DVLP", func(p *Program, f *tree.Fields) {
	p.begin(f)
	p.lines.fields(f, "line number", "line numbers") // without any, the offset is the end of the descriptors or that of the names
	p.names.fields(f, "file name", "file name bytes")
})

// begin names the fields that all headers of a DVLP begin with.
func (p *Program) begin(f *tree.Fields) {
	f.Magic(magicDVLP)
	tree.Number(f, "version", &p.Version).Known(0, 0xC02) // picasso writes 0; the other is in the documents
	p.code.fields(f, "code", "code words")
	p.descriptors.fields(f, "descriptor", "descriptors")
}

// The header of nihstro's assembler, which a DVLE follows at once.
var dvlpShort = tree.NewRecord("DVLP of nihstro", func(p *Program, f *tree.Fields) {
	p.begin(f)
	tree.Number(f, "file name offset", &p.names.at) // the length of the names is not stored
})

// Short reports the short header of nihstro's assembler: seven words, without
// line numbers and without the length of the file names. The executable follows
// at once, before the code. Layout replaces it with the header that all other
// tools write.
func (p *Program) Short() bool { return p.short }

// Descriptor is an entry of the operand descriptor table.
type Descriptor struct {
	Word uint32 // see shaderunit.OpDesc
	// Flags is the second word. Nintendo's assembler writes 0x0F, 0x07 or 0x03
	// there (unknown), picasso 0.
	Flags uint32
}

var descriptors = tree.NewRecord("descriptor", func(d *Descriptor, f *tree.Fields) {
	tree.Number(f, "word", &d.Word)
	tree.Number(f, "flags", &d.Flags).Known(0, 0x3, 0x7, 0xF)
})

var words = tree.NewRecord("code", func(w *uint32, f *tree.Fields) { tree.Number(f, "word", w) })

// First returns the number of the first executable of a type, -1 if there is none.
func (f *File) First(t ShaderType) int {
	return slices.IndexFunc(f.Executables, func(e Executable) bool { return e.Type == t })
}

// DescriptorWords returns the descriptors without their flags, as the shader unit takes them.
func (p *Program) DescriptorWords() []uint32 {
	list := make([]uint32, len(p.Descriptors))
	for i, d := range p.Descriptors {
		list[i] = d.Word
	}
	return list
}

// Executable is a DVLE: one vertex or geometry shader.
type Executable struct {
	Version uint16
	Type    ShaderType
	// Merge is the byte at 0x07: nonzero if a geometry shader's output map is to be
	// merged with the vertex shader's.
	Merge      uint8
	Main       uint32 // entry point, in words
	EndMain    uint32 // end of the entry procedure, in words
	InputMask  uint16 // bit n: v(n) is used
	OutputMask uint16 // bit n: o(n) is used
	Geometry   Geometry
	Constants  []Constant
	Labels     []Label
	Outputs    []Output
	Uniforms   []Uniform
	Symbols    []byte // names, each ended by a NUL

	offset int // of the DVLE in the file

	constants, labels, outputs, uniforms, symbols table
}

var dvleHeader = tree.NewRecord("DVLE", func(e *Executable, f *tree.Fields) {
	f.Magic(magicDVLE)
	tree.Number(f, "version", &e.Version).Known(executableVersions[:]...)
	tree.Number(f, "type", &e.Type).Valid(VertexShader, GeometryShader)
	tree.Number(f, "merge output maps", &e.Merge, "%d").Valid(0, 1)
	tree.Number(f, "main", &e.Main, "instruction %03x")
	tree.Number(f, "end of main", &e.EndMain, "instruction %03x")
	tree.Number(f, "input mask", &e.InputMask, "%016b")
	tree.Number(f, "output mask", &e.OutputMask, "%016b")
	e.Geometry.fields(f, "geometry mode")
	e.constants.fields(f, "constant", "constants")
	e.labels.fields(f, "label", "labels")
	e.outputs.fields(f, "output", "outputs")
	e.uniforms.fields(f, "uniform", "uniforms") // inputs among them
	e.symbols.fields(f, "symbol", "symbol bytes")
})

// ShaderType is the byte at DVLE 0x06.
type ShaderType uint8

// Shader types. Other values may hold further flags.
const (
	VertexShader   ShaderType = 0
	GeometryShader ShaderType = 1
)

// String returns "vertex", "geometry" or the number.
func (t ShaderType) String() string {
	switch t {
	case VertexShader:
		return "vertex"
	case GeometryShader:
		return "geometry"
	}
	return fmt.Sprintf("type 0x%02X", uint8(t))
}

// VertexCode is the program size of the vertex shader unit in instructions.
// Only geometry shaders can use more.
const VertexCode = 512

// Fits returns an error if the entry procedure is too long for its unit.
func (e *Executable) Fits() error {
	if e.Type == VertexShader && e.EndMain > VertexCode {
		return fmt.Errorf("the vertex shader reaches up to instruction %d; the vertex shader unit has room for %d", e.EndMain, VertexCode)
	}
	return nil
}

// Geometry holds the fields of a geometry shader, 0x14-0x17 of the DVLE.
type Geometry struct {
	Mode        GeometryMode
	FixedStart  uint8 // fixed mode: first float uniform of the vertex array
	VariableNum uint8 // variable mode: number of fully defined vertices
	FixedNum    uint8 // fixed mode: number of vertices
}

func (g *Geometry) fields(f *tree.Fields, mode string) {
	tree.Number(f, mode, &g.Mode)
	tree.Number(f, "fixed mode: first uniform", &g.FixedStart, "c%d")
	tree.Number(f, "variable mode: full vertices", &g.VariableNum, "%d")
	tree.Number(f, "fixed mode: vertices", &g.FixedNum, "%d")
}

// GeometryMode says how vertices reach a geometry shader.
type GeometryMode uint8

// Geometry modes.
const (
	GeometryPoint    GeometryMode = 0
	GeometryVariable GeometryMode = 1
	GeometryFixed    GeometryMode = 2
)

// String returns "point", "variable", "fixed" or the number.
func (m GeometryMode) String() string {
	switch m {
	case GeometryPoint:
		return "point"
	case GeometryVariable:
		return "variable"
	case GeometryFixed:
		return "fixed"
	}
	return fmt.Sprintf("mode %d", uint8(m))
}

// ConstantKind is the type of a constant.
type ConstantKind uint8

// Constant kinds.
const (
	ConstantBool  ConstantKind = 0
	ConstantInt   ConstantKind = 1
	ConstantFloat ConstantKind = 2
)

// limit returns the number of registers of the kind.
func (k ConstantKind) limit() int { return [...]int{16, 4, 96}[k] }

// String returns "bool", "int" or "float".
func (k ConstantKind) String() string {
	if int(k) < 3 {
		return [...]string{"bool", "int", "float"}[k]
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// Constant is a value that is loaded with the executable (20 bytes).
type Constant struct {
	Kind ConstantKind
	Pad1 uint8 // byte 1
	Reg  uint8 // b0-b15, i0-i3 or c0-c95
	Pad3 uint8 // byte 3
	Data [16]byte
}

var constants = tree.NewRecord("constant", func(c *Constant, f *tree.Fields) {
	tree.Number(f, "type", &c.Kind)
	tree.Number(f, "unused 1", &c.Pad1).Known(0)
	tree.Number(f, "register", &c.Reg)
	tree.Number(f, "unused 3", &c.Pad3).Known(0)
	for i, name := range [...]string{"x", "y", "z", "w"} { // a bool in the first byte, an int in the first four, or four float24
		f.Bytes(name, c.Data[4*i:4*i+4])
	}
})

// BoolConstant makes a bool constant.
func BoolConstant(reg uint8, v bool) Constant {
	c := Constant{Kind: ConstantBool, Reg: reg}
	if v {
		c.Data[0] = 1
	}
	return c
}

// IntConstant makes an int constant (x, y, z, w).
func IntConstant(reg uint8, v [4]uint8) Constant {
	c := Constant{Kind: ConstantInt, Reg: reg}
	copy(c.Data[:], v[:])
	return c
}

// FloatConstant makes a float constant from float24 words.
func FloatConstant(reg uint8, v [4]uint32) Constant {
	c := Constant{Kind: ConstantFloat, Reg: reg}
	for i, w := range v {
		le.PutUint32(c.Data[4*i:], w)
	}
	return c
}

// Bool returns the value of a bool constant.
func (c Constant) Bool() bool { return c.Data[0] != 0 }

// Int returns the value of an int constant.
func (c Constant) Int() [4]uint8 { return [4]uint8(c.Data[:4]) }

// Float returns the value of a float constant as four float24 words.
func (c Constant) Float() (v [4]uint32) {
	for i := range v {
		v[i] = le.Uint32(c.Data[4*i:])
	}
	return v
}

// NoSize is the size of a label that has none.
const NoSize = 0xFFFFFFFF

// noSymbol is the symbol offset of an entry without a name.
const noSymbol = 0xFFFFFFFF

// Names of the labels that mark the entry procedure of an object.
const (
	LabelMain    = "main"
	LabelEndMain = "endmain"
)

// Label names a position in the code (16 bytes).
type Label struct {
	ID      uint16
	Unknown uint16 // 1 in known files
	Addr    uint32 // in words
	Size    uint32 // in words, or NoSize
	Symbol  uint32 // offset of the name in the symbols, or noSymbol
	Name    string // the name; Layout makes Symbol from it
}

var labels = tree.NewRecord("label", func(l *Label, f *tree.Fields) {
	tree.Number(f, "id", &l.ID, "%d") // increasing from 0
	tree.Number(f, "unknown", &l.Unknown)
	tree.Number(f, "address", &l.Addr, "instruction %03x")
	size := fmt.Sprintf("%d words", l.Size)
	if l.Size == NoSize {
		size = "no size"
	}
	tree.Number(f, "size", &l.Size, "%[2]s", size)
	tree.Number(f, "name", &l.Symbol, "0x%x %q", l.Name)
})

// OutputType is the meaning of an output register.
type OutputType uint16

// Output types.
const (
	OutPosition   OutputType = 0
	OutNormalQuat OutputType = 1
	OutColor      OutputType = 2
	OutTexCoord0  OutputType = 3
	OutTexCoord0W OutputType = 4
	OutTexCoord1  OutputType = 5
	OutTexCoord2  OutputType = 6
	OutView       OutputType = 8
	OutDummy      OutputType = 9 // picasso: passed to the geometry shader, or merged
)

// String returns picasso's name of the type.
func (t OutputType) String() string {
	names := [...]string{"position", "normalquat", "color", "texcoord0", "texcoord0w", "texcoord1", "texcoord2", "", "view", "dummy"}
	if int(t) < len(names) && names[t] != "" {
		return names[t]
	}
	return fmt.Sprintf("type %d", uint16(t))
}

// Components returns how many components of an output the rasterizer reads: the
// first ones of its mask. It is 0 for a dummy and for unknown types.
func (t OutputType) Components() int {
	switch t {
	case OutPosition, OutNormalQuat, OutColor:
		return 4
	case OutView:
		return 3
	case OutTexCoord0, OutTexCoord1, OutTexCoord2:
		return 2
	case OutTexCoord0W:
		return 1
	}
	return 0
}

// Output gives an output register a meaning (8 bytes).
type Output struct {
	Type    OutputType
	Reg     uint16 // 0-15
	Mask    uint16 // bit 0 = x
	Unknown uint16 // 0 from picasso; else the same in a whole DVLE
}

var outputs = tree.NewRecord("output", func(o *Output, f *tree.Fields) {
	tree.Number(f, "type", &o.Type).Valid(OutPosition, OutNormalQuat, OutColor, OutTexCoord0, OutTexCoord0W, OutTexCoord1, OutTexCoord2, OutView, OutDummy)
	tree.Number(f, "register", &o.Reg, "o%d")
	tree.Number(f, "mask", &o.Mask, "%[2]s", ComponentNames(o.Mask))
	tree.Number(f, "unknown", &o.Unknown)
})

// Mapped returns the components of the register that the rasterizer reads, bit
// 0 = x.
func (o Output) Mapped() (set uint8) {
	left := o.Type.Components()
	for i := range 4 {
		if o.Mask>>i&1 != 0 && left > 0 {
			set |= 1 << i
			left--
		}
	}
	return set
}

// Register numbers of Uniform.Start and End.
const (
	uniformInput uint16 = 0x00 // v0-v15
	UniformFloat uint16 = 0x10 // c0-c95
	UniformInt   uint16 = 0x70 // i0-i3
	UniformBool  uint16 = 0x78 // b0-b15
)

// Uniform names registers that are set from outside, including inputs (8
// bytes).
type Uniform struct {
	Symbol     uint32 // offset of the name in the symbols, or noSymbol
	Start, End uint16 // first and last register, in the space of the Uniform constants
	Name       string // the name; Layout makes Symbol from it
}

var uniforms = tree.NewRecord("uniform", func(u *Uniform, f *tree.Fields) {
	tree.Number(f, "name", &u.Symbol, "0x%x %q", u.Name)
	tree.Number(f, "first", &u.Start, "%[2]s", RegisterName(u.Start))
	tree.Number(f, "last", &u.End, "%[2]s", RegisterName(u.End))
})

// RegisterName returns the name of register r in the numbering of Uniform:
// "v3", "c95", "i0", "b15", or "register 0x74" for unused numbers.
func RegisterName(r uint16) string {
	switch {
	case r < 0x10:
		return fmt.Sprintf("v%d", r)
	case r < 0x70:
		return fmt.Sprintf("c%d", r-UniformFloat)
	case r < 0x74:
		return fmt.Sprintf("i%d", r-UniformInt)
	case r >= UniformBool && r < UniformBool+16:
		return fmt.Sprintf("b%d", r-UniformBool)
	}
	return fmt.Sprintf("register 0x%02X", r)
}
