package testkit

import (
	"flag"
	"os/exec"
	"testing"
)

// Chromium gives the path of the browser in which pages are tried, and skips the test where
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

// Updating reports whether the pictures that tests compare with are to be written, in tests
// that link package golden, whose flag -update is.
func Updating() bool {
	f := flag.Lookup("update")
	return f != nil && f.Value.String() == "true"
}
