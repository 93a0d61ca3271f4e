package ui

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"math"
	"strconv"
	"strings"
)

// tableLines is the height of an open table in lines.
const tableLines = 8

// Draw draws the list in r: the search, and the rows below it.
func (l *List) Draw(s *Screen, r image.Rectangle) {
	l.line = s.Line()
	l.refresh()
	s.Cover(r)
	pad, line := s.Units(6), s.Line()
	head := image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+line+s.Units(8)+len(l.pinned)*(line+s.Units(4)))
	s.Fill(head, PanelHead)
	y := r.Min.Y + s.Units(2)
	for _, i := range l.pinned {
		l.drawRow(s, &l.rows[i], image.Rect(r.Min.X, y, r.Max.X-s.Units(scrollUnits), y+line+s.Units(2)))
		y += line + s.Units(4)
	}
	l.Search.Draw(s, image.Rect(r.Min.X+s.Units(3), head.Max.Y-line-s.Units(5), r.Max.X-s.Units(3), head.Max.Y-s.Units(3)))
	body := image.Rect(r.Min.X, head.Max.Y, r.Max.X, l.drawAbout(s, image.Rect(r.Min.X, head.Max.Y, r.Max.X, r.Max.Y)))
	s.Add(Zone{Rect: body, Press: func(Mouse) { s.Focus(l); l.Commit() }})
	if len(l.visible) == 0 {
		text := l.Empty
		if words := strings.TrimSpace(l.Search.Text); words != "" && len(l.rows) > 0 {
			text = fmt.Sprintf("no match for %q", words)
			if l.ChangedOnly {
				text += " among what was changed"
			}
		} else if l.ChangedOnly {
			text = "nothing was changed"
		}
		for i, t := range Wrap(text, s.Columns(r.Dx()-2*pad)) {
			s.Text(r.Min.X+pad, body.Min.Y+pad+i*line, t, Dim)
		}
		return
	}
	if l.hidden {
		l.showSelected()
	}
	total := 0
	for _, i := range l.visible {
		total += l.height(&l.rows[i])
	}
	all, end := l.scroll.Begin(s, body, total*line)
	y = all.Min.Y
	for _, i := range l.visible {
		row := &l.rows[i]
		h := l.height(row) * line
		if y+h > body.Min.Y && y < body.Max.Y {
			l.drawRow(s, row, image.Rect(all.Min.X, y, all.Max.X, y+line))
			if h > line {
				l.drawTable(s, row, image.Rect(all.Min.X+pad, y+line, all.Max.X-pad, y+h-s.Units(3)))
			}
		}
		y += h
	}
	end()
	if l.typing && l.Problem != "" {
		lines := Wrap(l.Problem, s.Columns(r.Dx()-2*pad))
		at, h := l.drawn.Max.Y, len(lines)*line+2*pad
		if at+h > body.Max.Y {
			at = l.drawn.Min.Y - h
		}
		s.Frame(s.Box(r.Min.X, at, lines, Bad), Bad)
	}
}

func (l *List) drawRow(s *Screen, row *Row, box image.Rectangle) {
	key, pad := row.Key, s.Units(6)
	selected := key == l.at
	if row.Kind == Heading {
		mark, what := "▼ ", "fold"
		if l.folded[row.Key] {
			mark, what = "► ", "unfold"
		}
		if selected {
			s.Fill(box, Selected)
		}
		if l.Search.Text == "" && !l.ChangedOnly {
			if s.Hot(box) {
				s.Fill(box, hover)
			}
			s.Add(Zone{Rect: box, Tip: what + " " + row.Label, Plain: true, Press: func(Mouse) { l.choose("", 0); l.fold(key) }})
		}
		s.Text(box.Min.X+pad, box.Min.Y, s.Fit(mark+row.Label, box.Dx()-2*pad), Accent)
		return
	}
	if selected {
		l.drawn = box
		s.Fill(box, Selected)
	}
	tip := row.Tip
	if tip == "" {
		tip = row.Label
	}
	s.Add(Zone{Rect: box, Tip: tip, Plain: tip == row.Label, Press: func(m Mouse) {
		if r := l.pressed(key, 0); r != nil && m.Button == ButtonRight {
			l.menu(s, r, image.Rectangle{m.At, m.At})
		}
	}})
	x := l.drawValue(s, row, box, box.Max.X-pad)
	if note := "default: "; row.Unsaid && !row.Changed && row.Text != "default" && s.Width(note+row.Label)+2*pad < x-box.Min.X {
		x -= s.Width(note)
		s.Text(x, box.Min.Y, note, Dim)
	}
	s.Text(box.Min.X+pad, box.Min.Y, s.Fit(row.Label, x-box.Min.X-2*pad), Dim)
}

