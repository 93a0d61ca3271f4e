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
	now := changes{edits: edits{}}
	var h history
	change := func(row string, value float64, done bool) {
		h.remember(now, row, at)
		h.stepped(done, at)
		now.edits[row] = session.Edit{Name: row, Values: []any{value}}
	}
	value := func(row string) any {
		if e, ok := now.edits[row]; ok {
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
	require.True(t, now.none())
	move(false, false)

	for i := range maxPast + 7 {
		change("", float64(i), true)
	}
	require.Len(t, h.past, maxPast)
	require.Equal(t, 6.0, h.past[0].edits[""].Values[0], "the oldest entry is dropped")
}

// Saved changes are removed from the undo list, the rest stays; entries equal to the current state are dropped.
func TestUndoHistoryAfterSave(t *testing.T) {
	edit := func(v float64) edits { return edits{"a": {Name: "a", Values: []any{v}}} }
	orbit := func(v float64) session.Orbit { return session.Orbit{Yaw: v} }
	fresh := func() (h history) {
		h.past = []changes{{edits{}, orbit(0)}, {edit(1), orbit(0)}, {edit(1), orbit(1)}, {edit(2), orbit(1)}}
		h.future = []changes{{edit(3), orbit(2)}}
		return h
	}
	h := fresh() // the values are saved; the camera is at 2
	h.settle(changes{edits{}, orbit(2)}, edit(3), false)
	require.Equal(t, []changes{{edits{}, orbit(0)}, {edits{}, orbit(1)}}, h.past)
	require.Empty(t, h.future)
	h = fresh() // the camera is saved; the value is 2
	h.settle(changes{edit(2), orbit(0)}, nil, true)
	require.Equal(t, []changes{{edits{}, orbit(0)}, {edit(1), orbit(0)}}, h.past)
	require.Equal(t, []changes{{edit(3), orbit(0)}}, h.future)
	h = fresh()
	h.settle(changes{edits{}, orbit(0)}, edit(3), true)
	require.Empty(t, h.past)
	h = fresh()
	h.settle(changes{edits{}, orbit(0)}, nil, false)
	require.Len(t, h.past, 4)
}
