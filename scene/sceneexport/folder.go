package sceneexport

import (
	"fmt"
	"os"
	"path/filepath"
)

// folder is a directory that is being made; it gets its name when all is there.
type folder struct{ temp, path string }

// newFolder begins a directory. The one of that name must not exist yet, or be
// empty, or hold a scene that was written before.
func newFolder(path string) (*folder, error) {
	path = filepath.Clean(path)
	entries, err := os.ReadDir(path)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	if len(entries) > 0 {
		if _, err := os.Stat(filepath.Join(path, sceneFile)); err != nil {
			return nil, fmt.Errorf("%s is not empty and holds no %s; name a folder that can be replaced", path, sceneFile)
		}
	}
	parent := filepath.Dir(path)
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp(parent, ".scene-")
	if err != nil {
		return nil, err
	}
	return &folder{temp, path}, os.Chmod(temp, 0o755)
}

// write writes a file; name has slashes.
func (f *folder) write(name string, data []byte) error {
	path := filepath.Join(f.temp, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o666)
}

// discard takes everything back that was not committed.
func (f *folder) discard() { os.RemoveAll(f.temp) }

// commit puts the folder in its place. What was there before is deleted only
// when the new one stands.
func (f *folder) commit() error {
	old := ""
	if _, err := os.Stat(f.path); err == nil {
		old = f.temp + "-old"
		if err := os.Rename(f.path, old); err != nil {
			return err
		}
	}
	if err := os.Rename(f.temp, f.path); err != nil {
		if old != "" {
			_ = os.Rename(old, f.path)
		}
		return err
	}
	if old != "" {
		return os.RemoveAll(old)
	}
	return nil
}
