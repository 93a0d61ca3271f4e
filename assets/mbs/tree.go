package mbs

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"

	"pica200/assets/tree"
	"pica200/internal/plural"
)

// Tree shows the file: each chunk with its fields, then the chunks in it.
func (f *File) Tree() *tree.Node {
	n := f.Root.node()
	n.Text = "Mali shader binary, " + plural.Of(len(f.Shaders), "shader")
	return n
}

func (c *Chunk) node() *tree.Node {
	n := &tree.Node{Name: string(c.Ident), Offset: c.Offset, Size: 8 + int64(c.Size())}
	n.Children = func(yield func(*tree.Node) bool) {
		for _, it := range c.Items {
			nodes := []*tree.Node{}
			if it.Chunk != nil {
				nodes = append(nodes, it.Chunk.node())
			} else {
				nodes = c.show(it)
			}
			for _, n := range nodes {
				if !yield(n) {
					return
				}
			}
		}
	}
	return n
}

// show shows plain bytes of the chunk.
func (c *Chunk) show(it Item) []*tree.Node {
	at, b := it.Offset, it.Data
	if &b[0] == &c.Fields()[0] { // not the bytes after the fields
		k := kinds[c.Ident]
		for _, r := range []record{k.fixed, k.plain} {
			if sizeOf(r) == len(b) {
				return r.Show(at, b)
			}
		}
		switch {
		case c.Ident == "STRI":
			name, _, _ := bytes.Cut(b, []byte{0})
			return []*tree.Node{tree.Field("string", at, int64(len(b)), string(name), "")}
		case c.Ident == "VINI" && len(b) >= values.Size:
			n := len(b)/4 - 1
			return append(values.Show(at, b), tree.List("values", at+4, 4*int64(n), "", n, func(i int) *tree.Node {
				return tree.Field(fmt.Sprint(i), at+4+4*int64(i), 4, math.Float32frombits(binary.LittleEndian.Uint32(b[4+4*i:])), "")
			}))
		}
	}
	return []*tree.Node{tree.Field("bytes", at, int64(len(b)), nil, fmt.Sprintf("%d bytes", len(b)))}
}
