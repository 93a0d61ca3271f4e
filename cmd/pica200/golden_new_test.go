package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"mvdan.cc/sh/v3/shell"

	"pica200/tests/testkit"
)

// Notes of render are repeated, a blank picture needs --blank, and each of many sources gets a case.
func TestGoldenNewNotes(t *testing.T) {
	dir := t.TempDir()
	suite := filepath.Join(dir, "suite")
	path := func(name, text string) string {
		p := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(p, []byte(text), 0o666))
		return p
	}
	const box = "models: {b: {shape: box}}\n"
	seen := path("seen.yaml", box+"draws: [{model: b}]\n")
	blank := path("blank.yaml", box+"target: {clear: {color: [0.1, 0.1, 0.2, 1]}}\ndraws: [{model: b}]\n")
	other := path("other.yaml", box+"draws: [{model: b}]\n")
	const names = "names no depth"
	_, stderr := ends(t, exitFailed, "golden", "new", suite, seen, blank, other)
	require.Contains(t, stderr, names)
	require.Contains(t, stderr, "--blank approves it")
	require.FileExists(t, filepath.Join(suite, "seen.case.yaml"))
	require.FileExists(t, filepath.Join(suite, "other.case.yaml"))
	require.NoFileExists(t, filepath.Join(suite, "blank.case.yaml"))
	fails(t, exitUsage, "--name is for one source", "golden", "new", suite, seen, other, "--name", "x")
	_, stderr = ends(t, exitDone, "golden", "new", suite, blank, "--blank")
	require.Contains(t, stderr, names)
	out, stderr := ends(t, exitDone, "golden", "run", suite)
	require.Contains(t, out, "3 match")
	require.Contains(t, stderr, "note: blank: ")
	require.Contains(t, stderr, names)
	require.NoError(t, os.Remove(filepath.Join(suite, "blank-color.png")))
	_, _ = ends(t, 1, "golden", "update", suite)
	require.NoFileExists(t, filepath.Join(suite, "blank-color.png"))
	ok(t, "golden", "update", suite, "--blank")
	require.FileExists(t, filepath.Join(suite, "blank-color.png"))
}

// A new case is written with a picture that later runs match; a source that cannot be drawn leaves no files.
func TestGoldenNew(t *testing.T) {
	dir := t.TempDir()
	suite := filepath.Join(dir, "suite")
	scene := filepath.Join(dir, "scenes", "lit.yaml")
	require.NoError(t, os.MkdirAll(filepath.Dir(scene), 0o777))
	require.NoError(t, os.WriteFile(scene, []byte(mustRead(t, "../../testdata/scenes/lit.yaml")), 0o666))
	listed := func() []string { return slices.Sorted(maps.Keys(snapshot(t, suite))) }

	out := ok(t, "golden", "new", suite, scene)
	require.Equal(t, filepath.Join(suite, "lit.case.yaml")+"\n  color: look at "+filepath.Join(suite, "lit-color.png")+"\n", out)
	require.Equal(t, []string{filepath.Join(suite, "lit-color.png"), filepath.Join(suite, "lit.case.yaml")}, listed())
	out = ok(t, "golden", "new", suite, scene, "--name", "deep/still", "--target", "depth", "--target", "color", "--time", "0.5")
	require.Contains(t, out, "  depth: look at "+filepath.Join(suite, "deep", "still-depth.png"))
	require.Equal(t, "source: \"../../scenes/lit.yaml\"\nt: 0.5\nimages:\n  - target: depth\n  - target: color\n", mustRead(t, filepath.Join(suite, "deep", "still.case.yaml")))
	require.Contains(t, ok(t, "golden", "run", suite), "2 match")

	exported := filepath.Join(dir, "game", "scene.yaml") // of two screens; named by its folder
	require.NoError(t, os.MkdirAll(filepath.Dir(exported), 0o777))
	require.NoError(t, os.WriteFile(exported, []byte(`target: {width: 240, height: 400, screen: top}
models: {b: {shape: box}}
passes: [{name: low, target: {width: 240, height: 320, screen: bottom}, draws: [{model: b}]}]
draws: [{model: b}]
`), 0o666))
	ok(t, "golden", "new", suite, exported)
	require.Equal(t, "source: \"../game/scene.yaml\"\nimages:\n  - target: top\n  - target: bottom\n", mustRead(t, filepath.Join(suite, "game.case.yaml")))

	before, odd := listed(), filepath.Join(t.TempDir(), "a\nb.yaml")
	require.NoError(t, os.WriteFile(odd, nil, 0o666))
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{scene}, 2, "exists already; --name gives the case another name"},
		{[]string{scene, "--name", "../out"}, 2, "is not a name for a file below the suite"},
		{[]string{filepath.Join(dir, "none.yaml")}, 1, "none.yaml"},
		{[]string{odd}, 1, `: "a\nb" is not a name for a case; --name gives another`},
		{[]string{scene, "--name", "x", "--target", "what"}, 1, "what"},
		{[]string{scene, "--name", "x", "--target", "gas"}, 1, "gas"},
	} {
		fails(t, c.status, c.want, append([]string{"golden", "new", suite}, c.args...)...)
		require.Equal(t, before, listed(), "%q left something", c.args)
	}

	// A picture that is there is kept, and a link is not followed out of the suite.
	picture, gone, out2 := filepath.Join(suite, "holiday-color.png"), filepath.Join(suite, "gone-depth.png"), filepath.Join(suite, "out")
	require.NoError(t, os.WriteFile(picture, []byte("mine"), 0o666))
	fails(t, 2, picture+" exists already", "golden", "new", suite, scene, "--name", "holiday")
	require.NoError(t, os.Symlink(filepath.Join(dir, "new.png"), gone))
	fails(t, 2, gone+" exists already", "golden", "new", suite, scene, "--name", "gone", "--target", "color", "--target", "depth")
	require.NoError(t, os.Symlink(dir, out2))
	fails(t, 1, "leads out of the folder", "golden", "new", suite, scene, "--name", "out/a")
	require.Equal(t, "mine", mustRead(t, picture))
	require.Equal(t, []string{"game", "scenes", "suite"}, listFiles(t, dir))
	for _, path := range []string{picture, gone, out2} {
		require.NoError(t, os.Remove(path))
	}
	require.Equal(t, before, listed())

	// A missing picture gives the command that approves it, which works unchanged.
	require.NoError(t, os.Remove(filepath.Join(suite, "deep", "still-depth.png")))
	spaced := filepath.Join(dir, "the suite")
	require.NoError(t, os.Rename(suite, spaced))
	out, _ = ends(t, 1, "golden", "run", spaced)
	_, command, found := strings.Cut(out, "then: pica200 golden ")
	require.True(t, found, out)
	command, _, _ = strings.Cut(command, "\n")
	require.Contains(t, command, "'"+spaced+"'")
	ok(t, append([]string{"golden"}, testkit.Must(shell.Fields(command, nil))(t)...)...)
	require.NoError(t, os.Rename(spaced, suite))
	require.Equal(t, before, listed())
}
