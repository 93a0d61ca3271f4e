package inspect

import (
	"pica200/assets/bch"
	"pica200/assets/cgfx"
	"pica200/assets/tree"
)

// openBCH shows the header and the sections. The contents are shown as the CGFX
// structures from which they are drawn, which have no offsets in the file.
func openBCH(data []byte) (*tree.Node, func() tree.Findings, error) {
	f, err := bch.Parse(data)
	if err != nil {
		return nil, nil, err
	}
	header := []*tree.Node{tree.Field("magic", 0, 4, "BCH", ""), tree.Field("version", 4, 1, f.Version, "the oldest reader that it is for"),
		tree.Field("version", 5, 1, f.Forward, "of the format"), tree.Field("converter", 6, 2, int64(f.Converter), ""), tree.Fieldf("flags", tree.NoOffset, 0, nil, "0x%04x", f.Flags)}
	nodes := []*tree.Node{tree.Group("header", 0, int64(8+8*len(f.Sections)), "", header...)}
	for _, s := range f.Sections {
		nodes = append(nodes, tree.Fieldf(s.Name, int64(s.Offset), int64(s.Size), nil, "section of 0x%x bytes", s.Size))
	}
	nodes = append(nodes, &tree.Node{Name: "contents as CGFX", Offset: tree.NoOffset, Children: func(yield func(*tree.Node) bool) {
		r, _ := f.Resources()
		data, err := r.Relayout()
		if err != nil {
			yield(tree.Group("", tree.NoOffset, 0, err.Error()))
			return
		}
		g, err := cgfx.Parse(data)
		if err != nil {
			yield(tree.Group("", tree.NoOffset, 0, err.Error()))
			return
		}
		for _, n := range g.Tree() {
			if n.Name != "DATA" || n.Children == nil {
				continue
			}
			for c := range n.Children {
				if !yield(moved(c, -1)) {
					return
				}
			}
		}
	}})
	if len(f.Shaders) > 0 {
		nodes = append(nodes, shadersNode(data))
	}
	return tree.Group("", 0, 0, "BCH models", nodes...), func() tree.Findings {
		if len(f.Shaders) == 0 {
			return f.Check()
		}
		return append(f.Check(), checkShaders(data)...)
	}, nil
}
