package ui

import (
	"bytes"
	"image"
	"image/color"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// shown draws one widget over a whole screen.
func shown(w, h int, part func(s *Screen, r image.Rectangle)) (s *Screen, draw func()) {
	s = NewScreen()
	draw = func() {
		s.Begin(w, h, 1)
		part(s, image.Rect(0, 0, w, h))
		s.End()
	}
	draw()
	return s, draw
}

// Clicks follow each other within three points in each direction.
func TestClicksNearEachOther(t *testing.T) {
	s, _ := shown(100, 100, func(s *Screen, r image.Rectangle) { s.Add(Zone{Rect: r, Press: func(Mouse) {}}) })
	for by, want := range map[image.Point]int{{}: 2, {3, 0}: 2, {-3, 3}: 2, {0, -3}: 2, {4, 0}: 1, {-4, 0}: 1, {0, 4}: 1, {0, -4}: 1} {
		s.clicks = 0
		for _, p := range []image.Point{{50, 50}, image.Pt(50, 50).Add(by)} {
			require.True(t, s.Press(ButtonLeft, 0, p))
			s.Release(p)
		}
		require.Equal(t, want, s.clicks, "%v", by)
		s.since = time.Time{}
	}
}

func click(t *testing.T, s *Screen, draw func(), p image.Point) {
	t.Helper()
	require.True(t, s.Press(ButtonLeft, 0, p), "no widget is at %v", p)
	s.Release(p)
	draw()
}

func TestSplit(t *testing.T) {
	sp := &Split{Size: 100, Least: 50}
	var a, b image.Rectangle
	s, draw := shown(400, 200, func(s *Screen, r image.Rectangle) { a, b = sp.Draw(s, r) })
	require.Equal(t, image.Rect(300, 0, 400, 200), b)
	require.Equal(t, image.Rect(0, 0, 296, 200), a)
	drag := func(x int) {
		s.Press(ButtonLeft, 0, image.Pt(a.Max.X+2, 20))
		s.Move(image.Pt(x, 20))
		s.Release(image.Pt(x, 20))
		draw()
	}
	drag(200)
	require.InDelta(t, 200, b.Dx(), 3)
	drag(399)
	require.Equal(t, 50, b.Dx())
	drag(0)
	require.Equal(t, 50, a.Dx())
	sp.Below = true
	draw()
	require.Equal(t, 400, b.Dx())
	first, second := sp.Parts(s.Canvas, image.Rect(0, 0, 40, 10))
	require.Equal(t, 10, first.Dy()+second.Dy()+4)
}

func TestTabs(t *testing.T) {
	turned := 0
	tabs := &Tabs{Names: []string{"one", "two", "three"}, OnSelect: func() { turned++ }}
	var body image.Rectangle
	s, draw := shown(300, 200, func(s *Screen, r image.Rectangle) { body = tabs.Draw(s, r) })
	p, ok := s.Where("three")
	require.True(t, ok)
	click(t, s, draw, p)
	require.Equal(t, 2, tabs.At)
	require.Equal(t, 1, turned)
	require.Less(t, body.Dy(), 200)
	tabs.Select(3)
	require.Zero(t, tabs.At)
}

func TestTree(t *testing.T) {
	var chosen []string
	tree := &Tree{OnSelect: func(k string) { chosen = append(chosen, k) }, Roots: []Node{
		{Key: "p0", Text: "pass 0", Children: []Node{{Key: "d0", Text: "draw 0"}, {Key: "d1", Text: "draw 1", Note: "12 px"}}},
		{Key: "p1", Text: "pass 1", Children: []Node{{Key: "d2", Text: "draw 2"}}},
	}}
	s, draw := shown(300, 60, func(s *Screen, r image.Rectangle) { tree.Draw(s, r) })
	s.Focus(tree)
	p, ok := s.Where("draw 1")
	require.True(t, ok)
	click(t, s, draw, p)
	require.Equal(t, []string{"d1"}, chosen)
	s.Key(KeyDown, 0)
	require.Equal(t, "p1", tree.Selected)
	s.Key(KeyLeft, 0)
	require.False(t, tree.isOpen("p1"))
	s.Key(KeyDown, 0)
	require.Equal(t, "p1", tree.Selected, "Down stops at the last row")
	s.Key(KeyRight, 0)
	s.Key(KeyDown, 0)
	require.Equal(t, "d2", tree.Selected)
	draw()
	require.Positive(t, tree.scroll.Offset, "the tree scrolls to the selected row")
	s.Key(KeyLeft, 0)
	require.Equal(t, "p1", tree.Selected, "Left selects the parent")
	s.Key(KeyHome, 0)
	require.Equal(t, "p0", tree.Selected)
	draw()
	click(t, s, draw, image.Pt(8, 8)) // the fold mark
	require.False(t, tree.isOpen("p0"))
	require.Equal(t, "p0", tree.Selected)
	tree.Roots = nil
	draw()
	require.False(t, s.Key(KeyDown, 0))
}

func TestTextView(t *testing.T) {
	went := false
	v := &TextView{}
	v.Set([]Line{{Text: "first event", Head: true}, {Text: "  a value that is long enough to be wrapped at the edge of it"},
		{Text: "  sky", Swatch: color.RGBA{1, 2, 3, 255}}, {Text: "second event", Head: true}, {Text: "  go there", Do: func() { went = true }, Tip: "link"}})
	s, draw := shown(300, 200, func(s *Screen, r image.Rectangle) { v.Draw(s, r) })
	line := s.Line()
	rows := len(v.rows)
	require.Greater(t, rows, len(v.Lines), "a long line is wrapped")
	// From the third column of the first row to the row after next.
	y := 3 + line/2
	s.Press(ButtonLeft, 0, image.Pt(6+4*s.width, y))
	s.Move(image.Pt(6+9*s.width, y+line))
	s.Release(s.At())
	require.Equal(t, "rst event\n  a value", v.selection())
	s.Key('C', Ctrl)
	require.Equal(t, "rst event\n  a value", s.Paste())
	s.Key('A', Ctrl)
	require.Equal(t, v.String(), v.selection()+"\n", "the selection joins wrapped lines")
	p, ok := s.Where("link")
	require.True(t, ok)
	click(t, s, draw, p)
	require.True(t, went)
	p, ok = s.Where("fold")
	require.True(t, ok)
	click(t, s, draw, p) // the second link, which was drawn last
	require.Len(t, v.rows, rows-1)
	click(t, s, draw, image.Pt(8, y))
	require.Len(t, v.rows, 2, "folded: only the two heads are left")
	v.Set(v.Lines)
	draw()
	require.Len(t, v.rows, 2, "new contents keep folded heads")
	v.Set(v.Lines[:1])
	s.Press(ButtonLeft, 0, image.Pt(8*s.width, y+line)) // before they are drawn, on a row that is gone
	s.Release(s.At())
}

func TestCurve(t *testing.T) {
	done := 0
	c := &Curve{Values: make([]float64, 101), Min: -1, Max: 1, onEdit: func(d bool) {
		if d {
			done++
		}
	}}
	s, _ := shown(205, 105, func(s *Screen, r image.Rectangle) { c.Draw(s, r) })
	s.Press(ButtonLeft, 0, image.Pt(2, 102))
	s.Move(image.Pt(202, 2)) // one long move: the values in between are interpolated
	s.Release(s.At())
	require.Equal(t, 1, done)
	require.InDelta(t, -1, c.Values[0], 0.02)
	require.InDelta(t, 0, c.Values[50], 0.02)
	require.InDelta(t, 1, c.Values[100], 0.02)
	s.Press(ButtonLeft, 0, image.Pt(100, 50))
	s.Move(image.Pt(-500, 5000))
	s.Release(s.At())
	for _, v := range c.Values {
		require.True(t, v >= -1 && v <= 1)
	}
	for _, readOnly := range []bool{false, true} { // the value under the mouse is shown
		c := &Curve{Values: []float64{0.5, 0.125, 3}, Max: 4, From: -1, To: 0, ReadOnly: readOnly}
		s, _ := shown(205, 105, func(s *Screen, r image.Rectangle) { c.Draw(s, r) })
		tip := "; draw with the mouse"
		if readOnly {
			tip = ""
		}
		for x, want := range map[int]string{3: "at -1: 0.5 (entry 0)", 90: "at -0.5: 0.125 (entry 1)", 204: "at 0: 3 (entry 2)"} {
			require.True(t, s.Move(image.Pt(x, 50)), "moving the mouse updates the tip")
			require.Equal(t, want+tip, s.Tip())
		}
	}
	shown(10, 3, func(s *Screen, r image.Rectangle) { (&Curve{Values: []float64{0}}).Draw(s, r); (&Curve{}).Draw(s, r) })
}

func TestPickerKeepsTheHue(t *testing.T) {
	for _, c := range [][3]float64{{1, 0, 0}, {0.2, 0.4, 0.6}, {0.5, 0.5, 0.5}, {0.9, 0.1, 0.7}, {0, 1, 0.3}, {0, 0, 0}} {
		h, sat, v := hsv(c)
		for i, x := range rgb(h, sat, v) {
			require.InDelta(t, c[i], x, 1e-9)
		}
	}
	p := newPicker([]float64{0, 0, 1}, image.Rect(0, 0, 10, 10), nil)
	s, draw := shown(300, 200, func(*Screen, image.Rectangle) {})
	s.Open(p)
	draw()
	require.InDelta(t, 4, p.hue, 1e-9)
	p.saturation = 0
	p.set()
	draw()
	require.Equal(t, []float64{1, 1, 1}, p.values)
	require.InDelta(t, 4, p.hue, 1e-9, "the picker keeps the hue at white")
	require.True(t, s.Key('X', Ctrl))
	require.False(t, s.Key('Z', Ctrl), "undo is for the window, and closes it")
	require.Nil(t, s.Popup())
}

func TestPicture(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 2, 1))
	img.SetNRGBA(0, 0, color.NRGBA{200, 0, 0, 255})
	var at image.Rectangle
	s, _ := shown(100, 100, func(s *Screen, r image.Rectangle) { at = s.Picture(r, img) })
	require.Equal(t, image.Rect(0, 25, 100, 75), at)
	require.Equal(t, color.RGBA{200, 0, 0, 255}, s.Img.RGBAAt(49, 50))
	require.NotZero(t, s.Img.RGBAAt(51, 50).R, "chequered")
	require.Zero(t, s.Img.RGBAAt(51, 10).A)
}

