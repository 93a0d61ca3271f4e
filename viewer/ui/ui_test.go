package ui

import (
	"bytes"
	"image"
	"strings"
	"testing"
	"unicode"

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
	require.Equal(t, "abc…", fit("abcdef", 4))
	require.Equal(t, "abc", fit("abc", 3))
}

func TestCanvas(t *testing.T) {
	c := newCanvas(200, 100, 1)
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
	c.reset(200, 100, 2)
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

// list shows rows on a new screen.
func list(t *testing.T, rows []Row, r image.Rectangle) (l *List, s *Screen, draw func()) {
	s = NewScreen()
	l = NewList(s)
	l.rows = rows
	draw = func() {
		s.Begin(r.Max.X, r.Max.Y, 1)
		l.Draw(s, r)
		s.End()
	}
	draw()
	s.Focus(l)
	return l, s, draw
}

func typed(s *Screen, text string) {
	for _, c := range text {
		s.Char(c)
	}
}

func TestListKeyboard(t *testing.T) {
	var last Row
	n := 0
	l, s, draw := list(t, rows(), image.Rect(0, 0, 400, 300))
	l.OnEdit = func(r *Row, done bool) { last = *r; n++ }
	s.Key(KeyDown, 0)
	require.Equal(t, "enabled = [ ]", l.String())
	require.True(t, s.Key(KeyEnter, 0))
	require.Equal(t, []float64{1}, last.Values)
	require.True(t, last.Changed)
	s.Key(KeyDown, 0)
	s.Key('N', 0)
	s.Key(KeyRight, Shift)
	require.InDelta(t, 0.6, last.Values[1], 1e-9)
	s.Key(KeyEnter, 0)
	require.True(t, l.Typing())
	require.Equal(t, "0.6", l.entry.Text, "to be corrected, or replaced")
	for _, c := range "0.1 0.2 0.3 5" {
		// Typed characters are not commands: neither N, nor E, nor digits of views.
		require.True(t, s.Key(Key(unicode.ToUpper(c)), 0), "%c", c)
		s.Char(c)
	}
	s.Key(KeyEnter, 0)
	require.Equal(t, []float64{0.1, 0.2, 0.3, 1}, last.Values, "colour components are limited to 1")
	s.Key(KeyDown, 0)
	require.Equal(t, "mode = off", l.String(), "arrow keys skip headings")
	s.Key(KeyLeft, 0)
	require.Equal(t, "gas", last.Text)
	s.Key(KeyRight, 0)
	require.Equal(t, "off", last.Text)
	draw()
	s.Key(KeyEnter, 0)
	draw()
	require.NotNil(t, s.Popup(), "Enter opens the choices")
	s.Key(KeyDown, 0)
	s.Key(KeyEnter, 0)
	require.Equal(t, "fog", last.Text)
	require.Nil(t, s.Popup())
	s.Key(KeyDown, 0)
	for range 200 {
		s.Key(KeyRight, Shift)
	}
	require.Equal(t, []float64{4}, last.Values)
	count := n
	s.Key(KeyEnter, 0)
	s.Char('-')
	s.Key(KeyEnter, 0)
	require.Equal(t, count, n, "an invalid number changes nothing")
	s.Key(KeyDown, 0)
	require.False(t, s.Key(KeyEnter, 0), "a fixed row is not edited")
	require.False(t, s.Key('V', 0), "the list leaves unknown keys to others")
}

func TestListSearch(t *testing.T) {
	l, s, draw := list(t, rows(), image.Rect(0, 0, 400, 300))
	l.rows[4].Also = []string{"dmp_Fog.mode"}
	s.Char('/')
	require.Equal(t, Keys(&l.Search), s.Focused())
	typed(s, "FOG mo")
	s.Key(KeyEnter, 0)
	require.Equal(t, Keys(l), s.Focused())
	require.IsType(t, (*Menu)(nil), s.Popup(), "the edit of the row has begun")
	s.Key(KeyEscape, 0)
	require.Equal(t, "mode = off", l.String())
	l.refresh()
	require.Len(t, l.visible, 2)
	l.SetRows(rows())
	require.Equal(t, "mode = off", l.String(), "the selection stays with its row")
	s.Key(KeyEscape, 0)
	l.refresh()
	require.Len(t, l.visible, len(rows()))
	l.rows[4].Also = []string{"dmp_Fog.mode"}
	s.Char('/')
	typed(s, "dmp_fog")
	s.Key(KeyEnter, 0)
	require.Equal(t, "mode = off", l.String(), "the row is found by its other name")
	s.Key(KeyEscape, 0)
	draw()
	before := bytes.Clone(s.Img.Pix)
	s.Char('/')
	typed(s, "nowhere")
	draw()
	require.NotEqual(t, before, s.Img.Pix)
	require.Nil(t, l.Selected())
	l.Search.Set("")
	l.ChangedOnly = true
	l.refresh()
	require.Empty(t, l.visible)
	l.rows[5].Changed = true
	l.refresh()
	require.Len(t, l.visible, 2)
}

// Clicks hit exactly what is drawn: the digits of a number, the mark of a switch.
func TestListMouse(t *testing.T) {
	var edits []string
	l, s, draw := list(t, rows(), image.Rect(100, 0, 400, 300))
	l.OnEdit = func(r *Row, done bool) {
		if done {
			edits = append(edits, r.Key)
		}
	}
	click := func(p image.Point) {
		require.True(t, s.Press(ButtonLeft, 0, p))
		s.Release(p)
		draw()
	}
	where := func(tip string) image.Point {
		p, ok := s.Where(tip)
		require.True(t, ok, tip)
		return p
	}
	require.False(t, s.Press(ButtonLeft, 0, image.Pt(50, 50)), "a click beside the list is ignored")
	mark := where("enabled")
	click(mark)
	require.Equal(t, []string{"enabled"}, edits)
	click(mark.Sub(image.Pt(30, 0)))
	require.Equal(t, []string{"enabled"}, edits, "a click beside the mark changes nothing")
	click(where("off"))
	require.NotNil(t, s.Popup())
	click(where("gas"))
	require.Equal(t, []string{"enabled", "mode"}, edits)

	// The digit of the scale, which is the last number drawn.
	digit := where("drag, or click to type")
	require.Equal(t, Keys(l), s.Focused())
	require.True(t, s.Press(ButtonLeft, 0, digit))
	s.Move(digit.Add(image.Pt(40, 0)))
	require.Equal(t, []string{"enabled", "mode"}, edits, "OnEdit reports a drag when it ends")
	s.Release(digit.Add(image.Pt(40, 0)))
	require.Equal(t, []string{"enabled", "mode", "scale"}, edits)
	require.InDelta(t, 1.8, l.Selected().Values[0], 1e-9)
	draw()
	digit = where("drag, or click to type")
	click(digit)
	require.True(t, l.Typing(), "a click on a number starts typing")
	typed(s, "3")
	s.Key(KeyEnter, 0)
	require.Equal(t, "scale = 3", l.String())

	// The menu of a row.
	var reverted string
	l.OnRevert = func(r *Row) { reverted = r.Key }
	draw()
	s.Press(ButtonRight, 0, where("drag, or click to type"))
	s.Release(s.At())
	draw()
	click(where("Revert"))
	require.Equal(t, "scale", reverted)

	click(where("choose a colour"))
	require.IsType(t, &picker{}, s.Popup())
	draw()
	p := s.Popup().(*picker)
	require.True(t, s.Press(ButtonLeft, 0, p.at.Max.Add(image.Pt(-100, 40))))
	s.Release(s.At())
	require.NotEqual(t, []float64{0.5, 0.5, 0.5, 1}, p.values)
	require.Equal(t, p.values, l.byKey("diffuse").Values)
	s.Press(ButtonLeft, 0, image.Pt(10, 290))
	s.Release(image.Pt(10, 290))
	require.Nil(t, s.Popup(), "a press outside closes the picker only")
}

func TestListScrolls(t *testing.T) {
	var many []Row
	for i := range 100 {
		many = append(many, Row{Kind: Fixed, Label: strings.Repeat("x", i), Key: string(rune('a' + i)), Text: "y"})
	}
	l, s, draw := list(t, many, image.Rect(0, 0, 300, 200))
	for range 30 {
		s.Key(KeyPageDown, 0)
		draw()
	}
	require.Equal(t, many[99].Key, l.at)
	bottom := l.scroll.Offset
	require.Equal(t, l.scroll.height-l.scroll.view, bottom)
	s.Move(image.Pt(50, 100))
	s.Wheel(200)
	draw()
	require.Zero(t, l.scroll.Offset)
	require.Equal(t, many[99].Key, l.at, "a wheel scrolls and does not select")
	s.Key(KeyUp, 0)
	draw()
	require.Positive(t, l.scroll.Offset, "the list scrolls to the selected row")
	// The scroll bar.
	bar := image.Pt(296, 199)
	s.Press(ButtonLeft, 0, bar)
	s.Move(image.Pt(296, 40))
	s.Release(image.Pt(296, 40))
	draw()
	require.Less(t, l.scroll.Offset, bottom/4)
	l.SetRows(nil)
	draw()
	require.Equal(t, "nothing selected", l.String())
	require.False(t, s.Key(KeyEnter, 0))
}

func TestFormatNumber(t *testing.T) {
	for v, want := range map[float64]string{0: "0", -0.00001: "-1e-05", 1.23456: "1.2346", 65535.996: "65536", -3: "-3"} {
		require.Equal(t, want, formatNumber(v))
	}
}
