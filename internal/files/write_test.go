//go:build unix

package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

func put(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

func content(t *testing.T, path string) string {
	t.Helper()
	data := testkit.Read(t, path)
	return string(data)
}

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	t.Run("new and replaced", func(t *testing.T) {
		require.NoError(t, Write(path, put("one")))
		require.NoError(t, Write(path, put("two")))
		require.Equal(t, "two", content(t, path))
	})
	t.Run("a failure leaves the old file and nothing else", func(t *testing.T) {
		require.Error(t, Write(path, func(w io.Writer) error {
			io.WriteString(w, strings.Repeat("x", 1<<16))
			return errors.New("no")
		}))
		require.Equal(t, "two", content(t, path))
		require.Equal(t, []string{"a"}, list(t, dir))
	})
	t.Run("the umask is respected", func(t *testing.T) {
		for _, mask := range []int{0o022, 0o027, 0o077, 0} {
			was := syscall.Umask(mask)
			err := Write(filepath.Join(dir, "new"), put("x"))
			syscall.Umask(was)
			require.NoError(t, err)
			require.Equal(t, 0o666&^fs.FileMode(mask), mode(t, filepath.Join(dir, "new")))
			require.NoError(t, os.Remove(filepath.Join(dir, "new")))
		}
	})
	t.Run("a file that is replaced keeps its mode", func(t *testing.T) {
		for _, m := range []fs.FileMode{0o600, 0o640, 0o755, 0o222} {
			require.NoError(t, os.Chmod(path, m))
			require.NoError(t, Write(path, put("two")))
			require.Equal(t, m, mode(t, path))
		}
		require.NoError(t, os.Chmod(path, 0o644))
	})
	t.Run("a file that is replaced keeps its owner", func(t *testing.T) {
		if os.Getuid() != 0 {
			t.Skip("only the superuser gives files away")
		}
		for _, owner := range [][]uint32{{1234, 1235}, {1234, 0}, {0, 1235}} {
			require.NoError(t, os.Chown(path, int(owner[0]), int(owner[1])))
			require.NoError(t, Write(path, put("two")))
			info := testkit.Must(os.Stat(path))(t)
			stat := info.Sys().(*syscall.Stat_t)
			require.Equal(t, owner, []uint32{stat.Uid, stat.Gid})
		}
		require.NoError(t, os.Chown(path, 0, 0))
	})
	t.Run("a file that may not be written is not replaced", func(t *testing.T) {
		require.NoError(t, os.Chmod(path, 0o444))
		require.ErrorContains(t, Write(path, put("no")), path+" cannot be written: permission denied")
		require.Equal(t, "two", content(t, path))
		require.NoError(t, os.Chmod(path, 0o644))
		require.Equal(t, []string{"a"}, list(t, dir))
	})
	t.Run("a dangling link is followed", func(t *testing.T) {
		dir := t.TempDir()
		require.NoError(t, os.Mkdir(filepath.Join(dir, "sub"), 0o777))
		link := filepath.Join(dir, "link")
		require.NoError(t, os.Symlink("sub/b", link))
		require.NoError(t, Write(link, put("four")))
		require.Equal(t, "four", content(t, filepath.Join(dir, "sub/b")))
		info := testkit.Must(os.Lstat(link))(t)
		require.NotZero(t, info.Mode()&os.ModeSymlink)
		require.NoError(t, os.Symlink("self", filepath.Join(dir, "self")))
		require.ErrorContains(t, Write(filepath.Join(dir, "self"), put("")), "too many links")
	})
	t.Run("a full disk", func(t *testing.T) {
		if _, err := os.Stat("/dev/full"); err != nil {
			t.Skip("there is no /dev/full")
		}
		require.EqualError(t, Write("/dev/full", put(strings.Repeat("x", 1<<16))), "/dev/full cannot be written: no space left on device")
		require.EqualError(t, Write("/dev/full", put("x")), "/dev/full cannot be written: no space left on device")
	})
	t.Run("a link is followed", func(t *testing.T) {
		link := filepath.Join(t.TempDir(), "link")
		require.NoError(t, os.Symlink(path, link))
		require.NoError(t, Write(link, put("three")))
		require.Equal(t, "three", content(t, path))
		info := testkit.Must(os.Lstat(link))(t)
		require.NotZero(t, info.Mode()&os.ModeSymlink)
	})
	t.Run("a pipe is written to, not replaced", func(t *testing.T) {
		pipe := filepath.Join(t.TempDir(), "pipe")
		require.NoError(t, syscall.Mkfifo(pipe, 0o600))
		got := make(chan string)
		go func() {
			f, err := os.Open(pipe)
			if err != nil {
				got <- err.Error()
				return
			}
			defer f.Close()
			data, _ := io.ReadAll(f)
			got <- string(data)
		}()
		require.NoError(t, Write(pipe, put("through")))
		require.Equal(t, "through", <-got)
		info := testkit.Must(os.Lstat(pipe))(t)
		require.NotZero(t, info.Mode()&os.ModeNamedPipe)
	})
	t.Run("errors name the requested file", func(t *testing.T) {
		require.EqualError(t, Write(dir+"/no/x.png", put("")), dir+"/no/x.png cannot be written: there is no folder "+dir+"/no")
		for to, folder := range map[string]string{"gone/x": dir + "/gone", dir + "/none/x": dir + "/none"} {
			link := filepath.Join(t.TempDir(), "x.png")
			if !filepath.IsAbs(to) {
				link = filepath.Join(dir, "link.png")
			}
			require.NoError(t, os.Symlink(to, link))
			require.EqualError(t, Write(link, put("")), link+" cannot be written: there is no folder "+folder)
		}
		require.ErrorContains(t, Write(dir, put("")), "is a folder")
		require.ErrorContains(t, Write("", put("")), "empty")
		require.ErrorContains(t, Write(path+"/x", put("")), "not a directory")
	})
}

