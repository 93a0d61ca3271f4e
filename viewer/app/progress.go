package app

import (
	"fmt"
	"image"
	"sync"
	"time"

	"pica200/viewer/ui"
)

// progress is the progress of a replay that a picture waits for. The rendering goroutine writes it.
type progress struct {
	mu          sync.Mutex
	done, total int
	reported    time.Time
	wake        func()
}

// patience is the shortest interval between updates of the progress.
const patience = 100 * time.Millisecond

// report is Request.Progress.
func (p *progress) report(done, total int) {
	p.mu.Lock()
	p.done, p.total = done, total
	now := time.Now()
	due := now.Sub(p.reported) >= patience
	if due {
		p.reported = now
	}
	p.mu.Unlock()
	if due {
		p.wake()
	}
}

// clear removes the progress of a finished replay.
func (p *progress) clear() {
	p.mu.Lock()
	p.done, p.total = 0, 0
	p.mu.Unlock()
}

// now returns the progress, 0 of 0 if nothing is replayed.
func (p *progress) now() (done, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.done, p.total
}

// drawProgress draws the progress over the centre of the picture.
func (a *App) drawProgress() {
	done, total := a.progress.now()
	if total == 0 || done == total || !a.worker.working() {
		return
	}
	s := a.screen
	text := fmt.Sprintf("replaying frame %d of %d", done, total)
	pad, stop := s.Units(8), s.ButtonWidth("stop (Esc)")
	w := max(s.Width(text)+stop+3*pad, s.Units(260))
	r := image.Rect(0, 0, w, 2*s.Line()+2*pad)
	r = r.Add(image.Pt((a.win.area.Min.X+a.win.area.Max.X-r.Dx())/2, (a.win.area.Min.Y+a.win.area.Max.Y-r.Dy())/2))
	s.Cover(r)
	s.Frame(r, ui.Selected)
	s.Text(r.Min.X+pad, r.Min.Y+pad/2, text, ui.Text)
	s.Button(image.Rect(r.Max.X-stop-pad/2, r.Min.Y+pad/2, r.Max.X-pad/2, r.Min.Y+pad/2+s.Line()+s.Units(2)), "stop (Esc)",
		ui.ButtonStyle{Tip: "cancel the replay"}, a.interrupt)
	bar := image.Rect(r.Min.X+pad, r.Max.Y-pad-s.Units(6), r.Max.X-pad, r.Max.Y-pad)
	s.Fill(bar, ui.Selected)
	bar.Max.X = bar.Min.X + bar.Dx()*done/total
	s.Fill(bar, ui.Accent)
}

// waiting reports whether a slow operation runs that can be cancelled.
func (a *App) waiting() bool {
	done, total := a.progress.now()
	return total > 0 && done < total && a.worker.working()
}

// interrupt cancels the current operation and pending requests; the current picture stays.
func (a *App) interrupt() {
	a.motion.playing = false
	a.worker.interrupt(true)
}

// interrupted handles a cancelled picture: the request is reset to that of the current picture.
func (a *App) interrupted() {
	a.say("cancelled; the picture is the one from before")
	if a.picture == nil {
		a.problem, a.failed = "nothing is shown: the first picture was cancelled (Home, . and , go to a frame)", true
		return
	}
	r := &a.picture.Request
	a.req.Frame, a.req.Draw, a.req.View, a.req.Screens, a.req.Time = r.Frame, r.Draw, r.View, r.Screens, r.Time
}
