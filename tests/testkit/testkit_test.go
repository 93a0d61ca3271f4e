package testkit

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// ending records how a function ended its test.
type ending struct {
	testing.TB
	how string
}

func (e *ending) Helper() {}
func (e *ending) Skipf(format string, args ...any) {
	e.how = "skip: " + fmt.Sprintf(format, args...)
	runtime.Goexit()
}
func (e *ending) Fatalf(format string, args ...any) {
	e.how = "fail: " + fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func endOf(f func(t testing.TB)) string {
	e := &ending{}
	done := make(chan bool)
	go func() { defer close(done); f(e) }()
	<-done
	return e.how
}

func expect(t *testing.T, got, want string) {
	t.Helper()
	if !strings.Contains(got, want) || want == "" && got != "" {
		t.Errorf("ended with %q, expected %q", got, want)
	}
}

// Missing optional files skip a test, and unknown names fail it, tried in a temporary repository.
func TestMissingFilesSkipAndWrongNamesFail(t *testing.T) {
	dir := t.TempDir()
	write := func(path string) {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(path), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("repo/go.mod")
	write("repo/testdata/traces/ours.ctf")
	write("repo/deep/down/x.go")
	t.Chdir(filepath.Join(dir, "repo", "deep", "down"))

	expect(t, endOf(func(t testing.TB) { Recorded(t, "*") }), "skip: no recorded traces in ../shared/conformance")
	expect(t, endOf(func(t testing.TB) { Conformance(t, "x") }), "skip: no recorded traces")
	expect(t, endOf(func(t testing.TB) { Corpus(t, "a/*") }), "skip: no corpus of real files in ../shared/corpus")
	expect(t, endOf(func(t testing.TB) { Seeds(t, "*") }), "skip: no collected web pages in ../shared/seeds")
	names := func(all []Trace) (s string) {
		for _, tr := range all {
			s += tr.Name + " "
		}
		return s
	}
	expect(t, names(Traces(t))+"|", "ours |")
	expect(t, names(Named(t, "ours", "theirs"))+"|", "ours |")
	expect(t, endOf(func(t testing.TB) { Named(t, "theirs") }), "fail: none of the traces [theirs]")

	write("shared/conformance/traces/theirs.ctf")
	write("shared/corpus/a/x.bin")
	expect(t, names(Traces(t))+"|", "ours theirs |")
	expect(t, names(Named(t, "ours", "theirs"))+"|", "ours theirs |")
	expect(t, endOf(func(t testing.TB) { Named(t, "ours", "thiers") }), `fail: there is no trace "thiers"`)
	expect(t, endOf(func(t testing.TB) { Recorded(t, "o*") }), "fail: no file matches")
	expect(t, endOf(func(t testing.TB) { Corpus(t, "b/*") }), "fail: no file matches")
	if data := Recorded(t, "t*")[0].Read(t); !strings.HasSuffix(string(data), "theirs.ctf") {
		t.Errorf("read %q", data)
	}
}

// failure is a test that goes on after FailNow, to be looked at.
type failure struct {
	text  string
	ended bool
}

func (f *failure) Errorf(format string, args ...any) { f.text += fmt.Sprintf(format, args...) }
func (f *failure) FailNow()                          { f.ended = true }

func TestMust(t *testing.T) {
	require.Equal(t, 5, Must(strconv.Atoi("5"))(t))
	var f failure
	Must(strconv.Atoi("five"))(&f, "the number of %s", "frames")
	require.True(t, f.ended)
	require.Contains(t, f.text, `parsing "five": invalid syntax`)
	require.Contains(t, f.text, "the number of frames")
}
