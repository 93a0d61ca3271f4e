// Package files reads files of unknown origin safely and writes files
// completely or not at all. Reading never exceeds a limit and, if the name
// comes from another file, accepts only regular files: a scene that names a
// device or a pipe as a texture must not make the program read forever, or
// wait. Write replaces a file; a Folder replaces a set of files together.
package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
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
func Read(path string, limit int64) ([]byte, error) { return read(path, limit, true) }

// ReadRegular reads a file that another file names: a regular file of at most
// limit bytes. Errors are of type *fs.PathError.
func ReadRegular(path string, limit int64) ([]byte, error) { return read(path, limit, false) }

func read(path string, limit int64, streams bool) ([]byte, error) {
	fail := func(err error) ([]byte, error) {
		var p *fs.PathError
		if errors.As(err, &p) {
			err = p.Err
		}
		return nil, &fs.PathError{Op: "read", Path: path, Err: err}
	}
	// Opening a pipe would wait for a writer, so check first.
	info, err := os.Stat(path)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: errors.Unwrap(err)}
	}
	regular := info.Mode().IsRegular()
	if !regular && !info.IsDir() && !streams {
		return fail(errors.New("not a regular file"))
	}
	if info.Size() > limit && regular {
		return fail(fmt.Errorf("the file has %d bytes, at most %d are read", info.Size(), limit))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if regular { // check what is open now; another program may have replaced the file
		if info, err = f.Stat(); err != nil {
			return fail(err)
		}
		if !info.Mode().IsRegular() {
			return fail(errors.New("not a regular file"))
		}
		if info.Size() > limit {
			return fail(fmt.Errorf("the file has %d bytes, at most %d are read", info.Size(), limit))
		}
	}
	if !regular {
		limit = min(limit, MaxStream)
		data, err := ReadAll(f, limit)
		if err != nil {
			return fail(err)
		}
		return data, nil
	}
	data := make([]byte, info.Size())
	n, err := io.ReadFull(f, data)
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return fail(err)
	}
	return data[:n], nil
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
