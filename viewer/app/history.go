package app

import (
	"maps"
	"slices"
	"time"

	"pica200/viewer/session"
)

// edits are changed uniforms, as Request has them.
type edits = map[string]session.Edit

// maxPast bounds how many changes can be undone.
const maxPast = 500

// gesturePause is how long steps of one row belong together.
const gesturePause = 700 * time.Millisecond

// changes are what is undone and saved: the changed uniforms, and how far the camera
// was moved.
type changes struct {
	edits edits
	orbit session.Orbit
}

// none reports whether nothing was changed.
func (c changes) none() bool { return len(c.edits) == 0 && c.orbit == session.Orbit{} }

func (c changes) equal(d changes) bool {
	return c.orbit == d.orbit && maps.EqualFunc(c.edits, d.edits, func(a, b session.Edit) bool { return slices.Equal(a.Values, b.Values) })
}

// history is the changes before and after those of now, and which of them are kept in
// a file.
type history struct {
	past, future []changes // newest last
	gesture      string    // key of the row that is dragged, or was stepped
	gestureEnd   time.Time // until when steps belong together; zero while the mouse drags
	copied       changes   // as a copy has them that was saved last
	writing      int       // saves that are not done
	savedUntil   time.Time // until when a change of the files is our own
}

// remember keeps the changes of now, to be undone. What is done to the row of a
// key in one go, or in steps without a pause, is undone at once.
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

// stepped tells that the row that was remembered last changed; done is false
// while the mouse drags.
func (h *history) stepped(done bool, at time.Time) {
	h.gestureEnd = time.Time{}
	if done {
		h.gestureEnd = at.Add(gesturePause)
	}
}

// step returns the changes before those of now, or after them; false if there are
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

// settle forgets what is kept in the file from now on, which cannot be undone: what was
// done to the rest stays.
func (h *history) settle(now changes, values, camera bool) {
	if !values && !camera {
		return
	}
	h.gesture, h.copied = "", changes{}
	for _, list := range []*[]changes{&h.past, &h.future} {
		var rest []changes
		for _, c := range *list {
			if values {
				c.edits = maps.Clone(now.edits)
			}
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
