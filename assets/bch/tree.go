package bch

import (
	"pica200/assets/cgfx"
	"pica200/assets/tree"
)

// Tree shows the header and the sections. The contents are shown as the CGFX
// structures from which they are drawn, which have no offsets in the file.
func (f *File) Tree() []*tree.Node {
	head := append(header.Nodes(0, f), tree.Fieldf("flags", tree.NoOffset, 0, nil, "0x%04x", f.Flags))
	head[3].Value = int64(f.Converter) // a number that people know in decimal
	nodes := []*tree.Node{tree.Group("header", 0, int64(header.Size+8*len(f.Sections)), "", head...)}
	for _, s := range f.Sections {
		nodes = append(nodes, tree.Fieldf(s.Name, int64(s.Offset), int64(s.Size), nil, "section of 0x%x bytes", s.Size))
	}
	return append(nodes, &tree.Node{Name: "contents as CGFX", Offset: tree.NoOffset, Children: func(yield func(*tree.Node) bool) {
		contents, err := f.contents()
		if err != nil {
			yield(tree.Group("", tree.NoOffset, 0, err.Error()))
			return
		}
		for c := range contents.Children {
			if !yield(c.Moved(-1)) {
				return
			}
		}
	}})
}

// contents shows the section DATA of the CGFX file that the file becomes.
func (f *File) contents() (*tree.Node, error) {
	r, _ := f.Resources()
	data, err := r.Relayout()
	if err != nil {
		return nil, err
	}
	g, err := cgfx.Parse(data)
	if err != nil {
		return nil, err
	}
	return tree.Find(tree.Group("", 0, 0, "", g.Tree()...), "DATA")
}
