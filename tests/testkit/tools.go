package testkit

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// Slow skips a slow test under "go test -short", which "make test" uses; "make ci" runs all tests.
func Slow(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes long: make ci runs it")
	}
}

// Chromium returns the path of the browser for tests of pages, and skips the test without one.
func Chromium(t testing.TB) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no Chromium (Debian: apt-get install chromium): pages are not tried in a browser")
	return ""
}

// Must gives the value of a call that has to succeed. If it returned an error, it ends the test, with a message if there is one:
// f := testkit.Must(Parse(data))(t, name).
func Must[T any](v T, err error) func(t require.TestingT, message ...any) T {
	return func(t require.TestingT, message ...any) T {
		if h, ok := t.(interface{ Helper() }); ok {
			h.Helper()
		}
		require.NoError(t, err, message...)
		return v
	}
}
