package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// WriteFree writes a file or folder with a new name: base-001 and so on,
// followed by ext; a slash as ext makes a folder. It creates the name before it
// calls write, so that no other process can use it, and removes it if write
// fails.
func WriteFree(base, ext string, write func(path string) error) (string, error) {
	ext, folder := strings.CutSuffix(ext, "/")
	for i := 1; i < 10000; i++ {
		path := fmt.Sprintf("%s-%03d%s", base, i, ext)
		err := Reserve(path, folder)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		if err := write(path); err != nil {
			if info, e := os.Lstat(path); e == nil && (info.IsDir() || info.Size() == 0) {
				os.Remove(path) // removes a folder only if it is empty
			}
			return "", err
		}
		return path, nil
	}
	return "", fmt.Errorf("%s-001%s to 9999 exist already", base, ext)
}

func Reserve(path string, folder bool) error {
	if folder {
		return os.Mkdir(path, 0o777)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	return f.Close()
}
