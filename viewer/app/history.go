package app

import (
	"maps"
	"slices"
	"strings"
	"time"

	"pica200/internal/plural"
	"pica200/viewer/session"
)

// edits are changed uniforms, as in session.Request.
type edits = map[string]session.Edit

// maxPast limits the number of undo steps.
const maxPast = 500

// gesturePause is the longest pause between steps that are undone together.
const gesturePause = 700 * time.Millisecond

// changes is a state for undo and saving: the changed uniforms and the camera's
// movement.
type changes struct {
	edits edits
	orbit session.Orbit
}

// text describes the changes, "" for none.
func (c changes) text() string {
	var parts []string
	if n := len(c.edits); n > 0 {
		parts = append(parts, plural.Of(n, "changed value"))
	}
	if c.orbit != (session.Orbit{}) {
		parts = append(parts, "the moved camera")
	}
	return strings.Join(parts, " and ")
}

// none reports whether nothing was changed.
func (c changes) none() bool { return len(c.edits) == 0 && c.orbit == session.Orbit{} }

func (c changes) equal(d changes) bool {
	return c.orbit == d.orbit && maps.EqualFunc(c.edits, d.edits, func(a, b session.Edit) bool { return slices.Equal(a.Values, b.Values) })
}

// history holds the states before and after the current one, and which state is
// saved.
type history struct {
	past, future []changes // newest last
	gesture      string    // key of the row that was dragged or stepped last
	gestureEnd   time.Time // until when further steps belong to the gesture; zero during a drag
	copied       changes   // the state in the last saved copy
	writing      int       // saves in progress
	savedUntil   time.Time // until when changes of files are our own
}

// remember stores the current state for undo. Changes to the same key in one
// gesture, or in steps without a pause, are one undo step.
func (h *history) remember(now changes, key string, at time.Time) {
	together := key != "" && key == h.gesture && (h.gestureEnd.IsZero() || at.Before(h.gestureEnd))
	h.gesture = key
	if together {
		return
	}
	h.past = append(h.past, now.clone())
	if n := len(h.past) - maxPast; n > 0 {
		h.past = h.past[n:]
	}
	h.future = nil
}

// stepped notes a change of the remembered row; done is false while the mouse drags.
func (h *history) stepped(done bool, at time.Time) {
	h.gestureEnd = time.Time{}
	if done {
		h.gestureEnd = at.Add(gesturePause)
	}
}

// step returns the state before or after the current one; false if there is
// none.
func (h *history) step(now changes, redo bool) (changes, bool) {
	from, to := &h.past, &h.future
	if redo {
		from, to = to, from
	}
	n := len(*from)
	if n == 0 {
		return now, false
	}
	*to = append(*to, now.clone())
	got := (*from)[n-1]
	*from = (*from)[:n-1]
	h.gesture = ""
	return got, true
}

// settle removes what was saved in the file from all states, because it cannot
// be undone; other changes stay.
func (h *history) settle(now changes, saved edits, camera bool) {
	if len(saved) == 0 && !camera {
		return
	}
	h.gesture, h.copied = "", changes{}
	for _, list := range []*[]changes{&h.past, &h.future} {
		var rest []changes
		for _, c := range *list {
			maps.DeleteFunc(c.edits, func(k string, _ session.Edit) bool { _, is := saved[k]; return is })
			if camera {
				c.orbit = now.orbit
			}
			if !c.equal(now) && (len(rest) == 0 || !c.equal(rest[len(rest)-1])) {
				rest = append(rest, c)
			}
		}
		*list = rest
	}
}

func (c changes) clone() changes { return changes{maps.Clone(c.edits), c.orbit} }
