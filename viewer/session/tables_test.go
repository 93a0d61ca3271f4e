package session

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/frontend/dmp"
)

// rowsByKey are the rows of a picture of a draw, or of all of them.
func rowsByKey(t *testing.T, s Source, r *Request) map[string]Uniform {
	one := *r
	one.Rows = true
	rows := map[string]Uniform{}
	for _, u := range render(t, s, &one).Rows {
		rows[u.Key] = u
	}
	return rows
}

// Every sampler can be given a table, also those that have none: for all draws, where the
// row says of what it was changed, and for one; and a saved one reads back.
func TestTablesWhereThereAreNone(t *testing.T) {
	s := open(t, copied(t))
	plain := rowsByKey(t, s, request())
	all := request()
	one := request()
	one.Target = 1
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
		e := Edit{Name: u.Name, Draw: -1}
		for k := range row.Values {
			e.Values = append(e.Values, float64(k%9)/16)
		}
		all.Edits[e.Key()] = e
		e.Draw = 0
		one.Edits[e.Key()] = e
	}
	require.Greater(t, none, 20)
	for _, r := range []*Request{all, one} {
		rows := rowsByKey(t, s, r)
		for _, e := range r.Edits {
			row := rows[e.Name]
			require.True(t, row.Changed, "%s of draw %d", e.Name, e.Draw)
			require.Empty(t, row.Text)
			require.Equal(t, plain[e.Name].Text, row.Was.Text)
			require.Equal(t, plain[e.Name].Values, row.Was.Values)
		}
	}
	require.Equal(t, plain, rowsByKey(t, s, request()), "nothing of it is left")

	want := render(t, s, all)
	n, err := s.(Writer).WriteBack(t.Context(), all)
	require.NoError(t, err)
	require.Len(t, all.Edits, n)
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
