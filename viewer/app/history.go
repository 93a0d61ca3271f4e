package app

import (
	"maps"
	"time"

	"pica200/viewer/session"
)

// edits are changed uniforms, as Request has them.
type edits = map[string]session.Edit

// maxPast bounds how many changes can be undone.
const maxPast = 500

// gesturePause is how long steps of one row belong together.
const gesturePause = 700 * time.Millisecond

// history is the edits before and after the ones of now.
type history struct {
	past, future []edits   // newest last
	gesture      string    // key of the row that is dragged, or was stepped
	gestureEnd   time.Time // until when steps belong together; zero while the mouse drags
	savedUntil   time.Time // until when a change of the files is our own
}

// remember keeps the edits of now, to be undone. What is done to the row of a
// key in one go, or in steps without a pause, is undone at once.
func (h *history) remember(now edits, key string, at time.Time) {
	together := key != "" && key == h.gesture && (h.gestureEnd.IsZero() || at.Before(h.gestureEnd))
	h.gesture = key
	if together {
		return
	}
	h.past = append(h.past, maps.Clone(now))
	if n := len(h.past) - maxPast; n > 0 {
		h.past = h.past[n:]
	}
	h.future = nil
}

// stepped tells that the row that was remembered last changed; done is false
// while the mouse drags.
func (h *history) stepped(done bool, at time.Time) {
	h.gestureEnd = time.Time{}
	if done {
		h.gestureEnd = at.Add(gesturePause)
	}
}

// step gives the edits before those of now, or after them; false if there are
// none.
func (h *history) step(now edits, redo bool) (edits, bool) {
	from, to := &h.past, &h.future
	if redo {
		from, to = to, from
	}
	n := len(*from)
	if n == 0 {
		return now, false
	}
	*to = append(*to, maps.Clone(now))
	got := (*from)[n-1]
	*from = (*from)[:n-1]
	h.gesture = ""
	return got, true
}

// savedHere notes that files were written here: that they change is no news.
func (a *App) savedHere() { a.history.savedUntil = a.o.Now().Add(2 * time.Second) }
