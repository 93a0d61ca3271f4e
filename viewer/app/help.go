package app

import (
	"image"

	"pica200/viewer/ui"
)

// help is the popup that lists the keys.
type help struct {
	ui.NoChars
	app    *App
	scroll ui.Scroll
}

func (a *App) toggleKeys() {
	a.dirty = true
	if h, ok := a.screen.Popup().(*help); ok {
		a.screen.Close(h)
		return
	}
	a.screen.Open(&help{app: a})
}

// keyHelp is a row of the list: a heading, or keys and their command.
type keyHelp struct{ keys, text string }

// keyHelps lists the keys by group.
func keyHelps() (list []keyHelp) {
	group := ""
	for i := range bindings {
		b := &bindings[i]
		if b.help == "" {
			continue
		}
		if b.group != group {
			group = b.group
			list = append(list, keyHelp{"", group})
		}
		keys, text := b.names()
		list = append(list, keyHelp{keys, text})
	}
	return append(list, keyHelp{"", "In the panel"}, keyHelp{"Arrows", "select, change; Shift: larger steps"},
		keyHelp{"N", "next component"}, keyHelp{"Enter", "type a number, toggle, open"}, keyHelp{"Delete", "revert"})
}

// Draw implements ui.Popup: as many columns as the width allows, in a view that scrolls.
func (h *help) Draw(s *ui.Screen) {
	list := h.lines(s)
	pad, line := s.Units(10), s.Line()
	full, column := s.Img.Rect, h.column(s)
	columns := min(max((full.Dx()-2*pad-s.Units(8))/(column+pad), 1), 3)
	// Groups are not split; columns are filled to the same height.
	var starts []int
	for i := range list {
		if list[i].keys == "" {
			starts = append(starts, i)
		}
	}
	cut := []int{0}
	for k := 1; k < columns; k++ {
		best := len(list)
		for _, at := range starts {
			if d := at - k*len(list)/columns; max(d, -d) < max(best-k*len(list)/columns, -(best-k*len(list)/columns)) {
				best = at
			}
		}
		cut = append(cut, best)
	}
	cut = append(cut, len(list))
	rows := 0
	for k := range columns {
		rows = max(rows, cut[k+1]-cut[k])
	}
	r := image.Rect(0, 0, min(columns*(column+pad)+2*pad, full.Dx()), min(rows*line+2*pad, full.Dy()))
	r = r.Add(image.Pt((full.Dx()-r.Dx())/2, (full.Dy()-r.Dy())/2))
	s.Cover(r)
	s.Frame(r, ui.Selected)
	s.Add(ui.Zone{Rect: r, Press: func(ui.Mouse) { s.Close(h) }})
	in := r.Inset(pad / 2)
	all, end := h.scroll.Begin(s, in, rows*line+pad)
	for k := range columns {
		x := all.Min.X + pad/2 + k*(column+pad)
		for i, l := range list[cut[k]:cut[k+1]] {
			y := all.Min.Y + pad/2 + i*line
			if l.keys == "" {
				s.Text(x, y, l.text, ui.Accent)
				continue
			}
			s.Text(x+s.Width(" "), y, l.keys, ui.Text)
			s.Text(x+s.Width("0")*keyColumns, y, l.text, ui.Dim)
		}
	}
	end()
}

// keyColumns is the column at which texts begin.
const keyColumns = 15

// lines returns the rows of the list; texts are wrapped in narrow columns.
func (h *help) lines(s *ui.Screen) (list []keyHelp) {
	room := s.Columns(h.column(s)) - keyColumns
	for _, l := range keyHelps() {
		if l.keys == "" {
			list = append(list, l)
			continue
		}
		for i, part := range ui.Wrap(l.text, room) {
			if i > 0 {
				l.keys = " "
			}
			list = append(list, keyHelp{l.keys, part})
		}
	}
	return list
}

// column returns the width of a column: that of the longest line, if there is room.
func (h *help) column(s *ui.Screen) int {
	return min(s.Width("0")*50, s.Img.Rect.Dx()-s.Units(28))
}

// Key implements ui.Keys.
func (h *help) Key(k ui.Key, _ ui.Mods) bool {
	if k == KeyF1 {
		h.app.screen.Close(h)
		return true
	}
	return h.scroll.Key(k, h.app.screen.Line())
}