// Clipped zones cannot be hit, and popups receive all input.
func TestZones(t *testing.T) {
	hits := map[string]int{}
	zone := func(s *Screen, name string, r image.Rectangle) {
		s.Add(Zone{Rect: r, Tip: name, Press: func(Mouse) { hits[name]++ }, Wheel: func(float64) { hits["wheel "+name]++ }})
	}
	s, draw := shown(100, 100, func(s *Screen, r image.Rectangle) {
		zone(s, "below", r)
		undo := s.Clip(image.Rect(0, 0, 50, 50))
		zone(s, "clipped", image.Rect(40, 40, 90, 90))
		inner := s.Clip(image.Rect(60, 60, 70, 70))
		zone(s, "gone", image.Rect(60, 60, 70, 70))
		s.Fill(image.Rect(0, 0, 100, 100), Text)
		s.Text(0, 0, "text", Text)
		inner()
		undo()
	})
	require.Zero(t, s.Img.RGBAAt(65, 65).A, "nothing is drawn outside of the clip")
	click(t, s, draw, image.Pt(45, 45))
	click(t, s, draw, image.Pt(65, 65))
	require.Equal(t, map[string]int{"clipped": 1, "below": 1}, hits)
	done := false
	m := s.OpenMenu(image.Rect(0, 0, 20, 10), []Item{{Text: "no", Off: true}, {Line: true}, {Text: "yes", Do: func() { done = true }}})
	draw()
	require.True(t, s.Wheel(1))
	require.True(t, s.Key('V', 0))
	require.True(t, s.Char('v'))
	require.Equal(t, map[string]int{"clipped": 1, "below": 1}, hits)
	p, ok := s.Where("no")
	require.True(t, ok)
	click(t, s, draw, p)
	require.Equal(t, Popup(m), s.Popup(), "an item that is off does nothing")
	s.Key(KeyDown, 0)
	s.Key(KeyEnter, 0)
	require.True(t, done)
	require.Nil(t, s.Popup())
}

