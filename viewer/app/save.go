package app

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"

	"pica200/internal/plural"
	"pica200/viewer/session"
)

// saving says what to write, and where.
type saving struct {
	values bool            // the changed values
	camera bool            // where the camera is
	as     string          // the file to go on with; "" is the opened scene
	over   bool            // as may exist
	then   func()          // called after writing; may be nil
	failed func(err error) // called on failure; nil shows a note
}

// wanted returns the request for the current picture, with its own copy of the edits.
func (a *App) wanted() session.Request {
	r := a.req
	r.Edits = maps.Clone(a.req.Edits)
	r.Orbit.Yaw += a.motion.angle
	return r
}

// savedHere is called after the viewer wrote files, so that their change is not reported.
func (a *App) savedHere() { a.history.savedUntil = a.o.Now().Add(2 * time.Second) }

// unsaved returns the number of values that the file does not have as they are shown.
func (a *App) unsaved() int { return differ(a.req.Edits, a.history.saved) }

// unsavedText describes the unsaved changes, "" if there are none.
func (a *App) unsavedText() string {
	if n := a.unsaved(); n > 0 {
		return plural.Of(n, "changed value")
	}
	return ""
}

// Leave closes the viewer; it asks first if changes would be lost.
func (a *App) Leave() { a.leave("Before it closes", func() { a.quit = true }) }

// leave runs do, which ends the current view. If changes would be lost it asks first: save, discard, or stay.
func (a *App) leave(when string, do func()) {
	if q, asked := a.screen.Popup().(*question); asked && len(q.answers) > 1 && !q.optional {
		return // the question is already open
	} else if asked {
		a.screen.Close(q)
	}
	a.panel.Commit()
	if a.history.writing > 0 {
		a.worker.do(func(context.Context, session.Source) func() { return func() { a.leave(when, do) } })
		return
	}
	switch f := a.recorder.film; {
	case f != nil:
		a.ask(&question{title: fmt.Sprintf("%s: the film, of which %d of %d pictures are drawn, would be lost.", when, f.frames, f.count), answers: []answer{
			{"end the film", 'E', func() { a.cancelFilm(""); a.leave(when, do) }},
			{"stay", KeyEscape, nil}}})
	case a.unsaved() == 0:
		do()
	default:
		a.ask(a.unsavedQuestion(when, do, nil))
	}
}

// unsavedQuestion asks what to do with unsaved changes; failed is the error of the last attempt to save.
func (a *App) unsavedQuestion(when string, do func(), failed error) *question {
	w := saving{values: true, then: do}
	w.failed = func(err error) { a.ask(a.unsavedQuestion(when, do, err)) }
	q := &question{title: fmt.Sprintf("%s: %s of %s would be lost.", when, a.unsavedText(), a.info.Name)}
	if a.info.Scene {
		q.answers = append(q.answers, answer{"save", 'S', func() { a.save(w) }})
	}
	if failed != nil {
		q.problem = "not saved: " + failed.Error()
	}
	if !a.info.Scene || failed != nil {
		q.answers = append(q.answers, answer{"save as", 'A', func() { a.saveAs(w) }})
	}
	q.answers = append(q.answers, answer{"discard", 'D', do}, answer{"stay", KeyEscape, nil})
	return q
}

// saveAs asks for the name of a scene, writes it, and goes on with it.
func (a *App) saveAs(w saving) {
	if !a.info.Camera {
		a.say("only scenes, models and shaders are saved as scenes; pica200 scene from makes one of a recording")
		return
	}
	a.panel.Commit()
	p := &prompt{app: a, title: "the name of the scene, or its path in another folder:", button: "save"}
	p.do = func(name string) {
		if name = strings.TrimSpace(name); name == "" {
			return
		}
		if filepath.Ext(name) == "" {
			name += ".yaml"
		}
		if w.as = name; !filepath.IsAbs(name) {
			w.as = filepath.Join(filepath.Dir(a.info.Path), name)
		}
		if w.over = false; w.as == a.info.Path {
			w.as = ""
		}
		if w.then == nil {
			w.failed = p.again
		}
		a.save(w)
	}
	base := strings.TrimSuffix(filepath.Base(a.info.Path), filepath.Ext(a.info.Path))
	if !strings.HasSuffix(base, "-edited") {
		base += "-edited"
	}
	p.ask(base + ".yaml")
}

