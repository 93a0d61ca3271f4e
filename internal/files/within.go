package files

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// Outside is the error for a file that lies in none of the folders in which
// those that another file names may lie.
type Outside struct {
	path  string
	roots []string
}

func (e *Outside) Error() string {
	return fmt.Sprintf("%s lies outside of %s, where the files that are named may lie", e.path, strings.Join(e.roots, ", "))
}

// Within tells whether a file lies in one of the folders, or below, or is one
// of them, when all links are followed. It returns an *Outside if not.
func Within(path string, roots ...string) error {
	real := realPath(path)
	for _, root := range roots {
		if root == "" {
			root = "."
		}
		if rel, err := filepath.Rel(realPath(root), real); err == nil && filepath.IsLocal(rel) {
			return nil
		}
	}
	return &Outside{path, roots}
}

// realPath is an absolute path without links, as far as there are files.
func realPath(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	var rest string
	for dir := abs; ; {
		real, err := filepath.EvalSymlinks(dir)
		if err == nil {
			return filepath.Join(real, rest)
		}
		up := filepath.Dir(dir)
		if up == dir || !errors.Is(err, fs.ErrNotExist) {
			return abs
		}
		dir, rest = up, filepath.Join(filepath.Base(dir), rest)
	}
}
