package ui

import (
	"image"
	"math"
	"slices"
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
	Table               // many numbers, drawn as a curve
)

// Row is one line of a List.
type Row struct {
	Kind    Kind
	Label   string
	Key     string   // tells rows apart when a list is filled anew
	Also    []string // other names that the search finds it by
	Text    string   // value of Fixed and Choice; of a Table that is not there, what says so
	Choices []string // of Choice
	Values  []float64
	Min     float64 // of Numbers and Table; Min == Max is no limit
	Max     float64
	Parts   string // a letter for each of Values; "" is "xyzw", or "rgba" of a Color
	Changed bool   // differs from what was loaded
	Pinned  bool   // it stays in sight above the search, which does not touch it
	Tip     string
	About   string // what it is, in a line or two; shown below the list
}

// List is a panel of named values: searched, scrolled, folded at its headings, and
// edited with keyboard and mouse. The view scrolls apart from the selection.
type List struct {
	rows        []Row
	Empty       string // what is said if there are no rows
	ChangedOnly bool   // show what was changed alone
	Search      Field  // words that the names to show have
	scroll      Scroll
	// OnEdit is told of every change; done is false while the mouse drags.
	OnEdit   func(r *Row, done bool)
	OnRevert func(r *Row) // a row is to have its old value
	// Parse reads a number that was typed, in which x is the one that is there; nil reads
	// plain numbers.
	Parse func(text string, x float64) (float64, error)
	OnBad func(problem string)       // what was typed is no number
	Reads func(key string) []float64 // inputs of a table that are marked, or nil

	screen  *Screen
	at      int // the selected one of Rows, -1 for none
	part    int // component of Numbers and Color that keys change
	entry   Field
	typing  bool            // entry is what a number is typed into
	open    map[string]bool // tables that are drawn large
	folded  map[string]bool // headings whose rows are not shown, while nothing is searched
	pinned  []int           // rows that stay in sight, by index
	visible []int           // rows that the search leaves, by index
	line    int

	hidden    bool            // the selected row is to be shown
	drawn     image.Rectangle // the selected row
	dragValue float64
	dragged   bool
}

// NewList makes an empty list, which is drawn on a screen.
func NewList(s *Screen) *List {
	l := &List{at: -1, screen: s, open: map[string]bool{}, folded: map[string]bool{}}
	l.Search.Hint = "search (/)"
	l.Search.OnChange = func() { l.scroll.Offset = 0; l.first() }
	l.Search.OnEnter = l.leaveSearch
	l.Search.OnEscape = func() { l.Search.Set(""); l.leaveSearch() }
	l.Search.OnArrow = func(k Key) { l.keys(k, 0) }
	l.entry.active = true
	return l
}

func (l *List) leaveSearch() {
	l.screen.Focus(l)
	if l.Selected() == nil {
		l.first()
	}
	l.reveal()
}

// first selects the first row that the search leaves.
func (l *List) first() {
	l.refresh()
	l.at, l.part = -1, 0
	for _, v := range l.visible {
		if l.rows[v].Kind != Heading {
			l.at = v
			break
		}
	}
	l.reveal()
}

// Selected is the row that keys act on, or nil.
func (l *List) Selected() *Row {
	if l.at < 0 || l.at >= len(l.rows) || l.rows[l.at].Kind == Heading || !l.shows(l.at) {
		return nil
	}
	return &l.rows[l.at]
}

func (l *List) shows(i int) bool {
	l.refresh()
	return slices.Contains(l.visible, i) || slices.Contains(l.pinned, i)
}

// SetRows replaces the rows and keeps the selection where its key still is.
func (l *List) SetRows(rows []Row) {
	key := ""
	if l.at >= 0 && l.at < len(l.rows) {
		key = l.rows[l.at].Key
	}
	l.rows, l.at = rows, -1
	for i := range rows {
		if rows[i].Key == key && key != "" {
			l.at = i
			return
		}
	}
	l.typing = false
	if l.Search.Text != "" {
		l.first() // the rows come when it was typed
	}
}

