package pipeline

import (
	"fmt"
	"strings"

	"pica200/explain/rows"
	"pica200/geometry"
	"pica200/pica"
)

// values returns the counts of a draw by name. "triangles" counts the triangles
// that were assembled, "drawn" those that reached the rasterizer.
func (s *DrawStats) values() []any {
	g := &s.Geometry
	return []any{"frame", s.Frame, "draw", s.Draw, "kind", s.Kind, "primitive", s.Primitive, "geometry", s.GeometryMode, "vertices", g.Indices,
		"shaded", g.Shaded, "reused", g.CacheHits, "runs", g.Invocations, "emitted", g.Emitted, "triangles", g.Primitives, "culled", g.Culled,
		"rejected", g.Rejected, "clipped", g.Clipped, "dropped", g.Incomplete, "drawn", g.Triangles, "fragments", s.Fragments, "pixels", s.Fragments}
}

// Row is a row with the counts of the draw's vertices, triangles and fragments.
func (s *DrawStats) Row() rows.Row {
	return rows.New("", "{shaded} vertices shaded, {triangles} triangles: {culled} culled, {rejected} rejected, {clipped} clipped, {drawn} drawn; {fragments} pixels written", s.values()...)
}

// Row describes the draw in one line: its name, its counts, and its render
// target and textures.
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

// counted formats a number with its noun.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprint(n, " ", many)
}

// short describes only the colour buffer of the target.
func (t DrawTarget) short() string {
	return fmt.Sprintf("%dx%d %s@%08X", t.Width, t.Height, t.ColorFormat, t.Color)
}
