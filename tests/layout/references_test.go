package layout

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// mention is a page of docs/ in a comment, with the row or section that it is
// said to be in, if any: docs/accuracy/raster.md, "depth, stored".
var mention = regexp.MustCompile(`(docs/[A-Za-z0-9_/-]+\.md)(?:,\s*(?://\s*)?"([^"]+)")?`)

// Comments that send a reader to a page send him to something that is there.
func TestPagesThatCommentsNameAreThere(t *testing.T) {
	found := 0
	for _, path := range tracked(t, "*.go") {
		if strings.Contains(path, "testdata/") {
			continue
		}
		src, err := os.ReadFile(filepath.Join(top, path))
		require.NoError(t, err)
		for _, m := range mention.FindAllStringSubmatch(string(src), -1) {
			page, err := os.ReadFile(filepath.Join(top, m[1]))
			if err != nil {
				t.Errorf("%s names %s, which is not there", path, m[1])
				continue
			}
			found++
			if m[2] != "" && !strings.Contains(string(page), "| "+m[2]) && !strings.Contains(string(page), "# "+m[2]) {
				t.Errorf("%s names %q in %s, which has no such row or section", path, m[2], m[1])
			}
		}
	}
	require.Greater(t, found, 20, "the pattern finds mentions")
}

// link is a link of a Markdown page to a file of the repository.
var link = regexp.MustCompile(`(?:\]\(|src=")([^)"#:]+)(?:#[^)]*)?[)"]`)

// Links of the pages lead to files that are there.
func TestLinksOfPagesLeadSomewhere(t *testing.T) {
	found := 0
	for _, path := range tracked(t, "*.md") {
		page, err := os.ReadFile(filepath.Join(top, path))
		require.NoError(t, err)
		for _, m := range link.FindAllStringSubmatch(string(page), -1) {
			found++
			if _, err := os.Stat(filepath.Join(top, filepath.Dir(path), m[1])); err != nil {
				t.Errorf("%s links to %s, which is not there", path, m[1])
			}
		}
	}
	require.Greater(t, found, 30, "the pattern finds links")
}

// A package without a comment tells a newcomer nothing.
func TestEveryPackageSaysWhatItIs(t *testing.T) {
	for _, p := range packages(t) {
		if inside(p.ImportPath) != "" && p.Doc == "" && len(p.GoFiles) > 0 {
			t.Errorf("%s has no package comment", p.ImportPath)
		}
	}
}

const top = "../.."

// tracked lists the files of the repository that match. Outside of a checkout
// (in the module cache, say) there is nothing to list.
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
