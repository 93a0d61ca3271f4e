//go:build unix

package golden_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/golden"
	"pica200/tests/testkit"
)

// A program case runs the program with the case's arguments, if programs are allowed, and renders its recording.
func TestProgramCaseRunsProgram(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755))
	}
	trace := testkit.Must(filepath.Abs("../testdata/traces/arcs.ctf"))(t)
	// This script stores its arguments and copies an existing recording.
	write("game", "#!/bin/sh\necho \"$@\" > '"+dir+"/called'\nwhile [ \"$1\" != --record ]; do shift; done\ncp '"+trace+"' \"$2\"\n")
	write("broken", "#!/bin/sh\necho \"broken: it has no luck, in draw (main.c:3)\" >&2\nexit 1\n")
	write("a.case.yaml", "source: {program: game, frame: 0, keys: a.keys, slider: 0.25}\nimages: [{target: color, expected: [{sha256: new, from: self}]}]\n")
	write("b.case.yaml", "source: {program: ./broken, frame: 3}\n")
	write("c.case.yaml", "source: {program: game}\n")
	run := func(o golden.Options) []golden.CaseResult {
		r := testkit.Must(golden.RunDir(t.Context(), dir, o))(t)
		return r.Cases
	}

	game := filepath.Join(dir, "game")
	cases := run(golden.Options{Run: []string{filepath.Join(dir, "broken")}})
	require.Contains(t, cases[0].Error, "the case runs the program "+game+", and needs --run "+game+" for that")
	require.Contains(t, cases[1].Error, "exit status 1: broken: it has no luck, in draw (main.c:3)")
	require.Contains(t, cases[2].Error, "{program: ./game, frame: 60} is expected")
	require.NoFileExists(t, filepath.Join(dir, "called"))

	o := golden.Options{Run: []string{game}, Only: []string{"a"}, Workers: 2}
	require.Equal(t, golden.Differs, run(o)[0].Status)
	write("d.case.yaml", "source: {program: game, frame: 0}\nimages: [{target: color, expected: [{file: d.png, from: self}]}]\n")
	fresh := run(golden.Options{Run: []string{game}, Only: []string{"d"}})[0]
	require.Empty(t, fresh.Error)
	require.Contains(t, fresh.Images[0].Message, "--only d:color --run "+game, "the message suggests a command that works")
	o.Update = true
	run(o)
	o.Update = false
	require.Equal(t, golden.Match, run(o)[0].Status)
	called := testkit.Read(t, filepath.Join(dir, "called"))
	require.Regexp(t, `^--frames 1 --record \S+/program.picatrace --workers 2 --slider 0.25 --keys `+dir+`/a.keys\n$`, string(called))
}
