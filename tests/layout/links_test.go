package layout

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// link matches a link in a Markdown page to a file of the repository.
var link = regexp.MustCompile(`(?:\]\(|src=")([^)"#:]+)(?:#[^)]*)?[)"]`)

// Links in Markdown pages lead to existing files.
func TestPageLinksExist(t *testing.T) {
	found := 0
	for _, path := range tracked(t, "*.md") {
		page := testkit.Read(t, filepath.Join(top, path))
		for _, m := range link.FindAllStringSubmatch(string(page), -1) {
			found++
			if _, err := os.Stat(filepath.Join(top, filepath.Dir(path), m[1])); err != nil {
				t.Errorf("%s links to %s, which is not there", path, m[1])
			}
		}
	}
	require.Greater(t, found, 30, "number of links found")
}

const top = "../.."

// tracked lists the repository's files that match pattern. It skips the test outside of a git checkout, for example in the module
// cache.
func tracked(t *testing.T, pattern string) []string {
	t.Helper()
	cmd := exec.Command("git", "ls-files", pattern)
	cmd.Dir = top
	out, err := cmd.Output()
	if err != nil {
		t.Skip("not in a git checkout")
	}
	return strings.Fields(string(out))
}
