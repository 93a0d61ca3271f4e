package app

import (
	"fmt"
	"sync"
	"time"

	"pica200/internal/film"
	"pica200/internal/plural"
)

// recorder holds the running recording and those being written.
type recorder struct {
	now     *recording // nil if none runs
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
	to, path, err := film.Record(a.o.Format, a.outBase("recording"))
	if err != nil {
		a.say("no recording: %v", err)
		return
	}
	a.recorder.now = &recording{window: window, path: path, format: a.o.Format, to: to}
	a.record()
}

func (a *App) stopRecording() {
	r, now := a.recorder.now, a.o.Now()
	a.recorder.now = nil
	a.recorder.writing.group.Add(1)
	a.recorder.writing.to = append(a.recorder.writing.to, r.to)
	go func() {
		defer a.recorder.writing.group.Done()
		n, err := r.to.Stop(now)
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
			a.say("recorded %d frames to %s", r.frames, r.path)
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
	a.recorder.writing.group.Wait()
	return a.recorder.writing.err
}

// recordingNote returns the progress of recordings, "" if none runs or is being written.
func (a *App) recordingNote() string {
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
