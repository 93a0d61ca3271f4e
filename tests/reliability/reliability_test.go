// Package reliability holds docs/RELIABILITY.md to the tests that it names.
package reliability

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// docs/RELIABILITY.md names every fuzz target, and no test that is not there.
func TestReliabilityNamesItsTests(t *testing.T) {
	page, err := os.ReadFile("../../docs/RELIABILITY.md")
	require.NoError(t, err)
	declared := map[string]bool{}
	function := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	require.NoError(t, filepath.WalkDir("../..", func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && strings.HasPrefix(e.Name(), ".") && e.Name() != ".." {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		source, err := os.ReadFile(path)
		for _, m := range function.FindAllStringSubmatch(string(source), -1) {
			declared[m[1]] = true
		}
		return err
	}))
	named := map[string]bool{}
	for _, m := range regexp.MustCompile("`(?:\\w+\\.)?((?:Test|Fuzz)\\w+)`").FindAllStringSubmatch(string(page), -1) {
		named[m[1]] = true
		require.True(t, declared[m[1]], "there is no %s", m[1])
	}
	for name := range declared {
		if strings.HasPrefix(name, "Fuzz") {
			require.True(t, named[name], "%s is not in docs/RELIABILITY.md", name)
		}
	}
}
