package ui

import (
	"fmt"
	"image"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A grid is sorted by its columns, numbers by their size, and each column has the width that its edge was dragged to.
func TestGrid(t *testing.T) {
	var chosen []string
	g := &Grid{Columns: []Column{{Name: "name", Width: 80}, {Name: "size", Width: 60, Number: true}}, OnSelect: func(key string) { chosen = append(chosen, key) }}
	for i, name := range []string{"pear", "apple", "fig", "apple"} {
		n := []float64{7, 100, 20, 3}[i]
		g.Rows = append(g.Rows, GridRow{Key: fmt.Sprint("k", i), Cells: []string{name, fmt.Sprint(n)}, Numbers: []float64{0, n}})
	}
	s, draw := shown(200, 100, g.Draw)
	press := func(tip string) {
		t.Helper()
		p, ok := s.Where(tip)
		require.True(t, ok, tip)
		click(t, s, draw, p)
	}
	order := func() string {
		var keys []string
		for _, i := range g.sorted() {
			keys = append(keys, g.Rows[i].Key)
		}
		return strings.Join(keys, " ")
	}
	for _, c := range []struct{ tip, order string }{
		{"sort by size", "k1 k2 k0 k3"}, {"sort by size", "k3 k0 k2 k1"}, {"sort by size", "k0 k1 k2 k3"},
		{"sort by size", "k1 k2 k0 k3"}, {"sort by name", "k1 k3 k2 k0"}, {"sort by name", "k0 k2 k1 k3"},
	} {
		press(c.tip)
		require.Equal(t, c.order, order(), c.tip)
	}
	press("fig  20")
	require.Equal(t, Keys(g), s.Focused())
	for _, k := range []Key{KeyDown, KeyUp, KeyUp, KeyUp, KeyEnd, KeyHome, KeyPageDown} {
		require.True(t, s.Key(k, 0))
	}
	require.Equal(t, "k2 k1 k2 k0 k0 k3 k0 k3", strings.Join(chosen, " "))
	require.False(t, s.Key(KeyUp, Shift))

	edge, ok := s.Where("drag the edge of name")
	require.True(t, ok)
	require.Equal(t, 80, edge.X)
	s.Press(ButtonLeft, 0, edge)
	for _, to := range []int{100, 110} {
		s.Move(image.Pt(to, edge.Y))
		draw()
	}
	require.Equal(t, Across, s.Shape())
	s.Release(image.Pt(110, edge.Y))
	require.Equal(t, 110, g.Columns[0].Width)
	edge, _ = s.Where("drag the edge of name")
	require.Equal(t, 110, edge.X)
	s.Press(ButtonLeft, 0, edge)
	s.Move(image.Pt(-500, edge.Y))
	s.Release(image.Pt(-500, edge.Y))
	require.Equal(t, 20, g.Columns[0].Width, "it stays visible")
	g.Rows = nil
	draw()
	require.False(t, s.Key(KeyDown, 0))
}
