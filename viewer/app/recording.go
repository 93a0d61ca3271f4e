package app

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
	"time"

	"pica200/internal/film"
	"pica200/internal/plural"
	"pica200/scene"
	"pica200/viewer/session"
)

// recorder holds the running recording and film, and those being written.
type recorder struct {
	now     *recording // nil if none runs
	film    *filming   // nil if none is drawn
	writing writing
}

// recording collects pictures until it is stopped. A goroutine of the recorder encodes them at the same time.
type recording struct {
	window bool
	path   string // of the file
	format Format
	to     *film.Recorder
	frames int
	last   time.Time
}

// writing counts stopped recordings that are not yet written.
type writing struct {
	group sync.WaitGroup
	to    []*film.Recorder

	mu  sync.Mutex
	err error // error of the last failed one
}

// maxFrames limits the pictures of a recording.
const maxFrames = 1800

// toggleRecording starts a recording, or stops the running one: the rest is encoded while the window continues.
func (a *App) toggleRecording(window bool) {
	a.dirty = true
	if a.recorder.now != nil {
		a.stopRecording()
		return
	}
	if a.picture == nil {
		return
	}
	to, path, err := film.Record(a.o.Format, a.outBase("recording"), 0)
	if err != nil {
		a.say("no recording: %v", err)
		return
	}
	a.recorder.now = &recording{window: window, path: path, format: a.o.Format, to: to}
	a.record()
}

func (a *App) stopRecording() {
	r := a.recorder.now
	a.recorder.now = nil
	a.finish(r, a.o.Now())
}

// finish has the rest of a recording encoded; its last picture is shown until end.
func (a *App) finish(r *recording, end time.Time) {
	a.recorder.writing.group.Add(1)
	a.recorder.writing.to = append(a.recorder.writing.to, r.to)
	go func() {
		defer a.recorder.writing.group.Done()
		n, err := r.to.Stop(end)
		if err != nil && n > 0 {
			err = fmt.Errorf("the recording ended early, with %s in %s: %w", plural.Of(n, "picture"), r.path, err)
		} else if err != nil {
			err = fmt.Errorf("no recording: %w", err)
		}
		if err != nil {
			a.recorder.writing.mu.Lock()
			a.recorder.writing.err = err
			a.recorder.writing.mu.Unlock()
		}
		a.worker.post(func() {
			a.dirty = true
			a.recorder.writing.to = a.recorder.writing.to[1:] // only their number matters
			if err != nil {
				a.say("%v", err)
				return
			}
			a.say("recorded %s to %s", plural.Of(n, "picture"), r.path)
		})
	}()
}

// record adds the current picture if it is due: recordings have at most 25 pictures a second. If encoding is too slow a picture is
// dropped, and the previous one is shown longer.
func (a *App) record() {
	r := a.recorder.now
	if r == nil {
		return
	}
	now := a.o.Now()
	if r.frames > 0 && now.Sub(r.last) < 40*time.Millisecond {
		return
	}
	if _, _, full := r.to.Progress(); full || r.frames == maxFrames {
		a.stopRecording()
		return
	}
	if r.to.Offer(a.shown(r.window), now) {
		r.frames++
		r.last = now
	}
}

// filming is a film that is drawn picture by picture, however long each takes.
type filming struct {
	recording
	request session.Request // of the first picture
	turn    bool            // the camera turns around the scene once
	rate    int             // pictures a second
	count   int
	reloads int // of the files that it is drawn from
}

// Limits of films.
const (
	maxRate = 120
	maxFilm = 36000
)

// at is when a picture is shown, from the first one on.
func (f *filming) at(i int) time.Time {
	return time.Unix(0, 0).Add((time.Duration(i)*time.Second + time.Duration(f.rate) - 1) / time.Duration(f.rate))
}

// askFilm asks how to film the animation, or a turn around the scene. It ends a film that is being drawn.
func (a *App) askFilm(turn bool) {
	f := &filming{turn: turn}
	p := &prompt{app: a, button: "film"}
	p.do = func(text string) {
		if err := a.startFilm(f, text); err != nil {
			p.again(err)
		}
	}
	switch {
	case a.recorder.film != nil:
		a.cancelFilm("")
	case turn && !a.camera():
	case turn:
		p.title = "a turn around the scene: pictures a second, and seconds:"
		p.ask("30 8")
	case a.info.Frames > 1:
		p.title = fmt.Sprintf("the film of %d frames: pictures a second:", a.info.Frames)
		p.ask("60")
	case a.info.Animated && a.info.Duration > 0:
		p.title = fmt.Sprintf("the film of %.2f seconds: pictures a second:", a.info.Duration)
		p.ask("30")
	default:
		a.say("nothing moves here; a turn can be filmed")
	}
}

