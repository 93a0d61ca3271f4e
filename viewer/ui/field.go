package ui

import (
	"image"
	"slices"
	"strings"
	"unicode"
)

// Field is an editable line of text. While it has the focus it takes every key
// that it could use, so that typing never starts a command.
type Field struct {
	Text     string
	Hint     string                // shown while there is no text
	Only     string                // the accepted characters; "" for all
	OnChange func()                // called when the text changed
	OnAccept func()                // called when a completion was chosen
	OnEnter  func()                // called when Enter was pressed
	OnEscape func()                // called when Escape was pressed
	Complete func(string) []string // returns completions of the text, best first
	OnArrow  func(k Key)           // called for Up, Down and the Page keys if there are no completions; nil ignores them

	active      bool // drawn with the focus
	caret, mark int  // byte offsets; the text between them is selected
	shift       int  // columns scrolled out to the left
	screen      *Screen
	press       func() bool // called when the mouse presses it, instead of taking the focus; true ends that
	tip         string
	matches     []string
	match       int // the selected completion, -1 for none
	scroll      Scroll
}

// Set replaces the text and moves the caret to its end.
func (f *Field) Set(text string) {
	f.Text, f.caret, f.mark = text, len(text), len(text)
	f.match, f.matches = -1, nil
	if f.Complete != nil {
		f.matches = f.Complete(text)
	}
}

// All selects the whole text.
func (f *Field) All() { f.mark, f.caret = 0, len(f.Text) }

func (f *Field) bounds() (from, to int) {
	f.caret, f.mark = min(f.caret, len(f.Text)), min(f.mark, len(f.Text))
	return min(f.caret, f.mark), max(f.caret, f.mark)
}

// put replaces the selection.
func (f *Field) put(text string) {
	from, to := f.bounds()
	f.set(f.Text[:from]+text+f.Text[to:], from+len(text))
}

func (f *Field) set(text string, caret int) {
	f.caret, f.mark = caret, caret
	if text == f.Text {
		return
	}
	f.Text, f.match = text, -1
	if f.Complete != nil {
		f.matches, f.scroll.Offset = f.Complete(text), 0
	}
	if f.OnChange != nil {
		f.OnChange()
	}
}

// Char implements Keys.
func (f *Field) Char(r rune) bool {
	if unicode.IsControl(r) || f.Only != "" && !strings.ContainsRune(f.Only, r) {
		return true
	}
	f.put(string(r))
	return true
}

// Key implements Keys.
func (f *Field) Key(k Key, m Mods) bool {
	from, to := f.bounds()
	switch {
	case m&Ctrl != 0:
		return f.edit(k, from, to)
	case k == KeyLeft || k == KeyRight || k == KeyHome || k == KeyEnd:
		f.move(k, m, from, to)
	case k == KeyBackspace && from == to:
		f.set(f.Text[:f.step(-1)]+f.Text[f.caret:], f.step(-1))
	case k == KeyDelete && from == to:
		f.set(f.Text[:f.caret]+f.Text[f.step(1):], f.caret)
	case k == KeyBackspace || k == KeyDelete:
		f.put("")
	case k == KeyTab && len(f.matches) > 0:
		f.accept(f.matches[max(f.match, 0)])
	case k == KeyDown && len(f.matches) > 0:
		f.match = min(f.match+1, len(f.matches)-1)
	case k == KeyUp && len(f.matches) > 0:
		f.match = max(f.match-1, -1)
	case (k == KeyEnter || k == KeyPadEnter) && f.match >= 0 && f.match < len(f.matches):
		f.choose(f.matches[f.match])
	case k == KeyEnter || k == KeyPadEnter:
		if f.OnEnter != nil {
			f.OnEnter()
		}
	case k == KeyUp || k == KeyDown || k == KeyPageUp || k == KeyPageDown:
		if f.OnArrow != nil {
			f.OnArrow(k)
		}
	case k == KeyEscape:
		if f.OnEscape == nil {
			return false
		}
		f.OnEscape()
	default:
		return k < KeyEscape && m&(Alt|Super) == 0 // arrives as a character
	}
	return true
}

// edit handles the keys that act on the selection.
func (f *Field) edit(k Key, from, to int) bool {
	switch k {
	case 'A':
		f.All()
	case 'C', 'X':
		if f.screen != nil && from < to {
			f.screen.Copy(f.Text[from:to])
			if k == 'X' {
				f.put("")
			}
		}
	case 'V':
		if f.screen != nil {
			for _, r := range f.screen.Paste() {
				f.Char(r)
			}
		}
	case 'U':
		f.set("", 0)
	default:
		return false
	}
	return true
}

