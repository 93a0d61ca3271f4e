package inspect

import (
	"bytes"
	"errors"
	"fmt"

	"pica200/assets/tree"
	"pica200/internal/files"
	"pica200/internal/yamldoc"
	"pica200/scene"
)

// maxScene bounds the size of scenes that are checked, because a YAML parser
// takes much memory for each byte.
const maxScene = 64 << 10

func openScene(data []byte) (*tree.Node, func() tree.Findings, error) {
	if err := files.CheckText(data); err != nil {
		return nil, nil, fmt.Errorf("scene: %w", err)
	}
	all := make([]line, 0, bytes.Count(data, []byte("\n"))+1)
	for l := range lines(data) {
		if t := bytes.TrimSpace(l.text); len(t) > 0 && t[0] != '#' {
			all = append(all, l)
		}
		if len(all) > 1<<17 {
			return nil, nil, fmt.Errorf("scene: more than %d lines", 1<<17)
		}
	}
	root := &tree.Node{Text: "scene", Children: yamlNodes(all, 0)}
	return root, func() tree.Findings { return checkScene(data) }, nil
}

// yamlNodes shows the lines of a block as a tree by indentation. It does not
// interpret YAML further; the checker does.
func yamlNodes(all []line, depth int) func(func(*tree.Node) bool) {
	return func(yield func(*tree.Node) bool) {
		for i := 0; i < len(all); {
			in := indentOf(all[i].text)
			end := i + 1
			for end < len(all) && indentOf(all[end].text) > in {
				end++
			}
			if !yield(yamlNode(all[i], all[i+1:end], depth)) {
				return
			}
			i = end
		}
	}
}

// indentOf counts the spaces before a line's text.
func indentOf(text []byte) int {
	return len(text) - len(bytes.TrimLeft(text, " "))
}

// maxYAMLDepth bounds how often the same lines are looked at.
const maxYAMLDepth = 32

func yamlNode(l line, below []line, depth int) *tree.Node {
	in := indentOf(l.text)
	n := &tree.Node{Offset: l.at + int64(in), Size: int64(len(l.text) - in)}
	key, value, ok := bytes.Cut(l.text[in:], []byte(": "))
	switch {
	case ok:
		n.Name = cutText(key)
		n.Value = cutText(bytes.TrimSpace(value))
		n.Text = n.Value.(string)
	case bytes.HasSuffix(l.text, []byte(":")):
		n.Name = cutText(l.text[in : len(l.text)-1])
	default:
		n.Name = cutText(l.text[in:])
	}
	if len(below) > 0 && depth < maxYAMLDepth {
		last := below[len(below)-1]
		n.Size = last.at + int64(len(last.text)) - n.Offset
		n.Children = yamlNodes(below, depth+1)
	}
	return n
}

func checkScene(data []byte) (out tree.Findings) {
	if len(data) > maxScene {
		out.Problemf(tree.NoOffset, "the scene has %d bytes; only those up to %d are checked", len(data), maxScene)
		return out
	}
	_, err := scene.Parse("scene", data)
	var all yamldoc.Errors
	if errors.As(err, &all) {
		var starts []int64
		for l := range lines(data) {
			starts = append(starts, l.at)
		}
		for _, e := range all[:min(len(all), maxFindings)] {
			at := int64(tree.NoOffset)
			if e.Line >= 1 && e.Line <= len(starts) {
				at = starts[e.Line-1]
			}
			out.Problemf(at, "line %d, column %d: %s", e.Line, e.Column, e.Msg)
		}
	} else if err != nil {
		out.Problemf(tree.NoOffset, "%v", err)
	}
	return out
}
