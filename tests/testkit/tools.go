package testkit

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// Short reports whether slow tests are left out: under "go test -short" and in "make test". That sets PICA200_SHORT instead, because
// Go keeps the results of packages whose tests do not ask for it, so that "make ci" does not run them again.
func Short() bool { return testing.Short() || os.Getenv("PICA200_SHORT") != "" }

// Slow skips a test that "make ci" runs and "make test" leaves out.
func Slow(t testing.TB) {
	t.Helper()
	if Short() {
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
