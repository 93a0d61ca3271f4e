package layout

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// public lists the rooms that are for other programs, with all below them.
var public = []string{"pica", "pipeline", "shaderunit", "assets", "frontend", "scene", "golden"}

const (
	saysPublic = "The API is v0: it may change with any version, and CHANGELOG.md says how."
	saysOwn    = "The package is our own and may change at any time"
)

// A package's comment says whether other programs may count on it, and public
// ones show by example how they are used. What go itself keeps others from
// importing need not say so.
func TestPackagesSayWhomTheyAreFor(t *testing.T) {
	example := regexp.MustCompile(`(?s)\nfunc Example.*?\n\t// Output:`)
	for _, p := range packages(t) {
		path := inside(p.ImportPath)
		if path == "" || len(p.GoFiles) == 0 || strings.Contains("/"+path+"/", "/internal/") ||
			slices.Contains([]string{"cmd", "gen", "tests"}, roomOf(path).name) {
			continue
		}
		doc := ""
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(top, path, name), nil, parser.ParseComments|parser.PackageClauseOnly)
			require.NoError(t, err)
			doc += f.Doc.Text()
		}
		if !slices.ContainsFunc(public, func(room string) bool { return within(path, room) }) {
			require.Contains(t, doc, saysOwn, path)
			require.NotContains(t, doc, saysPublic, path)
			continue
		}
		require.Contains(t, doc, saysPublic, path)
		require.NotContains(t, doc, saysOwn, path)
		shown := false
		tests, err := filepath.Glob(filepath.Join(top, path, "*_test.go"))
		require.NoError(t, err)
		for _, name := range tests {
			src, err := os.ReadFile(name)
			require.NoError(t, err)
			shown = shown || example.Match(src)
		}
		require.True(t, shown, "%s has no example with its output", path)
	}
}
