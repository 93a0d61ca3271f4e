package app

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/internal/files"
	"pica200/tests/testkit"
	"pica200/viewer/session"
)

// What was not saved when a mistake or a signal ended the window is offered by the next start, with that file, another or none.
func TestUnsavedChangesAreKept(t *testing.T) {
	d, path, other := editing(t)
	recent := filepath.Join(t.TempDir(), "recent")
	d.o.Recent = recent
	require.Empty(t, d.Rescue(), "nothing is unsaved")
	d.set(diffuse, "0.25 0.5 0.75 1")
	d.set("dmp_FragmentLighting.enabled", "")
	d.key(KeyRight)
	edits := d.req.Edits
	require.NotEmpty(t, edits)
	said := d.Rescue()
	saved := filepath.Join(filepath.Dir(recent), "unsaved", "unsaved-001.json")
	require.Contains(t, said, saved)
	require.Contains(t, said, d.unsavedText())
	require.FileExists(t, saved)

	// Files that are not ours are passed over.
	for name, text := range map[string]string{"unsaved-002.json": "{", "unsaved-003.json": `{"Edits": [{"Name": "x", "Values": [[1]]}]}`} {
		require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(saved), name), []byte(text), 0o644))
	}
	for _, first := range []string{path, other, ""} {
		again := drive(t, nil, Options{Open: openFile, Recent: recent, First: first})
		again.jobs()
		require.Equal(t, []string{"restore", "discard", "later"}, again.labels(), first)
		again.Key(KeyEscape, 0)
		require.Nil(t, again.asked())
		require.FileExists(t, saved, "later")
		require.Empty(t, again.req.Edits)
		again.offerRecovery()
		again.Leave()
		require.True(t, again.Quit(), "closing is later, too")
		again.quit = false
		again.offerRecovery()
		again.Key('R', 0)
		again.jobs()
		require.Equal(t, path, again.info.Path)
		require.Equal(t, edits, again.req.Edits)
		again.Update()
		require.FileExists(t, saved, "a crash now must not lose them")
		require.NotEmpty(t, again.unsavedText())
		require.Contains(t, again.Rescue(), saved)
		require.NoError(t, again.Close())
		require.FileExists(t, saved)
	}
	done := drive(t, nil, Options{Open: openFile, Recent: recent})
	done.Key('R', 0)
	done.jobs()
	kept := testkit.Read(t, saved)
	done.key('Z', Ctrl)
	require.Empty(t, done.req.Edits)
	done.Update()
	require.NoFileExists(t, saved, "nothing is unsaved")
	require.NoError(t, os.WriteFile(saved, kept, 0o600))
	done = drive(t, nil, Options{Open: openFile, Recent: recent})
	done.Key('R', 0)
	done.jobs()
	require.NoError(t, done.Close())
	require.NoFileExists(t, saved, "closed, and discarded when asked")
	require.NoError(t, os.WriteFile(saved, kept, 0o600))
	last := drive(t, nil, Options{Open: openFile, Recent: recent})
	last.Key('D', 0)
	require.NoFileExists(t, saved)
	require.Nil(t, last.asked())
	last.worker.do(func(context.Context, session.Source) func() { panic("in a job") })
	require.Panics(t, func() {
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end); {
			last.Update()
		}
	}, "a panic of a job is one of the window")
}

// A moment after a change it is in a file that a window offers once this one is gone, however it ended; never in one of the user. It goes
// with what is not saved.
func TestChangesAreKeptWhileTheyAreMade(t *testing.T) {
	run := files.Begin()
	t.Cleanup(run.End)
	d, path, _ := editing(t)
	d.o.Recent = filepath.Join(t.TempDir(), "recent")
	file := func(n int) string {
		return filepath.Join(filepath.Dir(d.o.Recent), "unsaved", fmt.Sprintf("unsaved-%03d.json", n))
	}
	change := func() {
		d.Key(KeyRight, 0)
		d.settle()
		d.Update()
	}
	pass := func(by time.Duration) {
		d.now = d.now.Add(by)
		d.Update()
		d.kept.mu.Lock() // until it is written
		defer d.kept.mu.Unlock()
	}
	d.openPanel()
	d.settle()
	d.panel.Select(specular)
	change()
	pass(keepAfter - 1)
	require.NoFileExists(t, file(1))
	require.Positive(t, d.Wait())
	require.LessOrEqual(t, d.Wait(), keepAfter)
	pass(1)
	first := testkit.Read(t, file(1))
	change()
	pass(keepAfter)
	require.Equal(t, first, testkit.Read(t, file(1)), "not at each change")
	change()
	pass(keepEvery - keepAfter)
	require.NotEqual(t, first, testkit.Read(t, file(1)))
	require.Zero(t, testing.AllocsPerRun(100, func() { d.keepUnsaved(d.now) }))

	another := func() *driver { return drive(t, nil, Options{Open: openFile, Recent: d.o.Recent}) }
	require.Nil(t, another().asked(), "this window is open")
	gone := drive(t, open(t, path), Options{Open: openFile, Recent: d.o.Recent, Panel: true})
	gone.panel.Select(diffuse)
	gone.key(KeyRight)
	gone.now = gone.now.Add(time.Hour)
	gone.Update()
	gone.kept.mu.Lock()
	gone.kept.files[0].Drop() // as a killed process does
	gone.kept.files = nil
	gone.kept.mu.Unlock()
	after := another()
	require.Equal(t, []string{"restore", "discard", "later"}, after.labels())
	after.Key('R', 0)
	after.jobs()
	require.Equal(t, gone.req.Edits, after.req.Edits)
	after.Update()
	after.now = after.now.Add(time.Hour)
	after.Update()
	after.kept.mu.Lock()
	kept := after.kept.files
	after.kept.mu.Unlock()
	require.Len(t, kept, 1)
	require.Equal(t, file(2), kept[0].Path)
	require.NoError(t, after.Close())
	require.NoFileExists(t, file(2))

	mine := []byte("mine")
	require.NoError(t, os.Remove(file(1)))
	require.NoError(t, os.WriteFile(file(1), mine, 0o644))
	change()
	pass(time.Hour)
	require.FileExists(t, file(2))
	d.keyJobs('S', Ctrl)
	d.Update()
	require.NoFileExists(t, file(2), "it is saved")
	d.key('Z', Ctrl)
	pass(time.Hour)
	require.FileExists(t, file(2), "it is taken back, and not saved")
	d.key('Y', Ctrl)
	d.Update()
	require.NoFileExists(t, file(2))
	require.Equal(t, mine, testkit.Read(t, file(1)))

	// Where nothing can be written, nothing else happens.
	require.NoError(t, os.RemoveAll(filepath.Dir(file(1))))
	require.NoError(t, os.WriteFile(filepath.Dir(file(1)), mine, 0o644))
	change()
	pass(time.Hour)
	d.Update()
	require.Contains(t, d.message.text, "would be lost if the window ended early")
	require.True(t, d.message.bad)
	require.Positive(t, d.unsaved())
	d.message.text = ""
	change()
	pass(time.Hour)
	d.Update()
	require.Empty(t, d.message.text, "it is said once")
}
