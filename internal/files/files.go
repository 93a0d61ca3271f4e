// Package files reads files of unknown origin: never more than a limit, and,
// where the name stands in another file, nothing but regular files. A scene
// that names a device or a pipe as a texture must not make the program read
// without end, or wait.
package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

const (
	// Max bounds a file that a user names, in bytes.
	Max = 1 << 30
	// MaxStream bounds what is read from a pipe or a device, whose size shows
	// only at its end.
	MaxStream = 256 << 20
)

// Read reads a file that the user names, a pipe or a device perhaps, of at
// most limit bytes. Errors are of type *fs.PathError.
func Read(path string, limit int64) ([]byte, error) { return read(path, limit, true) }

// ReadRegular reads a file that another file names: a regular one of at most
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
	// Opening a pipe waits for a writer, so look first.
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
	if regular { // what is open now, if another program has replaced the file since
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

// ReadAll reads a stream to its end, of at most limit bytes.
func ReadAll(r io.Reader, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("there are more than the %d bytes that are read", limit)
	}
	if err != nil {
		return nil, err
	}
	return data, nil
}
