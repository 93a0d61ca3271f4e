//go:build unix

package files

import (
	"io/fs"
	"os"
	"syscall"
)

// sameOwner gives a file the owner of the one that it replaces, where this
// process may: a superuser's, most of all.
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
