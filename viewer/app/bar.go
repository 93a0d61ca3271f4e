package app

import (
	"image"
	"slices"

	"pica200/viewer/session"
	"pica200/viewer/ui"
)

// The bar at the top has a menu for each group of commands, with their keys, and buttons for frequent commands.

// groups are the menus, in order; help comes last.
func groups() (list []string) {
	const help = "Help"
	for i := range bindings {
		if g := bindings[i].group; g != help && !slices.Contains(list, g) {
			list = append(list, g)
		}
	}
	return append(list, help)
}

// button is a button at the right of the bar.
type button struct {
	text func(a *App) string
	tip  string
	do   func(a *App)
	on   func(a *App) bool
	off  func(a *App) string
}

func is(text string) func(*App) string { return func(*App) string { return text } }

// buttons returns the buttons in order; if the bar is too narrow, the leftmost are left out.
func buttons() []button {
	return []button{
		{is("open"), "open a file (Ctrl+O)", func(a *App) { a.openDialog() }, nil, nil},
		{is("save"), "save into the scene file (Ctrl+S)", func(a *App) { a.save(saving{values: true}) }, nil, nil},
		{is("panel"), "uniforms (Tab)", func(a *App) { a.togglePanel() }, func(a *App) bool { return a.shows(dockPanel) }, nil},
		{is("●"), "record the picture, stop (F9)", func(a *App) { a.toggleRecording(false) }, func(a *App) bool { return a.recorder.now != nil }, nil},
		{is("◄"), "frame before (,)", func(a *App) { a.stepFrame(-1) }, nil, moves},
		{func(a *App) string {
			if a.motion.playing {
				return "║"
			}
			return "►"
		}, "play, pause (Space)", func(a *App) { a.togglePlay() }, func(a *App) bool { return a.motion.playing }, moves},
		{is("►│"), "next frame (.)", func(a *App) { a.stepFrame(1) }, nil, moves},
	}
}

// drawBar draws the bar.
func (a *App) drawBar() {
	s := a.screen
	s.Cover(a.win.bar)
	s.Fill(a.win.bar, ui.PanelHead)
	x := a.drawMenus()
	right := a.win.bar.Max.X
	view := session.ViewName(a.req.View)
	if w := s.Width("light-secondary") + s.Units(24); right-w > x {
		s.Choice(image.Rect(right-w, a.win.bar.Min.Y+s.Units(1), right-s.Units(1), a.win.bar.Max.Y-s.Units(1)), view, "what is shown (V)", a.viewItems)
		right -= w + s.Units(4)
	}
	for _, b := range slices.Backward(buttons()) {
		text := b.text(a)
		w := max(s.ButtonWidth(text), s.Units(24))
		if right-w < x+s.Units(8) {
			break
		}
		right -= w
		style := ui.ButtonStyle{Tip: b.tip, On: b.on != nil && b.on(a), Off: a.none && text != "open" || b.off != nil && b.off(a) != ""}
		s.Button(image.Rect(right, a.win.bar.Min.Y, right+w, a.win.bar.Max.Y), text, style, func() { b.do(a) })
	}
}

// drawMenus draws the names of the menus and returns where they end. In a narrow bar they are closer together, and those without
// room are behind "»".
func (a *App) drawMenus() int {
	s, all := a.screen, groups()
	pad, width := s.Units(12), 0
	for _, g := range all {
		width += s.Width(g) + pad
	}
	if width > a.win.bar.Dx() {
		width -= len(all) * pad / 2
		pad /= 2
	}
	end := a.win.bar.Max.X
	if width > a.win.bar.Dx() {
		end -= s.Width("»") + pad
	}
	x := a.win.bar.Min.X
	a.win.menus = map[string]image.Rectangle{}
	for i, g := range all {
		w := s.Width(g) + pad
		if x+w > end {
			r := image.Rect(x, a.win.bar.Min.Y, a.win.bar.Max.X, a.win.bar.Max.Y)
			var items []ui.Item
			for _, g := range all[i:] {
				a.win.menus[g] = r
				items = append(items, ui.Item{Text: g, Note: "►", Do: func() { a.openMenu(g) }})
			}
			s.Button(r, "»", ui.ButtonStyle{Tip: "other menus"}, func() { s.OpenMenu(r, items) })
			return a.win.bar.Max.X
		}
		r := image.Rect(x, a.win.bar.Min.Y, x+w, a.win.bar.Max.Y)
		a.win.menus[g] = r
		s.Button(r, g, ui.ButtonStyle{Tip: g}, func() { a.openMenu(g) })
		x += w
	}
	return x
}

// openMenu opens a menu of the bar; arrow keys open its neighbours.
func (a *App) openMenu(group string) {
	m := a.screen.OpenMenu(a.win.menus[group], a.menuItems(group))
	m.Side = func(dir int) {
		all := groups()
		a.openMenu(all[(slices.Index(all, group)+dir+len(all))%len(all)])
	}
	a.dirty = true
}

// menuItems returns the commands of a group with their keys, and for views a description.
func (a *App) menuItems(group string) (items []ui.Item) {
	for i := range bindings {
		b := &bindings[i]
		if b.group != group || b.help == "" || b.do == nil {
			continue
		}
		keys, text := b.names()
		it := ui.Item{Text: text, Note: a.keyNames(keys, b), Do: func() { b.do(a) }}
		if on := states[b.help].on; on != nil {
			it.On = on(a)
		}
		if why := b.off(a); why != "" {
			it.Off, it.Note = true, why
		}
		items = append(items, it)
	}
	if group == "View" {
		items = append(append(items, ui.Item{Line: true}), a.viewItems()...)
	}
	return items
}

// keyNames returns the keys of a binding with the labels of the user's keyboard.
func (a *App) keyNames(keys string, b *binding) string {
	if a.o.KeyLabel != nil && keys == b.mods.String()+b.key.String() {
		if label := a.o.KeyLabel(b.key); label != "" {
			return b.mods.String() + label
		}
	}
	return keys
}

// viewItems lists the views, with a note for those that have nothing to show.
func (a *App) viewItems() (items []ui.Item) {
	for _, v := range session.Views() {
		why := ""
		if a.picture != nil {
			why = a.picture.Use.Missing(v)
		}
		items = append(items, ui.Item{Text: session.ViewName(v), On: v == a.req.View, Dull: why != "", Note: why, Do: func() {
			a.req.View = v
			a.render()
		}})
	}
	return items
}
