package testkit

import (
	"os/exec"
	"testing"
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
