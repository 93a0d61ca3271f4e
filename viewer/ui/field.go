package ui

import (
	"cmp"
	"image"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Field is an editable line of text. While it has the focus it takes every key
// that it could use, so that typing never starts a command.
type Field struct {
	Text     string
	Hint     string                // shown while there is no text
	Only     string                // the accepted characters; "" for all
	Most     int                   // the number of characters that fit; 0 means 1000
	OnChange func()                // called when the text changed, once a picture and before other calls
	OnAccept func()                // called when a completion was chosen
	OnEnter  func()                // called when Enter was pressed
	OnEscape func()                // called when Escape was pressed
	Complete func(string) []string // returns completions of the text, best first
	OnArrow  func(k Key)           // called for Up, Down and the Page keys if there are no completions; nil ignores them

	active       bool        // drawn with the focus
	press        func() bool // called when the mouse presses it, instead of taking the focus; true ends that
	tip          string
	caret, mark  int          // byte offsets; the text between them is selected
	pivot        [2]int       // the word where a selection by words began
	past, future []fieldState // for undo, newest last
	run          bool         // the next typed character is undone together with the last
	changed      bool         // OnChange and Complete are to be called
	shift        int          // columns scrolled out to the left
	screen       *Screen
	matches      []string
	match        int // the selected completion, -1 for none
	scroll       Scroll
}

// fieldState is a state for undo.
type fieldState struct {
	text        string
	caret, mark int
}

// maxFieldPast limits the undo steps of a field.
const maxFieldPast = 100

// Set replaces the text and moves the caret to its end. It calls no function, and cannot be undone.
func (f *Field) Set(text string) {
	f.restore(fieldState{text, len(text), len(text)})
	f.past, f.future, f.changed, f.match, f.matches = nil, nil, false, -1, nil
	if f.Complete != nil {
		f.matches = f.Complete(text)
	}
}

func (f *Field) restore(s fieldState) {
	f.Text, f.caret, f.mark, f.run = s.text, s.caret, s.mark, false
}

// All selects the whole text.
func (f *Field) All() { f.mark, f.caret, f.run = 0, len(f.Text), false }

func (f *Field) bounds() (from, to int) {
	for _, at := range []*int{&f.caret, &f.mark} {
		for *at = min(*at, len(f.Text)); *at < len(f.Text) && !utf8.RuneStart(f.Text[*at]); {
			*at--
		}
	}
	return min(f.caret, f.mark), max(f.caret, f.mark)
}

// put replaces the selection by those characters of a text that are accepted and fit.
func (f *Field) put(text string, typed bool) {
	from, to := f.bounds()
	room := cmp.Or(f.Most, 1000) - utf8.RuneCountInString(f.Text[:from]) - utf8.RuneCountInString(f.Text[to:])
	var in strings.Builder
	for _, r := range text {
		if r == '\n' || r == '\t' {
			r = ' '
		}
		if room <= 0 {
			break
		}
		if !unicode.IsControl(r) && r != utf8.RuneError && (f.Only == "" || strings.ContainsRune(f.Only, r)) {
			in.WriteRune(r)
			room--
		}
	}
	if in.Len() > 0 {
		f.replace(from, to, in.String(), typed)
	}
}

// replace replaces a part of the text; typed characters are undone together up to the end of a word.
func (f *Field) replace(from, to int, text string, typed bool) {
	f.bounds()
	if f.Text[from:to] != text {
		if !f.run || !typed || from < to {
			f.past = append(f.past, fieldState{f.Text, f.caret, f.mark})
			f.past = f.past[max(len(f.past)-maxFieldPast, 0):]
		}
		f.Text, f.future, f.changed, f.match = f.Text[:from]+text+f.Text[to:], nil, true, -1
	}
	f.caret = from + len(text)
	f.mark, f.run = f.caret, typed && text != " "
}

// undo goes to the text before the last change, or after it.
func (f *Field) undo(redo bool) {
	from, to := &f.past, &f.future
	if redo {
		from, to = to, from
	}
	if n := len(*from); n > 0 {
		*to = append(*to, fieldState{f.Text, f.caret, f.mark})
		f.restore((*from)[n-1])
		*from, f.changed, f.match = (*from)[:n-1], true, -1
	}
}

// settle makes the completions and calls OnChange if the text has changed. Searching waits for it, so characters that come before
// the next picture cost one search.
func (f *Field) settle() {
	if !f.changed {
		return
	}
	f.changed = false
	if f.Complete != nil {
		f.matches, f.scroll.Offset = f.Complete(f.Text), 0
	}
	if f.OnChange != nil {
		f.OnChange()
	}
}

// Char implements Keys. Composed characters arrive whole.
func (f *Field) Char(r rune) bool {
	f.put(string(r), true)
	return true
}

// Key implements Keys.
func (f *Field) Key(k Key, m Mods) bool {
	from, to := f.bounds()
	switch {
	case m&(Ctrl|Alt) == Ctrl|Alt && k < KeyEscape: // AltGr of some systems; arrives as a character
	case k == KeyLeft || k == KeyRight || k == KeyHome || k == KeyEnd:
		f.move(k, m, from, to)
	case k == KeyInsert || k == KeyDelete && m == Shift || m&Ctrl != 0 && k < KeyEscape:
		return f.edit(k, m, from, to)
	case k == KeyBackspace || k == KeyDelete:
		if from == to {
			by := map[Key]int{KeyBackspace: -1, KeyDelete: 1}[k]
			to = f.step(by, m)
		}
		f.replace(min(from, to), max(from, to), "", false)
	case m&Ctrl != 0:
		return false
	default:
		return f.choices(k, m)
	}
	return true
}

// choices handles the keys that end typing or choose a completion.
func (f *Field) choices(k Key, m Mods) bool {
	if k >= KeyEscape {
		f.settle()
	}
	switch {
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

// edit handles the keys for the selection, the clipboard and undo.
func (f *Field) edit(k Key, m Mods, from, to int) bool {
	switch {
	case k == 'A':
		f.All()
	case k == 'C' || k == 'X' || k == KeyDelete || k == KeyInsert && m == Ctrl:
		if f.screen != nil && from < to {
			f.screen.Copy(f.Text[from:to])
			if k == 'X' || k == KeyDelete {
				f.replace(from, to, "", false)
			}
		}
	case k == 'V' || k == KeyInsert && m == Shift:
		if f.screen != nil {
			f.put(strings.TrimRight(f.screen.Paste(), "\r\n"), false)
		}
	case k == 'Z' || k == 'Y':
		f.undo(k == 'Y' || m&Shift != 0)
	case k == 'U':
		f.replace(0, len(f.Text), "", false)
	default:
		return false
	}
	return true
}

func (f *Field) move(k Key, m Mods, from, to int) {
	f.run = false
	switch {
	case k == KeyHome:
		f.caret = 0
	case k == KeyEnd:
		f.caret = len(f.Text)
	case from < to && m&(Shift|Ctrl) == 0: // go to an end of the selection
		f.caret = map[Key]int{KeyLeft: from, KeyRight: to}[k]
	default:
		f.caret = f.step(map[Key]int{KeyLeft: -1, KeyRight: 1}[k], m)
	}
	if m&Shift == 0 {
		f.mark = f.caret
	}
}

// step returns the caret position one character further, with its combining marks; with Ctrl, one word further.
func (f *Field) step(by int, m Mods) int {
	at, word := f.caret, false
	for {
		r, n := utf8.DecodeRuneInString(f.Text[at:])
		if by < 0 {
			r, n = utf8.DecodeLastRuneInString(f.Text[:at])
		}
		switch {
		case n == 0 || m&Ctrl != 0 && word && !wordRune(r):
			return at
		case m&Ctrl != 0:
			word = wordRune(r)
		case by > 0 && at > f.caret && runeColumns(r) > 0:
			return at
		case by < 0 && runeColumns(r) > 0:
			return at - n
		}
		at += by * n
	}
}

// wordRune reports whether a character belongs to a word.
func wordRune(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) || runeColumns(r) == 0
}

// wordAt returns the word around a position, or what is between two words.
func (f *Field) wordAt(at int) (from, to int) {
	r, _ := utf8.DecodeRuneInString(f.Text[at:])
	other := func(x rune) bool { return wordRune(x) != wordRune(r) }
	from = strings.LastIndexFunc(f.Text[:at], other)
	if from >= 0 {
		_, n := utf8.DecodeRuneInString(f.Text[from:])
		from += n
	}
	if to = strings.IndexFunc(f.Text[at:], other); to < 0 {
		to = len(f.Text) - at
	}
	return max(from, 0), at + to
}

// point handles the mouse at a position in the text: a click sets the caret, a second one selects a word, a third everything; dragging
// selects.
func (f *Field) point(at int, m Mouse, drag bool) {
	f.run = false
	switch {
	case m.Clicks > 2:
		f.All()
	case m.Clicks == 2:
		from, to := f.wordAt(at)
		if !drag {
			f.pivot = [2]int{from, to}
		}
		if f.mark, f.caret = f.pivot[0], max(f.pivot[1], to); from < f.pivot[0] {
			f.mark, f.caret = f.pivot[1], from
		}
	default:
		f.caret = at
		if m.Mods&Shift == 0 && !drag {
			f.mark = at
		}
	}
}

func (f *Field) accept(match string) {
	f.replace(0, len(f.Text), match, false)
	f.settle()
	f.match = -1
}

// choose takes a completion, if it still is one, and calls OnAccept.
func (f *Field) choose(match string) {
	if f.settle(); !slices.Contains(f.matches, match) {
		return
	}
	f.accept(match)
	if f.OnAccept != nil {
		f.OnAccept()
	}
}

// Matches returns the completions of the text.
func (f *Field) Matches() []string {
	f.settle()
	return f.matches
}

// Draw draws the field in r.
func (f *Field) Draw(s *Screen, r image.Rectangle) {
	f.screen = s
	f.settle()
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
	left := in.Min.X - f.shift*cell
	offsetX := func(offset int) int { return left + columns(f.Text[:offset])*cell }
	undo := s.Clip(in)
	if from < to && focused {
		s.Fill(image.Rect(offsetX(from), r.Min.Y+s.Units(2), offsetX(to), r.Max.Y-s.Units(2)), Selected)
	}
	s.Text(left, y, f.Text, Text)
	if f.Text == "" {
		s.Text(in.Min.X, y, s.Fit(f.Hint, in.Dx()), faint)
	}
	if focused {
		x := offsetX(f.caret)
		s.Fill(image.Rect(x, r.Min.Y+s.Units(3), x+s.Units(1), r.Max.Y-s.Units(3)), Accent)
	}
	undo()
	offset := func(x int) int {
		end := left
		for i, c := range f.Text {
			w := runeColumns(c) * cell
			if w > 0 && end+w/2 > x {
				return i
			}
			end += w
		}
		return len(f.Text)
	}
	s.Add(Zone{Rect: r, Tip: f.tip, Shape: Beam, Press: func(m Mouse) {
		switch {
		case f.press != nil:
			if f.press() {
				return
			}
		case s.Popup() == nil:
			s.Focus(f)
		}
		f.point(offset(m.At.X), m, false)
	}, Drag: func(m Mouse) { f.point(offset(m.At.X), m, true) }})
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
		s.Add(Zone{Rect: row, Tip: m, Plain: text == m, Press: func(Mouse) { f.choose(m) }})
	}
	end()
}
