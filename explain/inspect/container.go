package inspect

import (
	"bytes"
	"fmt"

	"pica200/assets/container"
	"pica200/assets/tree"
	"pica200/internal/files"
)

// maxShaders bounds the number of a container's shaders that are shown.
const maxShaders = 256

// shadersNode shows the shader binaries in a container, each as its own tree.
func shadersNode(data []byte) *tree.Node {
	return &tree.Node{Name: "shader binaries", Offset: tree.NoOffset, Children: func(yield func(*tree.Node) bool) {
		_, shaders, err := container.Extract(data)
		if err != nil {
			yield(&tree.Node{Name: "none", Offset: tree.NoOffset, Text: err.Error()})
			return
		}
		for i, s := range shaders {
			if i == maxShaders {
				yield(&tree.Node{Name: "more", Offset: tree.NoOffset, Text: fmt.Sprintf("%d in all", len(shaders))})
				return
			}
			if !yield(shaderNode(s)) {
				return
			}
		}
	}}
}

func shaderNode(s container.Shader) *tree.Node {
	open := openShbin
	if s.Object {
		open = openDVOJ
	}
	n, _, err := open(s.Data)
	if err != nil {
		return &tree.Node{Name: s.Where, Offset: tree.NoOffset, Text: err.Error()}
	}
	n.Name, n.Offset, n.Size = s.Where, 0, int64(len(s.Data))
	return n.Moved(int64(s.Offset))
}

func checkShaders(data []byte) (out tree.Findings) {
	_, shaders, err := container.Extract(data)
	if err != nil {
		out.Notef(tree.NoOffset, "%v", err)
		return out
	}
	for _, s := range shaders[:min(len(shaders), maxShaders)] {
		open := openShbin
		if s.Object {
			open = openDVOJ
		}
		_, check, err := open(s.Data)
		if err != nil {
			out.Problemf(int64(s.Offset), "%s: %v", s.Where, err)
			continue
		}
		for _, f := range check() {
			f.Message = s.Where + ": " + f.Message
			if f.Offset >= 0 && s.Offset >= 0 {
				f.Offset += int64(s.Offset)
			} else {
				f.Offset = tree.NoOffset
			}
			out = append(out, f)
		}
	}
	return out
}

// isCSDR looks for a shader binary in a text. It looks for the Base64 of the
// magic first, because most texts have none.
func isCSDR(data []byte) bool {
	if !files.IsText(data) || !bytes.Contains(data, []byte("RFZM")) && !bytes.Contains(data, []byte("RFZP")) {
		return false
	}
	format, _, err := container.Extract(data)
	return err == nil && format == container.FormatCSDR
}

func openCSDR(data []byte) (*tree.Node, func() tree.Findings, error) {
	if err := files.CheckText(data); err != nil {
		return nil, nil, fmt.Errorf("csdr: %w", err)
	}
	if _, _, err := container.Extract(data); err != nil {
		return nil, nil, fmt.Errorf("csdr: %w", err)
	}
	root := tree.Group("", 0, 0, "text with shader binaries in Base64", shadersNode(data))
	return root, func() tree.Findings { return checkShaders(data) }, nil
}
