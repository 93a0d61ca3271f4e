package testkit

import (
	"os/exec"
	"testing"
)

// Slow skips a test that takes long in "go test -short", which "make test" runs; "make ci" runs
// all tests.
func Slow(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes long: make ci runs it")
	}
}

// Chromium returns the path of the browser in which pages are tried, and skips the test where
// there is none.
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