// drawValue draws the value of a row to the left of x, with a zone for each part, and returns where it starts.
func (l *List) drawValue(s *Screen, row *Row, box image.Rectangle, x int) int {
	key, most := row.Key, box.Dx()*3/5
	col := Text
	switch {
	case row.Changed:
		col = Changed
	case row.Unsaid:
		col = Dim
	}
	part := func(text string, tip string, k int, press func(row *Row), z Zone) {
		r := z.Rect
		if r.Empty() {
			r = image.Rect(x-s.Width(text), box.Min.Y, x, box.Max.Y)
		}
		z.Rect, z.Tip = r, tip
		z.Press = func(m Mouse) {
			switch now := l.pressed(key, k); {
			case now == nil:
			case m.Button == ButtonRight:
				l.menu(s, now, r)
			default:
				press(now)
			}
		}
		if text != "" {
			if s.Hot(r) {
				s.Fill(r, hover)
			}
			s.Text(r.Min.X, r.Min.Y, text, col)
		}
		s.Add(z)
		x = r.Min.X
	}
	switch row.Kind {
	case Fixed:
		text := s.Fit(row.Text, most)
		x -= s.Width(text)
		s.Text(x, box.Min.Y, text, col)
	case Entry:
		if key == l.at && l.typing {
			w := min(max(s.Width(l.entry.Text)+s.width+s.Units(14), most/2), most)
			l.entry.Draw(s, image.Rect(x-w, box.Min.Y, x, box.Max.Y))
			x -= w
			break
		}
		part(s.Fit(row.valueText(), most), row.valueText(), 0, func(row *Row) { l.begin(row.valueText()) }, Zone{})
	case Switch:
		part(row.valueText(), row.Label, 0, func(row *Row) { l.step(row, 1) }, Zone{})
	case Choice:
		text := s.Fit(row.valueText(), most-2*s.width) + " ▼"
		part(text, row.valueText(), 0, func(row *Row) { l.drop(s, row, image.Rect(x, box.Min.Y, box.Max.X, box.Max.Y)) }, Zone{})
	case Table:
		mark := " ►"
		if l.open[row.Key] {
			mark = " ▼"
		}
		text := row.Text // the text for a missing table
		if text == "" {
			text = fmt.Sprintf("table of %d", len(row.Values))
		}
		if row.mixed(0) {
			text = mixed
		}
		part(text+mark, "open the curve", 0, l.toggleTable, Zone{})
	case Numbers, Color:
		names := cmp.Or(row.Parts, map[Kind]string{Numbers: "xyzw", Color: "rgba"}[row.Kind])
		// Components are aligned in columns of one width.
		column := min(max(s.Units(24), 8*s.width+s.Units(3)), max((box.Dx()-9*s.width-s.Units(44))/4, s.width)) // four beside the longest name of a colour
		n, places, room := len(row.Values), 4, x-box.Min.X-4*s.width
		if row.Kind == Color {
			room -= box.Dy()
		}
		for ; places > 1; places-- { // as many decimals as there is room for
			sum := 0
			for _, v := range row.Values {
				sum += max(column, s.Width(rounded(v, places))+s.Units(3))
			}
			if sum <= room {
				break
			}
		}
		for k := n - 1; k >= 0; k-- {
			if key == l.at && l.typing && k == l.part {
				w := min(max(s.Width(l.entry.Text)+s.width+s.Units(14), column), max(x-box.Min.X-k*column, column))
				l.entry.Draw(s, image.Rect(x-w, box.Min.Y, x, box.Max.Y))
				x -= w
				continue
			}
			text := rounded(row.Values[k], places)
			if row.mixed(k) {
				text = mixed
			}
			w := max(column, s.Width(text)+s.Units(3))
			if n == 1 {
				w = max(s.Units(24), s.Width(text)+s.Units(3))
			}
			if key == l.at && k == l.part && n > 1 {
				s.Fill(image.Rect(x-s.Width(text), box.Max.Y-s.Units(2), x, box.Max.Y-s.Units(1)), Accent)
			}
			label, end := "", x
			tip := "drag, or click to type"
			if n > 1 && n <= len(names) {
				label = names[k : k+1]
				tip = label + ": " + tip
			}
			if whole := formatNumber(row.Values[k]); whole != text && text != mixed {
				tip = whole + "; " + tip
			}
			if s.Hot(image.Rect(x-w, box.Min.Y, x, box.Max.Y)) {
				s.Fill(image.Rect(x-w, box.Min.Y, x, box.Max.Y), hover)
			}
			if label != "" && s.Width(text)+s.width+s.Units(6) <= w {
				s.Text(end-s.Width(text)-s.width-s.Units(5), box.Min.Y, label, Dim)
			}
			s.Text(end-s.Width(text), box.Min.Y, text, col)
			part("", tip, k, func(row *Row) {
				if l.dragged = false; k < len(row.Values) {
					l.dragValue = row.Values[k]
				}
			}, Zone{Rect: image.Rect(x-w, box.Min.Y, x, box.Max.Y), Shape: Across, Drag: func(m Mouse) { l.drag(key, k, m) }, Release: func(m Mouse) { l.release(key, k, m) }})
			x = end - w
		}
		if row.Kind == Color && n >= 3 {
			size := box.Dy() - s.Units(4)
			sample := image.Rect(x-size, box.Min.Y+s.Units(2), x, box.Min.Y+s.Units(2)+size)
			if s.Sample(sample, sampleOf(row.Values)); row.mixed(0) || row.mixed(1) || row.mixed(2) { // there is no one colour
				s.Fill(sample, well)
				s.Stroke(sample.Min, sample.Max, Dim)
			}
			s.Frame(sample, Dim)
			s.Add(Zone{Rect: sample, Tip: "choose a colour", Press: func(Mouse) {
				if row := l.pressed(key, 0); row != nil && row.Kind == Color && len(row.Values) >= 3 {
					l.pick(s, row, sample)
				}
			}})
			x = sample.Min.X - s.Units(4)
		}
	}
	return x
}

