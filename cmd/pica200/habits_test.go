//go:build linux

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// All commands have the same habits: flags name outputs, -o the first, and its ending is one that the command writes; a result is printed as JSON
// by --json; wrong usage ends with status 2 before any work, a bad input with status 1 and its name.
func TestEveryCommandHasTheSameHabits(t *testing.T) {
	dir := inputs(t)
	before := snapshot(t, dir)
	var walk func(n *kong.Node, path string)
	walk = func(n *kong.Node, path string) {
		for _, child := range n.Children {
			walk(child, strings.TrimSpace(path+" "+child.Name))
		}
		if len(n.Children) == 0 {
			t.Run(path, func(t *testing.T) { habits(t, n, path, dir) })
		}
	}
	walk(testkit.Must(kong.New(&cli{}))(t).Model.Node, "")
	require.Equal(t, before, snapshot(t, dir), "the inputs are unchanged")
}

func habits(t *testing.T, n *kong.Node, path, dir string) {
	flags := map[string]*kong.Flag{}
	for _, f := range n.Flags {
		require.NotEmpty(t, f.Help, f.Name)
		flags[f.Name] = f
		require.Equal(t, f.Short == 'o', f.Name == "out", f.Name)
	}
	for _, p := range n.Positional {
		require.NotContains(t, p.Help, "to write", "-o names outputs")
	}
	require.Equal(t, flags["out"] == nil && flags["json"] == nil, prints[path] != "", "--json or -o, or a reason in prints")
	ends(t, exitUsage, append(strings.Fields(path), "--nonsense")...)
	rows := 0
	for i := range commandRows {
		c := &commandRows[i]
		if c.line != path && !strings.HasPrefix(c.line, path+" ") {
			continue
		}
		if rows++; c.gone != "" {
			continue
		}
		for i, a := range strings.Fields(c.line) {
			require.True(t, !strings.Contains(a, "OUT") || strings.HasPrefix(strings.Fields(c.line)[i-1], "-"), "a flag names each output: %s", c.line)
		}
		if flags["json"] != nil && rows == 1 {
			args := c.args(filepath.Join(dir, c.in), filepath.Join(t.TempDir(), "out"))
			_, stdout, stderr := invoke(t, append(args, "--json")...)
			require.True(t, json.Valid([]byte(stdout)), "%s: %s%s", args, stdout, stderr)
		}
		if !strings.Contains(c.line, "IN") {
			continue
		}
		bad := filepath.Join(t.TempDir(), "nothing"+filepath.Ext(c.in))
		out := filepath.Join(t.TempDir(), "out")
		fails(t, exitUsage, "the name is empty", c.args("", out)...)
		args := c.args(filepath.Join(dir, c.in), "")
		if at := slices.Index(args, ""); at >= 0 {
			fails(t, exitUsage, "the name is empty", args...)
		}
		if flags["root"] != nil {
			fails(t, exitFailed, "--root: stat none: no such file", append(c.args(filepath.Join(dir, c.in), out), "--root", "none")...)
		}
		n := len(strings.Fields(path))
		args = slices.Insert(c.args(bad, out), n, "--")
		if option := slices.IndexFunc(args[n+1:], func(a string) bool { return a[0] == '-' && a != "-" }); option >= 0 {
			_, _, stderr := invoke(t, args...)
			require.Contains(t, stderr, args[n+1+option]+" follows --", c.line)
		}
		if c.file() {
			fails(t, exitUsage, "ends in .zzz", c.args(bad, out+".zzz")...)
		}
		for _, content := range []string{"", "\x00damaged"} {
			if content != "" {
				require.NoError(t, os.WriteFile(bad, []byte(content), 0o666))
			}
			stdout, stderr := ends(t, exitFailed, c.args(bad, out)...)
			require.Contains(t, stdout+stderr, filepath.Base(bad), c.line)
			require.NoFileExists(t, out)
		}
	}
	require.NotZero(t, rows, "a row in commandRows")
}

// Our own shaders are formatted as fmt formats.
func TestOwnShadersAreFormatted(t *testing.T) {
	paths := testkit.Must(filepath.Glob("../../shaderunit/shaders/pica/*.pica"))(t)
	require.NotEmpty(t, paths)
	ok(t, append([]string{"fmt", "--check"}, paths...)...)
}
