//go:build unix

package files

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// Whatever a run opened is not replaced, under any name, by any of the ways to write; everything else is.
func TestInputsAreNotReplaced(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"before", "read", "regular", "opened", "named", "own", "peeked", "other"} {
		require.NoError(t, os.WriteFile(at(name), []byte(name), 0o666))
	}
	require.NoError(t, os.Mkdir(at("sub"), 0o777))
	require.NoError(t, os.Symlink("../read", at("sub/link")))
	require.NoError(t, os.Symlink("sub", at("same")))
	require.NoError(t, os.Link(at("read"), at("hard")))
	testkit.Must(Read(at("before"), 10))(t)

	run := Begin()
	defer run.End()
	testkit.Must(Read(at("sub/link"), 10))(t)
	testkit.Must(ReadRegular(at("regular"), 10))(t)
	f, _, err := Open(at("opened"))
	require.NoError(t, err)
	require.NoError(t, f.Close())
	require.NoError(t, Inputs(at("named"), at("missing")))
	testkit.Must(ReadToReplace(at("own"), 10))(t)
	testkit.Must(Head(at("peeked"), 3))(t)

	write := func(path string) error {
		return Write(path, func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err })
	}
	folder := func(path string) error {
		f := testkit.Must(NewFolder(filepath.Dir(path)))(t)
		defer f.Discard()
		require.NoError(t, f.Write(filepath.Base(path), []byte("new")))
		return f.Commit(true)
	}
	for _, name := range []string{"read", "hard", "sub/link", "sub/../same/link", "regular", "opened", "named"} {
		ways := map[string]func(string) error{"Write": write, "Free": Free}
		if name != "sub/link" && name != "sub/../same/link" { // a folder replaces the link itself
			ways["Folder"] = folder
		}
		for way, try := range ways {
			was := content(t, at(name))
			var taken *Overwrites
			require.ErrorAs(t, try(at(name)), &taken, "%s of %s", way, name)
			require.Equal(t, at(name), taken.Output)
			require.Equal(t, was, content(t, at(name)))
		}
	}
	for _, name := range []string{"before", "own", "peeked", "other", "missing"} {
		require.NoError(t, Free(at(name)))
		require.NoError(t, write(at(name)), name)
		require.Equal(t, "new", content(t, at(name)))
	}
	require.NoError(t, Change(at("regular"), 10, func(old []byte) ([]byte, error) { return append(old, '!'), nil }))
	require.Equal(t, "regular!", content(t, at("regular")))

	// What is opened while the output is written counts too.
	require.ErrorContains(t, Write(at("other"), func(io.Writer) error {
		_, err := Read(at("other"), 10)
		return err
	}), at("other")+" is an input and would be overwritten")
	require.Equal(t, "new", content(t, at("other")))

	// An input that another program replaced is still one by its name; one that is deleted is none by its number.
	require.NoError(t, os.Remove(at("hard")))
	require.NoError(t, os.WriteFile(at("saved"), []byte("saved"), 0o666))
	require.NoError(t, os.Rename(at("saved"), at("read")))
	require.Error(t, write(at("read")))
	for i := range 50 { // file systems use numbers again
		testkit.Must(Read(at("opened"), 10))(t)
		require.NoError(t, os.Rename(at("opened"), at(fmt.Sprint(i))))
		require.NoError(t, os.Remove(at(fmt.Sprint(i))))
		require.NoError(t, os.WriteFile(at("fresh"), nil, 0o666))
		require.NoError(t, write(at("fresh")))
		require.NoError(t, os.Rename(at("fresh"), at("opened")))
	}

	// A run within one ends by itself, and one begins anew.
	inner := Begin()
	testkit.Must(Read(at("before"), 10))(t)
	run.Again()
	require.NoError(t, Free(at("read")))
	require.Error(t, Free(at("before")))
	inner.End()
	require.NoError(t, write(at("before")))
}

// The files of a run are bounded; the same file counts once.
func TestInputsAreBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	require.NoError(t, os.WriteFile(path, []byte("a"), 0o666))
	run := Begin()
	defer run.End()
	for i := range maxInputs - 1 {
		run.inputs[fmt.Sprint(i)] = input{}
	}
	for range 2 {
		testkit.Must(Read(path, 10))(t)
	}
	require.NoError(t, os.WriteFile(path+"b", []byte("b"), 0o666))
	_, err := Read(path+"b", 10)
	require.EqualError(t, err, "open "+path+"b: more than 65536 files are open in one run")
	run.Again()
	testkit.Must(Read(path+"b", 10))(t)
}
