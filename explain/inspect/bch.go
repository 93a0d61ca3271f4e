package inspect

import (
	"pica200/assets/bch"
	"pica200/assets/tree"
)

// openBCH shows models, and the shader binaries in them.
func openBCH(data []byte) (*tree.Node, func() tree.Findings, error) {
	f, err := bch.Parse(data)
	if err != nil {
		return nil, nil, err
	}
	nodes := f.Tree()
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
