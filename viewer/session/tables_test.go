package session

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/frontend/dmp"
	"pica200/scene"
	"pica200/tests/testkit"
)

// rowsByKey returns the rows of a request by their keys.
func rowsByKey(t *testing.T, s Source, r *Request) map[string]Uniform {
	one := *r
	one.Rows = true
	rows := map[string]Uniform{}
	for _, u := range render(t, s, &one).Rows {
		rows[u.Key] = u
	}
	return rows
}

// Every sampler can be given a table, for all draws or for one, even if it has none. The row shows the change, and a saved table
// reads back.
func TestSamplerWithoutTableCanBeEdited(t *testing.T) {
	s := open(t, copied(t))
	plain := rowsByKey(t, s, request())
	all := request()
	one := request()
	one.Target = "floor"
	none := 0
	for i := range dmp.Uniforms {
		u := &dmp.Uniforms[i]
		if u.Type != dmp.Sampler1D {
			require.Zero(t, u.TableSize())
			continue
		}
		row := plain[u.Name]
		require.Equal(t, "table", row.Type, u.Name)
		if row.Text == "no table" {
			none++
		}
		e := Edit{Name: u.Name}
		for k := range row.Values {
			e.Values = append(e.Values, float64(k%9)/16)
		}
		all.Edits[e.Key()] = e
		e.Draw = "floor"
		one.Edits[e.Key()] = e
	}
	require.Greater(t, none, 20)
	for _, r := range []*Request{all, one} {
		rows := rowsByKey(t, s, r)
		for _, e := range r.Edits {
			row := rows[e.Name]
			require.True(t, row.Changed, "%s of draw %s", e.Name, e.Draw)
			require.Empty(t, row.Text)
			require.Equal(t, plain[e.Name].Text, row.Was.Text)
			require.Equal(t, plain[e.Name].Values, row.Was.Values)
		}
	}
	require.Equal(t, plain, rowsByKey(t, s, request()), "no edit of the table is left")

	want := render(t, s, all)
	s = writeBack(t, s, all)
	same(t, want.Image.Pix, render(t, s, request()).Image.Pix)
	for _, row := range rowsByKey(t, s, request()) {
		if row.Type != "table" {
			continue
		}
		require.Empty(t, row.Text, row.Key)
		require.False(t, row.Changed)
		for k, v := range row.Values {
			require.InDelta(t, float64(k%9)/16, v, 1e-6, "%s %d", row.Key, k)
		}
	}
}

// A drawn table is saved as its lines, one of curves as all its values. Saving one over the other leaves nothing of the old one.
func TestDrawnTableIsSavedAsLines(t *testing.T) {
	const signed, unsigned, fog = "dmp_FragmentMaterial.samplerD1", "dmp_FragmentMaterial.samplerD0", "dmp_Fog.sampler"
	path := copied(t)
	s := open(t, path)
	lines := func(n int, corners ...float64) (values []any) { // equidistant corners
		for i := range n {
			x := float64(i) / float64(n-1) * float64(len(corners)-1)
			k := min(int(x), len(corners)-2)
			values = append(values, corners[k]+(corners[k+1]-corners[k])*(x-float64(k)))
		}
		return values
	}
	curved := func(n int) (values []any) {
		for i := range n {
			v := 1e-44 // like small results of powers
			if i > n/3 {
				v = 0.5 + 0.5*math.Sin(float64(i)/9)
			}
			values = append(values, v)
		}
		return values
	}
	rows := rowsByKey(t, s, request())
	for name, n := range map[string]int{signed: 256, unsigned: 257, fog: 129} {
		require.Len(t, rows[name].Values, n, name)
	}
	for _, c := range []struct {
		name   string
		values []any
		saved  string // the table in the file
	}{
		{signed, lines(256, 0.25, 1, 0.5), "points"},
		{signed, curved(256), "values"},
		{signed, lines(256, 0.5, 0.125), "points"},
		{unsigned, lines(257, 0, 1, 0.5, 0.75, 0), "points"},
		{unsigned, curved(257), "values"},
		{fog, lines(129, 1, 0.9, 4.5e-44), "points"},
	} {
		e := Edit{Name: c.name, Values: c.values}
		r := request()
		r.Edits[e.Key()] = e
		want := render(t, s, r)
		s = writeBack(t, s, r)
		same(t, want.Image.Pix, render(t, s, request()).Image.Pix)
		got := rowsByKey(t, s, request())[c.name]
		for k, v := range got.Values {
			require.InDelta(t, c.values[k], v, 1.3e-4, // half a step of the hardware
				"%s %d", c.name, k)
		}
		text := testkit.Read(t, path)
		sc := testkit.Must(scene.Parse(path, text))(t)
		name, _, _ := strings.Cut(c.name[strings.Index(c.name, "sampler")+len("sampler"):], "[")
		i := slices.IndexFunc(sc.Tables, func(x scene.Table) bool {
			return strings.HasPrefix(x.Name, name+"-drawn") || name == "" && x.Name == "-drawn"
		})
		require.GreaterOrEqual(t, i, 0, "%s", text)
		table := &sc.Tables[i]
		require.Equal(t, c.saved == "points", table.Points != nil, "%s", c.name)
		require.Equal(t, c.saved == "values", table.Values != nil)
		if c.saved == "points" {
			require.Equal(t, c.name == signed, table.Signed)
			require.LessOrEqual(t, len(table.Points), 6)
		}
		require.NotRegexp(t, `e-(0[7-9]|[1-9][0-9])`, string(text), "no negligible numbers are written")
	}
}