// Where the mouse rests its tip shows beside it, unless that is written there already; its shape says what it does.
func TestTipsBesideTheMouse(t *testing.T) {
	now := time.Unix(0, 0)
	s, draw := shown(300, 200, func(s *Screen, _ image.Rectangle) {
		s.Add(Zone{Rect: image.Rect(0, 0, 100, 50), Tip: "what this does", Shape: Hand, Press: func(Mouse) {}})
		s.Add(Zone{Rect: image.Rect(0, 50, 100, 100), Tip: "plain", Plain: true, Press: func(Mouse) {}})
		s.Add(Zone{Rect: image.Rect(250, 150, 300, 200), Tip: "in the corner", Shape: Across, Press: func(Mouse) {}})
	})
	s.Now = func() time.Time { return now }
	empty := bytes.Clone(s.Img.Pix)
	require.Negative(t, s.TipDue(), "the mouse was not there")
	tips := func(want bool) {
		t.Helper()
		draw()
		require.Equal(t, want, s.Tipped())
		require.Equal(t, want, !bytes.Equal(empty, s.Img.Pix))
	}
	for _, at := range []image.Point{{20, 20}, {290, 190}} {
		s.Move(at)
		tips(false)
		require.Equal(t, tipPause, s.TipDue())
		now = now.Add(tipPause)
		require.Zero(t, s.TipDue())
		tips(true)
		under := 0
		for i := 0; i < len(s.Img.Pix); i += 4 {
			if [4]byte(s.Img.Pix[i:]) == [4]byte{PanelHead.R, PanelHead.G, PanelHead.B, PanelHead.A} {
				under++
			}
		}
		require.Greater(t, under, 500, "the tip covers what is under it")
		require.True(t, s.Move(at.Add(image.Pt(1, 0))), "moving hides it")
		tips(false)
		now = now.Add(tipPause)
		tips(true)
		s.Key(KeyUp, 0)
		tips(false)
		s.Move(at)
		now = now.Add(tipPause)
		tips(true)
		s.Press(ButtonLeft, 0, at)
		tips(false)
		s.Release(at)
		tips(false)
		require.Equal(t, map[bool]Shape{true: Hand, false: Across}[at.X < 100], s.Shape())
	}
	s.Move(image.Pt(20, 70))
	now = now.Add(tipPause)
	tips(false)
	require.Equal(t, Arrow, s.Shape())
}