// list returns all files below a folder, with slashes.
func list(t *testing.T, dir string) (names []string) {
	t.Helper()
	require.NoError(t, fs.WalkDir(os.DirFS(dir), ".", func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			names = append(names, path)
		}
		return err
	}))
	return names
}

func mode(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info := testkit.Must(os.Stat(path))(t)
	return info.Mode().Perm()
}

func TestSameFile(t *testing.T) {
	dir := t.TempDir()
	a, b, link, hard := dir+"/a", dir+"/b", dir+"/link", dir+"/hard"
	require.NoError(t, os.WriteFile(a, nil, 0o666))
	require.NoError(t, os.WriteFile(b, nil, 0o666))
	require.NoError(t, os.Symlink("a", link))
	require.NoError(t, os.Link(a, hard))
	require.Equal(t, a, Same(a, b, a))
	require.Equal(t, a, Same(dir+"/./a", b, a))
	require.Equal(t, link, Same(a, b, link))
	require.Equal(t, a, Same(link, a))
	require.Equal(t, a, Same(hard, a))
	require.Empty(t, Same(b, a, link, hard, dir+"/none"))
	require.Empty(t, Same(dir+"/none", dir+"/none"))
	require.Empty(t, Same("/dev/null", "/dev/null"), "a device does not count as the same file")
}

// RemoveUnfinished removes temporary files before the program exits and keeps finished ones.
func TestRemoveUnfinished(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, Write(dir+"/kept", put("one")))
	folder := testkit.Must(NewFolder(dir + "/out"))(t)
	require.Error(t, Write(dir+"/kept", func(w io.Writer) error {
		require.NoError(t, put("two")(w))
		require.Len(t, names(t, dir), 3)
		RemoveUnfinished()
		left, free := names(t, dir), unfinished.mu.TryLock()
		unfinished.mu.Unlock() // only this test unlocks it again
		require.False(t, free, "after RemoveUnfinished no file can be written")
		require.Equal(t, []string{"kept"}, left)
		return io.ErrUnexpectedEOF
	}))
	folder.Discard()
	text := testkit.Read(t, dir+"/kept")
	require.Equal(t, "one", string(text))
}

func names(t *testing.T, dir string) (list []string) {
	t.Helper()
	all := testkit.Must(os.ReadDir(dir))(t)
	for _, e := range all {
		list = append(list, e.Name())
	}
	return list
}
