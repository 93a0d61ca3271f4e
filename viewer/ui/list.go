package ui

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strconv"
	"strings"
)

// Kind says how a row's value is edited.
type Kind uint8

const (
	Heading Kind = iota // no value; begins a group
	Fixed               // shown only
	Switch              // off and on
	Choice              // one of a list of names
	Numbers             // one to four numbers, dragged or typed
	Color               // red, green, blue, alpha, 0 to 1, with a sample of it
)

// Row is one line of a List.
type Row struct {
	Kind    Kind
	Label   string
	Key     string   // tells rows apart when a list is filled anew
	Text    string   // value of Fixed and Choice
	Choices []string // of Choice
	Values  []float64
	Min     float64 // of Numbers; Min == Max is no limit
	Max     float64
	Changed bool // differs from what was loaded
}

// List is a panel of rows with a selected one, that scrolls, can be searched
// and edited with keyboard and mouse. OnEdit is told of every change.
type List struct {
	Title  string
	Rows   []Row
	Filter string // words that the labels to show have, or their headings
	Typing bool   // keys go to the filter
	OnEdit func(r *Row)

	selected int // index of a visible row
	top      int // first visible row shown
	part     int // component of Numbers and Color that keys change
	entry    string
	entering bool

	dragging  bool
	dragFrom  image.Point
	dragValue float64

	visible []int // rows that the filter leaves, by index
	rect    image.Rectangle
	lines   []image.Rectangle // of the rows on the screen, from top
}

// Selected is the row that keys act on, or nil.
func (l *List) Selected() *Row {
	l.refresh()
	if l.selected >= len(l.visible) {
		return nil
	}
	return &l.Rows[l.visible[l.selected]]
}

// SetRows replaces the rows and keeps the selection where its key still is.
func (l *List) SetRows(rows []Row) {
	key := ""
	if r := l.Selected(); r != nil {
		key = r.Key
	}
	l.Rows = rows
	l.refresh()
	for i, v := range l.visible {
		if l.Rows[v].Key == key && key != "" {
			l.selected = i
			return
		}
	}
	l.selected = min(l.selected, max(len(l.visible)-1, 0))
}

func (l *List) refresh() {
	l.visible = l.visible[:0]
	heading, group := -1, ""
	for i := range l.Rows {
		r := &l.Rows[i]
		if r.Kind == Heading {
			heading, group = i, r.Label
			continue
		}
		if !matches(group+" "+r.Label, l.Filter) {
			continue
		}
		if heading >= 0 {
			l.visible = append(l.visible, heading)
			heading = -1
		}
		l.visible = append(l.visible, i)
	}
	l.selected = min(l.selected, max(len(l.visible)-1, 0))
}

// matches reports whether all words of the filter occur in the label, in any
// case.
func matches(label, filter string) bool {
	label = strings.ToLower(label)
	for _, w := range strings.Fields(strings.ToLower(filter)) {
		if !strings.Contains(label, w) {
			return false
		}
	}
	return true
}

// Draw shows the list in r.
func (l *List) Draw(c *Canvas, r image.Rectangle) {
	l.refresh()
	l.rect = r
	c.Fill(r, Panel)
	pad, line := c.Units(6), c.Line()
	head := image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+line+pad)
	c.Fill(head, PanelHead)
	title := l.Title
	if l.Typing || l.Filter != "" {
		cursor := ""
		if l.Typing {
			cursor = "_"
		}
		title = "/" + l.Filter + cursor
	}
	c.Text(r.Min.X+pad, r.Min.Y+pad/2, Fit(title, c.Columns(r.Dx()-2*pad)), Accent)

	rows := max((r.Max.Y-head.Max.Y)/line, 1)
	if l.selected < l.top {
		l.top = l.selected
	}
	if l.selected >= l.top+rows {
		l.top = l.selected - rows + 1
	}
	l.top = max(min(l.top, len(l.visible)-rows), 0)
	l.lines = l.lines[:0]
	for i := l.top; i < len(l.visible) && i < l.top+rows; i++ {
		y := head.Max.Y + (i-l.top)*line
		box := image.Rect(r.Min.X, y, r.Max.X, y+line)
		l.lines = append(l.lines, box)
		row := &l.Rows[l.visible[i]]
		if i == l.selected {
			c.Fill(box, Selected)
		}
		l.drawRow(c, row, box, i == l.selected)
	}
	if len(l.visible) > rows {
		// Where in the list the rows shown are.
		h := r.Max.Y - head.Max.Y
		y0 := head.Max.Y + h*l.top/len(l.visible)
		y1 := head.Max.Y + h*(l.top+rows)/len(l.visible)
		c.Fill(image.Rect(r.Max.X-c.Units(3), y0, r.Max.X, y1), Dim)
	}
}

