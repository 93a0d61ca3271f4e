package app

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

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
