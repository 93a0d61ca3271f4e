package ui

import (
	"image"
	"image/color"
	"slices"
	"sort"
)

// Node is a row of a Tree with its children.
type Node struct {
	Key      string // identifies the row, also after the tree was rebuilt
	Text     string
	Note     string        // at the right
	Below    string        // a second line
	Pictures []image.Image // small pictures, to the right of both lines
	Color    color.RGBA    // colour of Text; zero means the default
	Children []Node
}

// Tree shows rows that open and close. One row is selected; scrolling does not change that.
type Tree struct {
	NoChars
	Roots    []Node
	Selected string // the key of the selected row
	OnSelect func(key string)
	OnOpen   func(key string) // called when the row was chosen with Enter

	scroll Scroll
	closed map[string]bool
	rows   []treeRow
	lines  int // number of lines of all rows
	line   int // height of a line in pixels
}

type treeRow struct {
	node  *Node
	depth int
	line  int // line of the text, from 0
}

// lines returns the number of lines of a row.
func (n *Node) lines() int {
	if n.Below != "" {
		return 2
	}
	return 1
}

// isOpen reports whether a row's children are shown. Initially they are.
func (t *Tree) isOpen(key string) bool { return !t.closed[key] }

// setOpen opens or closes a row.
func (t *Tree) setOpen(key string, open bool) {
	if t.closed == nil {
		t.closed = map[string]bool{}
	}
	t.closed[key] = !open
}

// Select selects a row and makes the next picture show it.
func (t *Tree) Select(key string) {
	t.Selected = key
	t.flatten()
	if i := t.index(key); i >= 0 {
		t.reveal(i)
	}
}

// index returns the position of a row, -1 if it is not shown.
func (t *Tree) index(key string) int {
	return slices.IndexFunc(t.rows, func(r treeRow) bool { return r.node.Key == key })
}

// reveal makes the next picture show a row.
func (t *Tree) reveal(i int) {
	r := &t.rows[i]
	t.scroll.reveal(r.line*t.line, (r.line+r.node.lines())*t.line)
}

// flatten lists the rows without those below a closed row.
func (t *Tree) flatten() {
	t.rows = t.rows[:0]
	t.lines = 0
	var add func(list []Node, depth int)
	add = func(list []Node, depth int) {
		for i := range list {
			t.rows = append(t.rows, treeRow{&list[i], depth, t.lines})
			t.lines += list[i].lines()
			if len(list[i].Children) > 0 && t.isOpen(list[i].Key) {
				add(list[i].Children, depth+1)
			}
		}
	}
	add(t.Roots, 0)
}

// Draw draws the tree in r.
func (t *Tree) Draw(s *Screen, r image.Rectangle) {
	t.flatten()
	line, pad := s.Line(), s.Units(4)
	t.line = line
	all, end := t.scroll.Begin(s, r, t.lines*line)
	first := sort.Search(len(t.rows), func(i int) bool { return all.Min.Y+(t.rows[i].line+t.rows[i].node.lines())*line > r.Min.Y })
	for i := first; i < len(t.rows) && all.Min.Y+t.rows[i].line*line < r.Max.Y; i++ {
		n, key, y := t.rows[i].node, t.rows[i].node.Key, all.Min.Y+t.rows[i].line*line
		row := image.Rect(all.Min.X, y, all.Max.X, y+n.lines()*line)
		if key == t.Selected {
			s.Fill(row, Selected)
		} else if s.Hot(row) {
			s.Fill(row, hover)
		}
		s.Add(Zone{Rect: row, Tip: n.Text, Plain: true, Press: func(Mouse) { s.Focus(t); t.choose(key) }})
		x := row.Min.X + pad + t.rows[i].depth*2*s.width
		if len(n.Children) > 0 {
			mark := "▼"
			if !t.isOpen(key) {
				mark = "►"
			}
			s.Text(x, row.Min.Y, mark, Dim)
			open := !t.isOpen(key)
			s.Add(Zone{Rect: image.Rect(x, row.Min.Y, x+2*s.width, row.Max.Y), Press: func(Mouse) { t.setOpen(key, open) }})
		}
		x += 2 * s.width
		col := n.Color
		if col == (color.RGBA{}) {
			col = Text
		}
		edge := row.Max.X - pad // of the texts
		for k := len(n.Pictures) - 1; k >= 0; k-- {
			side := row.Dy() - s.Units(2)
			edge -= side
			s.Picture(image.Rect(edge, row.Min.Y, edge+side, row.Max.Y).Inset(s.Units(1)), n.Pictures[k])
		}
		note := s.Fit(n.Note, row.Dx()/2)
		right, room, last := edge-s.Width(note), edge, row.Max.Y-line
		if n.Below == "" {
			room = right
		}
		s.Text(x, row.Min.Y, s.Fit(n.Text, room-x-pad), col)
		if n.Below != "" {
			s.Text(x, last, s.Fit(n.Below, right-x-pad), Dim)
		}
		s.Text(right, last, note, Dim)
	}
	end()
}

func (t *Tree) choose(key string) {
	t.Selected = key
	if t.OnSelect != nil {
		t.OnSelect(key)
	}
}

// Key implements Keys: arrows move through the rows, open and close them.
func (t *Tree) Key(k Key, m Mods) bool {
	t.flatten()
	at := t.index(t.Selected)
	by, moves := t.scroll.step(k, t.line, len(t.rows))
	switch {
	case m != 0 || len(t.rows) == 0:
		return false
	case moves:
		at += by
	case at < 0:
		return false
	case k == KeyEnter || k == KeyPadEnter:
		if t.OnOpen != nil {
			t.OnOpen(t.Selected)
		}
		return true
	case k == KeyRight && len(t.rows[at].node.Children) > 0:
		t.setOpen(t.Selected, true)
		return true
	case k == KeyLeft && len(t.rows[at].node.Children) > 0 && t.isOpen(t.Selected):
		t.setOpen(t.Selected, false)
		return true
	case k == KeyLeft: // go to the parent
		d := t.rows[at].depth
		for at > 0 && t.rows[at].depth >= d {
			at--
		}
	default:
		return false
	}
	at = min(max(at, 0), len(t.rows)-1)
	if key := t.rows[at].node.Key; key != t.Selected {
		t.choose(key)
	}
	t.reveal(at)
	return true
}
