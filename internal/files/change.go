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
	unlock, err := lock(path)
	if err != nil {
		return err
	}
	defer unlock()
	old, err := ReadToReplace(path, limit)
	if err != nil {
		return err
	}
	now, err := change(bytes.Clone(old))
	if err != nil || bytes.Equal(old, now) {
		return err
	}
	return writeFile(path, true, func(w io.Writer) error {
		if is, err := ReadToReplace(path, limit); err != nil || !bytes.Equal(is, old) {
			return fmt.Errorf("%s was changed by another program meanwhile and is not overwritten; run the command again", path)
		}
		_, err := w.Write(now)
		return err
	})
}

// lockTime is how long Change waits for another program.
const lockTime = 10 * time.Second

// lock waits for the file's lock. If another program replaced the file
// meanwhile, it locks the new one.
func lock(path string) (unlock func(), err error) {
	for end := time.Now().Add(lockTime); ; time.Sleep(5 * time.Millisecond) {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		if tryLock(f) {
			is, err := os.Stat(path)
			was, ferr := f.Stat()
			if err == nil && ferr == nil && os.SameFile(is, was) {
				return func() { f.Close() }, nil
			}
		}
		f.Close()
		if time.Now().After(end) {
			return nil, fmt.Errorf("%s is locked by another program", path)
		}
	}
}
