package ui

import (
	"cmp"
	"image"
	"image/color"
	"slices"
	"strings"
)

// Column is a column of a Grid.
type Column struct {
	Name   string
	Width  int  // in units
	Number bool // its cells are numbers, at the right, and sorted by their size, the greatest first
}

// GridRow is a row of a Grid.
type GridRow struct {
	Key     string // identifies the row, also after the rows were made anew
	Cells   []string
	Numbers []float64  // of the columns that have them; 0 for others
	Color   color.RGBA // zero means the default
}

// Grid shows rows in columns. A press on the head of a column sorts by it, a second one the other way, a third one not at all;
// its edge can be dragged. One row is selected.
type Grid struct {
	NoChars
	Columns  []Column
	Rows     []GridRow // in their own order
	Selected string
	OnSelect func(key string)

	by     string // name of the column that is sorted by; "" for none
	turned bool   // the other way
	order  []int  // of Rows
	scroll Scroll
	line   int
	from   int // width of the column whose edge is dragged, when that began
}

// Sort sorts by a column, the other way, or not.
func (t *Grid) Sort(name string) {
	switch {
	case t.by != name:
		t.by, t.turned = name, false
	case !t.turned:
		t.turned = true
	default:
		t.by, t.turned = "", false
	}
}

// sorted returns the rows as they are shown, as indices.
func (t *Grid) sorted() []int {
	t.order = t.order[:0]
	for i := range t.Rows {
		t.order = append(t.order, i)
	}
	c := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == t.by })
	if c < 0 {
		return t.order
	}
	slices.SortStableFunc(t.order, func(a, b int) int {
		way := cmp.Compare(t.Rows[a].Cells[c], t.Rows[b].Cells[c])
		if t.Columns[c].Number {
			way = cmp.Compare(t.Rows[b].Numbers[c], t.Rows[a].Numbers[c])
		}
		if t.turned {
			way = -way
		}
		return way
	})
	return t.order
}

// Select selects a row and makes the next picture show it.
func (t *Grid) Select(key string) {
	t.Selected = key
	for i, k := range t.sorted() {
		if t.Rows[k].Key == key {
			t.scroll.reveal(i*t.line, (i+1)*t.line)
		}
	}
}

// Draw draws the table in r.
func (t *Grid) Draw(s *Screen, r image.Rectangle) {
	t.line = s.Line()
	head := image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+t.line+s.Units(4))
	body := image.Rect(r.Min.X, head.Max.Y, r.Max.X, r.Max.Y)
	order := t.sorted()
	all, end := t.scroll.Begin(s, body, len(order)*t.line)
	for i, k := range order {
		row := &t.Rows[k]
		box := image.Rect(all.Min.X, all.Min.Y+i*t.line, all.Max.X, all.Min.Y+(i+1)*t.line)
		if !box.Overlaps(body) {
			continue
		}
		if row.Key == t.Selected {
			s.Fill(box, Selected)
		} else if s.Hot(box) {
			s.Fill(box, hover)
		}
		key := row.Key
		s.Add(Zone{Rect: box, Tip: strings.Join(row.Cells, "  "), Press: func(Mouse) { s.Focus(t); t.choose(key) }})
		t.cells(s, box, row.Cells, cmp.Or(row.Color, Text))
	}
	end()
	s.Fill(head, PanelHead)
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		if names[i] = c.Name; c.Name == t.by {
			names[i] += map[bool]string{false: " ▼", true: " ▲"}[t.turned]
		}
	}
	undo := s.Clip(head)
	t.cells(s, head, names, Accent)
	undo()
	x, half := r.Min.X, s.Units(3)
	for i := range t.Columns {
		c := &t.Columns[i]
		name, w := c.Name, s.Units(c.Width)
		s.Add(Zone{Rect: image.Rect(x+half, head.Min.Y, x+w-half, head.Max.Y).Intersect(r), Tip: "sort by " + name, Press: func(Mouse) { t.Sort(name) }})
		edge := image.Rect(x+w-half, head.Min.Y, x+w+half, head.Max.Y)
		s.Fill(image.Rect(x+w-s.Units(1), head.Min.Y, x+w, head.Max.Y).Intersect(head), Selected)
		s.Add(Zone{Rect: edge.Intersect(r), Tip: "drag the edge of " + name, Plain: true, Shape: Across, Press: func(Mouse) { t.from = c.Width },
			Drag: func(m Mouse) { c.Width = min(max(t.from+int(float64(m.At.X-m.From.X)/s.Scale), 20), 1000) }})
		x += w
	}
}

// cells writes texts into the columns of a box.
func (t *Grid) cells(s *Screen, box image.Rectangle, texts []string, col color.RGBA) {
	x, pad := box.Min.X, s.Units(4)
	for i, c := range t.Columns {
		w := s.Units(c.Width)
		text := s.Fit(texts[i], w-2*pad)
		at := x + pad
		if c.Number {
			at = x + w - pad - s.Width(text)
		}
		if at < box.Max.X {
			s.Text(at, box.Min.Y+(box.Dy()-t.line)/2, text, col)
		}
		x += w
	}
}

func (t *Grid) choose(key string) {
	t.Selected = key
	if t.OnSelect != nil {
		t.OnSelect(key)
	}
}

// Key implements Keys: arrows move through the rows.
func (t *Grid) Key(k Key, m Mods) bool {
	order := t.sorted()
	at := slices.IndexFunc(order, func(i int) bool { return t.Rows[i].Key == t.Selected })
	by, ok := t.scroll.step(k, t.line, len(order))
	if !ok || m != 0 || len(order) == 0 {
		return false
	}
	key := t.Rows[order[min(max(at+by, 0), len(order)-1)]].Key
	t.choose(key)
	t.Select(key)
	return true
}
