package inspect

import (
	"fmt"

	"pica200/assets/mbs"
	"pica200/assets/tree"
	"pica200/internal/plural"
)

func openMBS(data []byte) (*tree.Node, func() tree.Findings, error) {
	f, err := mbs.Parse(data)
	if err != nil {
		return nil, nil, err
	}
	decoded := map[*mbs.Chunk]decoder{} // chunks that need more than their own bytes
	for _, s := range f.Shaders {
		mbsShader(f.Root, s, decoded)
	}
	root := chunkNode(f.Root, decoded)
	root.Text = "Mali shader binary, " + plural.Of(len(f.Shaders), "shader")
	return root, f.Check, nil
}

// decoder makes the nodes of a chunk's plain bytes on demand.
type decoder func() []*tree.Node

// chunkNode shows a chunk: its fields, then the chunks in it. Fields of known
// chunks are named; the bytes of others are shown as they are.
func chunkNode(c *mbs.Chunk, decoded map[*mbs.Chunk]decoder) *tree.Node {
	n := &tree.Node{Name: string(c.Ident), Offset: c.Offset, Size: 8 + int64(c.Size())}
	n.Children = func(yield func(*tree.Node) bool) {
		for _, it := range c.Items {
			if it.Chunk != nil {
				if !yield(chunkNode(it.Chunk, decoded)) {
					return
				}
				continue
			}
			for _, f := range chunkFields(c, it, decoded) {
				if !yield(f) {
					return
				}
			}
		}
	}
	return n
}

var chunkWords = map[mbs.Ident][]string{
	"CVER": {"version"}, "CFRA": {"version"}, "FINS": {"unknown", "instructions", "attribute prefetch"},
	"FSTA": {"stack size", "stack offset"}, "FDIS": {"discard"}, "SUNI": {"count", "space"},
	"SVAR": {"count"}, "SATT": {"count"}, "ITDR": {"index"}, "IYUV": {"index"}, "IGRD": {"index"},
}

var frameBufferBytes = [8]string{"reads color", "writes color", "reads depth", "writes depth", "reads stencil", "writes stencil", "unknown 0", "unknown 1"}

func chunkFields(c *mbs.Chunk, it mbs.Item, decoded map[*mbs.Chunk]decoder) []*tree.Node {
	if decode, ok := decoded[c]; ok && len(it.Data) > 0 && &it.Data[0] == &c.Fields()[0] { // not the bytes after the fields
		return decode()
	}
	f := fields{it.Data}
	names := chunkWords[c.Ident]
	if c.Ident == "SUNI" && len(it.Data) == 4 {
		names = names[:1] // without its space
	}
	if names != nil && len(it.Data) == 4*len(names) {
		var out []*tree.Node
		for i, name := range names {
			v := f.u32(4 * int64(i))
			text := fmt.Sprint(int32(v))
			if name == "version" {
				text = fmt.Sprintf("%d, %v", v, mbs.Version(v))
			}
			out = append(out, tree.Fieldf(name, it.Offset+4*int64(i), 4, v, "%s", text))
		}
		return out
	}
	if c.Ident == "FBUU" && len(it.Data) == 8 {
		var out []*tree.Node
		for i, name := range frameBufferBytes {
			out = append(out, tree.Fieldf(name, it.Offset+int64(i), 1, it.Data[i], "%d", it.Data[i]))
		}
		return out
	}
	return []*tree.Node{tree.Field("bytes", it.Offset, int64(len(it.Data)), nil, fmt.Sprintf("%d bytes", len(it.Data)))}
}

