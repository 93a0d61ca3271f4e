package explain

import (
	"encoding/json"
	"fmt"
	"strings"

	"pica200/explain/rows"
	"pica200/fragment"
	"pica200/pipeline"
)

// History is a pixel of a render target with everything that touched it in a
// frame.
type History struct {
	Frame  int                 `json:"frame"`
	Draw   int                 `json:"last_draw"` // last draw of the history; -1 for the whole frame
	X      int                 `json:"x"`
	Y      int                 `json:"y"`
	Target pipeline.DrawTarget `json:"target"`
	// Via names the transfers that brought the pixel to a screen.
	Via string `json:"via,omitempty"`
	// Read says which draw read this pixel as a texel. It is set for pixels of
	// earlier passes.
	Read   string  `json:"read_as,omitempty"`
	Events []Event `json:"events"`
	// Passes are the pixels of earlier passes that this one's fragments read, if
	// they were asked for.
	Passes []*History `json:"passes,omitempty"`

	texels []texelRead
}

// Event is a write to a pixel, or a fragment that could have been one.
type Event struct {
	pipeline.Event
	// Name is the draw's name in a scene; draws of recordings have none.
	Name string
}

// MarshalJSON implements json.Marshaler.
func (e Event) MarshalJSON() ([]byte, error) {
	event := struct {
		Draw     int             `json:"draw"`
		Name     string          `json:"name,omitempty"`
		Fragment rows.Object     `json:"fragment,omitempty"`
		Other    string          `json:"other,omitempty"`
		Before   *fragment.Pixel `json:"before,omitempty"`
		After    *fragment.Pixel `json:"after,omitempty"`
	}{Draw: e.Draw, Name: e.Name}
	if e.Fragment != nil {
		event.Fragment = rows.Document(fragmentRows(e.Fragment))
	} else {
		event.Other, event.Before, event.After = moveName(e.Move), &e.Before, &e.After
	}
	return json.Marshal(event)
}

// SetNames names the draws. name returns the name of a draw by frame and
// number.
func (h *History) SetNames(name func(frame, draw int) string) {
	for i := range h.Events {
		if d := h.Events[i].Draw; d >= 0 {
			h.Events[i].Name = name(h.Frame, d)
		}
	}
	for _, p := range h.Passes {
		p.SetNames(name)
	}
}

// Outcome says what became of the fragment, or what else wrote the pixel.
func (e *Event) Outcome() string {
	if e.Fragment == nil {
		return moveName(e.Move)
	}
	return outcomes[e.Fragment.Outcome]
}

// Row is the event as a row, with all steps of a fragment below it. Vertices
// are in window coordinates, y up.
func (e *Event) Row() rows.Row {
	f := e.Fragment
	if f == nil {
		change := changeRow(e.Before, e.After)
		return rows.Row{Label: "{what}", Values: []rows.Value{{Name: "what", Is: moveName(e.Move)}}, Color: change.Color, From: change.From, Rows: []rows.Row{change}}
	}
	r := rows.New("draw {draw}", "{outcome}", "draw", e.Draw, "outcome", e.Outcome(), "name", e.Name).Colored(f.After.Color).To(rows.Link{To: rows.ToDraw, Draw: e.Draw})
	if r.From, r.Rows = &f.Before.Color, fragmentRows(f); e.Name != "" {
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
func (h *History) About() (lines []string) {
	if h.Target != (pipeline.DrawTarget{}) {
		lines = append(lines, fmt.Sprintf("pixel %d,%d of the target %v", h.X, h.Y, h.Target))
	}
	if h.Via != "" {
		lines = append(lines, "through a "+h.Via)
	}
	return append(lines, fmt.Sprintf("pixel %d,%d in frame %d: touched %d times", h.X, h.Y, h.Frame, len(h.Events)))
}

// Won returns the index of the event that wrote the pixel's final value, or -1.
func (h *History) Won() int {
	for i := len(h.Events) - 1; i >= 0; i-- {
		if f := h.Events[i].Fragment; f == nil || f.Outcome == fragment.Written {
			return i
		}
	}
	return -1
}

// Text formats the whole history: the position of the pixel, every event, and the
// pixels of earlier passes.
func (h *History) Text() string {
	w := new(strings.Builder)
	for _, l := range h.About() {
		fmt.Fprintln(w, l)
	}
	for i := range h.Events {
		fmt.Fprintf(w, "\n%s", h.Events[i].Text())
	}
	for _, p := range h.Passes {
		fmt.Fprintf(w, "\n%s, up to draw %d:\n%s", p.Read, p.Draw, p.Text())
	}
	return w.String()
}
