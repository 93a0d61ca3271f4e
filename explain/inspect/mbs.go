package inspect

import (
	"pica200/assets/mbs"
	"pica200/assets/tree"
)

func openMBS(data []byte) (*tree.Node, func() tree.Findings, error) {
	f, err := mbs.Parse(data)
	if err != nil {
		return nil, nil, err
	}
	return f.Tree(), f.Check, nil
}
