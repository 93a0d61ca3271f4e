package session

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/goccy/go-yaml"

	"pica200/frontend/dmp"
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

// savedTable returns an edited table as in a scene's file. It gives the same
// hardware entries: as few points if it consists of lines, otherwise as all
// values.
func savedTable(e *Edit, s *dmp.State, name string) yaml.MapSlice {
	want := tableFrom(e.Values, s, name)
	_, _, signed, _ := s.Table(name)
	t := scene.Table{Signed: signed, Points: pointsOf(e.Values, signed)}
	if same, err := s.SameTable(name, t.Make(len(want)), want); err != nil || !same || len(t.Points) > len(want)/4 {
		shown := slices.Clone(want)
		for i, v := range shown {
			if v > -1e-6 && v < 1e-6 { // below the hardware's precision
				shown[i] = 0
			}
		}
		if same, err := s.SameTable(name, shown, want); err != nil || !same {
			shown = want
		}
		values := make([]any, len(want))
		for i, v := range shown {
			values[i] = v
		}
		return yaml.MapSlice{{Key: "values", Value: values}}
	}
	var points []any
	for _, p := range t.Points {
		points = append(points, []any{p[0], p[1]})
	}
	out := yaml.MapSlice{{Key: "points", Value: points}}
	if signed {
		out = append(out, yaml.MapItem{Key: "signed", Value: true})
	}
	return out
}

// pointsOf returns the end points of the straight lines on which evenly spaced
// values lie: from 0 to 1, or from -1 to the last one below 1. They are rounded
// to the precision of drawing with the mouse.
func pointsOf(values []any, signed bool) (points []mgl64.Vec2) {
	v := make([]float64, len(values))
	for i := range values {
		f, _ := values[i].(float64)
		v[i] = math.Round(f*1e4) / 1e4
		if math.Abs(f-v[i]) > 1e-6 {
			v[i] = f
		}
	}
	n := len(v)
	at := func(i int) float64 {
		if signed {
			return float64(i-n/2) / float64(n/2)
		}
		return float64(i) / float64(n-1)
	}
	straight := func(a, b int) bool { // all values between are on the line
		for i := a + 1; i < b; i++ {
			if math.Abs(v[a]+float64((v[b]-v[a])*float64(i-a)/float64(b-a))-v[i]) > 1e-6 {
				return false
			}
		}
		return true
	}
	for a := 0; a < n; {
		points = append(points, mgl64.Vec2{at(a), v[a]})
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
