// Package integration holds the files for emulators: the calls (src/pica200_hooks.h), two files that implement them, and tables of
// places.
package integration

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// A hook is a row of a table of places.
type hook struct{ file, above, text, call string }

// hooks reads a table: its hooks, and the folder for our files.
func hooks(t *testing.T, table string) (list []hook, folder string) {
	t.Helper()
	data, err := os.ReadFile(table)
	require.NoError(t, err)
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if f[0] == "folder" {
			folder = f[1]
			continue
		}
		require.Len(t, f, 4, line)
		list = append(list, hook{f[0], f[1], f[2], f[3]})
	}
	return list, folder
}

// tree makes sources in which each place occurs once before and once after its "above" text, and the expected sources with the
// calls.
func tree(t *testing.T, list []hook, ends string) (dir string, want map[string]string) {
	t.Helper()
	dir, was, want := t.TempDir(), map[string]string{}, map[string]string{}
	for i, h := range list {
		add := func(line, call string) {
			was[h.file] += line + ends
			want[h.file] += line + ends
			if call != "" {
				want[h.file] += call + ends
			}
		}
		above := h.above
		if above == "-" {
			add(h.text, h.call)
			add(h.text+" again", "")
			continue
		}
		if i == 0 || list[i-1].file != h.file || list[i-1].above != above {
			add("}", "")
			add("    "+h.text+" // before", "")
			add(above, "")
		}
		indent := "    "
		if strings.HasSuffix(h.text, "{") {
			indent += "    "
		}
		add("    "+h.text, indent+h.call)
		if i+1 == len(list) || list[i+1].file != h.file || list[i+1].above != above {
			add("}", "")
			add("    "+h.text+" // behind", "")
		}
	}
	for file, text := range was {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644))
	}
	return dir, want
}

func apply(args ...string) (string, error) {
	out, err := exec.Command("sh", append([]string{"./apply.sh"}, args...)...).CombinedOutput()
	return string(out), err
}

// apply inserts the calls at their places only, with any line endings, and copies the files. A tree without a place stays
// unchanged.
func TestApplyHooks(t *testing.T) {
	tables, err := filepath.Glob("*.hooks")
	require.NoError(t, err)
	require.Len(t, tables, 3)
	for n, table := range tables {
		for w, what := range []string{"recorder", "renderer"} {
			t.Run(table+" "+what, func(t *testing.T) {
				list, folder := hooks(t, table)
				ends := []string{"\n", "\r\n"}[n%2]
				dir, want := tree(t, list, ends)
				out, err := apply(dir, what)
				require.NoError(t, err, out)
				require.Contains(t, out, strings.TrimSuffix(table, ".hooks"))
				for file, text := range want {
					got, err := os.ReadFile(filepath.Join(dir, file))
					require.NoError(t, err)
					text = strings.ReplaceAll(text, "recorder.c"+ends, what+".c"+ends)
					require.Equal(t, text, string(got), file)
				}
				for _, name := range []string{"pica200_hooks.h", what + ".c", map[string]string{"recorder": "pica200_record.h", "renderer": "pica200.h"}[what]} {
					require.FileExists(t, filepath.Join(dir, folder, name))
				}

				out, err = apply(dir, what)
				require.Error(t, err)
				require.Contains(t, out, "exists already")

				// The places are the same for both: each looks for half of them, in "make test" for one.
				for i := w; i < len(list); i += 2 {
					if i > w && testkit.Short() {
						break
					}
					h := list[i]
					dir, _ := tree(t, append(append([]hook{}, list[:i]...), list[i+1:]...), "\n")
					path := filepath.Join(dir, h.file)
					if _, err := os.Stat(path); err != nil {
						require.NoError(t, os.WriteFile(path, nil, 0o644))
					}
					was := read(t, dir)
					out, err := apply(dir, what)
					require.Error(t, err, h)
					require.Contains(t, out, h.file+": no \""+h.text+"\"")
					require.Equal(t, was, read(t, dir))
				}
			})
		}
	}
	out, err := apply(t.TempDir())
	require.Error(t, err)
	require.Contains(t, out, "none of azahar.hooks panda3ds.hooks tanuki3ds.hooks")
	out, err = apply(t.TempDir(), "both")
	require.Error(t, err)
	require.Contains(t, out, "neither recorder nor renderer")
}

// read returns all files of a folder.
func read(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		files[path] = string(data)
		return err
	}))
	return files
}
