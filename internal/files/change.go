package files

import (
	"bytes"
	"fmt"
	"io"
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

// lock waits for the file's lock. If another program replaced the file
// meanwhile, it locks the new one.
func (r *Root) lock(name string) (unlock func(), err error) {
	for end := time.Now().Add(lockTime); ; time.Sleep(5 * time.Millisecond) {
		f, err := r.at.OpenFile(name, os.O_RDONLY, 0)
		if err != nil {
			return nil, r.failed(name, err)
		}
		if tryLock(f) {
			is, err := r.at.Stat(name)
			was, ferr := f.Stat()
			if err == nil && ferr == nil && os.SameFile(is, was) {
				return func() { f.Close() }, nil
			}
		}
		f.Close()
		if time.Now().After(end) {
			return nil, fmt.Errorf("%s is locked by another program", r.path(name))
		}
	}
}
