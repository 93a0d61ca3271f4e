package pipeline

import (
	"fmt"
	"strings"

	"pica200/fragment"
)

// Text describes the event for a reader: a line that names it, and below, with
// two spaces before them, lines of a name and a value, which begins in column
// 17. Vertices are in window coordinates, y up.
func (e *Event) Text() string {
	w := new(strings.Builder)
	f := e.Fragment
	if f == nil {
		fmt.Fprintf(w, "%s\n  pixel          %s -> %s\n", e.Other, pixelText(*e.Before), pixelText(*e.After))
		return w.String()
	}
	line := func(name, format string, args ...any) {
		fmt.Fprintf(w, "  %-14s %s\n", name, fmt.Sprintf(format, args...))
	}
	fmt.Fprintf(w, "draw %d: %v\n", e.Draw, f.Outcome)
	for k := range f.Vertices {
		v := &f.Vertices[k]
		line(fmt.Sprintf("vertex %d", k), "share %.4f at %.2f,%.2f z/w %.6g w %.6g", f.Weights[k],
			float32(v.X)/16, float32(v.Y)/16, v.Z, 1/v.InvW)
	}
	line("depth", "%.7f", f.Depth)
	line("vertex colour", "%s", colorText(f.VertexColor))
	for u, c := range f.TexCoord {
		if c != [3]float32{} {
			line(fmt.Sprintf("texcoord %d", u), "%.6g", c)
		}
	}
	for u := range f.Units {
		unit := &f.Units[u]
		if !unit.Read {
			continue
		}
		line(fmt.Sprintf("texture %d", u), "%s", colorText(unit.Color))
		for _, t := range unit.Texels {
			where := fmt.Sprintf("%d: %d,%d", t.Level, t.X, t.Y)
			if t.Border {
				where = fmt.Sprintf("%d: border", t.Level)
			}
			line("  level: x,y", "%-12s %s", where, colorText(t.Color))
		}
	}
	if f.Lit {
		line("lighting", "primary %s, secondary %s", colorText(f.Lighting[0]), colorText(f.Lighting[1]))
	}
	for i, c := range f.Stages {
		line(fmt.Sprintf("stage %d", i), "%s", colorText(c))
	}
	line("fragment", "%s", colorText(f.Color))
	line("pixel", "%s -> %s", pixelText(f.Before), pixelText(f.After))
	return w.String()
}

func colorText(c [4]uint8) string { return fmt.Sprintf("%3d %3d %3d %3d", c[0], c[1], c[2], c[3]) }

func pixelText(p fragment.Pixel) string {
	return fmt.Sprintf("%s depth %06X stencil %02X", strings.TrimSpace(colorText(p.Color)), p.Depth, p.Stencil)
}
