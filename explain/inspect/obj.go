package inspect

import (
	"bytes"
	"fmt"
	"strconv"

	"pica200/assets/model"
	"pica200/assets/tree"
	"pica200/internal/files"
)

func openOBJ(data []byte) (*tree.Node, func() tree.Findings, error) {
	if err := files.CheckText(data); err != nil {
		return nil, nil, fmt.Errorf("obj: %w", err)
	}
	counts := map[string]int{}
	for l := range lines(data) {
		if w := model.OBJWord(l.text); model.OBJStatements[w] != "" {
			counts[w]++
		}
	}
	root := &tree.Node{Text: fmt.Sprintf("OBJ model, %d vertices, %d faces", counts["v"], counts["f"])}
	root.Children = func(yield func(*tree.Node) bool) {
		for l := range lines(data) {
			w := model.OBJWord(l.text)
			if w == "" {
				continue
			}
			rest := bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(l.text), []byte(w)))
			if !yield(tree.Field(w, l.at, int64(len(l.text)), cutText(rest), "")) {
				return
			}
		}
	}
	return root, func() tree.Findings { return checkOBJ(data) }, nil
}

// checkOBJ checks numbers, and that faces refer to vertices that are there.
// Indices count from 1, or back from the last when negative.
func checkOBJ(data []byte) (out tree.Findings) {
	var count [3]int // v, vt, vn
	for l := range lines(data) {
		if len(out) >= maxFindings {
			out.Notef(l.at, "and so on: no more than %d findings are listed", maxFindings)
			break
		}
		word := model.OBJWord(l.text)
		args := bytes.Fields(l.text)
		switch word {
		case "":
		case "v", "vt", "vn":
			count[map[string]int{"v": 0, "vt": 1, "vn": 2}[word]]++
			want := 3
			if word == "vt" {
				want = 1
			}
			if len(args)-1 < want {
				out.Problemf(l.at, "line %d: %s has %d numbers, want %d", l.number, word, len(args)-1, want)
			}
			for _, a := range args[1:] {
				if _, err := strconv.ParseFloat(string(a[:min(len(a), 64)]), 64); err != nil {
					out.Problemf(l.at, "line %d: %s is not a number", l.number, cutText(a))
					break
				}
			}
		case "f":
			if len(args) < 4 {
				out.Problemf(l.at, "line %d: a face of %d vertices", l.number, len(args)-1)
			}
			for _, a := range args[1:] {
				if bad := checkCorner(a, count); bad != "" {
					out.Problemf(l.at, "line %d: %s", l.number, bad)
					break
				}
			}
		default:
			if model.OBJStatements[word] == "" {
				out.Problemf(l.at, "line %d: unknown statement %s", l.number, cutText([]byte(word)))
			}
		}
	}
	return out
}

// checkCorner checks one corner of a face: v, v/vt, v//vn or v/vt/vn.
func checkCorner(corner []byte, count [3]int) string {
	for i := 0; ; i++ {
		index, rest, more := bytes.Cut(corner, []byte("/"))
		if i >= 3 {
			return cutText(corner) + " follows three indices"
		}
		if len(index) > 0 {
			n, err := strconv.Atoi(string(index[:min(len(index), 20)]))
			if err != nil {
				return cutText(index) + " is not an index"
			}
			if n < 0 {
				n += count[i] + 1
			}
			if n < 1 || n > count[i] {
				return fmt.Sprintf("index %s: there are %d", cutText(index), count[i])
			}
		} else if i != 1 {
			return "an index is missing"
		}
		if !more {
			return ""
		}
		corner = rest
	}
}
