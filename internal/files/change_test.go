//go:build unix

package files

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

func TestChangeFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	add := func(s string) func([]byte) ([]byte, error) {
		return func(old []byte) ([]byte, error) { return append(old, s...), nil }
	}
	require.ErrorIs(t, Change(path, 100, add("x")), os.ErrNotExist)
	require.NoError(t, os.WriteFile(path, nil, 0o640))

	// Concurrent changes: each starts from the result of another.
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			for range 5 {
				if err := Change(path, 100, add("x")); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	require.Equal(t, strings.Repeat("x", 100), content(t, path))
	require.ErrorContains(t, Change(path, 99, add("x")), "at most 99")

	// A failed change, or one that changes nothing, does not write.
	before := testkit.Must(os.Stat(path))(t)
	failure := errors.New("no")
	require.ErrorIs(t, Change(path, 100, func(old []byte) ([]byte, error) { return old[:1], failure }), failure)
	require.NoError(t, Change(path, 100, func(old []byte) ([]byte, error) { return old, nil }))
	after := testkit.Must(os.Stat(path))(t)
	require.True(t, os.SameFile(before, after) && before.ModTime().Equal(after.ModTime()))

	// An editor ignores the lock: what it wrote is kept, also if the length is the same.
	for _, theirs := range []string{strings.Repeat("y", 100), "shorter"} {
		require.ErrorContains(t, Change(path, 100, func(old []byte) ([]byte, error) {
			clear(old) // the function's own copy
			return old, os.WriteFile(path, []byte(theirs), 0o666)
		}), "another program")
		require.Equal(t, theirs, content(t, path))
		require.Len(t, list(t, filepath.Dir(path)), 1)
	}
}
