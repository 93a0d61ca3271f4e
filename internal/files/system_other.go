//go:build !unix

package files

import (
	"io/fs"
	"os"
)

// sameOwner does nothing: only Unix can change a file's owner.
func sameOwner(*os.File, fs.FileInfo) {}

// tryLock does nothing: without locks, concurrent changes are only detected.
func tryLock(*os.File) bool { return true }
