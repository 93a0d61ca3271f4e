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
		require.Equal(t, []string{"a"}, files(t, dir))
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
	require.Empty(t, files(t, dir))
	status, stdout, stderr := invoke(t, "render", trace, "-o", "-")
	require.Zero(t, status, stderr)
	require.True(t, strings.HasPrefix(stdout, "\x89PNG"))
}
