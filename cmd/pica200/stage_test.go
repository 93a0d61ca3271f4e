package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// TestSceneTraceReplay compares a scene's picture with that of its replayed recording: the files must be equal.
func TestSceneTraceReplay(t *testing.T) {
	testkit.Slow(t)
	scenes := testkit.Must(filepath.Glob("../../testdata/scenes/*.yaml"))(t)
	require.NotEmpty(t, scenes)
	for _, scene := range scenes {
		t.Run(filepath.Base(scene), func(t *testing.T) {
			dir := t.TempDir()
			direct, trace, replayed := filepath.Join(dir, "a.png"), filepath.Join(dir, "b.ctf"), filepath.Join(dir, "c.png")
			ok(t, "render", scene, "-o", direct, "--target", "color", "--quiet")
			ok(t, "trace", "save", scene, "-o", trace, "--quiet")
			ok(t, "render", trace, "-o", replayed, "--target", "color", "--quiet")
			require.True(t, bytes.Equal(testkit.Read(t, direct), testkit.Read(t, replayed)), "the trace of %s replays to another picture", scene)
		})
	}
}

// The note on why nothing is visible refers to the written frame, also for one of several frames and for animations.
func TestNotesBelongToWrittenFrame(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "leaves.yaml")
	require.NoError(t, os.WriteFile(file, []byte("target: {width: 64, height: 64}\nmodels: {q: {shape: quad}}\ndraws: [{model: q, cull: none, color: [1, 0.5, 0, 1], at: {keys: [[0, 0, 0, 0], [1, 0, 0, 50]]}}]\n"), 0o644))
	for _, c := range []struct {
		args []string
		gone bool
	}{
		{[]string{"-o", "a.png"}, false},
		{[]string{"-o", "a.png", "--frames", "2", "--step", "1", "--frame", "0"}, false},
		{[]string{"-o", "a.png", "--frames", "2", "--step", "1", "--frame", "1"}, true},
		{[]string{"-o", "a.gif", "--frames", "2", "--time", "0"}, false},
		{[]string{"-o", "a.gif", "--frames", "2", "--time", "1"}, true},
	} {
		c.args[1] = filepath.Join(dir, c.args[1])
		_, stderr := ends(t, exitDone, append([]string{"render", file}, c.args...)...)
		if c.gone {
			require.Regexp(t, `nothing to see: of 2 triangles 2 are clipped: .*; all 4 vertices: they are behind the camera: the position's w is -\d+`, stderr, c.args)
		} else {
			require.NotContains(t, stderr, "nothing to see", c.args)
		}
	}
}
