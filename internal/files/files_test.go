//go:build unix

package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// A folder's own name is no pattern, and one that cannot be read is an error.
func TestGlob(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "[a-b]*")
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "sub"), 0o777))
	for _, name := range []string{"b.x", "a.x", "a.y", "sub/c.x"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o666))
	}
	for pattern, want := range map[string][]string{"*.x": {dir + "/a.x", dir + "/b.x"}, "*/c.x": {dir + "/sub/c.x"}, "*.z": nil} {
		require.Equal(t, want, testkit.Must(Glob(dir, pattern))(t), pattern)
	}
	_, err := Glob(dir+"/none", "*")
	require.ErrorIs(t, err, fs.ErrNotExist)
}

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	require.NoError(t, os.WriteFile(path, []byte("12345678"), 0o600))
	pipe := filepath.Join(dir, "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))

	for name, read := range map[string]func(string, int64) ([]byte, error){"Read": Read, "ReadRegular": ReadRegular} {
		t.Run(name, func(t *testing.T) {
			data := testkit.Must(read(path, 8))(t)
			require.Equal(t, "12345678", string(data))
			_, err := read(path, 7)
			require.EqualError(t, err, "read "+path+": the file has 8 bytes, at most 7 are read")
			_, err = read(dir, 8)
			require.ErrorContains(t, err, "is a directory")
			_, err = read(path+"x", 8)
			require.ErrorIs(t, err, fs.ErrNotExist)
			var p *fs.PathError
			require.True(t, errors.As(err, &p))
		})
	}
	t.Run("pipe without a writer", func(t *testing.T) {
		_, err := ReadRegular(pipe, 8)
		require.ErrorContains(t, err, "not a regular file")
	})
	t.Run("endless file", func(t *testing.T) {
		_, err := Read("/dev/zero", 1000)
		require.ErrorContains(t, err, "more than the 1000 bytes")
		_, err = ReadRegular("/dev/zero", 1000)
		require.ErrorContains(t, err, "not a regular file")
	})
	t.Run("stream", func(t *testing.T) {
		written := make(chan error)
		go func() { written <- os.WriteFile(pipe, []byte("in a pipe"), 0) }()
		data := testkit.Must(Read(pipe, 9))(t)
		require.Equal(t, "in a pipe", string(data))
		require.NoError(t, <-written)
		data = testkit.Must(ReadAll(strings.NewReader("abc"), 3))(t)
		require.Equal(t, "abc", string(data))
		_, err := ReadAll(strings.NewReader("abcd"), 3)
		require.ErrorContains(t, err, "more than the 3 bytes")
		require.NotNil(t, testkit.Must(ReadAll(strings.NewReader(""), 3))(t))
		for _, n := range []int{streamPart - 1, streamPart, streamPart + 5, 3 * streamPart} {
			text := strings.Repeat("abcdefg", n/7+1)[:n]
			data := testkit.Must(ReadAll(iotest.HalfReader(strings.NewReader(text)), int64(n)))(t)
			require.True(t, text == string(data), "%d bytes", n)
			_, err := ReadAll(strings.NewReader(text), int64(n-1))
			require.ErrorContains(t, err, "more than")
		}
		_, err = ReadAll(iotest.TimeoutReader(strings.NewReader("abc")), 30)
		require.ErrorIs(t, err, iotest.ErrTimeout)
	})
}
