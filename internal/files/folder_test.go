//go:build unix

package files

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// export writes a folder with the given files: name, content, name, content, ...
func export(t *testing.T, dir string, force bool, parts ...string) error {
	t.Helper()
	f := testkit.Must(NewFolder(dir))(t)
	defer f.Discard()
	for i := 0; i < len(parts); i += 2 {
		require.NoError(t, f.Write(parts[i], []byte(parts[i+1])))
		require.FileExists(t, f.At(parts[i]))
	}
	return f.Commit(force)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
}

func TestFolder(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "deep", "er")
	require.NoError(t, export(t, dir, false, "scene", "1", "textures/a", "2", "textures/b", "3"))
	require.Equal(t, []string{"deep/er/files.sha256", "deep/er/scene", "deep/er/textures/a", "deep/er/textures/b"}, list(t, parent))

	write(t, dir+"/notes.txt", "mine")
	write(t, dir+"/.git/HEAD", "mine")
	write(t, dir+"/textures/c", "mine")
	t.Run("own files are replaced or removed, others stay", func(t *testing.T) {
		require.NoError(t, export(t, dir, false, "scene", "4", "textures/b", "5", "new/d", "6"))
		require.Equal(t, []string{".git/HEAD", "files.sha256", "new/d", "notes.txt", "scene", "textures/b", "textures/c"}, list(t, dir))
		require.Equal(t, "4", content(t, dir+"/scene"))
		require.Equal(t, "mine", content(t, dir+"/notes.txt"))
		require.NoError(t, export(t, dir, false, "scene", "4", "textures/b", "5"))
		require.NoDirExists(t, dir+"/new", "an emptied folder is removed")
	})
	t.Run("a changed file is kept", func(t *testing.T) {
		write(t, dir+"/scene", "changed by hand")
		err := export(t, dir, false, "scene", "7", "textures/b", "8")
		require.ErrorContains(t, err, "would be replaced: scene")
		require.IsType(t, &Occupied{}, err)
		require.Equal(t, "changed by hand", content(t, dir+"/scene"))
		require.Equal(t, "5", content(t, dir+"/textures/b"), "after the error no file was replaced")
		require.NoError(t, export(t, dir, false, "textures/b", "9"))
		require.Equal(t, "changed by hand", content(t, dir+"/scene"), "a changed file is not removed either")
		require.NoError(t, export(t, dir, true, "scene", "7"))
		require.Equal(t, "7", content(t, dir+"/scene"))
	})
	t.Run("files of others are kept", func(t *testing.T) {
		dir := t.TempDir()
		write(t, dir+"/scene", "by hand")
		write(t, dir+"/files.sha256", "other sums")
		require.ErrorContains(t, export(t, dir, false, "scene", "1"), "scene, files.sha256")
		require.Equal(t, []string{"files.sha256", "scene"}, list(t, dir))
		require.Equal(t, "by hand", content(t, dir+"/scene"))
	})
	t.Run("a link to the folder is kept", func(t *testing.T) {
		real, link := t.TempDir(), filepath.Join(t.TempDir(), "link")
		require.NoError(t, os.Symlink(real, link))
		require.NoError(t, export(t, link, false, "scene", "1"))
		require.NoError(t, export(t, link, false, "scene", "2"))
		info := testkit.Must(os.Lstat(link))(t)
		require.NotZero(t, info.Mode()&os.ModeSymlink)
		require.Equal(t, "2", content(t, real+"/scene"))
	})
	t.Run("links inside the folder are not followed outside", func(t *testing.T) {
		dir, other := t.TempDir(), t.TempDir()
		write(t, other+"/a", "mine")
		require.NoError(t, os.Symlink(other, dir+"/textures"))
		require.Error(t, export(t, dir, true, "textures/a", "1"))
		require.Equal(t, "mine", content(t, other+"/a"))
		require.NoError(t, os.Symlink(other+"/a", dir+"/scene"))
		require.Error(t, export(t, dir, false, "scene", "1"))
		require.NoError(t, export(t, dir, true, "scene", "1"))
		require.Equal(t, "mine", content(t, other+"/a"))
	})
	t.Run("a manifest with files outside the folder is invalid", func(t *testing.T) {
		dir := t.TempDir()
		require.NoError(t, export(t, dir+"/x", false, "scene", "1"))
		write(t, dir+"/mine", "1")
		write(t, dir+"/x/files.sha256", content(t, dir+"/x/files.sha256")+
			"6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b  ../mine\n")
		require.ErrorContains(t, export(t, dir+"/x", false, "other", "1"), "files.sha256")
		require.NoError(t, export(t, dir+"/x", true, "other", "1"))
		require.FileExists(t, dir+"/mine")
	})
	t.Run("a failed write changes nothing", func(t *testing.T) {
		dir := t.TempDir()
		require.NoError(t, export(t, dir, false, "a", "1", "b", "2"))
		require.NoError(t, os.Mkdir(dir+"/c", 0o777))
		write(t, dir+"/c/mine", "3")
		require.ErrorContains(t, export(t, dir, true, "a", "4", "c", "5"), "a folder is there")
		require.ErrorContains(t, export(t, dir, true, "a", "4", "c/mine/d", "5"), "not a directory")
		require.Equal(t, "1", content(t, dir+"/a"))
		require.Equal(t, "2", content(t, dir+"/b"))
		require.Equal(t, []string{"a", "b", "c/mine", "files.sha256"}, list(t, dir))
	})
	t.Run("bad names", func(t *testing.T) {
		for _, name := range []string{"", "../a", "/a", "a/../../b", "a\nb", "a/", Manifest} {
			f := testkit.Must(NewFolder(t.TempDir()))(t)
			require.Error(t, f.Write(name, nil), name)
			f.Discard()
		}
		write(t, parent+"/file", "")
		_, err := NewFolder(parent + "/file")
		require.ErrorContains(t, err, "is not a folder")
		_, err = NewFolder("")
		require.Error(t, err)
		_, err = NewFolder("/proc/none/x")
		require.ErrorContains(t, err, "cannot be written")
	})
	t.Run("a failure halfway", func(t *testing.T) {
		dir := t.TempDir()
		require.NoError(t, export(t, dir, false, "a", "1", "b", "2"))
		f := testkit.Must(NewFolder(dir))(t)
		for _, name := range []string{"a", "b", "c"} {
			require.NoError(t, f.Write(name, []byte("new")))
		}
		require.NoError(t, os.Remove(f.At("b")))
		require.Error(t, f.Commit(false))
		f.Discard()
		require.Equal(t, []string{"a", "b", "files.sha256"}, list(t, dir))
		require.Equal(t, "1", content(t, dir+"/a"))
		require.Equal(t, "2", content(t, dir+"/b"))
	})
	t.Run("the umask is respected; discarded files leave nothing", func(t *testing.T) {
		dir := t.TempDir()
		defer syscall.Umask(syscall.Umask(0o027))
		require.NoError(t, export(t, dir+"/x", false, "sub/a", "1"))
		require.Equal(t, os.FileMode(0o750), mode(t, dir+"/x"))
		require.Equal(t, os.FileMode(0o750), mode(t, dir+"/x/sub"))
		require.Equal(t, os.FileMode(0o640), mode(t, dir+"/x/sub/a"))
		f := testkit.Must(NewFolder(dir + "/y/z"))(t)
		require.Equal(t, os.FileMode(0o750), mode(t, f.temp))
		require.NoError(t, f.Write("a", nil))
		f.Discard()
		entries := testkit.Must(os.ReadDir(dir))(t)
		require.Len(t, entries, 1)
	})
}

