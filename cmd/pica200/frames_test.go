//go:build linux

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Several frames need a folder (with numbers padded to the last one's digits), a number in the file name, or an animated format.
func TestSeveralFramesNeedNumberedNames(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, os.WriteFile(at("m.obj"), []byte("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"), 0o666))
	render := func(args ...string) (int, string) {
		status, _, stderr := invoke(t, append([]string{"render", at("m.obj"), "-q", "--size", "16x16"}, args...)...)
		return status, stderr
	}
	for _, args := range [][]string{{"--frames", "12"}, {"--turntable", "12"}} {
		status, stderr := render(append(args, "-o", at("x.png"))...)
		require.Equal(t, exitUsage, status)
		require.Contains(t, stderr, "12 frames are drawn: put %d or %02d into its name, or name a folder")
		require.NoFileExists(t, at("x.png"))
		for _, odd := range []string{"x%s.png", "x%d%d.png", "x%5d.png", "x%%d.png", "x%.png"} {
			status, _ = render(append(args, "-o", at(odd))...)
			require.Equal(t, exitUsage, status, odd)
		}
	}
	for flag, want := range map[string]string{"--frames=1": "(--frames 0-0)", "--frames=2": "(--frames 0-1)", "--scale=2": "sizes of its own", "--time=0": "times",
		"--animation=none": "times", "--camera=whole": "views", "--turntable=3": "views", "--stereo": "views", "--size=16x16": "sizes"} {
		fails(t, exitUsage, want, "render", demoTrace(t), flag, "-o", at("r")+"/")
		require.NoDirExists(t, at("r"))
	}
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"--frames", "11", "-o", at("a") + "/"}, []string{"frame00-color.png", "frame01-color.png", "frame02-color.png", "frame03-color.png", "frame04-color.png",
			"frame05-color.png", "frame06-color.png", "frame07-color.png", "frame08-color.png", "frame09-color.png", "frame10-color.png"}},
		{[]string{"--turntable", "2", "-o", at("b") + "/"}, []string{"frame0-color.png", "frame1-color.png"}},
		{[]string{"--frames", "3", "-o", at("c") + "/n%03d.png"}, []string{"n000.png", "n001.png", "n002.png"}},
		{[]string{"--frames", "3", "--frame", "1", "-o", at("d") + "/%d.png"}, []string{"1.png"}},
		{[]string{"--frames", "3", "--frame", "1", "-o", at("e") + "/x.png"}, []string{"x.png"}},
		{[]string{"-o", at("f") + "/%d.png"}, []string{"0.png"}},
	} {
		folder := filepath.Dir(c.args[len(c.args)-1] + "x")
		require.NoError(t, os.MkdirAll(folder, 0o777))
		status, stderr := render(c.args...)
		require.Zero(t, status, stderr)
		require.Equal(t, c.want, listFiles(t, folder))
	}
	// The same for a trace.
	ok(t, "render", demoTrace(t), "-q", "-o", at("t%02d.png"))
	require.FileExists(t, at("t00.png"))
	require.FileExists(t, at("t01.png"))
}
