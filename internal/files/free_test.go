package files

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// WriteFree uses the first free file name, and leaves no file if writing fails.
func TestWriteToFreeName(t *testing.T) {
	dir := t.TempDir()
	base := filepath.Join(dir, "shot")
	put := func(path string) error { return os.WriteFile(path, []byte("x"), 0o666) }
	for i := 1; i <= 3; i++ {
		path := testkit.Must(WriteFree(base, ".png", put))(t)
		require.Equal(t, fmt.Sprintf("%s-%03d.png", base, i), path)
	}
	require.NoError(t, os.Remove(base+"-002.png"))
	bad := errors.New("no")
	_, err := WriteFree(base, ".png", func(path string) error { return bad })
	require.ErrorIs(t, err, bad)
	require.NoFileExists(t, base+"-002.png")
	_, err = WriteFree(base, ".png", func(path string) error { return errors.Join(put(path), bad) })
	require.ErrorIs(t, err, bad)
	require.FileExists(t, base+"-002.png", "the existing file stays")
	_, err = WriteFree(filepath.Join(dir, "gone", "x"), ".png", put)
	require.ErrorIs(t, err, os.ErrNotExist)
}
