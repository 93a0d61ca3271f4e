package scene

import (
	"go/ast"
	goparser "go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDocumentedExamples parses every example of docs/SCENES.md, and sees that
// the page names every shape, pattern, mode, primitive, preset and texture key.
func TestDocumentedExamples(t *testing.T) {
	page, err := os.ReadFile("../docs/SCENES.md")
	require.NoError(t, err)
	blocks := strings.Split(string(page), "```yaml\n")[1:]
	require.GreaterOrEqual(t, len(blocks), 6)
	for _, b := range blocks {
		text, _, ok := strings.Cut(b, "```")
		require.True(t, ok)
		s, err := Parse("docs/SCENES.md", []byte(text))
		require.NoError(t, err)
		require.NotEmpty(t, s.Draws)
	}
	for _, list := range [][]string{Shapes, Patterns, PassModes, CullModes, Primitives, presetNames, textureKeys, FormulaFuncs()} {
		for _, name := range list {
			require.Contains(t, string(page), name)
		}
	}
}

// TestEveryKeyIsDocumented finds the keys in the reader's calls of Keys, and
// looks for each in the code of docs/SCENES.md.
func TestEveryKeyIsDocumented(t *testing.T) {
	page, err := os.ReadFile("../docs/SCENES.md")
	require.NoError(t, err)
	code := map[string]bool{}
	for i, part := range strings.Split(string(page), "`") { // every second one is code, in line or a block
		if i%2 == 1 {
			for _, word := range regexp.MustCompile(`\w+`).FindAllString(part, -1) {
				code[word] = true
			}
		}
	}
	keys := slices.Concat(textureKeys, tableKinds, TransformKinds)
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, name := range files {
		file, err := goparser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if f, ok := call.Fun.(*ast.SelectorExpr); !ok || f.Sel.Name != "Keys" {
				return true
			}
			for _, arg := range call.Args[1:] {
				if lit, ok := arg.(*ast.BasicLit); ok {
					key, err := strconv.Unquote(lit.Value)
					require.NoError(t, err)
					keys = append(keys, key)
				}
			}
			return true
		})
	}
	require.Greater(t, len(keys), 100)
	for _, key := range keys {
		require.True(t, code[key], "docs/SCENES.md does not name the key %q", key)
	}
}

// TestCurves holds curves to their keys, between them, and around.
func TestCurves(t *testing.T) {
	c := &Curve{Keys: []Key{{1, []float64{0, 10}}, {3, []float64{4, 20}}}}
	require.Equal(t, []float64{0, 10}, c.At(0))
	require.Equal(t, []float64{2, 15}, c.At(2))
	require.Equal(t, []float64{4, 20}, c.At(9))
	c.Loop = true
	require.Equal(t, []float64{2, 15}, c.At(4))
	require.Equal(t, []float64{2, 15}, c.At(-2))
	require.Nil(t, (*Curve)(nil).At(1))
}

func TestTables(t *testing.T) {
	require.InDelta(t, 0.25, (&Table{Power: 2}).Make(257)[128], 1e-6)
	steps := (&Table{Steps: [][2]float64{{0, 0.1}, {0.5, 0.9}}}).Make(257)
	require.Equal(t, float32(0.1), steps[127])
	require.Equal(t, float32(0.9), steps[128])
	// Signed tables hold 0 to 1 first, then -1 to 0.
	signed := (&Table{Points: [][2]float64{{-1, 0}, {1, 1}}, Signed: true}).Make(256)
	require.InDelta(t, 0.5, signed[0], 1e-6)
	require.InDelta(t, 0, signed[128], 1e-6)
}

func FuzzParse(f *testing.F) {
	for _, name := range []string{"lit", "gas", "shadow", "cel"} {
		data, err := os.ReadFile("../testdata/scenes/" + name + ".yaml")
		require.NoError(f, err)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		s, err := Parse("f.yaml", src)
		if err == nil {
			require.NotNil(t, s)
			s.Files()
		}
	})
}
