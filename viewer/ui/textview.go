package ui

import (
	"image"
	"image/color"
	"strings"
)

// Line is a line of a TextView.
type Line struct {
	Text   string
	Color  color.RGBA // zero means the default
	Head   bool       // a heading: the lines up to the next one fold below it
	Swatch color.RGBA // a colour sample before the text, unless zero
	Do     func()     // called when the line, a link, is clicked
	Tip    string     // tip of the link
	On     bool       // the line stands out
	Side   *Side      // drawn over the blanks that the text begins with
}

// Side is a clickable mark beside a line.
type Side struct {
	Text  string
	Color color.RGBA
	Tip   string
	Do    func(m Mouse)
}

// TextView is text with scrolling, wrapping, folding headings, links, and selection and copying with the mouse.
type TextView struct {
	NoChars
	Lines  []Line
	Indent int // columns by which wrapped rows are indented
	Scroll Scroll

	folded map[string]bool // texts of the folded headings
	rows   []textRow       // as last drawn
	from   textPos         // start of the selection
	to     textPos
	screen *Screen
	line   int
	show   int // line that the next picture must show, from 1; 0 for none
}

// textRow is a row on the screen: a line or a part of one.
type textRow struct {
	line  int
	text  string
	first bool
}

// textPos is a row, and a column in it.
type textPos struct{ row, column int }

func (p textPos) before(q textPos) bool {
	return p.row < q.row || p.row == q.row && p.column < q.column
}

// Set replaces the text and clears the selection. Folded headings stay folded.
func (v *TextView) Set(lines []Line) { v.Lines, v.from, v.to = lines, textPos{}, textPos{} }

// Show makes the next picture show a line, an index into Lines.
func (v *TextView) Show(line int) { v.show = line + 1 }

// Fold folds or unfolds the heading with a text.
func (v *TextView) Fold(head string, folded bool) {
	if v.folded == nil {
		v.folded = map[string]bool{}
	}
	v.folded[head] = folded
	v.from, v.to = textPos{}, textPos{}
}

// wrap makes rows of at most n columns.
func (v *TextView) wrap(n int) {
	v.rows = v.rows[:0]
	hidden := false
	for i := range v.Lines {
		l := &v.Lines[i]
		if l.Head {
			hidden = v.folded[l.Text]
		} else if hidden {
			continue
		}
		room := n
		if l.Head || l.Swatch.A != 0 {
			room -= 2
		}
		for k, part := range wrapIndented(l.Text, room, v.Indent) {
			v.rows = append(v.rows, textRow{line: i, text: part, first: k == 0})
		}
	}
}

// wrapIndented wraps a line and indents the rows after the first.
func wrapIndented(l string, n, indent int) []string {
	if indent == 0 || columns(l) <= n || n < indent+8 {
		return Wrap(l, n)
	}
	first := Wrap(l, n)[0]
	rows := []string{first}
	for _, w := range Wrap(strings.TrimLeft(l[len(first):], " "), n-indent) {
		rows = append(rows, strings.Repeat(" ", indent)+w)
	}
	return rows
}

