package files

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Folder writes a set of files that appear together when all are written. It replaces and removes only files that it wrote earlier
// and that are unchanged since, according to its Manifest; other files in the folder are kept.
type Folder struct {
	path  string // of the folder, with links resolved
	temp  string // holds "new" and "old"
	fresh bool   // the folder does not exist yet
	sums  map[string]sum
}

type sum = [sha256.Size]byte

// NewFolder begins a folder. Until Commit it only creates a temporary folder.
func NewFolder(name string) (*Folder, error) {
	f := &Folder{sums: map[string]sum{}}
	if name == "" {
		return nil, errors.New("the name of the folder to write is empty")
	}
	target, info, err := Target(filepath.Clean(name))
	if err != nil {
		return nil, fmt.Errorf("%s cannot be written: %w", name, cause(err))
	}
	if info != nil && !info.IsDir() {
		return nil, fmt.Errorf("%s is not a folder", name)
	}
	f.path, f.fresh = target, info == nil
	// The temporary folder must be on the same file system: in the folder itself,
	// or in the nearest existing one.
	at := f.path
	for info == nil {
		up := filepath.Dir(at)
		if at == up {
			break
		}
		at = up
		if info, err = os.Stat(at); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s cannot be written: %w", name, cause(err))
		}
	}
	f.temp = filepath.Join(at, fmt.Sprintf(".pica200-%08x", rand.Uint32()))
	unfinished.add(f.temp)
	err = os.Mkdir(f.temp, 0o777)
	if err == nil {
		err = os.Mkdir(filepath.Join(f.temp, "new"), 0o777)
	}
	if err != nil {
		f.Discard()
		return nil, fmt.Errorf("%s cannot be written: %w", name, cause(err))
	}
	return f, nil
}

// Write writes a file; its name has slashes. A second file with the same name
// replaces the first.
func (f *Folder) Write(name string, data []byte) error {
	if !filepath.IsLocal(filepath.FromSlash(name)) || strings.ContainsAny(name, "\n\r\\") || path.Clean(name) != name || name == Manifest {
		return fmt.Errorf("%q cannot be the name of a file of %s", name, f.path)
	}
	at := f.At(name)
	if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
		return f.cannot(name, err)
	}
	if err := os.WriteFile(at, data, 0o666); err != nil {
		return f.cannot(name, err)
	}
	f.sums[name] = sha256.Sum256(data)
	return nil
}

func (f *Folder) cannot(name string, err error) error {
	return fmt.Errorf("%s cannot be written: %w", filepath.Join(f.path, filepath.FromSlash(name)), cause(err))
}

// At returns the path of a file before Commit.
func (f *Folder) At(name string) string {
	return filepath.Join(f.temp, "new", filepath.FromSlash(name))
}

// Discard removes everything that was not committed.
func (f *Folder) Discard() {
	os.RemoveAll(f.temp)
	unfinished.drop(f.temp)
}

// Occupied is the error of a Commit that would replace files which the folder
// did not write, or which were changed since.
type Occupied struct {
	path  string
	names []string // in order
}

func (e *Occupied) Error() string {
	const most = 8
	names, more := e.names, ""
	if len(names) > most {
		names, more = names[:most], fmt.Sprintf(" and %d more", len(e.names)-most)
	}
	return fmt.Sprintf("%s holds files that were not written by pica200, or were changed since, and would be replaced: %s%s",
		e.path, strings.Join(names, ", "), more)
}

// Commit moves the files to their paths. If that would replace other files, it
// changes nothing and returns an *Occupied, unless force is set. After any
// other error everything is as before.
func (f *Folder) Commit(force bool) error {
	// An interrupted program waits until all files are in place.
	unfinished.mu.Lock()
	defer unfinished.mu.Unlock()
	if err := os.WriteFile(f.At(Manifest), writeManifest(f.sums), 0o666); err != nil {
		return f.cannot(Manifest, err)
	}
	if err := f.install(force); err != nil {
		return err
	}
	delete(unfinished.names, f.temp)
	return os.RemoveAll(f.temp)
}

func (f *Folder) install(force bool) error {
	if f.fresh {
		if err := os.MkdirAll(filepath.Dir(f.path), 0o777); err != nil {
			return f.cannot("", err)
		}
		if err := os.Rename(filepath.Join(f.temp, "new"), f.path); err != nil {
			return f.cannot("", err)
		}
		return nil
	}
	root, err := os.OpenRoot(f.path) // links do not lead out of it
	if err != nil {
		return f.cannot("", err)
	}
	defer root.Close()
	old, ours := readManifest(root)
	names := append(slices.Sorted(maps.Keys(f.sums)), Manifest)
	var occupied []string
	for _, name := range names {
		switch s, there, err := fileSum(root, name); {
		case err != nil: // a folder too, which is never replaced
			return f.cannot(name, err)
		case !there || s == f.sums[name] || s != sum{} && s == old[name] || name == Manifest && ours:
		default:
			occupied = append(occupied, name)
		}
	}
	if len(occupied) > 0 && !force {
		return &Occupied{f.path, occupied}
	}
	var stale []string
	for name, was := range old {
		if _, again := f.sums[name]; again {
			continue
		}
		if s, there, err := fileSum(root, name); err == nil && there && s == was {
			stale = append(stale, name)
		}
	}
	slices.Sort(stale)
	for _, name := range slices.Concat(names, stale) {
		if info, err := root.Lstat(name); err == nil && info.Mode().IsRegular() {
			at := filepath.Join(f.path, filepath.FromSlash(name))
			if err := free(at, at, info); err != nil {
				return err
			}
		}
	}
	return f.move(root, names, stale)
}

// move moves files to their paths and removes others, all or none.
func (f *Folder) move(root *os.Root, names, stale []string) error {
	temp := filepath.Base(f.temp)
	var undo []func()
	rename := func(from, to string) error {
		if err := root.MkdirAll(path.Dir(to), 0o777); err != nil {
			return err
		}
		if err := root.Rename(from, to); err != nil {
			return err
		}
		undo = append(undo, func() { root.Rename(to, from) })
		return nil
	}
	replace := func(name string, by string) error {
		if _, err := root.Lstat(name); err == nil {
			if err := rename(name, path.Join(temp, "old", name)); err != nil {
				return err
			}
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if by == "" {
			return nil
		}
		return rename(by, name)
	}
	all := func() error {
		for _, name := range names {
			if err := replace(name, path.Join(temp, "new", name)); err != nil {
				return f.cannot(name, err)
			}
		}
		for _, name := range stale {
			if err := replace(name, ""); err != nil {
				return f.cannot(name, err)
			}
		}
		return nil
	}
	if err := all(); err != nil {
		for _, back := range slices.Backward(undo) {
			back()
		}
		return err
	}
	for _, name := range stale { // folders that are empty now
		for dir := path.Dir(name); dir != "." && root.Remove(dir) == nil; {
			dir = path.Dir(dir)
		}
	}
	return nil
}
