package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		at := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(at), 0o755))
		require.NoError(t, os.WriteFile(at, []byte(text), 0o644))
	}
	return dir
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	data := testkit.Read(t, filepath.Join(dir, name))
	return string(data)
}

const source = `// Package a, "old/b" in a comment stays.
package a

import (
	"fmt"
	x "old/b" // with a comment

	. "old/c"
	_ "older.example/old/b"
	"older/b"

	"github.com/zz/zz"
	"old"
)

import "old/d"

const text = "old/b"
`

func TestRename(t *testing.T) {
	dir := tree(t, map[string]string{
		"go.mod":         "module old // the path\n\ngo 1.26.0\n\nrequire github.com/zz/zz v1.0.0\n",
		"a/a.go":         source,
		"b/b.go":         "package b\n",
		"gen/go.mod":     "module old/gen\n\ngo 1.26.0\n",
		"use/go.mod":     "module example.org/use\n\nrequire (\n\told v0.0.0\n\tolder v0.0.0 // indirect\n)\n\nreplace old => ../\n",
		"README.md":      "old is a program: run old, bin/old, cmd/old/main.go.\n\n\t\"old/a\"\n\n`old/b` old/missing go get old@v1 -replace=old=../old\nreplace old => ../old\nrequire old v0.0.0\n",
		".git/config.md": "`old/a`\n",
		"other.txt":      "\"old/a\"\n",
	})
	n := testkit.Must(rename(dir, "host.example/me/new"))(t)
	require.Equal(t, 5, n)
	require.Equal(t, "module host.example/me/new // the path\n\ngo 1.26.0\n\nrequire github.com/zz/zz v1.0.0\n", read(t, dir, "go.mod"))
	require.Equal(t, "module host.example/me/new/gen\n\ngo 1.26.0\n", read(t, dir, "gen/go.mod"))
	require.Equal(t, "module example.org/use\n\nrequire (\n\thost.example/me/new v0.0.0\n\tolder v0.0.0 // indirect\n)\n\nreplace host.example/me/new => ../\n", read(t, dir, "use/go.mod"))
	require.Equal(t, `// Package a, "old/b" in a comment stays.
package a

import (
	"fmt"
	x "host.example/me/new/b" // with a comment

	. "host.example/me/new/c"
	_ "older.example/old/b"
	"older/b"

	"github.com/zz/zz"
	"host.example/me/new"
)

import "host.example/me/new/d"

const text = "old/b"
`, read(t, dir, "a/a.go"))
	require.Equal(t, "old is a program: run old, bin/old, cmd/old/main.go.\n\n\t\"host.example/me/new/a\"\n\n`host.example/me/new/b` old/missing go get host.example/me/new@v1 -replace=host.example/me/new=../old\nreplace host.example/me/new => ../old\nrequire host.example/me/new v0.0.0\n", read(t, dir, "README.md"))
	require.Equal(t, "`old/a`\n", read(t, dir, ".git/config.md"))
	require.Equal(t, "\"old/a\"\n", read(t, dir, "other.txt"))

	n = testkit.Must(rename(dir, "host.example/me/new"))(t)
	require.Zero(t, n, "a second renaming to the same path changes nothing")
	n = testkit.Must(rename(dir, "a.example/b"))(t)
	require.Equal(t, 5, n, "again")
	require.Contains(t, read(t, dir, "a/a.go"), "\n\t\"a.example/b\"\n\t\"github.com/zz/zz\"\n", "imports are sorted again")
}

func TestRenameRefuses(t *testing.T) {
	files := map[string]string{"go.mod": "module old\n", "a/a.go": "package a\n\nimport \"old/b\"\n", "z/z.go": "package z\n\nimport \"old/b\n"}
	for path, want := range map[string]string{
		"":                    "malformed",
		"pica200":             "missing dot",
		"example.org/a b":     "invalid char",
		"https://example.org": "malformed",
		"example.org/x/":      "trailing slash",
		"example.org/x/v2":    "this is v0",
		"Example.org/x":       "invalid char",
		"example.org/x":       "z.go:3:8", // cannot be parsed
	} {
		dir := tree(t, files)
		_, err := rename(dir, path)
		require.ErrorContains(t, err, want, path)
		for name, text := range files {
			require.Equal(t, text, read(t, dir, name), "files are unchanged after an error")
		}
	}
	_, err := rename(tree(t, map[string]string{"go.mod": "go 1.26.0\n"}), "example.org/x")
	require.ErrorContains(t, err, "no module line")
	_, err = rename(t.TempDir(), "example.org/x")
	require.ErrorIs(t, err, os.ErrNotExist)
}
