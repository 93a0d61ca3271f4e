package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"pica200/pica"
)

// Warning is something that the console gets over but that no program means:
// what a draw, a fetch or a copy could not do was left out, and the work went
// on. What would hang the console is an error instead, which wraps
// pica.ErrHang.
type Warning struct {
	Frame int // of a replay, where it was met first
	Draw  int // of that frame, from 0; -1 for what is not a draw
	Count int // how often it was met
	Text  string
}

func (w Warning) String() string {
	place := fmt.Sprintf("frame %d", w.Frame)
	if w.Draw >= 0 {
		place += fmt.Sprintf(", draw %d", w.Draw)
	}
	if w.Count > 1 {
		return fmt.Sprintf("%s: %s (%d times)", place, w.Text, w.Count)
	}
	return place + ": " + w.Text
}

// Warnings returns what was met so far, each different text once, in the order
// in which they were met first.
func (g *GPU) Warnings() []Warning { return slices.Clone(g.warnings.list) }

// warnings keeps a bounded number of different messages.
type warnings struct {
	list []Warning
	at   map[string]int // of each text, its place in the list
}

const maxWarnings = 50

// add counts a warning. When there are too many different ones the last says
// how many more there were.
func (w *warnings) add(frame, draw int, text string) {
	if i, ok := w.at[text]; ok {
		w.list[i].Count++
		return
	}
	if len(w.list) == maxWarnings {
		const others = "further warnings of other kinds"
		if w.list[maxWarnings-1].Text == others {
			w.list[maxWarnings-1].Count++
			return
		}
		delete(w.at, w.list[maxWarnings-1].Text)
		w.list[maxWarnings-1] = Warning{frame, draw, 2, others}
		return
	}
	if w.at == nil {
		w.at = map[string]int{}
	}
	w.at[text] = len(w.list)
	w.list = append(w.list, Warning{frame, draw, 1, text})
}

// warn takes note of something that the console gets over. The error is nil
// unless warnings are errors (Options.Strict).
func (g *GPU) warn(format string, args ...any) error {
	text := fmt.Sprintf(format, args...)
	if g.strict {
		return errors.New(text)
	}
	draw := -1
	if g.scratch.running {
		draw = g.scratch.info.Index
	}
	g.warnings.add(g.place.frame, draw, text)
	return nil
}

// survive makes a warning of an error that the console would get over: what was
// to be done is left out. Others it returns: those that stand for a hang, and
// those of who called.
func (g *GPU) survive(ctx context.Context, err error, what string) error {
	if err == nil || g.strict || errors.Is(err, pica.ErrHang) || ctx.Err() != nil {
		return err
	}
	return g.warn("%s left out: %v", what, err)
}