// aboutLines is the number of lines below the list that describe the selected row.
const aboutLines = 4

// drawAbout describes the selected row at the lower edge of r: its whole name,
// its possible values and its purpose. It returns the upper edge of that text.
func (l *List) drawAbout(s *Screen, r image.Rectangle) int {
	row, pad := l.Selected(), s.Units(6)
	h := aboutLines*s.Line() + s.Units(8)
	if row == nil || row.About == "" || r.Dy() < 3*h {
		return r.Max.Y
	}
	r.Min.Y = r.Max.Y - h
	s.Fill(r, PanelHead)
	name := row.Label
	if len(row.Also) > 0 {
		name = row.Also[0]
	}
	if (row.Kind == Numbers || row.Kind == Table) && row.Max > row.Min {
		name += fmt.Sprintf(", %s to %s", formatNumber(row.Min), formatNumber(row.Max))
	}
	s.Text(r.Min.X+pad, r.Min.Y+s.Units(4), s.Fit(name, r.Dx()-2*pad), Text)
	lines := Wrap(row.About, s.Columns(r.Dx()-2*pad))
	if n := aboutLines - 1; len(lines) > n {
		lines[n-1], lines = s.Fit(lines[n-1]+"… ", r.Dx()-2*pad), lines[:n]
	}
	for i, t := range lines {
		s.Text(r.Min.X+pad, r.Min.Y+s.Units(4)+(i+1)*s.Line(), t, Dim)
	}
	return r.Min.Y
}

func (l *List) drawTable(s *Screen, row *Row, r image.Rectangle) {
	key := row.Key
	c := &Curve{Values: row.Values, now: func() []float64 {
		if now := l.byKey(key); now != nil {
			return now.Values
		}
		return nil
	}, Min: row.Min, Max: row.Max, To: 1}
	if n := len(row.Values); n%2 == 0 { // an input from -1 to 1, where 1 has no entry
		c.From, c.To = -1, 1-2/float64(max(n, 1))
	}
	if l.Reads != nil {
		c.Reads = l.Reads(row.Key)
	}
	c.onEdit = func(done bool) {
		if now := l.byKey(key); now != nil {
			l.at = key
			now.Text = "" // it has a table from now on
			l.edited(now, done, 0)
		}
	}
	c.Draw(s, r)
}

func sampleOf(v []float64) color.RGBA {
	b := func(x float64) uint8 { return uint8(min(max(x, 0), 1)*255 + 0.5) }
	return color.RGBA{b(v[0]), b(v[1]), b(v[2]), 255}
}

// mixed is shown for values that differ.
const mixed = "mixed"

func (r *Row) valueText() string {
	switch r.Kind {
	case Switch, Choice, Fixed, Entry:
		if r.mixed(0) {
			return mixed
		}
	}
	switch r.Kind {
	case Switch:
		if len(r.Values) > 0 && r.Values[0] != 0 {
			return "[x]"
		}
		return "[ ]"
	case Choice, Fixed, Entry:
		return r.Text
	}
	var s []string
	for k, v := range r.Values {
		if s = append(s, formatNumber(v)); r.mixed(k) {
			s[k] = mixed
		}
	}
	return strings.Join(s, " ")
}

// formatNumber returns the shortest readable text of a number. It uses an
// exponent for numbers other than 0 that are too small for four decimals.
func formatNumber(v float64) string { return rounded(v, 4) }

// rounded is formatNumber with fewer decimals.
func rounded(v float64, decimals int) string {
	switch unit := math.Pow10(decimals); {
	case math.IsNaN(v):
		return "NaN"
	case math.IsInf(v, 0):
		return map[bool]string{false: "inf", true: "-inf"}[v < 0]
	case math.Abs(v) < 1e-9:
		return "0" // what rounding has left
	case math.Abs(v) < 1e-3:
		return strconv.FormatFloat(v, 'g', decimals-1, 64)
	default:
		return strconv.FormatFloat(math.Round(v*unit)/unit, 'g', 6, 64)
	}
}
