package ui

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Key implements Keys: arrows select and change, with Shift in larger steps; N
// goes to the next component, Enter toggles, opens a list, or begins to type a
// number, Delete reverts.
func (l *List) Key(k Key, m Mods) bool {
	if l.typing {
		switch k {
		case KeyEnter, KeyPadEnter:
			if err := l.take(); err != nil {
				if l.OnBad != nil {
					l.OnBad(err.Error())
				}
				return true // to be mended, or given up by Escape
			}
			l.typing = false
		case KeyEscape:
			l.typing = false
		case KeyTab:
			l.Commit()
			l.next()
			if r := l.Selected(); r != nil && l.part < len(r.Values) {
				l.begin(formatNumber(r.Values[l.part]))
			}
		case KeyUp, KeyDown, KeyPageUp, KeyPageDown:
			l.Commit()
			l.keys(k, m)
		default:
			return l.entry.Key(k, m)
		}
		return true
	}
	return l.keys(k, m)
}

func (l *List) keys(k Key, m Mods) bool {
	if m&^Shift != 0 {
		return false
	}
	r := l.Selected()
	page := 1
	if l.line > 0 {
		page = max(l.scroll.page(l.line)/l.line, 1)
	}
	switch {
	case k == KeyUp || k == KeyDown || k == KeyPageUp || k == KeyPageDown:
		l.move(map[Key]int{KeyUp: -1, KeyDown: 1, KeyPageUp: -page, KeyPageDown: page}[k])
	case r == nil && l.onFolded() && (k == KeyEnter || k == KeyPadEnter || k == KeyRight):
		l.fold(l.rows[l.at].Key)
		l.move(1)
	case k == KeyEscape && l.Search.Text != "":
		l.Search.Set("")
		l.reveal()
	case r == nil:
		return false
	case k == 'N' && m == 0 && len(r.Values) > 1 && r.Kind != Table:
		l.next()
	case k == KeyLeft:
		return l.step(r, map[bool]float64{false: -1, true: -10}[m&Shift != 0])
	case k == KeyRight:
		return l.step(r, map[bool]float64{false: 1, true: 10}[m&Shift != 0])
	case k == KeyEnter || k == KeyPadEnter:
		return l.enter(r)
	case k == KeyDelete && r.Changed && l.OnRevert != nil:
		l.OnRevert(r)
	default:
		return false
	}
	return true
}

// next goes to the next component.
func (l *List) next() {
	if r := l.Selected(); r != nil && len(r.Values) > 0 {
		l.part = (l.part + 1) % len(r.Values)
	}
}

// Char implements Keys: "/" begins a search.
func (l *List) Char(ch rune) bool {
	if l.typing {
		return l.entry.Char(ch)
	}
	if ch == '/' {
		l.BeginSearch()
		return true
	}
	return false
}

// BeginSearch has the search typed anew.
func (l *List) BeginSearch() {
	l.Search.All()
	l.screen.Focus(&l.Search)
}

// Cancel ends typing without a change.
func (l *List) Cancel() { l.typing = false }

// Typing reports whether a number is typed.
func (l *List) Typing() bool { return l.typing }

// move selects the row so many further; headings are passed over.
func (l *List) move(by int) {
	l.refresh()
	l.part = 0
	var rows []int
	at, found := 0, false
	for _, v := range append(slices.Clone(l.pinned), l.visible...) {
		if l.rows[v].Kind == Heading && (!l.folded[l.rows[v].Key] || l.Search.Text != "" || l.ChangedOnly) {
			continue
		}
		if v == l.at {
			at, found = len(rows), true
		}
		rows = append(rows, v)
	}
	if len(rows) == 0 {
		return
	}
	if found {
		at = min(max(at+by, 0), len(rows)-1)
	}
	l.at = rows[at]
	l.reveal()
}

// reveal has the next picture show the selected row.
func (l *List) reveal() { l.hidden = true }

// showSelected moves the view to the selected row, and its heading.
func (l *List) showSelected() {
	l.hidden = false
	y := 0
	for k, v := range l.visible {
		h := l.height(&l.rows[v])
		if v == l.at {
			from := y
			if k > 0 && l.rows[l.visible[k-1]].Kind == Heading {
				from-- // with its heading
			}
			l.scroll.reveal(from*l.line, (y+h)*l.line)
		}
		y += h
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
		r.Values[l.part] = r.clamp(r.Values[l.part] + float64(steps*r.unit()))
	default:
		return false
	}
	l.edited(r, true)
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

func (l *List) edited(r *Row, done bool) {
	r.Changed = true // until the list is filled anew
	if l.OnEdit != nil {
		l.OnEdit(r, done)
	}
}

// enter toggles, opens, or begins to type.
func (l *List) enter(r *Row) bool {
	switch r.Kind {
	case Switch:
		return l.step(r, 1)
	case Choice:
		if len(r.Choices) == 0 {
			return false
		}
		l.drop(l.screen, l.at, l.drawn)
	case Table:
		l.toggleTable(r)
		l.reveal()
	case Numbers, Color:
		l.begin("")
	default:
		return false
	}
	return true
}

// Commit ends typing, and takes the number if it is one.
func (l *List) Commit() {
	if err := l.take(); err != nil && l.OnBad != nil {
		l.OnBad(err.Error())
	}
	l.typing = false
}

// take takes what was typed: as many numbers as the row has, or one for the component that
// was chosen. What is none of these changes nothing.
func (l *List) take() error {
	r := l.Selected()
	text := strings.TrimSpace(l.entry.Text)
	if !l.typing || r == nil || text == "" || len(r.Values) == 0 {
		return nil
	}
	part := min(l.part, len(r.Values)-1)
	values, err := l.numbers(r, text)
	if err != nil {
		v, e := l.number(text, r.Values[part])
		if e != nil {
			return e
		}
		values = slices.Clone(r.Values)
		values[part] = r.clamp(v)
	}
	if !slices.Equal(values, r.Values) {
		copy(r.Values, values)
		l.edited(r, true)
	}
	return nil
}

// numbers reads a number for each component, between spaces or commas.
func (l *List) numbers(r *Row, text string) (out []float64, err error) {
	depth := 0
	fields := strings.FieldsFunc(text, func(c rune) bool {
		depth += strings.Count("(", string(c)) - strings.Count(")", string(c))
		return depth == 0 && (c == ' ' || c == ',')
	})
	if len(fields) != len(r.Values) {
		return nil, fmt.Errorf("%q: expected %d numbers", text, len(r.Values))
	}
	for i, f := range fields {
		v, err := l.number(f, r.Values[i])
		if err != nil {
			return nil, err
		}
		out = append(out, r.clamp(v))
	}
	return out, nil
}

// number reads a number, in which x is the one that is there.
func (l *List) number(text string, x float64) (float64, error) {
	parse := l.Parse
	if parse == nil {
		parse = func(text string, _ float64) (float64, error) { return strconv.ParseFloat(text, 64) }
	}
	v, err := parse(text, x)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%q is not a number: %v", text, err)
	case math.IsNaN(v) || math.Abs(v) > math.MaxFloat32:
		return 0, fmt.Errorf("%q is not a finite number in the range of the hardware", text)
	}
	return v, nil
}

// onFolded reports whether a folded heading is selected.
func (l *List) onFolded() bool {
	return l.at >= 0 && l.at < len(l.rows) && l.rows[l.at].Kind == Heading
}

// String describes the selected row, for tests and messages.
func (l *List) String() string {
	r := l.Selected()
	if r == nil {
		return "nothing selected"
	}
	return fmt.Sprintf("%s = %s", r.Label, r.valueText())
}
