package mbs

import (
	"fmt"

	"pica200/assets/tree"
)

// The fixed part of every chunk with all of its bytes, as it is read, written and shown.
var (
	chunkHead = tree.NewRecord("chunk", func(h *[2]uint32, f *tree.Fields) {
		tree.Number(f, "ident", &h[0])
		tree.Number(f, "size", &h[1]) // of what follows these 8 bytes
	})
	vertexShader   = tree.NewRecord("CVER", func(s *Shader, f *tree.Fields) { tree.Number(f, "version", &s.Version, "%d, %v", s.Version) })
	fragmentShader = tree.NewRecord("CFRA", func(s *Shader, f *tree.Fields) { tree.Number(f, "version", &s.Version, "%d, %v", s.Version) })
	instructions   = tree.NewRecord("FINS", func(s *Shader, f *tree.Fields) {
		tree.Number(f, "unknown", &s.Unknown0, "%d")
		tree.Number(f, "instructions", &s.Instructions, "%d")
		tree.Number(f, "attribute prefetch", &s.AttributePrefetch, "%d") // 1 + the last instruction that reads an attribute
	})
	stack = tree.NewRecord("FSTA", func(s *Shader, f *tree.Fields) {
		tree.Number(f, "stack size", &s.StackSize, "%d")
		tree.Number(f, "stack offset", &s.StackOffset, "%d")
	})
	discards    = tree.NewRecord("FDIS", func(s *Shader, f *tree.Fields) { tree.Number(f, "discard", &s.Discards, "%d") })
	frameBuffer = tree.NewRecord("FBUU", func(u *FBUse, f *tree.Fields) {
		for i, name := range [...]string{"reads color", "writes color", "reads depth", "writes depth", "reads stencil", "writes stencil", "unknown 0", "unknown 1"} {
			p := [...]*uint8{&u.ReadsColor, &u.WritesColor, &u.ReadsDepth, &u.WritesDepth, &u.ReadsStencil, &u.WritesStencil, &u.Unknown[0], &u.Unknown[1]}[i]
			tree.Number(f, name, p, "%d")
		}
	})
	uniforms = tree.NewRecord("SUNI", func(t *tableHead, f *tree.Fields) {
		tree.Number(f, "count", &t.count, "%d")
		tree.Number(f, "space", &t.space, "%d") // floats; not in the seed
	})
	varyings   = countOf("SVAR")
	attributes = countOf("SATT")
	symbol     = tree.NewRecord("symbol", func(s *Symbol, f *tree.Fields) {
		s.begin(f)
		tree.Number(f, "invariant", &s.Invariant, "%d")
		numberOr(f, "offset", &s.Location, Unplaced, "not used")
		numberOr(f, "parent", &s.Parent, NoParent, "none")
	})
	attribute = tree.NewRecord("attribute symbol", func(s *Symbol, f *tree.Fields) {
		s.begin(f)
		invariant := uint16(s.Invariant)
		tree.Number(f, "invariant", &invariant, "%d")
		if f.Reading() {
			s.Invariant = uint32(invariant)
		}
		tree.Number(f, "offset", &s.Location, "%d")
	})
	itdr, iyuv, igrd = referenceOf("ITDR"), referenceOf("IYUV"), referenceOf("IGRD")
	values           = countOf("VINI")
)

// kind says how the contents of a chunk are divided: chunks that come first,
// then fixed bytes, then more chunks or nothing. plain is the fixed bytes in the
// layout of the seed document, where that is another than in real files: what
// follows tells which it is.
type kind struct {
	lead         int
	fixed, plain record // nil if there are none
	children     bool
}

// record is the fixed bytes of a chunk, whatever they are kept in.
type record interface {
	Bytes() int
	Show(at int64, b []byte) []*tree.Node
}

// kinds are the documented chunks.
var kinds = map[Ident]kind{
	Magic: {children: true}, "CVER": {fixed: vertexShader, children: true}, "CFRA": {fixed: fragmentShader, children: true},
	"FINS": {fixed: instructions}, "FSTA": {fixed: stack}, "FDIS": {fixed: discards}, "FBUU": {fixed: frameBuffer},
	"SUNI": {fixed: uniforms, plain: varyings, children: true}, "SVAR": {fixed: varyings, children: true}, "SATT": {fixed: attributes, children: true},
	"VUNI": {lead: 1, fixed: symbol, children: true}, "VVAR": {lead: 1, fixed: symbol, children: true}, "VATT": {lead: 1, fixed: attribute, plain: symbol, children: true},
	"VIDX": {children: true}, "ITDR": {fixed: itdr}, "IYUV": {fixed: iyuv}, "IGRD": {fixed: igrd},
	"STRI": {}, "VINI": {}, "DBIN": {},
}

// known reports whether the chunk is one of the format's documented ones.
func (id Ident) known() bool {
	_, ok := kinds[id]
	return ok
}

// sizeOf returns the number of bytes of a record, 0 without one.
func sizeOf(r record) int {
	if r == nil {
		return 0
	}
	return r.Bytes()
}

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
	return tree.NewRecord(string(id), func(t *tableHead, f *tree.Fields) { tree.Number(f, "count", &t.count, "%d") })
}

func referenceOf(id Ident) tree.Record[int32] {
	return tree.NewRecord(string(id), func(v *int32, f *tree.Fields) { tree.Number(f, "index", v, "%d") })
}

// begin names the fields that uniforms, varyings and attributes have.
func (s *Symbol) begin(f *tree.Fields) {
	tree.Number(f, "unknown", &s.Unknown0, "%d")
	tree.Number(f, "type", &s.Type, "%[2]s", s.TypeName())
	tree.Number(f, "component count", &s.ComponentCount, "%d")
	tree.Number(f, "component size", &s.ComponentSize, "%d")
	tree.Number(f, "entry count", &s.EntryCount, "%d")
	tree.Number(f, "source stride", &s.SrcStride, "%d")
	tree.Number(f, "destination stride", &s.DstStride, "%d")
	tree.Number(f, "precision", &s.Precision)
}

// numberOr is a number that is shown as a word if it has a certain value.
func numberOr(f *tree.Fields, name string, p *uint16, none uint16, word string) {
	text := fmt.Sprint(*p)
	if *p == none {
		text = word
	}
	tree.Number(f, name, p, "%[2]s", text)
}

// read reads the fixed part of a chunk. Words that are missing are 0; the chunk reader has
// reported that.
func read[T any](c *Chunk, r tree.Record[T], v *T) {
	b := make([]byte, r.Size)
	fields := c.Fields()
	copy(b, fields[:len(fields)&^3])
	r.Read(b, v)
}
