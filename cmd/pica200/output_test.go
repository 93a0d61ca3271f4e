//go:build unix

package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func put(text string) func(*bufio.Writer) error {
	return func(w *bufio.Writer) error {
		_, err := w.WriteString(text)
		return err
	}
}

func content(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(data)
}

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	t.Run("new and replaced", func(t *testing.T) {
		require.NoError(t, writeFile(path, put("one")))
		require.NoError(t, writeFile(path, put("two")))
		require.Equal(t, "two", content(t, path))
	})
	t.Run("a failure leaves the old file and nothing else", func(t *testing.T) {
		require.Error(t, writeFile(path, func(w *bufio.Writer) error {
			w.WriteString(strings.Repeat("x", 1<<16))
			return errors.New("no")
		}))
		require.Equal(t, "two", content(t, path))
		require.Equal(t, []string{"a"}, listFiles(t, dir))
	})
	t.Run("a link is followed", func(t *testing.T) {
		link := filepath.Join(t.TempDir(), "link")
		require.NoError(t, os.Symlink(path, link))
		require.NoError(t, writeFile(link, put("three")))
		require.Equal(t, "three", content(t, path))
		info, err := os.Lstat(link)
		require.NoError(t, err)
		require.NotZero(t, info.Mode()&os.ModeSymlink)
	})
	t.Run("a pipe is written to, not replaced", func(t *testing.T) {
		pipe := filepath.Join(t.TempDir(), "pipe")
		require.NoError(t, syscall.Mkfifo(pipe, 0o600))
		got := make(chan string)
		go func() {
			f, err := os.Open(pipe)
			if err != nil {
				got <- err.Error()
				return
			}
			defer f.Close()
			data, _ := io.ReadAll(f)
			got <- string(data)
		}()
		require.NoError(t, writeFile(pipe, put("through")))
		require.Equal(t, "through", <-got)
		info, err := os.Lstat(pipe)
		require.NoError(t, err)
		require.NotZero(t, info.Mode()&os.ModeNamedPipe)
	})
	t.Run("errors name the file that was asked for", func(t *testing.T) {
		require.EqualError(t, writeFile(dir+"/no/x.png", put("")), dir+"/no/x.png cannot be written: there is no folder "+dir+"/no")
		require.ErrorContains(t, writeFile(dir, put("")), "is a folder")
		require.ErrorContains(t, writeFile("", put("")), "empty")
		require.ErrorContains(t, writeFile(path+"/x", put("")), "not a directory")
	})
}

func TestRenderRefuses(t *testing.T) {
	trace := demoTrace(t)
	dir := t.TempDir()
	for _, c := range []struct{ name, out, want string }{
		{"the trace itself", trace, "in the trace's place"},
		{"a folder without its slash", dir, dir + "/ puts every picture"},
		{"another format", filepath.Join(dir, "x.JPG"), "pictures are PNG files"},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, _, stderr := invoke(t, "render", trace, "-o", c.out)
			require.Equal(t, exitUsage, status)
			require.Contains(t, stderr, c.want)
		})
	}
	require.Empty(t, listFiles(t, dir))
	status, stdout, stderr := invoke(t, "render", trace, "-o", "-")
	require.Zero(t, status, stderr)
	require.True(t, strings.HasPrefix(stdout, "\x89PNG"))
}

// Obvious mistakes are answered with what to do instead.
func TestMistakes(t *testing.T) {
	trace := demoTrace(t)
	scene := "../../testdata/scenes/lit.yaml"
	out := filepath.Join(t.TempDir(), "out.png")
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"render", "nothere.ctf", "-o", out}, exitFailed, "nothere.ctf: no such file"},
		{[]string{"render", t.TempDir(), "-o", out}, exitFailed, "is a directory"},
		{[]string{"render", "main.go", "-o", out}, exitFailed, "main.go is neither a trace"},
		{[]string{"render", trace}, exitUsage, "--out"},
		{[]string{"render", trace, "-o", out, "--worker", "2"}, exitUsage, `did you mean "--workers"`},
		{[]string{"render", trace, "-o", out, "--frame", "9"}, exitFailed, "there is no frame 9; the trace has 2"},
		{[]string{"render", scene, "-o", out, "--frame", "9"}, exitUsage, "there is no frame 9; --frames is 1"},
		{[]string{"explain", scene, "1", "1", "--frame", "1"}, exitUsage, "--time"},
		{[]string{"trace", "save", trace, "-o", out}, exitFailed, "is a trace already"},
		{[]string{"bench", scene}, exitFailed, "it looks like a scene"},
		{[]string{"gallery", "nothere", "-o", out}, exitFailed, "nothere: no such file"},
		{[]string{"disasm", scene}, exitFailed, "no shader binary in this text"},
		{[]string{"rendr", trace}, exitUsage, `did you mean "render"`},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			status, _, stderr := invoke(t, c.args...)
			require.Equal(t, c.status, status, stderr)
			require.Contains(t, stderr, c.want)
			require.NoFileExists(t, out)
		})
	}
}
