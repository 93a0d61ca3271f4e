package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// code is a package whose tests find some mutants and miss others.
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
	// forms has every form of function whose body can be replaced.
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

// Each mutant gets the result of its tests. Known results are not repeated, and the source stays unchanged.
func TestRun(t *testing.T) {
	testkit.Slow(t)
	dir := module(t)
	work := t.TempDir()
	results, page := filepath.Join(work, "results"), filepath.Join(work, "page.md")
	named := ""
	again := func(retry string, args ...string) string {
		require.NoError(t, run(t.Context(), 1, 0, 2, work, results, page, false, time.Minute, retry, named, args))
		data := testkit.Read(t, page)
		return string(data)
	}
	first := again("", "small.go:5-20", "forms.go")
	tried := testkit.Read(t, results)
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
	second := testkit.Read(t, results)
	require.Equal(t, string(tried), string(second), "a second run repeats no known mutant")
	again(lived, "small.go:12-13")
	third := testkit.Read(t, results)
	require.Greater(t, len(third), len(second), "mutants with a requested result are run again")
	named = filepath.Join(work, "names")
	name := "small.go | Grow | x += 2 | the statement is gone | 0"
	require.NoError(t, os.WriteFile(named, []byte("small.go | None | x | gone | 0\n"+name+"\n"), 0o644))
	one := again("", "small.go")
	require.Contains(t, one, "Seed 1 drew 1 of 1 possible changes")
	require.Contains(t, one, "- lived: `small.go:12` the statement is gone: `x += 2`\n")
	named = ""
	is := testkit.Read(t, filepath.Join(dir, "small.go"))
	require.Equal(t, code, string(is))

	// An added test of Grow changes the results.
	require.NoError(t, os.WriteFile(filepath.Join(dir, "more_test.go"),
		[]byte("package small\n\nimport \"testing\"\n\nfunc TestMore(t *testing.T) {\n\tif Grow(5) != 21 {\n\t\tt.Fatal()\n\t}\n}\n"), 0o644))
	require.NotContains(t, again("", "small.go:10-12"), "## Alive")
}

// Mutants that survive the package's short tests are run against its slow tests and those of other packages; a test that times out
// counts as no test.
func TestSurvivorsRunSlowTests(t *testing.T) {
	testkit.Slow(t)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":         "module small\n\ngo 1.24\n",
		"a/a.go":         "package a\n\nfunc A(x int) int {\n\tx += 2\n\tx += 3\n\treturn x\n}\n\nfunc B(x int) int {\n\treturn x\n}\n",
		"a/a_test.go":    "package a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {\n\tif x := A(1); x == 3 || !testing.Short() && x < 5 {\n\t\tt.Fatal(x)\n\t}\n}\n",
		"b/b_test.go":    "package b\n\nimport (\n\t\"small/a\"\n\t\"testing\"\n)\n\nfunc TestB(t *testing.T) {\n\tif a.A(1) != 6 {\n\t\tt.Fatal()\n\t}\n}\n",
		"b/slow_test.go": "package b\n\nimport (\n\t\"small/a\"\n\t\"testing\"\n\t\"time\"\n)\n\nfunc TestC(t *testing.T) {\n\tfor start := time.Now(); time.Since(start) < time.Minute; {\n\t}\n\tif a.B(1) != 1 {\n\t\tt.Fatal()\n\t}\n}\n",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o777))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	t.Chdir(dir)
	others["a"] = []string{"b"}
	defer delete(others, "a")
	work := t.TempDir()
	page := filepath.Join(work, "page.md")
	require.NoError(t, run(t.Context(), 1, 0, 2, work, filepath.Join(work, "results"), page, false, 2*time.Second, "", "", []string{"./a"}))
	report := string(testkit.Read(t, page))
	require.Contains(t, report, "| `a` | 8 | 1 | 6 | 0 | 1 | 0 | 87.5 % |\n")
	require.Contains(t, report, "- uncovered: `a/a.go:9` it returns at once: `func B(x int) int {`\n")
	data := string(testkit.Read(t, filepath.Join(work, "results")))
	require.Equal(t, 4, strings.Count(data, `"status":"killed","look":"its long tests","by":"TestA"`), data)
	require.Equal(t, 2, strings.Count(data, `"status":"killed","look":"b","by":"TestB"`))
}

// The sample drawn by a seed stays the same when other code is added to a room.
func TestSampleIsStable(t *testing.T) {
	var all []*mutant
	for i := range 100 {
		all = append(all, &mutant{file: "x.go", nth: i})
	}
	first := draw(all, 7, 30)
	require.Len(t, first, 30)
	require.NotEqual(t, first, draw(all, 8, 30))
	require.Equal(t, first[:20], draw(all, 7, 20))
	slices.Reverse(all)
	rest := slices.DeleteFunc(all, func(m *mutant) bool { return m == first[4] })
	require.Equal(t, slices.Delete(slices.Clone(first), 4, 5), draw(rest, 7, 29))
}

// Names of mutants are unique and independent of other changes in the file. A line range and a sample size restrict the list.
func TestMutantsOf(t *testing.T) {
	list := testkit.Must(mutantsOf("small.go", []byte(code)))(t)
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
	folder := testkit.Must(mutantsOf("x.go", []byte("package x\n\nvar it = 3\n\nfunc f() {\n\t_ = make([]int, 4+5, 6*7)\n}\n")))(t)
	for _, m := range folder {
		require.NotContains(t, m.what, "6")
		require.NotContains(t, m.what, "*")
	}
	require.Len(t, folder, 5)
	generated := testkit.Must(mutantsOf("x.go", []byte("// Code generated by x. DO NOT EDIT.\n\n"+code)))(t)
	require.Empty(t, generated)
	module(t)
	packages := testkit.Must(load(t.Context(), []string{"small.go:5"}))(t)
	for _, m := range packages[0].mutants {
		require.Equal(t, 5, m.line)
	}
	require.Len(t, packages[0].mutants, 6)
}
