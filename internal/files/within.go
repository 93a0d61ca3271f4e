package files

import (
	"errors"
	"io/fs"
	"path/filepath"
)

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
		if to, _, err := Target(dir); err == nil && to != dir { // a link to nothing
			return realPath(filepath.Join(to, rest))
		}
		up := filepath.Dir(dir)
		if up == dir || !errors.Is(err, fs.ErrNotExist) {
			return abs
		}
		dir, rest = up, filepath.Join(filepath.Base(dir), rest)
	}
}
