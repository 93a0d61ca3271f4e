package files

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// Outside is the error for a file outside of the allowed folders.
type Outside struct {
	path  string
	roots []string
}

func (e *Outside) Error() string {
	return fmt.Sprintf("%s lies outside of %s, where the files that are named may lie", e.path, strings.Join(e.roots, ", "))
}

// Within checks that a file is one of the folders or in or below one, with all
// links followed. Otherwise it returns an *Outside.
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

// realPath returns an absolute path without links, as far as files exist.
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
