package app

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/viewer/session"
)

// Consecutive steps of one row are one change. Another row, a pause or an undo begins a new change, and a new change clears the
// redo list.
func TestUndoHistory(t *testing.T) {
	at := time.Unix(100, 0)
	now := edits{}
	var h history
	change := func(row string, value float64, done bool) {
		h.remember(now, row, at)
		h.stepped(done, at)
		now[row] = session.Edit{Name: row, Values: []any{value}}
	}
	value := func(row string) any {
		if e, ok := now[row]; ok {
			return e.Values[0]
		}
		return nil
	}
	move := func(redo, want bool) {
		t.Helper()
		var ok bool
		now, ok = h.step(now, redo)
		require.Equal(t, want, ok)
	}

	change("a", 1, false)
	at = at.Add(time.Hour) // the mouse button is still held
	change("a", 2, true)
	at = at.Add(gesturePause - 1)
	change("a", 2.5, false) // pressed again
	at = at.Add(time.Hour)
	change("a", 3, true)
	require.Len(t, h.past, 1)
	at = at.Add(gesturePause)
	change("a", 4, true)
	change("b", 5, true)
	change("", 6, true) // changes without a row are never merged
	change("", 7, true)
	require.Len(t, h.past, 5)

	move(false, true)
	require.Equal(t, 6.0, value(""))
	move(false, true)
	move(false, true)
	require.Nil(t, value("b"))
	require.Equal(t, 4.0, value("a"))
	move(false, true)
	require.Equal(t, 3.0, value("a"))
	move(true, true)
	require.Equal(t, 4.0, value("a"))
	change("a", 8, true) // the same row after an undo: a new change
	move(true, false)
	require.Equal(t, 8.0, value("a"))
	change("c", 1, true)
	n := len(h.past)
	move(false, true)
	change("c", 2, true) // the same row without a pause, but after an undo
	require.Len(t, h.past, n)
	move(false, true)
	for range 3 {
		now, _ = h.step(now, false)
	}
	require.Empty(t, now)
	move(false, false)

	for i := range maxPast + 7 {
		change("", float64(i), true)
	}
	require.Len(t, h.past, maxPast)
	require.Equal(t, 6.0, h.past[0][""].Values[0], "the oldest entry is dropped")
}

// When another program writes the file, all states become relative to it: what was saved is in it, and what was taken back since is
// an edit where that can be said.
func TestUndoHistoryOverAnotherFile(t *testing.T) {
	edit := func(list ...float64) edits {
		out := edits{}
		for i, v := range list {
			if name := string(rune('a' + i)); v != 0 {
				out[name] = session.Edit{Name: name, Values: []any{v}}
			}
		}
		return out
	}
	h := history{past: []edits{edit(), edit(1), edit(1, 2)}, future: []edits{edit(0, 4, 5)}, saved: edit(1, 2), back: edit(9)}
	require.Equal(t, edit(0, 4), h.rebase(edit(1, 4)))
	require.Equal(t, []edits{edit(9), edit()}, h.past)
	require.Equal(t, []edits{edit(9, 4, 5)}, h.future)
	require.Empty(t, h.saved)
	require.Equal(t, edit(3), h.rebase(edit(3)))
	require.Len(t, h.past, 2)
}
