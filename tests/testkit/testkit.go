// Package testkit holds what tests of several packages share: where recorded traces and real files are, and what a test reports
// without them. It imports nothing of this project, so that any test can use it; other code may not import it (tests/layout).
//
// There are two sources of files. testdata/traces is part of the repository and has small traces of our own. ../shared, beside the
// repository, has traces recorded by other programs and a corpus of real files; a test that needs those is skipped if the folder is
// missing, and "make ci" reports that. A name that is missing in an existing folder is a mistake and fails.
package testkit

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	recordedFolder = "conformance/traces"
	corpusFolder   = "corpus"
)

// Repository returns the path of the repository.
func Repository(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("the test does not run in a folder of the repository")
		}
		dir = up
	}
}

func shared(t testing.TB, path string) string {
	t.Helper()
	return filepath.Join(filepath.Dir(Repository(t)), "shared", filepath.FromSlash(path))
}

// needs skips the test if a folder of ../shared is missing.
func needs(t testing.TB, what, folder string) string {
	t.Helper()
	dir := shared(t, folder)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no %s in ../shared/%s", what, folder)
	}
	return dir
}

// Corpus returns the real files whose path in the corpus matches the pattern, as
// of filepath.Match: "shbin/*.shbin". The test is skipped without the corpus.
func Corpus(t testing.TB, pattern string) []string {
	t.Helper()
	return match(t, needs(t, "corpus of real files", corpusFolder), pattern)
}

// Conformance returns the path of a file of the conformance set that is not a trace. The test is skipped without the set.
func Conformance(t testing.TB, name string) string {
	t.Helper()
	needs(t, "recorded traces", recordedFolder)
	return shared(t, "conformance/"+name)
}

// Seeds returns the collected web pages whose name matches the pattern. The test
// is skipped without them.
func Seeds(t testing.TB, pattern string) []string {
	t.Helper()
	return match(t, needs(t, "collected web pages", "seeds"), pattern)
}

func match(t testing.TB, dir, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
	if err != nil || len(files) == 0 {
		t.Fatalf("no file matches %s in %s (%v)", pattern, dir, err)
	}
	return files
}

// Trace is a trace file.
type Trace struct {
	Name, Path string
}

// Read returns the file's bytes.
func (tr Trace) Read(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile(tr.Path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Recorded returns the traces of ../shared/conformance, those whose name matches
// the pattern. The test is skipped without them.
func Recorded(t testing.TB, pattern string) []Trace {
	t.Helper()
	return traces(match(t, needs(t, "recorded traces", recordedFolder), pattern+".ctf"))
}

// Own returns the traces of testdata/traces.
func Own(t testing.TB) []Trace {
	t.Helper()
	return traces(match(t, filepath.Join(Repository(t), "testdata", "traces"), "*.ctf"))
}

// Traces returns our own traces and the recorded ones, if present. It never skips.
func Traces(t testing.TB) []Trace {
	t.Helper()
	all := Own(t)
	if _, err := os.Stat(shared(t, recordedFolder)); err == nil {
		all = append(all, Recorded(t, "*")...)
	}
	return all
}

// Named returns the traces with these names that are present: our own, and the recorded ones if present. It never skips, so at
// least one name must be our own.
func Named(t testing.TB, names ...string) []Trace {
	t.Helper()
	there := Traces(t)
	complete := len(there) > len(Own(t))
	var out []Trace
	for _, name := range names {
		i := slices.IndexFunc(there, func(tr Trace) bool { return tr.Name == name })
		switch {
		case i >= 0:
			out = append(out, there[i])
		case complete:
			t.Fatalf("there is no trace %q, neither in testdata/traces nor in ../shared/conformance", name)
		}
	}
	if len(out) == 0 {
		t.Fatalf("none of the traces %v is one of testdata/traces", names)
	}
	return out
}

func traces(paths []string) []Trace {
	out := make([]Trace, len(paths))
	for i, path := range paths {
		out[i] = Trace{strings.TrimSuffix(filepath.Base(path), ".ctf"), path}
	}
	return out
}

// Read returns the contents of an existing file.
func Read(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return data
}
