package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"pica200/pica"
)

// Warning reports an invalid draw, fetch or copy that the console survives: it
// was left out, and work continued. What would hang the console is an error
// instead, which wraps pica.ErrHang.
type Warning struct {
	Frame int // frame in which it first occurred
	Draw  int // draw of that frame, from 0; -1 outside of draws
	Count int // how often it occurred
	Text  string
}

func (w Warning) String() string {
	where := fmt.Sprintf("frame %d", w.Frame)
	if w.Draw >= 0 {
		where += fmt.Sprintf(", draw %d", w.Draw)
	}
	if w.Count > 1 {
		return fmt.Sprintf("%s: %s (%d times)", where, w.Text, w.Count)
	}
	return where + ": " + w.Text
}

// Warnings returns the warnings so far, each different text once, in the order
// of first occurrence.
func (g *GPU) Warnings() []Warning { return slices.Clone(g.warnings) }

// warnings holds a bounded number of different warnings.
type warnings []Warning

const maxWarnings = 50

// add counts a warning. Beyond the bound, the last entry of the list counts all
// other texts.
func (w *warnings) add(frame, draw int, text string) {
	const others = "further warnings of other kinds"
	list := *w
	for i := range list {
		if list[i].Text == text {
			list[i].Count++
			return
		}
	}
	switch last := len(list) - 1; {
	case len(list) < maxWarnings:
		*w = append(list, Warning{frame, draw, 1, text})
	case list[last].Text == others:
		list[last].Count++
	default:
		list[last] = Warning{frame, draw, 2, others}
	}
}

// warn records a warning. It returns it as an error if Options.Strict is set,
// otherwise nil.
func (g *GPU) warn(format string, args ...any) error {
	return g.warnText(fmt.Sprintf(format, args...))
}

// warnText is warn without allocating for a text that is known already.
func (g *GPU) warnText(text string) error {
	if g.strict {
		return errors.New(text)
	}
	g.addWarning(text)
	return nil
}

// addWarning records a warning, which Options.Strict does not make an error.
func (g *GPU) addWarning(text string) {
	draw := -1
	if g.scratch.running {
		draw = g.scratch.info.Index
	}
	g.warnings.add(g.progress.frame, draw, text)
}

// survive turns an error that the console would survive into a warning and
// returns nil: the work is left out. It returns errors that stand for a hang,
// and errors of the caller (ctx).
func (g *GPU) survive(ctx context.Context, err error, what string) error {
	if err == nil || g.strict || errors.Is(err, pica.ErrHang) || ctx.Err() != nil {
		return err
	}
	return g.warn("%s left out: %v", what, err)
}
