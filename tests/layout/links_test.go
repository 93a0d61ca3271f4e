package layout

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
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

var (
	testFunction = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	namedTest    = regexp.MustCompile("`((?:Test|Fuzz)[A-Z]\\w*)(…?)`")
	runOfTests   = regexp.MustCompile(`go test \./(\S+) (?:-count=1 )?-run (?:'([^']+)'|(\w+))`)
)

// Tests that Markdown pages name exist, and "go test ./folder -run pattern" runs at least one.
func TestPagesNameTestsThatExist(t *testing.T) {
	inFolder := map[string][]string{}
	var all []string
	for _, path := range tracked(t, "*_test.go") {
		for _, m := range testFunction.FindAllSubmatch(testkit.Read(t, filepath.Join(top, path)), -1) {
			inFolder[filepath.Dir(path)] = append(inFolder[filepath.Dir(path)], string(m[1]))
			all = append(all, string(m[1]))
		}
	}
	named, runs := 0, 0
	for _, path := range tracked(t, "*.md") {
		page := string(testkit.Read(t, filepath.Join(top, path)))
		for _, m := range namedTest.FindAllStringSubmatch(page, -1) {
			named++
			if !slices.ContainsFunc(all, func(name string) bool { return name == m[1] || m[2] != "" && strings.HasPrefix(name, m[1]) }) {
				t.Errorf("%s names the test %s, which is not there", path, m[1])
			}
		}
		for _, m := range runOfTests.FindAllStringSubmatch(page, -1) {
			text := strings.ReplaceAll(m[2]+m[3], `\|`, "|") // as in the table of a page
			if text == "^$" || text == "XXX" {
				continue
			}
			runs++
			if !slices.ContainsFunc(inFolder[m[1]], regexp.MustCompile(text).MatchString) {
				t.Errorf("%s: no test in %s matches %s", path, m[1], text)
			}
		}
	}
	require.Greater(t, named, 30, "number of names found")
	require.Greater(t, runs, 15, "number of -run found")
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
