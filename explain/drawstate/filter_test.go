package drawstate

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pipeline"
)

// A filter matches if all its words (in any case) and comparisons match.
func TestItemFilter(t *testing.T) {
	item := Item{Kind: "draw", Label: "draw 4", Text: "30 Triangles, 0:64x64 rgba8", Draw: 4, Pixels: 1000, Micros: 70, Pass: 1, Vertices: 90, Triangles: 30, Drawn: 20, Shader: "shader Basic.v"}
	for text, want := range map[string]bool{
		"": true, "  ": true, "TRI rgba": true, "rgba8 draw": true, "rgba4": false, "tri rgba4": false, "draw 4": true, "basic": true,
		"pixels>999": true, "pixels>1000": false, "pixels<1001": true, "pixels<1000": false, "pixels=1000": true, "pixels=100": false,
		"us>50 pass=1": true, "us>50 pass=0": false, "Pixels>999 30": true, "vertices>89": true, "vertices<90": false, "triangles=30": true, "drawn=20": true, "drawn=30": false,
		"draw=4": true, "pixels>": false, "pixels>1e3": false, "64x64": true, "other>0": false,
		"pixels<99999999999999999999999": true, "pixels>99999999999999999999999": false, "pixels=99999999999999999999999": false,
	} {
		require.Equal(t, want, filter(text)(&item), "%q", text)
	}
	other := Item{Kind: "fill", Label: "fill", Text: "0x18000000"}
	require.True(t, filter("FILL 0x18")(&other))
	require.False(t, filter("us<1")(&other), "comparisons match draws only")
}

// Without a key, items keep their order. With a key, only draws remain, in descending order; equal ones keep draw order.
func TestItemOrder(t *testing.T) {
	items := []Item{{Kind: "list"}}
	for i, n := range [][4]int{{3, 8, 1, 5}, {7, 2, 4, 5}, {7, 5, 3, 6}, {1, 2, 2, 4}} {
		items = append(items, Item{Kind: "draw", Draw: i, Micros: int64(n[0]), Pixels: uint64(n[1]), Triangles: n[2], Vertices: n[3]})
	}
	items = append(items, Item{Kind: "end"})
	for by, want := range map[string][]int{
		"": {0, 1, 2, 3, 4, 5}, "us": {2, 3, 1, 4}, "pixels": {1, 3, 2, 4}, "triangles": {2, 3, 4, 1}, "vertices": {3, 1, 2, 4},
	} {
		require.Equal(t, want, Arrange(items, "", by), by)
	}
	require.Equal(t, []int{2, 3}, Arrange(items, "us>3", ""))
	require.Equal(t, []int{3, 2, 4}, Arrange(items, "draw>0", "pixels"))
	require.Equal(t, []int{}, Arrange(items, "nothing", "us"))
	many := []Item{}
	for i := range 40 {
		many = append(many, Item{Kind: "draw", Draw: i, Micros: int64(i % 2)})
	}
	sorted := Arrange(many, "", "us")
	require.IsIncreasing(t, sorted[:20])
	require.IsIncreasing(t, sorted[20:])
	var orders []string
	for _, n := range Orders() {
		orders = append(orders, n.Order)
	}
	require.Equal(t, []string{"as drawn", "by pixels", "by time", "by triangles", "by vertices"}, orders)
}

// A pass has its draws with their totals, and the items between them.
func TestListPasses(t *testing.T) {
	var l List
	for i, pass := range []int{-1, 0, -1, 0, -1, 1, 1, -1} {
		one := Item{Kind: "fill"}
		if pass >= 0 {
			one = Item{Kind: "draw", Draw: len(l.Draws), Pass: pass, Pixels: 1 << (4 * i), Micros: int64(i)}
			d := pipeline.DrawRecord{Pass: pass}
			d.Target.Width = 16 * (pass + 1)
			l.Draws = append(l.Draws, d)
		}
		l.Items = append(l.Items, one)
	}
	l.End()
	require.Equal(t, []Pass{{"pass 0: 16x0  at 0x00000000,  at 0x00000000", 2, 0x1010, 4, nil}, {"pass 1: 32x0  at 0x00000000,  at 0x00000000", 2, 0x1100000, 11, nil}}, l.Passes)
	inside := ""
	for i := range l.Items {
		if l.Items[i].Inside {
			inside += fmt.Sprint(i, " in ", l.Items[i].Pass, ";")
		}
	}
	require.Equal(t, "2 in 0;", inside)
	require.Equal(t, "end", l.Items[8].Kind)
}
