package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// A module of a package with tests that notice some mistakes, and none of others.
const (
	code = `package small

// Abs is the distance from 0.
func Abs(x int) int {
	if x < 0 {
		x = -x
	}
	return x
}

func Grow(x int) int {
	x += 2
	switch {
	case x > 99:
		return 0
	}
	return x * 3
}

func unseen() int { return 7 }
`
	tests = `package small

import "testing"

func TestAbs(t *testing.T) {
	if Abs(-3) != 3 || Abs(4) != 4 {
		t.Fatal("abs")
	}
}

func TestGrow(t *testing.T) { Grow(5) }
`
	// All that a function may be whose body is chosen.
	forms = `package small

type pair[K comparable, V any] struct {
	k K
	v V
}

func (p pair[K, V]) has(_ int, list ...K) (yes bool) {
	for _, k := range list {
		yes = yes || k == p.k
	}
	return
}

func (pair[K, V]) put(to *V, _, _ int) { var v V; *to = v }

func last[K comparable](list ...K) K { return list[len(list)-1] }

func twice(int, string) (int, error) {
again:
	for {
		break again
	}
	return 2, nil
}

var state = 1

// caught is called by a panic.
func caught() {
	if r := recover(); r != nil {
		state += 4
	}
}

func init() {
	defer caught()
	state *= 3
	panic("caught")
}
`
	formsTests = `package small

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

func TestForms(t *testing.T) {
	p, s := pair[int, string]{3, "three"}, "x"
	p.put(&s, 1, 2)
	n, err := twice(1, "")
	if !p.has(0, 1, 2, 3) || p.has(0, 4) || last(5, 6) != 6 || s != "" || n != 2 || err != nil {
		t.Fatal("forms")
	}
}

// This one fails where many changes are in one binary, and says nothing there.
func TestAlone(t *testing.T) {
	is, _ := os.ReadFile(os.Args[0])
	if bytes.Contains(is, []byte(strings.Join([]string{"PICA200", "MUTANT"}, "_"))) || state != 7 {
		t.Fatal("state")
	}
}
`
)

func module(t *testing.T) string {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module small\n\ngo 1.24\n", "small.go": code, "small_test.go": tests,
		"forms.go": forms, "forms_test.go": formsTests} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	t.Chdir(dir)
	return dir
}

// Each change becomes of what its tests say; what is known is not tried again, and
// nothing of the source changes.
func TestRun(t *testing.T) {
	testkit.Slow(t)
	dir := module(t)
	work := t.TempDir()
	results, page := filepath.Join(work, "results"), filepath.Join(work, "page.md")
	again := func(retry string, args ...string) string {
		require.NoError(t, run(t.Context(), 1, 0, 2, work, results, page, false, retry, args))
		data, err := os.ReadFile(page)
		require.NoError(t, err)
		return string(data)
	}
	first := again("", "small.go:5-20", "forms.go")
	tried, err := os.ReadFile(results)
	require.NoError(t, err)
	for _, line := range []string{
		"- lived: `small.go:5` < becomes <=: `if x < 0 {`\n",
		"- lived: `small.go:12` the statement is gone: `x += 2`\n", "- lived: `small.go:14` > becomes >=: `case x > 99:`\n", "- lived: `small.go:17` * becomes /: `return x * 3`\n",
		"- uncovered: `small.go:20` 7 becomes one more: `func unseen() int { return 7 }`\n",
	} {
		require.Contains(t, first, line)
	}
	for _, dead := range []string{"`small.go:5` < becomes >=", "`small.go:5` the condition", "`small.go:6`"} {
		require.NotContains(t, first, dead)
	}
	for _, line := range []string{"- lived: `forms.go:31` the condition is true: `if r := recover(); r != nil {`"} {
		require.Contains(t, first, line)
	}
	require.Equal(t, first, again("", "small.go:5-20", "forms.go"))
	second, err := os.ReadFile(results)
	require.NoError(t, err)
	require.Equal(t, string(tried), string(second), "nothing is tried twice")
	again(lived, "small.go:12-13")
	third, err := os.ReadFile(results)
	require.NoError(t, err)
	require.Greater(t, len(third), len(second), "but for what shall be")
	is, err := os.ReadFile(filepath.Join(dir, "small.go"))
	require.NoError(t, err)
	require.Equal(t, code, string(is))

	// With a test that looks at what grows, other results count.
	require.NoError(t, os.WriteFile(filepath.Join(dir, "more_test.go"),
		[]byte("package small\n\nimport \"testing\"\n\nfunc TestMore(t *testing.T) {\n\tif Grow(5) != 21 {\n\t\tt.Fatal()\n\t}\n}\n"), 0o644))
	require.NotContains(t, again("", "small.go:10-12"), "## Alive")
}

// Changes are named by what stays as the file changes, each differently, and a line
// and a sample restrict them.
func TestMutantsOf(t *testing.T) {
	list, err := mutantsOf("small.go", []byte(code))
	require.NoError(t, err)
	moved, err := mutantsOf("small.go", []byte(strings.Replace(code, "package small\n", "package small\n\nvar before = 1\n", 1)))
	require.NoError(t, err)
	require.Len(t, moved, len(list))
	seen := map[string]bool{}
	for i, m := range list {
		require.False(t, seen[m.name()], m.name())
		seen[m.name()] = true
		require.Equal(t, m.name(), moved[i].name())
		require.NotEqual(t, m.text, code[m.from:m.to])
	}
	generated, err := mutantsOf("x.go", []byte("// Code generated by x. DO NOT EDIT.\n\n"+code))
	require.NoError(t, err)
	require.Empty(t, generated)
	module(t)
	packages, err := load(t.Context(), []string{"small.go:5"})
	require.NoError(t, err)
	for _, m := range packages[0].mutants {
		require.Equal(t, 5, m.line)
	}
	require.Len(t, packages[0].mutants, 6)
}
