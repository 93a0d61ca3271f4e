package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// outside matches arguments that would leave the fuzzing folder, start another program, or wait for standard input.
var outside = regexp.MustCompile(`/|\.\.|~|binary=|^-$|=-$`)

// FuzzCommandLine runs any command line, one word per line, in a folder with a file of every kind: it ends with a known status,
// explains a failure, and keeps existing files.
func FuzzCommandLine(f *testing.F) {
	f.Add("render\nt.ctf\n-o\nx.png\n--frame\n0")
	f.Add("render\ns.yaml\n-o\nt.ctf")
	f.Add("asm\ns.v.pica\n-o\ns.v.pica\n-h\ns.yaml")
	f.Add("scene\nfrom\nt.ctf\n-o\ns.yaml")
	f.Add("golden\nrun\n.\n--shard\n9/1")
	f.Add("inspect\n--as\nctf\ns.shbin\n--json")
	f.Add("run\ns.v.pica\n-u\nprojection=1,nan")
	f.Add("uniforms\n[")
	f.Add("help\n--help\n\x1b[2J")
	base := testkit.Must(filepath.Abs("../.."))(f)
	shader := testkit.Read(f, filepath.Join(base, "shaderunit/shaders/pica/basic.v.pica"))
	scene := "target: {width: 64, height: 64, clear: {color: [0, 0, 0, 1], depth: 1}}\nmodels: {q: {shape: quad}}\ndraws: [{model: q}]\n"
	files := map[string][]byte{"s.yaml": []byte(scene), "s.v.pica": shader, "a.case.yaml": []byte("source: s.yaml\n")}
	quiet := func(args ...string) {
		var out, err bytes.Buffer
		require.Zero(f, run(context.Background(), newConsole(&out, &err), args), err.String())
	}
	made := f.TempDir()
	for name, data := range files {
		require.NoError(f, os.WriteFile(filepath.Join(made, name), data, 0o666))
	}
	quiet("trace", "save", filepath.Join(made, "s.yaml"), "-o", filepath.Join(made, "t.ctf"), "-q")
	quiet("asm", filepath.Join(made, "s.v.pica"), "-o", filepath.Join(made, "s.shbin"))
	for _, name := range []string{"t.ctf", "s.shbin"} {
		data := testkit.Read(f, filepath.Join(made, name))
		files[name] = data
	}
	f.Fuzz(func(t *testing.T, line string) {
		args := strings.Split(line, "\n")
		if len(args) > 12 || slices.ContainsFunc(args, outside.MatchString) || slices.Contains(args, "view") || slices.Contains(args, "serve") {
			return
		}
		t.Chdir(t.TempDir())
		for name, data := range files {
			require.NoError(t, os.WriteFile(name, data, 0o666))
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		var out, errs bytes.Buffer
		status := run(ctx, newConsole(&out, &errs), args)
		require.Contains(t, []int{exitDone, exitFailed, exitUsage, 3}, status)
		if status != exitDone {
			require.NotEmpty(t, out.String()+errs.String())
		}
		require.NotContains(t, errs.String(), "\x1b")
		// Only files that were named as outputs are replaced.
		for name, data := range files {
			now := testkit.Read(t, name)
			if !bytes.Equal(now, data) {
				require.True(t, slices.ContainsFunc(args, func(a string) bool { return strings.HasSuffix(a, name) }) ||
					name == "s.shbin" && args[0] == "asm", "%q changed %s", args, name)
			}
		}
	})
}
