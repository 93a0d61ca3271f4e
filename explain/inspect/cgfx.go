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
		out := append(f.Check(), checkWritten(data, f.Encode)...)
		if len(f.Shaders.Entries) > 0 {
			out = append(out, checkShaders(data)...)
		}
		return out
	}, nil
}

// checkWritten reports bytes that differ when the parsed file is written again.
func checkWritten(data []byte, encode func() ([]byte, error)) (out tree.Findings) {
	back, err := encode()
	if err != nil {
		out.Problemf(tree.NoOffset, "it cannot be written back: %v", err)
		return out
	}
	if len(back) != len(data) {
		out.Problemf(tree.NoOffset, "written back it has 0x%x bytes, it had 0x%x", len(back), len(data))
		return out
	}
	for i := 0; i < len(data); i++ {
		if back[i] == data[i] {
			continue
		}
		end := i + 1
		for end < len(data) && back[end] != data[end] {
			end++
		}
		if len(out) == maxDifferences {
			out.Problemf(int64(i), "written back more bytes differ from here on")
			return out
		}
		out.Problemf(int64(i), "written back %d bytes differ", end-i)
		i = end
	}
	return out
}

// maxDifferences bounds the ranges of bytes that checkWritten reports.
const maxDifferences = 16

// openCBMD shows a banner. Offsets in unpacked data do not exist in the file,
// so they are left out.
func openCBMD(data []byte) (*tree.Node, func() tree.Findings, error) {
	b, err := cgfx.ParseBanner(data)
	if err != nil {
		return nil, nil, err
	}
	f := fields{data}
	header := []*tree.Node{tree.Field("magic", 0, 4, cgfx.MagicCBMD, ""), f.word("zero", 4, "")}
	for i, name := range cgfx.Regions {
		header = append(header, f.word(name, int64(8+4*i), ""))
	}
	header = append(header, f.word("sound", 0x84, ""))
	nodes := []*tree.Node{tree.Group("header", 0, 0x88, "", header...)}
	for i, p := range b.Models {
		if p == nil {
			continue
		}
		text := fmt.Sprintf("LZ11, 0x%x bytes unpacked", len(p.Data))
		nodes = append(nodes, &tree.Node{Name: cgfx.Regions[i], Offset: int64(p.Offset), Size: int64(p.Size), Text: text, Children: func(yield func(*tree.Node) bool) {
			n, _, err := openCGFX(p.Data)
			if err != nil {
				n = tree.Group("", 0, 0, err.Error())
			}
			for c := range n.Children {
				if !yield(moved(c, -1)) {
					return
				}
			}
		}})
	}
	if b.Sound != nil {
		nodes = append(nodes, tree.Fieldf("sound", int64(b.SoundAt), int64(len(b.Sound)), nil, "%d bytes", len(b.Sound)))
	}
	return tree.Group("", 0, 0, "CBMD banner", nodes...), func() tree.Findings {
		out := append(slices.Clone(b.Findings), checkWritten(data, b.Encode)...)
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
