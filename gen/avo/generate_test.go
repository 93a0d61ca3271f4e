package avo

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// rooms are the folders whose generate.go runs the generators of this module.
var rooms = []string{"pixels", "assets/texture", "raster", "fragment", "shaderunit", "geometry"}

// The committed kernels are what the generators write: each room's go:generate
// lines run in a copy of the generators, beside a copy of the room.
func TestCommittedKernelsAreCurrent(t *testing.T) {
	top := t.TempDir()
	copyFiles(t, ".", filepath.Join(top, "gen", "avo"), "*")
	for _, room := range rooms {
		committed, dir := filepath.Join("..", "..", filepath.FromSlash(room)), filepath.Join(top, filepath.FromSlash(room))
		copyFiles(t, committed, dir, "generate.go")
		cmd := exec.Command("go", "generate", "generate.go")
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", room, err, out)
		}
		written, _ := filepath.Glob(filepath.Join(dir, "*"))
		if len(written) < 3 {
			t.Errorf("%s: only %v was written", room, written)
		}
		for _, path := range written {
			name := filepath.Base(path)
			got := read(t, path)
			if want := read(t, filepath.Join(committed, name)); !bytes.Equal(got, want) {
				t.Errorf("%s/%s is not what its generator writes; run: go generate ./%s", room, name, room)
			}
		}
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// copyFiles copies the files below from whose names match to the folder to.
func copyFiles(t *testing.T, from, to, match string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if ok, _ := filepath.Match(match, d.Name()); !ok {
			return nil
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		dst := filepath.Join(to, rel)
		if err := os.MkdirAll(filepath.Dir(dst), 0o755); err != nil {
			return err
		}
		return os.WriteFile(dst, read(t, path), 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}
