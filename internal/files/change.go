package files

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"time"
)

// Change replaces what a regular file of at most limit bytes holds by what change makes
// of it; if that is the same, or change fails, the file stays as it is. Programs that
// change one file by Change take turns, where the system has locks. A file that somebody
// else wrote while change ran stays as they left it, with an error.
func Change(path string, limit int64, change func(old []byte) ([]byte, error)) error {
	unlock, err := lock(path)
	if err != nil {
		return err
	}
	defer unlock()
	old, err := ReadRegular(path, limit)
	if err != nil {
		return err
	}
	now, err := change(bytes.Clone(old))
	if err != nil || bytes.Equal(old, now) {
		return err
	}
	return Write(path, func(w io.Writer) error {
		if is, err := ReadRegular(path, limit); err != nil || !bytes.Equal(is, old) {
			return fmt.Errorf("%s was changed by another program meanwhile and is not overwritten; run the command again", path)
		}
		_, err := w.Write(now)
		return err
	})
}

// lockTime is how long Change waits for another program's change to end.
const lockTime = 10 * time.Second

// lock waits for the file's lock. A file that another program has replaced meanwhile is
// locked anew: its lock was that of the old one.
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