// A light window has other colours, but samples keep theirs.
func TestLightColors(t *testing.T) {
	c := newCanvas(4, 2, 1)
	c.Light = true
	for col := range light {
		c.Fill(image.Rect(0, 0, 2, 2), col)
		c.Sample(image.Rect(2, 0, 4, 2), opaque(col))
		require.NotEqual(t, opaque(col), c.Img.RGBAAt(1, 1))
		require.Equal(t, opaque(col), c.Img.RGBAAt(3, 1))
	}
	for _, text := range []color.RGBA{Text, Dim, Accent, Changed, Bad} {
		for _, ground := range []color.RGBA{opaque(Panel), PanelHead, Selected, well} {
			for _, c.Light = range []bool{false, true} {
				require.Greater(t, contrast(c.shade(text), c.shade(ground)), 3.0, "%v on %v, light %v", text, ground, c.Light)
			}
		}
	}
}

// contrast is the ratio of luminances as in WCAG 2.
func contrast(a, b color.RGBA) float64 {
	luminance := func(c color.RGBA) float64 {
		sum := 0.0
		for k, v := range [3]uint8{c.R, c.G, c.B} {
			x := float64(v) / 255
			if x = math.Pow((x+0.055)/1.055, 2.4); v < 11 {
				x = float64(v) / 255 / 12.92
			}
			sum += [3]float64{0.2126, 0.7152, 0.0722}[k] * x
		}
		return sum + 0.05
	}
	x, y := luminance(a), luminance(b)
	return max(x, y) / min(x, y)
}

// The mark beside a line reacts to both buttons; the text does not.
func TestLineMarkButtons(t *testing.T) {
	var pressed []Button
	v := &TextView{Indent: 4}
	v.Set([]Line{{Text: "head", Head: true}, {Text: "     long enough to be wrapped", On: true, Side: &Side{" 01d", Dim, "step", func(m Mouse) { pressed = append(pressed, m.Button) }}}})
	s, draw := shown(160, 100, v.Draw)
	p, ok := s.Where("step")
	require.True(t, ok)
	require.True(t, s.Press(ButtonRight, 0, p))
	s.Release(p)
	click(t, s, draw, p)
	require.Equal(t, []Button{ButtonRight, ButtonLeft}, pressed)
	require.Equal(t, Selected, s.Img.RGBAAt(150, p.Y), "the marked line is highlighted")
	require.Equal(t, Selected, s.Img.RGBAAt(150, p.Y+s.Line()), "all rows of the wrapped line are highlighted")
	click(t, s, draw, p.Add(image.Pt(0, s.Line())))
	click(t, s, draw, p.Add(image.Pt(s.Width("     "), 0)))
	require.Len(t, pressed, 2)
}

