package sceneexport

import (
	"fmt"
	"strings"
)

// Report says what an exported scene is like.
type Report struct {
	Frame    int // of the trace
	Draws    int
	Passes   int
	Programs int
	Textures int
	Meshes   int
	// Raw is the number of draws that need raw register writes, or tables given
	// as words, beside the keys of the scene.
	Raw int
	// Notes say what the scene cannot express, a sentence each, the draw or the
	// pass named.
	Notes []string
	// Pictures compare what the scene draws with what the trace shows.
	Pictures []Picture
}

// Picture compares a picture of the scene with that of the trace.
type Picture struct {
	Name    string // "top", "bottom" or "pass3"
	Delta   int    // greatest difference of a channel, in 8-bit steps
	Pixels  int    // that differ
	Of      int    // all pixels
	Problem string // why they cannot be compared
}

// Same tells whether all pictures are the same within a number of 8-bit steps.
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
	if r.Raw > 0 {
		fmt.Fprintf(&b, "%s with raw register writes, for what no other key of a scene expresses.\n", count(r.Raw, "draw", "draws"))
	}
	for _, p := range r.Pictures {
		fmt.Fprintf(&b, "Picture %v.\n", p)
	}
	if len(r.Notes) > 0 {
		b.WriteString("Not expressed:\n")
		for _, n := range r.Notes {
			fmt.Fprintf(&b, "  - %s\n", n)
		}
	}
	return b.String()
}
