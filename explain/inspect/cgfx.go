package inspect

import (
	"fmt"
	"slices"

	"pica200/assets/cgfx"
	"pica200/assets/tree"
)

// openCGFX shows resources as assets/cgfx reads them, and the shader binaries in them.
func openCGFX(data []byte) (*tree.Node, func() tree.Findings, error) {
	f, err := cgfx.Parse(data)
	if err != nil {
		return nil, nil, err
	}
	nodes := append(f.Tree(), shadersNode(data))
	root := tree.Group("", 0, 0, "CGFX resources", nodes...)
	return root, func() tree.Findings {
		out := append(f.Check(), cgfx.CheckWritten(data, f.Encode)...)
		if len(f.Shaders.Entries) > 0 {
			out = append(out, checkShaders(data)...)
		}
		return out
	}, nil
}

// openCBMD shows a banner and its models.
func openCBMD(data []byte) (*tree.Node, func() tree.Findings, error) {
	b, err := cgfx.ParseBanner(data)
	if err != nil {
		return nil, nil, err
	}
	nodes := b.Tree(func(model []byte) *tree.Node {
		n, _, err := openCGFX(model)
		if err != nil {
			n = tree.Group("", 0, 0, err.Error())
		}
		return n
	})
	return tree.Group("", 0, 0, "CBMD banner", nodes...), func() tree.Findings {
		out := append(slices.Clone(b.Findings), cgfx.CheckWritten(data, b.Encode)...)
		for i, p := range b.Models {
			if p == nil {
				continue
			}
			if len(p.Data) > cgfx.BannerLimit {
				out.Problemf(int64(p.Offset), "%s: 0x%x bytes unpacked; the HOME Menu takes 0x%x", cgfx.Regions[i], len(p.Data), cgfx.BannerLimit)
			}
			_, check, err := openCGFX(p.Data)
			if err != nil {
				out.Problemf(int64(p.Offset), "%s: %v", cgfx.Regions[i], err)
				continue
			}
			for _, x := range check() {
				x.Message = fmt.Sprintf("%s, unpacked, 0x%x: %s", cgfx.Regions[i], max(x.Offset, 0), x.Message)
				x.Offset = int64(p.Offset)
				out = append(out, x)
			}
		}
		return out
	}, nil
}
