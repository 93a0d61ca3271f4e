package pipeline

import (
	"fmt"
	"strings"

	"pica200/geometry"
	"pica200/pica"
	"pica200/rows"
)

// values are the counts of a draw by their names. Triangles are those that were
// assembled, drawn those that the rasterizer was handed.
func (s *DrawStats) values() []any {
	g := &s.Geometry
	return []any{"frame", s.Frame, "draw", s.Draw, "kind", s.Kind, "primitive", s.Primitive, "geometry", s.GeometryMode, "vertices", g.Indices,
		"shaded", g.Shaded, "reused", g.CacheHits, "runs", g.Invocations, "emitted", g.Emitted, "triangles", g.Primitives, "culled", g.Culled,
		"rejected", g.Rejected, "clipped", g.Clipped, "dropped", g.Incomplete, "drawn", g.Triangles, "fragments", s.Fragments, "pixels", s.Fragments}
}

// Row is what became of the draw's vertices and triangles.
func (s *DrawStats) Row() rows.Row {
	return rows.New("", "{shaded} vertices shaded, {triangles} triangles: {culled} culled, {rejected} rejected, {clipped} clipped, {drawn} drawn; {fragments} pixels written", s.values()...)
}

// Row is the draw as a line: what it is called, how much it draws, and with what.
func (r *DrawRecord) Row() rows.Row {
	entry := fmt.Sprintf("%03X", r.VertexEntry)
	what := []string{counted(r.Vertices, "vertex", "vertices")}
	if r.Kind == geometry.Elements.String() {
		what[0] = counted(r.Vertices, "index", "indices")
	}
	if !r.LeftOut {
		what = append([]string{counted(r.Geometry.Primitives, "triangle", "triangles")}, what...)
	}
	if r.GeometryEntry >= 0 {
		what, entry = append(what, "geometry shader"), entry+fmt.Sprintf("+%03X", r.GeometryEntry)
	}
	if r.Mode != pica.FragmentModeDefault.String() {
		what = append(what, r.Mode)
	}
	textures := []string{}
	for _, t := range r.Textures {
		textures = append(textures, t.String())
	}
	what = append(what, textures...)
	row := rows.New("draw {draw}", strings.Join(what, ", "), append(append([]any{"vertices", r.Vertices}, r.values()...), "name", r.Name, "pass", r.Pass, "mode", r.Mode, "entry", entry,
		"target", r.Target.short(), "textures", strings.Join(textures, ", "))...).To(rows.Link{To: rows.ToDraw, Draw: r.Draw})
	if r.Name != "" {
		row.Label = "{name}"
	}
	switch {
	case r.LeftOut:
		row.Form += ", left out"
		row.Mark = rows.Failed
	case r.Fragments == 0:
		row.Mark = rows.Idle
	}
	return row
}

// counted is a number with its noun.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprint(n, " ", many)
}

// short is the target's colour alone.
func (t DrawTarget) short() string {
	return fmt.Sprintf("%dx%d %s@%08X", t.Width, t.Height, t.ColorFormat, t.Color)
}