// filmRate parses the pictures a second of a film and, for a turn, its seconds.
func filmRate(text string, turn bool, format Format) (rate int, seconds float64, err error) {
	fields := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' })
	switch {
	case turn && len(fields) != 2:
		return 0, 0, fmt.Errorf("%q: expected the pictures a second and the seconds of the turn", text)
	case !turn && len(fields) != 1:
		return 0, 0, fmt.Errorf("%q: expected the pictures a second", text)
	}
	if rate, err = strconv.Atoi(fields[0]); err != nil || rate < 1 || rate > maxRate {
		return 0, 0, fmt.Errorf("%q pictures a second: expected 1 to %d", fields[0], maxRate)
	}
	if format == film.GIF && rate > 50 {
		return 0, 0, errors.New("a GIF shows at most 50 pictures a second; Esc, then Ctrl+F9 chooses another format")
	}
	if turn {
		if seconds, err = scene.Number(fields[1], 0); err == nil && !(seconds > 0) {
			err = fmt.Errorf("%q seconds: expected more than 0", fields[1])
		}
	}
	return rate, seconds, err
}

// startFilm draws the first picture of a film, or returns why there is none.
func (a *App) startFilm(f *filming, text string) error {
	rate, seconds, err := filmRate(text, f.turn, a.o.Format)
	switch {
	case err != nil:
	case !f.turn && a.info.Frames > 0:
		f.count = a.info.Frames
	case f.turn:
		f.count = int(math.Ceil(min(float64(seconds*float64(rate))-1e-6, maxFilm+1)))
	default:
		f.count = int(math.Ceil(min(float64(a.info.Duration*float64(rate))-1e-6, maxFilm+1)))
	}
	if err == nil && f.count > maxFilm {
		err = fmt.Errorf("a film has at most %d pictures", maxFilm)
	}
	if f.rate, f.format = rate, a.o.Format; err == nil {
		f.to, f.path, err = film.Record(f.format, a.outBase("film"), rate)
	}
	if err != nil {
		return err
	}
	f.request, f.reloads = a.wanted(), a.reloads
	if f.request.Room = a.room(); !f.turn {
		f.request.Draw = -1
	}
	a.recorder.film = f
	a.filmNext()
	return nil
}

// filmNext draws the next picture of the film. Other work comes between two of them.
func (a *App) filmNext() {
	f := a.recorder.film
	i, r := f.frames, f.request
	switch {
	case f.turn:
		r.Orbit.Yaw += 2 * math.Pi * float64(i) / float64(f.count)
	case a.info.Frames > 0:
		r.Frame = i
	default:
		r.Time = float64(i) / float64(f.rate)
	}
	a.dirty = true
	a.worker.do(func(ctx context.Context, s session.Source) func() {
		p, err := s.Render(ctx, &r)
		if err == nil {
			f.to.Add(p.Image, f.at(i))
		}
		return func() { a.filmed(f, err) }
	})
}

// filmed goes on after a picture of a film.
func (a *App) filmed(f *filming, err error) {
	_, _, full := f.to.Progress()
	switch {
	case a.recorder.film != f: // it was cancelled
		return
	case errors.Is(err, context.Canceled):
		a.cancelFilm("")
		return
	case err != nil:
		a.cancelFilm(": " + err.Error())
		return
	case a.reloads != f.reloads:
		a.cancelFilm(", because the file is another now")
		return
	}
	if f.frames++; f.frames < f.count && !full {
		a.filmNext()
		return
	}
	a.recorder.film, a.dirty = nil, true
	a.finish(&f.recording, f.at(f.frames))
}

// cancelFilm ends the film that is being drawn, without a file; why follows what is said of it.
func (a *App) cancelFilm(why string) {
	f := a.recorder.film
	if a.recorder.film = nil; f == nil {
		return // it was finished while a question was open
	}
	if err := f.to.Discard(); err != nil {
		why += fmt.Sprintf("; %s may be left: %v", f.path, err)
	}
	a.say("the film was cancelled%s", why)
}

// nextFormat changes the format of the next recording.
func (a *App) nextFormat() {
	a.o.Format = a.o.Format.Next()
	a.say("recordings are written as %s", [...]string{"animated GIF, with 256 colours a picture", "animated PNG, exact", "a folder of PNG files, exact"}[a.o.Format])
}

// finishRecordings stops the running recording and waits until all are written.
func (a *App) finishRecordings() error {
	if a.recorder.now != nil {
		a.stopRecording()
	}
	if a.recorder.film != nil {
		a.cancelFilm("")
	}
	a.recorder.writing.group.Wait()
	return a.recorder.writing.err
}

// recordingNote returns the progress of recordings, "" if none runs or is being written.
func (a *App) recordingNote() string {
	if f := a.recorder.film; f != nil {
		return fmt.Sprintf("filming %d of %d as %v  Esc cancels", f.frames, f.count, f.format)
	}
	if r := a.recorder.now; r != nil {
		_, encoded, _ := r.to.Progress()
		return fmt.Sprintf("recording %d as %v (%d to encode)  F9 stops", r.frames, r.format, r.frames-encoded)
	}
	taken, encoded := 0, 0
	for _, r := range a.recorder.writing.to {
		t, e, _ := r.Progress()
		taken, encoded = taken+t, encoded+e
	}
	if len(a.recorder.writing.to) == 0 {
		return ""
	}
	return fmt.Sprintf("writing the recording: %d of %d", encoded, taken)
}

// recordingWait returns how long the window may sleep while a recording is written, so that its progress shows; negative if none
// is.
func (a *App) recordingWait() time.Duration {
	if len(a.recorder.writing.to) == 0 {
		return -1
	}
	return 100 * time.Millisecond
}
