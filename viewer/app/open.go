package app

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"pica200/internal/files"
	"pica200/viewer/session"
	"pica200/viewer/ui"
)

// OpenFile opens another file; the current one stays if that fails. It asks first if changes would be lost.
func (a *App) OpenFile(path string) {
	a.openOr(path, func(err error) {
		a.ask(&question{title: filepath.Base(path) + " cannot be opened; the current file stays open.", problem: err.Error(), answers: []answer{{"close", KeyEscape, nil}}})
	}, nil)
}

// openOr is OpenFile; failed is called with the error, then if it is open; nil does nothing.
func (a *App) openOr(path string, failed func(error), then func()) {
	if _, busy := a.screen.Popup().(*reading); busy { // one after the other
		a.worker.do(func(context.Context, session.Source) func() { return func() { a.openOr(path, failed, then) } })
		return
	}
	a.leave("Before "+filepath.Base(path)+" is opened", func() { a.openFile(path, failed, then) })
}

// Drop handles a file that is dropped on the window: the chosen texture takes a picture, others are opened.
func (a *App) Drop(path string) {
	r := a.panel.Selected()
	if r == nil || !a.shows(dockPanel) || !session.OfTexture(r.Key) || session.CanOpen(path) {
		a.OpenFile(path)
		return
	}
	if name, err := filepath.Rel(filepath.Dir(absolute(a.info.Path)), absolute(path)); err == nil && filepath.IsLocal(name) {
		path = name
	}
	a.panel.Cancel()
	a.screen.Focus(a.panel) // undo is for it, not for a field
	r.Text = filepath.ToSlash(path)
	a.edit(r, true)
}

func (a *App) openFile(path string, failed func(error), then func()) {
	a.dirty = true
	if a.o.Open == nil {
		a.say("no other file can be opened here")
		return
	}
	wait := &reading{app: a, name: filepath.Base(path), since: a.o.Now()}
	a.screen.Open(wait)
	a.worker.do(func(context.Context, session.Source) func() {
		s, err := a.o.Open(path)
		if err != nil {
			return func() { a.screen.Close(wait); a.dirty = true; failed(err) }
		}
		a.worker.forget()       // what was asked of the old file
		a.worker.source.Close() // jobs run on the goroutine that owns the source
		a.worker.source = s
		info := s.Info()
		if err = addRecent(a.o.Recent, info.Path); err != nil {
			err = fmt.Errorf("the list of recent files cannot be saved: %w", err)
		}
		return func() {
			if a.opened(info, err); then != nil {
				then()
			}
		}
	})
}

// reading is a popup while a file is read. Input would be for the old file, but reach the new one.
type reading struct {
	ui.NoChars
	app   *App
	name  string
	since time.Time
	said  bool // it is drawn
}

// readingTime is how long a file is read before the window says so.
const readingTime = 200 * time.Millisecond

// Draw implements ui.Popup.
func (p *reading) Draw(s *ui.Screen) {
	s.Add(ui.Zone{Rect: s.Img.Rect, Press: func(ui.Mouse) {}})
	if p.said {
		in := s.Dialog(s.Units(400), s.Line()+2*s.Units(8))
		s.Text(in.Min.X, in.Min.Y, s.Fit("reading "+p.name+" ...", in.Dx()), ui.Text)
	}
}

// Key implements ui.Keys: nothing but the end is possible.
func (p *reading) Key(k ui.Key, m ui.Mods) bool {
	if k == 'Q' && m == Ctrl {
		p.app.Leave()
	}
	return true
}

