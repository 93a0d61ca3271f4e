package ui

import (
	"image"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWrap(t *testing.T) {
	for _, tt := range []struct {
		in   string
		n    int
		want []string
	}{
		{"one two three", 8, []string{"one two", "three"}},
		{"unbreakableword", 6, []string{"unbrea", "kablew", "ord"}},
		{"a\n\tb", 10, []string{"a", "    b"}},
		{"", 5, []string{""}},
	} {
		require.Equal(t, tt.want, Wrap(tt.in, tt.n))
	}
	require.Equal(t, "abc…", Fit("abcdef", 4))
	require.Equal(t, "abc", Fit("abc", 3))
}

func TestCanvas(t *testing.T) {
	c := NewCanvas(200, 100, 1)
	end := c.Text(10, 10, "pixel", Text)
	require.Equal(t, 10+c.Width("pixel"), end)
	lit := 0
	for i := 3; i < len(c.Img.Pix); i += 4 {
		a := c.Img.Pix[i]
		if a != 0 {
			lit++
		}
		for k := 1; k <= 3; k++ {
			require.LessOrEqual(t, c.Img.Pix[i-k], a, "alpha is premultiplied")
		}
	}
	require.Greater(t, lit, 50)
	line := c.Line()
	c.Reset(200, 100, 2)
	require.InDelta(t, 2*line, c.Line(), 2)
	require.Equal(t, 10, c.Units(5))
}

func rows() []Row {
	return []Row{
		{Kind: Heading, Label: "Lighting", Key: "h1"},
		{Kind: Switch, Label: "enabled", Key: "enabled", Values: []float64{0}},
		{Kind: Color, Label: "diffuse", Key: "diffuse", Values: []float64{0.5, 0.5, 0.5, 1}},
		{Kind: Heading, Label: "Fog", Key: "h2"},
		{Kind: Choice, Label: "mode", Key: "mode", Text: "off", Choices: []string{"off", "fog", "gas"}},
		{Kind: Numbers, Label: "scale", Key: "scale", Values: []float64{1}, Min: 0, Max: 4},
		{Kind: Fixed, Label: "table", Key: "table", Text: "none"},
	}
}

func TestListKeyboard(t *testing.T) {
	var last Row
	n := 0
	l := &List{Rows: rows(), OnEdit: func(r *Row) { last = *r; n++ }}
	l.Press(Down, false)
	require.Equal(t, "enabled = [ ]", l.String())
	require.True(t, l.Press(Enter, false))
	require.Equal(t, []float64{1}, last.Values)
	require.True(t, last.Changed)
	l.Press(Down, false)
	l.Press(Next, false)
	l.Press(Right, true)
	require.InDelta(t, 0.6, last.Values[1], 1e-9)
	l.Press(Enter, false)
	require.True(t, l.Busy())
	for _, c := range "0.1 0.2 0.3 5x" {
		l.Char(c)
	}
	l.Press(Enter, false)
	require.Equal(t, []float64{0.1, 0.2, 0.3, 1}, last.Values, "colours end at 1; letters are not taken")
	l.Press(Down, false)
	require.Equal(t, "mode = off", l.String(), "headings are passed over")
	l.Press(Left, false)
	require.Equal(t, "gas", last.Text)
	l.Press(Right, false)
	require.Equal(t, "off", last.Text)
	l.Press(Down, false)
	for range 200 {
		l.Press(Right, true)
	}
	require.Equal(t, []float64{4}, last.Values)
	count := n
	l.Press(Enter, false)
	l.Char('-')
	l.Press(Enter, false)
	require.Equal(t, count, n, "what is no number changes nothing")
	l.Press(Down, false)
	require.False(t, l.Press(Enter, false), "a fixed row is not edited")
}

func TestListSearch(t *testing.T) {
	l := &List{Rows: rows()}
	l.Char('/')
	for _, c := range "FOG mo" {
		require.True(t, l.Char(c))
	}
	l.Press(Enter, false)
	require.False(t, l.Busy())
	l.Press(Down, false)
	require.Equal(t, "mode = off", l.String())
	require.Len(t, l.visible, 2)
	l.SetRows(rows())
	require.Equal(t, "mode = off", l.String(), "the selection stays with its row")
	l.Press(Cancel, false)
	require.Len(t, l.visible[:0:cap(l.visible)], 0)
	l.Selected()
	require.Len(t, l.visible, len(rows()))
	l.Char('/')
	l.Char('q')
	l.Press(Erase, false)
	require.Equal(t, "", l.Filter)
}

func TestListMouse(t *testing.T) {
	var edits []string
	l := &List{Rows: rows(), OnEdit: func(r *Row) { edits = append(edits, r.Key) }}
	c := NewCanvas(400, 300, 1)
	l.Draw(c, image.Rect(100, 0, 400, 300))
	at := func(row int) image.Point { return l.lines[row].Max.Sub(image.Pt(20, 3)) }
	require.False(t, l.Click(image.Pt(50, 50)), "beside the list")
	require.True(t, l.Click(at(1)))
	require.True(t, l.Click(at(4)))
	require.Equal(t, []string{"enabled", "mode"}, edits)
	require.True(t, l.Click(at(5)))
	require.True(t, l.Drag(at(5).Add(image.Pt(40, 0))))
	l.Release()
	require.False(t, l.Drag(at(5)))
	require.InDelta(t, 1.8, l.Selected().Values[0], 1e-9)
	require.True(t, l.Click(at(0)), "a heading")
	require.Equal(t, "scale = 1.8", l.String())
}

func TestListScrolls(t *testing.T) {
	var many []Row
	for i := range 100 {
		many = append(many, Row{Kind: Fixed, Label: strings.Repeat("x", i), Key: string(rune('a' + i)), Text: "y"})
	}
	l := &List{Rows: many}
	c := NewCanvas(300, 200, 1)
	r := image.Rect(0, 0, 300, 200)
	l.Draw(c, r)
	shown := len(l.lines)
	require.Less(t, shown, 12)
	for range 10 {
		l.Press(PageDown, false)
	}
	l.Draw(c, r)
	require.Equal(t, 100-shown, l.top)
	l.Scroll(-200)
	l.Draw(c, r)
	require.Zero(t, l.top)
	l.SetRows(nil)
	l.Draw(c, r)
	require.Equal(t, "nothing selected", l.String())
	require.False(t, l.Press(Enter, false))
}

func TestFormatNumber(t *testing.T) {
	for v, want := range map[float64]string{0: "0", -0.00001: "0", 1.23456: "1.2346", 65535.996: "65536", -3: "-3"} {
		require.Equal(t, want, FormatNumber(v))
	}
}
