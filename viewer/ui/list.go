package ui

import (
	"image"
	"math"
	"slices"
	"strings"
)

// Kind is the way a row's value is edited.
type Kind uint8

const (
	Heading Kind = iota // no value; starts a group
	Fixed               // not editable
	Switch              // off and on
	Choice              // one of a list of names
	Numbers             // one to four numbers, dragged or typed
	Color               // red, green, blue, alpha, 0 to 1, with a sample of it
	Table               // many numbers, shown as a curve
	Entry               // a text
)

// Row is one line of a List.
type Row struct {
	Kind    Kind
	Label   string
	Key     string   // identifies the row; no two rows have the same
	Also    []string // other names that the search finds
	Text    string   // value of Fixed, Choice and Entry; for a missing Table, the text that says so
	Choices []string // of Choice
	Values  []float64
	Min     float64 // of Numbers and Table; Min == Max is no limit
	Max     float64
	Mixed   []bool // which of Values, or whether Text, stands for several that differ; nil if none does
	Parts   string // a letter for each of Values; "" means "xyzw", or "rgba" for a Color
	Changed bool   // differs from the loaded value
	Unsaid  bool   // it is a default
	Pinned  bool   // always visible above the search, and not filtered by it
	Tip     string
	About   string // a description of a line or two, shown below the list
}

// List is a panel of named values with search, scrolling, folding headings, and
// editing by keyboard and mouse. Scrolling does not change the selection.
type List struct {
	rows        []Row
	Empty       string // the text shown if there are no rows
	ChangedOnly bool   // show only changed rows
	Search      Field  // words that a row's names must contain to be shown
	scroll      Scroll
	// OnEdit is called after every change; done is false while the mouse drags.
	OnEdit   func(r *Row, done bool)
	OnRevert func(r *Row) // called to restore the old value of a row
	// Parse parses a typed number; x in the text is the current value. nil parses plain numbers.
	Parse   func(text string, x float64) (float64, error)
	OnBad   func(err error)            // called if the typed text was no number when typing ended
	Problem string                     // why the text that is typed was not taken, shown below it
	Reads   func(key string) []float64 // returns the marked inputs of a table; may be nil

	screen  *Screen
	at      string // key of the selected row, "" for none
	part    int    // component of Numbers and Color that keys change
	entry   Field
	typing  bool            // a number is being typed into entry
	began   string          // what entry began with: a value rounded to be read
	open    map[string]bool // tables shown large
	folded  map[string]bool // headings whose rows are hidden, unless there is a search
	pinned  []int           // indices of the pinned rows
	visible []int           // indices of the rows that match the search
	line    int

	hidden    bool            // scroll to the selected row in the next picture
	drawn     image.Rectangle // rectangle of the selected row
	dragValue float64
	dragged   bool
}

// NewList returns an empty list for a screen.
func NewList(s *Screen) *List {
	l := &List{screen: s, open: map[string]bool{}, folded: map[string]bool{}}
	l.Search.Hint, l.Search.Most = "search (/)", 100
	l.Search.OnChange = func() { l.scroll.Offset = 0; l.first() }
	l.Search.OnEnter = l.enterFound
	l.Search.OnEscape = func() { l.Search.Set(""); l.leaveSearch() }
	l.Search.OnArrow = func(k Key) { l.keys(k, 0) }
	l.entry.active = true
	l.entry.press = func() bool { s.Focus(l); return false }
	return l
}

// leaveSearch goes to the row that was found.
func (l *List) leaveSearch() {
	l.screen.Focus(l)
	if l.Selected() == nil {
		l.first()
	}
	l.reveal()
}

// enterFound goes to the row that was found and starts its edit.
func (l *List) enterFound() {
	l.leaveSearch()
	if r := l.Selected(); r != nil && l.Search.Text != "" && r.Kind != Switch && !(r.Kind == Table && l.open[r.Key]) {
		l.enter(r)
	}
}

