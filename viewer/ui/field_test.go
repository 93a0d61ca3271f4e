package ui

import (
	"image"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestField(t *testing.T) {
	changes, entered, escaped := 0, false, false
	f := &Field{OnChange: func() { changes++ }, OnEnter: func() { entered = true }, OnEscape: func() { escaped = true }}
	f.Complete = func(text string) (list []string) {
		if text != "" {
			list = []string{text + "/one", text + "/two"}
		}
		return list
	}
	s, draw := shown(200, 20, func(s *Screen, r image.Rectangle) { f.Draw(s, r) })
	s.Focus(f)
	for _, k := range []Key{'V', ' ', '1', '[', '/'} {
		require.True(t, s.Key(k, 0), "typed characters are no commands: %v", k)
	}
	require.False(t, s.Key('Q', Ctrl))
	require.False(t, s.Key(KeyF1, 0))
	typed(s, "日本 ab")
	s.Key(KeyLeft, 0)
	s.Key(KeyBackspace, 0)
	require.Equal(t, "日本 b", f.Text)
	s.Key(KeyHome, 0)
	s.Key(KeyRight, Shift)
	s.Key('X', Ctrl)
	require.Equal(t, "本 b", f.Text)
	s.Key(KeyEnd, 0)
	s.Key('V', Ctrl)
	require.Equal(t, "本 b日", f.Text)
	s.Key(KeyDelete, 0)
	require.Equal(t, "本 b日", f.Text)
	draw()
	click(t, s, draw, image.Pt(5+3*s.width, 10)) // after the space
	s.Char('!')
	require.Equal(t, "本 !b日", f.Text)
	s.Key('A', Ctrl)
	typed(s, "x")
	require.Equal(t, []string{"x/one", "x/two"}, f.Matches())
	s.Key(KeyDown, 0)
	s.Key(KeyDown, 0)
	s.Key(KeyEnter, 0)
	require.Equal(t, "x/two", f.Text)
	require.False(t, entered)
	s.Key(KeyTab, 0)
	require.Equal(t, "x/two/one", f.Text)
	s.Key(KeyEnter, 0)
	s.Key(KeyEscape, 0)
	require.True(t, entered && escaped)
	draw()
	n := changes
	f.Only = "0123"
	s.Char('z')
	require.Equal(t, n, changes)
	for range 100 {
		s.Char('3')
	}
	draw()
	require.Positive(t, f.shift, "the field scrolls to the caret")
	require.Equal(t, n+1, changes, "one search for all that was typed between two pictures")
}

// The keys and the mouse in a field: | is the caret, and [ or ] the other end of the selection.
func TestFieldEditing(t *testing.T) {
	now := time.Unix(0, 0)
	for _, c := range []struct {
		name, at string
		do       func(f *Field, s *Screen)
		want     string
	}{
		{"word right", "|one, two", func(f *Field, s *Screen) { s.Key(KeyRight, Ctrl) }, "one|, two"},
		{"second word right", "|one, two", func(f *Field, s *Screen) { s.Key(KeyRight, Ctrl); s.Key(KeyRight, Ctrl) }, "one, two|"},
		{"word left", "one, two_3.|", func(f *Field, s *Screen) { s.Key(KeyLeft, Ctrl) }, "one, |two_3."},
		{"select a word", "one| two", func(f *Field, s *Screen) { s.Key(KeyLeft, Ctrl|Shift) }, "|one] two"},
		{"word from a selection", "a [bc| de", func(f *Field, s *Screen) { s.Key(KeyRight, Ctrl) }, "a bc de|"},
		{"delete a word back", "one two| three", func(f *Field, s *Screen) { s.Key(KeyBackspace, Ctrl) }, "one | three"},
		{"delete a word", "one |two three", func(f *Field, s *Screen) { s.Key(KeyDelete, Ctrl) }, "one | three"},
		{"delete a selection", "o[ne t|wo", func(f *Field, s *Screen) { s.Key(KeyBackspace, 0) }, "o|wo"},
		{"select to the end", "one| two", func(f *Field, s *Screen) { s.Key(KeyEnd, Shift) }, "one[ two|"},
		{"left of a selection", "o[ne t|wo", func(f *Field, s *Screen) { s.Key(KeyLeft, 0) }, "o|ne two"},
		{"combining marks", "xe\u0301\u0323|y", func(f *Field, s *Screen) { s.Key(KeyLeft, 0) }, "x|e\u0301\u0323y"},
		{"over combining marks", "x|e\u0301\u0323y", func(f *Field, s *Screen) { s.Key(KeyRight, 0) }, "xe\u0301\u0323|y"},
		{"delete with its marks", "xe\u0301|y", func(f *Field, s *Screen) { s.Key(KeyBackspace, 0) }, "x|y"},
		{"characters by AltGr", "x|", func(f *Field, s *Screen) { s.Key('Z', Ctrl|Alt); s.Char('←') }, "x←|"},
		{"typing is undone by words", "|", func(f *Field, s *Screen) { typed(s, "one two"); s.Key('Z', Ctrl) }, "one |"},
		{"undo twice, redo", "|", func(f *Field, s *Screen) {
			typed(s, "one two")
			s.Key('Z', Ctrl)
			s.Key('Z', Ctrl)
			s.Key('Y', Ctrl)
		}, "one |"},
		{"redo with Shift", "a|", func(f *Field, s *Screen) {
			s.Key(KeyBackspace, 0)
			s.Key('Z', Ctrl)
			s.Key('Z', Ctrl|Shift)
		}, "|"},
		{"undo restores the selection", "a[bc|d", func(f *Field, s *Screen) { s.Char('x'); s.Key('Z', Ctrl) }, "a[bc|d"},
		{"the caret ends a step", "|", func(f *Field, s *Screen) { typed(s, "ab"); s.Key(KeyLeft, 0); typed(s, "cd"); s.Key('Z', Ctrl) }, "a|b"},
		{"nothing to undo", "a|", func(f *Field, s *Screen) { require.True(t, s.Key('Z', Ctrl)) }, "a|"},
		{"a change forgets what was undone", "|", func(f *Field, s *Screen) { typed(s, "a"); s.Key('Z', Ctrl); typed(s, "b"); s.Key('Y', Ctrl) }, "b|"},
		{"paste is one step", "a|", func(f *Field, s *Screen) { s.Copy("b c d"); s.Key('V', Ctrl); s.Key('Z', Ctrl) }, "a|"},
		{"paste of lines", "|", func(f *Field, s *Screen) { s.Copy("a\r\n\tb\x00\xff\r\n"); s.Key('V', Ctrl) }, "a  b|"},
		{"paste of nothing that is accepted", "[12|", func(f *Field, s *Screen) { f.Only = "0123"; s.Copy("abc"); s.Key('V', Ctrl) }, "[12|"},
		{"paste to the limit", "[ab|日本", func(f *Field, s *Screen) { f.Most = 4; s.Copy("xyzw"); s.Key(KeyInsert, Shift) }, "xy|日本"},
		{"typing at the limit", "abcd|", func(f *Field, s *Screen) { f.Most = 4; s.Char('e') }, "abcd|"},
		{"cut and paste with the other keys", "a[b|c", func(f *Field, s *Screen) { s.Key(KeyDelete, Shift); s.Key(KeyEnd, 0); s.Key(KeyInsert, Shift) }, "acb|"},
		{"copy with the other keys", "a[b|c", func(f *Field, s *Screen) { s.Key(KeyInsert, Ctrl); s.Key(KeyEnd, 0); s.Key('V', Ctrl) }, "abcb|"},
		{"clear", "a[b|c", func(f *Field, s *Screen) { s.Key('U', Ctrl) }, "|"},
		{"drag", "abcdef|", func(f *Field, s *Screen) { point(s, 1); s.Move(image.Pt(5+4*s.width, 10)); s.Release(s.At()) }, "a[bcd|ef"},
		{"select with Shift", "a|bcdef", func(f *Field, s *Screen) { s.Press(ButtonLeft, Shift, image.Pt(5+4*s.width, 10)); s.Release(s.At()) }, "a[bcd|ef"},
		{"double click", "one, two, six|", func(f *Field, s *Screen) { point(s, 6); s.Release(s.At()); point(s, 6) }, "one, [two|, six"},
		{"double click between words", "one, two|", func(f *Field, s *Screen) { point(s, 3); s.Release(s.At()); point(s, 3) }, "one[, |two"},
		{"drag words", "one, two, six|", func(f *Field, s *Screen) {
			point(s, 6)
			s.Release(s.At())
			point(s, 6)
			s.Move(image.Pt(5+11*s.width, 10))
		}, "one, [two, six|"},
		{"drag words back", "one, two, six|", func(f *Field, s *Screen) {
			point(s, 6)
			s.Release(s.At())
			point(s, 6)
			s.Move(image.Pt(5, 10))
		}, "|one, two], six"},
		{"triple click", "one, two|", func(f *Field, s *Screen) {
			for range 3 {
				point(s, 2)
				s.Release(s.At())
			}
		}, "[one, two|"},
		{"slow clicks", "one, two|", func(f *Field, s *Screen) {
			point(s, 2)
			s.Release(s.At())
			now = now.Add(time.Second)
			point(s, 2)
		}, "on|e, two"},
	} {
		f := &Field{}
		s, draw := shown(400, 20, func(s *Screen, r image.Rectangle) { f.Draw(s, r) })
		now = now.Add(time.Minute)
		s.Now = func() time.Time { return now }
		s.Focus(f)
		plain := strings.NewReplacer("|", "", "[", "", "]", "").Replace(c.at)
		f.Set(plain)
		f.caret = strings.Index(strings.NewReplacer("[", "", "]", "").Replace(c.at), "|")
		f.mark = f.caret
		if other := strings.IndexAny(c.at, "[]"); other >= 0 {
			f.mark = strings.IndexAny(strings.ReplaceAll(c.at, "|", ""), "[]")
		}
		draw()
		c.do(f, s)
		draw()
		got := f.Text
		switch at, mark := f.caret, f.mark; {
		case at < mark:
			got = got[:at] + "|" + got[at:mark] + "]" + got[mark:]
		case at > mark:
			got = got[:mark] + "[" + got[mark:at] + "|" + got[at:]
		default:
			got = got[:at] + "|" + got[at:]
		}
		require.Equal(t, c.want, got, c.name)
	}

	// A long paste costs no more than a short one.
	f, searches := &Field{Complete: func(string) []string { return nil }}, 0
	f.OnChange = func() { searches++ }
	s, draw := shown(400, 20, func(s *Screen, r image.Rectangle) { f.Draw(s, r) })
	s.Focus(f)
	s.Copy(strings.Repeat("日本 ", 70000))
	s.Key('V', Ctrl)
	draw()
	require.Equal(t, 1000, utf8.RuneCountInString(f.Text))
	require.Equal(t, 1, searches)
	for range 10000 {
		typed(s, "ab ")
		s.Key(KeyBackspace, Ctrl)
	}
	require.LessOrEqual(t, len(f.past), maxFieldPast)
}

// point presses the button at a column of the field.
func point(s *Screen, column int) { s.Press(ButtonLeft, 0, image.Pt(5+column*s.width, 10)) }
