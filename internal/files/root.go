package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A Root is a folder with the files in it and below: no name and no link leads out. It is for folders that hold names of others:
// suites, reports, exports. Names have slashes. The functions of the package that take a path follow links anywhere.
type Root struct {
	at  fileSystem
	dir string // as it was named; "" for paths anywhere
}

// fileSystem is what a Root needs of the file system; *os.Root has it.
type fileSystem interface {
	Lstat(name string) (fs.FileInfo, error)
	Stat(name string) (fs.FileInfo, error)
	Readlink(name string) (string, error)
	OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error)
	Rename(from, to string) error
	Remove(name string) error
	MkdirAll(name string, perm fs.FileMode) error
}

type system struct{}

func (system) Lstat(name string) (fs.FileInfo, error) { return os.Lstat(name) }
func (system) Stat(name string) (fs.FileInfo, error)  { return os.Stat(name) }
func (system) Readlink(name string) (string, error)   { return os.Readlink(name) }
func (system) OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error) {
	return os.OpenFile(name, flag, perm)
}
func (system) Rename(from, to string) error                 { return os.Rename(from, to) }
func (system) Remove(name string) error                     { return os.Remove(name) }
func (system) MkdirAll(name string, perm fs.FileMode) error { return os.MkdirAll(name, perm) }

var anywhere = &Root{at: system{}}

// OpenRoot opens an existing folder. The caller closes it.
func OpenRoot(dir string) (*Root, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &Root{root, dir}, nil
}

// MakeRoot is OpenRoot for a folder that may have to be made.
func MakeRoot(dir string) (*Root, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	return OpenRoot(dir)
}

// Close closes the folder.
func (r *Root) Close() error {
	if c, ok := r.at.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// path returns the path of a file of the folder.
func (r *Root) path(name string) string {
	if r.dir == "" {
		return name
	}
	return filepath.Join(r.dir, filepath.FromSlash(name))
}

// Below returns the name in the folder of a path below it.
func (r *Root) Below(path string) (name string, ok bool) {
	name, err := filepath.Rel(r.dir, path)
	return name, err == nil && filepath.IsLocal(name) && name != "."
}

// failed gives an error of the file system the whole path, and says what is wrong with a name that leads out.
func (r *Root) failed(name string, err error) error {
	if err == nil {
		return nil
	}
	if err = cause(err); strings.HasSuffix(err.Error(), "path escapes from parent") {
		return r.leadsOut(name)
	}
	return &fs.PathError{Op: "open", Path: r.path(name), Err: err}
}

func (r *Root) leadsOut(name string) error {
	return &fs.PathError{Op: "open", Path: r.path(name), Err: fmt.Errorf("it leads out of the folder %s", r.dir)}
}

// ReadRegular reads a regular file of at most limit bytes, as ReadRegular does.
func (r *Root) ReadRegular(name string, limit int64) ([]byte, error) { return r.read(name, limit, 0) }

// ReadToReplace reads a file as ReadToReplace does.
func (r *Root) ReadToReplace(name string, limit int64) ([]byte, error) {
	return r.read(name, limit, unregistered)
}

// Write writes a file as Write does; folders below that are missing are made.
func (r *Root) Write(name string, write func(io.Writer) error) error {
	if dir := filepath.Dir(name); dir != "." {
		if err := r.at.MkdirAll(dir, 0o777); err != nil {
			return r.failed(name, err)
		}
	}
	return r.write(name, false, write)
}

// Remove removes a file, or a link itself.
func (r *Root) Remove(name string) error { return r.failed(name, r.at.Remove(name)) }

// Lstat returns what a name is, without following a link.
func (r *Root) Lstat(name string) (fs.FileInfo, error) {
	info, err := r.at.Lstat(name)
	return info, r.failed(name, err)
}

// maxLinks is the greatest number of links that are followed, as on Linux.
const maxLinks = 40

// Target returns the path at the end of the links at path, and its file
// information, nil if it does not exist.
func Target(path string) (string, fs.FileInfo, error) { return anywhere.target(path) }

func (r *Root) target(name string) (string, fs.FileInfo, error) {
	for range maxLinks {
		info, err := r.at.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) {
			return name, nil, nil
		}
		if err != nil {
			return "", nil, r.failed(name, err)
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			return name, info, nil
		}
		to, err := r.at.Readlink(name)
		if err != nil {
			return "", nil, err
		}
		if !filepath.IsAbs(to) {
			// filepath.Join would remove "link/..".
			dir, err := filepath.EvalSymlinks(filepath.Dir(r.path(name)))
			if err != nil {
				return "", nil, err
			}
			to = filepath.Join(dir, to)
		}
		if r.dir != "" {
			abs, err := filepath.Abs(to)
			if err != nil {
				return "", nil, err
			}
			rel, err := filepath.Rel(realPath(r.dir), abs)
			if err != nil || !filepath.IsLocal(rel) {
				return "", nil, r.leadsOut(name)
			}
			to = rel
		}
		name = to
	}
	return "", nil, errors.New("too many links")
}