// opened resets the viewer for another file.
func (a *App) opened(info session.Info, err error) {
	a.picture = nil // shows another file
	a.version++
	a.screen.Forget()
	first := a.none
	a.info, a.problem, a.failed, a.none = info, "", false, false
	// Selections, searches and views of the previous file are reset.
	a.req = session.Request{Draw: -1, Time: info.Start, Edits: edits{}}
	a.choice, a.approvals = choice{}, nil
	a.panel.Search.Set("")
	a.panel.Cancel()
	a.panel.ChangedOnly = false
	a.panel.SetRows(nil)
	a.inspector.pixel, a.inspector.history, a.inspector.last = image.Point{}, nil, nil
	a.drawList.have, a.drawList.list, a.drawList.tree.Roots, a.drawList.table.Rows = false, nil, nil, nil
	a.drawList.show(-1)
	a.drawList.only.Set("")
	a.state.search.Set("")
	a.state.only, a.state.output = false, ""
	if info.Frames > 0 {
		a.req.Screens = session.BothScreens
	}
	a.target, a.history = "", history{changes: a.history.changes + 1}
	a.flicker.on = false
	a.reloads++
	a.motion.playing, a.motion.turntable, a.motion.angle = false, a.motion.turntable && info.Camera, 0
	a.win.zoom, a.win.shift = 0, image.Point{}
	a.closeDock(dockInspector)
	if info.Frames == 0 {
		a.closeDock(dockState)
	}
	a.watch(info)
	a.knowNamesakes()
	if err != nil {
		a.say("%v", err)
	}
	if first {
		a.begin()
	}
	a.render()
}

// knowNamesakes looks for other files of the same name.
func (a *App) knowNamesakes() {
	path := absolute(a.info.Path)
	a.namesake = slices.ContainsFunc(readRecent(a.o.Recent), func(p string) bool { return p != path && filepath.Base(p) == filepath.Base(path) })
}

// drawNone shows in the window that no file is open.
func (a *App) drawNone() {
	if _, busy := a.screen.Popup().(*reading); busy || !a.none {
		return
	}
	s, r := a.screen, a.win.area
	text := s.Fit("Ctrl+O opens a file; or drop one here", r.Dx())
	s.Text((r.Min.X+r.Max.X-s.Width(text))/2, (r.Min.Y+r.Max.Y-s.Line())/2, text, ui.Dim)
}

// openDialog is the popup that asks for a file.
type openDialog struct {
	app     *App
	field   ui.Field
	recent  []string
	problem string // error of opening the last file
}

func (a *App) openDialog() {
	if d, ok := a.screen.Popup().(*openDialog); ok {
		a.screen.Close(d)
	}
	d := &openDialog{app: a, recent: readRecent(a.o.Recent)}
	d.field.Most = 4096
	d.field.Hint = "part of a name, or a path; Tab completes"
	d.field.Complete = d.complete
	d.field.OnEnter = d.enter
	d.field.OnAccept = func() {
		if !strings.HasSuffix(d.field.Text, string(filepath.Separator)) {
			d.enter()
		}
	}
	d.field.Set("")
	a.screen.Open(d)
	a.dirty = true
}

// complete lists completions of a path. Without a folder, these are recent files, and files beside the current one and in the
// working directory, that contain the text; the parent folder comes last.
func (d *openDialog) complete(text string) (list []string) {
	if strings.ContainsRune(text, filepath.Separator) {
		return completions(text)
	}
	add := func(path string) {
		if !slices.Contains(list, path) {
			list = append(list, path)
		}
	}
	for _, p := range d.recent {
		if strings.Contains(strings.ToLower(filepath.Base(p)), strings.ToLower(text)) {
			add(p)
		}
	}
	beside, _ := filepath.Split(d.app.info.Path)
	for _, p := range completions(beside + text) {
		add(p)
	}
	if text != "" {
		for _, p := range completions(text) {
			if full, err := filepath.Abs(p); err != nil || !slices.Contains(list, full) && !slices.Contains(list, full+string(filepath.Separator)) {
				add(p)
			}
		}
	} else if above := filepath.Dir(filepath.Clean(beside)); beside != "" && above != filepath.Clean(beside) {
		add(strings.TrimSuffix(above, string(filepath.Separator)) + string(filepath.Separator))
	}
	return list
}

// maxEntries limits the entries read of a folder.
const maxEntries = 5000

