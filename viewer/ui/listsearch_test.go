package ui

import (
	"bytes"
	"errors"
	"image"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Up and Down in a search move through its matches only; pinned rows stay visible above it.
func TestSearchArrowsMoveThroughMatches(t *testing.T) {
	all := append([]Row{{Kind: Choice, Label: "edit", Key: "edit", Text: "all", Choices: []string{"all", "one"}, Pinned: true}}, rows()...)
	l, s, draw := list(t, all, image.Rect(0, 0, 400, 300))
	s.Char('/')
	typed(s, "e")
	for _, want := range []string{"diffuse = 0.5 0.5 0.5 1", "mode = off", "scale = 1", "table = none", "table = none"} {
		require.True(t, s.Key(KeyDown, 0), "the search handles Down")
		require.Equal(t, want, l.String())
		require.Equal(t, Keys(&l.Search), s.Focused())
	}
	require.True(t, s.Key(KeyUp, Shift))
	require.Equal(t, "scale = 1", l.String())
	s.Key(KeyPageUp, 0)
	require.Equal(t, "edit = all", l.String())
	draw()
	_, ok := s.Where("all")
	require.True(t, ok, "the pinned row is visible")
	l.Search.Set("")
	typed(s, "no such row")
	require.Nil(t, l.Selected(), "a search does not select pinned rows")
	s.Key(KeyDown, 0)
	require.Equal(t, "edit = all", l.String())
	l.ChangedOnly = true
	draw()
	_, ok = s.Where("all")
	require.True(t, ok)
	for range 50 {
		s.Wheel(-3)
	}
	draw()
	_, ok = s.Where("all")
	require.True(t, ok)

	l, s, _ = list(t, rows(), image.Rect(0, 0, 400, 300))
	s.Focus(l)
	l.Select("scale")
	s.Key(KeyEnter, 0)
	typed(s, "3")
	require.True(t, s.Key(KeyDown, 0), "Down accepts the value and selects the next row")
	require.Equal(t, "table = none", l.String())
	l.Select("scale")
	require.Equal(t, "scale = 3", l.String())

	f := &Field{}
	for _, k := range []Key{KeyUp, KeyDown, KeyPageUp, KeyPageDown} {
		require.True(t, f.Key(k, 0), "a field handles all arrow and page keys")
		require.True(t, f.Key(k, Shift))
	}
}

// Editing one component does not hide the others.
func TestEditKeepsOtherComponentsVisible(t *testing.T) {
	l, s, draw := list(t, rows(), image.Rect(0, 0, 400, 300))
	for part := range 4 {
		l.Select("diffuse")
		l.part = part
		draw()
		where := map[string]image.Point{}
		for k := range 4 {
			p, ok := s.Where("rgba"[k:k+1] + ": drag, or click to type")
			require.True(t, ok)
			where["rgba"[k:k+1]] = p
		}
		require.Equal(t, where["g"].X-where["r"].X, where["a"].X-where["b"].X, "components are aligned in columns")
		s.Key(KeyEnter, 0)
		typed(s, "0.123456")
		draw()
		for k := range 4 {
			p, ok := s.Where("rgba"[k:k+1] + ": drag, or click to type")
			require.Equal(t, k != part, ok, "%d while %d is typed", k, part)
			require.True(t, !ok || p.In(image.Rect(0, 0, 400, 300)))
		}
		s.Key(KeyEscape, 0)
	}
	// A number is wide enough to be clicked.
	for _, z := range s.zones {
		if z.Drag != nil && z.Tip == "drag, or click to type" {
			require.GreaterOrEqual(t, z.Rect.Dx(), 24)
		}
	}
	require.Equal(t, "diffuse = 0.5 0.5 0.5 1", l.String())
}

// A value may be a sum; an invalid one gives a message and can be corrected, and no value becomes infinite.
func TestTypedNumbers(t *testing.T) {
	l, s, draw := list(t, rows(), image.Rect(0, 0, 400, 300))
	l.rows[5].Max = 0 // no limit
	l.rows[5].Min = 0
	var bad []string
	l.OnBad = func(err error) { bad = append(bad, err.Error()) }
	l.Parse = func(text string, x float64) (float64, error) {
		switch text {
		case "1/2":
			return 0.5, nil
		case "x*2":
			return 2 * x, nil
		case "big":
			return 1e39, nil
		case "inf":
			return math.Inf(-1), nil
		case "nan":
			return math.NaN(), nil
		case "1", "2", "3", "4":
			return float64(text[0] - '0'), nil
		}
		return 0, errors.New("no formula")
	}
	l.Select("scale")
	enter := func(text string) {
		s.Key(KeyEnter, 0)
		l.entry.Set("")
		typed(s, text)
		s.Key(KeyEnter, 0)
	}
	enter("1/2")
	require.Equal(t, "scale = 0.5", l.String())
	enter("x*2")
	require.Equal(t, "scale = 1", l.String())
	require.False(t, l.Typing())
	for _, text := range []string{"abc", "big", "inf", "nan", "1 2", "1,,2", ",1", "2,", "1, ,2"} {
		plain := bytes.Clone(s.Img.Pix)
		enter(text)
		require.Contains(t, l.Problem, text)
		require.Equal(t, strings.Contains(text, ","), strings.Contains(l.Problem, "no number before or after a comma"))
		draw()
		require.NotEqual(t, plain, s.Img.Pix)
		at := s.Img.RGBAAt(200, l.drawn.Max.Y)
		require.Equal(t, Bad, at, "the reason is below the field")
		require.True(t, l.Typing(), "an invalid number can still be corrected")
		require.Equal(t, []float64{1}, l.rows[5].Values, text)
		s.Key(KeyEscape, 0)
		require.False(t, l.Typing())
	}
	// Leaving the field in another way also gives the message.
	bad = nil
	s.Key(KeyEnter, 0)
	typed(s, "abc")
	s.Key(KeyDown, 0)
	require.Len(t, bad, 1)
	require.False(t, l.Typing())

	l.Select("diffuse")
	l.rows[2].Kind = Numbers
	s.Key('N', 0)
	enter("1/2")
	require.Equal(t, []float64{0.5, 0.5, 0.5, 1}, l.rows[2].Values, "only the selected component is edited")
	l.part = 2
	enter("x*2")
	require.Equal(t, []float64{0.5, 0.5, 1, 1}, l.rows[2].Values)
	enter("1, 2,1/2 x*2")
	require.Equal(t, []float64{1, 2, 0.5, 2}, l.rows[2].Values)
	s.Key(KeyEnter, 0)
	l.entry.Set("1,,2")
	s.Key(KeyEnter, 0)
	require.Equal(t, []float64{1, 2, 0.5, 2}, l.rows[2].Values)
	s.Char('3')
	require.Empty(t, l.Problem, "it is about another text")
	s.Key(KeyEscape, 0)

	// The sample of several colours has none of them.
	l.rows[2].Kind = Color
	for _, l.rows[2].Mixed = range [][]bool{nil, {false, false, true, false}} {
		draw()
		p, ok := s.Where("choose a colour")
		require.True(t, ok)
		require.Equal(t, l.rows[2].Mixed == nil, s.Img.RGBAAt(p.X+2, p.Y-2) == sampleOf(l.rows[2].Values))
	}

	// A narrow list shows fewer decimals, and tells all of them.
	narrow := []Row{{Kind: Numbers, Label: "rotate", Key: "rotate", Values: []float64{-123.4567, 0.12345, 0.98765, 0.5}}}
	for width, tips := range map[int][]string{160: {"-123.457; x: ", "0.1235; y: ", "0.9877; z: ", "w: "}, 400: {"x: ", "y: ", "z: ", "w: "}} {
		_, s, _ := list(t, narrow, image.Rect(0, 0, width, 300))
		for _, tip := range tips {
			p, ok := s.Where(tip + "drag, or click to type")
			require.True(t, ok, "%d: %s", width, tip)
			require.Greater(t, p.X, 20)
		}
	}

	// Values of a scene are shown unchanged (NaN, inf) but for what rounding leaves of 0, and a drag from NaN starts at 0.
	for v, want := range map[float64]string{math.NaN(): "NaN", math.Inf(1): "inf", math.Inf(-1): "-inf", 4.5e-44: "0", -2.78e-17: "0", 1e-6: "1e-06", -0.00012345: "-0.000123", 0: "0", math.Copysign(0, -1): "0"} {
		require.Equal(t, want, formatNumber(v))
	}
	l.rows[5].Values[0] = math.NaN()
	l.choose(l.rows[5].Key, 0)
	l.dragValue = math.NaN()
	l.drag(l.rows[5].Key, 0, Mouse{At: image.Pt(40, 0)})
	require.InDelta(t, 0.2, l.rows[5].Values[0], 1e-9)
}

// A click folds a group, or all groups; keys open them again. A search covers folded groups.
func TestGroupsFold(t *testing.T) {
	l, s, draw := list(t, rows(), image.Rect(0, 0, 400, 300))
	press := func(tip string) {
		t.Helper()
		p, ok := s.Where(tip)
		require.True(t, ok, tip)
		s.Press(ButtonLeft, 0, p)
		s.Release(p)
		draw()
	}
	shown := func() int { l.refresh(); return len(l.visible) }
	require.Equal(t, 7, shown())
	press("fold Lighting")
	require.Equal(t, 5, shown())
	typedSearch := func(text string) { l.Search.Set(text); draw() }
	typedSearch("diff")
	require.Equal(t, 2, shown())
	typedSearch("")
	s.Key(KeyDown, 0)
	require.Equal(t, "nothing selected", l.String(), "a folded heading is no selection")
	s.Key(KeyDown, 0)
	require.Equal(t, "mode = off", l.String())
	s.Key(KeyUp, 0)
	s.Key(KeyEnter, 0)
	require.Equal(t, 7, shown())
	require.Equal(t, "enabled = [ ]", l.String())
	l.FoldAll()
	require.Equal(t, 2, shown())
	draw()
	press("unfold Fog")
	require.Equal(t, 5, shown())
	l.FoldAll()
	require.Equal(t, 2, shown(), "with some groups open, all are folded")
	l.FoldAll()
	require.Equal(t, 7, shown())
}

// The description of the selected row is shown below the list, with its valid values.
func TestRowDescription(t *testing.T) {
	all := rows()
	all[5].About = "how much of it there is, in a text that goes on for more than a line of the list and then for more than another, so that it ends in dots"
	l, s, draw := list(t, all, image.Rect(0, 0, 400, 300))
	before := l.scroll.view
	l.Select("scale")
	draw()
	require.Equal(t, before-aboutLines*s.Line()-s.Units(8), l.scroll.view)
	require.Equal(t, s.Img.RGBAAt(399, 299), PanelHead)
	l.Select("mode")
	draw()
	require.Equal(t, before, l.scroll.view)
}

// A colour is typed as hexadecimal bytes or as numbers; anything else gives a message.
func TestTypedColors(t *testing.T) {
	l, s, draw := list(t, rows(), image.Rect(0, 0, 400, 300))
	edits := 0
	l.OnEdit = func(*Row, bool) { edits++ }
	p, ok := s.Where("choose a colour")
	require.True(t, ok)
	s.Press(ButtonLeft, 0, p)
	s.Release(p)
	draw()
	values := func() []float64 { return l.byKey("diffuse").Values }
	typed(s, "#FF800")
	require.Zero(t, edits)
	typed(s, "0")
	require.Equal(t, 1, edits, "a whole colour is applied while it is typed")
	s.Key(KeyHome, 0)
	s.Key(KeyEnter, 0)
	require.InDeltaSlice(t, []float64{1, 128.0 / 255, 0, 1}, values(), 1e-9, "a colour of three components keeps alpha")
	draw()
	require.Equal(t, "#FF8000FF", s.Popup().(*picker).fields[0].Text)
	require.Equal(t, 1, edits)
	s.Key(KeyTab, 0)
	s.Key(KeyTab, 0)
	typed(s, "0.25 0.5 0.75 0.125")
	draw()
	require.True(t, s.Key('V', 0))
	s.Key(KeyEnter, 0)
	require.Equal(t, []float64{0.25, 0.5, 0.75, 0.125}, values())
	for _, text := range []string{"#12345", "#GG0000", "#"} {
		typed(s, "#")
		s.Popup().(*picker).fields[0].Set("")
		typed(s, text)
		s.Key(KeyEnter, 0)
		require.NotEmpty(t, s.Popup().(*picker).problem, text)
		require.Equal(t, []float64{0.25, 0.5, 0.75, 0.125}, values())
		s.Key(KeyEscape, 0)
		require.NotNil(t, s.Popup(), "the first Escape ends typing")
	}
	typed(s, "#")
	s.Popup().(*picker).fields[0].Set("")
	typed(s, "f08")
	s.Key(KeyEnter, 0)
	require.InDeltaSlice(t, []float64{1, 0, 136.0 / 255, 0.125}, values(), 1e-9)
	draw()
	at, ok := s.Where("the colour as numbers")
	require.True(t, ok)
	s.Press(ButtonLeft, 0, at)
	s.Release(at)
	require.Equal(t, 1, s.Popup().(*picker).typing)
	for _, size := range []image.Point{{1, 1}, {60, 40}, {390, 300}} {
		s.Begin(size.X, size.Y, 2)
		l.Draw(s, image.Rect(0, 0, size.X, size.Y))
		s.End()
	}
	s.Key(KeyEscape, 0)
	s.Key(KeyEscape, 0)
	l.at, l.part = "diffuse", 2
	l.begin("")
	typed(s, "#00ff00")
	s.Key(KeyEnter, 0)
	require.Equal(t, []float64{0, 1, 0, 0.125}, values(), "in the row")
}