// The error lists the first eight files in the way, and the number of others.
func TestOccupiedFolderError(t *testing.T) {
	e := &Occupied{path: "out"}
	for i := range 8 {
		e.names = append(e.names, string(rune('a'+i)))
	}
	require.Contains(t, e.Error(), "replaced: a, b, c, d, e, f, g, h")
	require.NotContains(t, e.Error(), "more")
	e.names = append(e.names, "i")
	require.True(t, strings.HasSuffix(e.Error(), "g, h and 1 more"), e.Error())
}

// A manifest with one invalid line is ignored as a whole.
func TestInvalidManifestIsIgnored(t *testing.T) {
	good := strings.Repeat("0a", 32) + "  a/b.png\n"
	dir := t.TempDir()
	root := testkit.Must(os.OpenRoot(dir))(t)
	defer root.Close()
	for text, ok := range map[string]bool{
		manifestHead + "\n" + good: true, manifestHead + "\n": true, "": false, good: false, manifestHead + "x\n" + good: false,
		manifestHead + "\n" + good + "0a  short\n":                           false,
		manifestHead + "\n" + "0a  ../short\n":                               false,
		manifestHead + "\n" + strings.Repeat("0a", 32) + "0  a digit more\n": false,
		manifestHead + "\n" + strings.Repeat("0a", 33) + "  ../longer\n":     false,
		manifestHead + "\n" + strings.Repeat("0a", 32) + " one blank\n":      false,
		manifestHead + "\n" + strings.Repeat("0g", 32) + "  no digits\n":     false,
		manifestHead + "\n" + strings.Repeat("0a", 32) + "  ../outside\n":    false,
		manifestHead + "\n" + strings.Repeat("0a", 33) + "  a longer sum\n":  false,
	} {
		write(t, filepath.Join(dir, Manifest), text)
		sums, is := readManifest(root)
		require.Equal(t, ok, is, "%q", text)
		if ok && text != manifestHead+"\n" {
			require.Len(t, sums, 1)
			require.EqualValues(t, 10, sums["a/b.png"][31])
		}
	}
}
