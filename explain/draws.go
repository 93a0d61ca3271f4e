package explain

import (
	"fmt"
	"strings"

	"pica200/explain/rows"
	"pica200/geometry"
	"pica200/pica"
	"pica200/pipeline"
)

// counts returns the counts of a draw by name. "triangles" counts the triangles
// that were assembled, "drawn" those that reached the rasterizer.
func counts(s *pipeline.DrawStats) []any {
	g := &s.Geometry
	return []any{"frame", s.Frame, "draw", s.Draw, "kind", s.Kind, "primitive", s.Primitive, "geometry", s.GeometryMode, "vertices", g.Indices,
		"shaded", g.Shaded, "reused", g.CacheHits, "runs", g.Invocations, "emitted", g.Emitted, "triangles", g.Primitives, "culled", g.Culled,
		"rejected", g.Rejected, "clipped", g.Clipped, "dropped", g.Incomplete, "drawn", g.Triangles, "fragments", s.Fragments, "pixels", s.Fragments}
}

// CountsRow is a row with the counts of a draw's vertices, triangles and
// fragments.
func CountsRow(s *pipeline.DrawStats) rows.Row {
	return rows.New("", "{shaded} vertices shaded, {triangles} triangles: {culled} culled, {rejected} rejected, {clipped} clipped, {drawn} drawn; {fragments} pixels written", counts(s)...)
}

// DrawRow describes a draw in one line: its name, its counts, and its render
// target and textures.
func DrawRow(r *pipeline.DrawRecord) rows.Row {
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
	target := fmt.Sprintf("%dx%d %s@%08X", r.Target.Width, r.Target.Height, r.Target.ColorFormat, r.Target.Color)
	row := rows.New("draw {draw}", strings.Join(what, ", "), append(append([]any{"vertices", r.Vertices}, counts(&r.DrawStats)...), "name", r.Name, "pass", r.Pass, "mode", r.Mode, "entry", entry,
		"target", target, "textures", strings.Join(textures, ", "))...).To(rows.Link{To: rows.ToDraw, Draw: r.Draw})
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
