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

	"pica200/internal/files"
	"pica200/internal/plural"
	"pica200/viewer/session"
)

// recovery is what was not saved when the window ended without a question, because of a mistake in it or a signal.
type recovery struct {
	Path  string // the file that was open
	Edits []session.Edit
}

// Rescue writes unsaved changes to a file that the next start offers, and says where; "" if there are none.
func (a *App) Rescue() string {
	what := a.unsavedText()
	if what == "" {
		return ""
	}
	r, lost := recovery{Path: absolute(a.info.Path)}, a.history.over(a.req.Edits)
	for _, k := range slices.Sorted(maps.Keys(lost)) {
		r.Edits = append(r.Edits, lost[k])
	}
	data, err := json.MarshalIndent(r, "", "\t")
	folder := a.o.recoveries()
	err = errors.Join(err, os.MkdirAll(folder, 0o700))
	write := func(path string) error {
		return files.Write(path, func(w io.Writer) error { _, err := w.Write(data); return err })
	}
	path, before := "", a.restored
	a.restored = nil // they stay if this fails
	switch {
	case err != nil:
	case len(before) > 0:
		if path, err = before[0], write(before[0]); err == nil {
			removeAll(before[1:])
		}
	default:
		path, err = files.WriteFree(filepath.Join(folder, "unsaved"), ".json", write)
	}
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

// offerRecovery asks whether to restore what Rescue has kept, the newest first.
func (a *App) offerRecovery() {
	if a.o.Recent == "" {
		return
	}
	list, _ := files.Glob(a.o.recoveries(), "unsaved-*.json") // fails only for a wrong pattern
	for _, path := range slices.Backward(list) {
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
	a.restored = append(a.restored, path)
	a.say("restored: %s", a.unsavedText())
}

// forgetRestored removes the recovery files of changes that were restored, and since then saved, discarded or undone.
func (a *App) forgetRestored() {
	removeAll(a.restored)
	a.restored = nil
}

func removeAll(paths []string) {
	for _, path := range paths {
		os.Remove(path) // if it stays, the next start offers it again
	}
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
	data, err := files.ReadRegular(path, 16<<20)
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
