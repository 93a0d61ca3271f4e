package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"pica200/internal/files"
	"pica200/internal/plural"
	"pica200/viewer/session"
)

// recovery is what was not saved when the window ended without a question.
type recovery struct {
	Path  string // the file that was open
	Edits []session.Edit
}

// keeper keeps changes that are not saved in a recovery file, which the next start offers. It is written a moment after a change:
// when the process is killed, the driver fails or the display goes, nothing can be written any more.
type keeper struct {
	mu      sync.Mutex    // held while the file is written, by another goroutine
	files   []*files.Held // the one that is written, and those of changes that were restored
	any     bool          // there may be files
	changes int           // history.changes when that was looked at
	due     time.Time     // when to write; zero if nothing has changed since
	last    time.Time     // when it was written
	failed  bool          // that was said
}

// Times from a change to the recovery file, and from one of these to the next.
const (
	keepAfter = time.Second
	keepEvery = 2 * time.Second
)

// keepUnsaved writes the recovery file when it is due, and removes it when everything is saved, discarded or undone.
func (a *App) keepUnsaved(now time.Time) {
	k := &a.kept
	if n := a.history.changes; n != k.changes && a.o.Recent != "" {
		if k.changes = n; k.due.IsZero() {
			k.due = now.Add(max(keepAfter, keepEvery-now.Sub(k.last)))
		}
	}
	switch {
	case (k.any || !k.due.IsZero()) && a.unsaved() == 0:
		a.forgetKept()
	case k.due.IsZero() || now.Before(k.due) || !k.mu.TryLock():
	default:
		k.due, k.last, k.any = time.Time{}, now, true
		r := a.recovery()
		go func() {
			defer k.mu.Unlock()
			if err := k.write(&a.o, r); err != nil {
				a.worker.post(func() {
					if !k.failed {
						k.failed = true
						a.say("what is not saved would be lost if the window ended early: %v", err)
					}
				})
			}
		}()
	}
}

// keepWait returns how long it takes until the recovery file is due; negative if nothing has changed.
func (a *App) keepWait() time.Duration {
	if a.kept.due.IsZero() {
		return -1
	}
	return max(a.kept.due.Sub(a.o.Now()), patience)
}

// recovery returns the changes that are not saved.
func (a *App) recovery() recovery {
	r, lost := recovery{Path: absolute(a.info.Path)}, a.history.over(a.req.Edits)
	for _, k := range slices.Sorted(maps.Keys(lost)) {
		r.Edits = append(r.Edits, lost[k])
	}
	return r
}

// write writes the recovery file, and removes those of changes that it now has. It replaces only what this window has written or
// restored. Its lock is held.
func (k *keeper) write(o *Options, r recovery) error {
	data, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return err
	}
	folder, path := o.recoveries(), ""
	write := func(path string) error {
		return files.Write(path, func(w io.Writer) error { _, err := w.Write(data); return err })
	}
	if len(k.files) > 0 && k.files[0].There() {
		path = k.files[0].Path
		err = write(path)
	} else if err = os.MkdirAll(folder, 0o700); err == nil {
		path, err = files.WriteFree(filepath.Join(folder, "unsaved"), ".json", write)
	}
	if err != nil {
		return err
	}
	now := files.Hold(path)
	k.forget() // the one in the path is another by now, and stays
	if now != nil {
		k.files = append(k.files, now)
	}
	return nil
}

// forget removes the files. The lock is held.
func (k *keeper) forget() {
	for _, h := range k.files {
		h.Remove()
	}
	k.files = nil
}

// forgetKept removes the recovery files of changes that were saved, discarded or undone.
func (a *App) forgetKept() {
	k := &a.kept
	k.mu.Lock()
	defer k.mu.Unlock()
	k.forget()
	k.any, k.due = false, time.Time{}
}

// Rescue writes unsaved changes to a file that the next start offers, and says where; "" if there are none.
func (a *App) Rescue() string {
	what, k := a.unsavedText(), &a.kept
	if what == "" {
		return ""
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	err, path := k.write(&a.o, a.recovery()), ""
	for _, h := range k.files { // they stay
		path = h.Path
		h.Drop()
	}
	k.files = nil
	if err != nil {
		return fmt.Sprintf("%s of %s could not be kept: %v", what, a.info.Name, err)
	}
	return fmt.Sprintf("%s of %s: kept in %s, which the next start offers", what, a.info.Name, path)
}

// recoveries returns the folder of recovery files: beside the list of recent files.
func (o *Options) recoveries() string {
	if o.Recent == "" {
		return filepath.Join(os.TempDir(), "pica200-unsaved")
	}
	return filepath.Join(filepath.Dir(o.Recent), "unsaved")
}

// offerRecovery asks whether to restore what another window has kept that is gone, the newest first.
func (a *App) offerRecovery() {
	if a.o.Recent == "" {
		return
	}
	list, _ := files.Glob(a.o.recoveries(), "unsaved-*.json") // fails only for a wrong pattern
	for _, path := range slices.Backward(list) {
		h := files.Hold(path)
		if h == nil {
			continue // of a window that is open
		}
		h.Drop()
		r, err := readRecovery(path)
		if err != nil {
			continue // not ours, or from another version
		}
		saved := edits{}
		for _, e := range r.Edits {
			saved[e.Key()] = e
		}
		a.ask(&question{optional: true, title: fmt.Sprintf("The window ended early: %s of %s had not been saved.", plural.Of(len(saved), "changed value"), r.Path), answers: []answer{
			{"restore", 'R', func() { a.restoreIn(r.Path, path, saved) }},
			{"discard", 'D', func() { os.Remove(path); a.offerRecovery() }},
			{"later", KeyEscape, nil}}})
		return
	}
}

// restoreIn makes changes again that were kept in a recovery file, in the file that they belong to.
func (a *App) restoreIn(file, path string, saved edits) {
	if absolute(a.info.Path) != file {
		a.openOr(file, func(err error) { a.say("%v", err) }, func() { a.restoreIn(file, path, saved) })
		return
	}
	a.remember("")
	a.req.Edits = saved
	a.render()
	if h := files.Hold(path); h != nil { // no other window has restored them
		a.kept.mu.Lock()
		a.kept.files, a.kept.any = append(a.kept.files, h), true
		a.kept.mu.Unlock()
	}
	a.say("restored: %s", a.unsavedText())
}

// absolute returns the whole path of a file.
func absolute(path string) string {
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return path
}

// readRecovery reads a recovery file.
func readRecovery(path string) (r recovery, err error) {
	data, err := files.ReadToReplace(path, 16<<20)
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	for _, e := range r.Edits {
		for _, v := range e.Values {
			switch v.(type) {
			case nil, float64, bool, string:
			default:
				err = errors.New("no value of a uniform")
			}
		}
	}
	return r, err
}