// first selects the first row that matches the search.
func (l *List) first() {
	l.refresh()
	l.at, l.part = "", 0
	words, group, least := strings.Fields(strings.ToLower(l.Search.Text)), "", -1
	for _, v := range l.visible {
		r := &l.rows[v]
		if r.Kind == Heading {
			group = r.Label
		} else if n := r.match(group, words); least < 0 || n < least {
			least, l.at = n, r.Key
		}
	}
	l.reveal()
}

// Selected returns the row that keys act on, or nil.
func (l *List) Selected() *Row {
	l.refresh()
	for _, list := range [][]int{l.visible, l.pinned} {
		for _, i := range list {
			if r := &l.rows[i]; r.Key == l.at && r.Kind != Heading {
				return r
			}
		}
	}
	return nil
}

// SetRows replaces the rows. It keeps the selection if its key still exists.
func (l *List) SetRows(rows []Row) {
	l.rows = rows
	if l.byKey(l.at) != nil {
		return
	}
	l.at, l.typing = "", false
	if l.Search.Text != "" {
		l.first() // the rows arrived after the search was typed
	}
}

// Select selects the row with a key and scrolls to it.
func (l *List) Select(key string) {
	if l.byKey(key) != nil {
		l.at, l.part, l.typing = key, 0, false
		l.reveal()
	}
}

func (l *List) refresh() {
	l.Search.settle()
	l.visible, l.pinned = l.visible[:0], l.pinned[:0]
	heading, group := -1, ""
	words := strings.Fields(strings.ToLower(l.Search.Text))
	all := len(words) == 0 && !l.ChangedOnly
	folded := false
	for i := range l.rows {
		r := &l.rows[i]
		if r.Pinned {
			l.pinned = append(l.pinned, i)
			continue
		}
		if r.Kind == Heading {
			heading, group = i, r.Label
			if folded = all && l.folded[r.Key]; folded {
				l.visible = append(l.visible, i)
			}
			continue
		}
		if folded {
			continue
		}
		if l.ChangedOnly && !r.Changed || r.match(group, words) < 0 {
			continue
		}
		if heading >= 0 {
			l.visible = append(l.visible, heading)
			heading = -1
		}
		l.visible = append(l.visible, i)
	}
}

// match returns how far a row is from what words ask for, ignoring case: a word that is its name counts 0, then come parts of the
// name, the group, other names and the description. It is -1 if a word is nowhere.
func (r *Row) match(group string, words []string) (far int) {
	if len(words) == 0 {
		return 0
	}
	label, group, also := strings.ToLower(r.Label), strings.ToLower(group), strings.ToLower(strings.Join(r.Also, " "))
	for _, w := range words {
		switch {
		case label == w || len(r.Also) > 0 && strings.EqualFold(r.Also[0], w):
		case strings.HasPrefix(label, w):
			far++
		case strings.Contains(label, w):
			far += 2
		case slices.Contains(strings.Fields(group), w):
			far += 3
		case strings.Contains(group, w):
			far += 4
		case strings.Contains(also, w):
			far += 10
		case len(w) > 3 && strings.Contains(strings.ToLower(r.About), w):
			far += 30
		default:
			return -1
		}
	}
	return far
}

// FoldAtFirst folds a heading that was never folded or unfolded.
func (l *List) FoldAtFirst(key string) {
	if _, known := l.folded[key]; !known {
		l.folded[key] = true
	}
}

// height of a row in lines.
func (l *List) height(r *Row) int {
	if r.Kind == Table && l.open[r.Key] {
		return 1 + tableLines
	}
	return 1
}

// fold folds or unfolds the rows below a heading.
func (l *List) fold(key string) { l.folded[key] = !l.folded[key] }

// FoldAll folds all headings, or unfolds them if all are folded.
func (l *List) FoldAll() {
	all := true
	for i := range l.rows {
		all = all && (l.rows[i].Kind != Heading || l.folded[l.rows[i].Key])
	}
	for i := range l.rows {
		if l.rows[i].Kind == Heading {
			l.folded[l.rows[i].Key] = !all
		}
	}
	l.scroll.Offset = 0
}

