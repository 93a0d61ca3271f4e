package sceneexport

import (
	"fmt"
	"strings"

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
	count := func(n int, one, many string) string {
		if n == 1 {
			return "1 " + one
		}
		return fmt.Sprintf("%d %s", n, many)
	}
	fmt.Fprintf(&b, "Frame %d: %s in %s, with %s, %s and %s.\n", r.Frame, count(r.Draws, "draw", "draws"), count(r.Passes, "pass", "passes"),
		count(r.Programs, "program", "programs"), count(r.Textures, "texture", "textures"), count(r.Meshes, "mesh", "meshes"))
	for _, p := range r.Pictures {
		fmt.Fprintf(&b, "Picture %v.\n", p)
	}
	if len(r.Raw) > 0 {
		b.WriteString("Raw register writes, for what no other key of a scene expresses:\n")
		for _, w := range r.Raw {
			fmt.Fprintf(&b, "  - %v in %s\n", w.Reg, count(w.Draws, "draw", "draws"))
		}
	}
	if len(r.Otherwise) > 0 {
		b.WriteString("Expressed in another form:\n")
		for _, n := range r.Otherwise {
			fmt.Fprintf(&b, "  - %s\n", n)
		}
	}
	if len(r.Notes) > 0 {
		b.WriteString("Not expressed:\n")
		for _, n := range r.Notes {
			fmt.Fprintf(&b, "  - %s\n", n)
		}
	}
	return b.String()
}
