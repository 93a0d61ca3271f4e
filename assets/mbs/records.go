package mbs

import "pica200/assets/tree"

// The fixed part of every chunk with all of its bytes, as it is read and written.
var (
	chunkHead = tree.NewRecord("chunk", func(h *[2]uint32, f *tree.Fields) {
		tree.Number(f, "ident", &h[0])
		tree.Number(f, "size", &h[1]) // of what follows these 8 bytes
	})
	vertexShader   = tree.NewRecord("CVER", func(s *Shader, f *tree.Fields) { tree.Number(f, "version", &s.Version) })
	fragmentShader = tree.NewRecord("CFRA", func(s *Shader, f *tree.Fields) { tree.Number(f, "version", &s.Version) })
	instructions   = tree.NewRecord("FINS", func(s *Shader, f *tree.Fields) {
		tree.Number(f, "unknown", &s.Unknown0)
		tree.Number(f, "instructions", &s.Instructions)
		tree.Number(f, "attribute prefetch", &s.AttributePrefetch) // 1 + the last instruction that reads an attribute
	})
	stack = tree.NewRecord("FSTA", func(s *Shader, f *tree.Fields) {
		tree.Number(f, "stack size", &s.StackSize)
		tree.Number(f, "stack offset", &s.StackOffset)
	})
	discards    = tree.NewRecord("FDIS", func(s *Shader, f *tree.Fields) { tree.Number(f, "discard", &s.Discards) })
	frameBuffer = tree.NewRecord("FBUU", func(u *FBUse, f *tree.Fields) {
		tree.Number(f, "reads color", &u.ReadsColor)
		tree.Number(f, "writes color", &u.WritesColor)
		tree.Number(f, "reads depth", &u.ReadsDepth)
		tree.Number(f, "writes depth", &u.WritesDepth)
		tree.Number(f, "reads stencil", &u.ReadsStencil)
		tree.Number(f, "writes stencil", &u.WritesStencil)
		tree.Number(f, "unknown 0", &u.Unknown[0])
		tree.Number(f, "unknown 1", &u.Unknown[1])
	})
	uniforms = tree.NewRecord("SUNI", func(t *tableHead, f *tree.Fields) {
		tree.Number(f, "count", &t.count)
		tree.Number(f, "space", &t.space) // floats; not in the seed
	})
	varyings   = countOf("SVAR")
	attributes = countOf("SATT")
	symbol     = tree.NewRecord("symbol", func(s *Symbol, f *tree.Fields) {
		s.begin(f)
		tree.Number(f, "invariant", &s.Invariant)
		tree.Number(f, "offset", &s.Place)
		tree.Number(f, "index", &s.Parent)
	})
	attribute = tree.NewRecord("attribute symbol", func(s *Symbol, f *tree.Fields) {
		s.begin(f)
		invariant := uint16(s.Invariant)
		tree.Number(f, "invariant", &invariant)
		if f.Reading() {
			s.Invariant = uint32(invariant)
		}
		tree.Number(f, "offset", &s.Place)
	})
	itdr, iyuv, igrd = referenceOf("ITDR"), referenceOf("IYUV"), referenceOf("IGRD")
	values           = countOf("VINI")
)

// Structures lists the fixed part of every chunk with all of its bytes; that of any
// chunk is its header.
func Structures() []tree.Structure {
	return []tree.Structure{chunkHead.Structure, vertexShader.Structure, fragmentShader.Structure, instructions.Structure, stack.Structure,
		discards.Structure, frameBuffer.Structure, uniforms.Structure, varyings.Structure, attributes.Structure, symbol.Structure,
		attribute.Structure, itdr.Structure, iyuv.Structure, igrd.Structure, values.Structure}
}

// tableHead is the fixed part of a table of symbols.
type tableHead struct{ count, space uint32 }

func countOf(id Ident) tree.Record[tableHead] {
	return tree.NewRecord(string(id), func(t *tableHead, f *tree.Fields) { tree.Number(f, "count", &t.count) })
}

func referenceOf(id Ident) tree.Record[int32] {
	return tree.NewRecord(string(id), func(v *int32, f *tree.Fields) { tree.Number(f, "reference", v) })
}

// begin names the fields that uniforms, varyings and attributes have.
func (s *Symbol) begin(f *tree.Fields) {
	tree.Number(f, "unknown", &s.Unknown0)
	tree.Number(f, "type", &s.Type)
	tree.Number(f, "component count", &s.ComponentCount)
	tree.Number(f, "component size", &s.ComponentSize)
	tree.Number(f, "entry count", &s.EntryCount)
	tree.Number(f, "source stride", &s.SrcStride)
	tree.Number(f, "destination stride", &s.DstStride)
	tree.Number(f, "precision", &s.Precision)
}

// read reads the fixed part of a chunk. Words that are missing are 0; the chunk reader has
// reported that.
func read[T any](c *Chunk, r tree.Record[T], v *T) {
	b := make([]byte, r.Size)
	fields := c.Fields()
	copy(b, fields[:len(fields)&^3])
	r.Read(b, v)
}

// leaf makes a chunk of its fixed part and of the chunks that are not nil. It has the record's name.
func leaf[T any](r tree.Record[T], v *T, chunks ...*Chunk) *Chunk {
	return node(Ident(r.Name), r.Append(nil, v), chunks...)
}
