package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// What is wrong with a command line is said before anything is listened on or
// written.
func TestServeRefuses(t *testing.T) {
	dir := t.TempDir()
	html := filepath.Join(dir, "bug.html")
	const trace = "../../testdata/traces/lights.ctf"
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"serve", trace, "--no-open", "--listen", "0.0.0.0:0"}, exitUsage, "--public says that this is meant"},
		{[]string{"serve", trace, "--no-open", "--listen", "[::]:0"}, exitUsage, "--public"},
		{[]string{"serve", trace, "--no-open", "--listen", "localhost:0"}, exitUsage, "an IP address and a port"},
		{[]string{"serve", trace, "--no-open", "--host", "a.example:80"}, exitUsage, "--host is for --public"},
		{[]string{"serve", trace, "--no-open", "--workers", "-1"}, exitUsage, "--workers"},
		{[]string{"serve", "-", "--no-open"}, exitUsage, "standard input"},
		{[]string{"serve", filepath.Join(dir, "none.ctf"), "--no-open"}, exitFailed, "no such file"},
		{[]string{"serve", "serve_test.go", "--no-open"}, exitFailed, "serve_test.go"},
		{[]string{"serve", trace, "--frame", "0"}, exitUsage, "--frame is for --export"},
		{[]string{"serve", trace, trace, "--export", html}, exitUsage, "one file"},
		{[]string{"serve", trace, "--export", html}, exitFailed, "built without the engine for browsers"},
	} {
		status, stdout, stderr := invoke(t, c.args...)
		require.Equal(t, c.status, status, "%v: %s", c.args, stderr)
		require.Contains(t, stderr, c.want)
		require.Empty(t, stdout)
	}
	_, err := os.Stat(html)
	require.ErrorIs(t, err, os.ErrNotExist)
}