// Keys, pictures and files may change what a zone was drawn for before it is pressed: it acts on the same thing, or not at all.
func TestPressOnWhatHasChanged(t *testing.T) {
	at := func(s *Screen, tip string) image.Point {
		p, ok := s.Where(tip)
		require.True(t, ok, tip)
		return p
	}
	press := func(s *Screen, p image.Point) { s.Press(ButtonLeft, 0, p); s.Release(p) }

	// Completions: fewer, none, in another order.
	f := &Field{Complete: func(text string) (list []string) {
		return map[string][]string{"": {"abc", "abd", "b"}, "b": {"b", "abd"}, "bz": nil}[text]
	}}
	s, draw := shown(300, 200, func(s *Screen, r image.Rectangle) { f.Draw(s, r); f.DrawMatches(s, r) })
	for _, c := range []struct{ set, tip, want string }{{"b", "abd", "abd"}, {"b", "b", "b"}, {"b", "abc", "b"}, {"bz", "b", "bz"}} {
		f.Set("")
		draw()
		p := at(s, c.tip)
		f.Set(c.set)
		press(s, p)
		require.Equal(t, c.want, f.Text, "%s pressed after typing %s", c.tip, c.set)
	}

	// Rows of a list: moved, of another kind, gone, while the button is down, and while a curve is drawn.
	table := Row{Kind: Table, Label: "curve", Key: "curve", Values: []float64{0, 0, 0, 0}, Max: 1}
	all := append(rows(), table)
	l, s, draw := list(t, all, image.Rect(0, 0, 400, 300))
	l.open["curve"] = true
	other := func() []Row { return []Row{{Kind: Numbers, Label: "first", Key: "first", Values: []float64{7}}} }
	for tip, want := range map[string]func(*List, string){
		"enabled": func(l *List, what string) {
			require.Equal(t, []float64{1}, l.byKey("enabled").Values, what)
		},
		"drag, or click to type": func(l *List, what string) { require.Equal(t, "scale", l.at, what); require.True(t, l.Typing(), what) },
		"draw with the mouse": func(l *List, what string) {
			require.NotEqual(t, table.Values, l.byKey("curve").Values, what)
			require.Equal(t, []float64{7}, l.byKey("first").Values, what)
		},
		"off": func(l *List, what string) { require.IsType(t, &Menu{}, s.Popup(), what); s.Close(s.Popup()) },
		"choose a colour": func(l *List, what string) {
			require.IsType(t, &picker{}, s.Popup(), what)
			s.Close(s.Popup())
		},
	} {
		l.SetRows(append(rows(), table))
		draw()
		p := at(s, tip)
		moved := append(other(), rows()...)
		l.SetRows(append(moved, Row{Kind: Table, Label: "curve", Key: "curve", Values: []float64{0, 0, 0, 0}, Max: 1}))
		press(s, p)
		want(l, tip)
		l.Cancel()
		draw()
		p = at(s, tip)
		l.SetRows(other())
		press(s, p)
		require.Equal(t, other(), l.rows, tip)
		require.Nil(t, s.Popup(), tip)
		require.False(t, l.Typing(), tip)
	}
	l.SetRows(rows())
	draw()
	p := at(s, "drag, or click to type")
	s.Press(ButtonLeft, 0, p)
	s.Move(p.Add(image.Pt(10, 0)))
	l.SetRows(append(other(), rows()...))
	s.Move(p.Add(image.Pt(20, 0)))
	require.InDelta(t, 1.4, l.byKey("scale").Values[0], 1e-9)
	l.SetRows(other())
	s.Release(p)
	require.Equal(t, other(), l.rows)

	// Popups: what is below one that just opened, and what was part of one that closed, does nothing.
	done := ""
	s, draw = shown(300, 200, func(s *Screen, r image.Rectangle) {
		s.Button(r, "below", ButtonStyle{Tip: "below"}, func() { done += "below " })
	})
	p = at(s, "below")
	m := s.OpenMenu(image.Rect(0, 0, 9, 9), []Item{{Text: "item", Do: func() { done += "item " }}})
	press(s, p)
	require.Empty(t, done)
	draw()
	p = at(s, "item")
	s.Close(m)
	press(s, p)
	require.Empty(t, done)
	draw()
	press(s, at(s, "below"))
	require.Equal(t, "below ", done)
	s.Forget()
	press(s, p)
	require.Equal(t, "below ", done)
}