// Select selects the row with a key, and has it seen.
func (l *List) Select(key string) {
	for i := range l.rows {
		if l.rows[i].Key == key {
			l.at, l.part, l.typing = i, 0, false
			l.reveal()
		}
	}
}

func (l *List) refresh() {
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
		if l.ChangedOnly && !r.Changed || len(words) > 0 && !r.matches(group, words) {
			continue
		}
		if heading >= 0 {
			l.visible = append(l.visible, heading)
			heading = -1
		}
		l.visible = append(l.visible, i)
	}
}

// matches reports whether all words occur in the names of a row, in any case.
func (r *Row) matches(group string, words []string) bool {
	names := strings.ToLower(group + " " + r.Label + " " + strings.Join(r.Also, " "))
	for _, w := range words {
		if !strings.Contains(names, w) {
			return false
		}
	}
	return true
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

// FoldAll folds all headings, or unfolds them where all are folded.
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
func (l *List) choose(i, part int) {
	l.screen.Focus(l)
	if l.typing {
		l.Commit()
	}
	l.at, l.part = i, part
}

// drag changes a number by how far the mouse went.
func (l *List) drag(i, k int, m Mouse) {
	dx := m.At.X - m.From.X
	if m.Button != ButtonLeft || i >= len(l.rows) || k >= len(l.rows[i].Values) || !l.dragged && max(dx, -dx) < 3 {
		return
	}
	l.dragged = true
	r := &l.rows[i]
	if math.IsNaN(l.dragValue) || math.IsInf(l.dragValue, 0) {
		l.dragValue = 0
	}
	if v := r.clamp(l.dragValue + float64(float64(dx)/2*r.unit())); v != r.Values[k] {
		r.Values[k] = v
		l.edited(r, false)
	}
}

// drop1 ends a drag, or begins to type the number that was clicked.
func (l *List) drop1(i, k int, m Mouse) {
	if m.Button != ButtonLeft || i >= len(l.rows) || k >= len(l.rows[i].Values) {
		return
	}
	if l.dragged {
		l.edited(&l.rows[i], true)
		return
	}
	l.begin(formatNumber(l.rows[i].Values[k]))
}

// begin has a number typed.
func (l *List) begin(text string) {
	l.typing = true
	l.entry.Set(text)
	l.entry.All()
}

// drop opens the list of a choice.
func (l *List) drop(s *Screen, i int, at image.Rectangle) {
	row := &l.rows[i]
	key := row.Key
	var items []Item
	for _, c := range row.Choices {
		items = append(items, Item{Text: c, On: c == row.Text, Do: func() {
			if r := l.byKey(key); r != nil && r.Text != c {
				r.Text = c
				l.edited(r, true)
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

// pick opens the picker of a colour.
func (l *List) pick(s *Screen, i int, at image.Rectangle) {
	key := l.rows[i].Key
	p := newPicker(slices.Clone(l.rows[i].Values), at, func(text string, values []float64) ([]float64, error) {
		return l.numbers(&Row{Kind: Color, Values: values}, text)
	})
	p.onEdit = func(done bool) {
		if r := l.byKey(key); r != nil && len(r.Values) == len(p.values) {
			copy(r.Values, p.values)
			l.edited(r, done)
		}
	}
	s.Open(p)
}

// menu offers what can be done with a row.
func (l *List) menu(s *Screen, i int, at image.Rectangle) {
	row := &l.rows[i]
	key := row.Key
	name := row.Label
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
		{Text: "Copy the value", Do: func() { s.Copy(row.valueText()) }},
	})
}

func (l *List) toggleTable(row *Row) { l.open[row.Key] = !l.open[row.Key] }

func (l *List) index(r *Row) int {
	for i := range l.rows {
		if &l.rows[i] == r {
			return i
		}
	}
	return -1
}