func (f *Field) move(k Key, m Mods, from, to int) {
	switch {
	case k == KeyHome:
		f.caret = 0
	case k == KeyEnd:
		f.caret = len(f.Text)
	case from < to && m&Shift == 0: // go to an end of the selection
		f.caret = map[Key]int{KeyLeft: from, KeyRight: to}[k]
	case k == KeyLeft:
		f.caret = f.step(-1)
	default:
		f.caret = f.step(1)
	}
	if m&Shift == 0 {
		f.mark = f.caret
	}
}

// step returns the caret position one character further.
func (f *Field) step(by int) int {
	if by < 0 {
		if r := []rune(f.Text[:f.caret]); len(r) > 0 {
			return f.caret - len(string(r[len(r)-1]))
		}
		return 0
	}
	for _, r := range f.Text[f.caret:] {
		return f.caret + len(string(r))
	}
	return f.caret
}

func (f *Field) accept(match string) {
	f.set(match, len(match))
	f.match = -1
}

// choose takes a completion, if it still is one, and calls OnAccept.
func (f *Field) choose(match string) {
	if !slices.Contains(f.matches, match) {
		return
	}
	f.accept(match)
	if f.OnAccept != nil {
		f.OnAccept()
	}
}

// Matches returns the completions of the text.
func (f *Field) Matches() []string { return f.matches }

// Draw draws the field in r.
func (f *Field) Draw(s *Screen, r image.Rectangle) {
	f.screen = s
	from, to := f.bounds()
	focused := f.active || s.Focused() == Keys(f) || s.Popup() != nil && f.Complete != nil
	s.Fill(r, well)
	edge := faint
	if focused {
		edge = Accent
	}
	s.Frame(r, edge)
	pad := s.Units(4)
	in := r.Inset(s.Units(1))
	in.Min.X, in.Max.X = in.Min.X+pad, in.Max.X-pad
	cell, y := s.width, r.Min.Y+(r.Dy()-s.Line())/2
	// Keep the caret visible.
	at, room := columns(f.Text[:f.caret]), max(in.Dx()/cell, 1)
	f.shift = max(min(f.shift, at, max(columns(f.Text)-room+1, 0)), at-room+1)
	place := func(offset int) int { return in.Min.X + (columns(f.Text[:offset])-f.shift)*cell }
	undo := s.Clip(in)
	if from < to && focused {
		s.Fill(image.Rect(place(from), r.Min.Y+s.Units(2), place(to), r.Max.Y-s.Units(2)), Selected)
	}
	s.Text(place(0), y, f.Text, Text)
	if f.Text == "" {
		s.Text(in.Min.X, y, s.Fit(f.Hint, in.Dx()), faint)
	}
	if focused {
		x := place(f.caret)
		s.Fill(image.Rect(x, r.Min.Y+s.Units(3), x+s.Units(1), r.Max.Y-s.Units(3)), Accent)
	}
	undo()
	offset := func(x int) int {
		for i, c := range f.Text {
			if place(i)+runeColumns(c)*cell/2 > x {
				return i
			}
		}
		return len(f.Text)
	}
	s.Add(Zone{Rect: r, Tip: f.tip, Press: func(m Mouse) {
		switch {
		case f.press != nil:
			if f.press() {
				return
			}
		case s.Popup() == nil:
			s.Focus(f)
		}
		f.caret = offset(m.At.X)
		if m.Mods&Shift == 0 {
			f.mark = f.caret
		}
	}, Drag: func(m Mouse) { f.caret = offset(m.At.X) }})
}

// DrawMatches draws the completions in r; a click chooses one.
func (f *Field) DrawMatches(s *Screen, r image.Rectangle) {
	line := s.Line()
	if f.match >= 0 {
		f.scroll.reveal(f.match*line, (f.match+1)*line)
	}
	all, end := f.scroll.Begin(s, r, len(f.matches)*line)
	for i, m := range f.matches {
		row := image.Rect(all.Min.X, all.Min.Y+i*line, all.Max.X, all.Min.Y+(i+1)*line)
		if !row.Overlaps(r) {
			continue
		}
		if i == f.match {
			s.Fill(row, Selected)
		} else if s.Hot(row) {
			s.Fill(row, hover)
		}
		// The end of a path distinguishes it from others.
		text, room := m, row.Dx()-s.Units(8)
		if s.Width(text) > room {
			r := []rune(text)
			for len(r) > 1 && s.Width(string(r))+s.width > room {
				r = r[1:]
			}
			text = "…" + string(r)
		}
		s.Text(row.Min.X+s.Units(4), row.Min.Y, text, Text)
		s.Add(Zone{Rect: row, Tip: m, Press: func(Mouse) { f.choose(m) }})
	}
	end()
}
