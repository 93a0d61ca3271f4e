package model

import (
	"bytes"
	"strconv"

	"pica200/internal/files"
)

// OBJStatements lists the statements of the Wavefront OBJ format that programs write, with their meaning.
var OBJStatements = map[string]string{
	"v": "vertices", "vt": "texture coordinates", "vn": "normals", "vp": "parameter points",
	"f": "faces", "l": "lines", "p": "points", "o": "objects", "g": "groups", "s": "smoothing groups",
	"mtllib": "material libraries", "usemtl": "uses of materials",
}

// IsOBJ looks for statements: there must be a vertex, and among the first
// lines nothing but statements, comments and blanks.
func IsOBJ(data []byte) bool {
	if !files.IsText(data) {
		return false
	}
	vertices, looked := 0, 0
	for text := range bytes.Lines(data) {
		word := OBJWord(text)
		if word == "" {
			continue
		}
		if OBJStatements[word] == "" {
			return false
		}
		if word == "v" {
			vertices++
			args := bytes.Fields(text)
			if len(args) < 4 {
				return false
			}
			for _, a := range args[1:4] {
				if _, err := strconv.ParseFloat(string(a[:min(len(a), 64)]), 64); err != nil {
					return false
				}
			}
		}
		if looked++; looked >= 200 {
			break
		}
	}
	return vertices > 0
}

// OBJWord returns a line's statement, "" for comments and blank lines.
func OBJWord(text []byte) string {
	text = bytes.TrimSpace(text)
	if len(text) == 0 || text[0] == '#' {
		return ""
	}
	word, _, _ := bytes.Cut(text, []byte(" "))
	word, _, _ = bytes.Cut(word, []byte("\t"))
	return string(word[:min(len(word), 16)])
}