// mbsShader decodes the symbols and the code of a shader, by chunk.
func mbsShader(root *mbs.Chunk, s *mbs.Shader, decoded map[*mbs.Chunk]decoder) {
	symbols := map[int64]*mbs.Symbol{}
	for _, t := range []*mbs.Table{s.Uniforms, s.Attributes, s.Varyings} {
		if t != nil {
			for i := range t.Symbols {
				symbols[t.Symbols[i].Offset] = &t.Symbols[i]
			}
		}
	}
	var walk func(c *mbs.Chunk)
	walk = func(c *mbs.Chunk) {
		at := c.Offset + 8
		switch {
		case c.Ident == "STRI":
			b := c.Fields()
			end := 0
			for end < len(b) && b[end] != 0 {
				end++
			}
			decoded[c] = func() []*tree.Node {
				return []*tree.Node{tree.Field("string", at, int64(len(b)), string(b[:end]), "")}
			}
		case c.Ident == "DBIN" && at == s.CodeOffset:
			decoded[c] = func() []*tree.Node { return codeNodes(s) }
		case c.Ident == "VINI" && len(c.Fields()) >= 4:
			b := fields{c.Fields()}
			decoded[c] = func() []*tree.Node {
				n := int64(len(b.data)/4 - 1)
				return []*tree.Node{
					tree.Fieldf("count", at, 4, b.u32(0), "%d", b.u32(0)),
					tree.List("values", at+4, 4*n, "", int(n), func(i int) *tree.Node {
						return tree.Field(fmt.Sprint(i), at+4+4*int64(i), 4, f32(b.u32(4+4*int64(i))), "")
					}),
				}
			}
		}
		if sym := symbols[c.Offset]; sym != nil && c.Ident[0] == 'V' {
			decoded[c] = func() []*tree.Node { return symbolNodes(c, sym) }
		}
		for _, it := range c.Items {
			if it.Chunk != nil {
				walk(it.Chunk)
			}
		}
	}
	for _, it := range root.Items {
		if it.Chunk != nil && it.Chunk.Offset == s.Offset {
			walk(it.Chunk)
		}
	}
}

// symbolNodes shows the 20 (16 in attributes) bytes of a symbol.
func symbolNodes(c *mbs.Chunk, s *mbs.Symbol) []*tree.Node {
	at := int64(-1)
	size := 0
	for _, it := range c.Items {
		if it.Chunk == nil {
			at, size = it.Offset, len(it.Data)
			break
		}
	}
	number := func(name string, off, size int64, v uint32) *tree.Node {
		return tree.Fieldf(name, at+off, size, v, "%d", v)
	}
	if size < 16 {
		return []*tree.Node{tree.Field("bytes", at, int64(size), nil, fmt.Sprintf("%d bytes", size))}
	}
	out := []*tree.Node{
		number("unknown", 0, 1, uint32(s.Unknown0)),
		tree.Fieldf("type", at+1, 1, uint8(s.Type), "%s", s.TypeName()),
		number("component count", 2, 2, uint32(s.ComponentCount)),
		number("component size", 4, 2, uint32(s.ComponentSize)),
		number("entry count", 6, 2, uint32(s.EntryCount)),
		number("source stride", 8, 2, uint32(s.SrcStride)),
		number("destination stride", 10, 1, uint32(s.DstStride)),
		tree.Fieldf("precision", at+11, 1, uint8(s.Precision), "%v", s.Precision),
	}
	if c.Ident == "VATT" && !s.Plain {
		return append(out, number("invariant", 12, 2, s.Invariant), number("offset", 14, 2, uint32(s.Place)))
	}
	place := number("offset", 16, 2, uint32(s.Place))
	if s.Place == mbs.Unplaced {
		place.Text = "not used"
	}
	parent := number("parent", 18, 2, uint32(s.Parent))
	if s.Parent == mbs.NoParent {
		parent.Text = "none"
	}
	return append(out, number("invariant", 12, 4, s.Invariant), place, parent)
}

func codeNodes(s *mbs.Shader) []*tree.Node {
	n := &tree.Node{Name: "code", Offset: s.CodeOffset, Size: int64(len(s.Code))}
	n.Children = func(yield func(*tree.Node) bool) {
		for in := range s.Disassembly() {
			lines := func(yield func(*tree.Node) bool) {
				for _, line := range in.Lines {
					if !yield(&tree.Node{Name: line, Offset: tree.NoOffset}) {
						return
					}
				}
			}
			if !yield(&tree.Node{Name: fmt.Sprintf("%03d", in.Index), Offset: s.CodeOffset + int64(in.Offset), Size: int64(in.Size), Text: in.Raw, Children: lines}) {
				return
			}
		}
	}
	return []*tree.Node{n}
}
