package session

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/goccy/go-yaml"

	"pica200/frontend/dmp"
	"pica200/internal/yamldoc"
	"pica200/scene"
)

// A table is shown and edited in the order of its input. An input from 0 to 1
// has one number more than the hardware has entries: the end of the last slope.
// A signed input, from -1 to 1, has as many as there are entries.

// tableOf returns the table that a sampler reads, and the range of its input;
// nil if it reads none, or one with an unusual number of entries.
func tableOf(s *dmp.State, name string) (values []float64, lo, hi float64) {
	entries, diffs, signed, err := s.Table(name)
	if err != nil || entries == nil {
		return nil, 0, 0
	}
	n := len(entries)
	for i := range n {
		k := i
		if signed {
			k = (i + n/2) % n // the hardware has -1 to 0 in the second half
		}
		values = append(values, float64(entries[k]))
	}
	if !signed {
		values = append(values, float64(entries[n-1]+diffs[n-1]))
	}
	hi = 1
	for _, v := range values {
		lo, hi = min(lo, v), max(hi, v)
	}
	if lo < 0 {
		lo = min(lo, -hi)
	}
	return values, lo, hi
}

// tableFrom is the inverse: numbers for SetTable.
func tableFrom(values []any, s *dmp.State, name string) []float32 {
	out := make([]float32, len(values))
	for i, v := range values {
		if f, ok := v.(float64); ok {
			out[i] = float32(f)
		}
	}
	if _, _, signed, err := s.Table(name); err == nil && signed && len(out)%2 == 0 {
		h := len(out) / 2
		out = append(out[h:len(out):len(out)], out[:h]...)
	}
	return out
}

// savedTable returns an edited table as in a scene's file, in the shortest form that gives the same hardware entries: points with
// lines between them, or all values with as few digits as they need.
func savedTable(e *Edit, s *dmp.State, name string) yaml.MapSlice {
	want := tableFrom(e.Values, s, name)
	_, _, signed, _ := s.Table(name)
	same := func(data []float32) bool {
		ok, err := s.SameTable(name, data, want)
		return err == nil && ok
	}
	values := shortest(want, same)
	out := yaml.MapSlice{{Key: "values", Value: values}}
	given := slices.Clone(e.Values) // as precise as drawing with the mouse
	for i, v := range given {
		if short := math.Round(entry(v)*1e4) / 1e4; math.Abs(entry(v)-short) <= 1e-6 {
			given[i] = short
		}
	}
	straight := func(line []any, a, b int) bool {
		return !slices.ContainsFunc(line[a:b], func(v any) bool { a++; return math.Abs(entry(v)-entry(given[a-1])) > 1e-6 })
	}
	near := func(line []any, _, _ int) bool { return same(tableFrom(line, s, name)) }
	for _, fits := range []func([]any, int, int) bool{straight, near} {
		t := scene.Table{Signed: signed, Points: pointsOf(given, signed, fits)}
		heights := make([]float32, len(t.Points))
		for i, p := range t.Points {
			heights[i] = float32(p[1])
		}
		list := shortest(heights, func(v []float32) bool {
			for i := range v {
				t.Points[i][1] = float64(v[i])
			}
			return same(t.Make(len(want)))
		})
		for i, v := range list {
			list[i] = []any{t.Points[i][0], v}
		}
		if len(list) > 0 && len(yamldoc.Flow(list)) < len(yamldoc.Flow(values)) && same(t.Make(len(want))) {
			if out = (yaml.MapSlice{{Key: "points", Value: list}}); signed {
				out = append(out, yaml.MapItem{Key: "signed", Value: true})
			}
			break
		}
	}
	return out
}

// shortest returns numbers with as few decimals as are good enough.
func shortest(v []float32, good func([]float32) bool) (out []any) {
	short := slices.Clone(v)
	for scale := 10.0; scale < 1e8; scale *= 10 {
		for i := range v {
			short[i] = float32(math.Round(float64(v[i])*scale) / scale)
		}
		if good(short) {
			break
		}
		copy(short, v)
	}
	for _, x := range short {
		out = append(out, x)
	}
	return out
}

func entry(v any) float64 { f, _ := v.(float64); return f }

// pointsOf returns the end points of straight lines between evenly spaced values, from 0 to 1, or from -1 to the last one below 1;
// nil if they are too many. fits reports whether a line may be from one value to another, with the values on it in their places.
func pointsOf(v []any, signed bool, fits func(line []any, a, b int) bool) (points []mgl64.Vec2) {
	n := len(v)
	at := func(i int) float64 {
		if signed {
			return float64(i-n/2) / float64(n/2)
		}
		return float64(i) / float64(n-1)
	}
	straight := func(a, b int) bool {
		line := slices.Clone(v)
		for i := a + 1; i < b; i++ {
			line[i] = entry(v[a]) + float64((entry(v[b])-entry(v[a]))*float64(i-a)/float64(b-a))
		}
		return fits(line, a, b)
	}
	for a := 0; a < n; {
		if points = append(points, mgl64.Vec2{at(a), entry(v[a])}); len(points) > n/3 {
			return nil
		}
		b := a + 1
		for b+1 < n && straight(a, b+1) {
			b++
		}
		a = b
	}
	return points
}

// startingTable returns the initial table when the user draws one for a sampler
// without a table: its input.
func startingTable(s *dmp.State, u *dmp.Uniform) []float64 {
	_, _, signed, err := s.Table(u.Name)
	if err != nil {
		return nil // it has one with another number of entries
	}
	n := u.TableSize()
	values := make([]float64, n, n+1)
	if signed {
		for i := range values {
			values[i] = float64(i-n/2) / float64(n/2)
		}
		return values
	}
	values = append(values, 0)
	for i := range values {
		values[i] = float64(i) / float64(n)
	}
	return values
}

// tableEdit is a table set for all draws.
type tableEdit struct {
	unit   any       // the sampler's value before it
	before []float32 // the entries and differences before; nil if there was no table
	set    []float32
}

// rawTable returns the table of a sampler in the form of SetTable; nil if it
// has none.
func rawTable(s *dmp.State, name string) []float32 {
	entries, diffs, _, err := s.Table(name)
	if err != nil {
		return nil
	}
	return append(entries, diffs...)
}

// setTable sets the table of a sampler to the values of an edit.
func (d *drawing) setTable(e *Edit, name string, s *dmp.State) error {
	old := tableEdit{before: rawTable(s, name)}
	if now, err := s.Get(name); err == nil && len(now) == 1 {
		old.unit = now[0]
	}
	if err := s.SetTable(name, tableFrom(e.Values, s, name)); err != nil {
		return err
	}
	if e.Draw == "" {
		if d.tables == nil {
			d.tables = map[string]tableEdit{}
		}
		old.set = rawTable(s, name)
		d.tables[name] = old
	}
	return nil
}

// restoreTables undoes the edits for all draws if the next draw does not set
// the sampler's table itself. A sampler keeps the table of the draw before, so
// the table without the edit must be there to compare with.
func (d *drawing) restoreTables(s *dmp.State) error {
	for name, t := range d.tables {
		if !slices.Equal(rawTable(s, name), t.set) {
			continue
		}
		err := error(nil)
		if t.before != nil {
			err = s.SetTable(name, t.before)
		} else if t.unit != nil {
			err = s.Set(name, t.unit)
		}
		if err != nil {
			return err
		}
	}
	clear(d.tables)
	return nil
}
