package testkit

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var testFunc = regexp.MustCompile(`(?m)^func (Test[A-Z]\w*)\(t \*testing\.T\)`)

// declared finds the tests of the repository, for pages that name them: for each name
// the packages that have one, by the last part of their paths.
func declared(t testing.TB) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	root := Repository(t)
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(name, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for _, m := range testFunc.FindAllSubmatch(text, -1) {
			pkg := path.Base(filepath.ToSlash(filepath.Dir(name)))
			all[string(m[1])] = append(all[string(m[1])], pkg)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
