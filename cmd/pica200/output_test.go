//go:build unix

package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRenderRefuses(t *testing.T) {
	trace := demoTrace(t)
	dir := t.TempDir()
	for _, c := range []struct{ name, out, want string }{
		{"the trace itself", trace, "is an input and would be overwritten"},
		{"a folder without its slash", dir, dir + "/ puts every picture"},
		{"another format", filepath.Join(dir, "x.JPG"), "pictures are PNG files"},
	} {
		t.Run(c.name, func(t *testing.T) {
			fails(t, exitUsage, c.want, "render", trace, "-o", c.out)
		})
	}
	require.Empty(t, listFiles(t, dir))
	stdout := ok(t, "render", trace, "-o", "-")
	require.True(t, strings.HasPrefix(stdout, "\x89PNG"))
}

// Common mistakes give an error that says what to do instead.
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
		{[]string{"render", trace, "-o", out, "--frame", "9"}, exitFailed, "there is no frame 9; the recording has 2, 0 to 1"},
		{[]string{"render", scene, "-o", out, "--frame", "9"}, exitUsage, "there is no frame 9; --frames is 1"},
		{[]string{"explain", scene, "1", "1", "--frame", "1"}, exitUsage, "--time"},
		{[]string{"trace", "save", trace, "-o", out}, exitFailed, "is a trace already"},
		{[]string{"bench", scene}, exitFailed, "it looks like a scene"},
		{[]string{"gallery", "nothere", "-o", out}, exitFailed, "nothere: no such file"},
		{[]string{"disasm", scene}, exitFailed, "no shader binary in this text"},
		{[]string{"rendr", trace}, exitUsage, `did you mean "render"`},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			fails(t, c.status, c.want, c.args...)
			require.NoFileExists(t, out)
		})
	}
}
