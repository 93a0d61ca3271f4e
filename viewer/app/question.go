package app

import (
	"image"
	"strings"

	"pica200/viewer/ui"
)

// question is a popup with a question. Its answers are buttons, each with a key; Esc and clicks outside do nothing.
type question struct {
	ui.NoChars
	screen  *ui.Screen
	title   string
	problem string // error of the previous answer, or ""
	answers []answer
	at      int // index of the answer for Enter
	// optional questions end when the window closes or another file is opened.
	optional bool
}

// answer is an answer of a question.
type answer struct {
	text string
	key  ui.Key
	do   func() // nil does nothing
}

// ask asks a question.
func (a *App) ask(q *question) {
	q.screen, a.dirty = a.screen, true
	a.screen.Open(q)
}

// label returns an answer's text with its key.
func (w *answer) label() string { return w.text + " (" + w.key.String() + ")" }

// give closes the question and carries out an answer.
func (q *question) give(w *answer) {
	q.screen.Close(q)
	if w.do != nil {
		w.do()
	}
}

// Draw implements ui.Popup. The answers are in a row, or one below the other if there is no room.
func (q *question) Draw(s *ui.Screen) {
	pad, line := s.Units(8), s.Line()
	height := line + s.Units(8)
	row := 0
	for i := range q.answers {
		row += s.ButtonWidth(q.answers[i].label()) + pad
	}
	w := min(max(row+pad, s.Units(400)), s.Img.Rect.Dx()-2*pad)
	room := s.Columns(max(w-2*pad, 1))
	lines, bad, problem := len(ui.Wrap(q.title, room)), 0, strings.TrimSpace(q.problem)
	if problem != "" {
		bad = min(len(ui.Wrap(problem, room)), 6)
	}
	rows := 1
	if row > w-pad {
		rows = len(q.answers)
	}
	in := s.Dialog(w, (lines+bad)*line+rows*height+3*pad)
	y := s.Lines(s.Lines(in, q.title, lines, ui.Text), problem, bad, ui.Bad).Min.Y
	y = max(min(y+pad, in.Max.Y-rows*height), in.Min.Y)
	x := in.Min.X
	for i := range q.answers {
		w := &q.answers[i]
		label := w.label()
		r := image.Rect(x, y, x+s.ButtonWidth(label), y+height)
		if rows > 1 {
			r.Max.X = in.Max.X
			y += height
		} else {
			x = r.Max.X + pad
		}
		s.Frame(r, ui.Selected)
		s.Button(r, label, ui.ButtonStyle{Tip: w.text, On: i == q.at}, func() { q.give(w) })
	}
}

// Key implements ui.Keys.
func (q *question) Key(k ui.Key, m ui.Mods) bool {
	n := len(q.answers)
	switch {
	case k == KeyLeft || k == KeyUp || k == KeyTab && m == Shift:
		q.at = (q.at + n - 1) % n
		return true
	case k == KeyRight || k == KeyDown || k == KeyTab && m == 0:
		q.at = (q.at + 1) % n
		return true
	case m != 0:
		return k != KeyEscape
	case k == KeyEnter || k == KeyPadEnter:
		q.give(&q.answers[q.at])
		return true
	}
	for i := range q.answers {
		if q.answers[i].key == k {
			q.give(&q.answers[i])
			return true
		}
	}
	return false
}
