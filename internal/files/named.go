package files

import (
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
)

// Named are the files that a file may name, by one rule for every format. A name is relative to the folder of the file that has
// it; backslashes are slashes. What lies in or below that folder or one of the roots, with all links followed, may be read, also
// by an absolute name. Nothing else may.
type Named struct {
	Dir   string   // the folder
	Roots []string // further folders (--root), or files
	FS    fs.FS    // if not nil, Dir is a folder of it, and Roots has no effect
}

// Outside is the error for a file that may not be read.
type Outside struct {
	name  string // as it was written
	named *Named
}

func (e *Outside) Error() string {
	name := e.name
	if len(name) > 200 {
		name = name[:200] + "…"
	}
	if e.named.FS != nil {
		return fmt.Sprintf("%s lies outside of the files that are given", name)
	}
	return fmt.Sprintf("%s lies outside of the folder %s; --root allows another", name, e.named.Dir)
}

// Path returns the path of a file, which may lie anywhere.
func (n *Named) Path(name string) string {
	name = strings.ReplaceAll(name, `\`, "/")
	switch {
	case n.FS != nil:
		return path.Join(n.Dir, name)
	case filepath.IsAbs(name) || hasDrive(name):
		return filepath.FromSlash(name)
	}
	return filepath.Join(n.Dir, filepath.FromSlash(name))
}

// hasDrive reports whether a name is absolute on Windows.
func hasDrive(name string) bool {
	return len(name) > 1 && name[1] == ':' && (name[0]|0x20 >= 'a' && name[0]|0x20 <= 'z')
}

// Within returns an *Outside for a file that may not be read.
func (n *Named) Within(name string) error {
	_, _, err := n.find(name)
	return err
}

// find returns the folder with a file that may be read, and the file's name in it.
func (n *Named) find(name string) (root, below string, err error) {
	at := n.Path(name)
	if n.FS != nil {
		if !fs.ValidPath(at) || strings.HasPrefix(name, "/") || hasDrive(name) {
			return "", "", &Outside{name, n}
		}
		return "", at, nil
	}
	if hasDrive(name) && !filepath.IsAbs(at) {
		return "", "", &Outside{name, n}
	}
	real := realPath(at)
	for i := -1; i < len(n.Roots); i++ {
		root := n.Dir
		if i >= 0 {
			root = n.Roots[i]
		}
		root = realPath(root)
		if below, err := filepath.Rel(root, real); err == nil && filepath.IsLocal(below) {
			if below == "." {
				root, below = filepath.Split(root)
			}
			return root, below, nil
		}
	}
	return "", "", &Outside{name, n}
}

// Read reads a regular file of at most limit bytes.
func (n *Named) Read(name string, limit int64) ([]byte, error) {
	root, below, err := n.find(name)
	if err != nil {
		return nil, err
	}
	if n.FS != nil {
		return readFS(n.FS, below, limit)
	}
	shown := n.Path(name)
	failed := func(err error) ([]byte, error) {
		return nil, &fs.PathError{Op: "open", Path: shown, Err: cause(err)}
	}
	dir, err := OpenRoot(root)
	if err != nil {
		return failed(err)
	}
	defer dir.Close()
	f, info, err := dir.open(below, 0)
	if err != nil {
		return failed(err)
	}
	defer f.Close()
	if err := opened(shown, info); err != nil {
		return nil, err
	}
	return contents(f, shown, info, limit)
}

func readFS(fsys fs.FS, name string, limit int64) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errNotRegular
	}
	var data []byte
	if err == nil {
		data, err = ReadAll(f, limit)
	}
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: name, Err: cause(err)}
	}
	return data, nil
}