// save writes the changes to the scene's file, or to another. What is no scene gets a name first.
func (a *App) save(w saving) {
	a.panel.Commit()
	if w.as == "" && !a.info.Scene {
		a.saveAs(w)
		return
	}
	r, angle, sent, base := a.wanted(), a.motion.angle, a.req.Orbit, a.info.Base
	if !w.values {
		r.Edits = maps.Clone(a.history.saved)
	}
	if !w.camera {
		r.Orbit = session.Orbit{}
	}
	if w.as == "" && r.Orbit == (session.Orbit{}) && differ(r.Edits, a.history.saved) == 0 && a.problem == "" {
		a.say("nothing was changed")
		if w.then != nil {
			w.then()
		}
		return
	}
	a.history.writing++
	again := func() { a.history.writing--; a.save(w) }
	if a.history.busy { // one after the other: each is relative to the one before
		a.worker.do(func(context.Context, session.Source) func() { return again })
		return
	}
	a.history.busy = true
	a.worker.do(func(ctx context.Context, s session.Source) func() {
		if s.Info().Base != base { // the file was read again meanwhile: the changes become relative to it first
			return func() { a.history.busy = false; again() }
		}
		writer, ok := s.(session.Writer)
		var back edits
		err := session.ErrNoScene
		ctx = context.WithoutCancel(ctx)
		switch {
		case ok && w.as == "":
			back, err = writer.WriteBack(ctx, &r)
		case ok:
			back, err = writer.SaveAs(ctx, &r, w.as, w.over)
		}
		info := s.Info()
		return func() {
			a.history.writing--
			a.history.busy, a.dirty = false, true
			if err != nil {
				a.notSaved(w, err)
				return
			}
			if w.camera {
				a.tookCamera(&r, sent, angle)
			}
			a.written(info, &r, w, back)
			if left := a.unsaved(); w.values && left > 0 && w.then != nil {
				w.failed(fmt.Errorf("%s of what no draw has, or made meanwhile", plural.Of(left, "change")))
				return
			}
			if w.then != nil {
				w.then()
			}
		}
	})
}

// notSaved says why a scene was not written. A file in its place is asked about.
func (a *App) notSaved(w saving, err error) {
	switch {
	case w.as != "" && !w.over && exists(w.as):
		w.over = true
		a.ask(&question{title: fmt.Sprintf("%s exists already.", a.shortPath(w.as)), answers: []answer{
			{"replace it", 'R', func() { a.save(w) }},
			{"another name", 'N', func() { a.saveAs(w) }},
			{"stay", KeyEscape, nil}}})
	case w.failed != nil:
		w.failed(err)
	default:
		a.ask(&question{title: a.info.Name + " is not saved; the changes stay.", problem: err.Error(), answers: []answer{
			{"save as", 'A', func() { a.saveAs(w) }},
			{"close", KeyEscape, nil}}})
	}
}

// written is called when the file has the values of a request.
func (a *App) written(info session.Info, r *session.Request, w saving, back edits) {
	n := differ(r.Edits, a.history.saved)
	if a.history.saved = r.Edits; a.history.saved == nil {
		a.history.saved = edits{}
	}
	a.history.back = back
	a.history.changes++
	a.have(info)
	a.watch(info)
	a.savedHere()
	a.since = a.asked + 1
	text := fmt.Sprintf("saved %s in %s", plural.Of(n, "change"), info.Name)
	if w.camera && !w.values {
		text = "saved the camera in " + info.Name
	}
	if w.as != "" {
		text = fmt.Sprintf("saved as %s, which is open now", info.Name)
		a.knowNamesakes()
		if err := addRecent(a.o.Recent, info.Path); err != nil {
			text += fmt.Sprintf("; the list of recent files cannot be saved: %v", err)
		}
	}
	if left := a.unsaved(); w.values && left > 0 {
		text += fmt.Sprintf("; %s of what no draw has, or made meanwhile, stays", plural.Of(left, "change"))
	}
	a.say("%s%s", text, r.Note)
	a.render()
}

// tookCamera makes the camera that was written a change, which can be undone like others.
func (a *App) tookCamera(r *session.Request, sent session.Orbit, angle float64) {
	if a.motion.angle >= angle { // T or R may have ended turning since
		a.motion.angle -= angle
	}
	a.req.Orbit = a.req.Orbit.Less(sent)
	a.remember("")
	for k, e := range r.Edits {
		if session.OfCamera(e.Name) {
			a.req.Edits[k] = e
		}
	}
}

func exists(path string) bool { _, err := os.Lstat(path); return err == nil }
