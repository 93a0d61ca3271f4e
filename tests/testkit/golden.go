package testkit

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// The one flag that makes tests write the files they compare with. Package golden, which other programs use without testkit,
// defines it too.
func init() {
	if flag.Lookup("update") == nil {
		flag.Bool("update", false, "write the files that tests compare with")
	}
}

// Updating reports whether -update was given.
func Updating() bool { return flag.Lookup("update").Value.String() == "true" }

// Golden compares got with the file at path, or writes it there with -update.
func Golden(t testing.TB, path string, got []byte) {
	t.Helper()
	if Updating() {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, got, 0o644))
		return
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err, "-update writes it")
	if utf8.Valid(got) && utf8.Valid(want) {
		require.Equal(t, string(want), string(got), "%s: -update writes it anew", path)
	}
	require.True(t, bytes.Equal(want, got), "%s has other bytes: -update writes it anew", path)
}

// GoldenPart compares got with the part of a page between <!-- NAME: written by a test --> and
// <!-- end -->, or writes it there with -update.
func GoldenPart(t testing.TB, path, name, got string) {
	t.Helper()
	page, err := os.ReadFile(path)
	require.NoError(t, err)
	_, rest, ok := strings.Cut(string(page), "<!-- "+name+": written by a test -->\n")
	require.True(t, ok, "%s has no part %s", path, name)
	want, tail, ok := strings.Cut(rest, "<!-- end -->")
	require.True(t, ok, "%s: the part %s has no end", path, name)
	if Updating() {
		require.NoError(t, os.WriteFile(path, []byte(strings.TrimSuffix(string(page), rest)+got+"<!-- end -->"+tail), 0o644))
		return
	}
	require.Equal(t, want, got, "%s, part %s: -update writes it anew", path, name)
}
