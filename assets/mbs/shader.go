package mbs

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"math"

	"pica200/assets/tree"
)

// Version is the core a shader was compiled for, as in the kernel interface of
// ARM's driver.
type Version uint32

const (
	MaliGP2   Version = 2 // vertex, Mali-200
	Mali200   Version = 5 // fragment, Mali-200
	Mali400GP Version = 6 // vertex, Mali-400
	Mali400PP Version = 7 // fragment, Mali-400
)

// String names the core.
func (v Version) String() string {
	names := map[Version]string{MaliGP2: "Mali GP2", Mali200: "Mali-200 PP", Mali400GP: "Mali-400 GP", Mali400PP: "Mali-400 PP"}
	return cmp.Or(names[v], fmt.Sprintf("core %d", uint32(v)))
}

// Type is the type of a symbol.
type Type uint8

const (
	Float       Type = 1
	Int         Type = 2
	Bool        Type = 3
	Matrix      Type = 4
	Sampler2D   Type = 5
	SamplerCube Type = 6
	Struct      Type = 8
	SamplerOES  Type = 9 // samplerExternalOES
)

// String returns the type's name.
func (t Type) String() string { return cmp.Or(typeNames[t], fmt.Sprintf("type %d", uint8(t))) }

var typeNames = map[Type]string{Float: "float", Int: "int", Bool: "bool", Matrix: "matrix", Sampler2D: "sampler2D", SamplerCube: "samplerCube",
	Struct: "struct", SamplerOES: "samplerExternalOES"}

func (t Type) known() bool { return typeNames[t] != "" }

func (t Type) sampler() bool { return t == Sampler2D || t == SamplerCube || t == SamplerOES }

// Precision is the precision qualifier of a symbol.
type Precision uint8

// String returns "lowp", "mediump" or "highp".
func (p Precision) String() string {
	if p >= 1 && p <= 3 {
		return [...]string{"lowp", "mediump", "highp"}[p-1]
	}
	return fmt.Sprintf("precision %d", uint8(p))
}

const (
	// NoParent is the Parent of a symbol that is not a member of a struct.
	NoParent = 0xFFFF
	// Unplaced is the Offset of a varying that the shader does not write.
	Unplaced = 0xFFFF
)

// Symbol is a uniform, varying or attribute. Sizes, strides and offsets are in
// units of one float.
type Symbol struct {
	Name   string
	Offset int64 // of its chunk in the file

	Unknown0       uint8  // 2 from ARM's compiler, 0 from the open one
	Type           Type   //
	ComponentCount uint16 // components of a vector, columns of a matrix, members of a struct, dimensions of a sampler
	ComponentSize  uint16 // size of an element, of a column for matrices
	EntryCount     uint16 // elements of an array, 0 for no array
	SrcStride      uint16 // from one element of an array to the next
	DstStride      uint8  // 16; 24 for varyings that only feed a texture fetch
	Precision      Precision
	Invariant      uint32 // 1 if declared invariant; 16 bits in attributes
	Location       uint16 // offset in the table's memory, or in its struct
	Parent         uint16 // index of the struct it is a member of; attributes have none
	Plain          bool   // an attribute in the 20 bytes of other symbols, as in the seed document

	Index *Index    // of uniforms
	Init  []float32 // of constants that the compiler made
}

// Index is the VIDX chunk of a uniform: references whose meaning is not known
// for certain, -1 for none. In real files only IGRD of samplers has a value.
type Index struct{ ITDR, IYUV, IGRD int32 }

// TypeName returns the type in the shading language: "vec3", "mat4[2]".
func (s *Symbol) TypeName() string {
	name := s.Type.String()
	vector := map[Type]string{Float: "vec", Int: "ivec", Bool: "bvec", Matrix: "mat"}[s.Type]
	if n := s.ComponentCount; vector != "" && n >= 2 && n <= 4 {
		name = fmt.Sprint(vector, n)
	}
	if s.EntryCount > 0 {
		name += fmt.Sprintf("[%d]", s.EntryCount)
	}
	return name
}

// Table is a table of symbols.
type Table struct {
	Storage Storage
	Offset  int64  // of its chunk in the file
	Space   uint32 // of uniforms
	NoSpace bool   // uniforms without Space, as in the seed document
	Symbols []Symbol
}

// FBUse is the FBUU chunk: what a fragment shader reads and writes of the
// frame buffer. The last two bytes have no known meaning.
type FBUse struct {
	ReadsColor, WritesColor, ReadsDepth, WritesDepth, ReadsStencil, WritesStencil uint8
	Unknown                                                                       [2]uint8
}

// Shader is a vertex (CVER) or fragment shader (CFRA) with its chunks decoded.
type Shader struct {
	Vertex  bool
	Version Version
	Offset  int64 // of its chunk in the file

	// Vertex shaders (FINS).
	Unknown0, Instructions, AttributePrefetch uint32
	// Fragment shaders (FSTA, FDIS, FBUU).
	StackSize, StackOffset uint32
	Discards               uint32
	FrameBuffer            FBUse

	Uniforms, Attributes, Varyings *Table // nil where the file has none

	Code       []byte
	CodeOffset int64 // of Code in the file
	hasCode    bool
}

// File is a parsed file.
type File struct {
	Root    *Chunk
	Shaders []*Shader
	// Findings says what the parser noticed; Check does the rest.
	Findings tree.Findings
}