// Draw draws the text in r.
func (v *TextView) Draw(s *Screen, r image.Rectangle) {
	pad, line := s.Units(6), s.Line()
	v.screen, v.line = s, line
	v.wrap(max((r.Dx()-2*pad-s.Units(scrollUnits))/s.width, 1))
	for i, row := range v.rows {
		if v.show > 0 && row.line == v.show-1 {
			v.show = 0
			around := min(2, max(r.Dy()/line-1, 0)/2)
			v.Scroll.reveal((i-around)*line, (i+1+around)*line)
		}
	}
	all, end := v.Scroll.Begin(s, r, len(v.rows)*line+pad)
	all.Min.Y += pad / 2
	left := all.Min.X + pad
	place := func(p image.Point) textPos {
		row := min(max((p.Y-all.Min.Y)/line, 0), max(len(v.rows)-1, 0))
		return textPos{row, max((p.X-v.left(s, left, row)+s.width/2)/s.width, 0)}
	}
	s.Add(Zone{Rect: r, Press: func(m Mouse) {
		s.Focus(v)
		v.to = place(m.At)
		if m.Mods&Shift == 0 {
			v.from = v.to
		}
	}, Drag: func(m Mouse) {
		v.to = place(m.At)
		if m.At.Y < r.Min.Y || m.At.Y >= r.Max.Y { // scroll with the mouse
			v.Scroll.by(map[bool]int{true: -line, false: line}[m.At.Y < r.Min.Y])
		}
	}})
	a, b := v.from, v.to
	if b.before(a) {
		a, b = b, a
	}
	for i := max((r.Min.Y-all.Min.Y)/line, 0); i < len(v.rows) && all.Min.Y+i*line < r.Max.Y; i++ {
		row := &v.rows[i]
		l := &v.Lines[row.line]
		x, y := v.left(s, left, i), all.Min.Y+i*line
		box := image.Rect(all.Min.X, y, all.Max.X, y+line)
		if l.On {
			s.Fill(box, Selected)
		}
		if a != b && i >= a.row && i <= b.row {
			x0, x1 := x, x+max(columns(row.text), 1)*s.width
			if i == a.row {
				x0 = x + a.column*s.width
			}
			if i == b.row {
				x1 = min(x1, x+b.column*s.width)
			}
			s.Fill(image.Rect(x0, y, x1, y+line), Selected)
		}
		if l.Head && row.first {
			folded := v.folded[l.Text]
			s.Text(left, y, map[bool]string{true: "►", false: "▼"}[folded], Dim)
			s.Add(Zone{Rect: image.Rect(box.Min.X, y, x, y+line), Tip: "fold", Plain: true, Press: func(Mouse) { v.Fold(l.Text, !folded) }})
		}
		if l.Swatch.A != 0 && row.first {
			sw := image.Rect(left, y+s.Units(3), left+2*s.width-s.Units(3), y+line-s.Units(3))
			s.Sample(sw, l.Swatch)
			s.Frame(sw, Dim)
		}
		col := l.Color
		if col == (color.RGBA{}) {
			col = Text
		}
		if l.Do != nil {
			link := image.Rect(x, y, x+s.Width(row.text), y+line)
			if s.Hot(link) {
				s.Fill(image.Rect(link.Min.X, link.Max.Y-s.Units(2), link.Max.X, link.Max.Y-s.Units(1)), col)
			}
			s.Add(Zone{Rect: link, Tip: l.Tip, Shape: Hand, Press: func(Mouse) { l.Do() }})
		}
		s.Text(x, y, row.text, col)
		if b := l.Side; b != nil && row.first {
			s.Text(left, y, b.Text, b.Color)
			s.Add(Zone{Rect: image.Rect(left, y, left+s.Width(b.Text), y+line), Tip: b.Tip, Shape: Hand, Press: b.Do})
		}
	}
	end()
}

// left returns the x at which the text of a row starts. Rows are those of the last picture, Lines may be others since.
func (v *TextView) left(s *Screen, left, row int) int {
	if row < len(v.rows) && v.rows[row].line < len(v.Lines) {
		if l := &v.Lines[v.rows[row].line]; l.Head || l.Swatch.A != 0 {
			return left + 2*s.width
		}
	}
	return left
}

// selection returns the selected text, or "".
func (v *TextView) selection() string {
	a, b := v.from, v.to
	if b.before(a) {
		a, b = b, a
	}
	if a == b {
		return ""
	}
	var out strings.Builder
	for i := a.row; i <= b.row && i < len(v.rows); i++ {
		from, to := 0, len(v.rows[i].text)
		text := v.rows[i].text
		if i == a.row {
			from = byteAt(text, a.column)
		}
		if i == b.row {
			to = byteAt(text, b.column)
		}
		if i > a.row {
			if v.rows[i].first {
				out.WriteByte('\n')
			} else {
				out.WriteByte(' ') // the line was wrapped here
			}
		}
		part := text[min(from, to):to]
		if i > a.row && !v.rows[i].first {
			part = strings.TrimLeft(part, " ")
		}
		out.WriteString(part)
	}
	return out.String()
}

// byteAt returns the byte offset at which a column of a text starts.
func byteAt(text string, column int) int {
	for i, r := range text {
		if column <= 0 {
			return i
		}
		column -= runeColumns(r)
	}
	return len(text)
}

// String returns the whole text.
func (v *TextView) String() string {
	var out strings.Builder
	for i := range v.Lines {
		out.WriteString(v.Lines[i].Text)
		out.WriteByte('\n')
	}
	return out.String()
}

// Key implements Keys: arrows scroll, Ctrl+C copies the selection or everything, Ctrl+A selects everything.
func (v *TextView) Key(k Key, m Mods) bool {
	switch {
	case m == Ctrl && k == 'C' && v.screen != nil:
		text := v.selection()
		if text == "" {
			text = v.String()
		}
		v.screen.Copy(text)
	case m == Ctrl && k == 'A':
		v.from, v.to = textPos{}, textPos{}
		if n := len(v.rows); n > 0 {
			v.to = textPos{n - 1, columns(v.rows[n-1].text)}
		}
	case m == 0 && v.line > 0:
		return v.Scroll.Key(k, v.line)
	default:
		return false
	}
	return true
}
