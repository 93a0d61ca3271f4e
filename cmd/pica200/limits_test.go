//go:build unix

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The rule for files that scenes name (TestFilesThatFilesName) holds in all commands that draw, and for the scenes of golden cases.
func TestEveryCommandReadsBelowRoots(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for name, text := range map[string]string{"away/t.png": mustRead(t, "../../testdata/golden/lit-color.png"), "suite/a.case.yaml": "source: ../s/s.yaml\n",
		"s/s.yaml": "models: {q: {shape: quad}}\ntextures: {a: {file: ../away/t.png}}\ndraws: [{model: q, textures: [a]}]\n"} {
		require.NoError(t, os.MkdirAll(filepath.Dir(at(name)), 0o777))
		require.NoError(t, os.WriteFile(at(name), []byte(text), 0o666))
	}
	for _, line := range []string{"render s/s.yaml -o x.png", "explain s/s.yaml 1 1", "trace save s/s.yaml -o x.ctf", "inspect --stats s/s.yaml", "golden run suite"} {
		t.Chdir(dir)
		stdout, stderr := ends(t, exitFailed, strings.Fields(line)...)
		require.Contains(t, stdout+stderr, "lies outside of the folder", line)
		require.Contains(t, stdout+stderr, "--root", line)
		status, stdout, stderr := invoke(t, append(strings.Fields(line), "--root", "s", "--root", "away")...)
		require.True(t, status == exitDone || strings.Contains(stdout, "no approved image yet"), "%s: %s%s", line, stdout, stderr)
	}
}

// A command that runs longer than --timeout exits with status 1 and says so.
func TestTimeout(t *testing.T) {
	trace, scene := demoTrace(t), "../../testdata/scenes/lit.yaml"
	dir := t.TempDir()
	for _, line := range []string{
		"render TRACE -o OUT/", "render SCENE -o OUT/a.png", "bench TRACE", "explain TRACE 1 1", "explain SCENE 1 1",
		"gallery ../../testdata/scenes -o OUT/", "trace save SCENE -o OUT/a.ctf", "scene from TRACE -o OUT/",
	} {
		t.Run(line, func(t *testing.T) {
			args := strings.Fields(strings.NewReplacer("TRACE", trace, "SCENE", scene, "OUT", dir).Replace(line))
			_, stderr := ends(t, exitFailed, append(args, "--timeout", "1ns")...)
			require.Equal(t, "pica200: not done after 1ns, the time of --timeout\n", stderr)
			require.Empty(t, listFiles(t, dir))
			ends(t, exitUsage, append(args, "--timeout", "-1s")...)
		})
	}
	stdout, _ := ends(t, 1, "golden", "run", "../../testdata/golden", "--only", "lit", "--timeout", "1ns")
	require.Contains(t, stdout, "not done after 1ns")
	ok(t, "golden", "run", "../../testdata/golden", "--only", "lit", "--timeout", "5m")
}

// Blocking calls, like reading a pipe without a writer, are ended by --timeout too.
func TestTimeoutDuringBlockingRead(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe.ctf")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	cmd := program(t, "bench", pipe, "--timeout", "100ms")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	start := time.Now()
	require.NoError(t, cmd.Start())
	require.Equal(t, exitFailed, wait(t, cmd))
	require.Equal(t, "pica200: not done after 100ms, the time of --timeout\n", stderr.String())
	require.GreaterOrEqual(t, time.Since(start), grace)
}
