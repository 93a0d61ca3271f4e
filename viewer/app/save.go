package app

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"pica200/internal/plural"
	"pica200/viewer/session"
)

// saving selects the changes to write, and where.
type saving struct {
	values bool            // the changed uniforms
	camera bool            // the new camera
	copy   bool            // everything, as a scene beside the file, which stays unchanged
	then   func()          // called after writing; may be nil
	failed func(err error) // called on failure; nil shows a note
}

// changes returns the current changes.
func (a *App) changes() changes { return changes{a.req.Edits, a.wanted().Orbit} }

// wanted returns the request for the current picture, with its own copy of the edits.
func (a *App) wanted() session.Request {
	r := a.req
	r.Edits = maps.Clone(a.req.Edits)
	r.Orbit.Yaw += a.motion.turned
	return r
}

// savedHere notes that files were written by the viewer, so that their change is not reported.
func (a *App) savedHere() { a.history.savedUntil = a.o.Now().Add(2 * time.Second) }

// unsaved returns the unsaved changes: the number of uniforms, and whether the camera moved. A turning turntable is no change, and
// the camera of a model or a shader is in no file.
func (a *App) unsaved() (values int, camera bool) {
	now := changes{a.req.Edits, a.req.Orbit}
	if now.equal(a.history.copied) {
		return 0, false
	}
	return len(now.edits), now.orbit != session.Orbit{} && a.info.Scene
}

// unsavedText describes the unsaved changes, "" if there are none.
func (a *App) unsavedText() string {
	values, camera := a.unsaved()
	var lost changes
	if values > 0 {
		lost.edits = a.req.Edits
	}
	if camera {
		lost.orbit = a.req.Orbit
	}
	return lost.text()
}

// Leave closes the viewer; it asks first if changes would be lost.
func (a *App) Leave() { a.leave("Before it closes", func() { a.quit = true }) }

// leave runs do, which ends the current view. If changes would be lost it asks first: save, discard, or stay.
func (a *App) leave(when string, do func()) {
	a.dirty = true
	if q, asked := a.screen.Popup().(*question); asked && len(q.answers) > 1 && !q.optional {
		return // the question is already open
	} else if asked {
		a.screen.Close(q)
	}
	a.panel.Commit()
	if a.history.writing > 0 {
		a.afterWriting(func() { a.leave(when, do) })
		return
	}
	if a.unsavedText() == "" {
		do()
		return
	}
	a.ask(a.unsavedQuestion(when, do, nil))
}

// afterWriting runs do, which takes changes back, when no file is being written: what is in the file cannot be taken back.
func (a *App) afterWriting(do func()) {
	if a.history.writing == 0 {
		do()
		return
	}
	a.worker.do(func(context.Context, session.Source) func() { return func() { a.afterWriting(do) } })
}

// unsavedQuestion asks what to do with unsaved changes; failed is the error of the last attempt to save.
func (a *App) unsavedQuestion(when string, do func(), failed error) *question {
	values, camera := a.unsaved()
	save := func(w saving) func() {
		w.then = do
		w.failed = func(err error) { a.ask(a.unsavedQuestion(when, do, err)) }
		return func() { a.save(w) }
	}
	q := &question{title: fmt.Sprintf("%s: %s of %s would be lost.", when, a.unsavedText(), a.info.Name)}
	if failed != nil {
		q.problem = "not saved: " + failed.Error()
	}
	if a.info.Scene {
		switch {
		case values > 0 && camera:
			q.answers = append(q.answers, answer{"save values", 'S', save(saving{values: true})}, answer{"save both", 'B', save(saving{values: true, camera: true})})
		case values > 0:
			q.answers = append(q.answers, answer{"save", 'S', save(saving{values: true})})
		default:
			q.answers = append(q.answers, answer{"save the camera", 'S', save(saving{camera: true})})
		}
	}
	if !a.info.Scene || failed != nil {
		q.answers = append(q.answers, answer{"save a copy", 'C', save(saving{copy: true})})
	}
	q.answers = append(q.answers, answer{"discard", 'D', do}, answer{"stay", KeyEscape, nil})
	return q
}

// save writes the changes to the scene's file or to a copy. Other files are always saved as a copy.
func (a *App) save(w saving) {
	a.panel.Commit()
	r, turned, sent := a.wanted(), a.motion.turned, a.req.Orbit
	if w.copy = w.copy || !a.info.Scene; w.copy {
		w.values, w.camera = true, true
	}
	if !w.values {
		r.Edits = edits{}
	}
	if !w.camera {
		r.Orbit = session.Orbit{}
	}
	a.history.writing++
	a.worker.do(func(ctx context.Context, s session.Source) func() {
		ctx = context.WithoutCancel(ctx)
		var path string
		n, err := 0, errors.New("nothing of it can be saved")
		if writer, ok := s.(session.Writer); w.copy {
			path, err = s.Save(ctx, &r)
		} else if ok {
			n, err = writer.WriteBack(ctx, &r)
		}
		info := s.Info()
		return func() {
			a.history.writing--
			a.dirty = true
			switch {
			case err != nil && w.failed != nil:
				w.failed(err)
				return
			case err != nil:
				a.say("not saved: %v", err)
				return
			case w.copy:
				a.history.copied = changes{r.Edits, sent}
				a.say("saved as %s", path)
			default:
				if w.camera && a.motion.turned >= turned { // T or R may have ended turning since
					a.motion.turned -= turned
				}
				a.written(info, &r, w, sent, n)
				if left := len(a.req.Edits); w.values && left > 0 && w.failed != nil {
					w.failed(fmt.Errorf("%s of what no draw has, or made meanwhile", plural.Of(left, "change")))
					return
				}
			}
			if w.then != nil {
				w.then()
			}
		}
	})
}

// written removes changes that are now in the scene's file.
func (a *App) written(info session.Info, r *session.Request, w saving, sent session.Orbit, n int) {
	moved := a.req.Orbit != session.Orbit{} && !w.camera
	switch {
	case n == 0 && moved:
		a.say("no value was changed; the camera is saved by \"save the camera\" (Ctrl+Alt+S)")
		return
	case n == 0:
		a.say("nothing was changed")
		return
	}
	a.info = info
	left := 0
	for k, e := range r.Edits { // the written ones
		if slices.Equal(a.req.Edits[k].Values, e.Values) {
			delete(a.req.Edits, k)
		}
	}
	if w.camera {
		a.req.Orbit = a.req.Orbit.Less(sent)
	}
	a.history.settle(changes{a.req.Edits, a.req.Orbit}, r.Edits, w.camera)
	a.savedHere()
	a.since = a.asked + 1
	if w.values {
		left = len(a.req.Edits)
	}
	text := fmt.Sprintf("saved %s in %s", plural.Of(n, "change"), info.Name)
	if moved {
		text += "; the camera is saved by \"save the camera\" (Ctrl+Alt+S)"
	}
	if left > 0 {
		text += fmt.Sprintf("; %s of what no draw has, or made meanwhile, stays", plural.Of(left, "change"))
	}
	a.say("%s", text)
	a.render()
}
