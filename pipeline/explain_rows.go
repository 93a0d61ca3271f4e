package pipeline

import (
	"fmt"
	"strings"

	"pica200/explain/rows"
	"pica200/fragment"
)

// Row is the event as a row, with all steps of a fragment below it. Vertices
// are in window coordinates, y up.
func (e *Event) Row() rows.Row {
	if e.Fragment == nil {
		change := fragment.ChangeRow(*e.Before, *e.After)
		return rows.Row{Label: "{what}", Values: []rows.Value{{Name: "what", Is: e.Other}}, Color: change.Color, From: change.From, Rows: []rows.Row{change}}
	}
	f := e.Fragment
	r := rows.New("draw {draw}", "{outcome}", "draw", e.Draw, "outcome", f.Outcome, "name", e.Name).Colored(f.After.Color).To(rows.Link{To: rows.ToDraw, Draw: e.Draw})
	if r.From, r.Rows = &f.Before.Color, f.Rows; e.Name != "" {
		r.Label += " {name|%q}"
	}
	if f.Outcome != fragment.Written {
		r.Mark = rows.Failed
	}
	return r
}

// Text formats the event: a title line and the rows below it.
func (e *Event) Text() string {
	w, r := new(strings.Builder), e.Row()
	fmt.Fprintln(w, r.Line())
	rows.WriteText(w, r.Rows, 1)
	return w.String()
}

// About says which pixel it is and how often it was touched, in lines.
func (e *Explained) About() (lines []string) {
	if e.Target != (DrawTarget{}) {
		lines = append(lines, fmt.Sprintf("pixel %d,%d of the target %v", e.X, e.Y, e.Target))
	}
	if e.Via != "" {
		lines = append(lines, "through a "+e.Via)
	}
	return append(lines, fmt.Sprintf("pixel %d,%d in frame %d: touched %d times", e.X, e.Y, e.Frame, len(e.Events)))
}

// Won returns the index of the event that wrote the pixel's final value, or -1.
func (e *Explained) Won() int {
	for i := len(e.Events) - 1; i >= 0; i-- {
		if f := e.Events[i].Fragment; f == nil || f.Outcome == fragment.Written {
			return i
		}
	}
	return -1
}

// Text formats the whole explanation: the place of the pixel, every event, and
// the pixels of earlier passes.
func (e *Explained) Text() string {
	w := new(strings.Builder)
	for _, l := range e.About() {
		fmt.Fprintln(w, l)
	}
	for i := range e.Events {
		fmt.Fprintf(w, "\n%s", e.Events[i].Text())
	}
	for _, p := range e.Passes {
		fmt.Fprintf(w, "\n%s, up to draw %d:\n%s", p.Read, p.Draw, p.Text())
	}
	return w.String()
}