// Parse reads a file: the chunks, and from them the shaders. Errors wrap
// ErrFormat.
func Parse(data []byte) (*File, error) {
	root, findings, err := parseChunks(data)
	if err != nil {
		return nil, err
	}
	f := &File{Root: root, Findings: findings}
	for _, it := range root.Items {
		if it.Chunk != nil && (it.Chunk.Ident == "CVER" || it.Chunk.Ident == "CFRA") {
			f.Shaders = append(f.Shaders, f.shader(it.Chunk))
		} else if it.Chunk != nil && it.Chunk.Ident.known() {
			f.Findings.Problemf(it.Offset, "%s outside a shader", it.Chunk.Ident)
		}
	}
	if len(f.Shaders) == 0 {
		f.Findings.Problemf(0, "the file has no shader")
	}
	return f, nil
}

// Encode returns the file as its chunks are; a parsed file gives the same bytes.
func (f *File) Encode() []byte { return f.Root.appendTo(nil) }

func (f *File) shader(c *Chunk) *Shader {
	s := &Shader{Vertex: c.Ident == "CVER", Offset: c.Offset}
	read(c, vertexShader, s) // which a fragment shader begins like
	for _, it := range c.Items {
		if it.Chunk == nil {
			continue
		}
		switch k := it.Chunk; k.Ident {
		case "FINS":
			read(k, instructions, s)
		case "FSTA":
			read(k, stack, s)
		case "FDIS":
			read(k, discards, s)
		case "FBUU":
			if b := k.Fields(); len(b) >= frameBuffer.Size {
				frameBuffer.Read(b, &s.FrameBuffer)
			}
		case "SUNI":
			s.Uniforms = f.table(k, s.storage(k.Ident))
		case "SATT":
			s.Attributes = f.table(k, s.storage(k.Ident))
		case "SVAR":
			s.Varyings = f.table(k, s.storage(k.Ident))
		case "DBIN":
			s.Code, s.CodeOffset, s.hasCode = k.Fields(), k.Offset+8, true
		default:
			if k.Ident.known() {
				f.Findings.Problemf(k.Offset, "%s directly inside %s", k.Ident, c.Ident)
			}
		}
	}
	return s
}

func (s *Shader) storage(id Ident) Storage {
	switch {
	case id == "SATT":
		return Attribute
	case id == "SUNI" && s.Vertex:
		return GPUniform
	case id == "SUNI":
		return PPUniform
	case s.Vertex:
		return GPVarying
	}
	return PPVarying
}

func (f *File) table(c *Chunk, storage Storage) *Table {
	var head tableHead
	read(c, uniforms, &head) // which other tables begin like
	t := &Table{Storage: storage, Offset: c.Offset}
	if c.Ident == "SUNI" {
		t.Space, t.NoSpace = head.space, len(c.Fields()) == varyings.Size
	}
	want := "V" + c.Ident[1:]
	for _, it := range c.Items {
		if it.Chunk == nil {
			continue
		}
		if it.Chunk.Ident != want {
			if it.Chunk.Ident.known() {
				f.Findings.Problemf(it.Offset, "%s inside %s, expected %s", it.Chunk.Ident, c.Ident, want)
			}
			continue
		}
		t.Symbols = append(t.Symbols, f.symbol(it.Chunk))
	}
	if int64(head.count) != int64(len(t.Symbols)) {
		f.Findings.Problemf(c.fieldsOffset(), "%s says it has %d symbols, it has %d", c.Ident, head.count, len(t.Symbols))
	}
	return t
}

func (f *File) symbol(c *Chunk) Symbol {
	s := Symbol{Offset: c.Offset, Parent: NoParent}
	if str := c.find("STRI"); str != nil {
		raw := str.Fields()
		name, pad, ok := bytes.Cut(raw, []byte{0})
		s.Name = string(name)
		if !ok {
			f.Findings.Problemf(str.Offset, "name %q does not end in a zero byte", s.Name)
		} else if len(bytes.TrimRight(pad, "\x00")) > 0 || len(raw)%4 != 0 || len(pad) > 3 {
			f.Findings.Problemf(str.Offset, "name %q is not padded with zeros to a multiple of 4 bytes", s.Name)
		}
	}
	switch b := c.Fields(); {
	case len(b) >= symbol.Size:
		symbol.Read(b, &s)
		s.Plain = c.Ident == "VATT"
	case len(b) >= attribute.Size:
		attribute.Read(b, &s)
	}
	if x := c.find("VIDX"); x != nil {
		get := func(r tree.Record[int32]) (v int32) {
			k := x.find(Ident(r.Name))
			if k == nil {
				f.Findings.Problemf(x.Offset, "VIDX of %q has no %s", s.Name, r.Name)
				return -1
			}
			read(k, r, &v)
			return v
		}
		s.Index = &Index{get(itdr), get(iyuv), get(igrd)}
	}
	if v := c.find("VINI"); v != nil {
		b, le := v.Fields(), binary.LittleEndian
		var head tableHead
		read(v, values, &head)
		n := 0
		if len(b) >= 4 {
			n = int(min(uint64(head.count), uint64(len(b)/4-1)))
		}
		s.Init = make([]float32, n)
		for i := range s.Init {
			s.Init[i] = math.Float32frombits(le.Uint32(b[4+4*i:]))
		}
		if len(b) != 4+4*n || n > 0 && uint32(n) != head.count {
			f.Findings.Problemf(v.Offset, "VINI of %q says it has %d values in %d bytes", s.Name, head.count, len(b))
		}
	}
	return s
}