// choose selects a row and one of its parts.
func (l *List) choose(key string, part int) {
	l.screen.Focus(l)
	if l.typing {
		l.Commit()
	}
	l.at, l.part = key, part
}

// pressed returns the row that a zone belongs to and selects it, or nil if it is gone.
func (l *List) pressed(key string, part int) *Row {
	l.choose(key, part)
	return l.byKey(key)
}

// drag changes a number by the distance that the mouse moved.
func (l *List) drag(key string, k int, m Mouse) {
	r, dx := l.byKey(key), m.At.X-m.From.X
	if m.Button != ButtonLeft || r == nil || k >= len(r.Values) || !l.dragged && max(dx, -dx) < 3 {
		return
	}
	l.dragged = true
	if math.IsNaN(l.dragValue) || math.IsInf(l.dragValue, 0) {
		l.dragValue = 0
	}
	if v := r.clamp(l.dragValue + float64(float64(dx)/2*r.unit())); v != r.Values[k] {
		r.Values[k] = v
		l.edited(r, false, k)
	}
}

// release ends a drag, or starts typing into the clicked number.
func (l *List) release(key string, k int, m Mouse) {
	r := l.byKey(key)
	switch {
	case m.Button != ButtonLeft || r == nil || k >= len(r.Values):
	case l.dragged:
		l.edited(r, true, k)
	case l.at == key && l.part == k:
		l.begin(r.number(k))
	}
}

// begin starts typing a number.
func (l *List) begin(text string) {
	l.typing, l.began, l.Problem = true, text, ""
	l.entry.Set(text)
	l.entry.All()
}

// drop opens the list of a choice.
func (l *List) drop(s *Screen, row *Row, at image.Rectangle) {
	key := row.Key
	items := make([]Item, 0, len(row.Choices))
	for _, c := range row.Choices {
		items = append(items, Item{Text: c, On: c == row.Text, Do: func() {
			if r := l.byKey(key); r != nil && (r.Text != c || r.mixed(0)) {
				r.Text = c
				l.edited(r, true, 0)
			}
		}})
	}
	s.OpenMenu(at, items)
}

func (l *List) byKey(key string) *Row {
	for i := range l.rows {
		if l.rows[i].Key == key {
			return &l.rows[i]
		}
	}
	return nil
}

// pick opens the colour picker.
func (l *List) pick(s *Screen, row *Row, at image.Rectangle) {
	key := row.Key
	p := newPicker(slices.Clone(row.Values), at, func(text string, values []float64) ([]float64, error) {
		out, err := l.numbers(&Row{Kind: Color, Values: values}, 0, text)
		if err == nil && len(out) < len(values) {
			out = append(out, values[len(out):]...)
		}
		return out, err
	})
	p.onEdit = func(done bool) {
		if r := l.byKey(key); r != nil && len(r.Values) == len(p.values) {
			for k, v := range p.values {
				if r.Values[k] != v {
					r.Values[k] = v
					r.settle(k)
				}
			}
			l.edited(r, done, -1)
		}
	}
	s.Open(p)
}

// menu opens the context menu of a row.
func (l *List) menu(s *Screen, row *Row, at image.Rectangle) {
	key, name, value := row.Key, row.Label, row.valueText()
	if len(row.Also) > 0 {
		name = row.Also[0]
	}
	s.OpenMenu(at, []Item{
		{Text: "Revert", Note: "Delete", Off: !row.Changed || l.OnRevert == nil, Do: func() {
			if r := l.byKey(key); r != nil {
				l.OnRevert(r)
			}
		}},
		{Text: "Copy the name", Do: func() { s.Copy(name) }},
		{Text: "Copy the value", Do: func() { s.Copy(value) }},
	})
}

func (l *List) toggleTable(row *Row) { l.open[row.Key] = !l.open[row.Key] }
