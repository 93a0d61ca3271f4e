package files

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
)

// Write writes a file completely or not at all: the file at path is replaced
// when everything is written, and unchanged if anything fails. A new file gets
// the permissions of the umask; a replaced one keeps its own. Links are
// followed, also to a file that does not exist yet. Devices and pipes are
// written directly, since they cannot be replaced. A read-only file is not
// replaced, even if its folder would allow it, and neither is an input (Run).
// Errors of the file system have path; errors of write are returned unchanged.
func Write(path string, write func(io.Writer) error) error {
	return anywhere.write(path, false, write)
}

// write is Write, with change also over an input.
func (r *Root) write(name string, change bool, write func(io.Writer) error) error {
	w, err := r.create(name, change)
	if err != nil {
		return err
	}
	defer w.discard()
	if err := write(w); err != nil {
		if w.failed != nil { // write's own error may not name the file
			return w.cannot(w.failed)
		}
		return err
	}
	return w.commit()
}

// writer writes a temporary file beside the one that it will replace.
type writer struct {
	root   *Root
	name   string // the path given by the caller
	path   string // in root, with links resolved
	old    fs.FileInfo
	f      *os.File
	buf    *bufio.Writer
	temp   string // of f, in root; "" if path is written directly
	change bool   // an input may be replaced
	failed error  // of the file system
	done   bool
}

// Write implements io.Writer.
func (w *writer) Write(p []byte) (int, error) {
	n, err := w.buf.Write(p)
	if err != nil {
		w.failed = err
	}
	return n, err
}

func (r *Root) create(name string, change bool) (*writer, error) {
	w := &writer{root: r, name: r.path(name), change: change}
	if name == "" {
		return nil, errors.New("the name of the file to write is empty")
	}
	path, info, err := r.target(name)
	if err != nil {
		return nil, w.cannot(err)
	}
	w.path, w.old = path, info
	switch {
	case info == nil:
		w.f, err = w.createTemp()
	case info.IsDir():
		return nil, fmt.Errorf("%s is a folder, and a file is to be written; name one in it, such as %s",
			w.name, filepath.Join(w.name, "NAME"))
	case !info.Mode().IsRegular():
		w.f, err = r.at.OpenFile(path, os.O_WRONLY, 0)
	default:
		if err := w.free(); err != nil {
			return nil, err
		}
		if err = r.writable(path, info); err == nil {
			w.f, err = w.createTemp()
		}
	}
	if err != nil {
		return nil, w.cannot(err)
	}
	w.buf = bufio.NewWriter(w.f)
	return w, nil
}

// writable returns an error if a file is read-only, also for the superuser: removing all write permissions is a decision of the
// user.
func (r *Root) writable(path string, info fs.FileInfo) error {
	if info.Mode().Perm()&0o222 == 0 {
		return fs.ErrPermission
	}
	f, err := r.at.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// createTemp makes the temporary file beside the path. It does not use
// os.CreateTemp, because the umask must apply.
func (w *writer) createTemp() (*os.File, error) {
	dir, base := filepath.Split(w.path)
	if len(base) > 100 { // names have at most 255 bytes on most systems
		base = base[:100]
	}
	for try := 0; ; try++ {
		temp := fmt.Sprintf("%s.%s-%08x", dir, base, rand.Uint32())
		unfinished.add(w.root.path(temp))
		f, err := w.root.at.OpenFile(temp, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if err == nil {
			w.temp = temp
			return f, nil
		}
		unfinished.drop(w.root.path(temp))
		if !errors.Is(err, fs.ErrExist) || try > 100 {
			return nil, err
		}
	}
}

// free returns an error if the file to replace is an input.
func (w *writer) free() error {
	info, err := w.root.at.Lstat(w.path)
	if err != nil || w.change {
		return nil
	}
	return free(w.name, w.root.path(w.path), info)
}

// commit renames the file to its final name.
func (w *writer) commit() error {
	if err := w.free(); err != nil { // it may have become an input meanwhile
		return err
	}
	if err := w.buf.Flush(); err != nil {
		return w.cannot(err)
	}
	if w.temp != "" && w.old != nil {
		sameOwner(w.f, w.old)
		if err := w.f.Chmod(w.old.Mode().Perm()); err != nil {
			return w.cannot(err)
		}
	}
	if err := w.f.Close(); err != nil {
		return w.cannot(err)
	}
	if w.temp != "" {
		if err := unfinished.rename(w.root, w.temp, w.path); err != nil {
			return w.cannot(err)
		}
	}
	w.done = true
	return nil
}

// discard removes a file that was not committed.
func (w *writer) discard() {
	if w.done {
		return
	}
	w.f.Close()
	if w.temp != "" {
		w.root.at.Remove(w.temp)
		unfinished.drop(w.root.path(w.temp))
	}
}

// cannot replaces the temporary file's name in an error.
func (w *writer) cannot(err error) error {
	err = cause(err)
	if errors.Is(err, fs.ErrNotExist) {
		dir := filepath.Dir(w.name)
		if to, err := os.Readlink(w.name); err == nil && filepath.IsAbs(to) {
			dir = filepath.Dir(to)
		} else if err == nil {
			dir = filepath.Join(dir, filepath.Dir(to))
		}
		return fmt.Errorf("%s cannot be written: there is no folder %s", w.name, dir)
	}
	return fmt.Errorf("%s cannot be written: %w", w.name, err)
}

// cause returns an error of the file system without file names.
func cause(err error) error {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		return p.Err
	case errors.As(err, &l):
		return l.Err
	}
	return err
}

// Same returns the first of others that is the same file as path, by device and
// inode, through links; "" if none is, or path does not exist.
func Same(path string, others ...string) string {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	for _, other := range others {
		if o, err := os.Stat(other); err == nil && os.SameFile(info, o) {
			return other
		}
	}
	return ""
}

// pending are the temporary files and folders of this process.
type pending struct {
	mu    sync.Mutex
	names map[string]bool
}

var unfinished = pending{names: map[string]bool{}}

func (p *pending) add(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.names[name] = true
}

func (p *pending) drop(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.names, name)
}

// rename renames a temporary file to its final name.
func (p *pending) rename(r *Root, from, to string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	err := r.at.Rename(from, to)
	if err == nil {
		delete(p.names, r.path(from))
	}
	return err
}

// RemoveUnfinished removes the temporary files and folders of a program that is
// about to end. It waits for a Commit in progress. Nothing can be written
// afterwards.
func RemoveUnfinished() {
	unfinished.mu.Lock() // and never unlocked
	for name := range unfinished.names {
		os.RemoveAll(name)
	}
}
