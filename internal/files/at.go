package files

import (
	"errors"
	"io/fs"
	"os"
)

// At reads parts of a regular file. The file is open only during a read, and each
// read fails once the file is another one, or was written to.
type At struct {
	path string
	info fs.FileInfo
}

var errChanged = errors.New("the file has changed since it was opened")

// OpenAt finds the regular file that the user names.
func OpenAt(path string) (*At, error) {
	f, info, err := Open(path)
	if err != nil {
		return nil, err
	}
	return &At{path, info}, f.Close()
}

// Size is the size of the file in bytes.
func (a *At) Size() int64 { return a.info.Size() }

// ReadAt implements io.ReaderAt.
func (a *At) ReadAt(p []byte, off int64) (int, error) {
	f, info, err := Open(a.path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if !os.SameFile(info, a.info) || info.Size() != a.info.Size() || !info.ModTime().Equal(a.info.ModTime()) {
		return 0, &fs.PathError{Op: "read", Path: a.path, Err: errChanged}
	}
	return f.ReadAt(p, off)
}
