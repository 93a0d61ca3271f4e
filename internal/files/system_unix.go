//go:build unix

package files

import (
	"io/fs"
	"os"
	"syscall"
)

// sameOwner gives a file the owner of the one that it replaces, if this process
// may, as a superuser may.
func sameOwner(f *os.File, old fs.FileInfo) {
	want, ok := old.Sys().(*syscall.Stat_t)
	if !ok {
		return
	}
	info, err := f.Stat()
	if err != nil {
		return
	}
	if have, ok := info.Sys().(*syscall.Stat_t); ok && (have.Uid != want.Uid || have.Gid != want.Gid) {
		_ = f.Chown(int(want.Uid), int(want.Gid))
	}
}

// tryLock locks an open file against other programs that lock it, until it is
// closed. It also returns true if the file system has no locks.
func tryLock(f *os.File) bool {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	return err != syscall.EWOULDBLOCK && err != syscall.EINTR
}
