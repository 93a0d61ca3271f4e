package app

import (
	"maps"
	"slices"
	"time"

	"pica200/viewer/session"
)

// edits are changed uniforms, as in session.Request.
type edits = map[string]session.Edit

// maxPast limits the number of undo steps.
const maxPast = 500

// gesturePause is the longest pause between steps that are undone together.
const gesturePause = 700 * time.Millisecond

// differ counts the values that two states have not in common.
func differ(a, b edits) (n int) {
	for k, e := range a {
		if f, ok := b[k]; !ok || !slices.Equal(e.Values, f.Values) {
			n++
		}
	}
	for k := range b {
		if _, ok := a[k]; !ok {
			n++
		}
	}
	return n
}

// history holds the states before and after the current one, and which state the file has. Edits are relative to the file as it
// was read; those that were saved stay among them, so that they can be taken back.
type history struct {
	past, future []edits   // newest last
	gesture      string    // key of the row that was dragged or stepped last
	gestureEnd   time.Time // until when further steps belong to the gesture; zero during a drag
	saved        edits     // the state in the file
	back         edits     // edits that undo saved ones, where that can be said
	writing      int       // saves in progress, and those that wait for them
	busy         bool      // one is in progress
	savedUntil   time.Time // until when changes of files are our own
	changes      int       // counts what happened to the changes that are not saved
}

// remember stores the current state for undo. Changes to the same key in one
// gesture, or in steps without a pause, are one undo step.
func (h *history) remember(now edits, key string, at time.Time) {
	h.changes++
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

// stepped says that the remembered row was changed; done is false while the mouse drags.
func (h *history) stepped(done bool, at time.Time) {
	h.gestureEnd = time.Time{}
	if done {
		h.gestureEnd = at.Add(gesturePause)
	}
}

// step returns the state before or after the current one; false if there is none.
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
	h.changes++
	return got, true
}

// over returns a state as edits of the file as it is, with what was saved.
func (h *history) over(state edits) edits {
	out := edits{}
	for k, e := range state {
		if f, ok := h.saved[k]; !ok || !slices.Equal(e.Values, f.Values) {
			out[k] = e
		}
	}
	for k := range h.saved {
		if e, ok := h.back[k]; ok && state[k].Values == nil {
			out[k] = e
		}
	}
	return out
}

// rebase makes all states relative to the file as it is, which another program wrote, and returns the current one.
func (h *history) rebase(now edits) edits {
	if len(h.saved) == 0 {
		return now
	}
	current := h.over(now)
	for _, list := range []*[]edits{&h.past, &h.future} {
		var rest []edits
		for _, c := range *list {
			if c = h.over(c); differ(c, current) > 0 && (len(rest) == 0 || differ(c, rest[len(rest)-1]) > 0) {
				rest = append(rest, c)
			}
		}
		*list = rest
	}
	h.gesture, h.saved, h.back = "", nil, nil
	h.changes++
	return current
}
