package watch

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

func TestWatchNoticesEveryKindOfSave(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.yaml")
	require.NoError(t, os.WriteFile(path, []byte("a: 1\n"), 0o644))
	seen := make(chan bool, 100)
	w := testkit.Must(Files([]string{path}, func() { seen <- true }))(t)
	defer w.Close()
	data := testkit.Read(t, path)
	for name, save := range map[string]func() error{
		"written":  func() error { return os.WriteFile(path, data, 0o644) },
		"replaced": func() error { return writeReplace(path, data) },
		"gone":     func() error { return os.Remove(path) },
		"back":     func() error { return os.WriteFile(path, data, 0o644) },
	} {
		require.NoError(t, save(), name)
		select {
		case <-seen:
		case <-time.After(10 * time.Second):
			t.Fatalf("%s: the change was not noticed", name)
		}
		if _, err := os.Stat(path); err != nil {
			require.NoError(t, os.WriteFile(path, data, 0o644))
			<-seen
		}
	}
	// Changes of other files in the folder are not reported.
	require.NoError(t, os.WriteFile(path+".other", data, 0o644))
	select {
	case <-seen:
		t.Fatal("a change of another file is reported")
	case <-time.After(4 * settle):
	}
}

// A folder that is renamed or removed, and is there again, is watched again by Set.
func TestWatchOfAFolderThatIsBack(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "sub")
	path := filepath.Join(dir, "a.yaml")
	make := func() {
		require.NoError(t, os.Mkdir(dir, 0o777))
		require.NoError(t, os.WriteFile(path, nil, 0o644))
	}
	make()
	w := testkit.Must(Files([]string{path}, func() {}))(t)
	defer w.Close()
	for name, leave := range map[string]func() error{
		"renamed": func() error { return os.Rename(dir, dir+"-away") },
		"removed": func() error { return os.RemoveAll(dir) },
	} {
		require.NoError(t, leave(), name)
		require.Eventually(t, func() bool { w.mu.Lock(); defer w.mu.Unlock(); return !w.dirs[dir] }, 10*time.Second, time.Millisecond, name)
		make()
		require.NoError(t, w.Set([]string{path}))
		require.Contains(t, w.fs.WatchList(), dir, name)
	}
}

func writeReplace(path string, data []byte) error {
	if err := os.WriteFile(path+"~", data, 0o644); err != nil {
		return err
	}
	return os.Rename(path+"~", path)
}