func (l *List) drawRow(c *Canvas, row *Row, box image.Rectangle, selected bool) {
	pad := c.Units(6)
	columns := c.Columns(box.Dx() - 2*pad)
	if row.Kind == Heading {
		c.Text(box.Min.X+pad, box.Min.Y, Fit(row.Label, columns), Accent)
		return
	}
	col := Text
	if row.Changed {
		col = Changed
	}
	value := row.valueText()
	if selected && l.entering {
		value = l.entry + "_"
	} else if selected && len(row.Values) > 1 {
		value = row.partText(l.part)
	}
	value = Fit(value, columns*3/5)
	x := box.Max.X - pad - c.Width(value)
	if row.Kind == Color && len(row.Values) >= 3 {
		s := box.Dy() - c.Units(4)
		x -= s + c.Units(4)
		sample := image.Rect(box.Max.X-pad-s, box.Min.Y+c.Units(2), box.Max.X-pad, box.Min.Y+c.Units(2)+s)
		c.Fill(sample, sampleOf(row.Values))
		c.Frame(sample, Dim)
	}
	label := Fit(row.Label, max((x-box.Min.X-2*pad)/max(c.width, 1), 1))
	c.Text(box.Min.X+pad, box.Min.Y, label, Dim)
	c.Text(x, box.Min.Y, value, col)
}

func sampleOf(v []float64) color.RGBA {
	b := func(x float64) uint8 { return uint8(min(max(x, 0), 1)*255 + 0.5) }
	return color.RGBA{b(v[0]), b(v[1]), b(v[2]), 255}
}

func (r *Row) valueText() string {
	switch r.Kind {
	case Switch:
		if len(r.Values) > 0 && r.Values[0] != 0 {
			return "[x]"
		}
		return "[ ]"
	case Choice, Fixed:
		return r.Text
	}
	return r.partText(-1)
}

// partText writes the numbers with one of them in brackets.
func (r *Row) partText(part int) string {
	var s []string
	for i, v := range r.Values {
		t := FormatNumber(v)
		if i == part {
			t = "<" + t + ">"
		}
		s = append(s, t)
	}
	return strings.Join(s, " ")
}

