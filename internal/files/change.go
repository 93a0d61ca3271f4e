package files

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// Change replaces the contents of a regular file of at most limit bytes by the result of change. If that is equal, or change fails,
// the file is unchanged. Programs that use Change on the same file take turns, if the system has locks. If another program wrote
// the file while change ran, Change returns an error and leaves the file.
func Change(path string, limit int64, change func(old []byte) ([]byte, error)) error {
	return anywhere.Change(path, limit, change)
}

// Change changes a file as Change does.
func (r *Root) Change(name string, limit int64, change func(old []byte) ([]byte, error)) error {
	unlock, err := r.lock(name)
	if err != nil {
		return err
	}
	defer unlock()
	old, err := r.ReadToReplace(name, limit)
	if err != nil {
		return err
	}
	now, err := change(bytes.Clone(old))
	if err != nil || bytes.Equal(old, now) {
		return err
	}
	return r.write(name, true, func(w io.Writer) error {
		if is, err := r.ReadToReplace(name, limit); err != nil || !bytes.Equal(is, old) {
			return fmt.Errorf("%s was changed by another program meanwhile and is not overwritten; run the command again", r.path(name))
		}
		_, err := w.Write(now)
		return err
	})
}

// lockTime is how long Change waits for another program.
const lockTime = 10 * time.Second

// lock waits for the file's lock. If another program replaced the file meanwhile, it locks the new one.
func (r *Root) lock(name string) (unlock func(), err error) {
	for end := time.Now().Add(lockTime); ; time.Sleep(5 * time.Millisecond) {
		f, err := r.at.OpenFile(name, os.O_RDONLY, 0)
		if err != nil {
			return nil, r.failed(name, err)
		}
		if h := r.hold(name, f); h != nil {
			return h.Drop, nil
		}
		if time.Now().After(end) {
			return nil, fmt.Errorf("%s is locked by another program", r.path(name))
		}
	}
}

// Held is a file that one program holds, until it drops it or ends, however it ends.
type Held struct {
	Path string
	f    *os.File
	info fs.FileInfo
}

// Hold holds a regular file; nil if another one holds it, or there is none. Where the system has no locks several can hold it.
func Hold(path string) *Held {
	f, _, err := anywhere.open(path, 0)
	if err != nil {
		return nil
	}
	return anywhere.hold(path, f)
}

// hold holds an open file, or closes it.
func (r *Root) hold(name string, f *os.File) *Held {
	info, err := f.Stat()
	if h := (&Held{r.path(name), f, info}); err == nil && tryLock(f) && h.There() {
		return h
	}
	f.Close()
	return nil
}

// There reports whether the file is still the one of its path.
func (h *Held) There() bool {
	is, err := os.Stat(h.Path)
	return err == nil && os.SameFile(is, h.info)
}

// Drop ends holding the file.
func (h *Held) Drop() { h.f.Close() }

// Remove removes the file, unless another one is in its place, and ends holding it.
func (h *Held) Remove() {
	if h.There() {
		os.Remove(h.Path)
	}
	h.Drop()
}
