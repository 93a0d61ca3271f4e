package main

import (
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/explain/inspect"
	"pica200/tests/testkit"
)

func TestInspect(t *testing.T) {
	const dir = "../../explain/inspect/testdata/"
	bad := filepath.Join(t.TempDir(), "bad")
	require.NoError(t, os.WriteFile(bad, []byte("nothing known"), 0o666))
	harmed := filepath.Join(t.TempDir(), "harmed.obj")
	require.NoError(t, os.WriteFile(harmed, []byte("v 0 0 0\nf 1 2 3\n"), 0o666))
	for _, c := range []struct {
		name           string
		args           []string
		status         int
		stdout, stderr string
	}{
		{"tree", []string{dir + "shader.shbin"}, exitDone, "dp4 o1.x", ""},
		{"hex", []string{"--hex", dir + "list.bin"}, exitDone, "| 02 00 00 00", ""},
		{"as", []string{"--as", "cmdlist", dir + "list.bin"}, exitDone, "GPUREG_FACECULLING_CONFIG: 0x00000002 mode = back", ""},
		{"check", []string{"--check", dir + "mali.mbs"}, exitDone, "", ""},
		{"check with notes", []string{"--check", dir + "trace.ctf"}, exitDone, "note", ""},
		{"check with problems", []string{"--check", harmed}, exitFailed, "index 2: there are 1", ""},
		{"only", []string{"--only", "header/version", dir + "trace.ctf"}, exitDone, "version: 1\n", ""},
		{"only, not there", []string{"--only", "header/nothing", dir + "trace.ctf"}, exitFailed, "", `there is no "nothing" in header; there are "magic", "version"`},
		{"brief", []string{"--brief", dir + "trace.ctf"}, exitDone, "header (", ""},
		{"brief as JSON", []string{"--brief", "--json", dir + "trace.ctf"}, exitUsage, "", "--brief is text"},
		{"a part checked", []string{"--check", "--only", "header", dir + "trace.ctf"}, exitUsage, "", "--check checks the whole file"},
		{"a part of draws", []string{"--draws", "--only", "header", dir + "trace.ctf"}, exitUsage, "", "are for the file's own tree"},
		{"unknown format", []string{bad}, exitFailed, "", "not a format that is known"},
		{"no file", []string{bad + ".not"}, exitFailed, "", "no such file"},
		{"bad format name", []string{"--as", "what", bad}, exitUsage, "", "no format \"what\""},
		{"damaged", []string{"--as", "mbs", bad}, exitFailed, "", "not a valid MBS1 file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			stdout, stderr := ends(t, c.status, append([]string{"inspect"}, c.args...)...)
			require.Contains(t, stdout, c.stdout)
			require.Contains(t, stderr, c.stderr)
		})
	}
	stdout, _ := ends(t, exitFailed, "inspect", "--json", "--check", harmed)
	var v struct {
		Format   string
		Findings []struct{ Level, Message string }
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &v))
	require.Equal(t, "obj", v.Format)
	require.Equal(t, "problem", v.Findings[0].Level)
}

func TestInspectStats(t *testing.T) {
	stdout := ok(t, "inspect", "--stats", "../../testdata/scenes/geometry-particles.yaml")
	require.Contains(t, stdout, " elements  geometry ")
	require.Contains(t, stdout, " fixed ")
	stdout = ok(t, "inspect", "--stats", "--json", "../../testdata/scenes/geometry-loop.yaml")
	var draws []struct {
		GeometryMode string `json:"geometry_mode"`
		Geometry     struct{ Invocations, Emitted, Primitives int }
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &draws))
	require.Len(t, draws, 3)
	require.Equal(t, "variable", draws[0].GeometryMode)
	require.Equal(t, 7*draws[0].Geometry.Invocations, draws[0].Geometry.Emitted)
	require.Equal(t, 4*draws[0].Geometry.Invocations, draws[0].Geometry.Primitives)
	fails(t, exitFailed, "mali.mbs cannot be drawn", "inspect", "--stats", "../../explain/inspect/testdata/mali.mbs")
}

// The text of a large file begins with a summary.
func TestInspectBeginsWithSummary(t *testing.T) {
	list := filepath.Join(t.TempDir(), "list.bin")
	require.NoError(t, os.WriteFile(list, make([]byte, largeFile+8), 0o666))
	stdout := ok(t, "inspect", "--as", "cmdlist", list)
	summary, rest, found := strings.Cut(stdout, "\n\n")
	require.True(t, found)
	require.Contains(t, summary, "cmdlist")
	require.True(t, strings.HasSuffix(summary, " more"))
	require.Less(t, strings.Count(summary, "\n"), 400)
	require.Greater(t, strings.Count(rest, "\n"), 30000)
	stdout = ok(t, "inspect", "--as", "cmdlist", "--brief", list)
	require.Equal(t, summary+"\n", stdout)
}

// inspect limits the program's memory according to the size of the file; what goes through draws collects garbage often.
func TestLimitsMemory(t *testing.T) {
	const path = "../../testdata/traces/lights.ctf"
	con := newConsole(io.Discard, io.Discard)
	var limit int64
	con.setMemoryLimit = func(n int64) int64 { limit = n; return math.MaxInt64 }
	require.Zero(t, run(t.Context(), con, []string{"inspect", path}))
	require.Equal(t, inspect.Memory+4*int64(len(testkit.Read(t, path))), limit)
	for _, args := range [][]string{{"explain", path, "1", "1"}, {"inspect", "--draws", path}} {
		con, percent := newConsole(io.Discard, io.Discard), 100
		con.setGCPercent = func(n int) int { percent = n; return 100 }
		require.Zero(t, run(t.Context(), con, args))
		require.Equal(t, 25, percent, args)
	}
}