// completions lists viewable files and folders in the folder of a text whose names contain the rest of the text; names that start
// with it come first. Folders end with a separator.
func completions(text string) (list []string) {
	home, rest := atHome(text)
	folder, begin := filepath.Split(rest)
	f, err := os.Open(filepath.Join(home, folder) + string(filepath.Separator))
	if home+folder == "" {
		f, err = os.Open(".")
	}
	if err != nil {
		return nil
	}
	defer f.Close()
	entries, _ := f.ReadDir(maxEntries) // the entries that can be read
	var shown []string
	for _, e := range entries {
		name := e.Name()
		if !strings.Contains(strings.ToLower(name), strings.ToLower(begin)) || strings.HasPrefix(name, ".") && !strings.HasPrefix(begin, ".") {
			continue
		}
		path, dir := home+folder+name, e.IsDir()
		if e.Type()&os.ModeSymlink != 0 {
			info, err := os.Stat(path)
			if err != nil {
				continue
			}
			dir = info.IsDir()
		}
		switch {
		case dir:
			list = append(list, path+string(filepath.Separator))
		case session.CanOpen(name):
			shown = append(shown, path)
		}
	}
	order := func(a, b string) int {
		begins := func(path string) int {
			name := strings.TrimSuffix(path[len(home+folder):], string(filepath.Separator))
			if strings.HasPrefix(strings.ToLower(name), strings.ToLower(begin)) {
				return 0
			}
			return 1
		}
		return cmp.Or(begins(a)-begins(b), strings.Compare(a, b))
	}
	slices.SortFunc(list, order)
	slices.SortFunc(shown, order)
	return append(shown, list...)
}

// atHome parts a path that begins with "~/" in the user's folder and the rest.
func atHome(path string) (home, rest string) {
	if r, ok := strings.CutPrefix(path, "~"+string(filepath.Separator)); ok {
		if h, err := os.UserHomeDir(); err == nil {
			return h + string(filepath.Separator), r
		}
	}
	return "", path
}

func (d *openDialog) enter() {
	home, path := atHome(d.field.Text)
	if path = home + path; path == "" {
		return
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		d.field.Set(strings.TrimSuffix(d.field.Text, string(filepath.Separator)) + string(filepath.Separator))
		return
	}
	if _, err := os.Stat(path); err != nil && len(d.field.Matches()) > 0 {
		d.field.Set(d.field.Matches()[0]) // completes the typed text
		d.field.OnAccept()
		return
	}
	d.app.screen.Close(d)
	d.app.openOr(path, func(err error) { // with the typed text, to be corrected
		d.problem = err.Error()
		d.field.Set(d.field.Text)
		d.app.screen.Open(d)
	}, nil)
}

// Draw implements ui.Popup.
func (d *openDialog) Draw(s *ui.Screen) {
	in := s.Dialog(s.Units(560), s.Units(320))
	line := s.Line() + s.Units(6)
	drawField(s, image.Rect(in.Min.X, in.Min.Y, in.Max.X, in.Min.Y+line), &d.field, push("open", ui.ButtonStyle{Tip: "open this file"}, d.enter))
	list := image.Rect(in.Min.X, in.Min.Y+line+s.Units(4), in.Max.X, in.Max.Y)
	if d.problem != "" {
		list = s.Lines(list, strings.TrimSpace(d.problem), 5, ui.Bad)
		list.Min.Y += s.Units(4)
	}
	if len(d.field.Matches()) == 0 {
		s.Text(list.Min.X, list.Min.Y, s.Fit("nothing here has this in its name", list.Dx()), ui.Dim)
	}
	d.field.DrawMatches(s, list)
}

// Key implements ui.Keys.
func (d *openDialog) Key(k ui.Key, m ui.Mods) bool { return d.field.Key(k, m) }

// Char implements ui.Keys.
func (d *openDialog) Char(r rune) bool { return d.field.Char(r) }

// maxRecent limits the list of recent files.
const maxRecent = 20

// readRecent reads the list of recent files that still exist, newest first.
func readRecent(path string) (list []string) {
	if path == "" {
		return nil
	}
	data, err := files.ReadToReplace(path, 1<<16)
	if err != nil {
		return nil // none yet
	}
	for _, l := range strings.Split(string(data), "\n") {
		if _, err := os.Stat(l); l != "" && err == nil && len(list) < maxRecent {
			list = append(list, l)
		}
	}
	return list
}

// addRecent puts a file at the top of the list.
func addRecent(path, opened string) error {
	if path == "" {
		return nil
	}
	opened, err := filepath.Abs(opened)
	if err != nil || strings.Contains(opened, "\n") {
		return err
	}
	list := []string{opened}
	for _, p := range readRecent(path) {
		if p != opened && len(list) < maxRecent {
			list = append(list, p)
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return files.Write(path, func(w io.Writer) error { _, err := io.WriteString(w, strings.Join(list, "\n")+"\n"); return err })
}
