package files

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestReadAtFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	require.NoError(t, os.WriteFile(path, []byte("0123456789"), 0o600))
	a, err := OpenAt(path)
	require.NoError(t, err)
	require.EqualValues(t, 10, a.Size())
	var b [3]byte
	n, err := a.ReadAt(b[:], 4)
	require.NoError(t, err)
	require.Equal(t, "456", string(b[:n]))

	was := a.info.ModTime()
	for name, change := range map[string]func() error{
		"longer":        func() error { return os.WriteFile(path, []byte("01234567890"), 0o600) },
		"written again": func() error { return os.Chtimes(path, was, was.Add(time.Second)) },
		"another file": func() error {
			if err := os.WriteFile(path+"2", []byte("0123456789"), 0o600); err != nil {
				return err
			}
			return os.Rename(path+"2", path)
		},
	} {
		require.NoError(t, os.WriteFile(path, []byte("0123456789"), 0o600))
		require.NoError(t, os.Chtimes(path, was, was))
		a.info, err = os.Stat(path)
		require.NoError(t, err)
		_, err = a.ReadAt(b[:], 0)
		require.NoError(t, err, name)
		require.NoError(t, change())
		_, err = a.ReadAt(b[:], 0)
		require.ErrorContains(t, err, path+": the file has changed since it was opened", name)
	}
	require.NoError(t, os.Remove(path))
	_, err = a.ReadAt(b[:], 0)
	require.ErrorIs(t, err, os.ErrNotExist)
}
