package ui

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Key implements Keys: arrows select and change, with Shift in larger steps; N selects the next component; Enter toggles, opens a
// list, or starts typing a number; Delete reverts.
func (l *List) Key(k Key, m Mods) bool {
	if l.typing {
		switch k {
		case KeyEnter, KeyPadEnter:
			if err := l.take(); err != nil {
				l.Problem = err.Error()
				return true // let the user correct it or give up with Escape
			}
			l.typing = false
		case KeyEscape:
			l.typing = false
		case KeyTab:
			l.Commit()
			l.next()
			if r := l.Selected(); r != nil && l.part < len(r.Values) {
				l.begin(r.number(l.part))
			}
		case KeyUp, KeyDown, KeyPageUp, KeyPageDown:
			l.Commit()
			l.keys(k, m)
		default:
			l.Problem = ""
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
	by, _ := l.scroll.step(k, l.line, 0)
	switch {
	case by != 0:
		l.move(by)
	case r == nil && l.onFolded() && (k == KeyEnter || k == KeyPadEnter || k == KeyRight):
		l.fold(l.at)
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

// next selects the next component.
func (l *List) next() {
	if r := l.Selected(); r != nil && len(r.Values) > 0 {
		l.part = (l.part + 1) % len(r.Values)
	}
}

// Char implements Keys: "/" starts a search.
func (l *List) Char(ch rune) bool {
	if l.typing {
		l.Problem = ""
		return l.entry.Char(ch)
	}
	if ch == '/' {
		l.BeginSearch()
		return true
	}
	return false
}

// BeginSearch starts a new search.
func (l *List) BeginSearch() {
	l.Search.All()
	l.screen.Focus(&l.Search)
}

// Cancel ends typing and discards the text.
func (l *List) Cancel() { l.typing = false }

// Typing reports whether a number is being typed.
func (l *List) Typing() bool { return l.typing }

// move moves the selection by n rows, skipping headings.
func (l *List) move(by int) {
	l.refresh()
	l.part = 0
	var rows []int
	at, found := 0, false
	for _, v := range append(slices.Clone(l.pinned), l.visible...) {
		if l.rows[v].Kind == Heading && (!l.folded[l.rows[v].Key] || l.Search.Text != "" || l.ChangedOnly) {
			continue
		}
		if l.rows[v].Key == l.at {
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
	l.at = l.rows[rows[at]].Key
	l.reveal()
}

// reveal makes the next picture show the selected row.
func (l *List) reveal() { l.hidden = true }

// showSelected scrolls to the selected row and its heading.
func (l *List) showSelected() {
	l.hidden = false
	y := 0
	for k, v := range l.visible {
		h := l.height(&l.rows[v])
		if l.rows[v].Key == l.at {
			from := y
			if k > 0 && l.rows[l.visible[k-1]].Kind == Heading {
				from-- // with its heading
			}
			l.scroll.reveal(from*l.line, (y+h)*l.line)
		}
		y += h
	}
}

// step changes the value of a row by a number of steps.
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
	l.edited(r, true, l.part)
	return true
}

// mixed reports whether a component stands for several values that differ.
func (r *Row) mixed(k int) bool { return k < len(r.Mixed) && r.Mixed[k] }

// settle says that a component has one value from now on.
func (r *Row) settle(k int) {
	if r.mixed(k) {
		r.Mixed[k] = false
	}
}

// number returns a component as text, to begin typing with.
func (r *Row) number(k int) string {
	if r.mixed(k) {
		return ""
	}
	return formatNumber(r.Values[k])
}

// unit returns the size of a small step: a hundredth of the range, or 0.01.
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

// edited tells of a change of a component; -1 is several, or none.
func (l *List) edited(r *Row, done bool, k int) {
	r.Changed = true // until the rows are replaced
	if k >= 0 {
		r.settle(k)
	}
	if l.OnEdit != nil {
		l.OnEdit(r, done)
	}
}

// enter toggles, opens, or starts typing.
func (l *List) enter(r *Row) bool {
	switch r.Kind {
	case Switch:
		return l.step(r, 1)
	case Choice:
		if len(r.Choices) == 0 {
			return false
		}
		l.drop(l.screen, r, l.drawn)
	case Table:
		l.toggleTable(r)
		l.reveal()
	case Numbers, Color:
		l.begin(r.number(l.part))
	case Entry:
		l.begin(r.valueText())
	default:
		return false
	}
	return true
}

// Commit ends typing and applies the number if it is valid.
func (l *List) Commit() {
	if err := l.take(); err != nil && l.OnBad != nil {
		l.OnBad(err)
	}
	l.typing = false
}

// take applies the typed text: as many numbers as the row has, or one for the
// selected component. It ignores other texts, and the one that was there.
func (l *List) take() error {
	r := l.Selected()
	text := strings.TrimSpace(l.entry.Text)
	switch {
	case !l.typing || r == nil || text == "" || text == l.began:
		return nil
	case r.Kind == Entry:
		r.Text = text
		l.edited(r, true, 0)
		return nil
	case len(r.Values) == 0:
		return nil
	}
	part := 0
	values, err := l.numbers(r, 0, text)
	if r.Kind == Color && text[0] == '#' {
		values, err = fromHex(text, len(r.Values))
	} else if err != nil || len(values) < len(r.Values) {
		part = min(l.part, len(r.Values)-1)
		values, err = l.numbers(r, part, text)
	}
	if err != nil {
		return err
	}
	changed := false
	for i, v := range values {
		if k := part + i; v != r.Values[k] || r.mixed(k) {
			changed = true
			r.Values[k] = v
			r.settle(k)
		}
	}
	if changed {
		l.edited(r, true, -1)
	}
	return nil
}

// numbers parses numbers for the components from part on, separated by spaces
// or commas; as many as the row has are for all of them.
func (l *List) numbers(r *Row, part int, text string) (out []float64, err error) {
	depth, empty, missing := 0, true, false
	fields := strings.FieldsFunc(text, func(c rune) bool {
		depth += strings.Count("(", string(c)) - strings.Count(")", string(c))
		comma := depth == 0 && c == ','
		missing, empty = missing || comma && empty, comma || empty && c == ' '
		return comma || depth == 0 && c == ' '
	})
	if missing || empty {
		return nil, fmt.Errorf("%q: there is no number before or after a comma", text)
	}
	if most := len(r.Values) - part; len(fields) > most {
		return nil, fmt.Errorf("%q: %d numbers, and there are %d from here on", text, len(fields), most)
	}
	for i, f := range fields {
		v, err := l.number(f, r.Values[part+i])
		if err != nil {
			return nil, err
		}
		out = append(out, r.clamp(v))
	}
	return out, nil
}

// number parses a number; x in the text is the current value.
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
	r := l.byKey(l.at)
	return r != nil && r.Kind == Heading
}

// String describes the selected row, for tests and messages.
func (l *List) String() string {
	r := l.Selected()
	if r == nil {
		return "nothing selected"
	}
	return fmt.Sprintf("%s = %s", r.Label, r.valueText())
}
