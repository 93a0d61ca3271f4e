// Package files reads files of unknown origin safely and writes files
// completely or not at all. Reading never exceeds a limit and, if the name
// comes from another file, accepts only regular files: a scene that names a
// device or a pipe as a texture must not make the program read forever, or
// wait. Write replaces a file, a Folder a set of files together; neither
// replaces what was read (Run).
package files

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

const (
	// Max bounds the size of a file that a user names, in bytes.
	Max = 1 << 30
	// MaxStream bounds what is read from a pipe or a device, whose size is not
	// known in advance.
	MaxStream = 256 << 20
)

// Read reads a file that the user names, which may be a pipe or a device, of at
// most limit bytes. Errors are of type *fs.PathError.
func Read(path string, limit int64) ([]byte, error) {
	return anywhere.read(path, limit, streams)
}

// ReadRegular reads a file that another file names: a regular file of at most
// limit bytes. Errors are of type *fs.PathError.
func ReadRegular(path string, limit int64) ([]byte, error) {
	return anywhere.ReadRegular(path, limit)
}

// ReadToReplace is ReadRegular for a file that the caller may replace by Write: an approved picture, an earlier report, settings. It
// does not become an input (Run).
func ReadToReplace(path string, limit int64) ([]byte, error) {
	return anywhere.ReadToReplace(path, limit)
}

// Open opens a regular file that the user names, for reading at any position.
func Open(path string) (*os.File, fs.FileInfo, error) {
	f, info, err := anywhere.open(path, 0)
	if err == nil {
		if err = opened(path, info); err != nil {
			f.Close()
		}
	}
	return f, info, err
}

// Head returns at most the first n bytes of a regular file, which tell what it is. That does not make it an input (Run).
func Head(path string, n int64) ([]byte, error) {
	f, _, err := anywhere.open(path, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, n))
}

// Glob returns the files of a folder, in order of name, whose names below it match a pattern as of path.Match. The folder's own
// name is no pattern.
func Glob(dir, pattern string) (list []string, err error) {
	if _, err := os.ReadDir(dir); err != nil { // fs.Glob is silent about that
		return nil, err
	}
	names, err := fs.Glob(os.DirFS(dir), pattern)
	for _, name := range names {
		list = append(list, filepath.Join(dir, filepath.FromSlash(name)))
	}
	return list, err
}

// how a file is read.
type how uint8

const (
	streams      how = 1 << iota // a pipe or a device too
	unregistered                 // not as an input
)

func (r *Root) read(name string, limit int64, h how) ([]byte, error) {
	f, info, err := r.open(name, h)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if h&unregistered == 0 {
		if err := opened(r.path(name), info); err != nil {
			return nil, err
		}
	}
	return contents(f, r.path(name), info, limit)
}

// open opens a file for reading. A folder is opened too, and cannot be read.
func (r *Root) open(name string, h how) (*os.File, fs.FileInfo, error) {
	// Opening a pipe would wait for a writer, so check first.
	info, err := r.at.Stat(name)
	if err != nil {
		return nil, nil, r.failed(name, err)
	}
	check := func() error {
		if h&streams == 0 && !info.Mode().IsRegular() && !info.IsDir() {
			return &fs.PathError{Op: "read", Path: r.path(name), Err: errNotRegular}
		}
		return nil
	}
	if err := check(); err != nil {
		return nil, nil, err
	}
	f, err := r.at.OpenFile(name, os.O_RDONLY, 0)
	if err != nil {
		return nil, nil, r.failed(name, err)
	}
	// Check what is open now; another program may have replaced the file.
	if info, err = f.Stat(); err == nil {
		err = check()
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// contents reads an open file; name is its name in errors.
func contents(f *os.File, name string, info fs.FileInfo, limit int64) (data []byte, err error) {
	if !info.Mode().IsRegular() {
		data, err = ReadAll(f, min(limit, MaxStream))
	} else if info.Size() > limit {
		err = fmt.Errorf("the file has %d bytes, at most %d are read", info.Size(), limit)
	} else {
		data = make([]byte, info.Size())
		var n int
		n, err = io.ReadFull(f, data)
		if data = data[:n]; err == io.ErrUnexpectedEOF || err == io.EOF {
			err = nil
		}
	}
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: name, Err: cause(err)}
	}
	return data, nil
}

// streamPart is what ReadAll reads at a time. Nothing is copied while it reads.
const streamPart = 1 << 20

// ReadAll reads a stream to its end, of at most limit bytes.
func ReadAll(r io.Reader, limit int64) ([]byte, error) {
	var parts [][]byte
	for left := limit + 1; left > 0; {
		part := make([]byte, min(left, streamPart))
		n, err := io.ReadFull(r, part)
		parts, left = append(parts, part[:n]), left-int64(n)
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			data := make([]byte, 0, limit+1-left)
			for _, part := range parts {
				data = append(data, part...)
			}
			return data, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("there are more than the %d bytes that are read", limit)
}