// FormatNumber writes a number as short as it can be read.
func FormatNumber(v float64) string {
	v = math.Round(v*1e4) / 1e4
	if v == 0 {
		return "0" // also of -0
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

// Key is what a key press means to a list.
type Key uint8

const (
	Up Key = iota
	Down
	PageUp
	PageDown
	Left
	Right
	Next   // the next component
	Enter  // toggles, chooses, or begins and ends typing a number
	Cancel // ends typing without a change
	Erase  // deletes a character
)

// Press handles a key; big asks for larger steps. It reports whether the list
// used it.
func (l *List) Press(k Key, big bool) bool {
	r := l.Selected()
	switch {
	case k == Erase && l.Typing:
		l.Filter = dropLast(l.Filter)
		return true
	case k == Erase && l.entering:
		l.entry = dropLast(l.entry)
		return true
	case k == Cancel && l.entering:
		l.entering = false
		return true
	case k == Cancel && (l.Typing || l.Filter != ""):
		l.Typing, l.Filter = false, ""
		return true
	case k == Enter && l.Typing:
		l.Typing = false
		return true
	case k == Up || k == Down || k == PageUp || k == PageDown:
		l.entering = false
		l.move(map[Key]int{Up: -1, Down: 1, PageUp: -12, PageDown: 12}[k])
		return true
	case r == nil:
		return false
	case k == Next && len(r.Values) > 1:
		l.part = (l.part + 1) % len(r.Values)
		return true
	case k == Left || k == Right:
		step := 1.0
		if k == Left {
			step = -1
		}
		if big {
			step *= 10
		}
		return l.step(r, step)
	case k == Enter:
		return l.enter(r)
	}
	return false
}

func dropLast(s string) string {
	r := []rune(s)
	if len(r) == 0 {
		return s
	}
	return string(r[:len(r)-1])
}

func (l *List) move(by int) {
	l.part = 0
	if len(l.visible) == 0 {
		return
	}
	dir := 1
	if by < 0 {
		dir = -1
	}
	at := min(max(l.selected+by, 0), len(l.visible)-1)
	// Headings are passed over.
	for at >= 0 && at < len(l.visible) && l.Rows[l.visible[at]].Kind == Heading {
		at += dir
	}
	if at >= 0 && at < len(l.visible) {
		l.selected = at
	}
}

// step changes the value of a row by steps.
func (l *List) step(r *Row, steps float64) bool {
	switch r.Kind {
	case Switch:
		if len(r.Values) == 0 {
			r.Values = []float64{0}
		}
		r.Values[0] = 1 - r.Values[0]
	case Choice:
		if len(r.Choices) == 0 {
			return false
		}
		at := 0
		for i, c := range r.Choices {
			if c == r.Text {
				at = i
			}
		}
		n := len(r.Choices)
		r.Text = r.Choices[((at+int(math.Copysign(1, steps)))%n+n)%n]
	case Numbers, Color:
		if l.part >= len(r.Values) {
			l.part = 0
		}
		if len(r.Values) == 0 {
			return false
		}
		r.Values[l.part] = r.clamp(r.Values[l.part] + steps*r.unit())
	default:
		return false
	}
	l.edited(r)
	return true
}

// unit is the size of a small step: a hundredth of the range, or 0.01.
func (r *Row) unit() float64 {
	if r.Kind == Color || r.Max <= r.Min {
		return 0.01
	}
	if r.Max-r.Min >= 100 && r.Min == math.Trunc(r.Min) {
		return 1
	}
	return (r.Max - r.Min) / 100
}

func (r *Row) clamp(v float64) float64 {
	v = math.Round(v*1e6) / 1e6
	if r.Kind == Color {
		return min(max(v, 0), 1)
	}
	if r.Max > r.Min {
		return min(max(v, r.Min), r.Max)
	}
	return v
}

func (l *List) edited(r *Row) {
	r.Changed = true
	if l.OnEdit != nil {
		l.OnEdit(r)
	}
}

// enter toggles, chooses the next, or begins and ends typing.
func (l *List) enter(r *Row) bool {
	if l.entering {
		l.entering = false
		fields := strings.Fields(strings.ReplaceAll(l.entry, ",", " "))
		values := make([]float64, 0, len(fields))
		for _, f := range fields {
			v, err := strconv.ParseFloat(f, 64)
			if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
				return true // what is no number changes nothing
			}
			values = append(values, r.clamp(v))
		}
		switch len(values) {
		case len(r.Values):
			copy(r.Values, values)
		case 1:
			r.Values[min(l.part, len(r.Values)-1)] = values[0]
		default:
			return true
		}
		l.edited(r)
		return true
	}
	switch r.Kind {
	case Switch, Choice:
		return l.step(r, 1)
	case Numbers, Color:
		l.entering, l.entry = true, ""
		return true
	}
	return false
}

// Char handles a typed character and reports whether the list used it.
func (l *List) Char(ch rune) bool {
	switch {
	case l.Typing:
		l.Filter += string(ch)
		l.selected, l.top = 0, 0
		l.refresh()
		l.move(0)
		return true
	case l.entering:
		if strings.ContainsRune("0123456789.-+eE ,", ch) {
			l.entry += string(ch)
		}
		return true
	case ch == '/':
		l.Typing, l.Filter = true, ""
		return true
	}
	return false
}

// Busy reports whether characters go to the list.
func (l *List) Busy() bool { return l.Typing || l.entering }

// Contains reports whether a point lies on the list as it was drawn last.
func (l *List) Contains(p image.Point) bool { return p.In(l.rect) }

// Click handles a press of the mouse button; it reports whether it was on the
// list. Drag and Release follow it.
func (l *List) Click(p image.Point) bool {
	if !l.Contains(p) {
		return false
	}
	for i, box := range l.lines {
		at := l.top + i
		if !p.In(box) || at >= len(l.visible) {
			continue
		}
		row := &l.Rows[l.visible[at]]
		if row.Kind == Heading {
			break
		}
		if l.selected != at {
			l.selected, l.part, l.entering = at, 0, false
		}
		right := p.X > box.Min.X+box.Dx()/2
		switch {
		case right && (row.Kind == Switch || row.Kind == Choice):
			l.step(row, 1)
		case right && len(row.Values) > 0:
			// The value area is divided evenly among the components.
			l.part = min((p.X-box.Min.X-box.Dx()/2)*len(row.Values)*2/box.Dx(), len(row.Values)-1)
			l.dragging, l.dragFrom, l.dragValue = true, p, row.Values[l.part]
		}
		break
	}
	return true
}

// Drag handles a movement while the button is held.
func (l *List) Drag(p image.Point) bool {
	r := l.Selected()
	if !l.dragging || r == nil || l.part >= len(r.Values) {
		return false
	}
	v := r.clamp(l.dragValue + float64(p.X-l.dragFrom.X)/2*r.unit())
	if v != r.Values[l.part] {
		r.Values[l.part] = v
		l.edited(r)
	}
	return true
}

// Release ends a drag.
func (l *List) Release() { l.dragging = false }

// Scroll moves the list by lines.
func (l *List) Scroll(lines int) {
	for range max(lines, -lines) {
		l.move(map[bool]int{true: 1, false: -1}[lines > 0])
	}
}

// String describes the selected row, for tests and messages.
func (l *List) String() string {
	r := l.Selected()
	if r == nil {
		return "nothing selected"
	}
	return fmt.Sprintf("%s = %s", r.Label, r.valueText())
}
