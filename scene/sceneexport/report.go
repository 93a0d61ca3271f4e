package sceneexport

import (
	"fmt"
	"strings"

	"pica200/internal/plural"
	"pica200/pica"
)

// Report describes an exported scene.
type Report struct {
	Frame    int // of the trace
	Draws    int
	Passes   int
	Programs int
	Textures int
	Meshes   int
	// Raw lists the registers that draws write directly, because no other key of a
	// scene expresses their contents.
	Raw []RawRegister
	// Otherwise says what the scene expresses in another form than the trace, with
	// the same picture, one sentence each.
	Otherwise []string
	// Notes say what the scene cannot express, one sentence each, with the draw or
	// pass.
	Notes []string
	// Pictures compare what the scene draws with what the trace shows.
	Pictures []Picture
}

// RawRegister is a register and the number of draws that write it.
type RawRegister struct {
	Reg   pica.Reg
	Draws int
}

// Picture compares a picture of the scene with that of the trace.
type Picture struct {
	Name    string // "top", "bottom" or "pass3"
	Delta   int    // greatest difference of a channel, in 8-bit steps
	Pixels  int    // that differ
	Of      int    // all pixels
	Problem string // why they cannot be compared
}

// Same reports whether all pictures are equal up to delta 8-bit steps.
func (r *Report) Same(delta int) bool {
	for _, p := range r.Pictures {
		if p.Problem != "" || p.Delta > delta {
			return false
		}
	}
	return len(r.Pictures) > 0
}

func (p Picture) String() string {
	switch {
	case p.Problem != "":
		return fmt.Sprintf("%s: %s", p.Name, p.Problem)
	case p.Delta == 0:
		return p.Name + ": the same as the trace's"
	}
	return fmt.Sprintf("%s: %d of %d pixels differ from the trace's, by %d of 255 at most", p.Name, p.Pixels, p.Of, p.Delta)
}

// String is the report in lines.
func (r *Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Frame %d: %s in %s, with %s, %s and %s.\n", r.Frame, plural.Of(r.Draws, "draw"), plural.Of(r.Passes, "pass"),
		plural.Of(r.Programs, "program"), plural.Of(r.Textures, "texture"), plural.Of(r.Meshes, "mesh"))
	for _, p := range r.Pictures {
		fmt.Fprintf(&b, "Picture %v.\n", p)
	}
	var raw []string
	for _, w := range r.Raw {
		raw = append(raw, fmt.Sprintf("%v in %s", w.Reg, plural.Of(w.Draws, "draw")))
	}
	for _, part := range []struct {
		title string
		lines []string
	}{{"Raw register writes, for what no other key of a scene expresses", raw}, {"Expressed in another form", r.Otherwise}, {"Not expressed", r.Notes}} {
		if len(part.lines) > 0 {
			fmt.Fprintf(&b, "%s:\n  - %s\n", part.title, strings.Join(part.lines, "\n  - "))
		}
	}
	return b.String()
}
